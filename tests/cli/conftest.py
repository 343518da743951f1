"""The demo's files in a folder, and the command line in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import dpsql
from dpsql import demo
from tests.cli.running import Runner


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    demo.save(folder)
    return folder


@pytest.fixture
def shop(saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with the demo's files, as the current one."""
    for name in (demo.DATABASE_FILE, demo.POLICY_FILE):
        (tmp_path / name).write_bytes((saved / name).read_bytes())
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DPSQL_DATABASE", raising=False)
    monkeypatch.delenv("DPSQL_POLICY", raising=False)
    dpsql.use(None)
    yield tmp_path
    dpsql.use(None)


@pytest.fixture
def run(shop: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runner:
    return Runner(capsys, monkeypatch)
