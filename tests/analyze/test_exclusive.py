"""Conditions that exclude each other: those that do are found, and none that do not."""

from __future__ import annotations

import random
from itertools import combinations, product

import duckdb
import pytest

import dpsql
from dpsql.core.infer.exclusive import Region, demands, exclusive, nulled, region
from dpsql.core.plan.expr import Expr
from dpsql.core.plan.nodes import Aggregate, nodes
from dpsql.core.schema import Schema
from dpsql.front.bind import bind
from dpsql.front.parse import parse

POLICY = """
unit: t.id
budget: {eps: 1}
tables:
  t:
    access: private
    key: [id]
    columns:
      id: {type: INTEGER}
      a: {type: BOOLEAN}
      b: {type: BOOLEAN}
      x: {type: INTEGER}
      z: {type: DOUBLE}
      s: {type: VARCHAR}
      d: {type: DATE}
"""
COLUMNS = {
    "a": ("TRUE", "FALSE", "NULL"),
    "b": ("TRUE", "NULL"),
    "x": ("1", "2", "3", "NULL"),
    "z": ("1.5", "'nan'", "NULL"),
    "s": ("'F'", "'f'", "'M'", "NULL"),
    "d": ("DATE '2024-01-01'", "DATE '2024-06-01'", "NULL"),
}


@pytest.fixture(scope="module")
def schema() -> Schema:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE t (id INTEGER, a BOOLEAN, b BOOLEAN, x INTEGER, z DOUBLE, s VARCHAR, d DATE)"
    )
    return dpsql.connect(connection, dpsql.Policy.parse(POLICY)).schema


def arguments(schema: Schema, *calls: str) -> list[Expr]:
    """What some aggregates are of."""
    bound, _ = bind(parse(f"SELECT {', '.join(calls)} FROM t", "duckdb"), schema)
    (plan,) = (n for n in nodes(bound.plan) if isinstance(n, Aggregate))
    found = [e for _, call in plan.calls for e in call.arguments]
    assert len(found) == len(calls)
    return found


def conditions(schema: Schema, *texts: str) -> list[Region]:
    found = arguments(schema, *(f"SUM({i}) FILTER (WHERE {t})" for i, t in enumerate(texts)))
    regions = [region(demands(expr)) for expr in found]
    return [r for r in regions if r is not None]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a", "NOT a"),
        ("a", "a IS NULL"),
        ("NOT a", "a IS NULL"),
        ("a IS NULL", "a IS NOT NULL"),
        ("a AND x > 1", "b AND NOT a"),
        ("x = 1", "x = 2"),
        ("x = 1", "x IN (2, 3)"),
        ("x = 1", "x <> 1"),
        ("x IN (1, 2)", "x NOT IN (1, 2)"),
        ("x < 2", "x >= 2"),
        ("x <= 1", "x > 1"),
        ("x < 2", "x > 3"),
        ("x < 2", "3 < x"),
        ("x < 2", "x = 2"),
        ("x BETWEEN 1 AND 2", "x BETWEEN 3 AND 4"),
        ("x > 1", "x IS NULL"),
        ("x + 1 > 1", "x IS NULL"),
        ("z < 1.5", "z >= 1.5"),
        ("s = 'F'", "s = 'M'"),
        ("s = 'F'", "s IN ('M', 'N')"),
        ("d < DATE '2024-02-01'", "d >= DATE '2024-03-01'"),
        ("x = 1 OR x = 2", "x = 3"),
        ("x = 1 OR a", "x = 3 AND NOT a"),
        ("a OR b", "NOT (a OR b)"),
        ("x = 1 OR x = 2", "x = 3 OR x = 4"),
    ],
)
def test_found(schema: Schema, one: str, other: str) -> None:
    first, second = conditions(schema, one, other)
    assert exclusive(first, second)
    assert exclusive(second, first)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a", "b"),
        ("a", "a"),
        ("a", "NOT b"),
        ("x <= 2", "x >= 2"),
        ("x < 3", "x > 1"),
        ("x = 1", "x IN (1, 2)"),
        ("x <> 1", "x <> 2"),
        ("x = 1", "x + 1 = 1"),
        ("a IS NULL", "b"),
        ("a IS NULL", "a IS NULL OR b"),
        ("a OR b", "NOT a"),
        ("COALESCE(a, TRUE)", "a IS NULL"),
        # Under a collation they may be one text.
        ("s = 'F'", "s = 'f'"),
        ("s = 'a'", "s = 'á'"),
        ("s = 'co-op'", "s = 'coop'"),
        # Both constants are one FLOAT.
        ("CAST(x AS FLOAT) = 16777216", "CAST(x AS FLOAT) = 16777217"),
    ],
)
def test_not_found(schema: Schema, one: str, other: str) -> None:
    first, second = conditions(schema, one, other)
    assert not exclusive(first, second)
    assert not exclusive(second, first)


def test_what_is_not_null_elsewhere_demands_nothing(schema: Schema) -> None:
    for text in (
        "SUM(CASE WHEN a THEN x ELSE 1 END)",
        "SUM(CASE WHEN a THEN x WHEN b THEN 2 END)",
        "SUM(COALESCE(CASE WHEN a THEN x END, 1))",
    ):
        (expr,) = arguments(schema, text)
        assert demands(nulled(expr)) == ()
    zero, null = arguments(
        schema, "SUM(CASE WHEN a THEN x ELSE 0 END)", "SUM(CASE WHEN a THEN x END)"
    )
    assert demands(zero) == ()
    assert demands(nulled(zero)) == demands(null) != ()


ATOMS = (
    *("a", "NOT a", "a IS NULL", "a IS NOT NULL", "b", "NOT b", "a = b", "a IS NOT TRUE"),
    *("x = 1", "x = 2", "x <> 2", "x IN (1, 3)", "x NOT IN (1, 3)", "x < 2", "2 <= x", "x > 2"),
    *("x IS NULL", "x BETWEEN 2 AND 3", "x + 1 > 2", "COALESCE(x, 2) = 2", "1 = x"),
    *("x IS NOT DISTINCT FROM 2", "x IS DISTINCT FROM 2", "x IS NOT DISTINCT FROM NULL"),
    *("z < 1.5", "z >= 1.5", "z > 2", "z = 1.5", "z IS NULL"),
    *("s = 'F'", "s = 'f'", "s <> 'F'", "s IN ('F', 'M')", "s > 'F'", "s LIKE 'F'", "s IS NULL"),
    *("d < DATE '2024-06-01'", "d >= DATE '2024-06-01'", "d = DATE '2024-01-01'"),
)


def drawn(rng: random.Random) -> str:
    """A condition of a few atoms."""
    atoms = [rng.choice(ATOMS) for _ in range(rng.choice((1, 1, 2, 2, 3)))]
    text = atoms[0]
    for atom in atoms[1:]:
        text = f"({text} {rng.choice(('AND', 'AND', 'OR'))} {atom})"
    return f"NOT ({text})" if rng.random() < 0.2 else text


def test_no_row_satisfies_two_that_exclude_each_other(schema: Schema) -> None:
    """All pairs of drawn conditions, on every row of a few values for each column."""
    rng = random.Random(5)
    texts = [*ATOMS, *(drawn(rng) for _ in range(150))]
    found = conditions(schema, *texts)
    pairs = [(i, j) for i, j in combinations(range(len(texts)), 2) if exclusive(found[i], found[j])]
    assert len(pairs) > 1_000
    for i, j in pairs:  # so that an index of what is said finds them
        assert found[i].heeds & found[j].says and found[j].heeds & found[i].says
    connection = duckdb.connect()
    rows = ", ".join(f"({', '.join(row)})" for row in product(*COLUMNS.values()))
    types = ("BOOLEAN", "BOOLEAN", "INTEGER", "DOUBLE", "VARCHAR", "DATE")
    made = ", ".join(f"{c} {t}" for c, t in zip(COLUMNS, types, strict=True))
    connection.execute(f"CREATE TABLE t ({made})")
    connection.execute(f"INSERT INTO t VALUES {rows}")
    for i, j in pairs:
        query = f"SELECT COUNT(*) FROM t WHERE ({texts[i]}) AND ({texts[j]})"
        assert connection.execute(query).fetchone() == (0,), (texts[i], texts[j])
