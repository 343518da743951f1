"""A parameter is one literal of the query, whatever it is."""

from __future__ import annotations

import enum
from datetime import UTC, date, datetime, time
from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sqlglot import exp, parse_one

from dpsql import dbapi
from dpsql.dbapi.parameters import filled
from dpsql.front.dialects import DIALECTS

DAY, MOMENT = date(2025, 1, 31), datetime(2025, 1, 31, 8, 5, 0, 7)


@pytest.mark.parametrize(
    ("value", "literal"),
    [
        *((None, "NULL"), (True, "TRUE"), (False, "FALSE"), (7, "7"), (-7, "(-7)")),
        *((Decimal("2.50"), "2.50"), (Decimal("-1E+3"), "(-1000)"), (Decimal("1E-3"), "0.001")),
        *((0.1, "0.1"), (-2.5, "(-2.5)"), (1e-7, "0.0000001"), (1e300, "1e+300"), (3.0, "3.0")),
        *(("", "''"), ("it's", "'it''s'"), ("a\\", "'a\\'"), ("ü\n", "'ü\n'")),
        (DAY, "CAST('2025-01-31' AS DATE)"),
        (MOMENT, "CAST('2025-01-31 08:05:00.000007' AS TIMESTAMP)"),
    ],
)
def test_each_kind_of_value(value: object, literal: str) -> None:
    assert filled("SELECT ?", [value]) == f"SELECT  {literal} "  # type: ignore[list-item]


class Text(str):
    def replace(self, *_: object) -> str:
        return "' OR TRUE --"


class Count(enum.IntEnum):
    ONE = 1


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (b"x", "not bytes"),
        (time(8), "not time"),
        ([1], "not list"),
        (Text("x"), "not Text"),
        (Count.ONE, "not Count"),
        (float("nan"), "nan is no number"),
        (float("-inf"), "-inf is no number"),
        (Decimal("sNaN"), "sNaN is no number"),
        (10**80, "too many digits"),
        (Decimal("1e999999999"), "too many digits"),
        (Decimal("1e-999999999"), "too many digits"),
        (Decimal("1." + "1" * 80), "too many digits"),
        (MOMENT.replace(tzinfo=UTC), "a time zone"),
    ],
)
def test_other_values_are_refused(value: object, message: str) -> None:
    with pytest.raises(dbapi.DataError, match=message):
        filled("SELECT ?", [value])  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT '?', \"?\", ? -- ?\n/* ? */", "SELECT '?', \"?\",  1  -- ?\n/* ? */"),
        ("SELECT ?::DATE", "SELECT  1 ::DATE"),
        ("SELECT $$?$$, ?", "SELECT $$?$$,  1 "),
        ("SELECT -?", "SELECT - 1 "),
        ("SELECT a?b", "SELECT a 1 b"),
        ("?", " 1 "),
    ],
)
def test_only_a_placeholder_is_one(query: str, expected: str) -> None:
    assert filled(query, (1,)) == expected


@pytest.mark.parametrize(
    ("query", "parameters"),
    [("SELECT ?, ?", [1]), ("SELECT ?", [1, 2]), ("SELECT '?'", [1]), ("SELECT ?", []), ("", [1])],
)
def test_each_placeholder_takes_one(query: str, parameters: list[int]) -> None:
    with pytest.raises(dbapi.ProgrammingError, match=f"and {len(parameters)} parameters$"):
        filled(query, parameters)


@pytest.mark.parametrize("parameters", ["x", b"x", {"a": 1}, {1}, 7, iter([1])])
def test_parameters_are_a_sequence(parameters: object) -> None:
    with pytest.raises(dbapi.InterfaceError, match="a list or a tuple"):
        filled("SELECT ?", parameters)  # type: ignore[arg-type]


def test_a_query_is_a_text() -> None:
    with pytest.raises(dbapi.InterfaceError, match="not a bytes"):
        filled(b"SELECT 1", ())  # type: ignore[arg-type]


def test_a_dialect_is_one_that_is_read() -> None:
    with pytest.raises(dbapi.NotSupportedError, match="no dialect 'klingon'"):
        filled("SELECT ?", [1], "klingon")


PIECES = ["'", "''", '"', "\\", "--", "/*", "*/", ";", "?", "\0", "\n", "$$", "a", ") OR (1=1", "é"]
HOSTILE = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=6).map("".join)


def shape(query: str, dialect: str) -> tuple[exp.Expr, list[str]]:
    """The tree without its strings, and those in their order."""
    tree = parse_one(query, dialect=dialect)
    found = list(tree.find_all(exp.Literal, bfs=False))
    texts = [node.this for node in found]
    for node in found:
        node.set("this", "")
    return tree, texts


@given(HOSTILE, HOSTILE, st.sampled_from(DIALECTS))
@example("' OR TRUE --", "\\", "duckdb")
@example("\\", " OR TRUE --", "bigquery")
@example("\\' OR TRUE --", "", "spark")
@example("'; DROP TABLE people; --", "\0", "postgres")
def test_no_text_changes_the_structure(one: str, two: str, dialect: str) -> None:
    query = "SELECT COUNT(*) FROM people WHERE city = ? AND name LIKE ? AND ok"
    try:
        made = filled(query, [one, two], dialect)
    except dbapi.DataError:
        assert dialect != "duckdb" or "\0" in one + two
        return
    assert shape(made, dialect) == (
        shape(filled(query, ["x", "y"], dialect), dialect)[0],
        [one, two],
    )


def test_two_texts_side_by_side_do_not_become_one() -> None:
    assert filled("SELECT 'a'?'b'", ["x"]) == "SELECT 'a' 'x' 'b'"


# --- through a query ---


def test_values_are_compared_as_what_they_are(connection: dbapi.Connection) -> None:
    def count(condition: str, *values: object) -> object:
        query = f"SELECT COUNT(*) FROM people WHERE {condition}"
        return connection.execute(query, values).fetchone()[0]  # type: ignore[arg-type,index]

    assert count("city = ?", "O'Hare") == 10
    assert count("city IN (?, ?)", "O'Hare", "' OR TRUE --") == 10
    assert count("born < ?", date(2000, 1, 11)) == 10
    assert count("seen >= ?", datetime(2020, 1, 2, 6)) == 10
    assert count("ok = ?", True) == 20
    assert count("size < ? AND size >= ?", 2.5, Decimal("0.5")) == 4
    assert count("weight <= ?", 0.5) == 5
    assert count("size > ?", -3) == 40
    assert count("city = ?", None) == 0


def test_a_float_narrows_bounds_as_a_decimal_does(connection: dbapi.Connection) -> None:
    found = connection.execute("SELECT SUM(size) FROM people WHERE size < ?", [2.5]).answer
    assert found is not None
    assert found.explanation.releases[0].linf <= 250  # in hundredths


def test_the_ledger_has_the_literal(connection: dbapi.Connection) -> None:
    connection.execute("SELECT COUNT(*) FROM people WHERE size < ?", [17])
    line = connection.database.budget.history[-1]
    assert line.sql == "SELECT COUNT(*) FROM people WHERE size < 17"


@pytest.mark.parametrize("value", ["\0", "\x1b[31m"])
def test_control_characters_are_refused(connection: dbapi.Connection, value: str) -> None:
    spent = connection.database.budget.spent
    with pytest.raises(dbapi.DatabaseError) as caught:
        connection.execute("SELECT COUNT(*) FROM people WHERE city = ?", [value])
    assert type(caught.value) in (dbapi.ProgrammingError, dbapi.DataError)
    assert connection.database.budget.spent == spent


def test_a_huge_text_is_refused(connection: dbapi.Connection) -> None:
    with pytest.raises(dbapi.DataError):
        connection.execute("SELECT COUNT(*) FROM people WHERE city = ?", ["x" * 1_000_001])
    with pytest.raises(dbapi.ProgrammingError) as caught:
        connection.execute(f"SELECT COUNT(*) FROM people WHERE city = '{'x' * 1_000_001}'")
    assert caught.value.code == "DP103"
