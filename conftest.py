"""No test writes into a home folder: what a ledger's witness remembers is kept in a folder of this
run, which is deleted after it; each test has one of its own there, since copies of data are known
by their content."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile

import pytest

STATE = pytest.StashKey[str]()


def pytest_configure(config: pytest.Config) -> None:
    """Before any test: a folder of this run."""
    config.stash[STATE] = tempfile.mkdtemp(prefix="dpsql-state-")
    os.environ["DPSQL_STATE"] = config.stash[STATE]


@pytest.fixture(autouse=True)
def own_state(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Copies of one file in several tests are none of one another's."""
    folder = tempfile.mkdtemp(dir=request.config.stash[STATE])
    monkeypatch.setenv("DPSQL_STATE", folder)


def pytest_collection_finish(session: pytest.Session) -> None:
    """What was imported and collected stays: it need not be looked through for garbage again."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure(config: pytest.Config) -> None:
    """After all tests: it goes, and what was frozen is freed as ever."""
    gc.unfreeze()
    shutil.rmtree(config.stash[STATE], ignore_errors=True)
