"""TPC-H in a PostgreSQL database, in place: its exact cells are DuckDB's, of all."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest

import dpsql
from dpsql.audit.measured import exact
from dpsql.core.account.amount import Cost
from dpsql.errors import Rejected
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from dpsql.session.database import Database
from tests.support import servers
from tests.tpch.data import SCALE, database, query
from tests.tpch.test_tpch import POLICY, load


@pytest.fixture(scope="module")
def both() -> Iterator[tuple[Database, Database]]:
    if servers.REASON:
        pytest.skip(servers.REASON)
    with servers.postgres() as server:
        url = server.format("postgres")
        load(url, SCALE)
        budgets = (MemoryLedger(Cost(Fraction(10**13))) for _ in range(2))
        near = dpsql.connect(database(SCALE), POLICY, ledger=next(budgets), workers=0)
        far = dpsql.connect(url, POLICY, ledger=next(budgets), in_place=True)
        with near, far:
            yield near, far


@pytest.mark.parametrize("number", range(1, 23))
def test_cells_are_duckdbs(number: int, both: tuple[Database, Database]) -> None:
    near, far = (_cells(db, query(number)) for db in both)
    assert near == far


def _cells(db: Database, sql: str) -> object:
    try:
        return [(m.name, dict(zip(m.groups, m.values, strict=True))) for m in exact(db, sql)]
    except Rejected as rejected:
        return rejected.code
