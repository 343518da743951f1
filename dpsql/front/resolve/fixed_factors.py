"""Sums and means of a number times, or divided by, what is released and one value for a group.

    SELECT SUM(t.x / s.total) FROM t, (SELECT SUM(x) AS total FROM t) AS s
    SELECT SUM(t.x) / s.total …

    SELECT t.k, AVG((t.x - g.mean) / g.spread) FROM t JOIN g ON g.k = t.k GROUP BY t.k
    SELECT t.k, AVG(t.x - g.mean) / g.spread …

Claim: the answers are the same, and of x alone something is measured. Why: all rows of a group meet
one row of released ones, as `fixed_keys` has it, so that the factor is one number c, and Σ c·x is
c·Σ x, of the rows in which x is known; where c is NULL, or 0 and divides, both are NULL. What is
released of x is divided by what is released already: post-processing.

It is done where nothing bounds the product: a count or a sum may be of any size once there is noise
in it, and the answer would be rejected.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from dpsql.core.functions.build import make
from dpsql.core.functions.spec import coerce
from dpsql.core.infer.properties import analyze
from dpsql.core.infer.ranges import as_said, infer
from dpsql.core.plan.expr import Call, Case, Column, Expr, Literal, Ref, columns_of
from dpsql.core.plan.nodes import Aggregate, Filter, Join, Plan, Project, Released, Sort
from dpsql.core.shape.flatten import Block, flatten
from dpsql.errors import Rejected
from dpsql.front.resolve.fixed_keys import without_fixed
from dpsql.front.resolve.state import Resolution
from dpsql.types import DOUBLE

Factor = tuple[str, Expr]
"""What is done with a value of a group: mul or div."""


@dataclass(frozen=True, slots=True)
class Factored:
    """An aggregate of which some sums and means had factors.

    Attributes:
        plan: without these, each of which is a key.
        of: for such a column the one that has its place, and what that is multiplied or divided by.
    """

    plan: Aggregate
    of: Mapping[int, tuple[Column, tuple[tuple[str, Column], ...]]]


def without_factors(state: Resolution, plan: Aggregate) -> Factored | None:
    """The aggregate without such factors; None where it has none."""
    asked = [call for _, call in plan.calls if call.function in ("sum", "avg")]
    if not asked or plan.totals:
        return None
    block = flatten(plan.input)
    feeds = (s for s in block.sources if isinstance(s, Released) and s.name in state.feeds)
    released = frozenset(c.id for source in feeds for c in source.columns)
    if not released:
        return None
    try:
        known = as_said(analyze(plan.input, state.schema).expected, plan.input.columns)
    except Rejected:  # and so it is where the groups are released
        return None
    keys, calls = list(plan.keys), list(plan.calls)
    of: dict[int, tuple[Column, tuple[tuple[str, Column], ...]]] = {}
    for place, (column, call) in enumerate(plan.calls):
        if call not in asked or call.distinct or call.argument is None:
            continue
        if infer(call.argument, known).bounded:
            continue
        rest, factors = _split(block.inline(call.argument), released)
        if factors:
            made = tuple((how, state.ids.column("factor", f.type)) for how, f in factors)
            keys += [(key, f) for (_, key), (_, f) in zip(made, factors, strict=True)]
            bare = state.ids.column(column.name, column.type)
            calls[place] = (bare, replace(call, argument=rest))
            of[column.id] = (bare, made)
    rows = _with_sources(plan.input, block)
    alone = replace(plan, input=rows, keys=tuple(keys), calls=tuple(calls))
    added = {key.id for _, made in of.values() for _, key in made}
    left = {c.id for c, _ in without_fixed(state, alone)[0].keys}
    return Factored(alone, of) if of and not added & left else None


def _with_sources(plan: Plan, block: Block) -> Plan:
    """The rows with all columns of the sources that they are made of."""
    own = {c.id for source in block.sources for c in source.columns}

    def widened(plan: Plan) -> Plan:
        if isinstance(plan, Project):
            below = widened(plan.input)
            made = {c.id for c in plan.columns}
            more = (c for c in below.columns if c.id in own and c.id not in made)
            return Project(below, (*plan.items, *((c, Ref(c)) for c in more)))
        if isinstance(plan, Filter | Sort):
            return replace(plan, input=widened(plan.input))
        if isinstance(plan, Join) and plan.kind == "inner":
            return replace(plan, left=widened(plan.left), right=widened(plan.right))
        if isinstance(plan, Join) and plan.mark is not None:
            return replace(plan, left=widened(plan.left))
        return plan

    return widened(plan)


def _split(expr: Expr, released: frozenset[int]) -> tuple[Expr, list[Factor]]:
    """An expression without its factors that are made of released columns, and these."""
    if isinstance(expr, Call) and expr.function == "coerce" and expr.type == DOUBLE:
        rest, factors = _split(expr.args[0], released)
        return coerce(rest, DOUBLE), factors
    if isinstance(expr, Case) and len(expr.branches) == 1 and _is_null(expr.default):
        [(condition, value)] = expr.branches  # FILTER
        rest, factors = _split(value, released)
        if not factors:
            return expr, []
        return Case(((condition, rest),), Literal(None, rest.type), rest.type, expr.span), factors
    if not isinstance(expr, Call) or expr.function not in ("mul", "div"):
        return expr, []
    left, right = expr.args
    if expr.function == "mul" and _is_of(left, released):
        left, right = right, left
    rest, factors = _split(left, released)
    if _is_of(right, released):
        return rest, [*factors, (expr.function, right)]
    other, more = _split(right, released) if expr.function == "mul" else (right, [])
    made = make(expr.function, (rest, other), expr.span) if factors or more else expr
    return made, [*factors, *more]


def _is_of(expr: Expr, released: frozenset[int]) -> bool:
    used = columns_of(expr)
    return bool(used) and used <= released


def _is_null(expr: Expr) -> bool:
    return isinstance(expr, Literal) and expr.value is None


def with_factors(state: Resolution, plan: Aggregate, released: Plan, found: Factored) -> Plan:
    """What is released without the factors, with them."""
    here = {c.id: Ref(c) for c in released.columns}
    items: list[tuple[Column, Expr]] = []
    for column in plan.columns:
        bare, factors = found.of.get(column.id, (column, ()))
        value: Expr = here[bare.id]
        for how, key in factors:
            value = make(how, (value, here[key.id]), None)
        items.append((state.typed(column, value), value))
    return Project(released, tuple(items))
