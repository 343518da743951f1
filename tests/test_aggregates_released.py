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
    ("LIST(product ORDER BY n)", BY_PRODUCT, ["pea", "oat", "nut", "fig"]),
    ("LIST(n ORDER BY n > 5, product DESC)", BY_PRODUCT, None),
    ("LIST(NULLIF(n, 7) ORDER BY n DESC)", BY_PRODUCT, [12, None, 5, 3]),
    ("LIST(NULLIF(n, 7) ORDER BY n) FILTER (WHERE n > 4)", BY_PRODUCT, [5, None, 12]),
    ("LIST(n) FILTER (WHERE n > 99)", BY_PRODUCT, None),
    ("LIST(DISTINCT n > 4 ORDER BY n > 4 DESC)", BY_PRODUCT, [True, False]),
    ("LIST(3 ORDER BY n)", BY_PRODUCT, [3, 3, 3, 3]),
    ("LIST(day ORDER BY a, day)", BY_DAY, None),
    ("LIST(CAST(n AS DECIMAL(6,2)) / 1 ORDER BY n)", BY_PRODUCT, [3.0, 5.0, 7.0, 12.0]),
    ("LIST(CAST(n AS DECIMAL(6,2)) ORDER BY n DESC)", BY_PRODUCT, [12, 7, 5, 3]),
    ("STRING_AGG(product, ' > ' ORDER BY n DESC)", BY_PRODUCT, "fig > nut > oat > pea"),
    ("GROUP_CONCAT(product ORDER BY product)", BY_PRODUCT, "fig,nut,oat,pea"),
    ("LISTAGG(product, '' ORDER BY n)", BY_PRODUCT, "peaoatnutfig"),
    ("STRING_AGG(n, '''' ORDER BY n)", BY_PRODUCT, "3'5'7'12"),
    ("STRING_AGG(NULLIF(product, 'nut'), '-' ORDER BY n)", BY_PRODUCT, "pea-oat-fig"),
    ("STRING_AGG(product, '-' ORDER BY n) FILTER (WHERE n < 10)", BY_PRODUCT, "pea-oat-nut"),
    ("STRING_AGG(DISTINCT LEFT(product, 0) || 'x')", BY_PRODUCT, "x"),
    ("STRING_AGG('a' ORDER BY 1)", BY_PRODUCT, "a,a,a,a"),
    ("FIRST(product ORDER BY n DESC)", BY_PRODUCT, "fig"),
    ("LAST(product ORDER BY n DESC)", BY_PRODUCT, "pea"),
    ("LAST(product ORDER BY n DESC) FILTER (WHERE n > 3)", BY_PRODUCT, "oat"),
    ("FIRST(NULLIF(n, 3) ORDER BY n)", BY_PRODUCT, None),
    ("ANY_VALUE(NULLIF(n, 3) ORDER BY n)", BY_PRODUCT, 5),
    ("ANY_VALUE(DISTINCT product) FILTER (WHERE n = 12)", BY_PRODUCT, "fig"),
    ("PRODUCT(n)", BY_PRODUCT, 1260.0),
    ("BIT_AND(n + 8)", BY_PRODUCT, 0),
    ("BIT_OR(n)", BY_PRODUCT, 15),
    ("BIT_XOR(n)", BY_PRODUCT, 13),
    ("MAD(n)", BY_PRODUCT, 2.0),
    ("REGR_COUNT(a, b) FILTER (WHERE a > 4)", BY_DAY, 3),
    ("ENTROPY(n > 4) FILTER (WHERE n < 6)", BY_PRODUCT, 1.0),
]


@pytest.mark.parametrize(("aggregate", "rows", "value"), EXACT)
@pytest.mark.one_in(3)
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
        *("SKEWNESS(a)", "KURTOSIS(b)", "REGR_AVGX(a, b)", "REGR_AVGY(a, b)", "ENTROPY(a)"),
        "KURTOSIS_POP(b)",
        *("REGR_SXX(a, b)", "REGR_SXY(a, b)", "REGR_SYY(a, b) FILTER (WHERE b > 9)"),
        *("STDDEV(b)", "REGR_SLOPE(a, b) FILTER (WHERE a > 3)", "VARIANCE(a) FILTER (WHERE b > 9)"),
    ],
)
@pytest.mark.one_in(3)
def test_moments_of_released_rows(
    database: dpsql.Database, engine: duckdb.DuckDBPyConnection, aggregate: str
) -> None:
    ((exact,),) = engine.execute(f"SELECT {aggregate} FROM {BY_DAY}").fetchall()
    assert cell(database, aggregate, BY_DAY) == pytest.approx(exact, rel=1e-9)


@pytest.mark.parametrize(
    "window",
    [
        "MODE(n > 4) OVER (ORDER BY n)",
        "MODE(LEFT(product, 1)) FILTER (WHERE n > 3) OVER (ORDER BY n DESC)",
        "LIST(product) OVER (ORDER BY n)",
        "SUM(n) OVER (ORDER BY n GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW)",
        "SUM(n) OVER (ORDER BY n > 4, product DESC GROUPS BETWEEN 1 PRECEDING AND 2 FOLLOWING)",
        "COUNT(*) OVER (PARTITION BY n > 4 ORDER BY n DESC GROUPS 1 PRECEDING)",
        "MAX(n) OVER (ORDER BY n GROUPS BETWEEN 3 PRECEDING AND 2 PRECEDING)",
        "LIST(product) OVER (ORDER BY n GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING)",
        "NTILE(3) OVER (ORDER BY n > 4, product)",
        "LIST(product ORDER BY n DESC) OVER (PARTITION BY n > 4)",
        "LIST(NULLIF(n, 7)) OVER (ORDER BY n ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING)",
        "LIST(DISTINCT n > 4 ORDER BY n > 4) OVER (ORDER BY product)",
        "STRING_AGG(product, '-') OVER (ORDER BY n DESC)",
        "STRING_AGG(DISTINCT LEFT(product, 0) || 'x', '-') OVER ()",
        "FIRST(NULLIF(n, 3)) OVER (ORDER BY n)",
        "LAST(product) OVER (ORDER BY n ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)",
        "ANY_VALUE(NULLIF(n, 3)) OVER (ORDER BY n)",
        "NTH_VALUE(product, 2) OVER (ORDER BY n)",
        "COUNT(DISTINCT n > 4) OVER (ORDER BY n)",
        "SUM(DISTINCT n % 2) OVER (PARTITION BY n > 4)",
        "AVG(DISTINCT n % 2) OVER ()",
    ],
)
def test_windows_over_released_rows(
    database: dpsql.Database, engine: duckdb.DuckDBPyConnection, window: str
) -> None:
    """The engine's own values from the exact groups."""
    text = f"SELECT product, {window} AS x FROM {BY_PRODUCT} ORDER BY product"
    assert [tuple(row) for row in database.run(text, eps=10**6).rows] == (
        engine.execute(text).fetchall()
    )


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


LISTS = [
    ("n", "BIGINT[]", [3, 12], "list<item: int64>"),
    ("product", "VARCHAR[]", ["pea", "fig"], "list<item: string>"),
    ("n > 4", "BOOLEAN[]", [False, True], "list<item: bool>"),
    ("NULLIF(n, 3)", "BIGINT[]", [None, 12], "list<item: int64>"),
    ("CAST(n AS HUGEINT)", "HUGEINT[]", [3, 12], "list<item: decimal256(39, 0)>"),
    ("n / 2", "DOUBLE[]", [1.5, 6.0], "list<item: double>"),
    ("CAST(n AS DECIMAL(4,1))", "DECIMAL(4,1)[]", [Decimal(3), Decimal(12)], None),
    ("DATE '2024-01-04'", "DATE[]", [date(2024, 1, 4), date(2024, 1, 4)], None),
]


@pytest.mark.parametrize(("value", "kind", "members", "arrow"), LISTS)
def test_lists_of_every_type_in_every_format(
    database: dpsql.Database, value: str, kind: str, members: list[object], arrow: str | None
) -> None:
    text = f"SELECT LIST({value} ORDER BY n) FILTER (WHERE n IN (3, 12)) AS l FROM {BY_PRODUCT}"
    answer = database.run(text, eps=10**6)
    assert (answer.types, answer.rows) == ((kind,), ((members,),))
    ((document,),) = json.loads("".join(FORMATS["json"](answer, False)))["rows"]
    assert len(document) == 2 and (document[0] is None) == (members[0] is None)
    for name, written in FORMATS.items():
        assert "".join(written(answer, False)), name
    assert "≈ l: made of noisy numbers, and no number itself" in str(answer)
    table = answer.to_arrow()
    assert table.to_pylist() == [{"l": members}]
    assert arrow is None or str(table.schema.field("l").type) == arrow
    assert list(answer.to_pandas()["l"][0]) == members


def test_a_tie_is_broken_by_the_value(database: dpsql.Database) -> None:
    for aggregate, value in (("FIRST", "fig"), ("LAST", "pea"), ("ANY_VALUE", "fig")):
        assert cell(database, f"{aggregate}(product ORDER BY n > 0)", BY_PRODUCT) == value
    assert cell(database, "STRING_AGG(product ORDER BY 7)", BY_PRODUCT) == "fig,nut,oat,pea"


def test_rows_of_a_table_are_listed_by_their_values(database: dpsql.Database) -> None:
    """Beside private ones: the engine may read them in another order each time."""
    listed = "(SELECT LIST(place) AS l, ANY_VALUE(product) AS a FROM shelves)"
    answer = database.run(
        f"SELECT s.*, x.n FROM {listed} s, (SELECT COUNT(*) AS n FROM sales) x", 10**6
    )
    assert answer.rows == (([1, 2, 4], "fig", 27),)


def test_a_released_list_and_map_are_loaded() -> None:
    rows = [(1, [Decimal("1.5")], {date(2024, 1, 1): 3}), (2, None, None), (3, [], {})]
    columns = [("i", "INTEGER"), ("q", "DECIMAL(4,1)[]"), ("h", "MAP(DATE, UBIGINT)")]
    with Scratch() as scratch:
        scratch.load("t", columns, rows)
        found = scratch.run("SELECT * FROM t ORDER BY i")
    assert found.rows == rows
    assert found.types == tuple(kind for _, kind in columns)
