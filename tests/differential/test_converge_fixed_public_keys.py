"""Group keys that a public table's row fixes, where few rows can be it: the groups are DuckDB's,
and a unit is in no more of them than there are such rows.
"""

from __future__ import annotations

import duckdb
import pytest

import dpsql
from dpsql import audit

POLICY = """
unit: people.id
budget: {eps: 1e9, delta: 1e-4}
tables:
  people:
    access: private
    key: [id]
    columns:
      id: {type: BIGINT}
      town: {type: VARCHAR, references: towns.name}
      sex: {type: INTEGER, references: codes.code, values: [1, 2], nullable: false}
  orders:
    access: private
    columns:
      person: {type: BIGINT, references: people.id, max_rows: 9}
      item: {type: BIGINT, references: items.id}
  towns: {access: public, key: [name]}
  items: {access: public, key: [id]}
  codes: {access: public, key: [code]}
"""
DATA = """
    CREATE TABLE people AS SELECT i AS id, ['a', 'b', 'c', 'd', NULL][1 + i % 5] AS town,
        (1 + i % 2)::INTEGER AS sex FROM range(60) AS t(i);
    CREATE TABLE orders AS SELECT i % 60 AS person, nullif(i * 7 % 11, 3) AS item
        FROM range(400) AS t(i);
    CREATE TABLE towns (name VARCHAR, land VARCHAR, size DOUBLE);
    INSERT INTO towns VALUES ('a', 'north', 0.0), ('b', 'south', -0.0), ('c', NULL, 2.5);
    CREATE TABLE items AS SELECT i AS id, ['book', 'pen'][1 + i % 2] AS sort FROM range(9) t(i);
    CREATE TABLE codes AS SELECT i::INTEGER AS code, 'code ' || i // 2 AS name FROM range(4) t(i);
"""
ITEMS = "orders o JOIN items i ON i.id = o.item"
TOWNS = "people p JOIN towns t ON t.name = p.town"
QUERIES = [
    (f"SELECT o.item, i.sort, COUNT(*), COUNT(DISTINCT person) FROM {ITEMS} "
     "WHERE o.item IN (1, 4) GROUP BY ALL", 2),
    (f"SELECT i.id, i.sort || '!' AS s, COUNT(*) FROM {ITEMS} WHERE i.id IN (1, 4, 5) "
     "GROUP BY ALL", 3),
    (f"SELECT o.item, i.sort, COUNT(*) FROM {ITEMS} WHERE o.item IN (1, 10) GROUP BY ALL", 2),
    (f"SELECT o.item, i.sort, COUNT(*) AS n FROM {ITEMS} WHERE o.item = 4 GROUP BY ALL", 1),
    (f"SELECT i.sort, COUNT(*) FROM {ITEMS} WHERE o.item IN (1, 4) GROUP BY o.item, i.sort", 2),
    (f"SELECT o.item, i.sort, COUNT(*) AS n FROM {ITEMS} WHERE i.sort = 'pen' "
     "AND o.item IN (1, 3, 4) GROUP BY ALL HAVING n > 5 ORDER BY n DESC LIMIT 2", 3),
    (f"SELECT o.item, i.sort, COUNT(*) FROM {ITEMS} WHERE o.item IN (1, 4) "
     "GROUP BY ROLLUP (o.item, i.sort)", 2),
    (f"SELECT p.town, t.land, t.size, o.item, i.sort, COUNT(*) FROM {TOWNS} "
     f"JOIN orders o ON o.person = p.id JOIN items i ON i.id = o.item "
     "WHERE p.town IN ('a', 'b', 'c') AND o.item IN (1, 4) GROUP BY ALL", 2),
    ("SELECT p.sex, c.name, o.item, COUNT(*) FROM people p JOIN codes c ON c.code = p.sex "
     "JOIN orders o ON o.person = p.id WHERE o.item IN (1, 4) GROUP BY ALL", 2),
    (f"SELECT o.item, i.sort, COUNT(*) FROM {ITEMS} GROUP BY ALL", 9),
    ("SELECT o.item, i.sort, COUNT(*) FROM orders o LEFT JOIN items i ON i.id = o.item "
     "WHERE o.item IN (1, 4) GROUP BY ALL", None),
]  # fmt: skip
"""Each with how many groups a person can be in at most."""


def _database() -> dpsql.Database:
    data = duckdb.connect()
    data.execute(DATA)
    return dpsql.connect(data, POLICY)


@pytest.mark.parametrize(("text", "most"), QUERIES)
def test_groups_are_duckdbs(text: str, most: int | None) -> None:
    db = _database()
    answer = db.run(text, eps=10**6)
    data = duckdb.connect()
    data.execute(DATA)
    rows = [tuple(v if isinstance(v, str | None) else round(v) for v in r) for r in answer.rows]
    shown = [row for row in rows if row[-1] != 0]  # a group that nobody is in may be listed
    wanted = data.execute(text).fetchall()
    assert sorted(map(repr, shown)) == sorted(repr(_plain(row)) for row in wanted)
    if most is not None:
        assert max(release.l0 for release in answer.explanation.releases) <= most


def _plain(row: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(round(v) if isinstance(v, float) else v for v in row)


@pytest.mark.parametrize("text", [text for text, _ in QUERIES[:4]])
def test_no_person_moves_more(text: str) -> None:
    report = audit.check(_database(), text, units=6, worlds=3, samples=0)
    assert report.holds, str(report)


def test_a_person_counts_once_for_each_of_the_asked_values() -> None:
    text = f"SELECT o.item, i.sort, COUNT(DISTINCT person) FROM {ITEMS} "
    few, all_of_them = (
        _database().explain(f"{text} {where} GROUP BY ALL", eps=1).releases[0]
        for where in ("WHERE o.item IN (1, 4)", "")
    )
    assert (few.l0, few.l1) == (2, 2)
    assert all_of_them.l0 == 9
