"""The shop with a ledger of its own, in both ways to speak the protocol."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy

import duckdb
import pytest

import dpsql
from dpsql import demo
from dpsql.core.account.account import Account
from dpsql.platform.ledger.opening import open_ledger
from dpsql.session.database import Database
from tests.serve.mcp.agents import HOSTILE, MODES


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def shop() -> Iterator[Database]:
    with demo.database() as made:
        yield made


@pytest.fixture
def db(shop: Database) -> Database:
    """With a ledger of its own."""
    made = copy(shop)
    made._ledger = open_ledger(None, Account(shop.budget.account.total))
    return made


@pytest.fixture
def hostile() -> Iterator[Database]:
    owner, name = duckdb.connect(), HOSTILE.replace('"', '""')
    owner.execute(f'CREATE TABLE people (id INTEGER PRIMARY KEY, "{name}" INTEGER)')
    owner.execute("INSERT INTO people SELECT i, i % 2 FROM range(50) t(i)")
    owner.execute(f'CREATE TABLE "{name}" (v VARCHAR)')
    owner.execute(f'INSERT INTO "{name}" VALUES (?)', [f"{HOSTILE}\x1b[31m"])
    owner.execute("CREATE TABLE long AS SELECT i, repeat('x', 5000) AS t FROM range(2000) r(i)")
    policy = {
        "unit": "people.id",
        "budget": {"eps": 10, "delta": 1e-6},
        "tables": {
            "people": {"access": "private", "columns": {"id": {}, HOSTILE: {"bounds": [0, 1]}}},
            HOSTILE: {"access": "public"},
            "long": {"access": "public"},
        },
    }
    with dpsql.connect(owner, policy, version="one") as made:
        yield made
