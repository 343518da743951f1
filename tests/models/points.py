"""Invented points around three centres that are far apart, for clusters."""

from __future__ import annotations

import duckdb
import numpy as np

import dpsql
from tests.support.filled import fill

POLICY = """
unit: points.id
budget: {eps: 1e9, delta: 0.1}
tables:
  points:
    access: private
    key: [id]
    columns:
      id: {type: BIGINT}
      x: {type: DOUBLE, bounds: [-5, 5], nullable: false}
      y: {type: INTEGER, bounds: [0, 100]}
      big: {type: BOOLEAN}
"""
CENTRES = ((-3, 20, False), (0, 80, True), (4, 50, False))


def data(rows: int = 600, seed: int = 1) -> duckdb.DuckDBPyConnection:
    """So many points, of which half are around the first centre."""
    random = np.random.default_rng(seed)
    found = duckdb.connect()
    found.execute("CREATE TABLE points (id BIGINT PRIMARY KEY, x DOUBLE, y INTEGER, big BOOLEAN)")
    made = []
    for i in range(rows):
        x, y, big = CENTRES[(0, 1, 0, 2)[i % 4]]
        made.append([i, x + 0.3 * random.normal(), round(y + 3 * random.normal()), big])
    fill(found, "points", made)
    return found


def opened(found: duckdb.DuckDBPyConnection, policy: str = POLICY) -> dpsql.Database:
    """They under their policy."""
    return dpsql.connect(found, policy, version="1")
