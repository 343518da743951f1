"""The connection that a ledger in a file keeps: taken only where the file is as it was left."""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import pytest

from dpsql.core.account.account import Account
from dpsql.core.account.amount import Cost
from dpsql.errors import DpsqlError, EngineError, LedgerTampered
from dpsql.platform.ledger import sqlite_store
from dpsql.platform.ledger.connection import Connection
from dpsql.platform.ledger.ledger import Entry
from dpsql.platform.ledger.sql_ledger import SqlLedger
from dpsql.platform.ledger.sqlite_store import SqliteStore
from tests.support.ledgers import durable

ONE = Cost(Fraction(1))
TEN = Account(Cost(Fraction(10)), identity="x")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger"


@pytest.fixture
def ledger(path: Path, tmp_path: Path) -> SqlLedger:
    made = durable(path, TEN, witness=tmp_path / "witness")
    made.reserve(ONE, Entry("1"))
    return made


def kept(ledger: SqlLedger) -> Connection | None:
    store = ledger._store
    assert isinstance(store, SqliteStore)
    return store._kept[0].connection if store._kept else None


def test_it_is_taken_again(ledger: SqlLedger) -> None:
    before = kept(ledger)
    assert before is not None
    ledger.reserve(ONE, Entry("2"))
    assert kept(ledger) is before


def test_it_holds_no_lock(ledger: SqlLedger, path: Path) -> None:
    for work in (lambda: ledger.spent, lambda: ledger.reserve(ONE, Entry("2"))):
        work()
        assert kept(ledger) is not None
        with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")


def test_what_others_wrote_is_read(ledger: SqlLedger, path: Path, tmp_path: Path) -> None:
    before = kept(ledger)
    durable(path, TEN, witness=tmp_path / "witness").reserve(ONE, Entry("2"))
    assert ledger.spent == Cost(Fraction(2))
    assert kept(ledger) is not before


@pytest.mark.parametrize("way", ["copied over", "moved over"])
def test_an_older_copy_is_noticed_at_once(ledger: SqlLedger, path: Path, way: str) -> None:
    older = path.with_name("older")
    shutil.copy(path, older)
    ledger.reserve(ONE, Entry("2"))
    if way == "moved over":
        os.replace(older, path)
    else:
        shutil.copyfile(older, path)
    with pytest.raises(LedgerTampered):
        ledger.reserve(ONE, Entry("3"))


def test_a_file_that_is_no_more_is_not_written(ledger: SqlLedger, path: Path) -> None:
    path.unlink()
    with pytest.raises(EngineError):
        ledger.reserve(ONE, Entry("2"))


def test_a_file_that_came_meanwhile_is_not_kept(
    ledger: SqlLedger, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its state would be one file's, and the connection another's."""
    store, other = ledger._store, path.with_name("other")
    shutil.copy(path, other)

    def swapped(connection: Connection) -> None:
        os.replace(other, path)

    store.write(swapped)
    assert kept(ledger) is None


def test_what_failed_is_not_kept(ledger: SqlLedger) -> None:
    def fails(connection: Connection) -> None:
        raise EngineError("a failure")

    with pytest.raises(DpsqlError):
        ledger._store.write(fails)
    assert kept(ledger) is None
    assert ledger.reserve(ONE, Entry("2")) == 2


def test_two_threads_have_two(ledger: SqlLedger) -> None:
    found: list[Connection] = []
    both = threading.Barrier(2)

    def work(connection: Connection) -> None:
        found.append(connection)
        both.wait(10)

    threads = [threading.Thread(target=ledger._store.read, args=(work,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found[0] is not found[1]
    assert kept(ledger) in found


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows does not fork")
def test_none_is_carried_across_a_fork(ledger: SqlLedger) -> None:
    assert kept(ledger) is not None
    child = os.fork()
    if not child:  # in the child nothing but this; no test may go on in it
        os._exit(0 if kept(ledger) is None and ledger.reserve(ONE, Entry("2")) == 2 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert ledger.reserve(ONE, Entry("3")) == 3


def test_another_process_s_is_left_alone(
    ledger: SqlLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = kept(ledger)
    assert before is not None
    monkeypatch.setattr(os, "getpid", lambda: -1)
    monkeypatch.setattr(sqlite_store, "_OTHERS", [])
    assert ledger._store.read(lambda connection: connection is not before)
    monkeypatch.undo()
    assert before.exec_driver_sql("SELECT 1").scalar() == 1  # it was not closed
    before.close()


def test_it_is_closed_with_its_store(path: Path, tmp_path: Path) -> None:
    made = durable(path, TEN, witness=tmp_path / "witness")
    connection = kept(made)
    assert connection is not None
    del made
    with pytest.raises(sqlite3.ProgrammingError):
        connection.exec_driver_sql("SELECT 1")
