"""Of columns of which the policy does not say whether they may be NULL: what a query makes of NULL,
0 or 'none', has a group, wherever it is made.
"""

from __future__ import annotations

import duckdb
import pytest

import dpsql

POLICY = """
unit: person
budget: {eps: 1e9}
tables:
  t:
    access: private
    owner: person
    columns:
      person: {type: INTEGER, max_rows: 3}
      d: {type: DATE, bounds: [2024-01-01, 2024-12-31]}
      x: {type: INTEGER, bounds: [0, 10]}
      s: {type: VARCHAR, values: [a, b]}
"""
ROWS = """
    INSERT INTO t VALUES (1, '2024-01-05', 4, 'a'), (1, NULL, NULL, NULL),
    (2, '2024-03-07', NULL, 'b'), (3, NULL, NULL, NULL), (4, NULL, 7, 'a'),
    (5, '2024-02-01', 7, NULL)
"""
UNITS = [
    "SELECT person, COUNT(x) AS k FROM t GROUP BY person",
    "SELECT person, COUNT(DISTINCT x) AS k FROM t GROUP BY person",
    "SELECT person, COUNT(x + 1) AS k FROM t GROUP BY person",
    "SELECT person, IF(COUNT(s) > 0, 'some', 'never') AS k FROM t GROUP BY person",
    "SELECT person, COUNT(*) - COUNT(x) AS k FROM t GROUP BY person",
    "SELECT DISTINCT person, COUNT(DISTINCT x) OVER (PARTITION BY person) AS k FROM t",
    "SELECT DISTINCT person, COALESCE(x, -1) AS k FROM t",
    "SELECT DISTINCT person, COALESCE(s, 'none') AS k FROM t",
    "SELECT DISTINCT person, IFNULL(MONTH(d), 0) AS k FROM t",
    "SELECT DISTINCT person, x IS NULL AS k FROM t",
    "SELECT DISTINCT ON (person) person, COALESCE(x, -1) AS k FROM t ORDER BY person, x",
    "SELECT person, MIN(COALESCE(MONTH(d), 0)) AS k FROM t GROUP BY person",
    "SELECT person, SUM(COALESCE(x, -1)) AS k FROM t GROUP BY person",
    "SELECT person, COALESCE(MAX(MONTH(d)), 0) AS k FROM t GROUP BY person",
    "SELECT person, COALESCE(x, -1) AS k FROM t UNION ALL SELECT person, 5 FROM t",
    """SELECT a.person, k FROM t AS a LEFT JOIN (SELECT person, COALESCE(MAX(MONTH(d)), 0) AS k
       FROM t GROUP BY person) AS b USING (person)""",
    """SELECT person, FIRST_VALUE(COALESCE(x, -1)) OVER (PARTITION BY person ORDER BY d) AS k
       FROM t""",
]


@pytest.fixture(scope="module")
def data() -> duckdb.DuckDBPyConnection:
    made = duckdb.connect()
    made.execute("CREATE TABLE t (person INTEGER, d DATE, x INTEGER, s VARCHAR)")
    made.execute(ROWS)
    return made


@pytest.mark.parametrize("units", UNITS)
@pytest.mark.one_in(3)
def test_what_stands_for_null_has_a_group(data: duckdb.DuckDBPyConnection, units: str) -> None:
    text = f"SELECT k, COUNT(*) AS n FROM ({units}) AS u GROUP BY k"
    with dpsql.connect(data, POLICY, version="1") as db:
        found = {key: round(n) for key, n in db.run(text, 10**6).rows if round(n)}
    assert found == dict(data.execute(text).fetchall())
