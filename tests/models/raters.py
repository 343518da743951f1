"""Invented people who rate films, for matrix factorisation."""

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
  ratings:
    access: private
    columns:
      id: {type: BIGINT, references: people.id, max_rows: 6, nullable: false}
      film: {type: VARCHAR, values: [a, b, c, d, e, f, g, h]}
      stars: {type: DOUBLE, bounds: [1, 5]}
      liked: {type: BOOLEAN}
      number: {type: BIGINT}
  films:
    access: public
    key: [film]
    columns:
      film: {type: VARCHAR, nullable: false}
      number: {type: BIGINT, nullable: false}
"""
SQL = "SELECT id, film, stars FROM ratings"


def data(people: int = 300, seed: int = 1, *, broken: bool = False) -> duckdb.DuckDBPyConnection:
    """Tables of so many people, with 4 to 6 ratings each; no two are alike.

    Args:
        people: how many.
        seed: of what is drawn.
        broken: whether they break what is declared: NULL, NaN, ∞, stars beyond their bounds, films
            that are none, one film twice, and too many ratings.
    """
    random = np.random.default_rng(seed)
    found = duckdb.connect()
    found.execute("CREATE TABLE people (id BIGINT PRIMARY KEY)")
    found.execute(
        "CREATE TABLE ratings (id BIGINT, film VARCHAR, stars DOUBLE, liked BOOLEAN, number BIGINT)"
    )
    found.execute("CREATE TABLE films (film VARCHAR, number BIGINT)")
    fill(found, "films", [[x, n] for n, x in enumerate("abcdefgh")])
    factors, rows = random.normal(size=(8, 2)), []
    for person in range(people):
        own = random.normal(size=2)
        many = int(random.integers(4, 15 if broken else 7))
        for film in random.choice(8, many, replace=broken).tolist():
            exact = 3.2 + factors[film] @ own + random.normal() / 2
            stars = round(float(np.clip(exact, 1, 5)), 2)
            row = [person, "abcdefgh"[film], stars, stars > 3, film]
            if broken:
                row[2] = (stars, stars, float("nan"), float("inf"), -1e300, None)[
                    random.integers(6)
                ]
                row[1] = (row[1], row[1], "z", None)[random.integers(4)]
            rows.append(row)
    if people:
        fill(found, "people", [[person] for person in range(people)])
        fill(found, "ratings", rows)
    return found


def opened(found: duckdb.DuckDBPyConnection, policy: str = POLICY) -> dpsql.Database:
    """They under their policy."""
    return dpsql.connect(found, policy, version="1")
