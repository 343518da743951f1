"""Release points: where a plan's private part ends and post-processing begins.

    Sort(Project(Filter(Aggregate(Join(orders, customer)))))
    Sort(Project(Filter(Released r1)))   and the release r1

Everything above reads noisy answers and public tables only, so it costs nothing (post-processing,
Dwork & Roth 2014, Proposition 2.1). An aggregate that the query writes twice is two releases; one
that it names once is one.
"""

from __future__ import annotations

from dpsql.analyze.kind import individuals, kind_of
from dpsql.errors import Span
from dpsql.plan.kind import Kind
from dpsql.plan.nodes import Aggregate, Plan, Project, inputs, nodes, with_inputs
from dpsql.policy.schema import Schema
from dpsql.sensitivity.release import Release, release
from dpsql.sql.ids import Ids


def split(plan: Plan, schema: Schema, ids: Ids) -> tuple[Plan, tuple[Release, ...]]:
    """The plan above its release points, and the releases, in the order of the query.

    Raises:
        Rejected: DP401 where the root would be private rows; and what `release` rejects.
    """
    if kind_of(plan) is Kind.TRACKED:
        raise individuals(_span(plan))
    found: list[Release] = []
    return _split(plan, schema, ids, found), tuple(found)


def _split(plan: Plan, schema: Schema, ids: Ids, found: list[Release]) -> Plan:
    if isinstance(plan, Aggregate) and kind_of(plan.input) is Kind.TRACKED:
        point = release(plan, schema, ids, f"r{len(found) + 1}")
        found.append(point)
        return point.node
    return with_inputs(plan, tuple(_split(c, schema, ids, found) for c in inputs(plan)))


def _span(plan: Plan) -> Span | None:
    for node in nodes(plan):
        if isinstance(node, Project):
            spans = [e.span for _, e in node.items if e.span is not None]
            if spans:
                return Span(min(s.start for s in spans), max(s.end for s in spans))
    return None
