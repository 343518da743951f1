"""No test writes into a home folder: what a ledger's witness remembers is kept in a folder of this
run, which is deleted after it."""

from __future__ import annotations

import os
import shutil
import tempfile

import pytest

STATE = pytest.StashKey[str]()


def pytest_configure(config: pytest.Config) -> None:
    """Before any test: a folder of this run."""
    config.stash[STATE] = tempfile.mkdtemp(prefix="dpsql-state-")
    os.environ["DPSQL_STATE"] = config.stash[STATE]


def pytest_unconfigure(config: pytest.Config) -> None:
    """After all tests: it goes."""
    shutil.rmtree(config.stash[STATE], ignore_errors=True)
