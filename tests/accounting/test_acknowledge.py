"""The owner accepts damage: what was spent never falls, and what comes after is guarded again."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path

import pytest

from dpsql.core.account.account import Account, Cap
from dpsql.core.account.amount import Cost
from dpsql.core.account.loss import NOTHING
from dpsql.errors import BudgetExceeded, EngineError, LedgerTampered
from dpsql.platform.ledger import ledger_tables
from dpsql.platform.ledger.ledger import Charge, Entry, Stored
from dpsql.platform.ledger.opening import acknowledge
from dpsql.platform.ledger.sql_ledger import SqlLedger
from dpsql.platform.ledger.witness import default_folder
from tests.accounting.conftest import opened
from tests.accounting.damage import change, rows
from tests.support.effort import sampled

ONE = Cost(Fraction(1))
THREE = Cost(Fraction(3))
TEN = Cost(Fraction(10))
ACCOUNT = Account(TEN, caps=(Cap("ann", Cost(Fraction(4))), Cap("bob", Cost(Fraction(4)))))
ENTRY = Entry("SELECT 1", analyst="ann")


def made(where: str, lines: int = 3) -> SqlLedger:
    ledger = opened(where, ACCOUNT)
    for number in range(1, lines + 1):
        ledger.reserve(ONE, ENTRY)
        ledger.commit(number, (Stored("key", "family", "[1]"),))
    return ledger


def accepted(where: str, account: Account = ACCOUNT) -> Charge:
    """Accepting is needed, says one line, is enough, and is not done twice."""
    with pytest.raises(LedgerTampered):
        opened(where, account)
    line = acknowledge(where, account)
    assert line is not None
    assert (line.kind, line.entry.sql) == ("acknowledged", "")
    assert json.loads(line.note)["problem"].startswith("the ledger is damaged: ")
    assert opened(where, account).entries()[-1] == line
    assert acknowledge(where, account) is None
    return line


def test_nothing_is_accepted_where_nothing_is_wrong(where: str) -> None:
    made(where)
    assert acknowledge(where, ACCOUNT) is None
    assert len(opened(where, ACCOUNT).entries()) == 3


DAMAGE = (
    ("DELETE FROM charge WHERE number > 1", 3),  # as an older copy; the witness knows
    ("DELETE FROM charge WHERE number = 2", 3),
    ("DELETE FROM charge", 3),
    ("UPDATE charge SET loss = lost, spent = lost, spent_by = lost", 3),
    ("UPDATE charge SET loss = 'NaN', spent = '', time = 'x'", 3),
    ("UPDATE charge SET analyst = 'bob' WHERE number = 3", 3),
    ("UPDATE charge SET number = 7 WHERE number = 3", 4),  # 3 were seen, and a later one
    ("UPDATE charge SET loss = spent WHERE number = 3", 5),  # 1 + 1 + 3: the larger one counts
    ("UPDATE account SET accountant = 'zcdp'", 3),
    ("DELETE FROM account", 3),
    ("DELETE FROM identity", 3),
    ("DELETE FROM answer WHERE number = 1", 3),
    ("DELETE FROM seal", 3),
)
"""What is done to a ledger, and what has been spent after it."""


@pytest.mark.parametrize(
    ("where", "statement", "spent"),
    [
        (kind, *damage)
        for damage in DAMAGE
        for kind in ("sqlite", "postgres")
        if kind == "sqlite" or sampled(damage[0], 4)
    ],
    indirect=["where"],
)
@pytest.mark.one_in(3)
def test_what_was_spent_never_falls(where: str, statement: str, spent: int) -> None:
    made(where)
    change(where, statement)
    line = accepted(where)
    assert line.spent.cost == Cost(Fraction(spent))
    assert line.number > max([3, *(n for (n,) in rows(where, "SELECT number FROM charge"))][:-1])
    ledger = opened(where, ACCOUNT)
    number = ledger.reserve(ONE, Entry("SELECT 1", analyst="eve"))
    assert number == line.number + 1
    ledger.commit(number, (Stored("new", "", "[2]"),))
    again = opened(where, ACCOUNT)
    assert again.spent == Cost(Fraction(spent + 1))
    assert [one.body for one in again.find(key="new")] == ["[2]"]


def test_without_a_witness_the_lines_count(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(where)
    monkeypatch.setenv("DPSQL_STATE", str(tmp_path / "other machine"))
    change(where, "UPDATE charge SET spent = lost, loss = lost WHERE number = 3")
    assert accepted(where).spent.cost == Cost(Fraction(2))  # what no line says is not known


def test_what_is_gone_counts_for_every_analyst(where: str) -> None:
    ledger = made(where, 1)
    ledger.reserve(Cost(Fraction(2)), Entry("SELECT 1", analyst="bob"))
    change(where, "DELETE FROM charge WHERE number = 2")
    line = accepted(where)
    assert line.loss.cost == Cost(Fraction(2))
    ledger = opened(where, ACCOUNT)
    # Nobody knows any more whose the lines were: all three count for both.
    for name, left in (("ann", 1), ("bob", 1)):
        entry = Entry("SELECT 1", analyst=name)
        with pytest.raises(BudgetExceeded, match=f"ε = {left} is left .* the cap of {name}$"):
            ledger.reserve(THREE, entry)
        ledger.reserve(Cost(Fraction(left)), entry)
    last = opened(where, ACCOUNT).entries()[-2:]
    assert [line.spent_by.cost for line in last] == [Cost(Fraction(4))] * 2


def test_what_is_gone_counts_once_for_a_group(where: str) -> None:
    account = Account(TEN, caps=(Cap("both", Cost(Fraction(6)), frozenset({"ann", "bob"})),))
    ledger = opened(where, account)
    for name in ("ann", "bob", "eve"):
        ledger.reserve(ONE, Entry("SELECT 1", analyst=name))
    change(where, "DELETE FROM charge WHERE number = 3")
    assert accepted(where, account).loss.cost == ONE
    ledger = opened(where, account)
    for name, left in (("ann", 3), ("bob", 2), ("ann", 1)):
        entry = Entry("SELECT 1", analyst=name)
        with pytest.raises(BudgetExceeded, match=f"ε = {left} is left .* the cap of both$"):
            ledger.reserve(Cost(Fraction(4)), entry)
        ledger.reserve(ONE, entry)


def test_what_was_accepted_cannot_be_changed_later(where: str) -> None:
    made(where)
    change(where, "DELETE FROM charge WHERE number = 2")
    line = accepted(where)
    opened(where, ACCOUNT).reserve(ONE, ENTRY)
    what = f"what was accepted by line {line.number} has changed since"
    for statement in (
        "UPDATE charge SET sql = 'x' WHERE number = 1",
        "DELETE FROM charge WHERE number = 3",
        "UPDATE answer SET key = 'x' WHERE number = 1",
        "DELETE FROM seal WHERE number = 3",
        "UPDATE account SET accountant = 'rdp'",
        "INSERT INTO identity VALUES ('x', 1, 0)",
    ):
        change(where, statement)
        with pytest.raises(LedgerTampered, match=what):
            opened(where, ACCOUNT)
        line = accepted(where)
        what = f"what was accepted by line {line.number} has changed since"
        assert line.loss == NOTHING
    change(where, f"UPDATE charge SET note = '' WHERE number = {line.number}")
    with pytest.raises(LedgerTampered):
        opened(where, ACCOUNT)
    assert accepted(where).spent.cost == Cost(Fraction(4))


def test_lines_after_it_are_guarded_as_before(where: str) -> None:
    made(where)
    change(where, "DELETE FROM charge WHERE number = 3")
    line = accepted(where)
    opened(where, ACCOUNT).reserve(ONE, ENTRY)
    change(where, f"UPDATE charge SET sql = 'x' WHERE number = {line.number + 1}")
    with pytest.raises(LedgerTampered, match=f"line {line.number + 1} was changed"):
        opened(where, ACCOUNT)


def test_a_query_from_before_it_cannot_be_answered_any_more(where: str) -> None:
    ledger = made(where)
    number = ledger.reserve(ONE, ENTRY)
    change(where, "DELETE FROM charge WHERE number = 2")
    accepted(where)
    answer = (Stored("k", "", "[]"),)
    with pytest.raises(EngineError, match=f"was acknowledged after charge {number}; refused"):
        ledger.commit(number, answer)
    opened(where, ACCOUNT)


def test_a_file_that_has_vanished_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    made(str(path))
    path.unlink()
    line = accepted(str(path))
    assert (line.number, line.loss.cost, line.spent.cost) == (4, THREE, THREE)
    assert len(opened(str(path), ACCOUNT).entries()) == 1


def test_rows_that_have_vanished_are_made_anew(database: str) -> None:
    made(database)
    change(database, *(f"DELETE FROM {table.name}" for table in ledger_tables.TABLES))
    assert accepted(database).spent.cost == THREE


def test_another_ledger_in_its_place_adds_to_what_was_spent(tmp_path: Path) -> None:
    path, other = tmp_path / "ledger", tmp_path / "other"
    made(str(path))
    made(str(other), 2)
    shutil.move(other, path)
    line = accepted(str(path))
    assert (line.loss.cost, line.spent.cost) == (THREE, Cost(Fraction(5)))


def test_an_older_copy_is_accepted(tmp_path: Path) -> None:
    path, copy = tmp_path / "ledger", tmp_path / "copy"
    ledger = made(str(path))
    shutil.copy(path, copy)
    ledger.reserve(THREE, Entry("SELECT 1", analyst="bob"))
    shutil.copy(copy, path)
    line = accepted(str(path))
    assert (line.number, line.loss.cost, line.spent.cost) == (5, THREE, Cost(Fraction(6)))
    with pytest.raises(LedgerTampered):
        ledger.reserve(ONE, ENTRY)  # this process saw the line that is gone


def test_a_file_that_cannot_be_read_is_not_accepted(tmp_path: Path) -> None:
    path, copy = tmp_path / "ledger", tmp_path / "copy"
    ledger = made(str(path))
    shutil.copy(path, copy)
    ledger.reserve(ONE, ENTRY)
    good = path.read_bytes()
    for bad in (b"", b"x" * 5000, good[:4096], good[:200] + b"\xff" * (len(good) - 200)):
        path.write_bytes(bad)
        with pytest.raises(EngineError, match=r"^the ledger is damaged.*refused$") as caught:
            acknowledge(str(path), ACCOUNT)
        assert not isinstance(caught.value, LedgerTampered)
        assert path.read_bytes() == bad
    shutil.copy(copy, path)  # a backup
    assert accepted(str(path)).spent.cost == Cost(Fraction(4))


def test_another_data_set_does_not_get_the_account_by_itself(tmp_path: Path) -> None:
    where = str(tmp_path / "ledger")
    first, renamed = Account(TEN, identity="a"), Account(TEN, identity="b")
    opened(where, first).reserve(ONE, ENTRY)
    with pytest.raises(
        LedgerTampered, match="another data set, or who owns what in it has changed"
    ):
        opened(where, renamed)
    line = accepted(where, renamed)
    assert json.loads(line.note)["identity"] == "b"
    assert line.loss == NOTHING
    assert opened(where, first).spent == opened(where, renamed).spent == ONE  # both names
    third = Account(TEN, identity="c")
    accepted(where, third)
    assert [opened(where, a).reserve(ONE, ENTRY) for a in (first, renamed, third)] == [4, 5, 6]
    change(where, "UPDATE identity SET identity = 'd' WHERE identity = 'b'")
    with pytest.raises(LedgerTampered):
        opened(where, first)


def test_a_damaged_record_is_accepted(where: str) -> None:
    newest = made(where).entries()[-1].hash
    for file in (default_folder() / "witness").glob("*.json"):
        if newest in file.read_text():
            file.write_text("{}")
    assert accepted(where).spent.cost == THREE


def test_a_renewed_budget_is_not_renewed_by_accepting(where: str) -> None:
    account = Account(TEN, window=timedelta(days=1))
    ledger = opened(where, account)
    day = datetime.now(UTC) - timedelta(days=5)
    for n in range(3):  # two in a first window, one in a second; all are over
        ledger.reserve(ONE, Entry("SELECT 1", time=day + timedelta(days=n // 2)))
    change(where, "UPDATE charge SET loss = lost WHERE number = 3")
    line = accepted(where, account)
    assert line.spent.cost == ONE  # what the newest window had spent, in the present one
    assert opened(where, account).spent == ONE
    assert line.window is not None and line.window > day + timedelta(days=4)


def test_a_newer_window_that_the_witness_saw(where: str) -> None:
    account = Account(TEN, window=timedelta(days=1))
    ledger = opened(where, account)
    now = datetime.now(UTC)
    ledger.reserve(ONE, Entry("SELECT 1", time=now - timedelta(days=5)))
    ledger.reserve(THREE, Entry("SELECT 1", time=now))
    window = ledger.entries()[1].window
    change(where, "DELETE FROM charge WHERE number = 2")
    line = accepted(where, account)
    assert (line.window, line.spent.cost) == (window, THREE)
    with pytest.raises(BudgetExceeded):
        opened(where, account).reserve(Cost(Fraction(8)), Entry("SELECT 1", time=now))
