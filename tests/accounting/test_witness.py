"""The second record, and who is stopped while it is locked."""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from dpsql.core.account.amount import Cost
from dpsql.errors import EngineError
from dpsql.platform.ledger import locking, witness
from dpsql.platform.ledger.ledger import Entry
from tests.support.ledgers import durable


@pytest.mark.parametrize("call", [1, 2])
def test_ctrl_c_just_after_a_lock_was_taken_lets_go_of_it(
    call: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or the next query of this process, and of any other, would wait for ever."""
    calls = count(1)

    def pressed(handle: int, how: int) -> None:
        fcntl.flock(handle, how)
        if next(calls) == call:
            raise KeyboardInterrupt

    record = witness.Witness(tmp_path)
    double = SimpleNamespace(
        flock=pressed, LOCK_EX=fcntl.LOCK_EX, LOCK_NB=fcntl.LOCK_NB, LOCK_UN=fcntl.LOCK_UN
    )
    with monkeypatch.context() as patched:
        patched.setattr(locking, "fcntl", double)
        with pytest.raises(KeyboardInterrupt):
            record.put("place", "uuid")
    made = sorted((tmp_path / "witness").iterdir())
    assert [lock.suffix for lock in made] == [".queue", ".lock"][:call][::-1]
    for lock in made:
        with lock.open() as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_whoever_wants_the_lock_again_at_once_lets_others_have_it_first(tmp_path: Path) -> None:
    """It is free for a moment only, in which nobody who looks for it now and then would see it."""
    record, over, turns = witness.Witness(tmp_path), threading.Event(), list[None]()

    def greedy() -> None:
        while not over.is_set():
            with record.held("uuid"):
                turns.append(None)
                time.sleep(0.02)

    with ThreadPoolExecutor() as others:
        busy = others.submit(greedy)
        try:
            for _ in range(20):
                with record.held("uuid"):
                    pass
        finally:
            over.set()
        busy.result()
    assert len(turns) <= 60


def test_a_lock_that_others_hold_is_waited_for_and_then_refused(tmp_path: Path) -> None:
    record = witness.Witness(tmp_path, wait=0.2)
    before = time.monotonic()
    with record.held("uuid"), pytest.raises(EngineError, match="locked by others for too long"):
        record.advance("uuid", witness.Seen(1, "", ""))
    assert 0.2 <= time.monotonic() - before < 20


def test_whoever_cannot_have_the_lock_is_not_charged(tmp_path: Path) -> None:
    ledger = durable(tmp_path / "ledger", Cost(Fraction(1)), witness=tmp_path / "state")
    other = witness.Witness(tmp_path / "state")
    assert ledger._witness is not None
    ledger._witness._wait = 0.1
    with other.held(ledger._made[1]), pytest.raises(EngineError, match="locked by others"):
        ledger.reserve(Cost(Fraction(1)), Entry("1"))
    assert ledger.entries() == () and ledger.spent.eps == 0
    assert ledger.reserve(Cost(Fraction(1)), Entry("1")) == 1


def pipe(path: Path) -> None:
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize(
    "damage",
    [
        pipe,
        folder,
        lambda path: path.write_text("[" * 200_000),
        lambda path: path.write_text('{"a":' * 100_000),
        lambda path: path.write_text("9" * 5000),
        lambda path: path.write_bytes(b"\xff\xfe"),
        lambda path: path.write_text(" " * 2_000_000),
        lambda path: path.write_text("null"),
    ],
)
def test_a_record_that_is_none_is_damage_and_no_hang(
    tmp_path: Path, damage: Callable[[Path], object]
) -> None:
    state = tmp_path / "state"
    ledger = durable(tmp_path / "ledger", Cost(Fraction(1)), witness=state)
    for record in (state / "witness").glob("*.json"):
        record.unlink()
        damage(record)
    with pytest.raises(EngineError, match=r"the record of|cannot be kept"):
        ledger.reserve(Cost(Fraction(1)), Entry("1"))
    with pytest.raises(EngineError):
        durable(tmp_path / "ledger", Cost(Fraction(1)), witness=state)


@pytest.mark.parametrize("damage", [pipe, folder])
def test_a_ledger_or_a_lock_that_is_no_file_is_refused(
    tmp_path: Path, damage: Callable[[Path], object]
) -> None:
    damage(tmp_path / "ledger")
    with pytest.raises(EngineError):
        durable(tmp_path / "ledger", Cost(Fraction(1)), witness=tmp_path / "state")
    ledger = durable(tmp_path / "other", Cost(Fraction(1)), witness=tmp_path / "state")
    for lock in (tmp_path / "state" / "witness").glob("*.lock"):
        lock.unlink()
        damage(lock)
    if damage is folder:
        with pytest.raises(EngineError):
            ledger.reserve(Cost(Fraction(1)), Entry("1"))
