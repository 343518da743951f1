"""Qrlew on PostgreSQL: https://pyqrlew.readthedocs.io"""

from __future__ import annotations

import re
from typing import Any

import pyqrlew
import sqlalchemy

from benchmarks.comparison.workers.common import Rows, main


def dataset(engine: Any, name: str, tables: dict[str, Any]) -> Any:
    """The tables with the declared ranges, values and unique columns."""
    made = pyqrlew.Dataset.from_database(name, engine, None)
    for table, declared in tables.items():
        for column, found in declared["columns"].items():
            if "low" in found and found["type"] in ("number", "integer"):
                low, high = float(found["low"]), float(found["high"])
                made = made.with_range(None, table, column, low, high)
            if "values" in found:
                made = made.with_possible_values(None, table, column, found["values"])
        for column in declared["unique"]:
            made = made.with_constraint(None, table, column, pyqrlew.Dataset.CONSTRAINT_UNIQUE)
    return made


class Qrlew:
    """A data set, and the engine that runs what Qrlew writes."""

    def __init__(self, request: dict[str, Any]) -> None:
        url = re.sub("^postgresql", "postgresql+psycopg2", request["postgres"])
        self.engine = sqlalchemy.create_engine(url)
        self.tables = {name: t for name, t in request["tables"].items() if t["private"]}
        self.dataset = dataset(self.engine, request["database"], request["tables"])
        self.budget = {"epsilon": request["eps"], "delta": request["delta"]}

    def rewritten(self, sql: str) -> Any:
        """The private query, with the declared rows of a unit in the tables that it names."""
        units = [(n, [tuple(s) for s in t["path"]], t["owner"]) for n, t in self.tables.items()]
        named = [t for name, t in self.tables.items() if re.search(rf"\b{name}\b", sql, re.I)]
        rows = max((t["rows"] for t in named), default=1)
        return self.dataset.relation(sql).rewrite_with_differential_privacy(
            self.dataset,
            (units, False),
            self.budget,
            max_multiplicity=float(rows),
            max_multiplicity_share=1.0,
        )

    def answer(self, sql: str) -> Rows:
        return self.plain(self.rewritten(sql).relation().to_query())

    def cost(self, sql: str) -> object:
        return self.rewritten(sql).dp_event().to_dict()

    def plain(self, sql: str) -> Rows:
        with self.engine.connect() as connection:
            rows = connection.execute(sqlalchemy.text(sql)).fetchall()
        return [list(row) for row in rows]


if __name__ == "__main__":
    main(Qrlew)
