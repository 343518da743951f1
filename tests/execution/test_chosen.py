"""Answers that are made without the second database are those that it would give."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import duckdb
import pytest

import dpsql
from dpsql.compile import ReleasedQuery
from dpsql.execution import processing
from dpsql.execution.chosen import chosen
from dpsql.execution.loaded import load
from dpsql.execution.noise import NoisyRelease
from dpsql.platform.engine.protocol import ResultTable
from dpsql.platform.engine.scratch import Scratch

POLICY = {
    "unit": "people.id",
    "budget": {"eps": 10_000},
    "tables": {
        "people": {
            "access": "private",
            "key": ["id"],
            "columns": {
                "id": {"type": "BIGINT"},
                "kind": {"type": "VARCHAR", "values": ["ä", "b'", ""]},
                "small": {"type": "INTEGER", "bounds": [-5, 5]},
                "half": {"type": "DOUBLE", "values": [0.5, -0.0, 1e300]},
                "sure": {"type": "BOOLEAN"},
                "price": {"type": "DECIMAL(6,2)", "bounds": [0, 20]},
                "day": {"type": "DATE", "bounds": ["2024-01-01", "2024-12-31"]},
            },
        }
    },
}

CHOSEN = [
    "SELECT COUNT(*) FROM people",
    "SELECT COUNT(*) AS n, kind, SUM(small), COUNT(*) FROM people GROUP BY kind",
    "SELECT kind, AVG(small) AS a, STDDEV(small) FROM people GROUP BY kind",
    "SELECT half, sure, COUNT(small) FROM people GROUP BY ALL",
    "SELECT n FROM (SELECT kind, COUNT(*) AS n FROM people GROUP BY kind)",
    "SELECT small // 3 AS s, COUNT(*) FROM people WHERE small > 0 GROUP BY s",
    "SELECT SUM(price) FROM people",
    "SELECT kind, MAX(day) FROM people GROUP BY kind",
    "SELECT kind, SUM(price * price) AS s FROM people GROUP BY kind ORDER BY s DESC",
    "SELECT COUNT(*) FROM people GROUP BY kind ORDER BY kind DESC NULLS LAST",
    "SELECT n FROM (SELECT kind, COUNT(*) AS n FROM people GROUP BY kind ORDER BY kind)",
    "SELECT half, sure, AVG(small) AS a FROM people GROUP BY ALL ORDER BY sure NULLS FIRST, half",
    "SELECT half, sure FROM people GROUP BY ALL ORDER BY sure DESC NULLS FIRST, half DESC",
    "SELECT small // 3 AS s, COUNT(*) FROM people WHERE small > 0 GROUP BY s ORDER BY ALL",
]
COMPUTED = [
    "SELECT COUNT(*) + 1 FROM people",
    "SELECT kind, COUNT(*) AS n FROM people GROUP BY kind ORDER BY n + 1",
    "SELECT kind, COUNT(*) AS n FROM people GROUP BY kind LIMIT 2",
    "SELECT half, sure, COUNT(*) FROM people GROUP BY ALL ORDER BY sure",
    "SELECT kind, COUNT(*) AS n FROM people GROUP BY kind HAVING n > 5",
    "SELECT 1, COUNT(*) FROM people",
    "SELECT COUNT(*)::DOUBLE FROM people",
]


@pytest.fixture
def db() -> Iterator[dpsql.Database]:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE people AS SELECT range AS id, ['ä', 'b'''][range % 2 + 1] AS kind, "
        "CAST(range % 11 - 5 AS INTEGER) AS small, [0.5, -0.0, 1e300][range % 3 + 1] AS half, "
        "range % 2 = 0 AS sure, CAST(range % 20 AS DECIMAL(6,2)) AS price, "
        "DATE '2024-01-01' AS day FROM range(60)"
    )
    with dpsql.connect(connection, POLICY) as opened:
        yield opened


def compared(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Of each query that runs from now on, whether it was chosen; both ways are compared."""
    seen: list[bool] = []

    def both(query: ReleasedQuery, released: Sequence[NoisyRelease]) -> ResultTable | None:
        found = chosen(query, released)
        seen.append(found is not None)
        if found is not None:
            with Scratch() as scratch:
                for number, noisy in enumerate(released):
                    load(query, number, noisy, scratch)
                expected = scratch.run(query.post_sql)
            assert found.types == expected.types
            assert repr(found.rows) == repr(expected.rows)  # with the types of values, and −0.0
        return found

    monkeypatch.setattr(processing, "chosen", both)
    return seen


@pytest.mark.parametrize("sql", CHOSEN)
@pytest.mark.one_in(3)
def test_the_same_rows(db: dpsql.Database, monkeypatch: pytest.MonkeyPatch, sql: str) -> None:
    seen = compared(monkeypatch)
    for eps in (0.01, 1, 10):
        db.run(sql, eps, fresh=True)
    assert seen == [True] * 3


@pytest.mark.parametrize("sql", COMPUTED)
def test_what_is_computed(db: dpsql.Database, monkeypatch: pytest.MonkeyPatch, sql: str) -> None:
    seen = compared(monkeypatch)
    db.run(sql, 1)
    assert seen == [False]
