from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

import dpsql
from dpsql import dbapi

DATA = """
CREATE TABLE people (id INTEGER PRIMARY KEY, city VARCHAR, born DATE, seen TIMESTAMP, ok BOOLEAN,
    size DECIMAL(6,2), weight DOUBLE);
INSERT INTO people SELECT i, CASE WHEN i % 4 = 0 THEN 'O''Hare' ELSE 'Rome' END,
    DATE '2000-01-01' + i::INTEGER, TIMESTAMP '2020-01-01' + to_hours(i), i % 2 = 0, i * 0.5, i / 8
    FROM range(40) AS r(i);
CREATE TABLE cities (city VARCHAR, people DECIMAL(9,2), note VARCHAR);
INSERT INTO cities VALUES ('Rome', 2.5, NULL), ('O''Hare', 1, 'plane'), ('Ulm', 3, NULL);
"""

POLICY = """
unit: people.id
budget: {eps: 1000000000, delta: 0.01}
tables:
  people:
    access: private
    key: [id]
    columns:
      city: {values: ["O'Hare", Rome]}
      born: {bounds: [2000-01-01, 2000-12-31]}
      size: {bounds: [0, 20]}
  cities: {access: public}
"""

EXACT = 10**6
"""An ε at which the noise rounds to nothing."""


@pytest.fixture(scope="session")
def database() -> Iterator[dpsql.Database]:
    with duckdb.connect() as owner:
        owner.execute(DATA)
        with dpsql.connect(owner, POLICY, version="1") as opened:
            yield opened


@pytest.fixture
def connection(database: dpsql.Database) -> Iterator[dbapi.Connection]:
    with dbapi.connect(database, eps=EXACT) as made:
        yield made
