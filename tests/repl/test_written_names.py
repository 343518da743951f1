"""How names and constants are written where they are offered."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction

import duckdb
import pytest

from dpsql.repl.completion.spelling import literal, quoted
from dpsql.types import Scalar, Type, decimal


def test_every_keyword_of_duckdb_can_name_something() -> None:
    words = [row[0] for row in duckdb.sql("SELECT keyword_name FROM duckdb_keywords()").fetchall()]
    names = ", ".join(f"1 AS {quoted(word)}" for word in words)
    assert duckdb.sql(f"SELECT {names}").columns == words
    assert quoted("select") == '"select"' and quoted("n") == "n"


@pytest.mark.parametrize("name", ["a", "A1", "select", "first name", 'x"y', "1a", "é", "a-b", ""])
def test_a_quoted_name_means_that_name(name: str) -> None:
    if name:
        found = duckdb.sql(f"SELECT 1 AS {quoted(name)}").columns
        assert found == [name]


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("it's", Type("VARCHAR")),
        (-7, Type("BIGINT")),
        (True, Type("BOOLEAN")),
        (date(2024, 2, 29), Type("DATE")),
        (datetime(2024, 2, 29, 1, 2, 3, 45), Type("TIMESTAMP")),
        (Fraction("-0.05"), decimal(5, 2)),
        (Fraction("12.50"), decimal(5, 2)),
        (Fraction("0.1"), Type("DOUBLE")),
    ],
)
def test_a_constant_means_that_value(value: Scalar, kind: Type) -> None:
    ((found,),) = duckdb.sql(f"SELECT CAST({literal(value, kind)} AS {kind})").fetchall()
    exact = Fraction(found) if isinstance(found, Decimal) else found
    assert exact == (float(value) if kind.is_float else value)
