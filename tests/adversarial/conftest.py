"""A database of people, which a file may have another one for."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

import dpsql
from dpsql.session.database import Database
from tests.adversarial.raw_world import POLICY, TABLE


@pytest.fixture(scope="module")
def db() -> Iterator[Database]:
    with duckdb.connect() as owner:
        owner.execute(TABLE)
        with dpsql.connect(owner, POLICY) as opened:
            yield opened
