"""Kind: what a plan node's rows are. An aggregate of tracked rows is where noise is added.

Claim: a plan whose root is PUBLIC or RELEASED, and all of whose TRACKED nodes lie below a release
point, shows private rows to nobody except through those releases.
Why: every node's rows are a function of its inputs' rows. A path from a private Scan to the root
must leave TRACKED somewhere, and only a release point does that; all that is above is
post-processing of its noisy output (Dwork & Roth 2014, Proposition 2.1). An Aggregate whose keys
determine the unit (`per_unit`) is no release point: its groups are private rows.
"""

from __future__ import annotations

from dpsql.core.plan.invariants import InvariantError
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import (
    Aggregate,
    Filter,
    Join,
    Limit,
    Plan,
    Project,
    Released,
    Scan,
    Sort,
    Union,
    Window,
    inputs,
    nodes,
)
from dpsql.errors import Diagnostic, Rejected, Span

SHARED = (
    "group by something that many units share, or aggregate over the groups: "
    "SELECT AVG(n) FROM (SELECT COUNT(*) AS n … GROUP BY …)"
)
"""What to write where each group would be one unit."""


def kind_of(plan: Plan) -> Kind:
    """The kind of a resolved plan's rows: what is private, released or public below it.

    Each node is looked at once, however many times a WITH query is used: the uses share it.
    """
    kind, seen, stack = Kind.PUBLIC, set[int](), [plan]
    while stack:
        node = stack.pop()
        if isinstance(node, Scan):
            if node.table.private:
                return Kind.TRACKED
        elif isinstance(node, Released):
            kind = Kind.RELEASED
        elif id(node) not in seen:
            seen.add(id(node))
            stack += inputs(node)
    return kind


def released_only(plan: Plan) -> Plan:
    """Return a plan that reads released rows and public tables alone, and so is post-processing.

    Raises:
        InvariantError: it reads a private table.
    """
    tables = (node.table for node in nodes(plan) if isinstance(node, Scan))
    if any(table.private or table.hidden for table in tables):
        raise InvariantError("private rows are read above the releases")
    return plan


def individuals(span: Span | None, help: str | None = None) -> Rejected:
    """DP401: the answer would be private rows."""
    message = "the query returns rows of individuals"
    usual = "aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key"
    return Rejected(Diagnostic("DP401", message, span, help or usual))


def one_group_each(span: Span | None, name: str) -> Rejected:
    """DP404: the answer would be one group per unit, or finer."""
    message = f"{name} leads to one unit: every group would be one individual"
    help = SHARED
    return Rejected(Diagnostic("DP404", message, span, help))


def private_root(plan: Plan) -> Rejected:
    """The problem of a query whose rows are private: DP404 where they are groups, else DP401."""
    span = _span(plan)
    below = plan
    while isinstance(below, Project | Filter | Sort | Limit):
        below = below.input
    if isinstance(below, Aggregate) and below.calls:
        keys = [(c, e) for c, e in below.keys if e.span is not None] or list(below.keys)
        column, expr = keys[0]
        return one_group_each(expr.span or span, column.name)
    if isinstance(below, Union) and any(kind_of(b) is Kind.PUBLIC for b in below.branches):
        return individuals(span, "write UNION without ALL: which values there are")
    numbered = below.left if isinstance(below, Join) else None
    call = numbered.calls[-1][1] if isinstance(numbered, Window) else None
    return individuals(span, call.help if call is not None and call.clause else None)


def _span(plan: Plan) -> Span | None:
    for node in nodes(plan):
        if isinstance(node, Project):
            spans = [e.span for _, e in node.items if e.span is not None]
            if spans:
                return Span(min(s.start for s in spans), max(s.end for s in spans))
    return None
