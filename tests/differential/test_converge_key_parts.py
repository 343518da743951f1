"""Groups of what is computed of several public tables, or of one and of what has few values: they
are DuckDB's, and what is not declared is in none.
"""

from __future__ import annotations

from datetime import date

import duckdb
import pytest

import dpsql
from dpsql.errors import Rejected

POLICY = """
unit: people.id
budget: {eps: 1e9}
tables:
  people:
    access: private
    key: [id]
    columns:
      id: {type: BIGINT}
      town: {type: VARCHAR, references: towns.name}
      kind: {type: VARCHAR, values: [x, y, z]}
      group: {type: VARCHAR, values: [m, n], nullable: true}
      age: {type: INTEGER, bounds: [0, 99]}
  orders:
    access: private
    columns:
      person: {type: BIGINT, references: people.id, max_rows: 9}
      item: {type: BIGINT, references: items.id}
      at: {type: TIMESTAMP, bounds: [2024-01-01 00:00:00, 2024-03-31 23:59:59]}
      cost: {type: DOUBLE, bounds: [0, 50]}
  towns:
    access: public
    key: [name]
    columns:
      name: {type: VARCHAR}
      land: {type: VARCHAR}
  items:
    access: public
    key: [id]
    columns:
      id: {type: BIGINT}
      sort: {type: VARCHAR}
"""
DATA = """
    CREATE TABLE people AS SELECT i AS id, ['a', 'b', 'c', 'd'][1 + i % 4] AS town,
        ['x', 'y', 'z'][1 + i % 3] AS kind, ['m', 'n', NULL][1 + i // 3 % 3] AS "group",
        (i * 7 % 90)::INTEGER AS age FROM range(60) AS t(i);
    CREATE TABLE orders AS SELECT i % 60 AS person, i % 5 AS item,
        TIMESTAMP '2024-01-01' + INTERVAL (i * 11 % 2100) HOUR AS at, i % 50 + 0.5::DOUBLE AS cost
        FROM range(400) AS t(i);
    CREATE TABLE towns (name VARCHAR, land VARCHAR);
    INSERT INTO towns VALUES ('a', 'north'), ('b', 'south'), ('c', 'south'), ('d', NULL),
        ('none', 'nowhere');
    CREATE TABLE items AS SELECT i AS id, ['book', 'pen'][1 + i % 2] AS sort FROM range(5) t(i);
"""
UNDECLARED = """
    INSERT INTO people VALUES (100, 'a', 'w', 'm', 20), (101, 'a', NULL, 'm', 20),
        (102, 'elsewhere', 'x', 'm', 20), (103, NULL, 'x', 'm', 20), (104, 'a', 'x', 'o', 20);
    INSERT INTO orders VALUES (1, 99, TIMESTAMP '2024-01-05', 5), (2, NULL, NULL, 7);
"""
ALL = "people p JOIN towns t ON t.name = p.town JOIN orders o ON o.person = p.id "
QUERIES = [
    "SELECT town || '-' || kind AS k, COUNT(*) FROM people GROUP BY 1",
    "SELECT town || '-' || kind AS k, SUM(age) FROM people WHERE kind <> 'x' GROUP BY 1",
    "SELECT kind, town || kind AS k, COUNT(*) FROM people GROUP BY 1, 2",
    "SELECT kind || town AS k, kind, town, COUNT(*) FROM people GROUP BY ALL",
    "SELECT CONCAT(town, age) AS k, COUNT(*) FROM people GROUP BY 1",
    """SELECT COALESCE("group", '?') || town AS k, COUNT(*) FROM people GROUP BY 1""",
    """SELECT CONCAT("group", '/', town) AS k, COUNT(*) FROM people GROUP BY 1""",
    "SELECT CASE WHEN kind = 'x' THEN town ELSE 'other' END AS k, COUNT(*) FROM people GROUP BY 1",
    "SELECT IF(age > 40, town, kind) AS k, COUNT(*) FROM people GROUP BY 1",
    f"SELECT t.land || kind AS k, COUNT(*) FROM {ALL} WHERE t.land > '' GROUP BY 1",
    f"SELECT town || MONTH(o.at) AS k, COUNT(*) FROM {ALL} GROUP BY 1",
    f"SELECT town || YEAR(o.at) AS k, SUM(cost) FROM {ALL} GROUP BY 1",
    f"SELECT town || strftime(o.at, '%Y-%m') AS k, COUNT(*) FROM {ALL} GROUP BY 1",
    f"SELECT town || CAST(CAST(o.at AS DATE) AS VARCHAR) AS k, COUNT(*) FROM {ALL} GROUP BY 1",
    f"SELECT MAKE_DATE(2000 + LENGTH(town), MONTH(o.at), 1) AS k, COUNT(*) FROM {ALL} GROUP BY 1",
    f"SELECT town || o.item AS k, COUNT(*) FROM {ALL} GROUP BY 1",
    f"SELECT t.land || i.sort AS k, COUNT(*) FROM {ALL} JOIN items i ON i.id = o.item "
    "WHERE t.land > '' GROUP BY 1",
    f"SELECT i.sort || kind AS k, t.land || kind AS j, COUNT(*) FROM {ALL} "
    "JOIN items i ON i.id = o.item WHERE t.land > '' GROUP BY 1, 2",
    f"SELECT town || i.sort AS k, COUNT(DISTINCT p.id) FROM {ALL} "
    "JOIN items i ON i.id = o.item WHERE i.sort = 'pen' GROUP BY 1",
    f"SELECT kind || town AS k, o.item, COUNT(*) FROM {ALL} GROUP BY ROLLUP (k, o.item)",
    f"SELECT LENGTH(town) * age AS k, COUNT(*) FROM {ALL} GROUP BY 1",
    f"SELECT town || CAST(FLOOR(cost / 10) AS INTEGER) AS k, COUNT(*) FROM {ALL} GROUP BY 1",
    """SELECT kind || town AS k, COUNT(*) FROM (SELECT kind, town FROM people
       UNION ALL SELECT 'x', town FROM people) GROUP BY 1""",
    """SELECT AVG(n), COUNT(*) FROM (SELECT kind || town AS k, COUNT(*) AS n FROM people
       GROUP BY 1)""",
]


def _data(*texts: str) -> duckdb.DuckDBPyConnection:
    made = duckdb.connect()
    for text in texts:
        made.execute(text)
    return made


@pytest.mark.parametrize("text", QUERIES)
@pytest.mark.one_in(3)
def test_groups_of_several_lists(text: str) -> None:
    data = _data(DATA)
    rows = _answers(data, text)
    wanted = [tuple(map(_rounded, row)) for row in data.execute(text).fetchall()]
    assert [row for row in rows if row[-1]] == sorted(wanted, key=repr)


@pytest.mark.parametrize("text", QUERIES[:4])
@pytest.mark.one_in(2)
def test_what_is_not_declared_is_in_no_group(text: str) -> None:
    """Of five people with a value that is not declared one has it in another column."""
    one = "INSERT INTO people VALUES (104, 'a', 'x', NULL, 20)"
    assert _answers(_data(DATA, UNDECLARED), text) == _answers(_data(DATA, one), text)


DAYS = """
unit: people.id
budget: {eps: 1e9}
tables:
  people:
    access: private
    key: [id]
    columns: {id: {type: BIGINT}, seen: {type: TIMESTAMP}}
  days:
    access: public
    key: [day]
    columns: {day: {type: DATE}}
"""


@pytest.mark.parametrize("said", ["date_trunc('day', p.seen)", "CAST(p.seen AS DATE)"])
def test_days_that_are_one_in_python_are_one_group(said: str) -> None:
    """The infinite day is the last one in Python; a list of groups tells it apart, as rows do."""
    data = _data(
        """CREATE TABLE people AS
           SELECT i AS id, TIMESTAMP '2024-01-01 05:00' AS seen FROM range(9) t(i)""",
        "CREATE TABLE days AS SELECT UNNEST([DATE '2024-01-01', '9999-12-31', 'infinity']) AS day",
    )
    text = f"SELECT d.day, COUNT(*) FROM people p JOIN days d ON d.day = {said} GROUP BY 1"
    with dpsql.connect(data, DAYS, version="1") as db:
        rows = dict(db.run(text, 10**6).rows)
    assert rows == {None: 0, date(2024, 1, 1): 9, date(9999, 12, 31): 0}


LONG = """
unit: people.id
budget: {eps: 1e9, delta: 0.1}
limits: {seconds: 20}
tables:
  people:
    access: private
    key: [id]
    columns:
      id: {type: BIGINT}
      a: {type: INTEGER, references: ta.id}
      b: {type: INTEGER, references: tb.id}
  ta: {access: public, key: [id], columns: {id: {type: BIGINT}, name: {type: VARCHAR}}}
  tb: {access: public, key: [id], columns: {id: {type: BIGINT}, name: {type: VARCHAR}}}
"""


def test_a_product_that_is_too_large_is_not_made() -> None:
    """It has 10^12 rows: to make them would take hours."""
    tables = (
        f"CREATE TABLE {t} AS SELECT i AS id, 'n' || i AS name FROM range(1_000_000) x(i)"
        for t in ("ta", "tb")
    )
    people = "CREATE TABLE people AS SELECT i AS id, 1 AS a, 2 AS b FROM range(900) x(i)"
    data = _data(people, *tables)
    text = """SELECT ta.name || tb.name AS k, COUNT(*) FROM people p JOIN ta ON ta.id = p.a
        JOIN tb ON tb.id = p.b GROUP BY 1"""
    with dpsql.connect(data, LONG, version="1") as db:
        with pytest.raises(Rejected, match="1,000,000,000,000 groups") as caught:
            db.run(text, 1, delta=0)
        assert caught.value.code == "DP304"
        assert db.run(text, 10**6, delta=1e-6).rows == (("n1n2", 900),)


def _answers(data: duckdb.DuckDBPyConnection, text: str) -> list[tuple[object, ...]]:
    with dpsql.connect(data, POLICY, version="1") as db:
        rows = db.run(text, 10**6).rows
    return sorted((tuple(map(_rounded, row)) for row in rows), key=repr)


def _rounded(value: object) -> object:
    return round(float(value), 2) if isinstance(value, float) else value
