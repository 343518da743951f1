"""dpsql on DuckDB."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import dpsql
from benchmarks.comparison.workers.common import Rows, main
from dpsql.core.account.amount import Cost
from dpsql.platform.ledger.memory_ledger import MemoryLedger


class Ours:
    """A database with a ledger in memory, of `limit` where one is asked for."""

    def __init__(self, request: dict[str, Any]) -> None:
        self.eps = Decimal(str(request["eps"]))
        self.delta = Decimal(str(request["delta"]))
        limit = Cost(Fraction(request.get("limit", 10**9)), Fraction(1, 2))
        self.db = dpsql.connect(request["duckdb"], request["policy"], ledger=MemoryLedger(limit))

    def answer(self, sql: str) -> Rows:
        got = self.db.run(sql, self.eps, self.delta, fresh=True)
        return [list(row) for row in got.rows]

    def cost(self, sql: str) -> object:
        return float(self.db.run(sql, self.eps, self.delta, fresh=True).cost.eps)

    def plain(self, sql: str) -> Rows:
        cursor = self.db._engine._connection.cursor()  # type: ignore[attr-defined]
        return [list(row) for row in cursor.execute(sql).fetchall()]


if __name__ == "__main__":
    main(Ours)
