"""Flight SQL: which tables, types and statements there are."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from dpsql.serve.flight import flight_sql as m
from dpsql.serve.flight.catalog import _like
from tests.support.flight_server import Served


def test_tables(there: Served) -> None:
    anna = there.client("anna")
    every = anna.ask(m.CommandGetTables())
    names = every["table_name"].to_pylist()
    assert names == ["customers", "order_lines", "orders", "products", "regions"]
    (catalog,) = anna.ask(m.CommandGetCatalogs())["catalog_name"].to_pylist()
    assert anna.ask(m.CommandGetDbSchemas(catalog, "ma%")).to_pylist() == [
        {"catalog_name": catalog, "db_schema_name": "main"}
    ]
    assert anna.ask(m.CommandGetDbSchemas("nope")).num_rows == 0
    some = anna.ask(m.CommandGetTables(catalog, "main", "%order%", ("TABLE",), True))
    assert some["table_name"].to_pylist() == ["order_lines", "orders"]
    schema = pa.ipc.read_schema(pa.py_buffer(some["table_schema"][1].as_py()))
    assert schema.field("shipping").type == pa.decimal128(6, 2)
    assert anna.ask(m.CommandGetTables(table_types=("VIEW",))).num_rows == 0
    assert anna.ask(m.CommandGetTableTypes()).num_rows == 2
    for kind in ("PrimaryKeys", "ImportedKeys", "ExportedKeys"):
        assert anna.ask(getattr(m, f"CommandGet{kind}")(table="orders")).num_rows == 0
    assert anna.ask(m.CommandGetCrossReference("orders", "customers")).num_rows == 0
    assert anna.ask(m.CommandGetXdbcTypeInfo()).num_rows == 0
    info = anna.ask(m.CommandGetSqlInfo((0, 3, 99, 0)))
    assert info.to_pylist() == [
        {"info_name": 0, "value": "dpsql"},
        {"info_name": 3, "value": True},
    ]
    assert anna.ask(m.CommandGetSqlInfo()).num_rows > 10


@pytest.mark.parametrize(
    "command", [c() for c in m.Catalogued.__args__], ids=lambda c: type(c).__name__
)
def test_schemas_of_what_there_is(there: Served, command: Any) -> None:
    anna = there.client("anna")
    info = anna.info(command)
    assert info.schema == anna.schema(command) == anna.get(info.endpoints[0].ticket).schema


@pytest.mark.parametrize(
    ("pattern", "yes", "no"),
    [
        (None, ["", "a"], []),
        ("", [""], ["a"]),
        ("a", ["a"], ["", "b", "aa"]),
        ("%", ["", "a", "abc"], []),
        ("_", ["a"], ["", "ab"]),
        ("a%", ["a", "ab"], ["ba", ""]),
        ("%a", ["a", "ba"], ["ab"]),
        ("a%a", ["aa", "aba"], ["a"]),
        ("%a_c%", ["abc", "xaaaczz"], ["ac", "abd"]),
        ("%%_%%", ["a"], [""]),
        ("a.c", ["a.c"], ["abc"]),
    ],
)
def test_patterns(pattern: str | None, yes: list[str], no: list[str]) -> None:
    assert all(map(_like(pattern), yes)) and not any(map(_like(pattern), no))


def test_a_pattern_takes_no_time() -> None:
    assert not _like("%a_" * 3000 + "b")("a" * 10_000)
