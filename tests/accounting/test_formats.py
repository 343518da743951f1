"""Ledgers of formats before are brought up to this one."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from dpsql.errors import (
    RequestExists,
)
from dpsql.platform.ledger.ledger import Entry
from dpsql.platform.ledger.ledger_tables import FORMAT
from tests.accounting.test_failures import ONE, THREE

from .conftest import opened
from .damage import change, forge, rows

OLD_KEYS = (
    "DROP INDEX charge_request_of",
    "CREATE UNIQUE INDEX charge_request ON charge (account, request) WHERE request <> ''",
)


def old(path: Path) -> None:
    """A ledger as the format before had it, with a charge that got no mark."""
    ledger = opened(str(path), THREE)
    ledger.reserve(ONE, Entry("SELECT " + "1" * 30, analyst="ann"))
    change(str(path), "UPDATE charge SET note = ''")
    forge(str(path))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in (
            "DROP TABLE words",
            "DROP INDEX charge_event",
            "DROP INDEX charge_pending",
            *OLD_KEYS,
            "PRAGMA user_version = 2",
        ):
            connection.execute(statement)


def test_the_format_before_is_brought_up_and_nothing_of_it_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ledger"
    old(path)
    monkeypatch.setenv("DPSQL_STATE", str(tmp_path / "state"))
    ledger = opened(str(path), THREE)
    assert rows(str(path), "PRAGMA user_version") == [(FORMAT,)]
    assert ledger.spent == ONE and ledger.failures() == {}
    ledger.reserve(ONE, Entry("SELECT " + "2" * 100))
    assert [len(line.entry.sql) for line in opened(str(path), THREE).entries()] == [37, 107]
    stays = pytest.raises(sqlite3.IntegrityError, match="rows stay")
    with closing(sqlite3.connect(path)) as connection, stays:
        connection.execute("DELETE FROM words")


def test_the_last_format_had_keys_of_the_account(
    where: str,
) -> None:
    entry = Entry("SELECT 1", analyst="ann", request="k")
    opened(where, THREE).reserve(ONE, entry)
    mark = "PRAGMA user_version = 3"
    if where.startswith("postgres"):
        mark = "COMMENT ON SCHEMA dpsql IS 'dpsql ledger, format 3'"
    change(where, *OLD_KEYS, mark)
    ledger = opened(where, THREE)
    ledger.reserve(ONE, replace(entry, analyst="bob"))
    with pytest.raises(RequestExists):
        ledger.reserve(ONE, entry)
    found = ledger.request("k", "ann"), ledger.request("k", "bob"), ledger.request("k")
    assert [charge and charge.number for charge in found] == [1, 2, None]


def test_the_format_before_on_a_server_is_brought_up(database: str) -> None:
    import psycopg

    opened(database, THREE).reserve(ONE, Entry("SELECT 1"))
    with psycopg.connect(database, options="-c search_path=dpsql", autocommit=True) as server:
        server.execute("DROP TABLE words")
        server.execute("DROP INDEX charge_event")
        server.execute("DROP INDEX charge_pending")
        for statement in OLD_KEYS:
            server.execute(statement)
        server.execute("COMMENT ON SCHEMA dpsql IS 'dpsql ledger, format 2'")
    ledger = opened(database, THREE)
    ledger.reserve(ONE, Entry("SELECT " + "2" * 100))
    assert opened(database, THREE).spent.eps == 2
