"""A PostgreSQL database as data: its values, what it enforces, and what is refused."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from math import inf, isnan
from typing import Any

import psycopg
import pytest

from dpsql.errors import PolicyError
from dpsql.platform.engine import duckdb_open, postgres_catalog, postgres_data
from dpsql.platform.engine.duckdb_engine import DuckDBEngine
from dpsql.platform.policy import Catalog, parse_type
from tests.support.on_a_server import PEOPLE, do


def opened(url: str, **types: str) -> DuckDBEngine:
    declared = {c: parse_type(t) for c, t in types.items()}
    return duckdb_open.open_postgres(url, {"t": dict(declared)} if types else None)


def rows(engine: DuckDBEngine, sql: str) -> list[tuple[Any, ...]]:
    with engine.snapshot() as snapshot:
        return [tuple(row) for row in snapshot.rows(sql)]


VALUES: list[tuple[str, str, object, str]] = [
    ("bool", "true", True, "BOOLEAN"),
    ("smallint", "-32768", -32768, "SMALLINT"),
    ("int", "2147483647", 2147483647, "INTEGER"),
    ("bigint", "-9223372036854775808", -(2**63), "BIGINT"),
    ("numeric(10,2)", "-0.01", Decimal("-0.01"), "DECIMAL(10,2)"),
    ("numeric(38,0)", "9" * 38, Decimal("9" * 38), "DECIMAL(38,0)"),
    ("numeric(5,-2)", "12345", Decimal("12300"), "DECIMAL(7,0)"),
    ("numeric(2,4)", "0.0099", Decimal("0.0099"), "DECIMAL(4,4)"),
    ("numeric", "0.1", 0.1, "DOUBLE"),
    ("numeric(40,2)", "7.25", 7.25, "DOUBLE"),
    ("float8", "0.1", 0.1, "DOUBLE"),
    ("float8", "5e-324", 5e-324, "DOUBLE"),
    ("float8", "'Infinity'", inf, "DOUBLE"),
    ("float4", "0.5", 0.5, "FLOAT"),
    ("text", "''", "", "VARCHAR"),
    ("text", "NULL", None, "VARCHAR"),
    ("text", r"E'a \"b\", c\nd\\N \\. é'", 'a "b", c\nd\\N \\. é', "VARCHAR"),
    ("varchar(3)", "'abc'", "abc", "VARCHAR"),
    ("char(5)", "'ab'", "ab", "VARCHAR"),
    ("date", "'2024-02-29'", date(2024, 2, 29), "DATE"),
    ("timestamp", "'2024-02-29 12:30:00.123456'", datetime(2024, 2, 29, 12, 30, 0, 123456), ""),
    ("timestamptz", "'2024-01-01 01:00+02'", datetime(2023, 12, 31, 23), "TIMESTAMP"),
    ("bytea", r"'\xdeadbe'", b"\xde\xad\xbe", "BLOB"),
    ("uuid", f"'{'1' * 8}-1111-1111-1111-{'1' * 12}'", f"{'1' * 8}-1111-1111-1111-{'1' * 12}", ""),
    ("jsonb", """'{"a": [1]}'""", '{"a": [1]}', "VARCHAR"),
    ("int[]", "'{1,2}'", "{1,2}", "VARCHAR"),
    ("interval", "'1 day 2 hours'", "1 day 02:00:00", "VARCHAR"),
]


def test_values_are_what_they_were(url: str) -> None:
    columns = ", ".join(f"c{i} {kind}" for i, (kind, *_) in enumerate(VALUES))
    do(url, f"CREATE TABLE t ({columns})")
    do(url, f"INSERT INTO t VALUES ({', '.join(value for _, value, *_ in VALUES)})")
    do(url, "INSERT INTO t DEFAULT VALUES")
    engine = opened(url)
    found, nothing = rows(engine, "SELECT * FROM t ORDER BY c0 NULLS LAST")
    assert list(found) == [value for _, _, value, _ in VALUES]
    assert set(nothing) == {None}
    table = engine.catalog().table("t")
    assert table is not None
    for column, (_, _, _, kind) in zip(table.columns, VALUES, strict=True):
        assert kind in ("", str(column.type))
    engine.close()


@pytest.mark.parametrize("first", ["i int, x text", "x text, i int"])
def test_lines_end_in_every_way(first: str, url: str) -> None:
    """Within texts, in some before any line of the copy has ended."""
    do(url, f"CREATE TABLE t ({first})")
    make = """
    INSERT INTO t (i, x) SELECT i, CASE i % 5 WHEN 1 THEN repeat(E'a"\\r\\n,é', i % 50) || E'\\r'
    WHEN 2 THEN E'\\n' || i WHEN 3 THEN '' WHEN 4 THEN E'\\r,"' END
    FROM generate_series(1, 40000) AS i
    """
    do(url, make)
    sql = (
        "SELECT count(*), count(x), sum(length(x)), "
        "md5(string_agg(coalesce(x, '-'), '|' ORDER BY i)) FROM t"
    )
    assert [tuple(map(str, row)) for row in rows(opened(url), sql)] == [
        tuple(map(str, row)) for row in do(url, sql)
    ]


def test_days_before_our_era(url: str) -> None:
    do(url, "CREATE TABLE t (d date, s timestamp, z timestamptz)")
    do(
        url,
        "INSERT INTO t VALUES ('0044-03-15 BC', '0044-03-15 12:00 BC', '0044-03-15 12:00+00 BC')",
    )
    do(url, "INSERT INTO t VALUES ('-infinity', '-infinity', '-infinity')")
    do(url, "INSERT INTO t VALUES ('0001-01-01', '10000-01-01 00:00:00.5', 'infinity')")
    texts = "SELECT d::VARCHAR, s::VARCHAR, z::VARCHAR FROM t"
    assert rows(opened(url), texts) == [
        ("0044-03-15 (BC)", "0044-03-15 (BC) 12:00:00", "0044-03-15 (BC) 12:00:00"),
        ("-infinity", "-infinity", "-infinity"),
        ("0001-01-01", "10000-01-01 00:00:00.5", "infinity"),
    ]


def test_what_a_backslash_is_the_database_does_not_say(url: str) -> None:
    [[name]] = do(url, "SELECT current_database()")
    do(url, f"ALTER DATABASE {name} SET standard_conforming_strings = off")
    do(url, "CREATE TABLE t (b bytea); INSERT INTO t VALUES (decode('dead', 'hex'))")
    assert rows(opened(url), "SELECT b FROM t") == [(b"\xde\xad",)]


def test_what_no_number_is(url: str) -> None:
    do(url, "CREATE TABLE t (x float8, y numeric(4,1))")
    do(url, "INSERT INTO t VALUES ('NaN', 0)")
    [(x, y)] = rows(opened(url), "SELECT * FROM t")
    assert isnan(x) and y == 0
    do(url, "INSERT INTO t VALUES (0, 'NaN')")
    with pytest.raises(PolicyError, match=r"^t: 1 row does not fit column y of type DECIMAL\(4"):
        opened(url)


def test_a_number_without_a_precision_is_what_the_policy_says(url: str) -> None:
    do(url, "CREATE TABLE t (x numeric)")
    do(url, "INSERT INTO t VALUES (1.25)")
    assert rows(opened(url, x="DECIMAL(6,3)"), "SELECT x FROM t") == [(Decimal("1.250"),)]
    do(url, "INSERT INTO t VALUES (1.250), (10)")
    found = rows(opened(url, x="VARCHAR"), "SELECT x, COUNT(*) FROM t GROUP BY x ORDER BY x")
    assert found == [("1.25", 2), ("10", 1)]
    do(url, "INSERT INTO t VALUES (12345)")
    with pytest.raises(PolicyError, match=r"1 row does not fit column x of type DECIMAL\(6,3\)"):
        opened(url, x="DECIMAL(6,3)")


def catalog(url: str) -> Catalog:
    engine = opened(url)
    engine.close()
    return engine.catalog()


def test_what_is_enforced_is_proven(url: str) -> None:
    do(url, PEOPLE)
    found = {table.name: table for table in catalog(url).tables}
    assert set(found) == {"people", "visits", "calls"}
    people, visits, calls = found["people"], found["visits"], found["calls"]
    assert (people.keys, visits.keys, calls.keys) == ((("id",),), (("id",),), ())
    age, town = people.column("age"), people.column("town")
    assert age is not None and (age.not_null, age.bounds) == (True, (0, 120))
    assert town is not None and (town.not_null, town.values) == (False, ("a", "b"))
    minutes = calls.column("minutes")
    assert minutes is not None and minutes.values == (1, 2, 5)
    assert [(key.column, key.table) for key in calls.foreign_keys] == [("caller", "people")]
    assert visits.foreign_keys == ()  # DuckDB has none between schemas


@pytest.mark.parametrize(
    ("made", "rows"),
    [
        ("CREATE TABLE t (a int, b int); ALTER TABLE t ADD CHECK (a > 0) NOT VALID", "(5, 5)"),
        (
            "CREATE TABLE t (a int, b int CHECK (b > a), CHECK (a <> 7), CHECK (a % 2 = 1))",
            "(5, 6)",
        ),
        ("CREATE TABLE t (a int UNIQUE, b int)", "(NULL, 1), (NULL, 2)"),
        ("CREATE TABLE t (a int, b int); CREATE UNIQUE INDEX ON t (a) WHERE b > 0", "(1, 1)"),
        (
            "CREATE TABLE t (a int PRIMARY KEY, b int); CREATE TABLE child () INHERITS (t); "
            "INSERT INTO child VALUES (5, 5)",
            "(5, 6)",
        ),
    ],
)
def test_what_is_not_enforced_is_no_proof(made: str, rows: str, url: str) -> None:
    do(url, made)
    do(url, f"INSERT INTO t VALUES {rows}")
    table = catalog(url).table("t")
    assert table is not None and table.keys == ()
    assert all(c.bounds is None and c.values is None for c in table.columns)


@pytest.mark.parametrize(
    ("made", "row"),
    [
        ("CREATE TABLE t (x float8 CHECK (x::int >= 0))", "-0.3"),
        ("CREATE TABLE t (x text, y text, CHECK (x > y))", "'10', '9'"),
        ("CREATE TABLE t (x interval, y interval, CHECK (x > y))", "'10 days', '9 days'"),
        ("CREATE TABLE t (x char(5) CHECK (x IN ('ab   ', 'c')))", "'ab'"),
        ("CREATE TABLE t (x money CHECK (x > 0::money))", "1"),
        ("CREATE TABLE t (x jsonb CHECK (x IN ('{\"a\":1}', '{}')))", """'{"a": 1.0}'"""),
        ("CREATE TABLE t (qualify int CHECK (qualify > 0))", "1"),
        (
            "SET TimeZone = 'Asia/Kolkata'; CREATE TABLE t (x timestamptz "
            "CHECK (x >= '2020-01-01'::timestamp))",
            "'2020-01-01 00:00+05:30'",
        ),
        (
            "SET TimeZone = 'Asia/Kolkata'; CREATE TABLE p (x timestamp PRIMARY KEY); "
            "INSERT INTO p VALUES ('2020-01-01'); CREATE TABLE t (x timestamptz REFERENCES p)",
            "'2020-01-01 00:00+05:30'",
        ),
        (
            "CREATE SCHEMA server; CREATE TABLE server.p (x int PRIMARY KEY); "
            "INSERT INTO server.p VALUES (1); CREATE SCHEMA temp; CREATE TABLE temp.q (); "
            "CREATE TABLE server.t (x int REFERENCES server.p); CREATE TABLE t (x int)",
            "1",
        ),
    ],
)
def test_what_is_true_on_the_server_is_no_obstacle(made: str, row: str, url: str) -> None:
    """What DuckDB compares in another way is left out of the copy's constraints."""
    collation = "en-x-icu"
    if "text" in made:
        if not do(url, f"SELECT 1 FROM pg_collation WHERE collname = '{collation}'"):
            pytest.skip("the server has no ICU")
        made, row = made.replace("x > y", f'x < y COLLATE "{collation}"'), "'a', 'B'"
    do(url, f"{made}; INSERT INTO t VALUES ({row})")
    assert rows(opened(url), 'SELECT COUNT(*) FROM "server"."main"."t"') == [(1,)]


def test_a_constraint_that_is_not_true_is_found_out(url: str) -> None:
    """As where triggers were off: DuckDB tests each of them again."""
    do(url, PEOPLE)
    do(url, "SET session_replication_role = replica; INSERT INTO calls VALUES (999, 1)")
    with pytest.raises(PolicyError, match="calls: its rows are not what its constraints say"):
        opened(url)


def test_one_state_of_the_data(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    do(url, PEOPLE)
    fill = postgres_data._fill

    def slowly(*given: Any) -> None:
        fill(*given)
        do(url, "INSERT INTO people SELECT max(id) + 1, 1 FROM people")
        do(url, "INSERT INTO calls SELECT max(id), 1 FROM people")

    monkeypatch.setattr(postgres_data, "_fill", slowly)
    engine = opened(url)
    sql = "SELECT (SELECT count(*) FROM people), (SELECT count(*) FROM calls)"
    assert rows(engine, sql) == [(200, 300)]


def test_no_table_is_emptied_or_made_another_meanwhile(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    do(url, PEOPLE)
    fill, refused = postgres_data._fill, []

    def meanwhile(*given: Any) -> None:
        for change in ("TRUNCATE calls", "ALTER TABLE calls RENAME minutes TO hours"):
            with pytest.raises(psycopg.errors.LockNotAvailable) as caught:
                do(url, f"SET lock_timeout = '10ms'; {change}")
            refused.append(caught.type)
        fill(*given)

    monkeypatch.setattr(postgres_data, "_fill", meanwhile)
    assert rows(opened(url), "SELECT COUNT(*) FROM calls") == [(300,)]
    assert len(refused) == 6


def test_rows_older_than_a_table_are_not_copied(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """TRUNCATE heeds no snapshot: in one from before it the table would be empty."""
    do(url, PEOPLE)
    hold = postgres_data.hold

    def late(*given: Any) -> None:
        do(url, "TRUNCATE calls; INSERT INTO calls SELECT 1, 1")
        hold(*given)

    monkeypatch.setattr(postgres_data, "hold", late)
    with pytest.raises(PolicyError, match="a table was rewritten meanwhile; open it again"):
        opened(url)


def test_nothing_can_be_written(url: str) -> None:
    """Not by a function of the server's that a view or a domain would call."""
    do(url, "CREATE TABLE log (x int); CREATE TABLE t (x int)")
    do(url, "INSERT INTO t VALUES (1)")
    with psycopg.connect(url, autocommit=True) as connection:
        postgres_catalog.begin(connection)
        with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
            connection.execute("INSERT INTO public.log VALUES (1)")


def test_what_is_left_out(url: str) -> None:
    do(url, PEOPLE)
    do(url, 'CREATE MATERIALIZED VIEW kept AS SELECT 1; CREATE TABLE two ("A" int, a int)')
    do(url, "CREATE SCHEMA main; CREATE TABLE main.m (x int)")
    engine = duckdb_open.open_postgres(url, {"people": {}, "two": {}})
    reasons = dict(reason.split(": ", 1) for reason in engine.left_out)
    assert {name: reason[:20] for name, reason in reasons.items()} == {
        "old": "a view; list the tab",
        "kept": "a materialized view;",
        "two": "two of its columns h",
        "main.m": "main is the copy's n",
        "calls": "of no table",
        "clinic.visits": "of no table",
    }


def test_names_that_differ_in_case_alone(url: str) -> None:
    do(url, 'CREATE TABLE "T" (x int); CREATE TABLE t (x int); CREATE TABLE u (x int)')
    do(
        url,
        'CREATE SCHEMA "MAIN"; CREATE TABLE "MAIN".u (x int); CREATE SCHEMA b; CREATE SCHEMA "B"',
    )
    do(url, 'CREATE TABLE b.v (x int); CREATE TABLE "B".w (x int)')
    do(url, 'CREATE SCHEMA "Information_Schema"; CREATE TABLE "Information_Schema".u (x int)')
    engine = opened(url)
    assert [table.path for table in engine.catalog().tables] == [("server", "main", "u")]
    names = {reason.partition(":")[0] for reason in engine.left_out}
    assert names == {"T", "t", "MAIN.u", "b.v", "B.w", "Information_Schema.u"}


def test_texts_that_are_equal_and_differ(url: str) -> None:
    collation = "provider = icu, locale = 'und-u-ks-level2', deterministic = false"
    try:
        do(url, f"CREATE COLLATION ci ({collation})")
    except psycopg.Error:
        pytest.skip("the server has no ICU")
    do(url, "CREATE TABLE t (x text COLLATE ci)")
    [reason] = opened(url).left_out
    assert "different texts are equal" in reason


def test_a_type_of_which_different_texts_are_equal(url: str) -> None:
    """One person would be two units."""
    try:
        do(url, "CREATE EXTENSION citext")
    except psycopg.Error:
        pytest.skip("the server has no such extension")
    do(url, "CREATE DOMAIN address AS citext; CREATE TABLE t (x citext, y address, z int)")
    engine = opened(url)
    assert engine.left_out == tuple(
        f"t.{column}: of citext different texts are equal" for column in "xy"
    )
    table = engine.catalog().table("t")
    assert table is not None and [column.name for column in table.columns] == ["z"]
