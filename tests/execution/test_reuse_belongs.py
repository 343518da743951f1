"""Repeats are free: to which data, epoch and policy an answer belongs."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import duckdb
import pytest

import dpsql
from dpsql.execution.epochs import epoch_at
from dpsql.platform.ledger.ledger import Stored
from tests.execution.repeated import GROUPS, POLICY, TABLES, Data, served


def reopened(data: Data, tmp_path: Path, policy: str = POLICY) -> Data:
    data.db.close()
    return Data(tmp_path / "shop.duckdb", policy)


def test_it_outlives_the_process(data: Data, tmp_path: Path) -> None:
    first = data.ask(GROUPS)
    other = reopened(data, tmp_path)
    again = served(other, GROUPS)
    assert again is not None and again.rows == first.rows
    other.db.close()


def change(path: Path) -> None:
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE customer SET region = 'w' WHERE id = 1")


def test_whether_the_data_changed_does_not_show(
    data: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Or a repeat at ε = 10⁻⁹ would tell every night whether any row did."""
    first = data.ask(GROUPS)
    data.db.close()
    log = logging.getLogger("dpsql.owner")
    log.addHandler(caplog.handler)
    for name in ("as it was", "changed"):
        if name == "changed":
            change(tmp_path / "shop.duckdb")
        other = Data(tmp_path / "shop.duckdb")
        again = served(other, GROUPS)
        assert again is not None and again.rows == first.rows
        assert not caplog.messages
        assert served(other, f"{GROUPS} LIMIT 1") is not None
        other.ask("SELECT COUNT(*) AS n FROM orders", 1, fresh=True)
        other.db.close()
        # The owner learns of it, when something is charged, in his own log.
        assert ["the data changed within the epoch" in text for text in caplog.messages] == (
            [True] if name == "changed" else []
        )
        caplog.clear()
    log.removeHandler(caplog.handler)


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("2026-11", "2026-11", True),
        ("2026-11", "2026-12", False),
        ("monthly", "monthly", True),
        ("monthly", "2026-11", False),
        ("yearly", "monthly", False),
    ],
)
@pytest.mark.one_in(2)
def test_an_epoch_of_the_owners_ends_it(
    tmp_path: Path, before: str, after: str, same: bool
) -> None:
    def opened(epoch: str) -> Data:
        return Data(tmp_path / "shop.duckdb", POLICY.replace("1e-3}", f"1e-3, epoch: {epoch}}}"))

    data = opened(before)
    assert data.db.run(GROUPS, eps=1).reused is None
    data.db.close()
    change(tmp_path / "shop.duckdb")
    data = opened(after)
    assert (data.db.run(GROUPS, eps=1).reused is not None) is same
    data.db.close()


def test_data_that_can_change_while_they_are_open_have_an_epoch_that_is_named() -> None:
    connection = duckdb.connect()
    connection.execute(TABLES)
    policy = POLICY.replace("1e-3}", "1e-3, epoch: 2026-11}")
    with dpsql.connect(connection, policy) as db:
        assert db.run(GROUPS, eps=1).reused is None
        connection.execute("UPDATE customer SET region = 'w'")
        assert db.run(GROUPS, eps=1).reused is not None
    with dpsql.connect(connection, policy, version="2") as db:
        assert db.run(GROUPS, eps=1).reused is None


@pytest.mark.parametrize(
    ("declared", "version", "stable", "name"),
    [
        (None, None, True, "always"),
        (None, None, False, ""),
        (None, "v", False, "always, version v"),
        ("2026-11", None, False, "named 2026-11"),
        ("daily", None, True, "daily 2026-12-31"),
        ("weekly", None, True, "weekly 2026-W53"),
        ("monthly", "v", True, "monthly 2026-12, version v"),
        ("yearly", None, True, "yearly 2026"),
    ],
)
def test_the_names_of_epochs(
    declared: str | None, version: str | None, stable: bool, name: str
) -> None:
    moment = datetime(2027, 1, 1, 0, 59, tzinfo=timezone(timedelta(hours=1)))
    assert epoch_at(declared, version, moment, stable) == name


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("bounds: [0, 99]", "bounds: [0, 98]", False),
        ("values: [n, s, w]", "values: [n, s, w, x]", False),
        ("max_rows: 5", "max_rows: 6", False),
        ("budget: {eps: 10000", "budget: {eps: 20000", True),
    ],
)
def test_another_policy_is_another_question(
    data: Data,
    tmp_path: Path,
    old: str,
    new: str,
    same: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data.ask(GROUPS)
    data.db.close()
    monkeypatch.setenv("DPSQL_STATE", str(tmp_path / "state"))  # where nobody knows the first one
    # A ledger of the first policy's may refuse the second: the answers are carried over.
    kept = data.db._ledger.answers(1)
    other = Data(tmp_path / "shop.duckdb", POLICY.replace(old, new), ledger=tmp_path / "other")
    other.ask("SELECT COUNT(*) AS n FROM customer WHERE age > 1", 1, key="empty")
    ledger = Kept(other.db._ledger, kept)
    other.db._ledger = ledger
    assert (other.ask(GROUPS).reused is not None) is same
    other.db.close()


class Kept:
    """A ledger that has answers of another one."""

    def __init__(self, ledger: Any, answers: tuple[Stored, ...]) -> None:
        self._ledger, self._answers = ledger, answers

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ledger, name)

    def find(self, *, key: str = "", family: str = "") -> tuple[Stored, ...]:
        return tuple(a for a in self._answers if (a.key == key if key else a.family == family))


def test_without_a_version_nothing_is_kept() -> None:
    connection = duckdb.connect()
    connection.execute(TABLES)
    with dpsql.connect(connection, POLICY) as db:
        data = object.__new__(Data)
        data.db = db
        data.ask(GROUPS)
        assert not db._ledger.answers(1)
        assert served(data, GROUPS) is None


def test_an_owner_may_name_the_version() -> None:
    connection = duckdb.connect()
    connection.execute(TABLES)
    with dpsql.connect(connection, POLICY, version="2024-05") as db:
        data = object.__new__(Data)
        data.db = db
        data.ask(GROUPS)
        assert served(data, GROUPS) is not None
        db._named_version = "2024-06"
        assert served(data, GROUPS) is None
