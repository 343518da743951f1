"""Keys and claims, checked in the data."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest

from dpsql.core.schema import Column, Reference, Schema, Table
from dpsql.platform.engine import duckdb_open
from dpsql.platform.engine.claim_checks import (
    Finding,
    holds,
    is_readable,
    key_holds,
    rows_hold,
    verify,
)
from dpsql.platform.engine.duckdb_engine import DuckDBEngine
from dpsql.types import BIGINT, DATE, DOUBLE, INTEGER, VARCHAR, decimal


@pytest.fixture
def engine() -> Iterator[DuckDBEngine]:
    with duckdb.connect() as con:
        con.execute("""
            CREATE TABLE customer (id INTEGER, seg VARCHAR, bal DECIMAL(15,2), w DOUBLE);
            INSERT INTO customer VALUES (1, 'A', 5, 1), (2, 'b', 100.01, 'nan'), (3, NULL, -1, 0.1),
                (NULL, 'A', NULL, NULL);
            CREATE TABLE orders (id BIGINT, "c id" INTEGER, d DATE);
            INSERT INTO orders VALUES (1, 1, '2020-01-01'), (2, 1, '1999-01-01'),
                (3, 1, 'infinity'),
                (4, 7, NULL), (5, NULL, NULL), (5, NULL, NULL), (6, NULL, NULL);
            CREATE TABLE line (oid BIGINT, n INTEGER);
            INSERT INTO line VALUES (1, 1), (1, 2), (99, 1), (NULL, 1);
            """)
        engine = duckdb_open.from_connection(con)
        yield engine
        engine.close()


def schema() -> Schema:
    customer = Table(
        "customer",
        private=True,
        owner="id",
        columns=(
            Column("id", INTEGER),
            Column("seg", VARCHAR, values=("A", "B")),
            Column("bal", decimal(15, 2), bounds=(0, Fraction(100))),
            Column("w", DOUBLE, bounds=(0, Fraction(1, 10))),
        ),
    )
    orders = Table(
        "orders",
        private=True,
        owner="C ID",
        columns=(
            Column("id", BIGINT),
            Column("c id", INTEGER, references=Reference("customer", "id"), max_rows=2),
            Column("d", DATE, bounds=(date(2000, 1, 1), date(2021, 1, 1))),
        ),
    )
    line = Table(
        "line",
        private=True,
        owner="oid",
        columns=(
            Column("oid", BIGINT, references=Reference("orders", "id"), max_rows=2),
            Column("n", INTEGER, bounds=(1, 2), values=(1, 2, 3)),
        ),
    )
    return Schema(
        tables={t.name: t for t in (customer, orders, line)},
        unit_table="customer",
        unit_column="id",
        neighbours="add_remove",
        eps=Fraction(1),
        delta=Fraction(0),
    )


def test_keys(engine: DuckDBEngine) -> None:
    def unique(table: str, *columns: str) -> bool:
        with engine.snapshot() as snapshot:
            return key_holds(snapshot, engine.target(table), columns)

    def rows(count: int) -> bool:
        with engine.snapshot() as snapshot:
            return rows_hold(snapshot, engine.target("ORDERS"), count)

    assert rows(7) and not rows(6)
    assert not unique("customer", "id")  # a NULL
    assert not unique("orders", "id")  # a duplicate
    assert not unique("line", "n", "oid")
    assert not unique("customer", "seg")
    with pytest.raises(ValueError, match="column"):
        unique("customer")


def test_verify(engine: DuckDBEngine) -> None:
    claimed = frozenset({"line.n", "orders.c id"})
    report = verify(engine, schema(), claimed)
    assert not report.clean
    assert set(report.findings) == {
        Finding("values", "customer.seg", 1),
        Finding("bounds", "customer.bal", 2),
        Finding("bounds", "customer.w", 3),  # 1, NaN, and the double 0.1, which is above 1/10
        Finding("owner", "customer.id", 1),
        Finding("bounds", "orders.d", 2),
        Finding("not_null", "orders.c id", 3),
        Finding("fanout", "orders.c id", 1),
        Finding("owner", "orders.c id", 3),  # no join: the reference is the unit
        Finding("bounds", "line.n", 0),
        Finding("values", "line.n", 0),
        Finding("not_null", "line.n", 0),
        Finding("fanout", "line.oid", 0),
        Finding("owner", "line.oid", 2),  # a NULL and a dangling one
    }
    record = holds(report, "v1", "digest")
    assert record.bounds == record.values == record.not_null == {"line.n"}
    assert record.fanouts == {"line.oid"} and record.owners == frozenset()


def test_unreadable_parquet(tmp_path: Path) -> None:
    file = tmp_path / "t.parquet"
    with duckdb.connect() as con:
        con.execute(f"COPY (SELECT 'ab' AS s UNION ALL SELECT 'cd') TO '{file}'")
    engine = duckdb_open.open_folder(tmp_path)
    assert is_readable(engine, "t", ["s"]) and is_readable(engine, "t", [])
    engine.close()
    file.write_bytes(file.read_bytes().replace(b"ab", b"\xff\xfe"))
    engine = duckdb_open.open_folder(tmp_path)
    assert not is_readable(engine, "t", ["s"])
    engine.close()
