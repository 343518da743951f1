"""A file, and an engine that asks it in processes of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from dpsql.platform.engine import duckdb_open
from dpsql.platform.engine.duckdb_engine import DuckDBEngine
from dpsql.platform.engine.remote import RemoteEngine
from dpsql.platform.engine.worker import WorkerSettings
from tests.engine.working import Opened, children


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "data.duckdb"
    with duckdb.connect(str(path)) as made:
        made.execute(
            "CREATE TABLE t AS SELECT i AS id, i % 7 AS k, 'x' || i AS s FROM range(1000) r(i)"
        )
    return path


@pytest.fixture
def opened(file: Path, tmp_path: Path) -> Iterator[Opened]:
    """Makes engines; afterwards no process and no directory of theirs is left."""
    engines: list[tuple[DuckDBEngine, RemoteEngine]] = []
    place = tmp_path / "temporary"
    place.mkdir()

    def make(
        keep: int = 1, memory: int = 10**9, data: Path = file, temp_space: int = 10**9
    ) -> RemoteEngine:
        here = duckdb_open.open_folder(data) if data.is_dir() else duckdb_open.open_file(data)
        settings = WorkerSettings(memory, 2, temp_space, str(place), 60)
        engines.append((here, RemoteEngine(here, settings, keep)))
        return engines[-1][1]

    yield make
    for here, remote in engines:
        remote.close()
        here.close()
    assert list(place.iterdir()) == []
    assert children() == set()
