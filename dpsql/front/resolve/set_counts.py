"""How many rows an INTERSECT or EXCEPT of private values has, from how many its unions have.

    SELECT COUNT(*) FROM (a INTERSECT b)      |a| + |b| - |a ∪ b|
    SELECT COUNT(*) FROM (a EXCEPT b)         |a ∪ b| - |b|

Of private values only those of many units could be shown, and counted then; how many different ones
a union has is measured as such, see `distinct_rows`.

Claim: the answers are the same. Why: let a(v) be 1 where v is a row of a, else 0. That of a ∩ b is
a·b, of a \\ b it is a - a·b, of a ∪ b it is a + b - a·b; and a product is a sum of unions
(inclusion and exclusion): a·b·c is the sum of ±(union of U) over all sets U of these, + where U is
odd. Summed over all v these are counts. NULL is a value like others, of a column alone where its
owner has said that it can be NULL, as it is for groups.
"""

from __future__ import annotations

from itertools import combinations

from dpsql.core.functions.build import make
from dpsql.core.functions.spec import coerce
from dpsql.core.infer.tracking import kind_of
from dpsql.core.plan.expr import Call, Expr, Literal, Ref, children, conjuncts
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import (
    Aggregate,
    AggregateCall,
    Apply,
    Filter,
    Join,
    Named,
    Plan,
    Project,
    Sort,
    Union,
    each,
)
from dpsql.front.resolve.distinct_rows import may_be_null
from dpsql.front.resolve.fresh_copy import fresh_copy
from dpsql.front.resolve.group_by import determines_unit
from dpsql.front.resolve.state import Resolution
from dpsql.types import BIGINT

MOST_SETS = 4
"""Of so many an INTERSECT takes 15 counts; with one more it would be 31."""

Products = dict[frozenset[int], int]
"""A sum of products of sets' indicators, by the sets' numbers, with their factors."""


def set_counts(state: Resolution, plan: Aggregate) -> Plan | None:
    """A count of the rows of set operations over private values; None for what is none."""
    if state.schema.kinds or plan.keys or plan.totals or not plan.calls:
        return None
    if any(c.function != "count" or c.argument is not None or c.distinct for _, c in plan.calls):
        return None
    bases: list[Plan] = []
    products = _products(plan.input, bases, distinct=False)
    if not 1 < len(bases) <= MOST_SETS or _is_union(products, len(bases)):
        return None
    if any(isinstance(node, Aggregate | Apply | Named) for b in bases for node in each(b)):
        return None  # what is released there would be released once for each count
    resolved = [state.plan(base) for base in bases]
    if any(kind_of(base) is not Kind.TRACKED for base in resolved):
        return None
    if all(determines_unit(state, _distinct(state, base)) for base in resolved):
        return None
    resolved = [_counted(state, base) for base in resolved]
    value: Expr | None = None
    result: Plan | None = None
    # One with a positive factor first: the greatest number of rows has one.
    for union, factor in sorted(_unions(products).items(), key=lambda u: (u[1] < 0, sorted(u[0]))):
        count = _count(state, [resolved[i] for i in sorted(union)])
        (column,) = count.columns
        term: Expr = Ref(column)
        if abs(factor) != 1:
            term = make("mul", (Literal(abs(factor), BIGINT), term), None)
        if value is None or result is None:
            value, result = term, count
        else:
            value = make("add" if factor > 0 else "sub", (value, term), None)
            result = Join(result, count, None)
    assert value is not None and result is not None
    shown = coerce(value, BIGINT)
    return state.plan(Project(result, tuple((c, shown) for c, _ in plan.calls)))


def _products(plan: Plan, bases: list[Plan], *, distinct: bool) -> Products:
    """A plan's rows as a sum of products; `bases` gets the sets that it is made of. Where they are
    not `distinct` above, UNION ALL counts rows of its branches twice, and is no set.
    """
    if isinstance(plan, Sort):
        return _products(plan.input, bases, distinct=distinct)
    if isinstance(plan, Project) and _passes(plan, plan.input):
        return _products(plan.input, bases, distinct=distinct)
    if isinstance(plan, Aggregate) and not plan.calls and plan.keys and not plan.totals:
        return _products(Project(plan.input, plan.keys), bases, distinct=True)
    if isinstance(plan, Union) and distinct:
        found: Products = {}
        for branch in plan.branches:
            other = _products(branch, bases, distinct=True)
            found = _sum(_sum(found, other), _times(found, other), -1)
        return found
    if isinstance(plan, Project) and (matched := _matched(plan)) is not None:
        join, inside = matched
        left = _products(join.left, bases, distinct=distinct)
        both = _times(left, _products(join.right, bases, distinct=True))
        return both if inside else _sum(left, both, -1)
    bases.append(plan)
    # Of too many sets nothing is made: the products of a union are 2 to the power of its branches.
    return {frozenset([len(bases) - 1]): 1} if len(bases) <= MOST_SETS else {}


def _matched(plan: Project) -> tuple[Join, bool] | None:
    """The mark join of an INTERSECT (True) or EXCEPT; None where the plan is none."""
    if not (isinstance(plan.input, Filter) and isinstance(plan.input.input, Join)):
        return None
    join, predicate = plan.input.input, plan.input.predicate
    if join.mark is None or join.condition is None or not _passes(plan, join.left):
        return None
    wanted = list(zip(map(Ref, join.left.columns), map(Ref, join.right.columns), strict=False))
    found = [
        term.args if isinstance(term, Call) and term.function == "is_not_distinct" else ()
        for term in conjuncts(join.condition)
    ]
    if len(join.left.columns) != len(join.right.columns) or found != wanted:
        return None
    if predicate == Ref(join.mark):
        return join, True
    outside = isinstance(predicate, Call) and predicate.function == "not"
    return (join, False) if outside and children(predicate) == (Ref(join.mark),) else None


def _passes(plan: Project, below: Plan) -> bool:
    """Whether rows are passed on as they are."""
    return [e for _, e in plan.items] == [Ref(column) for column in below.columns]


def _is_union(products: Products, count: int) -> bool:
    """Whether it is a union alone, which is counted as it is."""
    return set(_unions(products)) == {frozenset(range(count))}


def _unions(products: Products) -> Products:
    """The same as a sum of unions."""
    found: Products = {}
    for sets, factor in products.items():
        for size in range(1, len(sets) + 1):
            for union in combinations(sorted(sets), size):
                sign = factor if size % 2 else -factor
                found = _sum(found, {frozenset(union): sign})
    return found


def _sum(a: Products, b: Products, sign: int = 1) -> Products:
    every = {sets: a.get(sets, 0) + sign * b.get(sets, 0) for sets in {**a, **b}}
    return {sets: factor for sets, factor in every.items() if factor}


def _times(a: Products, b: Products) -> Products:
    found: Products = {}
    for one, n in a.items():
        for other, m in b.items():
            found = _sum(found, {one | other: n * m})
    return found


def _counted(state: Resolution, base: Plan) -> Plan:
    """The rows whose values are counted: where one column is, and its owner has not said that it
    can be NULL, NULL is no value of this set, and so it is none of its unions.
    """
    if len(base.columns) > 1 or may_be_null(state, base, Ref(base.columns[0])):
        return base
    missing = make("is_null", (Ref(base.columns[0]),), None)
    return Filter(base, make("not", (missing,), None))


def _count(state: Resolution, sets: list[Plan]) -> Aggregate:
    """COUNT(*) over the union of sets."""
    copies = [fresh_copy(s, lambda c: state.ids.column(c.name, c.type))[0] for s in sets]
    rows = copies[0]
    if len(copies) > 1:
        columns = tuple(state.ids.column(c.name, c.type) for c in rows.columns)
        rows = Union(tuple(copies), columns)
    call = (state.ids.column("n", BIGINT), AggregateCall("count", None))
    return Aggregate(_distinct(state, rows), (), (call,))


def _distinct(state: Resolution, rows: Plan) -> Aggregate:
    keys = tuple((state.ids.column(c.name, c.type), Ref(c)) for c in rows.columns)
    return Aggregate(rows, keys, ())
