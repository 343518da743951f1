"""The ledger on a server: processes, kills, and every way a server can fail."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from fractions import Fraction

import pytest

from dpsql.core.account.account import Account
from dpsql.core.account.amount import ZERO, Cost
from dpsql.errors import EngineError
from dpsql.platform.ledger.ledger import Entry, Stored
from dpsql.platform.ledger.ledger_tables import TABLES
from dpsql.platform.ledger.postgres_store import PostgresStore
from dpsql.platform.ledger.sql_ledger import SqlLedger
from tests.accounting.test_kills import answer_one, child, moments, told, traced
from tests.accounting.test_sqlite_ledger import granted_of
from tests.support.effort import tries
from tests.support.ledgers import durable

psycopg = pytest.importorskip("psycopg")

ONE = Cost(Fraction(1))
TEN = Cost(Fraction(10))
ENTRY = Entry("SELECT 1")

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")


def request_many(url: str, total: Cost, count: int) -> int:
    return granted_of(durable(url, total), count)


@pytest.mark.parametrize("method", ["fork", pytest.param("spawn", marks=pytest.mark.deep)])
def test_eight_processes_are_granted_exactly_the_budget(database: str, method: str) -> None:
    total = Cost(Fraction(100))  # and no ledger yet: they also race to make it
    with multiprocessing.get_context(method).Pool(8) as pool:
        granted = pool.starmap(request_many, [(database, total, tries(30, 100))] * 8)
    assert sum(granted) == 100
    ledger = durable(database, total)
    assert (ledger.spent, ledger.remaining) == (total, ZERO)
    assert [charge.number for charge in ledger.entries()] == list(range(1, 101))


def test_a_ledger_made_before_a_fork_serves_the_children(database: str) -> None:
    ledger = durable(database, TEN)
    ledger.reserve(ONE, ENTRY)

    def work(tell: Callable[[bytes], object]) -> None:
        tell(str(ledger.reserve(ONE, ENTRY)).encode())

    assert told(*child(work))[0] == b"2"
    assert ledger.reserve(ONE, ENTRY) == 3


def test_a_kill_anywhere_never_loses_a_granted_charge(database: str) -> None:
    ledger = durable(database, Cost(Fraction(10**6)))
    answer_one(ledger, lambda _: None)
    every, spent = moments(ledger), 2
    points = tries(15, 50)
    for n in range(points):

        def work(
            tell: Callable[[bytes], object],
            left: int = n * every // points,
            ledger: SqlLedger = ledger,
        ) -> None:
            def one_less() -> None:
                nonlocal left
                left -= 1
                if left < 0:
                    os.kill(os.getpid(), signal.SIGKILL)

            traced(one_less)
            answer_one(ledger, tell)

        text, status = told(*child(work))
        assert status == -signal.SIGKILL
        ledger = durable(database, Cost(Fraction(10**6)))
        number = ledger.reserve(ONE, ENTRY)  # waits until the server has noticed
        more = number - spent - 1
        assert more == 1 if b"g" in text else more in (0, 1)
        spent = number
        assert ledger.spent.eps == len(ledger.entries()) == spent
        assert len(ledger.answers(number - 1)) in ((3,) if b"s" in text else (0, 3))


@pytest.mark.parametrize("table", [table.name for table in TABLES])
def test_rows_cannot_be_changed_or_deleted(database: str, table: str) -> None:
    ledger = durable(database, TEN)
    ledger.commit(ledger.reserve(ONE, ENTRY), (Stored("k", "", "[]"),))
    column = next(t for t in TABLES if t.name == table).columns.keys()[0]
    for statement in (
        f"DELETE FROM dpsql.{table}",
        f"UPDATE dpsql.{table} SET {column} = {column}",
        f"TRUNCATE dpsql.{table}",
    ):
        with psycopg.connect(database) as server, pytest.raises(psycopg.Error, match="rows stay"):
            server.execute(statement)


def refused(work: Callable[[], object], message: str) -> None:
    with pytest.raises(EngineError, match=f"^the ledger.*{message}.*; refused$") as caught:
        work()
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_a_ledger_that_is_locked_too_long(database: str) -> None:
    ledger = durable(database, TEN, timeout=0.05)
    with psycopg.connect(database) as other:
        other.execute("SELECT * FROM dpsql.account FOR UPDATE")
        refused(lambda: ledger.reserve(ONE, ENTRY), "locked")
        assert ledger.spent == ZERO  # who only reads does not wait
    assert ledger.reserve(ONE, ENTRY) == 1


def test_a_ledger_that_cannot_be_written(database: str) -> None:
    ledger = durable(database, TEN)
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("CREATE ROLE reader LOGIN")
        owner.execute("GRANT USAGE ON SCHEMA dpsql TO reader")
        owner.execute("GRANT SELECT ON ALL TABLES IN SCHEMA dpsql TO reader")
        try:
            reader = durable(database.replace("dpsql@", "reader@"), TEN)
            assert reader.spent == ZERO
            refused(lambda: reader.reserve(ONE, ENTRY), "cannot be used by this user")
        finally:
            owner.execute("DROP OWNED BY reader")
            owner.execute("DROP ROLE reader")
    assert ledger.reserve(ONE, ENTRY) == 1


def test_places_where_no_ledger_can_be(database: str, server: str) -> None:
    refused(lambda: durable(server.format("missing"), TEN), "")
    refused(lambda: durable("postgresql://dpsql@/x?host=/nowhere", TEN), "cannot be reached")
    refused(lambda: PostgresStore("sqlite:///x", 30.0), "none of a PostgreSQL database")
    refused(lambda: durable("postgresql://h:x/y", TEN), "none of a PostgreSQL database")
    with psycopg.connect(database, autocommit=True) as other:
        other.execute("CREATE SCHEMA dpsql")
        refused(lambda: durable(database, TEN), "another format, not 4")
        other.execute("COMMENT ON SCHEMA dpsql IS 'dpsql ledger, format 1'")
        refused(lambda: durable(database, TEN), "another format, not 4")
        other.execute("COMMENT ON SCHEMA dpsql IS 'dpsql ledger, format 3'")
        refused(lambda: durable(database, TEN), "is damaged or is no ledger")


def test_tables_that_have_disappeared_do_not_come_back_empty(database: str) -> None:
    ledger = durable(database, TEN)
    with psycopg.connect(database, autocommit=True) as other:
        other.execute("DROP SCHEMA dpsql CASCADE")
    refused(lambda: ledger.reserve(ONE, ENTRY), "is damaged or is no ledger")
    refused(lambda: durable(database, TEN), "the account that was there is gone")


def test_a_server_that_does_not_sync_is_refused(database: str) -> None:
    def setting(value: str) -> None:
        with psycopg.connect(database, autocommit=True) as owner:
            owner.execute(f"ALTER SYSTEM SET fsync = {value}")
            owner.execute("SELECT pg_reload_conf()")
            while owner.execute("SHOW fsync").fetchone() != (value,):
                pass  # it is told to reload, and does

    setting("off")
    try:
        refused(lambda: durable(database, TEN), "does not sync its disk")
    finally:
        setting("on")


def test_each_commit_is_synced(database: str) -> None:
    ledger = durable(database, TEN)
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("ALTER ROLE dpsql SET synchronous_commit = off")
        try:
            found = ledger._store.read(
                lambda c: c.exec_driver_sql("SHOW synchronous_commit").scalar()
            )
        finally:
            owner.execute("ALTER ROLE dpsql RESET synchronous_commit")
    assert found == "on"


def test_the_password_is_in_no_message_and_no_record(database: str) -> None:
    url = database.replace("dpsql@", "dpsql:secret@")
    ledger = durable(url, Account(TEN))
    assert "secret" not in ledger._store.place and "dpsql@" not in ledger._store.place
    with pytest.raises(EngineError) as caught:
        durable(url.replace("?host=", "?host=/no"), TEN)
    assert str(caught.value) == "the ledger cannot be reached; refused"
