"""Queries by which one unit could cause too much work are rejected, before anything is charged."""

from __future__ import annotations

from dpsql.core.infer.work import Work
from dpsql.core.plan.nodes import Aggregate, Filter, Join, Plan, Project, Union, Window
from dpsql.core.schema import Schema
from dpsql.errors import Diagnostic, Rejected, Span

_DEAR = 1_000
"""Steps for a row; where there are more, it is not the rows."""


def checked(work: Work, statements: int, aggregate: Aggregate, schema: Schema) -> int:
    """The steps that one unit can cause in a release.

    Args:
        work: in one statement.
        statements: how many of them read the private rows.
        aggregate: what is asked.
        schema: has the limit.

    Raises:
        Rejected: DP501, they are more than the policy allows.
    """
    steps, most = statements * work.steps, schema.limits.work_per_unit
    if steps <= most:
        return steps
    message = f"one unit could cause {steps:,} steps of work, more than the {most:,} of the policy"
    help = "read shorter texts: declare max_length for them, or write LEFT(x, 100) around them"
    node: Plan = work.costliest
    if work.rows * _DEAR > work.steps:
        message += f": its rows become up to {work.rows:,}"
        help = "join on a key, join fewer tables, or aggregate one side first"
        if work.rows <= work.read:
            help = "declare a smaller max_rows, or a larger limits.work_per_unit"
        node = work.widest or work.costliest
    raise Rejected(Diagnostic("DP501", message, _span(node, aggregate), help))


def within(steps: int, schema: Schema) -> None:
    """Check the steps that one unit can cause in all releases of a query together.

    Raises:
        Rejected: DP501, they are more than the policy allows.
    """
    most = schema.limits.work_per_unit
    if steps > most:
        message = f"one unit could cause {steps:,} steps of work in all parts of the query together"
        message += f", more than the {most:,} of the policy"
        raise Rejected(Diagnostic("DP501", message, None, "ask for the parts in several queries"))


def unbounded(work: Work, aggregate: Aggregate) -> Rejected:
    """DP501: rows of one unit meet one another, and nothing says how many there are."""
    message = (
        "one unit could cause any amount of work: its rows are joined with one another, and "
        "nothing bounds how many it has"
    )
    help = "declare max_rows for the column that leads to the unit, or join on a key"
    return Rejected(Diagnostic("DP501", message, _span(work.costliest, aggregate), help))


def _span(plan: Plan, aggregate: Aggregate) -> Span | None:
    """Where the costliest node stands in the text, as near as is known."""
    node: Plan = plan
    while isinstance(node, Filter | Project):
        node = node.input
    found = node.span if isinstance(node, Join | Aggregate | Window | Union) else None
    return found or aggregate.span
