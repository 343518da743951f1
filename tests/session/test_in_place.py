"""PostgreSQL in place: private rows stay on the server, which computes; what it is asked, what goes
wrong there, and what others may change."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

import dpsql
from dpsql.__main__ import main
from dpsql.audit.measured import exact
from dpsql.errors import DpsqlError, EngineError, PolicyError
from dpsql.platform.engine import ownerlog
from dpsql.platform.engine.far.engine import FarEngine
from dpsql.platform.engine.far.postgres import Postgres
from dpsql.platform.engine.far.postgres_language import CALLS
from dpsql.session.database import Database
from tests.support.on_a_server import PEOPLE, POLICY, do

COUNT = "SELECT COUNT(*) FROM people"
QUERIES = (
    COUNT,
    "SELECT SUM(cost), COUNT(*) FROM clinic.visits",
    "SELECT town, COUNT(*) FROM people WHERE mood = 'ok' AND town IS NOT NULL GROUP BY town",
    "SELECT COUNT(*) FROM people JOIN clinic.visits v ON people.id = person WHERE age > 50",
    "SELECT minutes, SUM(age) FROM people JOIN calls ON caller = id GROUP BY minutes",
    "SELECT COUNT(DISTINCT note) FROM clinic.visits WHERE note LIKE 'note%'",
    "SELECT YEAR(at), MAX(cost) FROM clinic.visits WHERE at > '2020-01-01' GROUP BY 1",
    "SELECT AVG(age) FROM people WHERE town < 'b'",
)


@contextmanager
def in_place(url: str, tmp_path: Path, policy: str = POLICY) -> Iterator[Database]:
    with dpsql.connect(url, policy, ledger=tmp_path / "ledger", in_place=True) as db:
        yield db


def far(db: Database) -> tuple[FarEngine, Postgres]:
    engine = db._engine
    assert isinstance(engine, FarEngine) and isinstance(engine._server, Postgres)
    return engine, engine._server


def cells(db: Database, queries: tuple[str, ...] = QUERIES) -> list[object]:
    found: list[object] = []
    for query in queries:
        try:
            measures = exact(db, query)
            found.append([(m.name, dict(zip(m.groups, m.values, strict=True))) for m in measures])
        except DpsqlError as error:
            found.append(str(error))
    return found


def test_cells_are_those_of_the_copy(url: str, tmp_path: Path) -> None:
    do(url, PEOPLE)
    with dpsql.connect(url, POLICY, ledger=tmp_path / "ledger") as copied:
        wanted = cells(copied)
    assert not [w for w in wanted if isinstance(w, str)]
    with in_place(url, tmp_path) as db:
        assert cells(db) == wanted
        assert db.run(COUNT, 1e4).rows == ((200,),)


def test_no_private_row_is_here(url: str, tmp_path: Path) -> None:
    do(url, PEOPLE)
    with in_place(url, tmp_path) as db:
        engine, _ = far(db)
        for table in ("people", "clinic.visits", "calls"):
            sql = f'SELECT count(*) FROM "server".{table if "." in table else "main." + table}'
            assert engine.cursor().execute(sql).fetchall() == [(0,)]


GONE = {
    "a function": "",
    "a table": "DROP TABLE calls; DROP TABLE clinic.visits",
    "a column": "ALTER TABLE clinic.visits DROP COLUMN cost",
    "the right to read": "REVOKE SELECT ON clinic.visits FROM reader",
}


@pytest.mark.parametrize("gone", GONE)
@pytest.mark.parametrize("late", [False, True])
def test_what_the_server_does_not_take_costs_nothing(
    late: bool, gone: str, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where tables change when the catalog was looked at already."""
    do(url, f"{PEOPLE}; DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN")
    do(url, "GRANT USAGE ON SCHEMA clinic TO reader")
    do(url, "GRANT SELECT ON ALL TABLES IN SCHEMA public, clinic TO reader")
    try:
        with in_place(url.replace("dpsql@", "reader@"), tmp_path) as db:
            if late:
                monkeypatch.setattr(Postgres, "settled", lambda self: None)
            monkeypatch.setattr(Postgres, "run", not_asked)
            do(url, GONE[gone] or "SELECT 1")
            if not GONE[gone]:
                monkeypatch.setitem(CALLS, "abs", lambda node, args: f"magnitude({args[0]})")
            with pytest.raises(EngineError) as caught:
                db.run("SELECT COUNT(*) FROM clinic.visits WHERE ABS(cost) > 3", 1)
            assert caught.value.__context__ is None and caught.value.__cause__ is None
            assert not db.budget.spent.exact.eps
    finally:
        do(url, "DROP OWNED BY reader; DROP ROLE reader")


def not_asked(self: Postgres, sql: str) -> Any:
    raise AssertionError("the server was asked for rows")


def test_binding_plans_nothing(url: str, tmp_path: Path) -> None:
    """A plan is made of statistics, and of the ends of indexes: PREPARE makes none."""
    do(url, PEOPLE)
    with in_place(url, tmp_path) as db:
        engine, server = far(db)
        with engine.snapshot():
            server.bind(
                "SELECT 1 FROM public.people WHERE id = 1 / 0"
            )  # which a planner would compute
            [[plans]] = (
                server._open().execute("SELECT count(*) FROM pg_prepared_statements").fetchall()
            )
            assert plans == 0
        with pytest.raises(psycopg.errors.UndefinedFunction), engine.snapshot():
            server.bind("SELECT magnitude(id) FROM public.people")


TOWNS = """
CREATE TABLE towns (name text PRIMARY KEY, size int, founded date, at timestamp, b bytea,
  share numeric(5,2), area numeric, f float8, open bool);
INSERT INTO towns VALUES
  ('a', 1, '0044-03-15 BC', '0044-03-15 12:00 BC', '\\xdead', 0.5, 7.25, 'NaN', true),
  ('b', 2, 'infinity', '-infinity', '', NULL, NULL, '-0', false),
  (E'\\\\"ä\\n', NULL, NULL, NULL, NULL, 1, 1, 1e-300, NULL);
"""
WITH_TOWNS = f"{POLICY}  towns: {{access: public}}\n"
JOINED = (
    "SELECT SUM(size) FROM people JOIN towns ON town = name",
    "SELECT name, COUNT(*) FROM people JOIN towns ON town = name GROUP BY name",
    "SELECT COUNT(*) FROM people JOIN towns ON town = name WHERE founded < '2000-01-01'",
    "SELECT COUNT(*) FROM people JOIN towns ON town = name WHERE isnan(f) AND open",
    "SELECT COUNT(*) FROM people JOIN towns ON town = name WHERE at < '2000-01-01' AND share < 1",
)


def test_public_rows_are_those_that_were_copied(url: str, tmp_path: Path) -> None:
    do(url, PEOPLE + TOWNS)
    with dpsql.connect(url, WITH_TOWNS, ledger=tmp_path / "ledger") as copied:
        wanted = cells(copied, JOINED)
    assert not [w for w in wanted if isinstance(w, str)]
    with in_place(url, tmp_path, WITH_TOWNS) as db:
        assert cells(db, JOINED) == wanted
        do(url, "UPDATE towns SET size = 1000")
        assert cells(db, JOINED) == wanted
        do(
            url,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()",
        )
        assert cells(db, JOINED) == wanted  # they were lent again
        assert len(db.run("SELECT name, size FROM towns", 1).rows) == 3


def test_a_role_without_temporary_tables(url: str, tmp_path: Path) -> None:
    do(url, PEOPLE + TOWNS)
    [[name]] = do(url, "SELECT current_database()")
    do(url, f"REVOKE TEMPORARY ON DATABASE {name} FROM PUBLIC; CREATE ROLE poor LOGIN")
    do(
        url,
        "GRANT USAGE ON SCHEMA clinic TO poor; GRANT SELECT ON ALL TABLES IN SCHEMA public TO poor",
    )
    do(url, "GRANT SELECT ON clinic.visits TO poor")
    poor = url.replace("dpsql@", "poor@")
    try:
        with in_place(poor, tmp_path) as db:  # no public table
            assert db.run(COUNT, 1e4).rows == ((200,),)
        with (
            pytest.raises(PolicyError, match="GRANT TEMPORARY"),
            in_place(poor, tmp_path, WITH_TOWNS),
        ):
            pass
    finally:
        do(url, "DROP OWNED BY poor; DROP ROLE poor")


def test_a_part_of_the_rows_is_refused(url: str, tmp_path: Path) -> None:
    do(url, PEOPLE)
    do(url, "CREATE ROLE partly LOGIN; GRANT SELECT ON people TO partly")
    do(
        url,
        "ALTER TABLE people ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON people USING (id < 5)",
    )
    small = POLICY[: POLICY.index("  clinic")]
    partly = url.replace("dpsql@", "partly@")
    try:
        with (
            pytest.raises(PolicyError, match="in spite of row-level"),
            in_place(partly, tmp_path, small),
        ):
            pass
    finally:
        do(url, "DROP OWNED BY partly; DROP ROLE partly")


SETTINGS = """
ALTER ROLE {role} SET search_path = evil, public;
ALTER ROLE {role} SET TimeZone = 'Asia/Kolkata';
ALTER ROLE {role} SET datestyle = 'SQL, DMY';
ALTER ROLE {role} SET extra_float_digits = -15;
ALTER ROLE {role} SET standard_conforming_strings = off;
ALTER ROLE {role} SET transform_null_equals = on;
ALTER ROLE {role} SET bytea_output = 'escape';
ALTER ROLE {role} SET intervalstyle = 'iso_8601';
ALTER ROLE {role} SET client_encoding = 'LATIN1';
ALTER ROLE {role} SET row_security = on;
ALTER ROLE {role} SET enable_hashjoin = off;
ALTER ROLE {role} SET default_transaction_isolation = 'read committed';
"""
EVIL = """
CREATE SCHEMA evil;
CREATE FUNCTION evil.abs(bigint) RETURNS bigint LANGUAGE SQL AS 'SELECT 7::bigint';
CREATE FUNCTION evil.no(text, text) RETURNS bool LANGUAGE SQL AS 'SELECT false';
CREATE OPERATOR evil.= (LEFTARG = text, RIGHTARG = text, FUNCTION = evil.no);
CREATE TABLE evil.people (id bigint);
GRANT USAGE ON SCHEMA evil TO PUBLIC;
"""
SENSITIVE = (
    *QUERIES,
    "SELECT HOUR(at), COUNT(*) FROM clinic.visits GROUP BY 1",
    "SELECT COUNT(*) FROM clinic.visits WHERE at = TIMESTAMP '2023-12-31 23:00:00'",
    "SELECT COUNT(*) FROM people WHERE town = 'a\\b' OR town = NULL OR town > 'A'",
    "SELECT SUM(ABS(age - 50)) FROM people",
)


def test_settings_of_a_role_change_no_cell(url: str, tmp_path: Path) -> None:
    do(url, PEOPLE)
    with in_place(url, tmp_path) as db:
        wanted = cells(db, SENSITIVE)
    do(url, "CREATE ROLE odd LOGIN SUPERUSER")
    try:
        do(url, EVIL + SETTINGS.format(role="odd"))
        with in_place(url.replace("dpsql@", "odd@"), tmp_path) as db:
            assert cells(db, SENSITIVE) == wanted
    finally:
        do(url, "DROP OWNED BY odd; DROP ROLE odd")


def test_collations_change_no_cell(url: str, tmp_path: Path) -> None:
    if not do(url, "SELECT 1 FROM pg_collation WHERE collname = 'en-x-icu'"):
        pytest.skip("the server has no ICU")
    texts = ("a", "A", "b", "B", "ä", "z", "Z", "_", "a-b", "ab")
    listed = ", ".join(f"({i}, '{text}')" for i, text in enumerate(texts))
    policy = """
unit: t.id
budget: {eps: 1e6}
tables: {t: {access: private, key: [id], columns: {id: {}, x: {max_length: 5}}}}
"""
    queries = (
        "SELECT COUNT(*) FROM t WHERE x < 'a'",
        "SELECT COUNT(*) FROM t WHERE x BETWEEN 'B' AND 'b'",
        "SELECT COUNT(*) FROM t WHERE x NOT BETWEEN 'Z' AND 'z'",
    )
    found = []
    for collation in ("C", "en-x-icu"):
        do(
            url,
            "DROP TABLE IF EXISTS t; "
            f'CREATE TABLE t (id int PRIMARY KEY, x text COLLATE "{collation}")',
        )
        do(url, f"INSERT INTO t VALUES {listed}")
        with in_place(url, tmp_path, policy) as db:
            found.append(cells(db, queries))
    assert found[0] == found[1] and not [f for f in found[0] if isinstance(f, str)]


ODD = """
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TYPE pair AS (a int);
CREATE TABLE t (
  id int PRIMARY KEY, n numeric(6,2) UNIQUE NOT NULL, w numeric, d date NOT NULL, s timestamp,
  z timestamptz, c char(5), m mood NOT NULL, u uuid, f float8, r real, p pair
);
INSERT INTO t VALUES
  (1, 'NaN', '1e400', 'infinity', 'infinity', 'infinity', 'ab', 'ok', NULL, 'NaN', 'NaN', ROW(1)),
  (2, 1.25, 'NaN', '-infinity', '-infinity', '-infinity', 'ab   ', 'sad', NULL, 'Infinity', 1,
    NULL),
  (3, -0.01, '1e-400', '0044-03-15 BC', '0044-03-15 BC', '0044-03-15 BC', NULL, 'happy',
    '11111111-1111-1111-1111-111111111111', '5e-324', 1e30, NULL),
  (4, 0, 0.1, '5874897-12-31', '294276-12-31 23:59:59', '294276-12-31 23:59:59+00', '', 'ok', NULL,
    '-0', -1, NULL),
  (5, 9999.99, -1e308, '2024-02-29', '2024-02-29 12:00', '2024-02-29 12:00+02', 'é', 'ok', NULL,
    1.7976931348623157e308, 0.1, NULL);
"""
ODD_POLICY = """
unit: t.id
budget: {eps: 1e6, delta: 1e-6}
tables:
  t:
    access: private
    columns:
      id: {}
      n: {bounds: [0, 10]}
      w: {bounds: [0, 10]}
      d: {bounds: [2020-01-01, 2025-01-01]}
      s: {bounds: [2020-01-01, 2025-01-01]}
      z: {bounds: [2020-01-01, 2025-01-01]}
      c: {max_length: 5}
      f: {bounds: [0, 10]}
      r: {bounds: [0, 10]}
"""
ODD_QUERIES = (
    *(f"SELECT SUM({column}), COUNT({column}) FROM t" for column in "nwfr"),
    "SELECT SUM(f * f), SUM(LEAST(GREATEST(f / w, 0), 9)) FROM t",
    "SELECT COUNT(*) FROM t WHERE f * 1e300 > 1",
    "SELECT s, COUNT(*) FROM t GROUP BY s",
    *(f"SELECT COUNT(*) FROM t WHERE {c} < '2024-03-01'" for c in "dsz"),
    *(f"SELECT COUNT(*) FROM t WHERE YEAR({c}) > 2000" for c in "dsz"),
    *("SELECT COUNT(*) FROM t WHERE c = 'ab'", "SELECT COUNT(*) FROM t WHERE LENGTH(c) < 2"),
    *("SELECT m, COUNT(*) FROM t GROUP BY m", "SELECT COUNT(u) FROM t WHERE m > 'a'"),
    *("SELECT SUM(DATE_DIFF('day', d, DATE '2024-03-01')) FROM t", "SELECT SUM(n * n) FROM t"),
    *(
        "SELECT COUNT(DISTINCT d) FROM t",
        "SELECT d, COUNT(*) FROM t WHERE d > '2024-01-01' GROUP BY d",
    ),
)


def test_no_value_makes_a_query_fail(url: str, tmp_path: Path) -> None:
    """Not even where the copy would be refused."""
    do(url, ODD)
    with in_place(url, tmp_path, ODD_POLICY) as db:
        assert "p" not in db.tables["t"]
        for query in ODD_QUERIES:
            db.run(query, 100)
        [[n]] = db.run("SELECT COUNT(n) FROM t", 1e4).rows
        assert n == 4  # NaN is no DECIMAL


def test_what_is_read_as_another_value_is_not_proven(url: str, tmp_path: Path) -> None:
    do(url, ODD)
    with in_place(url, tmp_path, ODD_POLICY) as db:
        table = far(db)[0].catalog().table("t")
        assert table is not None and table.keys == (("id",),)
        known = {column.name: column for column in table.columns}
        assert not known["n"].not_null and known["d"].not_null and known["m"].not_null
        assert known["m"].values == ("sad", "ok", "happy")


@pytest.mark.parametrize(
    ("column", "check", "bounds"),
    [
        ("int", "x BETWEEN 0 AND 5", (0, 5)),
        ("int", "x >= -3 AND x <= 5::bigint", (-3, 5)),
        ("int", "x IN (1, 2)", None),
        ("int", "x >= 0 AND x <= 5.7::int", None),
        ("float8", "x >= 0 AND x <= 0.5", (0, 0.5)),
        ("float8", "x >= 0 AND x <= 0.1::real", None),
        ("float8", "x::int BETWEEN 0 AND 5", None),
        ("real", "x >= 0 AND x <= 0.1", None),
        ("numeric(6,2)", "x BETWEEN 0 AND 5", (0, 5)),
        ("numeric", "x BETWEEN 0 AND 5", None),
        ("date", "x BETWEEN '2020-01-01' AND '2021-01-01'", ("2020-01-01", "2021-01-01")),
        ("date", "x >= '2020-01-01' AND x < '2021-01-01 12:00'::timestamp", None),
        ("int", "x > 0", (0, 2**31 - 1)),
    ],
)
def test_checks_that_prove(
    column: str, check: str, bounds: object, url: str, tmp_path: Path
) -> None:
    """Nobody tests them on the rows once more: a cast that rounds says another thing."""
    do(url, f"CREATE TABLE t (id int PRIMARY KEY, x {column} CHECK ({check}))")
    policy = "unit: t.id\nbudget: {eps: 1}\ntables: {t: {access: private, columns: {id: {}}}}"
    with in_place(url, tmp_path, policy) as db:
        table = far(db)[0].catalog().table("t")
        known = table.column("x") if table is not None else None
        assert known is not None
        found = known.bounds
        if column == "numeric":  # DOUBLE, of which it says the same as nearly as can be
            return
        if found is not None and column == "date":
            found = tuple(map(str, found))  # type: ignore[assignment]
        narrow = bounds is None and found is not None and column in ("int", "numeric(6,2)")
        assert found == bounds or (narrow and found[1] > 6)  # type: ignore[index]


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE calls DROP CONSTRAINT calls_minutes_check",
        "ALTER TABLE people ALTER town TYPE text",
        "ALTER TABLE people DROP COLUMN town",
        "DROP TABLE calls; CREATE TABLE calls (caller bigint, minutes smallint)",
        "CREATE TABLE child () INHERITS (people)",
        "ALTER TABLE people RENAME TO persons",
    ],
)
def test_tables_that_are_not_what_they_were(change: str, url: str, tmp_path: Path) -> None:
    do(url, f"{PEOPLE}; DROP VIEW old")
    with in_place(url, tmp_path) as db:
        assert db.run(COUNT, 1e4).rows == ((200,),)
        before = db.budget.spent.exact.eps
        do(url, "CREATE TABLE unrelated (x int)")
        db.run(COUNT, 1, fresh=True)
        spent = db.budget.spent.exact.eps
        do(url, change)
        with pytest.raises(EngineError):
            db.run(COUNT, 1, fresh=True)
        assert db.budget.spent.exact.eps == spent != before


@contextmanager
def asked_slowly(db: Database, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What the server is asked takes a minute."""
    run = Postgres.run

    def slowly(self: Postgres, sql: str) -> Any:
        return run(
            self, f"WITH s AS MATERIALIZED (SELECT pg_sleep(60)) SELECT q.* FROM s, ({sql}) q"
        )

    with monkeypatch.context() as patched:
        patched.setattr(Postgres, "run", slowly)
        yield


OTHERS = "FROM pg_stat_activity WHERE usename IS NOT NULL AND pid <> pg_backend_pid()"
ANY = f"SELECT pg_terminate_backend(pid) {OTHERS}"
WORKING = f"SELECT pid {OTHERS} AND query LIKE '%pg_sleep(60)%' AND state = 'active'"
KILL = WORKING.replace("pid", "pg_terminate_backend(pid)", 1)


def until(work: Callable[[], object]) -> None:
    end = time.monotonic() + 30
    while not work():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_backend_that_is_killed_while_it_works(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    do(url, PEOPLE)
    ownerlog.to_file(str(tmp_path / "owner.log"))
    with in_place(url, tmp_path) as db:
        with asked_slowly(db, monkeypatch):
            killer = threading.Thread(target=until, args=(lambda: do(url, KILL),))
            killer.start()
            with pytest.raises(EngineError) as caught:
                db.run(COUNT, 1)
            killer.join()
        assert type(caught.value) is EngineError
        assert caught.value.__context__ is None and caught.value.__cause__ is None
        assert "terminat" not in str(caught.value)
        assert db.budget.spent.exact.eps == 1  # what was charged stays so
        assert db.run(COUNT, 1e4, fresh=True).rows == ((200,),)


def test_a_connection_that_was_lost_meanwhile(url: str, tmp_path: Path) -> None:
    do(url, PEOPLE)
    with in_place(url, tmp_path) as db:
        assert do(url, ANY)
        assert db.run(COUNT, 1e4).rows == ((200,),)


def test_a_deadline_stops_the_server(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    do(url, PEOPLE)
    with in_place(url, tmp_path) as db:
        with asked_slowly(db, monkeypatch):
            start = time.monotonic()
            with pytest.raises(EngineError):
                db.run(COUNT, 1, timeout=1)
            assert time.monotonic() - start < 20
        until(lambda: not do(url, WORKING))
        assert db.budget.spent.exact.eps == 1
        assert db.run(COUNT, 1e4, fresh=True).rows == ((200,),)


def test_a_table_that_others_have_locked(url: str, tmp_path: Path) -> None:
    do(url, PEOPLE)
    with in_place(url, tmp_path) as db:
        with psycopg.connect(url) as other:
            other.execute("LOCK TABLE people IN ACCESS EXCLUSIVE MODE")
            with pytest.raises(EngineError):
                db.run(COUNT, 1, timeout=0.3)
            assert db.budget.spent.exact.eps == 0  # the server was not asked
        assert db.run(COUNT, 1e4).rows == ((200,),)


def test_no_private_value_is_told(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    do(url, PEOPLE)
    do(
        url,
        "UPDATE clinic.visits SET note = 's3cret'",
    )
    run = Postgres.run

    def wrongly(self: Postgres, sql: str) -> Any:
        return run(
            self, f"SELECT q.*, (SELECT CAST(max(note) AS int) FROM clinic.visits) FROM ({sql}) q"
        )

    with in_place(url, tmp_path) as db, monkeypatch.context() as patched:
        patched.setattr(Postgres, "run", wrongly)
        with pytest.raises(EngineError) as caught:
            db.run(COUNT, 1)
    told = "".join(map(str, (caught.value, caught.value.args, caught.value.__context__)))
    assert "s3cret" not in told


def test_threads_take_turns(url: str, tmp_path: Path) -> None:
    do(url, PEOPLE)
    found: list[object] = []
    with in_place(url, tmp_path) as db:

        def ask(number: int) -> None:
            found.append(db.run(f"SELECT COUNT(*) FROM people WHERE age >= {number * 0}", 1e4).rows)

        threads = [threading.Thread(target=ask, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == [((200,),)] * 4


def test_what_it_cannot_compute_is_rejected_for_free(url: str, tmp_path: Path) -> None:
    do(url, PEOPLE)
    with in_place(url, tmp_path) as db:
        for ask in (db.explain, db.run):
            with pytest.raises(
                dpsql.Rejected, match="PostgreSQL has no upper that is DuckDB's"
            ) as caught:
                ask("SELECT COUNT(*) FROM people WHERE UPPER(town) = 'A'", 1)
            assert caught.value.code == "DP106" and db.budget.spent.exact.eps == 0


def test_in_place_is_for_postgresql(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="in place are data of a PostgreSQL database alone"):
        dpsql.connect(tmp_path / "x.duckdb", POLICY, ledger=tmp_path / "l", in_place=True)


def test_the_command_line(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    do(url, PEOPLE)
    policy, ledger = tmp_path / "shop.yaml", str(tmp_path / "ledger")
    policy.write_text(POLICY)
    where = (url, "--policy", str(policy), "--in-place")
    upper = "SELECT COUNT(*) FROM people WHERE UPPER(town) = 'A'"
    assert main(["explain", *where, COUNT]) == 0
    assert main(["run", *where, "--ledger", ledger, "--eps", "10000", COUNT]) == 0
    assert re.search(r"\b200\b", capsys.readouterr().out)
    assert main(["run", *where, "--ledger", ledger, "--eps", "1", upper]) == 3
    assert "DP106" in capsys.readouterr().err
    assert (
        main(["run", str(tmp_path), "--in-place", "--policy", str(policy), "--eps", "1", COUNT])
        == 4
    )


LOOSE = """
unit: p.id
budget: {eps: 1e9}
tables:
  p: {access: private, columns: {id: {}}}
  v:
    access: private
    columns: {pid: {references: p.id, max_rows: 1000}, x: {type: "DECIMAL(5,2)"}}
"""


@pytest.mark.parametrize(
    ("made", "proven"),
    [
        ("x numeric(5, 2) NOT NULL CHECK (x >= 0 AND x <= 0.5)", True),
        ("x numeric NOT NULL CHECK (x >= 0 AND x <= 0.996)", False),  # it is read as 1.00
    ],
)
def test_a_check_is_of_the_number_that_is_read(
    made: str, proven: bool, url: str, tmp_path: Path
) -> None:
    do(url, "CREATE TABLE p (id int PRIMARY KEY)")
    do(url, f"CREATE TABLE v (pid int NOT NULL REFERENCES p, {made})")
    with in_place(url, tmp_path, LOOSE) as db:
        [table] = [t for t in db._engine.catalog().tables if t.name == "v"]
        column = table.column("x")
        assert column is not None and (column.bounds is not None) == proven


@pytest.mark.parametrize(("kind", "believed"), [("int", True), ("uuid", True), ("jsonb", False)])
def test_a_reference_is_of_values_that_are_read_as_equal(
    kind: str, believed: bool, url: str, tmp_path: Path
) -> None:
    """Of jsonb 1.0 and 1.00 are equal, and their texts are not."""
    do(url, f"CREATE TABLE p (id {kind} PRIMARY KEY)")
    do(url, f"CREATE TABLE v (pid {kind} REFERENCES p, x numeric)")
    with in_place(url, tmp_path, LOOSE) as db:
        [table] = [t for t in db._engine.catalog().tables if t.name == "v"]
        assert bool(table.foreign_keys) == believed


def test_what_a_parent_says_its_children_need_not_keep(url: str, tmp_path: Path) -> None:
    do(url, "CREATE TABLE p (id int PRIMARY KEY)")
    do(url, "CREATE TABLE v (pid int REFERENCES p, x numeric(5, 2))")
    do(url, "CREATE TABLE child () INHERITS (v)")
    do(url, "ALTER TABLE ONLY v ALTER x SET NOT NULL")
    with in_place(url, tmp_path, LOOSE) as db:
        [table] = [t for t in db._engine.catalog().tables if t.name == "v"]
        assert not any(column.not_null for column in table.columns)
        assert not table.foreign_keys


@pytest.mark.parametrize("all_columns", [True, False])
def test_rows_of_a_table_that_was_filled_anew_meanwhile(
    url: str, tmp_path: Path, all_columns: bool
) -> None:
    """Who empties and fills a table is waited for, and the snapshot is not older; for a role that
    may read some columns alone, too.
    """
    do(url, PEOPLE)
    do(url, "DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN")
    do(url, "GRANT USAGE ON SCHEMA clinic TO reader")
    do(url, "GRANT SELECT ON people, clinic.visits TO reader")
    do(url, f"GRANT SELECT {'' if all_columns else '(caller)'} ON calls TO reader")
    url = url.replace("dpsql@", "reader@")
    with in_place(url, tmp_path) as db, psycopg.connect(url.replace("reader@", "dpsql@")) as other:
        other.execute("TRUNCATE calls")
        other.execute("INSERT INTO calls SELECT i, 5 FROM generate_series(1, 50) AS i")
        later = threading.Timer(0.3, other.commit)
        later.start()
        found = cells(db, ("SELECT COUNT(*) FROM calls",))
        later.join()
        assert "50" in str(found)
