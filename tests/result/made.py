"""Answers made by hand."""

from __future__ import annotations

from typing import Any

import dpsql
from dpsql import Answer

POLICY = """
unit: t
budget: {eps: 1, delta: 1e-6}
tables: {t: {access: private, columns: {k: {type: VARCHAR}}}}
"""
_POLICY = dpsql.Policy.parse(POLICY)
EXPLANATION = dpsql.explain("SELECT COUNT(*) FROM t", 1, policy=_POLICY)
THRESHOLD = dpsql.explain("SELECT k, COUNT(*) FROM t GROUP BY k", 1, policy=_POLICY)
"""Of a query with private groups."""


def answer(
    types: tuple[str, ...],
    *rows: tuple[Any, ...],
    columns: tuple[str, ...] = (),
    widths: tuple[float | None, ...] | None = None,
    explanation: dpsql.Explanation = EXPLANATION,
) -> Answer:
    """An answer whose rows all have the same half-widths; it cost ε = 1."""
    return Answer(
        columns=columns or tuple(f"c{i}" for i in range(len(types))),
        rows=rows,
        intervals=tuple(widths or (None,) * len(types) for _ in rows),
        types=types,
        cost=explanation.cost,
        explanation=explanation,
    )
