"""Keys that are DOUBLEs: each group once, as the engine has groups, and shown as no row has it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import duckdb
import pytest

import dpsql
from dpsql.compile import ReleasedQuery, compile_query
from dpsql.core.account.amount import Cost
from dpsql.execution.cells import normal
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from dpsql.platform.policy import resolve

POLICY = """
unit: people.id
budget: {eps: 1000000, delta: 1e-2}
tables:
  people:
    access: private
    key: [id]
    columns:
      id: {type: INTEGER}
      x: {type: DOUBLE}
      share: {type: DOUBLE, bounds: [-1, 1]}
"""
EXACT = 10_000

WILD = ["0.0", "-0.0", "nan", "-nan", "inf", "-inf", "0.1", "1e-320", None]


@pytest.fixture(scope="module")
def connection() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE people (id INTEGER, x DOUBLE, share DOUBLE)")
    connection.execute("SELECT setseed(0.5)")
    for i, value in enumerate(WILD):
        connection.execute(
            "INSERT INTO people SELECT $1 + i, CASE WHEN $2 = '-nan' THEN -('nan'::DOUBLE) ELSE "
            "$2::DOUBLE END, CASE WHEN i < 3 THEN ['nan', 'inf', '-0.0'][1 + i]::DOUBLE "
            "ELSE random() * 2 - 1 END FROM range(300) r(i)",
            [1000 * i, value],
        )
    return connection


@pytest.fixture(scope="module")
def db(connection: duckdb.DuckDBPyConnection) -> Iterator[dpsql.Database]:
    ledger = MemoryLedger(Cost(Fraction(10**9), Fraction(1)))
    with dpsql.connect(connection, dpsql.Policy.parse(POLICY), ledger=ledger) as opened:
        yield opened


def test_private_groups_are_the_engines(db: dpsql.Database) -> None:
    query = "SELECT x, COUNT(*) AS n FROM people GROUP BY x"
    for _ in range(2):  # the second is a stored answer
        rows = db.run(query, eps=EXACT).rows
        found = [(str(x), n) for x, n in rows]
        assert found == [
            ("-inf", 300),
            ("0.0", 600),
            ("1e-320", 300),
            ("0.1", 300),
            ("inf", 300),
            ("nan", 600),
            ("None", 300),
        ]
        assert all(math.copysign(1, x) == 1 for x, _ in rows if x in (0, math.nan))


@pytest.mark.parametrize(
    "key",
    ["ROUND(share, 1)", "FLOOR(share * 4) / 4", "CEIL(share)", "TRUNC(share, 1)", "EVEN(share)"],
)
def test_listed_groups_are_the_engines(
    db: dpsql.Database, connection: duckdb.DuckDBPyConnection, key: str
) -> None:
    query = f"SELECT {key} AS k, COUNT(*) AS n FROM {{}} GROUP BY k"
    found = dict(db.run(query.format("people"), eps=EXACT).rows)
    # What is beyond a declared bound counts as the bound, and NaN is in no group of the list.
    inside = "(SELECT LEAST(share, 1) AS share FROM people WHERE NOT isnan(share))"
    own = connection.cursor().execute(query.format(inside)).fetchall()
    assert {k: n for k, n in found.items() if n} == dict(own)
    assert len(found) <= 21


@pytest.mark.parametrize("digits", [0, 1, 2, -1])
@pytest.mark.parametrize("name", ["ROUND", "TRUNC"])
@pytest.mark.parametrize("end", ["4.35", "0.25", "1.95", "2.675"])
def test_the_ends_of_what_is_rounded_are_groups(name: str, digits: int, end: str) -> None:
    policy = POLICY.replace("bounds: [-1, 1]", f"bounds: [-{end}, {end}]")
    schema = resolve(dpsql.Policy.parse(policy), None, None)
    sql = f"SELECT {name}(share, {digits}) AS k, COUNT(*) AS n FROM people GROUP BY k"
    query = compile_query(sql, schema, Fraction(1)).query
    assert isinstance(query, ReleasedQuery)
    (key,) = query.releases[0].domain.listed
    ends = duckdb.sql(f"SELECT {name}(v * {end}::DOUBLE, {digits}) FROM (VALUES (1), (-1)) t(v)")
    assert {Fraction(v) for (v,) in ends.fetchall()} <= set(key.values)
    assert len(key.values) <= 2 * (float(end) * 10.0**digits + 1) + 1


def test_a_key_has_one_form() -> None:
    assert normal(-0.0) == 0 and str(normal(-0.0)) == "0"
    assert normal(math.nan) is normal(-math.nan) is normal(float("nan"))
    assert normal(0.1) == Fraction(0.1)
    assert normal(math.inf) == math.inf
