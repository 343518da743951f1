"""Groups that public tables list are found once, where their rows cannot change; else each time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

import dpsql
from dpsql.execution import reading, ready, run

POLICY: dict[str, Any] = {
    "unit": "people.id",
    "budget": {"eps": 1000},
    "tables": {
        "people": {
            "access": "private",
            "key": ["id"],
            "columns": {"kind": {"type": "INTEGER", "references": "kinds.kind"}},
        },
        "kinds": {"access": "public", "key": ["kind"]},
    },
}
TABLES = (
    "CREATE TABLE kinds (kind INTEGER PRIMARY KEY, name VARCHAR)",
    "INSERT INTO kinds VALUES (1, 'a'), (2, 'b')",
    "CREATE TABLE people AS SELECT i AS id, (1 + i % 2)::INTEGER AS kind FROM range(50) t(i)",
)
SQL = "SELECT name, COUNT(*) FROM people JOIN kinds USING (kind) GROUP BY name"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The groups that were looked for."""
    found: list[Any] = []
    real = reading.public_groups

    def groups(*args: Any, **options: Any) -> Any:
        found.append(real(*args, **options))
        return found[-1]

    monkeypatch.setattr(run, "public_groups", groups)
    return found


def names(db: dpsql.Database, sql: str = SQL) -> list[object]:
    return [row[0] for row in db.run(sql, 1, fresh=True).rows]


@pytest.mark.parametrize("workers", [0, 1])
def test_in_a_file_they_are_found_once(tmp_path: Path, asked: list[Any], workers: int) -> None:
    with duckdb.connect(str(tmp_path / "data.duckdb")) as made:
        for text in TABLES:
            made.execute(text)
    with dpsql.connect(tmp_path / "data.duckdb", POLICY, workers=workers) as db:
        for _ in range(3):
            assert names(db) == ["a", "b"]
        assert len(asked) == 1
        assert names(db, SQL + " HAVING COUNT(*) > -1000") == ["a", "b"]  # another query's
        assert len(asked) == 2


def test_many_are_not_kept(
    tmp_path: Path, asked: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ready, "FEW", 1)
    with duckdb.connect(str(tmp_path / "data.duckdb")) as made:
        for text in TABLES:
            made.execute(text)
    with dpsql.connect(tmp_path / "data.duckdb", POLICY, workers=0) as db:
        assert [names(db), names(db)] == [["a", "b"]] * 2
    assert len(asked) == 2


def test_on_an_open_connection_they_may_change(asked: list[Any]) -> None:
    with duckdb.connect() as live:
        for text in TABLES:
            live.execute(text)
        with dpsql.connect(live, POLICY) as db:
            assert names(db) == ["a", "b"]
            live.execute("INSERT INTO kinds VALUES (3, 'c')")
            assert names(db) == ["a", "b", "c"]
    assert len(asked) == 2
