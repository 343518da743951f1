"""PostgreSQL in place: what goes wrong there, and what others may change."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from dpsql.errors import EngineError
from dpsql.platform.engine import ownerlog
from dpsql.platform.engine.far.postgres import Postgres
from dpsql.session.database import Database
from tests.session.on_postgres import COUNT, cells, in_place
from tests.session.test_in_place_values import LOOSE
from tests.support.on_a_server import PEOPLE, do


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
@pytest.mark.one_in(2)
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


def test_a_disk_that_is_full(url: str, tmp_path: Path) -> None:
    do(url, PEOPLE)
    do(
        url,
        "INSERT INTO clinic.visits SELECT 2000 + i, i % 200 + 1, 1, left(md5(i::text), 16) "
        "FROM generate_series(1, 30000) AS i; CREATE ROLE full_disk LOGIN SUPERUSER; "
        "ALTER ROLE full_disk SET work_mem = '64kB'; ALTER ROLE full_disk SET temp_file_limit = 0",
    )
    try:
        with in_place(url.replace("dpsql@", "full_disk@"), tmp_path) as db:
            with pytest.raises(EngineError) as caught:
                db.run("SELECT COUNT(DISTINCT note) FROM clinic.visits", 1)
            assert caught.value.__context__ is None and caught.value.__cause__ is None
            assert db.budget.spent.exact.eps == 1  # what was charged stays so
            assert db.run(COUNT, 1e4).rows == ((200,),)
    finally:
        do(url, "DROP ROLE full_disk")


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
