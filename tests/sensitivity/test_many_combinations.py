"""Listed keys that make too many combinations together: with a δ the longest lists are left, one by
one, until the rest is short enough.
"""

from __future__ import annotations

from fractions import Fraction

import duckdb
import pytest

import dpsql
from dpsql.compile import ReleasedQuery, compile_query
from dpsql.core.calibrate.options import Options
from dpsql.core.infer.domain import Domain
from dpsql.core.schema import Schema
from dpsql.errors import Rejected
from dpsql.platform.policy import Policy, resolve

POLICY = """
unit: people.id
budget: {eps: 1e9, delta: 0.01}
tables:
  people:
    access: private
    key: [id]
    columns:
      id: {type: BIGINT}
      a: {type: INTEGER, bounds: [0, 499]}
      b: {type: INTEGER, bounds: [0, 699]}
      c: {type: INTEGER, bounds: [0, 99]}
      d: {type: INTEGER, bounds: [0, 1000]}
"""


WITH_DELTA = Options(delta=Fraction(1, 10**6))


def _schema() -> Schema:
    return resolve(Policy.parse(POLICY), None, None)


def _domain(keys: str) -> Domain:
    sql = f"SELECT {keys}, COUNT(*) AS n FROM people GROUP BY ALL"
    found = compile_query(sql, _schema(), Fraction(1), options=WITH_DELTA).query
    assert isinstance(found, ReleasedQuery)
    (release,) = found.releases
    return release.domain


@pytest.mark.parametrize(
    ("keys", "listed", "private"),
    [
        ("a, b", {"a", "b"}, set()),
        ("a, b, c", {"a", "c"}, {"b"}),
        ("b, c, a", {"a", "c"}, {"b"}),
        ("c, d", {"c", "d"}, set()),
        ("a, c, d", {"a", "c"}, {"d"}),
        ("a, b, c, d", {"a", "c"}, {"b", "d"}),
    ],
)
def test_the_longest_are_private(keys: str, listed: set[str], private: set[str]) -> None:
    domain = _domain(keys)
    assert {key.column.name for key in domain.listed} == listed
    assert {column.name for column in domain.private} == private


def test_without_a_delta_they_are_too_many() -> None:
    with pytest.raises(Rejected, match="35,000,000 combinations") as caught:
        compile_query("SELECT a, b, c, COUNT(*) FROM people GROUP BY ALL", _schema(), Fraction(1))
    assert caught.value.code == "DP304"


def test_groups_of_enough_units_are_shown() -> None:
    data = duckdb.connect()
    data.execute(
        "CREATE TABLE people AS SELECT i AS id, (i % 5)::INTEGER AS a, (i % 7)::INTEGER AS b, "
        "(i % 3)::INTEGER AS c, (i % 11)::INTEGER AS d FROM range(3000) t(i)"
    )
    sql = "SELECT a, b, c, COUNT(*) FROM people GROUP BY ALL"
    with dpsql.connect(data, policy=POLICY) as db:
        rows = db.run(sql, eps=10**6, delta=1e-6).rows
    assert sorted(rows) == sorted(data.execute(sql).fetchall())
