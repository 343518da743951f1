"""Joins without parentheses, one inside the other: `a JOIN b JOIN c ON … ON …` joins b with c
first. The answers are DuckDB's, and no table is forgotten.
"""

from __future__ import annotations

from collections import Counter

import duckdb
import pytest

import dpsql

POLICY = """
unit: people.id
budget: {eps: 1e9}
tables:
  people:
    access: private
    key: [id]
    columns:
      id: {type: BIGINT}
      town: {type: BIGINT, references: towns.id, nullable: true}
  orders:
    access: private
    columns:
      person: {type: BIGINT, references: people.id, max_rows: 9}
      item: {type: BIGINT, references: items.id, nullable: true}
      cost: {type: BIGINT, bounds: [0, 50]}
  towns:
    access: public
    key: [id]
    columns:
      id: {type: BIGINT}
      land: {type: BIGINT}
  lands:
    access: public
    key: [id]
    columns:
      id: {type: BIGINT}
      name: {type: VARCHAR}
  items:
    access: public
    key: [id]
    columns:
      id: {type: BIGINT}
      sort: {type: VARCHAR}
"""
DATA = """
    CREATE TABLE people AS SELECT i AS id, CASE WHEN i % 7 > 0 THEN i % 5 END AS town
        FROM range(60) AS t(i);
    CREATE TABLE orders AS SELECT i % 60 AS person, CASE WHEN i % 11 > 0 THEN i % 5 END AS item,
        i % 50 AS cost FROM range(400) AS t(i);
    CREATE TABLE towns AS SELECT i AS id, i % 4 AS land FROM range(5) AS t(i);
    CREATE TABLE lands AS SELECT i AS id, 'land ' || i % 2 AS name FROM range(3) AS t(i);
    CREATE TABLE items AS SELECT i AS id, ['book', 'pen'][1 + i % 2] AS sort FROM range(4) t(i);
"""
COUNT = "SELECT COUNT(*), SUM(cost) FROM "
QUERIES = [
    f"{COUNT} orders o JOIN people p JOIN towns t ON t.id = p.town ON o.person = p.id",
    f"{COUNT} orders o JOIN people p JOIN towns t JOIN lands l ON l.id = t.land ON t.id = p.town "
    "ON o.person = p.id",
    f"{COUNT} orders o JOIN people p JOIN towns t ON t.id = p.town JOIN lands l ON l.id = t.land "
    "ON o.person = p.id JOIN items i ON i.id = o.item",
    f"{COUNT} orders o LEFT JOIN people p JOIN towns t ON t.id = p.town ON o.person = p.id",
    f"{COUNT} orders o LEFT JOIN people p SEMI JOIN towns t ON t.id = p.town ON o.person = p.id",
    f"{COUNT} orders o SEMI JOIN people p JOIN towns t ON t.id = p.town ON o.person = p.id",
    f"{COUNT} orders o JOIN people p ANTI JOIN towns t ON t.id = p.town ON o.person = p.id",
    f"{COUNT} orders o ANTI JOIN people p JOIN towns t ON t.id = p.town ON o.person = p.id",
    f"{COUNT} orders o JOIN (people p JOIN towns t ON t.id = p.town) JOIN lands l ON l.id = t.land "
    "ON o.person = p.id",
    f"{COUNT} (orders o JOIN people p JOIN towns t ON t.id = p.town ON o.person = p.id) "
    "JOIN items i ON i.id = o.item",
    f"{COUNT} orders o JOIN (SELECT * FROM people) p JOIN towns t ON t.id = p.town "
    "ON o.person = p.id",
    f"{COUNT} orders o JOIN items i JOIN (VALUES ('book')) v(sort) USING (sort) ON i.id = o.item",
    "SELECT i.sort, l.name, COUNT(*) FROM orders o JOIN people p JOIN towns t JOIN lands l "
    "ON l.id = t.land ON t.id = p.town ON o.person = p.id JOIN items i ON i.id = o.item "
    "GROUP BY 1, 2",
    f"WITH t AS (SELECT id, land FROM towns) {COUNT} orders o JOIN people p JOIN t "
    "ON t.id = p.town ON o.person = p.id",
    "SELECT COUNT(*) FROM towns t JOIN lands l JOIN people p ON p.id > l.id ON t.id = p.town",
    "SELECT COUNT(*) FROM people p, towns t JOIN lands l JOIN items i ON i.id = l.id "
    "ON l.id = t.land WHERE t.id = p.town",
    "SELECT COUNT(*) FROM people p WHERE p.town IN "
    "(SELECT t.id FROM towns t JOIN lands l JOIN items i ON i.id = l.id ON l.id = t.land)",
    "SELECT COUNT(*) FROM towns t JOIN lands l JOIN items i ON i.id = l.id ON l.id = t.land",
]


@pytest.mark.parametrize("sql", QUERIES)
@pytest.mark.one_in(3)
def test_the_answer_is_duckdbs(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    with dpsql.connect(connection, policy=POLICY) as db:
        mine = [tuple(map(_round, row)) for row in db.run(sql, eps=10**6).rows]
    rows = connection.execute(sql).fetchall()
    assert Counter(row for row in mine if row[-1] != 0) == Counter(
        tuple(map(_round, row)) for row in rows
    )


def _round(value: object) -> object:
    return value if isinstance(value, str) or value is None else round(float(str(value)))
