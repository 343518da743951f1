"""Invented people with visits, for models: numbers of each kind, texts, truths, NULLs and NaN."""

from __future__ import annotations

import duckdb
import numpy as np

import dpsql
from tests.support.filled import fill

POLICY = """
unit: people.id
budget: {eps: 1e9, delta: 0.1}
tables:
  people:
    access: private
    key: [id]
    columns:
      id: {type: BIGINT}
      age: {type: INTEGER, bounds: [18, 90]}
      size: {type: DOUBLE, bounds: [1.2, 2.1]}
      paid: {type: "DECIMAL(8,2)", bounds: [0, 500]}
      works: {type: BOOLEAN}
      town: {type: VARCHAR, values: [Aki, Bern, Cork]}
      born: {type: DATE}
      free: {type: BIGINT}
  visits:
    access: private
    columns:
      id: {type: BIGINT, references: people.id, max_rows: 3, nullable: false}
      hours: {type: DOUBLE, bounds: [0, 10], nullable: false}
      cost: {type: DOUBLE, bounds: [-50, 200], nullable: false}
"""
ENOUGH = 1e6
"""An ε at which noise is far below what tests look at."""


def data(rows: int = 400, seed: int = 1, *, broken: bool = False) -> duckdb.DuckDBPyConnection:
    """Tables of so many people.

    Args:
        rows: how many.
        seed: of what is drawn.
        broken: whether they break what is declared, in every way: NULL, NaN, ∞, values beyond their
            bounds and texts that are not listed.
    """
    random = np.random.default_rng(seed)
    found = duckdb.connect()
    found.execute(
        "CREATE TABLE people (id BIGINT PRIMARY KEY, age INTEGER, size DOUBLE, paid DECIMAL(8,2), "
        "works BOOLEAN, town VARCHAR, born DATE, free BIGINT)"
    )
    found.execute("CREATE TABLE visits (id BIGINT, hours DOUBLE, cost DOUBLE)")
    people, visits = [], []
    for i in range(rows):
        age, size = int(random.integers(18, 91)), float(random.uniform(1.2, 2.1))
        works, town = bool(random.integers(2)), ("Aki", "Bern", "Cork")[random.integers(3)]
        paid = 40 + 2 * age + 60 * works - 30 * (town == "Bern") + 40 * random.normal()
        person = [i, age, size, round(float(np.clip(paid, 0, 500)), 2), works, town]
        if broken:
            odd = random.integers(0, 4, 5)
            person[1] = (age, age, -1000, 10**6)[odd[0]]
            person[2] = (size, float("nan"), float("inf"), -1e300)[odd[1]]
            person[3] = (person[3], person[3], 99999.99, -5.0)[odd[2]]
            person[4] = (works, works, works, None)[odd[3]]
            person[5] = (town, town, "Oslo", None)[odd[4]]
        people.append([*person, f"19{10 + i % 80}-01-01", i])
        for _ in range(int(random.integers(0, 8 if broken else 4))):
            hours = float(random.uniform(0, 10))
            visits.append([i, hours, float(np.clip(12 * hours + 20 * random.normal(), -50, 200))])
    plain = [
        [None if v is None else getattr(v, "item", lambda v=v: v)() for v in p] for p in people
    ]
    fill(found, "people", plain)
    fill(found, "visits", visits)
    return found


def opened(found: duckdb.DuckDBPyConnection, policy: str = POLICY) -> dpsql.Database:
    """They under their policy."""
    return dpsql.connect(found, policy, version="1")


def columns(found: duckdb.DuckDBPyConnection, sql: str) -> dict[str, np.ndarray]:
    """The rows of a query, by column."""
    rows = found.execute(sql)
    names = [d[0] for d in rows.description]
    return dict(zip(names, map(np.array, zip(*rows.fetchall(), strict=True)), strict=True))
