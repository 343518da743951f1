"""What a charge asks its database, once; and that what is kept of it is what would be read."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction
from functools import partial
from itertools import product
from pathlib import Path

import pytest

from dpsql.core.account.account import Account, Cap
from dpsql.core.account.amount import Cost
from dpsql.core.account.events import DiscreteLaplaceEvent
from dpsql.errors import AnalystLocked, LedgerTampered, RateExceeded
from dpsql.platform.ledger import accounts, conduct, selects
from dpsql.platform.ledger.admission import Head
from dpsql.platform.ledger.connection import Connection
from dpsql.platform.ledger.ledger import Entry, Stored
from dpsql.platform.ledger.lines import StoredLine, intact
from dpsql.platform.ledger.sql_ledger import SqlLedger
from tests.accounting.conftest import Make
from tests.support.effort import tries
from tests.support.ledgers import durable

ONE = Cost(Fraction(1))
MANY = Cost(Fraction(10**6), Fraction(1, 10))
LOSS = DiscreteLaplaceEvent(scale=10, l1=1).loss
ANSWER = (Stored("key", "family", "[1]"),)


def asked(monkeypatch: pytest.MonkeyPatch, work: Callable[[], object]) -> list[str]:
    """What SQLite is asked meanwhile."""
    found: list[str] = []
    connect = sqlite3.connect

    def opened(*args: object, **options: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*args, **options)  # type: ignore[call-overload]
        connection.set_trace_callback(found.append)
        return connection

    with monkeypatch.context() as patched:
        patched.setattr(sqlite3, "connect", opened)
        work()
    return found


def test_a_charge_and_its_answer_ask_little(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each statement costs time in which others wait: whoever needs one more says so here."""
    ledger = durable(tmp_path / "ledger", MANY)
    entry = Entry("SELECT COUNT(*) AS n FROM orders", "[" * 100)
    ledger.commit(ledger.reserve(LOSS, entry), ANSWER)
    ledger._store.rest()
    charge = asked(monkeypatch, lambda: ledger.reserve(LOSS, entry))
    ledger._store.rest()
    answer = asked(monkeypatch, lambda: ledger.commit(2, ANSWER))
    assert (len(charge), len(answer)) == (11, 10), [*charge, *answer]

    def both() -> None:
        ledger._store.rest()
        ledger.commit(ledger.reserve(LOSS, entry), ANSWER)

    assert sum("PRAGMA" in one for one in asked(monkeypatch, both)) == 2  # of one connection


def newest(ledger: SqlLedger) -> tuple[tuple[object, ...], Head]:
    """The newest line as it is stored, and as a charge goes on from it."""

    def work(connection: Connection) -> tuple[tuple[object, ...], Head]:
        row = connection.execute(selects.LAST, {"of": ledger._made[0]}).first()
        return tuple(row), accounts.head(connection, ledger._made, [])

    return ledger._store.read(work)


@pytest.mark.parametrize("hours", [0, 5, -11])
def test_what_is_kept_of_a_line_is_what_is_read(make: Make, hours: int) -> None:
    caps = (Cap("ann", Cost(Fraction(50)), frozenset({"ann"})),)
    account = Account(MANY, caps=caps, window=timedelta(days=1))
    ledger = make(account)
    there = timezone(timedelta(hours=hours))
    for n, analyst in enumerate(["", "ann", "bob", "ann", "ann"]):
        moment = datetime(2026, 1, 1 + n // 2, n, tzinfo=UTC).astimezone(there)
        entry = Entry(
            f"SELECT {n}" * 40, time=moment, analyst=analyst, request=f"k{n}", batch=n > 2
        )
        ledger.reserve(LOSS if n % 2 else ONE, entry)
        row, head = newest(ledger)
        assert head.line is accounts._newest[ledger._made[1]][1]
        assert intact(row)
        assert head == Head.of(StoredLine.read(row))


def test_a_row_that_is_another_is_read(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    ledger = durable(path, MANY)
    ledger.reserve(ONE, Entry("SELECT 1"))
    for column, value in (("spent", "'[]'"), ("analyst", "'eve'"), ("hash", "'0'"), ("batch", "1")):
        connection = sqlite3.connect(path, isolation_level=None)
        connection.execute("DROP TRIGGER IF EXISTS charge_UPDATE")
        (before,) = connection.execute(f"SELECT {column} FROM charge").fetchone()
        connection.execute(f"UPDATE charge SET {column} = {value}")
        with pytest.raises(LedgerTampered, match="line 1 was changed"):
            ledger.reserve(ONE, Entry("SELECT 2"))
        connection.execute(f"UPDATE charge SET {column} = ?", (before,))
        connection.close()
    assert ledger.reserve(ONE, Entry("SELECT 2")) == 2


@pytest.mark.parametrize("seed", range(tries(2, 30)))
@pytest.mark.one_in(2)
def test_what_became_of_charges_is_what_would_be_found_anew(make: Make, seed: int) -> None:
    """By whichever ledger of the account, and however many lines later."""
    draw = random.Random(seed)
    account = Account(MANY, failures=4)
    ledgers = (
        [make(account)] * 2 if make.__name__ == "MemoryLedger" else [make(account), make(account)]
    )
    running: list[int] = []
    for n in range(25):
        ledger, analyst = draw.choice(ledgers), draw.choice(["ann", "bob"])
        act = draw.choice(["charge", "charge", "answer", "fail", "stop", "unlock"])
        if act == "charge":
            with suppress(AnalystLocked, RateExceeded):
                number = ledger.reserve(ONE, Entry(f"{n % 3}", analyst=analyst), wait=0)
                running.append(number)
        elif act == "unlock":
            ledger.unlock(analyst)
        elif running:
            number = running.pop(draw.randrange(len(running)))
            if act == "answer":
                ledger.commit(number, ANSWER)
            else:
                ledger.failed(number, interrupted=act == "stop", drawn=draw.random() < 0.5)

        if draw.random() < 0.5:
            continue
        for one, who in product(ledgers, ("ann", "bob")):
            found = partial(history, one._made, who)
            kept, known = one._read(found), dict(conduct._known)
            conduct._known.clear()
            assert kept == one._read(found)
            conduct._known.update(known)


def history(made: object, who: str, connection: Connection, head: Head) -> conduct.History:
    """What is known of an analyst."""
    return conduct.of(connection, made, head, who)
