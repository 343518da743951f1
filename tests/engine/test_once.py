"""What is written several times is made a column, and computed where it was."""

from __future__ import annotations

import duckdb
import pytest

from dpsql.platform.engine.empty import PLAN
from dpsql.platform.engine.far.bound_plan import read
from dpsql.platform.engine.far.once import once
from dpsql.platform.engine.far.operators import Call, Get, Operator, Projected, Ref, below
from dpsql.platform.engine.far.spark_numbers import divided_long

TABLE = "CREATE TABLE t (a HUGEINT, b HUGEINT, n BIGINT, k BOOLEAN)"


@pytest.fixture(scope="module")
def connection() -> duckdb.DuckDBPyConnection:
    made = duckdb.connect()
    made.execute(TABLE)
    return made


def projections(connection: duckdb.DuckDBPyConnection, item: str) -> tuple[Projected, Projected]:
    """That of a query's one item, and what becomes of it."""
    [(plan,)] = connection.execute(PLAN, {"sql": f"SELECT {item} AS x FROM t"}).fetchall()
    made: Operator = read(str(plan))
    while not isinstance(made, Projected):
        (made,) = below(made)
    return made, once(made, divided_long)


def inner(connection: duckdb.DuckDBPyConnection, item: str) -> Projected:
    """The projection below the one that there was."""
    found = projections(connection, item)[1].below
    assert isinstance(found, Projected)
    return found


def test_each_argument_is_a_column_once(connection: duckdb.DuckDBPyConnection) -> None:
    before, after = projections(connection, "(a + 1) // (b + 2) + (a + 1) // (b + 2)")
    made = after.below
    assert isinstance(made, Projected) and made.below == before.below
    width = len(made.items) - 2
    assert all(isinstance(item, Ref) for item in made.items[:width])
    assert [str(i.name) for i in made.items[width:] if isinstance(i, Call)] == ["+", "+"]
    (item,) = after.items
    assert isinstance(item, Call) and item.args[0] == item.args[1]
    assert isinstance(item.args[0], Call)
    assert [a.place for a in item.args[0].args if isinstance(a, Ref)] == [width, width + 1]


@pytest.mark.parametrize(
    ("item", "path"),
    [
        ("CASE WHEN k THEN (a + 1) // b END", "CASE WHEN k THEN a + 1 ELSE NULL END"),
        ("CASE WHEN k THEN 0 ELSE (a + 1) // b END", "CASE WHEN k THEN NULL ELSE a + 1 END"),
        (
            "CASE WHEN k THEN 0 WHEN n > 1 THEN (a + 1) // b ELSE 2 END",
            "CASE WHEN k THEN NULL WHEN n > 1 THEN a + 1 ELSE NULL END",
        ),
        (
            "CASE WHEN k THEN 0 ELSE CASE WHEN n > 1 THEN (a + 1) // b END END",
            "CASE WHEN k THEN NULL ELSE CASE WHEN n > 1 THEN a + 1 ELSE NULL END END",
        ),
        (
            "CASE WHEN k THEN 0 WHEN (a + 1) // b > 1 THEN 2 END",
            "CASE WHEN k THEN NULL ELSE a + 1 END",
        ),
        ("CASE WHEN (a + 1) // b > 1 THEN 2 END", "a + 1"),
        ("-((a + 1) // b)", "a + 1"),
    ],
)
def test_it_is_computed_where_it_was(
    item: str, path: str, connection: duckdb.DuckDBPyConnection
) -> None:
    made = inner(connection, item)
    rows = connection.execute(PLAN, {"sql": f"SELECT CAST({path} AS HUGEINT) AS x FROM t"})
    wanted = read(str(rows.fetchall()[0][0]))
    assert isinstance(wanted, Projected)
    assert _named(made.items[-1], made) == _named(wanted.items[0], wanted)


def _named(expr: object, plan: Projected) -> object:
    """An expression with the names of its columns, without casts of NULL or to its own type."""
    get = plan.below
    assert isinstance(get, Get)
    if isinstance(expr, Ref):
        return get.columns[expr.place]
    if isinstance(expr, Call):
        args = tuple(_named(a, plan) for a in expr.args)
        same = expr.name == "cast" and (args == (None,) or expr.args[0].type == expr.type)
        return args[0] if same else (expr.name, args)
    return getattr(expr, "value", expr)


@pytest.mark.parametrize(
    "item",
    [
        "a // b",  # nothing is computed twice
        "n // 3",  # nor written several times
        "k AND (a + 1) // b > 0",  # which is not computed where k is false
        "COALESCE(a, (a + 1) // b)",
        "k OR (a + 1) // b > 0",
    ],
)
def test_all_else_stays(item: str, connection: duckdb.DuckDBPyConnection) -> None:
    before, after = projections(connection, item)
    assert after is before
