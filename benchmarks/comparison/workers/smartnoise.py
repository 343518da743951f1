"""SmartNoise SQL on PostgreSQL: https://docs.smartnoise.org/sql/index.html"""

from __future__ import annotations

import re
from typing import Any

import psycopg2
import snsql

from benchmarks.comparison.workers.common import Rows, main

TYPES = {"number": "float", "integer": "int", "text": "string", "date": "datetime"}


def column(declared: dict[str, Any]) -> dict[str, Any]:
    """Metadata of a column."""
    found: dict[str, Any] = {"type": TYPES[declared["type"]]}
    if "low" in declared and found["type"] in ("float", "int"):
        found |= {"lower": declared["low"], "upper": declared["high"]}
    return found


def table(declared: dict[str, Any]) -> dict[str, Any]:
    """Metadata of a table: the unit is a column of it, `max_ids` the most rows of one unit. There
    are no public tables, so that these protect each row."""
    columns = {name: column(value) for name, value in declared["columns"].items()}
    if not declared["private"]:
        return {"row_privacy": True, **columns}
    columns[declared["unit"]] = {"type": "int", "private_id": True}
    return {"max_ids": declared["rows"], **columns}


class SmartNoise:
    """A private reader: ε is what the query asks for, as the documents' examples have it."""

    def __init__(self, request: dict[str, Any]) -> None:
        self.connection = psycopg2.connect(request["postgres"])
        # One table with row_privacy changes what the reader counts for all of them.
        named = [n for n in request["tables"] if re.search(rf"\b{n}\b", request["sql"], re.I)]
        tables = {name: table(request["tables"][name]) for name in named}
        self.reader = snsql.from_connection(
            self.connection,
            privacy=snsql.Privacy(epsilon=request["eps"], delta=request["delta"]),
            metadata={"": {"public": tables}},
            engine="postgres",
        )

    def answer(self, sql: str) -> Rows:
        return [list(row) for row in self.reader.execute(sql)[1:]]

    def cost(self, sql: str) -> object:
        self.reader.execute(sql)
        return float(self.reader.odometer.spent[0])

    def plain(self, sql: str) -> Rows:
        with self.connection.cursor() as cursor:
            cursor.execute(sql)
            return [list(row) for row in cursor.fetchall()]


if __name__ == "__main__":
    main(SmartNoise)
