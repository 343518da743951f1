"""How the noise reaches the output: derivatives of output columns by the aggregates they use.

An aggregate is a function of noisy measurements, and an output column is an expression over
aggregates of one released row. To first order its error is Σ wᵢ·Zᵢ, the noises weighted by partial
derivatives at the noisy values; the half-width of that sum is exact for counts and sums (which are
linear) and approximate for averages and ratios. All of it is post-processing: the noise scales are
public, and the derivatives are taken at noisy values.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from dpsql.plan.expr import (
    Call,
    Case,
    Column,
    Expr,
    Literal,
    Ref,
    columns_of,
    substitute,
    too_large,
)
from dpsql.plan.nodes import Filter, Limit, Plan, Project, Released, Sort
from dpsql.plan.values import of_type
from dpsql.rewrite.secure import total
from dpsql.sensitivity.release import Release
from dpsql.sql.build import make
from dpsql.sql.functions.spec import coerce
from dpsql.sql.ids import Ids
from dpsql.types import BIGINT, DOUBLE

ROW = "row"
"""The extra column of a released table: the number of the row, for finding its noise again."""

MAX_FORMULA = 100
"""Nodes of an output whose derivatives are still taken: they grow with the square of it."""


@dataclass(frozen=True, slots=True)
class Traced:
    """A plan with extra output columns: the released row's number and the partial derivatives.

    Attributes:
        plan: outputs are the query's own, then the row number, then one for each derivative.
        row: the released table's row-number column.
        gradients: (output column's position, aggregate's position) of each derivative column.
        exact: positions of output columns that carry noise and whose derivatives are known.
        noisy: positions of output columns that carry noise.
        outputs: each output column over the release's columns.
    """

    plan: Plan
    row: Column
    gradients: tuple[tuple[int, int], ...]
    exact: frozenset[int]
    noisy: frozenset[int]
    outputs: tuple[Expr, ...]


def trace(plan: Plan, releases: tuple[Release, ...], ids: Ids) -> Traced | None:
    """The plan with derivatives; None where its rows are not rows of one release."""
    if len(releases) != 1:
        return None
    (release,) = releases
    row = ids.column(ROW, BIGINT)
    carried = _carry(plan, release, row, ids)
    if carried is None:
        return None
    below, current, definitions = carried
    aggregates = [o.column for o in release.outputs]
    noisy_ids = frozenset(c.id for c in aggregates)
    outputs = [definitions[c.id] for c in plan.columns]
    noisy = frozenset(i for i, e in enumerate(outputs) if columns_of(e) & noisy_ids)
    here: dict[int, Expr] = {i: Ref(c) for i, c in current.items()}
    items = [(ids.column(c.name, c.type), here[c.id]) for c in plan.columns]
    items.append((ids.column(ROW, BIGINT), here[row.id]))
    gradients: list[tuple[int, int]] = []
    exact: set[int] = set()
    env = {c.id: of_type(c.type) for c in current.values()}
    for position in sorted(noisy):
        if too_large(outputs[position], MAX_FORMULA):
            continue
        slopes = {j: slope(outputs[position], a.id) for j, a in enumerate(aggregates)}
        if any(s is None for s in slopes.values()):
            continue
        exact.add(position)
        for j, found in slopes.items():
            if found is None or _is(found, 0):
                continue
            gradients.append((position, j))
            expr = total(substitute(coerce(found, DOUBLE), here), env)
            items.append((ids.column("slope", DOUBLE), expr))
    final = Project(below, tuple(items))
    return Traced(final, row, tuple(gradients), frozenset(exact), noisy, tuple(outputs))


Carried = tuple[Plan, dict[int, Column], dict[int, Expr]]


def _carry(plan: Plan, release: Release, row: Column, ids: Ids) -> Carried | None:
    """The plan with every column of the release carried to the top.

    Returns the plan, where each old column now stands, and each column's definition over the
    release's columns; None for nodes whose rows are not released rows.
    """
    if isinstance(plan, Released):
        columns, fields = (*plan.columns, row), (*plan.fields, f"c{row.id}")
        refs: dict[int, Expr] = {c.id: Ref(c) for c in columns}
        return Released(plan.name, columns, fields), {c.id: c for c in columns}, refs
    if isinstance(plan, Filter | Sort | Limit):
        inner = _carry(plan.input, release, row, ids)
        if inner is None:
            return None
        below, current, definitions = inner
        here: dict[int, Expr] = {i: Ref(c) for i, c in current.items()}
        if isinstance(plan, Filter):
            return Filter(below, substitute(plan.predicate, here)), current, definitions
        if isinstance(plan, Sort):
            keys = tuple(replace(k, expr=substitute(k.expr, here)) for k in plan.keys)
            return replace(plan, input=below, keys=keys), current, definitions
        return Limit(below, plan.count, plan.offset, plan.span), current, definitions
    if isinstance(plan, Project):
        inner = _carry(plan.input, release, row, ids)
        if inner is None:
            return None
        below, current, definitions = inner
        here = {i: Ref(c) for i, c in current.items()}
        items = [(c, substitute(e, here)) for c, e in plan.items]
        after = {c.id: c for c, _ in plan.items}
        for old in (*release.node.columns, row):
            passed = ids.column(old.name, old.type)
            items.append((passed, here[old.id]))
            after[old.id] = passed
        known = {c.id: substitute(e, definitions) for c, e in plan.items}
        if any(too_large(e) for e in known.values()):
            return None  # x + x of x + x of …: no intervals rather than no answer
        known |= {i: definitions[i] for i in after if i in definitions}
        return Project(below, tuple(items)), after, known
    return None


# --- derivatives ---------------------------------------------------------------------------------

_ZERO = Literal(0, DOUBLE)
_ONE = Literal(1, DOUBLE)
_TRANSPARENT = frozenset(
    {"coerce", "cast", "try_cast", "round", "floor", "ceil", "nullif", "inside"}
)


def _is(expr: Expr | None, value: int) -> bool:
    return isinstance(expr, Literal) and expr.value == value


def slope(expr: Expr, column: int) -> Expr | None:
    """d expr / d column as an expression, or None where it is not modelled. Rounding counts as the
    identity: it moves a number by less than one unit.
    """
    if column not in columns_of(expr):
        return _ZERO
    if isinstance(expr, Ref):
        return _ONE
    if isinstance(expr, Case):
        guard = isinstance(expr.default, Literal) and expr.default.value is None
        if not guard and any(column in columns_of(c) for c, _ in expr.branches):
            return None  # a noisy condition between two values makes a jump, not a slope
        parts = [slope(v, column) for _, v in expr.branches]
        last = slope(expr.default, column)
        if last is None or any(p is None for p in parts):
            return None
        pairs = tuple((c, p) for (c, _), p in zip(expr.branches, parts, strict=True) if p)
        return Case(pairs, last, DOUBLE)
    assert isinstance(expr, Call)
    slopes = [slope(a, column) for a in expr.args]
    known = [s for s in slopes if s is not None]
    if len(known) < len(slopes):
        return None
    args = [coerce(a, DOUBLE) if a.type.is_numeric else a for a in expr.args]
    return _call_slope(expr, args, known)


def _call_slope(expr: Call, args: list[Expr], d: list[Expr]) -> Expr | None:
    name = expr.function
    if name in _TRANSPARENT or name == "coalesce":
        return d[0] if all(_is(x, 0) for x in d[1:]) else None
    if name == "add":
        return _sum(d[0], d[1])
    if name == "sub":
        return _sum(d[0], _product(Literal(-1, DOUBLE), d[1]))
    if name == "mul":
        return _sum(_product(d[0], args[1]), _product(args[0], d[1]))
    if name == "div":
        square = _product(args[1], args[1])
        second = _product(Literal(-1, DOUBLE), _product(args[0], d[1]))
        return _sum(_ratio(d[0], args[1]), _ratio(second, square))
    if name == "abs":
        negative = make("lt", (args[0], _ZERO), None)
        return Case(((negative, _product(Literal(-1, DOUBLE), d[0])),), d[0], DOUBLE)
    if name == "sqrt":
        return _ratio(d[0], _product(Literal(2, DOUBLE), Call("sqrt", (args[0],), DOUBLE)))
    if name == "ln":
        return _ratio(d[0], args[0])
    if name == "exp":
        return _product(d[0], Call("exp", (args[0],), DOUBLE))
    return None


def _sum(a: Expr, b: Expr) -> Expr:
    if _is(a, 0):
        return b
    return a if _is(b, 0) else Call("add", (a, b), DOUBLE)


def _product(a: Expr, b: Expr) -> Expr:
    if _is(a, 0) or _is(b, 0):
        return _ZERO
    if _is(a, 1):
        return b
    return a if _is(b, 1) else Call("mul", (a, b), DOUBLE)


def _ratio(a: Expr, b: Expr) -> Expr:
    return _ZERO if _is(a, 0) else Call("div", (a, b), DOUBLE)
