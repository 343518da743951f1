"""How far off the columns of an answer will be, as `estimate` says it."""

from __future__ import annotations

from dpsql.report.explanation import Explanation
from dpsql.report.workloads.expected import ExpectedColumn, expected


def columns(found: Explanation, sql: str) -> tuple[ExpectedColumn, ...] | None:
    """The noisy columns of a query.

    Args:
        found: what is known of it.
        sql: what was asked.

    Returns:
        None of a model: it is made of the sums of other queries, which are none of its columns.
    """
    return expected(found._compiled, None) if found._compiled.text == sql else None
