"""The timed queries: each beside the same query without privacy, on the same engine and data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

EPS, DELTA = 10.0, 1e-6


@dataclass(frozen=True, slots=True)
class Timed:
    """One query on one of the places."""

    name: str
    place: str
    sql: str
    rounds: int

    def request(self) -> dict[str, Any]:
        asked = {"do": "times", "sql": self.sql, "n": self.rounds}
        return {**asked, "eps": EPS, "delta": DELTA}


TIMED = (
    Timed(
        "200,000 private groups of 10 people",
        "times",
        "SELECT k, COUNT(*) AS n, SUM(v) AS s FROM events GROUP BY k",
        3,
    ),
    Timed(
        "TPC-H at scale 0.1, 6 public groups",
        "timestpch",
        "SELECT l_returnflag, l_linestatus, SUM(l_quantity) AS q, COUNT(*) AS n "
        "FROM lineitem GROUP BY l_returnflag, l_linestatus",
        5,
    ),
)
LIMIT = 900
"""Seconds for all rounds of one query."""
