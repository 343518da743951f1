"""How a dialect is chosen: in Python, for a prepared query, and on the command line."""

from __future__ import annotations

import pytest

import dpsql
from dpsql import demo
from dpsql.cli import main


@pytest.mark.parametrize("dialect", ["", "DuckDB", "oracle", "sqlite"])
def test_no_such_dialect(dialect: str) -> None:
    with pytest.raises(dpsql.UnknownDialect, match="duckdb, bigquery, mysql, postgres") as caught:
        dpsql.explain("SELECT COUNT(*) FROM orders", policy=demo.policy(), dialect=dialect)
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, dpsql.DpsqlError)


@pytest.mark.parametrize("dialect", [None, [], 3, b"duckdb"])
def test_what_is_no_name(dialect: object) -> None:
    with demo.database() as shop, pytest.raises(dpsql.UnknownDialect, match="given by name"):
        shop.explain("SELECT COUNT(*) FROM orders", dialect=dialect)  # type: ignore[arg-type]


def test_the_dialect_is_part_of_a_prepared_query() -> None:
    with demo.database() as shop:
        text = "SELECT 7 / 2 AS v FROM regions LIMIT 1"
        assert shop.run(text, 1).rows == ((3.5,),)
        assert shop.run(text, 1, dialect="postgres").rows == ((3,),)
        assert shop.run(text, 1, dialect="redshift").rows == ((3,),)
        assert shop.explain(text, dialect="postgres").kind == "public"
        assert shop.run(text, 1).rows == ((3.5,),)


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("tsql", "SELECT TOP 1 COUNT(*) AS n FROM [orders]"),
        (
            "redshift",
            "SELECT TOP 1 COUNT(*) AS n FROM orders WHERE DATEADD(d, 1, ordered_on) < GETDATE()",
        ),
    ],
)
def test_the_command_line(capsys: pytest.CaptureFixture[str], dialect: str, text: str) -> None:
    words = ["explain", "--dialect", dialect, text]
    dpsql.use(demo.database())
    try:
        assert main(words) == 0
        assert "\n  n, 1 group\n" in capsys.readouterr().out
        with pytest.raises(SystemExit) as left:
            main(["explain", "--dialect", "oracle", "SELECT 1"])
        assert left.value.code == 2
    finally:
        dpsql.use(None)
