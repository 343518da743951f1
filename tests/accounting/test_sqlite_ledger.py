"""The durable ledger: processes, kills, and every way a file can fail."""

import multiprocessing
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from dpsql.core.account.amount import ZERO, Cost
from dpsql.errors import BudgetExceeded, EngineError
from dpsql.platform.ledger import sqlite_store
from dpsql.platform.ledger.ledger import Entry, Ledger, Stored
from dpsql.platform.ledger.ledger_tables import FORMAT, TABLES
from dpsql.platform.ledger.sql_ledger import SqlLedger
from tests.support.effort import tries
from tests.support.ledgers import durable

ONE = Cost(Fraction(1))
TEN = Cost(Fraction(10))
ENTRY = Entry("SELECT 1")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger ?#%.sqlite"  # characters that mean something in a URI


def request_many(path: Path, total: Cost, count: int) -> int:
    return granted_of(durable(path, total), count)


def granted_of(ledger: Ledger, count: int) -> int:
    """How many of so many requests are granted."""
    granted = 0
    for _ in range(count):
        try:
            ledger.reserve(Cost(Fraction(1)), ENTRY)
            granted += 1
        except BudgetExceeded:
            pass
    return granted


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize(("method", "number"), [("fork", 8), ("spawn", tries(3, 8))])
def test_processes_are_granted_exactly_the_budget(path: Path, method: str, number: int) -> None:
    total = Cost(Fraction(100))  # and no ledger yet: they also race to make it
    with multiprocessing.get_context(method).Pool(number) as pool:
        granted = pool.starmap(request_many, [(path, total, tries(240 // number, 200))] * number)
    assert sum(granted) == 100
    ledger = durable(path, total)
    assert ledger.spent == total
    assert [charge.number for charge in ledger.entries()] == list(range(1, 101))
    assert [p.name for p in path.parent.iterdir()] == [path.name]  # nothing left lying about


def test_a_ledger_made_before_a_fork_serves_the_children(path: Path) -> None:
    ledger = durable(path, TEN)
    ledger.reserve(ONE, ENTRY)
    child = os.fork()
    if child == 0:
        os._exit(ledger.reserve(ONE, ENTRY))
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 2
    assert ledger.reserve(ONE, ENTRY) == 3


KILLED = """
import os, signal, sys
from fractions import Fraction
from dpsql.core.account.amount import Cost
from dpsql.platform.ledger.ledger import Entry
from dpsql.core.account.account import Account
from dpsql.platform.ledger.opening import open_ledger
ledger = open_ledger(sys.argv[1], Account(Cost(Fraction(10))))
ledger.reserve(Cost(Fraction(1, 10)), Entry("SELECT 1"))
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_kill_right_after_the_charge_leaves_it_spent(path: Path) -> None:
    for kills in range(1, tries(3, 4)):
        run = subprocess.run([sys.executable, "-c", KILLED, path], timeout=60, check=False)
        assert run.returncode == -signal.SIGKILL
        assert durable(path, TEN).spent == Cost(Fraction(kills, 10))


def test_only_the_owner_can_read_it(path: Path) -> None:
    durable(path, TEN).reserve(ONE, ENTRY)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_reopening_grants_nothing_new(path: Path) -> None:
    durable(path, TEN).reserve(TEN, ENTRY)
    again = durable(path, TEN)
    assert again.remaining == ZERO
    with pytest.raises(BudgetExceeded):
        again.reserve(ONE, ENTRY)


def test_another_total_never_lowers_what_was_spent(path: Path) -> None:
    durable(path, TEN).reserve(Cost(Fraction(4)), ENTRY)
    less = durable(path, Cost(Fraction(3)))
    assert (less.spent, less.remaining) == (Cost(Fraction(4)), ZERO)
    with pytest.raises(BudgetExceeded):
        less.reserve(Cost(Fraction(1, 100)), ENTRY)
    assert durable(path, Cost(Fraction(20))).remaining == Cost(Fraction(16))


@pytest.mark.parametrize("table", [table.name for table in TABLES])
def test_rows_cannot_be_changed_or_deleted(path: Path, table: str) -> None:
    ledger = durable(path, TEN)
    long = replace(ENTRY, sql=f"SELECT '{'x' * 10_000}'")  # it is stored as one of the words
    ledger.commit(ledger.reserve(ONE, long), (Stored("k", "", "[]"),))
    connection = sqlite3.connect(path)
    (column, *_) = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    for statement in (f"DELETE FROM {table}", f"UPDATE {table} SET {column} = {column}"):
        with pytest.raises(sqlite3.IntegrityError, match="rows stay"):
            connection.execute(statement)
    connection.close()


def refused(ledger: SqlLedger, message: str) -> None:
    """`reserve` raises one EngineError that says why, without a chain."""
    with pytest.raises(EngineError, match=f"^the ledger .*{message}.*; refused$") as caught:
        ledger.reserve(ONE, ENTRY)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_a_ledger_that_is_locked_too_long(path: Path) -> None:
    ledger = durable(path, TEN, timeout=0.05)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    refused(ledger, "locked")
    other.execute("ROLLBACK")
    other.execute("BEGIN")
    other.execute("SELECT * FROM charge").fetchall()
    refused(ledger, "locked")  # at COMMIT: a reader is in the way
    other.execute("ROLLBACK")
    other.close()
    assert ledger.spent == ZERO
    assert ledger.reserve(ONE, ENTRY) == 1


def test_a_ledger_that_cannot_be_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = durable(path, TEN)
    opened = sqlite_store._open
    ledger._store.rest()
    monkeypatch.setattr(sqlite_store, "_open", lambda p, mode, t: opened(p, "ro", t))
    refused(ledger, "cannot be written")


FULL = """
import resource, signal, sys
from fractions import Fraction
from dpsql.core.account.amount import Cost
from dpsql.platform.ledger.ledger import Entry
from dpsql.core.account.account import Account
from dpsql.platform.ledger.opening import open_ledger
from dpsql.errors import EngineError
ledger = open_ledger(sys.argv[1], Account(Cost(Fraction(1000))))
ledger.reserve(Cost(Fraction(1)), Entry("SELECT 1"))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
size = __import__("os").stat(sys.argv[1]).st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
granted = 1
try:
    for _ in range(100):
        ledger.reserve(Cost(Fraction(1)), Entry("x" * 1000))
        granted += 1
except EngineError as error:
    assert error.__context__ is None
    print(granted, str(error))
"""


def test_a_disk_that_is_full(path: Path) -> None:
    command = [sys.executable, "-c", FULL, str(path)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    granted, _, message = run.stdout.strip().partition(" ")
    assert message.startswith("the ledger ") and message.endswith("; refused")
    assert durable(path, Cost(Fraction(1000))).spent == Cost(Fraction(int(granted)))


def test_a_full_database_is_said_to_be_full(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = durable(path, TEN)
    opened = sqlite_store._open

    def small(*args: object) -> sqlite3.Connection:
        connection = opened(*args)  # type: ignore[arg-type]
        connection.execute("PRAGMA max_page_count = 1")
        return connection

    ledger._store.rest()
    monkeypatch.setattr(sqlite_store, "_open", small)
    with pytest.raises(EngineError, match="no space"):
        ledger.reserve(ONE, Entry("x" * 100_000))


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:100],
        lambda data: data[:4096],
        lambda data: b"\0" * len(data),
        lambda data: b"not a ledger" * 1000,
        lambda data: data[:100] + b"\xff" * (len(data) - 100),
    ],
    ids=["empty", "header", "first page", "zeros", "text", "overwritten"],
)
def test_a_damaged_ledger_is_refused(path: Path, damage: "object") -> None:
    ledger = durable(path, TEN)
    ledger.reserve(ONE, ENTRY)
    path.write_bytes(damage(path.read_bytes()))  # type: ignore[operator]
    refused(ledger, "")
    with pytest.raises(EngineError, match="refused"):
        durable(path, TEN)


def test_a_ledger_that_has_disappeared_does_not_come_back_empty(path: Path) -> None:
    ledger = durable(path, TEN)
    path.unlink()
    refused(ledger, "cannot be opened")
    assert not path.exists()


def test_another_database_is_no_ledger(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE charge (number INTEGER)")
    connection.commit()
    connection.close()
    with pytest.raises(EngineError, match="no ledger"):
        durable(path, TEN)


@pytest.mark.parametrize("version", [1, FORMAT + 1])
def test_another_format_is_refused(path: Path, version: int) -> None:
    durable(path, TEN)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    said = f"^the ledger has format {version}, not {FORMAT}; refused$"
    with pytest.raises(EngineError, match=said):
        durable(path, TEN)


def test_places_where_no_ledger_can_be(tmp_path: Path) -> None:
    for place in (tmp_path / "missing" / "ledger", tmp_path):
        with pytest.raises(EngineError, match=r"^the ledger .*refused$") as caught:
            durable(place, TEN)
        assert caught.value.__context__ is None
        assert str(tmp_path) not in str(caught.value)


def test_text_that_is_no_text_is_refused(path: Path) -> None:
    ledger = durable(path, TEN)
    with pytest.raises(EngineError, match="cannot hold this text"):
        ledger.reserve(ONE, Entry("\ud800"))
    assert ledger.spent == ZERO


def test_a_second_ledger_object_does_not_drop_the_locks_of_the_first(path: Path) -> None:
    ledger = durable(path, Cost(Fraction(30)))
    granted: list[int] = []

    def work() -> None:
        for _ in range(5):
            granted.append(durable(path, ledger.total).reserve(ONE, ENTRY))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(granted) == list(range(1, 31))
