"""The power fails at any call of the ledger's: what was granted stays charged, and it opens.

See `tests.support.powerloss` for what is simulated, and what is not.
"""

from __future__ import annotations

import shutil
import sqlite3
import sys
from fractions import Fraction
from itertools import islice
from pathlib import Path

import pytest

from dpsql.core.account.amount import Cost
from dpsql.errors import DpsqlError
from dpsql.platform.ledger.ledger import Entry, Stored
from dpsql.platform.ledger.sql_ledger import SqlLedger
from dpsql.platform.ledger.sqlite_store import SqliteStore
from tests.support.ledgers import durable
from tests.support.powerloss import Disk, Event, Tell, losses, recorded

TOTAL = Cost(Fraction(10**6))
ONE = Cost(Fraction(1))
BODY = "[" + "1" * 6000 + "]"  # some pages, and some sectors of each

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning"),
    pytest.mark.skipif(sys.platform != "linux", reason="system calls are seen on Linux only"),
]


def opened(folder: Path) -> SqlLedger:
    return durable(folder / "ledger", TOTAL, witness=folder / "state")


def asking(folder: Path, tell: Tell, times: int = 3) -> None:
    """What queries do, and say of themselves; the last one fails."""
    ledger = opened(folder)
    for n in range(times):
        number = ledger.reserve(ONE, Entry(f"SELECT {n} {'x' * 100}", request=f"k{n}"))
        tell(b"g")
        if n < times - 1:
            ledger.commit(number, (Stored(f"key {n}", "family", BODY),))
            tell(b"s")
    ledger.failed(number, drawn=False)
    tell(b"f")


def check(folder: Path, told: bytes) -> None:
    """After the power came back.

    Args:
        folder: what is on the disk.
        told: what the process said before.
    """
    ledger = opened(folder)
    lines = ledger.entries()
    charges = [line for line in lines if line.kind == "charge"]
    granted = told.count(b"g")
    assert granted <= len(charges) <= granted + 1, "a charge is lost, or made twice"
    assert ledger.spent.eps == len(charges)
    assert [line.entry.request for line in charges] == [f"k{n}" for n in range(len(charges))]
    answered = [line for line in charges if line.answered]
    stored = told.count(b"s")
    assert stored <= len(answered) <= stored + 1, "an answer that was shown is lost"
    for line in answered:
        assert [one.body for one in ledger.answers(line.number)] == [BODY]
    noted = [line for line in lines if line.kind == "failed"]
    assert told.count(b"f") <= len(noted) <= 1
    number = ledger.reserve(ONE, Entry("SELECT 'again'"))
    ledger.commit(number, (Stored("key", "", "[]"),))
    assert ledger.spent.eps == len(charges) + 1


def check_losses(
    events: list[Event], disk: Disk, folder: Path, ways: int, every: int = 1
) -> tuple[int, list[str]]:
    """At each point, some ways to lose what is not durable: how many were tried, and what failed.

    Args:
        events: as they happened.
        disk: as it was before them.
        folder: where what is left is written.
        ways: at each point.
        every: of how many points between two syncs one is looked at.
    """
    told, tried, wrong = b"", 0, []
    for point, event in enumerate(events):
        disk.happened(event)
        if event.kind == "tell":
            told += event.data
        elif event.kind == "open" or (event.kind == "write" and point % every):
            continue
        for way, (name, keep) in enumerate(islice(losses(point), 1 if disk.settled else ways)):
            place = folder / f"{point} {way}"
            place.mkdir(parents=True)
            disk.after(place, keep)
            tried += 1
            try:
                check(place, told)
            except (AssertionError, DpsqlError) as problem:
                wrong.append(f"after {event.kind} {Path(event.path).name}, {name}: {problem}")
            shutil.rmtree(place)
    return tried, wrong


def run(tmp_path: Path, ways: int, every: int, times: int) -> None:
    root = tmp_path / "root"
    disk = Disk(root)
    events = recorded(root, lambda tell: asking(root, tell, times))
    kinds = {event.kind for event in events}
    assert {"write", "sync", "remove", "move", "tell"} <= kinds
    tried, wrong = check_losses(events, disk, tmp_path / "after", ways, every)
    print(f"{tried} losses at {len(events)} calls")
    assert wrong == []


FEW_AND_MANY = [(2, 12), pytest.param(6, 3, marks=pytest.mark.deep)]


@pytest.mark.parametrize(("ways", "every"), FEW_AND_MANY)
def test_no_loss_of_power_loses_a_charge(tmp_path: Path, ways: int, every: int) -> None:
    (tmp_path / "root").mkdir()
    opened(tmp_path / "root")
    run(tmp_path, ways, every, 2 if every > 1 else 4)


@pytest.mark.deep
@pytest.mark.parametrize(("ways", "every"), FEW_AND_MANY)
def test_nor_while_it_is_made(tmp_path: Path, ways: int, every: int) -> None:
    (tmp_path / "root").mkdir()
    run(tmp_path, ways, 4 * every, 1)


@pytest.mark.parametrize("less", ["OFF", "NORMAL", "FULL"])
def test_with_less_than_all_syncs_it_would(
    tmp_path: Path, less: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or nothing would be simulated: each sync that SQLite could leave out is missed.

    Without the last one, of the folder, the journal that was removed is back, and with it what was
    before the charge.
    """
    root = tmp_path / "root"
    root.mkdir()
    opened(root)
    real = SqliteStore._connect

    def weaker(self: SqliteStore) -> sqlite3.Connection:
        connection = real(self)
        connection.execute(f"PRAGMA synchronous = {less}")
        return connection

    disk = Disk(root)
    with monkeypatch.context() as patched:
        patched.setattr(SqliteStore, "_connect", weaker)
        events = recorded(root, lambda tell: asking(root, tell, 1))
    told = next(n for n, event in enumerate(events) if event.kind == "tell")
    for event in events[:told]:
        disk.happened(event)
    _, wrong = check_losses(events[told : told + 1], disk, tmp_path / "after", 1)
    assert "a charge is lost" in " ".join(wrong) or "line 1 was seen" in " ".join(wrong), wrong
