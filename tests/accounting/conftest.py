"""Ledgers of every kind, for the same tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dpsql.core.account.account import Account
from dpsql.core.account.amount import Cost
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from dpsql.platform.ledger.opening import open_ledger
from dpsql.platform.ledger.sql_ledger import SqlLedger
from tests.support.ledgers import durable

Make = Callable[[Account | Cost], SqlLedger]


@pytest.fixture
def database(server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL of a PostgreSQL database without ledgers, of which nobody remembers any."""
    import psycopg

    url = server.format("postgres")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA IF EXISTS dpsql CASCADE")
    monkeypatch.setenv("DPSQL_STATE", str(tmp_path / "state"))
    return url


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a durable ledger can be."""
    if request.param == "sqlite":
        return str(tmp_path / "ledger ?#%.sqlite")
    url: str = request.getfixturevalue("database")
    return url


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Make:
    """Opens a ledger; the durable ones are the same each time."""
    if request.param == "memory":
        return MemoryLedger
    if request.param == "sqlite":
        return lambda account: durable(tmp_path / "ledger.sqlite", account)
    url: str = request.getfixturevalue("database")
    return lambda account: opened(url, account)


def opened(where: str, account: Account | Cost) -> SqlLedger:
    """The ledger of a file or a URL."""
    return open_ledger(where, account if isinstance(account, Account) else Account(account))
