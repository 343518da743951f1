"""Data whose queries are counted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.execution.repeated import Data


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Data]:
    found = Data(tmp_path / "shop.duckdb")
    yield found
    found.db.close()
