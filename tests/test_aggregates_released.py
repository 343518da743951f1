"""Aggregates of released rows, with hardly any noise, are those of the exact groups; what is a list
or a map comes out as a Python list or dict, in every format.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import duckdb
import pytest

import dpsql
from dpsql.platform.engine.scratch import Scratch
from dpsql.report.result.formats import FORMATS

POLICY = """
unit: buyers.id
budget: {eps: 1000000000}
tables:
  buyers:
    access: private
    key: [id]
    columns: {id: {type: INTEGER, nullable: false}}
  sales:
    access: private
    columns:
      buyer: {type: INTEGER, references: buyers.id, max_rows: 9, nullable: false}
      product: {type: VARCHAR, values: [nut, pea, fig, oat], nullable: false}
      day: {type: DATE, bounds: [2024-01-01, 2024-01-05], nullable: false}
      units: {type: INTEGER, bounds: [0, 100], nullable: false}
  shelves:
    access: public
    key: [product]
    columns: {product: {type: VARCHAR}, place: {type: INTEGER}}
"""
PRODUCTS, DAYS = {"nut": 7, "pea": 3, "fig": 12, "oat": 5}, {1: 2, 2: 9, 3: 4, 4: 7, 5: 5}
BY_PRODUCT = "(SELECT product, COUNT(*) AS n FROM sales GROUP BY product) x"
BY_DAY = "(SELECT day, COUNT(*) AS a, SUM(units) AS b FROM sales GROUP BY day) x"


@pytest.fixture(scope="module")
def engine() -> duckdb.DuckDBPyConnection:
    made = duckdb.connect(":memory:")
    made.execute("CREATE TABLE buyers (id INTEGER PRIMARY KEY)")
    made.execute("INSERT INTO buyers FROM range(27)")
    made.execute("CREATE TABLE sales (buyer INTEGER, product VARCHAR, day DATE, units INTEGER)")
    products = [p for p, n in PRODUCTS.items() for _ in range(n)]
    days = [d for d, n in DAYS.items() for _ in range(n)]
    for buyer, (product, day) in enumerate(zip(products, days, strict=True)):
        row = (buyer, product, date(2024, 1, day), buyer * day % 50)
        made.execute("INSERT INTO sales VALUES (?, ?, ?, ?)", row)
    made.execute("CREATE TABLE shelves (product VARCHAR PRIMARY KEY, place INTEGER)")
    made.execute("INSERT INTO shelves VALUES ('nut', 1), ('pea', 2), ('fig', 4)")
    return made


@pytest.fixture(scope="module")
def database(engine: duckdb.DuckDBPyConnection) -> Iterator[dpsql.Database]:
    with patch("dpsql.core.account.amount.MAX_EPS", Fraction(10**12)):
        yield dpsql.connect(engine, dpsql.Policy.parse(POLICY))


def cell(database: dpsql.Database, aggregate: str, rows: str) -> Any:
    answer = database.run(f"SELECT {aggregate} AS x FROM {rows}", eps=10**6)
    ((value,),) = answer.rows
    return value


EXACT = [
    ("MEDIAN(n)", BY_PRODUCT, 6.0),
    ("ARG_MAX(product, n)", BY_PRODUCT, "fig"),
    ("MIN_BY(product, n)", BY_PRODUCT, "pea"),
    ("ARG_MAX(product, n) FILTER (WHERE n < 10)", BY_PRODUCT, "nut"),
    ("QUANTILE_DISC(n, [0.25, 0.5, 1])", BY_PRODUCT, [3, 5, 12]),
    ("QUANTILE_DISC(n, [0.5])", BY_PRODUCT, [5]),
    ("QUANTILE_CONT(n, 0.25)", BY_PRODUCT, 4.5),
    ("PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY n DESC)", BY_PRODUCT, 8.25),
    ("APPROX_QUANTILE(n, 0.5)", BY_PRODUCT, 5),
    ("APPROX_COUNT_DISTINCT(product)", BY_PRODUCT, 4),
    ("MODE(n > 4)", BY_PRODUCT, True),
    *((f"MODE({v})", BY_PRODUCT, None) for v in ("3", "'pea'", "DATE '2024-01-01'")),
    ("HISTOGRAM(n, [3, 5])", BY_PRODUCT, {3: 1, 5: 1, 2**63 - 1: 2}),
    ("HISTOGRAM(n > 4)", BY_PRODUCT, {True: 3, False: 1}),
    (
        "HISTOGRAM(day, ['2024-01-02', DATE '2024-01-05'])",
        BY_DAY,
        {date(2024, 1, 2): 2, date(2024, 1, 5): 3},
    ),
    ("MEDIAN(day)", BY_DAY, None),
]


@pytest.mark.parametrize(("aggregate", "rows", "value"), EXACT)
def test_of_released_rows(
    database: dpsql.Database,
    engine: duckdb.DuckDBPyConnection,
    aggregate: str,
    rows: str,
    value: object,
) -> None:
    """The engine's own answer from the exact groups."""
    found = cell(database, aggregate, rows)
    if not aggregate.startswith("APPROX"):
        ((exact,),) = engine.execute(f"SELECT {aggregate} FROM {rows}").fetchall()
        assert (found, type(found)) == (exact, type(exact))
    if value is not None:
        assert found == value


@pytest.mark.parametrize(
    "aggregate",
    [
        *("CORR(a, b)", "COVAR_SAMP(a, b)", "COVAR_POP(b, a)", "REGR_SLOPE(a, b)", "VAR_POP(b)"),
        *("REGR_INTERCEPT(a, b)", "REGR_R2(a, b)", "CORR(a, b) FILTER (WHERE a > 3)"),
        *("STDDEV(b)", "REGR_SLOPE(a, b) FILTER (WHERE a > 3)", "VARIANCE(a) FILTER (WHERE b > 9)"),
    ],
)
def test_moments_of_released_rows(
    database: dpsql.Database, engine: duckdb.DuckDBPyConnection, aggregate: str
) -> None:
    ((exact,),) = engine.execute(f"SELECT {aggregate} FROM {BY_DAY}").fetchall()
    assert cell(database, aggregate, BY_DAY) == pytest.approx(exact, rel=1e-9)


def test_joined_to_public_rows(database: dpsql.Database) -> None:
    """Released groups beside a public table that has aggregates of its own."""
    rows = f"{BY_PRODUCT} JOIN shelves s ON s.product = x.product"
    assert cell(database, "ARG_MIN(s.place, n)", rows) == 2
    above = "n > (SELECT MEDIAN(place) + 2 FROM shelves)"  # 4
    assert cell(database, f"COUNT(*) FILTER (WHERE {above})", BY_PRODUCT) == 3


def test_a_list_and_a_map_in_every_format(database: dpsql.Database) -> None:
    text = f"SELECT QUANTILE_CONT(n, [0, 1]) AS q, HISTOGRAM(n, [3, 5]) AS h FROM {BY_PRODUCT}"
    answer = database.run(text, eps=10**6)
    assert answer.types == ("DOUBLE[]", "MAP(BIGINT, UBIGINT)")
    top = 2**63 - 1
    assert answer.rows == (([3.0, 12.0], {3: 1, 5: 1, top: 2}),)
    document = json.loads("".join(FORMATS["json"](answer, False)))
    assert document["rows"] == [[[3.0, 12.0], {"3": 1, "5": 1, str(top): 2}]]
    assert "[3.0, 12.0]" in str(answer)
    arrow = answer.to_arrow()
    assert [str(f.type) for f in arrow.schema] == ["list<item: double>", "map<int64, uint64>"]
    assert arrow.to_pylist() == [{"q": [3.0, 12.0], "h": [(3, 1), (5, 1), (top, 2)]}]


def test_a_released_list_and_map_are_loaded() -> None:
    rows = [(1, [Decimal("1.5")], {date(2024, 1, 1): 3}), (2, None, None), (3, [], {})]
    columns = [("i", "INTEGER"), ("q", "DECIMAL(4,1)[]"), ("h", "MAP(DATE, UBIGINT)")]
    with Scratch() as scratch:
        scratch.load("t", columns, rows)
        found = scratch.run("SELECT * FROM t ORDER BY i")
    assert found.rows == rows
    assert found.types == tuple(kind for _, kind in columns)
