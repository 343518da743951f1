"""What a CASE can be: where a condition is not TRUE its opposite is, or there is a NULL."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import duckdb
import pytest

from dpsql.core.infer.ranges import infer
from dpsql.core.plan.nodes import Project, Scan, nodes
from dpsql.core.plan.values import Values, of_type
from dpsql.front.bind import bind
from dpsql.front.parse import parse
from tests.support.policies import load

NUMBERS = [None, -math.inf, -40.5, -3.0, -1.5, 0.0, 1.0, 2.5, 3.0, 7.0, 40.0, math.inf, math.nan]
CONDITIONS = [
    *(f"x {op} {c}" for op in ("<", "<=", ">", ">=") for c in (-1, 3)),
    *(f"3 {op} x" for op in ("<", "<=", ">", ">=")),
    *("x < -1 OR x > 3", "x > 3 OR (x < -1 OR x IS NULL)", "NOT x > 3", "x = 3", "x <> 3"),
    *("x < 3 AND x > -1", "x IS NULL", "x < y", "x > NULL"),
]


def inferred(text: str) -> Values:
    schema = load("shop").schema
    bound, _ = bind(parse(text), schema)
    (scan,) = (node for node in nodes(bound.plan) if isinstance(node, Scan))
    assert isinstance(bound.plan, Project)
    ((_, expr),) = bound.plan.items
    return infer(expr, {c.id: of_type(c.type) for c in scan.columns})


def holds(value: object, said: Values) -> bool:
    if value is None:
        return said.nullable
    assert isinstance(value, int | float)
    if math.isnan(value):
        return said.nan
    low, high = said.low, said.high
    if math.isinf(value):
        return (low if value < 0 else high) is None
    return (low is None or low <= Fraction(value)) and (high is None or Fraction(value) <= high)


@pytest.mark.parametrize("column", ["rate", "code"])
def test_every_value_is_in_the_range(column: str) -> None:
    kind = {"rate": "DOUBLE", "code": "SMALLINT"}[column]
    whole = [n for n in NUMBERS if n is None or (math.isfinite(n) and n == int(n))]
    numbers = NUMBERS if column == "rate" else [None if n is None else int(n) for n in whole]
    other = "weight" if column == "rate" else "units"
    bounded = 0
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t ({column} {kind}, {other} {kind})")
        for pair in product(numbers, [None, 0, 5]):
            connection.execute("INSERT INTO t VALUES (?, ?)", pair)
        for first, second in product(CONDITIONS, CONDITIONS):
            case = f"CASE WHEN {first} THEN NULL WHEN {second} THEN NULL ELSE x END"
            case = case.replace("x", column).replace("y", other)
            said = inferred(f"SELECT {case} AS v FROM orders")
            for (value,) in connection.execute(f"SELECT DISTINCT {case} FROM t").fetchall():
                assert holds(value, said), (case, value, said)
            bounded += said.bounded or said.finite == ()  # of no value at all
    assert bounded > (40 if column == "rate" else 400)
