"""Subqueries -> joins, see `resolve.decorrelate`. One that is correlated on public columns is
released for each of the values that these have in the outer query.
"""

from __future__ import annotations

from dataclasses import replace

from dpsql.core.functions.build import make
from dpsql.core.infer.keys import compared, covers
from dpsql.core.infer.properties import analyze
from dpsql.core.infer.public_parts import Part, public_parts
from dpsql.core.infer.tracking import kind_of
from dpsql.core.plan.expr import Call, Expr, Literal, Ref, columns_of, conjunction, substitute
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import (
    Aggregate,
    AggregateCall,
    Apply,
    Filter,
    Join,
    Plan,
    Project,
    Sort,
    with_inputs,
)
from dpsql.core.shape.flatten import flatten
from dpsql.core.shape.normal import Normaliser
from dpsql.core.shape.retype import everywhere, retyped
from dpsql.errors import Diagnostic, Rejected, Span
from dpsql.front.resolve import decorrelate
from dpsql.front.resolve.decorrelate import Scalar
from dpsql.front.resolve.fresh_copy import fresh_copy
from dpsql.front.resolve.group_by import determines_unit, grouped
from dpsql.front.resolve.joined_rows import joined
from dpsql.front.resolve.nearest import first_row
from dpsql.front.resolve.state import Resolution


def subquery(state: Resolution, apply: Apply) -> Plan:
    """What a subquery becomes: a join, perhaps under a projection."""
    values = decorrelate.as_values(apply, state.ids)
    if values is not None:
        return state.plan(values)
    outer = state.plan(apply.input)
    apply = _renewed_apply(state, replace(apply, input=outer))
    if apply.kind != "scalar":
        return _applied(state, decorrelate.apply_join(apply, state.ids))
    found = first_row(state, apply) or decorrelate.scalar(apply, state.ids)
    if not found.always:
        found = replace(found, plan=_pinned(found.plan))
    right, terms = _per_outer_row(state, found, outer)
    value = found.value
    if not (found.always and not terms) and not _is_single(state, right, terms):
        if terms or kind_of(right) is not Kind.PUBLIC:
            message = "the subquery is used as one value, but it could have several rows"
            help = "aggregate it, or compare its key with = in its WHERE"
            raise Rejected(Diagnostic("DP205", message, apply.span, help))
        right, value = _only(state, right, value, apply.span)
    if state.current:
        value = retyped(value, state.current)
        terms = tuple(retyped(t, state.current) for t in terms)
    found = replace(found, value=value)
    return _applied(state, decorrelate.scalar_join(apply, found, right, terms, state.ids))


def _applied(state: Resolution, plan: Plan) -> Plan:
    """What an Apply has become: a join, perhaps under a projection; its left is resolved."""
    if isinstance(plan, Join):
        right = state.plan(plan.right)
        renewed = state.renewed(replace(plan, right=right))
        assert isinstance(renewed, Join)
        return joined(state, renewed)
    assert isinstance(plan, Project)
    return state.renewed(replace(plan, input=_applied(state, plan.input)))


def _renewed_apply(state: Resolution, apply: Apply) -> Apply:
    if not state.current:
        return apply
    subquery = everywhere(apply.subquery, state.current)
    renewed = state.renewed(replace(apply, subquery=subquery))
    assert isinstance(renewed, Apply)
    return renewed


def _is_single(state: Resolution, right: Plan, terms: tuple[Expr, ...]) -> bool:
    """Whether a scalar subquery has at most one row for each outer row, whatever the data."""
    here = frozenset(c.id for c in right.columns)
    tied = compared(terms, here, frozenset().union(*map(columns_of, terms)) - here)
    tree = right
    if kind_of(right) is Kind.TRACKED:
        used = frozenset(c.id for c in right.columns)
        tree = Normaliser(state.schema, state.ids).relation(right, used)
    return covers(tied, analyze(tree, state.schema).keys)


def _only(state: Resolution, right: Plan, value: Expr, span: Span | None) -> tuple[Plan, Expr]:
    """The one row of a query over public tables, as its least value; that there are not more is
    looked up in the tables before anything is run.
    """
    state.single.append((right, span))
    column = state.ids.column("value", value.type)
    return Aggregate(right, (), ((column, AggregateCall("min", value, span)),)), Ref(column)


def _pinned(plan: Plan) -> Plan:
    """A grouped subquery whose rows have one constant as a key has no group but that one's.

    (SELECT AVG(y) FROM t WHERE k = 4 GROUP BY k)      … GROUP BY k) HAVING k = 4
    """
    above, aggregate = _split_aggregate(plan)
    if aggregate is None or not aggregate.keys:
        return plan
    block = flatten(aggregate.input)
    fixed: dict[int, Expr] = {}
    for term in block.terms:
        if isinstance(term, Call) and term.function == "eq":
            for operand, other in (term.args, term.args[::-1]):
                if isinstance(operand, Ref) and isinstance(other, Literal):
                    fixed.setdefault(operand.column.id, other)
    inlined = [(c, block.inline(e)) for c, e in aggregate.keys]
    pins = [
        make("eq", (Ref(c), fixed[e.column.id]), None)
        for c, e in inlined
        if isinstance(e, Ref) and e.column.id in fixed
    ]
    condition = conjunction(pins)
    result: Plan = aggregate if condition is None else Filter(aggregate, condition)
    for node in reversed(above):
        result = with_inputs(node, (result,))
    return result


def _per_outer_row(state: Resolution, found: Scalar, outer: Plan) -> tuple[Plan, tuple[Expr, ...]]:
    """The scalar's plan, resolved. One that would be released by a correlated key is released
    for the values that the key has in the outer query's public part.
    """
    if not found.terms:
        return state.plan(found.plan), ()
    above, aggregate = _split_aggregate(found.plan)
    if aggregate is None:
        return state.plan(found.plan), found.terms
    below = replace(aggregate, input=state.plan(aggregate.input))
    renewed = state.renewed(below)
    assert isinstance(renewed, Aggregate)
    below = renewed
    private = kind_of(below.input) is Kind.TRACKED
    if private and not determines_unit(state, below):
        below = _for_values(state, below, _of_keys(found.terms, above, below), outer)
    result = grouped(state, below)
    for node in reversed(above):
        result = state.renewed(with_inputs(node, (result,)))
    return result, found.terms


def _of_keys(terms: tuple[Expr, ...], above: list[Plan], plan: Aggregate) -> list[tuple[int, Expr]]:
    """The keys that terms compare with values of the outer query, seen through projections above
    them; none where a term compares something else.
    """
    keys = {c.id: i for i, (c, _) in enumerate(plan.keys)}
    sides: list[tuple[int, Expr]] = []
    for term in terms:
        assert isinstance(term, Call)
        inner, value = term.args
        for node in above:
            if isinstance(node, Project) and isinstance(inner, Ref):
                inner = {c.id: e for c, e in node.items}.get(inner.column.id, inner)
        if not isinstance(inner, Ref) or inner.column.id not in keys:
            return []
        sides.append((keys[inner.column.id], value))
    return sides


def _for_values(
    state: Resolution, plan: Aggregate, compared: list[tuple[int, Expr]], outer: Plan
) -> Aggregate:
    """The groups of those values alone that the outer query's public tables have."""
    block = flatten(outer)
    sides = [(i, block.inline(value)) for i, value in compared]
    read = frozenset().union(*(columns_of(e) for _, e in sides))
    part = _public_part(state, outer, read)
    if part is None:
        return plan
    copy, own = fresh_copy(part[1], lambda c: state.ids.column(c.name, c.type))
    renamed: dict[int, Expr] = {old: Ref(new) for old, new in own.items()}
    values = tuple(
        (state.ids.column(plan.keys[i][0].name, e.type), substitute(e, renamed)) for i, e in sides
    )
    distinct = Aggregate(copy, values, ())
    same = [
        make("eq", (plan.keys[i][1], Ref(v)), plan.span)
        for (i, _), (v, _) in zip(sides, values, strict=True)
    ]
    joined = Join(plan.input, distinct, conjunction(same), plan.span)
    new_keys = list(plan.keys)
    for (i, _), (v, _) in zip(sides, values, strict=True):
        new_keys[i] = (plan.keys[i][0], Ref(v, plan.keys[i][1].span))
    return replace(plan, input=joined, keys=tuple(new_keys))


def _public_part(state: Resolution, outer: Plan, read: frozenset[int]) -> Part | None:
    """The public part of the outer plan that has the columns `read`, if there is one."""
    if not read:
        return None
    block = flatten(outer)
    tree = Normaliser(state.schema, state.ids).tree(block, read)
    for ids, part in public_parts(tree):
        if read <= ids:
            return ids, part
    return None


def _split_aggregate(plan: Plan) -> tuple[list[Plan], Aggregate | None]:
    """The filters and projections above an aggregate, outermost first, and the aggregate."""
    above: list[Plan] = []
    while isinstance(plan, Filter | Project | Sort):
        above.append(plan)
        plan = plan.input
    return (above, plan) if isinstance(plan, Aggregate) else (above, None)
