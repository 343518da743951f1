"""How the noise reaches the output: derivatives of output columns by the aggregates they use.

An aggregate is a function of noisy measurements, and an output column is an expression over
aggregates of one released row. To first order its error is Σ wᵢ·Zᵢ, the noises weighted by partial
derivatives at the noisy values; the half-width of that sum is exact for counts and sums (which are
linear) and approximate for averages and ratios, where noise is small (`execution.bent` has the
others). All of it is post-processing: the noise scales are public, and the derivatives are taken at
noisy values. Randomized answers add the deviation of
their coins, which is near to normal where rows are many (their weights are bounded).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from dpsql.core.enforce.secure import total
from dpsql.core.functions.build import make
from dpsql.core.functions.spec import coerce
from dpsql.core.plan.expr import (
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
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import Plan, Project
from dpsql.core.plan.values import of_type
from dpsql.core.release.carry import carry
from dpsql.core.release.release import Release
from dpsql.core.shape.coins import Coins
from dpsql.types import BIGINT, DATE, DOUBLE

ROW = "row"
"""The extra column of a released table: the number of the row, for finding its noise again."""

MAX_FORMULA = 100
"""Nodes of an output whose derivatives are still taken: they grow with the square of it."""


@dataclass(frozen=True, slots=True)
class Traced:
    """A plan with extra output columns: the released row's number, the partial derivatives and the
    deviations of the coins, and what outputs are made of besides.

    Attributes:
        plan: outputs are the query's own, then the row number, then one for each derivative, then
            one for each of `coins`, then one for each of `constants`.
        row: the released table's row-number column.
        gradients: (output column's position, aggregate's position) of each derivative column.
        coins: positions of the output columns that depend on coins, too; see `deviation`.
        constants: the ids of columns without noise that noisy outputs are made of.
        exact: positions of output columns that carry noise and whose derivatives are known.
        noisy: positions of output columns that carry noise.
        outputs: each output column over the release's columns.
        across: the ids of columns in `outputs` that a window makes of several rows.
    """

    plan: Plan
    row: Column
    gradients: tuple[tuple[int, int], ...]
    coins: tuple[int, ...]
    constants: tuple[int, ...]
    exact: frozenset[int]
    noisy: frozenset[int]
    outputs: tuple[Expr, ...]
    across: frozenset[int] = frozenset()


def trace(plan: Plan, releases: tuple[Release, ...], coins: Coins, ids: Ids) -> Traced | None:
    """The plan with derivatives; None where its rows are not rows of one release, or of one
    debiased aggregate of public rows.

    Args:
        plan: what is above the releases.
        releases: of the query.
        coins: the columns that depend on coins.
        ids: new columns.
    """
    if len(releases) > 1 or not (releases or coins.columns):
        return None
    row = ids.column(ROW, BIGINT)
    carried = carry(plan, releases[0] if releases else None, coins, row, ids)
    if carried is None:
        return None
    here = carried.here
    aggregates = [o.column for point in releases for o in point.outputs]
    places = {c.id: j for j, c in enumerate(aggregates)}
    unknown = coins.unknown | carried.across
    random = coins.columns | places.keys() | carried.across
    outputs = [carried.definitions[c.id] for c in plan.columns]
    noisy = frozenset(i for i, e in enumerate(outputs) if columns_of(e) & random)
    items = [(ids.column(c.name, c.type), here[c.id]) for c in plan.columns]
    items.append((ids.column(ROW, BIGINT), here[row.id]))
    env = {c.id: of_type(c.type) for c in carried.current.values()}
    gradients: list[tuple[int, int]] = []
    deviations: dict[int, Expr] = {}
    exact: set[int] = set()
    for position in sorted(noisy):
        if too_large(outputs[position], MAX_FORMULA):
            continue
        # Of what it does not read the slope is 0.
        slopes = {i: slope(outputs[position], i) for i in columns_of(outputs[position]) & random}
        known = dict.fromkeys(coins.columns | unknown, _ZERO)
        known |= {i: s for i, s in slopes.items() if s is not None}
        if None in slopes.values() or any(not _is(known[i], 0) for i in unknown):
            continue
        exact.add(position)
        for j, i in sorted((places[i], i) for i in slopes if i in places):
            if not _is(known[i], 0):
                gradients.append((position, j))
                expr = total(substitute(coerce(known[i], DOUBLE), here), env)
                items.append((ids.column("slope", DOUBLE), expr))
        spread = deviation(coins, known)
        if spread is not None:
            deviations[position] = total(substitute(spread, here), env)
    items += [(ids.column("deviation", DOUBLE), expr) for expr in deviations.values()]
    read = {i for position in exact for i in columns_of(outputs[position])}
    constants = tuple(sorted(read & here.keys() - random))
    items += [(ids.column("constant", carried.current[i].type), here[i]) for i in constants]
    return Traced(
        Project(carried.plan, tuple(items)),
        row,
        tuple(gradients),
        tuple(deviations),
        constants,
        frozenset(exact),
        noisy,
        tuple(outputs),
        carried.across,
    )


def deviation(coins: Coins, slopes: Mapping[int, Expr]) -> Expr | None:
    """To first order, the standard deviation of a number over the coins, estimated from the counts;
    None where it does not depend on them.

    Claim: it is no less than the true one, up to what the estimate is off by, and the same where
    no row is counted by two pairs of one randomized column.
    Why: the pairs of one column read the same coins where their rows overlap, and the deviation of
    a sum is at most the sum of the deviations (Cauchy and Schwarz). Different columns have
    independent coins, so their variances add up. For one pair see `shape.coins`.

    Args:
        coins: which there are.
        slopes: the number's derivative by each count, by the count's id.
    """
    by_cell: dict[tuple[str, str], Expr] = {}
    for pair in coins.pairs:
        variance, moved = _ZERO, _ZERO
        for count, reported in ((pair.yes, True), (pair.no, False)):
            if count is not None:
                rows = coerce(Ref(count), DOUBLE)
                variance = _sum(variance, _product(Literal(pair.spread(reported), DOUBLE), rows))
                sign = Literal(1 if reported else -1, DOUBLE)
                moved = _sum(moved, _product(sign, slopes[count.id]))
        if not _is(moved, 0):
            root = Call("sqrt", (Call("greatest", (variance, _ZERO), DOUBLE),), DOUBLE)
            found = _product(Call("abs", (coerce(moved, DOUBLE),), DOUBLE), root)
            by_cell[pair.cell] = _sum(by_cell.get(pair.cell, _ZERO), found)
    if len(by_cell) < 2:
        return next(iter(by_cell.values()), None)
    squares = _ZERO
    for found in by_cell.values():
        squares = _sum(squares, _product(found, found))
    return Call("sqrt", (squares,), DOUBLE)


# --- derivatives ---------------------------------------------------------------------------------

_ZERO: Expr = Literal(0, DOUBLE)
_ONE: Expr = Literal(1, DOUBLE)
TRANSPARENT = frozenset(
    {"coerce", "cast", "try_cast", "round", "trunc", "floor", "ceil", "nullif", "inside"}
)
"""Functions that count as the identity of their first argument."""

_OF_MICROSECONDS = frozenset({"make_timestamp", "time_at"})
"""Moments and times of so many microseconds; how far they are off is counted in seconds."""


def _is(expr: Expr | None, value: int | str) -> bool:
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
    if name in TRANSPARENT or name == "coalesce":
        if (expr.type == DATE or expr.type.is_string) and expr.type != expr.args[0].type:
            return None  # of a day, and of the text of a number, no half-width is told
        return d[0] if all(_is(x, 0) for x in d[1:]) else None
    if name == "add":
        return _sum(d[0], d[1])
    if name in _OF_MICROSECONDS:
        return _product(d[0], Literal(Fraction(1, 10**6), DOUBLE))
    if name == "interval_us":
        return _product(d[0], Literal(10**6, DOUBLE))
    if name == "date_diff" and _is(args[0], "microsecond"):
        return _product(_sum(d[2], _product(Literal(-1, DOUBLE), d[1])), Literal(10**6, DOUBLE))
    if name in ("sub", "elapsed"):
        return _sum(d[0], _product(Literal(-1, DOUBLE), d[1]))
    if name == "mul":
        return _sum(_product(d[0], args[1]), _product(args[0], d[1]))
    if name == "div":
        square = _product(args[1], args[1])
        second = _product(Literal(-1, DOUBLE), _product(args[0], d[1]))
        return _sum(_ratio(d[0], args[1]), _ratio(second, square))
    if name == "abs":
        negative = make("lt", (args[0], _ZERO), None)
        # Its own slope stands once, or abs(abs(…)) would double it with each.
        return _product(Case(((negative, Literal(-1, DOUBLE)),), _ONE, DOUBLE), d[0])
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
