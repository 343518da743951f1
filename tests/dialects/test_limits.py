"""The limits of a query's size and the checks of its form hold in every dialect."""

from __future__ import annotations

import pytest

import dpsql
from dpsql.front.dialects import DIALECTS
from dpsql.front.parse import parse
from tests.dialects.shop import compiled


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("SELECT COUNT(* FROM orders", "DP101"),
        ("SELECT '\ud800' FROM orders", "DP101"),  # half of a character
        ("DELETE FROM orders", "DP102"),
        ("SELECT 1; SELECT 2", "DP102"),
        (f"SELECT {'(' * 200}1{')' * 200}", "DP103"),
        ("SELECT " + "a, " * 20_000 + "a FROM orders", "DP103"),
        ("SELECT email FROM customers", "DP401"),
        ("SELECT COUNT(*) FROM nowhere", "DP201"),
    ],
)
def test_limits_hold_in_every_dialect(dialect: str, text: str, code: str) -> None:
    with pytest.raises(dpsql.Rejected) as caught:
        compiled(text, dialect)
    assert caught.value.code == code


def test_calls_that_double_their_argument() -> None:
    text = f"SELECT SUM({'ZEROIFNULL(' * 60}rating{')' * 60}) FROM orders"
    with pytest.raises(dpsql.Rejected) as caught:
        compiled(text, "snowflake")
    assert caught.value.code == "DP103"
    text = f"SELECT SUM({'LEAST(' * 60}rating{', 1)' * 60}) FROM orders"
    with pytest.raises(dpsql.Rejected):
        compiled(text, "bigquery")


def test_each_node_is_brought_over_once() -> None:
    # sqlglot's DIV0 holds its arguments twice.
    tree = parse("SELECT DIV0(COUNT_IF(a), COUNT_IF(b)) FROM t", "snowflake")
    assert "COUNT_IF" not in tree.sql(dialect="duckdb")
    assert tree.sql(dialect="duckdb").count("CASE WHEN a THEN 1 END") == 2
