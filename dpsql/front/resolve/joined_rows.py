"""Joins and unions of private rows: with public rows, with released ones, and FULL JOIN."""

from __future__ import annotations

from dataclasses import replace

from dpsql.core.infer.keys import compared, covers
from dpsql.core.infer.properties import Properties, analyze
from dpsql.core.infer.tracking import kind_of
from dpsql.core.plan.expr import Ref, columns_of, conjuncts
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import Join, Plan, Released, Union
from dpsql.core.plan.values import of_type
from dpsql.core.release.feed import Feed
from dpsql.core.shape.normal import Normaliser
from dpsql.front.resolve import full_join, not_in
from dpsql.front.resolve.occurring import among_occurring
from dpsql.front.resolve.state import Resolution
from dpsql.types import VARCHAR


def joined(state: Resolution, plan: Join) -> Plan:
    """A join whose sides are resolved."""
    kinds = kind_of(plan.left), kind_of(plan.right)
    if Kind.TRACKED not in kinds:
        return plan
    if plan.kind == "mark" and kinds[0] is not Kind.TRACKED:
        return among_occurring(state, plan)
    sides = fed(state, plan.left), fed(state, plan.right)
    renewed = state.renewed(replace(plan, left=sides[0], right=sides[1]))
    assert isinstance(renewed, Join)
    plan = renewed
    if plan.kind == "full":
        return _full(state, plan, kinds)
    if plan.kind == "mark" and not_in.has_open_equality(plan):
        return not_in.closed(plan, known(state, plan.left), known(state, plan.right))
    if plan.kind == "left" and kinds[0] is not Kind.TRACKED:
        return replace(plan, kind="matched")
    return plan


def known(state: Resolution, plan: Plan) -> Properties:
    """The properties of a resolved private plan."""
    used = frozenset(c.id for c in plan.columns)
    return analyze(Normaliser(state.schema, state.ids).relation(plan, used), state.schema)


def _full(state: Resolution, plan: Join, kinds: tuple[Kind, Kind]) -> Plan:
    """A public row without a match is no private row; of two private sides each is kept.

    The side that meets one row at most is the LEFT JOIN's: a unit then has no more rows than
    both sides have together.
    """
    if kinds[1] is not Kind.TRACKED:
        return replace(plan, kind="left")
    if kinds[0] is not Kind.TRACKED:
        return replace(plan, kind="left", left=plan.right, right=plan.left)
    message = "the query is too large: each FULL JOIN of private rows writes its sides out twice"
    state.count_copy(plan, message, plan.span)
    columns = plan.columns
    if _met_once(state, plan.left, plan) and not _met_once(state, plan.right, plan):
        plan = replace(plan, left=plan.right, right=plan.left)
    return full_join.written_out(plan, columns, state.ids)


def _met_once(state: Resolution, side: Plan, join: Join) -> bool:
    """Whether a row of the other side meets one row of this one at most."""
    terms = [] if join.condition is None else conjuncts(join.condition)
    used = frozenset(c.id for c in side.columns)
    tied = compared(terms, used, frozenset().union(*map(columns_of, terms)) - used)
    known = analyze(Normaliser(state.schema, state.ids).relation(side, used), state.schema)
    return covers(tied, known.keys)


def union(state: Resolution, plan: Union) -> Plan:
    """A UNION ALL whose branches are resolved."""
    if kind_of(plan) is not Kind.TRACKED:
        return plan
    return replace(plan, branches=tuple(fed(state, branch) for branch in plan.branches))


def fed(state: Resolution, plan: Plan) -> Plan:
    """Released rows as another release reads them. What they can be is enforced there: who reads
    the SQL of that release alone does not know how they were made.
    """
    if kind_of(plan) is not Kind.RELEASED or _is_feed(plan, state.feeds):
        return plan
    made = state.finished(plan)
    known = analyze(made, state.schema)
    name = f"f{len(state.feeds) + 1}"
    fields = tuple(f"c{c.id}" for c in made.columns)
    state.feeds[name] = Feed(name, made, made.columns, fields)
    for column, before in zip(made.columns, plan.columns, strict=True):
        if column.type != before.type:
            state.current[column.id] = Ref(column)
    told = {i: v for i, v in known.proven.items() if v.bounded or v.finite is not None}
    claims = {i: v.but(length=v.longest) for i, v in told.items()}
    texts = {c.id: of_type(VARCHAR) for c in made.columns if c.type.is_string}  # as they are fed
    return Released(name, made.columns, fields, known.keys, known.table_rows, texts, claims)


def _is_feed(plan: Plan, feeds: dict[str, Feed]) -> bool:
    return isinstance(plan, Released) and plan.name in feeds
