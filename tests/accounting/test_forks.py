"""Two copies of a ledger that were both charged, caps after damage, rows at which nobody looks."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import pytest

from dpsql.core.account.account import Account, Cap
from dpsql.core.account.amount import Cost
from dpsql.errors import BudgetExceeded, EngineError, LedgerTampered
from dpsql.platform.ledger import ledger_tables
from dpsql.platform.ledger.ledger import Entry
from dpsql.platform.ledger.opening import acknowledge, open_ledger
from dpsql.platform.ledger.sqlite_store import SqliteStore
from dpsql.platform.ledger.stored_answers import _digest

from .damage import change

ONE = Cost(Fraction(1))
TEN = Account(Cost(Fraction(10)), identity="x")


def eps(amount: int) -> Cost:
    return Cost(Fraction(amount))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger"


@pytest.fixture
def ann(tmp_path: Path) -> Path:
    return tmp_path / "ann"


@pytest.fixture
def bob(tmp_path: Path) -> Path:
    return tmp_path / "bob"


def test_both_branches_count(path: Path, ann: Path, bob: Path) -> None:
    ledger = open_ledger(path, TEN, witness=ann)
    ledger.reserve(ONE, Entry("both"))
    shutil.copy(path, path.with_name("old"))
    ledger.reserve(eps(5), Entry("ann's"))
    shutil.copy(path.with_name("old"), path)
    open_ledger(path, TEN, witness=bob).reserve(eps(4), Entry("bob's"))
    with pytest.raises(LedgerTampered):
        open_ledger(path, TEN, witness=ann)
    acknowledge(path, TEN, witness=ann)
    after = open_ledger(path, TEN, witness=ann)
    assert after.spent == eps(10)
    with pytest.raises(BudgetExceeded):
        after.reserve(Cost(Fraction(1, 100)), Entry("one more"))


def test_an_older_copy_alone_counts_once(path: Path, ann: Path) -> None:
    ledger = open_ledger(path, TEN, witness=ann)
    ledger.reserve(ONE, Entry("1"))
    shutil.copy(path, path.with_name("old"))
    ledger.reserve(eps(5), Entry("2"))
    shutil.copy(path.with_name("old"), path)
    acknowledge(path, TEN, witness=ann)
    assert open_ledger(path, TEN, witness=ann).spent == eps(6)


def test_two_live_copies_are_noticed_before_the_query(
    path: Path, ann: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = open_ledger(path, TEN, witness=ann)
    first.reserve(ONE, Entry("1"))
    other = path.with_name("other")
    shutil.copy(path, other)
    second = open_ledger(other, TEN, witness=ann)
    seen = second._seen_so_far()
    first.reserve(ONE, Entry("2"))
    first.reserve(ONE, Entry("3"))
    # As if it had asked the witness before the first one went on.
    monkeypatch.setattr(second, "_seen_so_far", lambda: seen)
    with pytest.raises(LedgerTampered):
        second.reserve(ONE, Entry("2, of the other copy"))


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM charge WHERE number = 1",
        "UPDATE charge SET loss = lost, spent_by = lost WHERE number = 1",
        "UPDATE charge SET analyst = 'eve' WHERE number = 1",
    ],
)
def test_damage_makes_no_cap_new(path: Path, ann: Path, damage: str) -> None:
    account = Account(eps(10), identity="x", caps=(Cap("ann", ONE),))
    ledger = open_ledger(path, account, witness=ann)
    ledger.reserve(ONE, Entry("1", analyst="ann"))
    ledger.reserve(Cost(Fraction(1, 10)), Entry("2", analyst="bob"))
    change(str(path), damage)
    acknowledge(path, account, witness=ann)
    again = open_ledger(path, account, witness=ann)
    assert again.spent == Cost(Fraction(11, 10))
    with pytest.raises(BudgetExceeded, match="the cap of ann"):
        again.reserve(Cost(Fraction(1, 100)), Entry("3", analyst="ann"))
    again.reserve(ONE, Entry("3", analyst="bob"))
    assert open_ledger(path, account, witness=ann).spent == Cost(Fraction(21, 10))


def test_a_new_name_alone_is_no_damage(path: Path, ann: Path) -> None:
    caps = (Cap("ann", ONE), Cap("bob", ONE))
    ledger = open_ledger(path, Account(eps(10), identity="x", caps=caps), witness=ann)
    ledger.reserve(ONE, Entry("1", analyst="ann"))
    other = Account(eps(10), identity="y", caps=caps)
    acknowledge(path, other, witness=ann)
    again = open_ledger(path, other, witness=ann)
    with pytest.raises(BudgetExceeded, match="the cap of ann"):
        again.reserve(ONE, Entry("2", analyst="ann"))
    again.reserve(ONE, Entry("2", analyst="bob"))


@pytest.mark.parametrize("number", [0, -1])
@pytest.mark.parametrize(
    "table", [ledger_tables.answer, ledger_tables.seal, ledger_tables.identity]
)
def test_rows_at_which_nobody_looks(path: Path, ann: Path, table: object, number: int) -> None:
    open_ledger(path, TEN, witness=ann).reserve(ONE, Entry("1"))
    digest = _digest("K", "", "forged")
    rows = {
        ledger_tables.answer: ("answer", (1, number, 0, "K", "", digest, "forged")),
        ledger_tables.seal: ("seal", (1, 9, number, "hash")),
        ledger_tables.identity: ("identity", ("y", 1, number)),
    }
    name, row = rows[table]  # type: ignore[index]
    with closing(sqlite3.connect(path)) as connection:
        places = ", ".join("?" * len(row))
        connection.execute(f"INSERT INTO {name} VALUES ({places})", row)
        connection.commit()
    with pytest.raises(LedgerTampered):
        open_ledger(path, TEN, witness=ann)


def test_no_answer_stands_at_the_line_that_accepted(path: Path, ann: Path) -> None:
    open_ledger(path, TEN, witness=ann).reserve(ONE, Entry("1"))
    change(str(path), "UPDATE charge SET sql = 'other'")
    line = acknowledge(path, TEN, witness=ann)
    assert line is not None
    row = (1, line.number, 0, "K", "", _digest("K", "", "forged"), "forged")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO answer VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        connection.commit()
    with pytest.raises(LedgerTampered):
        open_ledger(path, TEN, witness=ann)


def test_a_database_that_swallows_lines(path: Path, ann: Path) -> None:
    ledger = open_ledger(path, TEN, witness=ann)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(
            "CREATE TRIGGER z BEFORE INSERT ON charge BEGIN SELECT RAISE(IGNORE); END"
        )
    with pytest.raises(EngineError, match="does not keep its lines"):
        ledger.reserve(ONE, Entry("1"))


def test_a_damaged_account_can_be_accepted(path: Path, ann: Path) -> None:
    open_ledger(path, TEN, witness=ann).reserve(ONE, Entry("1"))
    change(str(path), "UPDATE account SET period = 'abc'")
    with pytest.raises(LedgerTampered):
        open_ledger(path, TEN, witness=ann)
    acknowledge(path, TEN, witness=ann)
    assert open_ledger(path, TEN, witness=ann).spent == ONE


def test_a_disk_that_is_full_when_the_file_is_made(
    path: Path, ann: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: Path) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr("dpsql.platform.ledger.sqlite_store._create", full)
    with pytest.raises(EngineError, match=r"^the ledger .*; refused$") as caught:
        SqliteStore(path, 1.0).create()
    assert caught.value.__cause__ is None and caught.value.__context__ is None
