"""Whatever is done to a ledger behind its back is noticed before the next query is granted."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from contextlib import nullcontext
from fractions import Fraction
from pathlib import Path

import pytest

from dpsql.core.account.account import Account
from dpsql.core.account.amount import Cost
from dpsql.core.account.loss import approximate
from dpsql.errors import EngineError, LedgerTampered
from dpsql.platform.ledger import accounts, ledger_tables
from dpsql.platform.ledger.admission import Head
from dpsql.platform.ledger.connection import Connection
from dpsql.platform.ledger.ledger import Entry, Stored
from dpsql.platform.ledger.opening import open_ledger
from dpsql.platform.ledger.sql_ledger import SqlLedger
from dpsql.platform.ledger.witness import Seen, Witness, default_folder
from tests.accounting.conftest import opened
from tests.accounting.damage import change, forge, rows
from tests.support.ledgers import durable

ONE = Cost(Fraction(1))
TEN = Cost(Fraction(10))
ENTRY = Entry("SELECT 1", analyst="ann")


def made(where: str, lines: int = 3) -> SqlLedger:
    """A ledger with some lines; the first two have answers."""
    ledger = opened(where, TEN)
    for number in range(1, lines + 1):
        ledger.reserve(ONE, ENTRY)
        if number < 3:
            ledger.commit(number, (Stored("key", "family", "[1]"), Stored("other", "", "[2]")))
    return ledger


def refused(work: Callable[[], object], what: str) -> None:
    with pytest.raises(LedgerTampered, match=f"^the ledger is damaged: {what}; ") as caught:
        work()
    assert str(caught.value).endswith(
        "; the owner may accept that: dpsql budget DATA acknowledge; refused"
    )
    assert caught.value.__cause__ is None and caught.value.__context__ is None


def test_the_newest_line_vouches_for_all_before_it(where: str) -> None:
    ledger = made(where)
    lines = ledger.entries()
    found = rows(where, "SELECT before, hash FROM charge ORDER BY number")
    assert [line.hash for line in lines] == [hashed for _, hashed in found]
    assert [before for before, _ in found[1:]] == [hashed for _, hashed in found[:-1]]
    assert len({hashed for _, hashed in found}) == 3


EDITS = {
    "kind": "'accountant'",
    "time": "'2020-01-01T00:00:00+00:00'",
    "clock": "'2020-01-01T00:00:00.000000+00:00'",
    "sql": "'SELECT 2'",
    "releases": "'[0]'",
    "analyst": "'bob'",
    "request": "'key'",
    "batch": "1",
    "version": "'1'",
    "note": "'{}'",
    "accountant": "'zcdp'",
    "period": "'1'",
    "since": "'2020-01-01T00:00:00.000000+00:00'",
    "until": "'2020-01-01T00:00:00.000000+00:00'",
    "loss": "lost",
    "spent": "lost",
    "spent_by": "lost",
    "lost": "loss",
    "sealed": "'0:0'",
    "before": "hash",
    "hash": "before",
}


def test_every_column_is_tried() -> None:
    assert set(EDITS) == set(ledger_tables.charge.columns.keys()) - {"account", "number"}


@pytest.mark.parametrize("number", [1, 3])
@pytest.mark.parametrize("column", EDITS)
def test_a_line_that_was_changed(tmp_path: Path, column: str, number: int) -> None:
    where = str(tmp_path / "ledger")
    ledger = made(where)
    change(where, f"UPDATE charge SET {column} = {EDITS[column]} WHERE number = {number}")
    refused(lambda: opened(where, TEN), f"line {number} was changed")
    if number == 3:
        for work in (lambda: ledger.reserve(ONE, ENTRY), lambda: ledger.spent):
            refused(work, "line 3 was changed")


def test_a_line_of_a_server_that_was_changed(where: str) -> None:
    made(where)
    change(where, "UPDATE charge SET loss = lost WHERE number = 2")
    refused(lambda: opened(where, TEN), "line 2 was changed")


@pytest.mark.parametrize("text", ["NaN", "inf", "-1", "0.1/3", "", "1/0", "ε", '["1"]', "[]"])
@pytest.mark.parametrize("hashed", [False, True])
def test_amounts_that_are_none(tmp_path: Path, text: str, hashed: bool) -> None:
    where = str(tmp_path / "ledger")
    ledger = made(where)
    change(where, f"UPDATE charge SET spent = '{text}' WHERE number = 3")
    if hashed:
        forge(where)
    refused(lambda: opened(where, TEN), "line 3 .*")
    refused(lambda: ledger.remaining, "line 3 .*")
    refused(lambda: ledger.reserve(ONE, ENTRY), "line 3 .*")


@pytest.mark.parametrize("number", [1, 2])
def test_a_line_that_was_deleted(where: str, number: int) -> None:
    made(where)
    change(where, f"DELETE FROM charge WHERE number = {number}")
    refused(lambda: opened(where, TEN), f"line {number} is missing")


def test_lines_that_were_swapped(where: str) -> None:
    made(where)
    change(
        where,
        "UPDATE charge SET number = 9 WHERE number = 1",
        "UPDATE charge SET number = 1 WHERE number = 2",
        "UPDATE charge SET number = 2 WHERE number = 9",
    )
    refused(lambda: opened(where, TEN), "line 1 was changed")


def test_the_newest_lines_that_were_deleted(where: str) -> None:
    """As when an older copy of the ledger is put back."""
    ledger = made(where)
    change(where, "DELETE FROM charge WHERE number > 1")
    for work in (
        lambda: opened(where, TEN),
        lambda: ledger.reserve(ONE, ENTRY),
        lambda: ledger.spent,
        ledger.entries,
        lambda: ledger.commit(1, (Stored("k", "", "[]"),)),
    ):
        refused(work, "it ends at line 1, but line 3 was seen")


def test_all_lines_that_were_deleted(where: str) -> None:
    made(where)
    change(where, "DELETE FROM charge")
    refused(
        lambda: opened(where, TEN), "the stored answer of line 1 was changed|it ends at line 0.*"
    )


def test_an_older_copy_that_is_put_back(tmp_path: Path) -> None:
    path, copy = tmp_path / "ledger", tmp_path / "copy"
    ledger = made(str(path))
    shutil.copy(path, copy)
    assert ledger.reserve(ONE, ENTRY) == 4
    shutil.copy(copy, path)
    refused(lambda: opened(str(path), TEN), "it ends at line 3, but line 4 was seen")
    refused(lambda: ledger.reserve(ONE, ENTRY), "it ends at line 3, but line 4 was seen")
    assert len(rows(str(path), "SELECT * FROM charge")) == 3  # nothing was charged


def test_a_chain_that_was_forged(where: str) -> None:
    made(where)
    none = "(SELECT c.lost FROM charge AS c WHERE c.number = 1)"
    change(where, f"UPDATE charge SET loss = {none}, spent = {none}, spent_by = {none}")
    forge(where)
    refused(lambda: opened(where, TEN), "line 3 is not the one that was seen")


def test_sums_are_added_up_anew(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(where)
    for column in ("spent", "spent_by"):
        monkeypatch.setenv("DPSQL_STATE", str(tmp_path / column))  # nobody has seen it
        change(where, f"UPDATE charge SET {column} = loss WHERE number = 2")
        forge(where)
        refused(lambda: opened(where, TEN), "line 2 does not add up")
        two = (approximate(ONE) + approximate(ONE)).rounded_up().text()
        change(where, f"UPDATE charge SET {column} = '{two}' WHERE number = 2")
        forge(where)
        assert opened(where, TEN).spent == Cost(Fraction(3))


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("UPDATE account SET accountant = 'zcdp'", "line 1 was changed"),
        ("UPDATE account SET created = '2020'", "line 1 was changed"),
        ("UPDATE account SET identity = 'x'", "line 1 was changed"),
        ("UPDATE account SET uuid = 'x'", "another account is in its place"),
        ("UPDATE identity SET number = 1", "whose it is was changed"),
        ("INSERT INTO identity VALUES ('x', 1, 0)", "whose it is was changed"),
        ("INSERT INTO identity VALUES ('x', 1, 2)", "whose it is was changed"),
        ("DELETE FROM identity", "(it is that of another data set.*|the account that was .* gone)"),
        ("DELETE FROM account", "the account that was there is gone"),
        ("DELETE FROM answer WHERE number = 1", "the stored answer of line 1 was changed"),
        ("DELETE FROM answer WHERE place = 1", "the stored answer of line 1 was changed"),
        ("DELETE FROM seal WHERE number = 1", "the stored answer of line 2 was changed"),
        ("UPDATE seal SET number = 4 WHERE number = 2", "the stored answer of line 4 .*"),
        ("UPDATE answer SET digest = '' WHERE number = 2", "the stored answer of line 2 .*"),
        ("UPDATE answer SET key = 'k' WHERE number = 2", "the stored answer of line 2 .*"),
        ("UPDATE answer SET family = 'f' WHERE number = 2", "the stored answer of line 2 .*"),
        ("INSERT INTO answer VALUES (1, 3, 0, '', '', '', '')", "the stored answer of line 3 .*"),
    ],
)
@pytest.mark.one_in(3)
def test_other_rows(where: str, statement: str, what: str) -> None:
    made(where)
    change(where, statement)
    refused(lambda: opened(where, TEN), what)


def test_a_running_process_notices_that_the_account_was_changed(where: str) -> None:
    ledger = made(where)
    change(where, "UPDATE account SET created = '2020'")
    refused(lambda: ledger.reserve(ONE, ENTRY), "another one is in its place")


def test_stored_answers_that_are_gone_after_a_line_knew_them(where: str) -> None:
    made(where)
    change(where, "DELETE FROM answer WHERE number = 2", "DELETE FROM seal WHERE number = 2")
    refused(lambda: opened(where, TEN), "line 3 does not add up")


def test_an_answer_that_was_changed_is_not_given(where: str) -> None:
    ledger = made(where)
    change(where, "UPDATE answer SET body = '[3]' WHERE number = 1 AND place = 0")
    for work in (
        lambda: ledger.answers(1),
        lambda: ledger.find(key="key"),
        lambda: ledger.find(family="family"),
    ):
        refused(work, "the stored answer of line 1 was changed")
    assert [one.body for one in ledger.find(key="other")] == ["[2]", "[2]"]


def test_an_account_that_was_made_anew(where: str) -> None:
    """On a server; a file of nothing is the same."""
    ledger = made(where)
    everything = [f"DELETE FROM {table.name}" for table in ledger_tables.TABLES]
    change(where, *everything)
    refused(lambda: opened(where, TEN), "the account that was there is gone")
    refused(lambda: ledger.reserve(ONE, ENTRY), "another one is in its place")


def test_a_file_that_was_deleted(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    made(str(path))
    path.unlink()
    refused(lambda: opened(str(path), TEN), "the file that was there is gone")
    assert not path.exists()
    durable(tmp_path / "new", TEN)
    shutil.move(tmp_path / "new", path)
    refused(lambda: opened(str(path), TEN), "another account is in its place")


def test_a_ledger_that_is_moved_goes_on(tmp_path: Path) -> None:
    path, other = tmp_path / "ledger", tmp_path / "elsewhere"
    made(str(path))
    other.mkdir()
    shutil.move(path, other)
    assert opened(str(other / "ledger"), TEN).reserve(ONE, ENTRY) == 4
    refused(lambda: opened(str(path), TEN), "the file that was there is gone")


def test_two_copies_are_not_both_charged(tmp_path: Path) -> None:
    path, copy = tmp_path / "ledger", tmp_path / "copy"
    ledger = made(str(path))
    shutil.copy(path, copy)
    other = opened(str(copy), TEN)
    ledger.reserve(ONE, ENTRY)
    for work in (lambda: other.reserve(ONE, ENTRY), lambda: opened(str(copy), TEN)):
        refused(work, "it ends at line 3, but line 4 was seen")
    assert ledger.reserve(ONE, ENTRY) == 5


def test_two_copies_that_are_charged_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both have asked the witness before either has told it, where its lock does not lock."""
    path, copy = tmp_path / "ledger", tmp_path / "copy"
    ledger = made(str(path))
    shutil.copy(path, copy)
    other = opened(str(copy), TEN)
    true = Witness.advance

    def first(self: Witness, uuid: str, seen: Seen, *, held: bool = False) -> None:
        monkeypatch.setattr(Witness, "advance", true)
        ledger.reserve(Cost(Fraction(2)), ENTRY)
        true(self, uuid, seen, held=held)

    monkeypatch.setattr(Witness, "held", lambda *_: nullcontext())
    monkeypatch.setattr(Witness, "advance", first)
    refused(lambda: other.reserve(ONE, ENTRY), "another copy of it was charged")


def test_a_line_whose_record_was_not_made_is_no_alarm(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = made(where)
    with monkeypatch.context() as patch:
        patch.setattr(
            Witness, "advance", lambda *_, **__: (_ for _ in ()).throw(EngineError("full"))
        )
        with pytest.raises(EngineError, match="full"):
            ledger.reserve(ONE, ENTRY)
    for again in (opened(where, TEN), ledger):
        assert again.spent == Cost(Fraction(4))  # it stands


def test_the_state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DPSQL_STATE", "/a/b")
    monkeypatch.setenv("XDG_STATE_HOME", "/c")
    monkeypatch.setenv("HOME", "/home/ann")
    assert default_folder() == Path("/a/b")
    monkeypatch.delenv("DPSQL_STATE")
    assert default_folder() == Path("/c/dpsql")
    monkeypatch.delenv("XDG_STATE_HOME")
    assert default_folder() == Path("/home/ann/.local/state/dpsql")
    ledger = durable(tmp_path / "ledger", TEN, witness=tmp_path / "state")
    ledger.reserve(ONE, ENTRY)
    files = sorted((tmp_path / "state" / "witness").iterdir())
    assert sorted(f.suffix for f in files) == [".json"] * 3 + [".lock"] * 2 + [".queue"] * 2
    assert {f.stat().st_mode & 0o777 for f in files} == {0o600}
    assert files[0].parent.stat().st_mode & 0o777 == 0o700


def test_a_state_folder_that_cannot_be_written(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = made(where)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DPSQL_STATE", str(tmp_path / "file"))
    message = (
        r"^the ledger's second record cannot be kept \(Not a directory\); "
        "set DPSQL_STATE to a folder that can be written; refused$"
    )
    with pytest.raises(EngineError, match=message) as caught:
        opened(where, TEN)
    assert caught.value.__context__ is None
    assert ledger.reserve(ONE, ENTRY) == 4  # it has its own, from when it was opened


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"uuid": 1}', "\udcff", '{"spent": "[]"}'])
def test_a_record_that_is_damaged(where: str, tmp_path: Path, text: str) -> None:
    account = Account(TEN)
    state = tmp_path / "state"
    open_ledger(where, account, witness=state).reserve(ONE, ENTRY)
    for file in state.rglob("*.json"):
        before = file.read_bytes()
        file.write_bytes(text.encode(errors="surrogateescape"))
        if b'"state"' in before:  # then all is verified, and nothing is wrong
            assert open_ledger(where, account, witness=state).spent == ONE
            continue
        refused(lambda: open_ledger(where, account, witness=state), "the record of .* is damaged")
        file.write_bytes(before)
    assert open_ledger(where, account, witness=state).spent == ONE


def test_what_nobody_else_wrote_is_not_verified_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what anybody else wrote is, though size and times are as they were."""
    path, state = tmp_path / "ledger", tmp_path / "state"
    account, looked = Account(Cost(Fraction(9)), identity="x"), []
    true = accounts.verified

    def verified(connection: Connection, number: int) -> Head:
        looked.append(number)
        return true(connection, number)

    monkeypatch.setattr(accounts, "verified", verified)
    for expected in (1, 1, 1):
        ledger = open_ledger(path, account, witness=state)
        number = ledger.reserve(Cost(Fraction(1)), Entry("SELECT 1"))
        ledger.commit(number, ())
        ledger.reserve(Cost(Fraction(1)), Entry("SELECT 1"))
        assert len(looked) == expected
    before = path.stat()
    content = path.read_bytes()
    time.sleep(0.05)  # beyond a tick of the kernel's clock
    with path.open("r+b") as file:
        file.write(content)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    # A write of ours in between does not hide that one.
    ledger.reserve(Cost(Fraction(1)), Entry("SELECT 1"))
    open_ledger(path, account, witness=state)
    assert len(looked) == 2
    open_ledger(path, account, witness=state)
    assert len(looked) == 2
    change(str(path), "UPDATE charge SET sql = 'SELECT 2' WHERE number = 1")
    with pytest.raises(LedgerTampered, match="line 1 was changed"):
        open_ledger(path, account, witness=state)
