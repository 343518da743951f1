"""The 22 queries of TPC-H as they are written, and whether the answers are the right ones."""

from __future__ import annotations

import math
from decimal import Decimal
from numbers import Real
from typing import Any

from benchmarks.comparison.probes import Outcome, Verdict, first_line
from tests.tpch.data import query

NUMBERS = range(1, 23)
EPS, DELTA = 10**6, 1e-6
"""So much that noise hides no wrong answer."""


def request(number: int) -> dict[str, Any]:
    sql = query(number).strip().rstrip(";")
    return {"do": "answers", "sql": sql, "n": 1, "eps": EPS, "delta": DELTA}


def same(left: Any, right: Any, size: float) -> bool:
    """Whether two cells are the same: numbers within 1 %, or 1 % of the largest of their column
    or of 1. The sum of no rows, NULL in SQL, may be 0 and noise."""
    if right is None and isinstance(left, Real | Decimal):
        return abs(float(left)) <= 1000
    if isinstance(left, Real | Decimal) and isinstance(right, Real | Decimal):
        return math.isclose(float(left), float(right), rel_tol=0.01, abs_tol=0.01 * max(size, 1))
    return str(left) == str(right)


def sizes(rows: list[tuple[Any, ...]]) -> list[float]:
    """The largest number of each column; 0 for other columns."""
    return [
        max((abs(float(cell)) for cell in column if isinstance(cell, Real | Decimal)), default=0)
        for column in zip(*rows, strict=True)
    ]


def verdict(outcome: Outcome, truth: list[tuple[Any, ...]]) -> Verdict:
    """Right if every row of the truth is in the answer; what is beyond are the groups without rows
    of a public domain. The order is not compared."""
    if outcome["status"] != "answered":
        return Verdict(outcome["status"], first_line(outcome["message"]))
    got, large = list(outcome["draws"][0]), sizes(truth)
    for real in truth:
        alike = (row for row in got if len(row) == len(real) and all(map(same, row, real, large)))
        found = next(alike, None)
        if found is None:
            return Verdict("wrong", f"{len(outcome['draws'][0])} rows for {len(truth)}")
        got.remove(found)
    extra = f", {len(got)} groups without rows" if got else ""
    return Verdict("right", f"{len(truth)} row{'s'[: len(truth) > 1]}{extra}")
