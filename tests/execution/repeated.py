"""Data under a ledger, and what is read of them and charged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import pytest

import dpsql
from dpsql.core.account.loss import NOTHING
from dpsql.execution.processing import Rows
from dpsql.execution.run import Request, Run, execute
from dpsql.platform.engine.duckdb_engine import DuckDBSnapshot
from tests.support.filled import save

POLICY = """
unit: customer.id
budget: {eps: 10000, delta: 1e-3}
tables:
  customer:
    access: private
    key: [id]
    columns:
      id: {type: INTEGER}
      region: {type: VARCHAR, values: [n, s, w], nullable: true}
      level: {type: "ENUM('basic', 'plus')"}
      age: {type: INTEGER, bounds: [0, 99], nullable: false}
      job: {type: VARCHAR}
  orders:
    access: private
    key: [id]
    columns:
      id: {type: INTEGER}
      customer: {type: INTEGER, references: customer.id, max_rows: 5}
      amount: {type: "DECIMAL(8,2)", bounds: [0, 500]}
      day: {type: DATE, bounds: [2024-01-01, 2024-01-31]}
  city:
    access: public
    key: [region]
    columns:
      region: {type: VARCHAR}
      name: {type: VARCHAR}
"""


TABLES = """
CREATE TYPE levels AS ENUM ('basic', 'plus');
CREATE TABLE customer
    (id INTEGER PRIMARY KEY, region VARCHAR, level levels, age INTEGER, job VARCHAR);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER, amount DECIMAL(8, 2), day DATE);
CREATE TABLE city (region VARCHAR, name VARCHAR);
INSERT INTO customer SELECT i, ['n', 's', 'w', NULL, 'x'][1 + i % 5],
    CASE i % 3 WHEN 0 THEN 'basic' WHEN 1 THEN 'plus' END, i % 100, ['a', 'b'][1 + i % 2]
    FROM range(1, 201) t(i);
INSERT INTO orders SELECT i, 1 + i % 210, i % 600, DATE '2024-01-01' + CAST(i % 31 AS INTEGER)
    FROM range(1, 600) t(i);
INSERT INTO city VALUES ('n', 'Bergen'), ('s', 'Rome'), ('w', 'Porto');
"""


class Data:
    """An open database, and what is seen from beside."""

    log: ClassVar[list[str]] = []

    def __init__(self, file: Path, policy: str = POLICY, **rest: Any) -> None:
        if not file.exists():
            save(file, TABLES)
        self.db = dpsql.connect(file, policy, **rest)

    def ask(self, sql: str, eps: float = 1, **wishes: Any) -> Rows:
        """The answer with what it cost."""
        known = {k: wishes.pop(k) for k in ("fresh", "key") if k in wishes}
        delta = wishes.pop("delta", None)
        made, _ = self.db._analysis.ready(self.db, sql, eps, delta, wishes)
        request = Request([], version=self.db._named_version, **known)
        engine, recheck = self.db._engine, None if self.db._engine.stable else self.db._checks
        run = Run(engine, self.db._ledger, self.db._scratches, recheck)
        return execute(made, run, request)

    @property
    def lines(self) -> int:
        return len(self.db._ledger.entries())


@contextmanager
def reads() -> Iterator[list[str]]:
    """The SQL that the engine is asked meanwhile."""
    seen: list[str] = []
    true = DuckDBSnapshot.rows

    def rows(self: DuckDBSnapshot, sql: str, parameters: Any = None, kept: Any = ()) -> Any:
        seen.append(sql)
        return true(self, sql, parameters, kept)

    arrow = DuckDBSnapshot.arrow

    def streamed(self: DuckDBSnapshot, sql: str) -> Any:
        seen.append(sql)
        return arrow(self, sql)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DuckDBSnapshot, "rows", rows)
        patch.setattr(DuckDBSnapshot, "arrow", streamed)
        yield seen


def served(data: Data, sql: str, eps: float = 1, **wishes: Any) -> Rows | None:
    """The stored answer that is given again, with nothing private read and nothing charged; None
    where it was answered anew and charged.
    """
    before = data.lines
    with reads() as seen:
        rows = data.ask(sql, eps, **wishes)
    if rows.reused is None:
        assert data.lines == before + 1 and rows.charged.cost.eps > 0
        return None
    assert data.lines == before and rows.charged == NOTHING
    assert not [text for text in seen if '"customer"' in text or '"orders"' in text]
    return rows


GROUPS = "SELECT region AS r, COUNT(*) AS n FROM customer GROUP BY region"


WHOLE = [
    "SELECT SUM(amount) AS s FROM orders",
    "SELECT AVG(age) AS a, VAR_POP(age) AS v FROM customer",
    "SELECT MEDIAN(age) AS m, MAX(age) AS x, COUNT(*) AS n FROM customer",
    "SELECT level, QUANTILE_CONT(age, [0.25, 0.75]) AS q FROM customer GROUP BY level",
    "SELECT MODE(level) AS m FROM customer",
    "SELECT MAX(day) AS d FROM orders",
    "SELECT level, COUNT(DISTINCT age) AS n FROM customer GROUP BY level",
    "SELECT HISTOGRAM(age, [20, 50]) AS h FROM customer",
    "SELECT BOOL_OR(age > 98) AS b FROM customer",
    "SELECT ARG_MAX(level, n) AS l FROM "
    "(SELECT level, COUNT(*) AS n FROM customer GROUP BY level) AS t",
    "SELECT name, COUNT(*) AS n FROM customer JOIN city ON customer.region = city.region "
    "GROUP BY name",
    "SELECT day, COUNT(*) AS n FROM orders GROUP BY day",
    "SELECT (SELECT COUNT(*) FROM customer) - (SELECT COUNT(*) FROM customer) AS d",
    "SELECT COUNT(*) AS n FROM customer WHERE age > (SELECT AVG(age) FROM customer)",
    "SELECT level, COUNT(*) AS n FROM customer GROUP BY ROLLUP (level)",
]


def broken(*_: object) -> None:
    raise RuntimeError("no")
