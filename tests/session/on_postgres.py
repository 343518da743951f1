"""A PostgreSQL server that is asked in place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dpsql
from dpsql.audit.measured import exact
from dpsql.errors import DpsqlError
from dpsql.platform.engine.far.engine import FarEngine
from dpsql.platform.engine.far.postgres import Postgres
from dpsql.session.database import Database
from tests.support.on_a_server import POLICY

COUNT = "SELECT COUNT(*) FROM people"


QUERIES = (
    COUNT,
    "SELECT SUM(cost), COUNT(*) FROM clinic.visits",
    "SELECT town, COUNT(*) FROM people WHERE mood = 'ok' AND town IS NOT NULL GROUP BY town",
    "SELECT COUNT(*) FROM people JOIN clinic.visits v ON people.id = person WHERE age > 50",
    "SELECT minutes, SUM(age) FROM people JOIN calls ON caller = id GROUP BY minutes",
    "SELECT COUNT(DISTINCT note) FROM clinic.visits WHERE note LIKE 'note%'",
    "SELECT YEAR(at), MAX(cost) FROM clinic.visits WHERE at > '2020-01-01' GROUP BY 1",
    "SELECT AVG(age) FROM people WHERE town < 'b'",
)


@contextmanager
def in_place(url: str, tmp_path: Path, policy: str = POLICY) -> Iterator[Database]:
    with dpsql.connect(url, policy, ledger=tmp_path / "ledger", in_place=True) as db:
        yield db


def far(db: Database) -> tuple[FarEngine, Postgres]:
    engine = db._engine
    assert isinstance(engine, FarEngine) and isinstance(engine._server, Postgres)
    return engine, engine._server


def cells(db: Database, queries: tuple[str, ...] = QUERIES) -> list[object]:
    found: list[object] = []
    for query in queries:
        try:
            measures = exact(db, query)
            found.append([(m.name, dict(zip(m.groups, m.values, strict=True))) for m in measures])
        except DpsqlError as error:
            found.append(str(error))
    return found
