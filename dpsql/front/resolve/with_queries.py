"""A WITH query: its plan, resolved once; each use after the first is a copy with new columns."""

from __future__ import annotations

from dpsql.core.plan.expr import Ref
from dpsql.core.plan.nodes import Named, Plan, Project
from dpsql.front.resolve.fresh_copy import fresh_copy
from dpsql.front.resolve.state import Resolution


def with_query(state: Resolution, plan: Named) -> Plan:
    """What stands where a WITH query is used."""
    key = id(plan.query)
    if key not in state.named:
        resolved = state.plan(plan.query)
        state.named[key] = (plan.query, resolved)  # keeps the query, and so its id, alive
        copy, own = resolved, {c.id: c for c in resolved.columns}
    else:
        resolved = state.named[key][1]
        message = "the query is too large once each use of a WITH query is written out"
        state.count_copy(resolved, message, plan.span)
        copy, new = fresh_copy(resolved, lambda c: state.ids.column(c.name, c.type))
        own = {c.id: new.get(c.id, c) for c in resolved.columns}
    # Not by place: a FULL JOIN that is resolved may have its sides in the other order.
    items = tuple(
        (column, Ref(own[old.id]))
        for column, old in zip(plan.columns, plan.query.columns, strict=True)
    )
    return Project(copy, items)
