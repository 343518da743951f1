"""PostgreSQL in place: private rows stay on the server, which computes; what it is asked."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import Any

import psycopg
import pytest

import dpsql
from dpsql import dbapi
from dpsql.__main__ import main
from dpsql.errors import EngineError, PolicyError
from dpsql.platform.engine.far.postgres import Postgres
from dpsql.platform.engine.far.postgres_language import CALLS
from tests.session.on_postgres import COUNT, cells, far, in_place
from tests.support.on_a_server import PEOPLE, POLICY, do


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
@pytest.mark.one_in(2)
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


def test_the_db_api(url: str, tmp_path: Path) -> None:
    do(url, PEOPLE)
    given = {"ledger": tmp_path / "ledger", "eps": 1e4, "in_place": True}
    with dbapi.connect(url, POLICY, **given) as made, made.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM people WHERE age >= ?", (0,))
        assert cursor.fetchall() == [(200,)]
        with pytest.raises(dbapi.NotSupportedError, match="DP106"):
            cursor.execute("SELECT COUNT(*) FROM people WHERE UPPER(town) = ?", ("A",))


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
