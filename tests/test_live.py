"""Policies in every form, and data that changes while it is open."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

import dpsql

CONTENT = {
    "unit": "people.pid",
    "budget": {"eps": 10},
    "tables": {
        "people": {
            "access": "private",
            "key": ["pid"],
            "columns": {
                "pid": {"type": "BIGINT"},
                "x": {"type": "BIGINT", "bounds": [1, 5]},
            },
        }
    },
}

TEXT = """
unit: people.pid
budget: {eps: 10}
tables:
  people:
    access: private
    key: [pid]
    columns:
      pid: {type: BIGINT}
      x: {type: BIGINT, bounds: [1, 5]}
"""


@pytest.fixture
def live() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE people AS SELECT i AS pid, i % 5 + 1 AS x FROM range(50) t(i)")
    return connection


def test_a_policy_is_a_file_a_text_or_its_content(
    live: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text(TEXT)
    for policy in (CONTENT, TEXT, file, str(file), dpsql.Policy.parse(TEXT)):
        with dpsql.connect(live, policy) as db:
            assert db.explain("SELECT SUM(x) FROM people", 1).releases[0].l1 == 5
        assert dpsql.explain("SELECT SUM(x) FROM people", 1, policy=policy).releases[0].l1 == 5
    with pytest.raises(dpsql.PolicyError, match="tables is missing"):
        dpsql.connect(live, {"unit": "people", "budget": {"eps": 1}})


def test_a_key_that_is_none_any_more_stops_the_query(live: duckdb.DuckDBPyConnection) -> None:
    """One unit with 11 rows would move COUNT(*) by 11 where 1 is claimed."""
    with dpsql.connect(live, CONTENT) as db:
        db.run("SELECT COUNT(*) FROM people", 1)
        live.execute("INSERT INTO people SELECT 7, 1 FROM range(10)")
        with pytest.raises(dpsql.PolicyError, match=r"people\.pid is no key"):
            db.run("SELECT COUNT(*) FROM people", 1)
        assert db.budget.spent.eps == 2  # what fails by what the rows are, is charged
        live.execute("DELETE FROM people WHERE pid = 7")
        db.run("SELECT COUNT(*) FROM people", 1)
        assert db.budget.spent.eps == 3


def test_a_public_table_that_became_a_view_of_private_rows_is_not_read(
    live: duckdb.DuckDBPyConnection,
) -> None:
    live.execute("CREATE TABLE names AS SELECT 'a' AS name")
    with dpsql.connect(live, TEXT + "  names: {access: public}\n") as db:
        assert db.run("SELECT name FROM names", 1).rows == (("a",),)
        live.execute("DROP TABLE names; CREATE VIEW names AS SELECT x::VARCHAR AS name FROM people")
        with pytest.raises(dpsql.PolicyError, match="names is not defined as it was"):
            db.run("SELECT name FROM names", 1)


def test_a_number_of_rows_that_is_none_any_more_stops_the_query(
    live: duckdb.DuckDBPyConnection,
) -> None:
    tables = {"people": {**CONTENT["tables"]["people"], "rows": 50}}  # type: ignore[index]
    policy = {**CONTENT, "neighbours": "replace", "tables": tables}
    with dpsql.connect(live, policy) as db:
        assert db.run("SELECT COUNT(*) FROM people", 1).rows == ((50,),)
        live.execute("DELETE FROM people WHERE pid = 7")
        with pytest.raises(dpsql.PolicyError, match="the declared 50 rows"):
            db.run("SELECT COUNT(*) FROM people", 1)


def test_a_macro_made_meanwhile_is_not_called(live: duckdb.DuckDBPyConnection) -> None:
    with dpsql.connect(live, CONTENT) as db:
        live.execute("CREATE MACRO sum(x) AS max(x) * 1000000")
        live.execute("CREATE MACRO count() AS 1000000")
        live.execute("CREATE MACRO round(x) AS x * 1000")
        [row] = db.run("SELECT SUM(x), COUNT(*) FROM people", 2).rows
        assert abs(row[0] - 150) < 1000 and abs(row[1] - 50) < 1000  # of noise of scale 5 and 1
    with pytest.raises(dpsql.PolicyError, match="macro"):  # but a database has none to begin with
        dpsql.connect(live, CONTENT)
