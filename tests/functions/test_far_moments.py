"""Differences of moments outside the years 1 to 9999 are NULL, as the language's page declares."""

from __future__ import annotations

from unittest.mock import patch

import duckdb
import pytest

import dpsql
from dpsql.core.account import amount

POLICY = """
unit: u.id
budget: {eps: 1}
tables:
  u:
    access: private
    key: [id]
    columns: {id: {type: BIGINT}, a: {type: TIMESTAMP}, b: {type: TIMESTAMP}}
"""


@pytest.mark.parametrize("difference", ["a - b", "age(a, b)"])
@pytest.mark.parametrize(
    ("moment", "counted"),
    [
        ("9999-12-31 23:59:59", 1),
        ("10000-01-01 00:00:00", 0),
        ("0001-01-01 00:00:00", 1),
        ("0001-12-31 (BC) 00:00:00", 0),
    ],
)
def test_at_the_ends_of_the_calendar(difference: str, moment: str, counted: int) -> None:
    with duckdb.connect() as data:
        data.execute("CREATE TABLE u (id BIGINT PRIMARY KEY, a TIMESTAMP, b TIMESTAMP)")
        data.execute("INSERT INTO u VALUES (1, $1::TIMESTAMP, TIMESTAMP '2020-01-01')", [moment])
        with patch.object(amount, "MAX_EPS", 10**12):
            policy = dpsql.Policy.parse(POLICY.replace("eps: 1", "eps: 1000000"))
            with dpsql.connect(data, policy) as db:
                asked = f"SELECT COUNT(*) FROM u WHERE {difference} <> INTERVAL 1 DAY"
                assert db.run(asked, eps=10**5).rows == ((counted,),)
