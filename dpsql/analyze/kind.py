"""Kind: what a plan node's rows are. An aggregate of tracked rows is where noise is added.

Claim: a plan whose root is PUBLIC or RELEASED, and all of whose TRACKED nodes lie below an
Aggregate, shows private rows to nobody except through those aggregates.
Why: every node's rows are a function of its inputs' rows. A path from a private Scan to the root
must leave TRACKED somewhere, and only Aggregate does that; all that is above is post-processing of
its noisy output (Dwork & Roth 2014, Proposition 2.1).
"""

from __future__ import annotations

from dpsql.errors import Diagnostic, Rejected, Span
from dpsql.plan.kind import Kind
from dpsql.plan.nodes import (
    Aggregate,
    Join,
    OneRow,
    Plan,
    Released,
    Scan,
    inputs,
)


def kind_of(plan: Plan) -> Kind:
    """The kind of the node's rows.

    Raises:
        Rejected: DP406 for a join of tracked with released rows.
    """
    if isinstance(plan, Scan):
        return Kind.TRACKED if plan.table.private else Kind.PUBLIC
    if isinstance(plan, OneRow):
        return Kind.PUBLIC
    if isinstance(plan, Released):
        return Kind.RELEASED
    kinds = [kind_of(child) for child in inputs(plan)]
    if isinstance(plan, Join):
        return _joined(plan, kinds)
    (kind,) = kinds
    if isinstance(plan, Aggregate) and kind is Kind.TRACKED:
        return Kind.RELEASED
    return kind


def individuals(span: Span | None) -> Rejected:
    """DP401: the answer would be private rows."""
    message = "the query returns rows of individuals"
    help = "aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key"
    return Rejected(Diagnostic("DP401", message, span, help))


def _joined(plan: Join, kinds: list[Kind]) -> Kind:
    if Kind.TRACKED in kinds and Kind.RELEASED in kinds:
        message = "a join of private rows with an aggregate of private rows is not supported yet"
        raise Rejected(Diagnostic("DP406", message, plan.span, "aggregate after the join"))
    for kind in (Kind.TRACKED, Kind.RELEASED):
        if kind in kinds:
            return kind
    return Kind.PUBLIC
