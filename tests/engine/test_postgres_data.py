"""A PostgreSQL database as data: its values, what it enforces, and what is refused."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, datetime
from decimal import Decimal
from math import inf, isnan
from pathlib import Path
from typing import Any

import psycopg
import pytest

import dpsql
from dpsql import default
from dpsql.__main__ import main
from dpsql.errors import PolicyError
from dpsql.platform.engine import postgres_data
from dpsql.platform.engine.duckdb_engine import DuckDBEngine
from dpsql.platform.policy import Catalog, parse_type
from tests.support import servers

PEOPLE = """
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE DOMAIN years AS int CHECK (VALUE < 200);
CREATE SCHEMA clinic;
CREATE TABLE people (
  id bigint PRIMARY KEY, age years NOT NULL CHECK (age >= 0 AND age <= 120),
  town varchar(9) CHECK (town IN ('a', 'b')), mood mood
);
CREATE TABLE clinic.visits (
  id int UNIQUE NOT NULL, person bigint NOT NULL REFERENCES people,
  cost int CHECK (cost BETWEEN 0 AND 50), note text, at timestamptz
);
CREATE TABLE calls (
  caller bigint REFERENCES people, minutes smallint CHECK (minutes = ANY (ARRAY[1, 2, 5]))
);
CREATE VIEW old AS SELECT * FROM people;
INSERT INTO people SELECT i, i % 100, CASE i % 3 WHEN 0 THEN 'a' WHEN 1 THEN 'b' END, 'ok'
FROM generate_series(1, 200) AS i;
INSERT INTO clinic.visits SELECT i, i % 200 + 1, i % 51, 'note ' || i % 7, '2024-01-01 01:00+02'
FROM generate_series(1, 1000) AS i;
INSERT INTO calls SELECT i % 200 + 1, 5 FROM generate_series(1, 300) AS i;
"""
POLICY = """
unit: people.id
budget: {eps: 1e6, delta: 1e-6}
tables:
  people: {access: private, key: [id], columns: {id: {}}}
  clinic.visits:
    access: private
    columns: {person: {references: people.id, max_rows: 5}, note: {max_length: 20}}
  calls: {access: private, columns: {caller: {references: people.id, max_rows: 2}}}
"""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    if servers.REASON:
        pytest.skip(servers.REASON)
    with servers.postgres() as url:
        yield url


@pytest.fixture
def url(server: str, request: pytest.FixtureRequest) -> Iterator[str]:
    """A database of its own for each test."""
    name = f"test_{abs(hash(request.node.nodeid)) % 10**9}"
    do(server.format("postgres"), f"CREATE DATABASE {name}")
    yield server.format(name)
    do(server.format("postgres"), f"DROP DATABASE {name} WITH (FORCE)")


def do(url: str, sql: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(sql)  # type: ignore[call-overload]
        return [] if cursor.description is None else cursor.fetchall()


def opened(url: str, **types: str) -> DuckDBEngine:
    declared = {c: parse_type(t) for c, t in types.items()}
    return DuckDBEngine.open_postgres(url, {"t": dict(declared)} if types else None)


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
    with pytest.raises(PolicyError, match=r"^t: 1 rows do not fit column y of type DECIMAL\(4,1\)"):
        opened(url)


def test_a_number_without_a_precision_is_what_the_policy_says(url: str) -> None:
    do(url, "CREATE TABLE t (x numeric)")
    do(url, "INSERT INTO t VALUES (1.25)")
    assert rows(opened(url, x="DECIMAL(6,3)"), "SELECT x FROM t") == [(Decimal("1.250"),)]
    do(url, "INSERT INTO t VALUES (1.250), (10)")
    found = rows(opened(url, x="VARCHAR"), "SELECT x, COUNT(*) FROM t GROUP BY x ORDER BY x")
    assert found == [("1.25", 2), ("10", 1)]
    do(url, "INSERT INTO t VALUES (12345)")
    with pytest.raises(PolicyError, match=r"1 rows do not fit column x of type DECIMAL\(6,3\)"):
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


def test_nothing_can_be_written(url: str) -> None:
    """Not by a function of the server's that a view or a domain would call."""
    do(url, "CREATE TABLE log (x int); CREATE TABLE t (x int)")
    do(url, "INSERT INTO t VALUES (1)")
    with psycopg.connect(url, autocommit=True) as connection:
        for setting in postgres_data._SETTINGS:
            connection.execute(setting)
        with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
            connection.execute("INSERT INTO public.log VALUES (1)")


def test_what_is_left_out(url: str) -> None:
    do(url, PEOPLE)
    do(url, 'CREATE MATERIALIZED VIEW kept AS SELECT 1; CREATE TABLE two ("A" int, a int)')
    do(url, "CREATE SCHEMA main; CREATE TABLE main.m (x int)")
    engine = DuckDBEngine.open_postgres(url, {"people": {}, "two": {}})
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


def test_nothing_is_copied_where_no_ledger_is_named(url: str, tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="data on a server have their ledger where you say"):
        dpsql.connect(url, "not a policy", temp_directory=tmp_path)


def role(url: str, rights: str) -> str:
    do(url, f"DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN; {rights}")
    return url.replace("dpsql@", "reader@")


def test_a_role_that_may_only_read(url: str, tmp_path: Path) -> None:
    do(url, PEOPLE)
    grant = "GRANT USAGE ON SCHEMA clinic TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA "
    reader = role(url, f"{grant} public TO reader; GRANT SELECT ON clinic.visits TO reader")
    with dpsql.connect(reader, POLICY, ledger=tmp_path / "ledger") as db:
        assert db.run("SELECT COUNT(*) FROM people", 1e4).rows == ((200,),)
    do(url, "REVOKE SELECT ON people FROM reader; GRANT SELECT (id) ON people TO reader")
    with dpsql.connect(reader, POLICY, ledger=tmp_path / "ledger") as db:
        assert db.tables["people"] == ("id",)
    do(url, "REVOKE ALL ON people FROM reader")
    with pytest.raises(PolicyError, match="this user may read none of its columns"):
        dpsql.connect(reader, POLICY, ledger=tmp_path / "ledger")
    do(url, "DROP OWNED BY reader; DROP ROLE reader")


def test_a_part_of_the_rows_is_refused(url: str, tmp_path: Path) -> None:
    do(url, PEOPLE)
    reader = role(url, "GRANT SELECT ON people TO reader")
    do(url, "ALTER TABLE people ENABLE ROW LEVEL SECURITY")
    do(url, "CREATE POLICY part ON people USING (id < 5)")
    small = POLICY[: POLICY.index("  clinic")]
    with pytest.raises(PolicyError, match="all of their rows in spite of row-level security"):
        dpsql.connect(reader, small, ledger=tmp_path / "ledger")
    do(url, "DROP OWNED BY reader; DROP ROLE reader")


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (
            "postgresql://nobody:s3cret@localhost:1/x",
            "no server is there, or no such database, or it is not open to this user",
        ),
        (
            "postgresql://nobody:s3cret@localhost:notaport/x",
            "no server is there, or no such database, or it is not open to this user",
        ),
        ("missing", "no server is there, or no such database, or it is not open to this user"),
    ],
)
def test_what_cannot_be_opened(bad: str, words: str, url: str, tmp_path: Path) -> None:
    target = bad if "://" in bad else url.rpartition("/test_")[0] + "/missing?" + url.split("?")[1]
    with pytest.raises(PolicyError, match=words) as caught:
        dpsql.connect(target, POLICY, ledger=tmp_path / "ledger")
    assert "s3cret" not in str(caught.value) + repr(caught.value.args)
    assert caught.value.__cause__ is None and caught.value.__context__ is None


def test_no_value_of_a_row_is_told(url: str, tmp_path: Path) -> None:
    do(url, "CREATE TABLE people (id bigint, x float8)")
    do(url, "INSERT INTO people VALUES (1, 4711.5)")
    text = "unit: people.id\nbudget: {eps: 1}\ntables: {people: {access: private, columns: {}}}"
    long = "ALTER TABLE people ADD note text; UPDATE people SET note = repeat('s3cret', 3000000)"
    do(url, long)
    with pytest.raises(
        PolicyError,
        match="people: its rows cannot be read, as where one has more than 16,000,000 bytes",
    ) as c:
        dpsql.connect(url, text, ledger=tmp_path / "ledger")
    assert "s3cret" not in repr(c.value) and c.value.__context__ is None


def test_answers_are_those_of_the_server(url: str, tmp_path: Path) -> None:
    do(url, PEOPLE)
    queries = (
        "SELECT SUM(cost), COUNT(*) FROM clinic.visits",
        "SELECT town, COUNT(*) FROM people WHERE mood = 'ok' AND town IS NOT NULL GROUP BY town",
        "SELECT COUNT(*) FROM people JOIN clinic.visits v ON people.id = person WHERE age > 50",
    )
    with dpsql.connect(url, POLICY, ledger=tmp_path / "ledger") as db:
        for query in queries:
            found = {tuple(map(_whole, row)) for row in db.run(query, 1e4).rows}
            assert found == {tuple(row) for row in do(url, query)}
        explained = str(db.explain("SELECT SUM(cost) FROM clinic.visits", 1))
        assert "because cost in [0, 50], proven" in explained


def _whole(value: object) -> object:
    return round(value) if isinstance(value, int | float) else value


def test_the_command_line(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    do(url, PEOPLE)
    policy, ledger = tmp_path / "shop.yaml", str(tmp_path / "ledger")
    policy.write_text(POLICY)
    where = (url, "--policy", str(policy))
    assert main(["init", url, "--unit", "people.id", "-o", "-"]) == 0
    assert "bounds: [0, 120], nullable: false" in capsys.readouterr().out
    count = "SELECT COUNT(*) FROM people"
    assert main(["explain", *where, count]) == 0
    assert main(["run", *where, "--eps", "1", count]) == 4
    assert "data on a server have their ledger where you say" in capsys.readouterr().err
    assert main(["run", *where, "--ledger", ledger, "--eps", "1", count]) == 0
    assert main(["budget", *where]) == 4
    assert main(["budget", *where, "--ledger", ledger]) == 0
    assert "charges     1," in capsys.readouterr().out
    assert main(["init", url, "--eps", "1", "--unit", "people.id", "-o", "-"]) == 2
    copy = str(tmp_path / "copy")
    assert main(["prepare", *where, "--into", copy, "--ledger", ledger]) == 0
    assert main(["run", copy, "--policy", str(policy), "--eps", "1", count]) == 0
    assert main(["budget", copy, "--policy", str(policy)]) == 0
    assert "charges     2," in capsys.readouterr().out


def test_temporary_files_go(url: str, tmp_path: Path) -> None:
    do(url, PEOPLE)
    with dpsql.connect(url, POLICY, ledger=tmp_path / "l", temp_directory=tmp_path) as db:
        assert not list(tmp_path.rglob("*.csv"))
        assert list(tmp_path.rglob("server.duckdb"))
        db.run("SELECT COUNT(*) FROM people", 1)
    assert not list(tmp_path.rglob("server.duckdb"))
    shutil.rmtree(tmp_path / "copy", ignore_errors=True)


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg", "POSTGRESQL"])
@pytest.mark.parametrize(
    "words",
    [
        ("run", "URL", "--eps", "1", "SELECT COUNT(*) FROM people"),
        ("run", "URL", "--policy", "POLICY", "--eps", "1", "SELECT COUNT(*) FROM people"),
        ("explain", "URL", "SELECT COUNT(*) FROM people"),
        ("budget", "URL"),
        ("budget", "URL", "acknowledge", "--policy", "POLICY", "--ledger", "l"),
        ("init", "URL"),
        ("verify", "URL", "--policy", "POLICY"),
        ("prepare", "URL", "--policy", "POLICY", "--into", "copy"),
        ("policy", "show", "POLICY", "URL"),
    ],
)
def test_no_password_is_shown(
    words: tuple[str, ...],
    scheme: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "POLICY").write_text(POLICY)
    bad = f"{scheme}://me:s3cret@127.0.0.1:1/x"
    with suppress(SystemExit):
        assert main([bad if word == "URL" else word for word in words]) != 0
    assert "s3cret" not in "".join(capsys.readouterr())


def test_what_the_owner_is_to_type_has_no_password(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    do(url, PEOPLE)
    monkeypatch.chdir(tmp_path)
    policy, ledger, count = tmp_path / "p.yaml", "ledger", "SELECT COUNT(*) FROM people"
    policy.write_text(POLICY)
    secret = url.replace("dpsql@", "dpsql:s3cret@")
    assert main(["init", secret, "--unit", "people.id"]) == 0
    words = ("run", secret, "--policy", str(policy), "--ledger", ledger, "--eps", "1", count)
    assert main(list(words)) == 0
    policy.write_text(POLICY.replace("unit: people.id", "neighbours: replace\nunit: people.id"))
    assert main(list(words)) == 6
    monkeypatch.setenv("DPSQL_DATABASE", secret)
    monkeypatch.setenv("DPSQL_POLICY", str(policy))
    assert main(["budget", "--ledger", ledger]) == 6
    told = "".join(capsys.readouterr())
    assert "s3cret" not in told and "dpsql verify URL" in told and "dpsql budget URL" in told


def test_a_file_that_names_a_server_as_the_default(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dpsql.yaml").write_text(f"database: {url}\npolicy: shop.yaml\n")
    monkeypatch.chdir(tmp_path)
    named = default.named()
    assert named == (url, str(tmp_path / "shop.yaml"), "URL (from dpsql.yaml)")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_whoever_is_stopped_while_it_copies_leaves_nothing(
    number: signal.Signals, url: str, tmp_path: Path
) -> None:
    slow = "LANGUAGE SQL AS 'SELECT pg_sleep(60)::text'"
    do(url, f"CREATE TYPE pair AS (a int); CREATE FUNCTION slowly(pair) RETURNS text {slow}")
    do(url, "CREATE CAST (pair AS text) WITH FUNCTION slowly")
    do(url, "CREATE TABLE people (id int, p pair); INSERT INTO people VALUES (1, ROW(1))")
    policy, temporary = tmp_path / "p.yaml", tmp_path / "temporary"
    temporary.mkdir()
    text = "unit: people.id\nbudget: {eps: 1}\ntables: {people: {access: private, columns: {}}}"
    policy.write_text(text)
    words = ("run", url, "--policy", policy, "--ledger", tmp_path / "l", "--eps", "1", "SELECT 1")
    with subprocess.Popen(
        [sys.executable, "-m", "dpsql", *words],
        env={**os.environ, "TMPDIR": str(temporary)},
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        while not (files := list(temporary.rglob("server.csv"))) and process.poll() is None:
            time.sleep(0.05)
        assert [file.stat().st_mode & 0o777 for file in files] == [0o600]
        assert files[0].parent.stat().st_mode & 0o777 == 0o700
        process.send_signal(number)
        assert process.wait(30) == 128 + number
    assert list(temporary.iterdir()) == []
