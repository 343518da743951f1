"""What there is: told from the policy, free, and the same wherever it is asked; full names."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import duckdb
import pytest

import dpsql
from dpsql import dbapi
from dpsql.repl.runs import run
from dpsql.repl.settings import ShellSettings

POLICY = """
unit: people.id
budget: {eps: 1000000000}
tables:
  people:
    access: private
    key: [id]
    columns:
      size: {bounds: [0, 20], nullable: false}
      city: {values: [Rome, Ulm]}
  cities: {access: public, key: [city]}
"""

DATA = """
CREATE TABLE people (id INTEGER PRIMARY KEY, city VARCHAR, size INTEGER, secret VARCHAR);
INSERT INTO people VALUES (1, 'Rome', 3, 'a'), (2, 'Ulm', 4, 'b');
CREATE TABLE cities (city VARCHAR PRIMARY KEY);
INSERT INTO cities VALUES ('Rome'), ('Ulm');
CREATE TABLE salaries (id INTEGER, wage INTEGER);
CREATE SCHEMA hidden;
CREATE TABLE hidden.people (id INTEGER, city VARCHAR, size INTEGER, secret VARCHAR);
INSERT INTO hidden.people SELECT i, 'Rome', 1, 'c' FROM range(100) AS t(i);
ATTACH ':memory:' AS other;
CREATE TABLE other.people AS FROM hidden.people;
CREATE TEMP TABLE people AS FROM hidden.people;
"""

STATEMENTS = (
    *("SHOW TABLES", "SHOW ALL TABLES", "DESCRIBE", "SHOW DATABASES", "SHOW SCHEMAS"),
    *("DESCRIBE people", "desc main.people", "SHOW people", "SHOW COLUMNS FROM memory.main.people"),
    *("DESCRIBE SELECT * FROM people", "DESCRIBE SELECT city, COUNT(*) FROM people GROUP BY city"),
    *("SELECT * FROM information_schema.tables", 'SELECT * FROM Information_Schema."COLUMNS" c'),
    "SELECT c.table_name FROM information_schema.columns c JOIN cities ON true",
    *("SELECT version()", "SELECT current_database() AS d, current_schema()", "SELECT 1"),
    *("EXPLAIN SELECT AVG(size) FROM people", "-- why\nexplain SELECT 1;"),
)


@pytest.fixture(scope="module")
def data() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute(DATA)
        yield connection


@pytest.fixture(scope="module")
def db(data: duckdb.DuckDBPyConnection) -> Iterator[dpsql.Database]:
    with dpsql.connect(data, dpsql.Policy.parse(POLICY)) as found:
        yield found


@pytest.mark.parametrize("sql", STATEMENTS)
def test_it_is_free_and_the_same_everywhere(db: dpsql.Database, sql: str) -> None:
    explained, answer = db.explain(sql), db.run(sql, eps=1)
    assert explained.kind == "public" and explained.cost.eps == 0
    assert answer.rows and answer.cost.eps == 0 and db.budget.spent.eps == 0
    with dbapi.connect(db, eps=1) as connection:
        assert tuple(connection.cursor().execute(sql).fetchall()) == answer.rows
    assert run(db, sql, ShellSettings(eps=Fraction(1)), "a key").answer.rows == answer.rows
    told = repr(answer.rows)
    assert "salaries" not in told and "wage" not in told and "hidden" not in told


@pytest.mark.parametrize("sql", STATEMENTS)
def test_it_is_the_same_whatever_the_data_is(
    data: duckdb.DuckDBPyConnection, db: dpsql.Database, sql: str
) -> None:
    before = db.run(sql, eps=1).rows
    cursor = data.cursor()
    cursor.execute("BEGIN")
    cursor.execute("INSERT INTO memory.main.people VALUES (3, NULL, 900, 'zz')")
    cursor.execute("COMMIT")
    try:
        assert db.run(sql, eps=1).rows == before
    finally:
        cursor.execute("DELETE FROM memory.main.people WHERE id = 3")


@pytest.mark.parametrize(
    "dialect", ["postgres", "bigquery", "redshift", "snowflake", "spark", "tsql"]
)
def test_other_dialects_have_it_too(db: dpsql.Database, dialect: str) -> None:
    for sql in ("SHOW TABLES", "SHOW ALL TABLES", "DESCRIBE people", "EXPLAIN SELECT 1"):
        assert db.run(sql, eps=1, dialect=dialect).rows == db.run(sql, eps=1).rows


def test_describe(db: dpsql.Database) -> None:
    assert db.run("DESCRIBE people", eps=1).rows == (
        ("id", "INTEGER", "NO", "PRI", None, "unique"),
        ("city", "VARCHAR", "YES", None, None, "one of Rome, Ulm"),
        ("size", "INTEGER", "NO", None, None, "from 0 to 20"),
        ("secret", "VARCHAR", "YES", None, None, None),
    )
    named = db.run("DESCRIBE SELECT city, MAX(size) AS top FROM people GROUP BY city", eps=1)
    assert [row[:2] for row in named.rows] == [("city", "VARCHAR"), ("top", "INTEGER")]


def test_information_schema_is_the_engines_own_but_for_what_is_undeclared(
    data: duckdb.DuckDBPyConnection, db: dpsql.Database
) -> None:
    query = """SELECT table_catalog, table_schema, table_name, column_name, ordinal_position,
        column_default, data_type, numeric_scale FROM information_schema.columns
        WHERE {} ORDER BY ALL"""
    declared = (
        "table_schema = 'main' AND table_catalog = 'memory' AND table_name IN ('people', 'cities')"
    )
    theirs = data.execute(query.format(declared)).fetchall()
    mine = db.run(query.format("true"), eps=1).rows
    assert [row[:-1] for row in mine] == [row[:-1] for row in theirs]


@pytest.mark.parametrize(
    "name", ["people", "main.people", "memory.people", "memory.main.people", 'MEMORY."Main".PEOPLE']
)
def test_a_full_name_is_that_of_the_declared_table(db: dpsql.Database, name: str) -> None:
    assert db.run(f"SELECT COUNT(*) FROM {name}", eps=10**6).rows == ((2,),)
    hidden = f"WITH people AS (SELECT 1 AS id) SELECT COUNT(*) FROM {name} AS people"
    if "." in name:
        assert db.run(hidden, eps=10**6).rows == ((2,),)


@pytest.mark.parametrize(
    "name",
    [
        *("hidden.people", "memory.hidden.people", "other.people", "other.main.people"),
        *("temp.people", "temp.main.people", "system.main.people", '"memory.main.people"'),
        *("main.main.people", "salaries", "memory.main.salaries", "other.main.cities"),
        *("other.information_schema.tables", "pg_catalog.pg_tables", "memory.information_schema.x"),
    ],
)
def test_no_other_table_is_meant(db: dpsql.Database, name: str) -> None:
    for sql in (
        f"SELECT COUNT(*) FROM {name}",
        f"DESCRIBE {name}",
        f"SELECT * FROM {name}, cities",
    ):
        with pytest.raises(dpsql.Rejected):
            db.run(sql.format(name), eps=1)


def test_a_table_of_another_schema_has_its_name() -> None:
    with duckdb.connect() as data:
        data.execute("CREATE SCHEMA s; CREATE TABLE s.people (id INTEGER PRIMARY KEY)")
        policy = dpsql.Policy.parse(
            "{unit: people.id, budget: {eps: 9e9}, tables: {people: {access: private, key: [id]}}}"
        )
        with dpsql.connect(data, policy) as db:
            for name in ("people", "s.people", "memory.s.people"):
                assert db.run(f"SELECT COUNT(*) FROM {name}", eps=10**6).rows == ((0,),)
            with pytest.raises(dpsql.Rejected, match=r"memory\.s\.people"):
                db.explain("SELECT COUNT(*) FROM main.people")


@pytest.mark.parametrize(
    "sql",
    [
        *("SUMMARIZE people", "PRAGMA table_info('people')", "EXPLAIN SELECT secret FROM people"),
        *("EXPLAIN " * 100_000 + "SELECT 1", "DESCRIBE 'x", "/**/" * 100_000, "/*" * 100_000),
        *("DESCRIBE " * 9 + "SELECT 1", "EXPLAIN", "DESCRIBE SELECT", "SHOW .", "DESCRIBE a.b.c.d"),
        *("EXPLAIN ANALYZE SELECT 1", "SHOW TABLES; SELECT 1", "DESCRIBE people, cities"),
        *("SELECT * FROM duckdb_tables()", "SELECT * FROM pragma_table_info('people')"),
        "SELECT COUNT(*) FROM people, information_schema.tables",
    ],
)
def test_what_tells_more_is_refused(db: dpsql.Database, sql: str) -> None:
    with pytest.raises(dpsql.Rejected):
        db.run(sql, eps=1)
    assert db.budget.spent.eps < 10**8


def test_a_batch_and_the_command_line_have_it_too(db: dpsql.Database) -> None:
    batch = db.run_batch("SHOW TABLES; EXPLAIN SELECT COUNT(*) FROM people", eps=1)
    assert batch.cost.eps == 0
    assert batch.answers[0].rows == (("cities",), ("people",))
    assert batch.answers[1].rows[1] == ("cost", "ε = 1")
