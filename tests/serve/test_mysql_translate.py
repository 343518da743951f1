"""A query of MySQL's language becomes one of DuckDB's with the same meaning, or is refused."""

from __future__ import annotations

from typing import cast

import duckdb
import pytest
from sqlglot import exp

from dpsql.errors import AccessDenied, InvalidBudget, Rejected
from dpsql.front.dialects import grains
from dpsql.serve.mysql import translate
from dpsql.serve.mysql.command_text import places, statement

TABLES = ("orders", "clinic.visits")


def translated(sql: str) -> str:
    return translate.duckdb(cast(exp.Query, statement(sql).tree), "shop", TABLES)


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        ("DAYOFWEEK(DATE '2024-03-03')", 1),  # a Sunday
        ("DAYOFWEEK(DATE '2024-03-09')", 7),
        ("DATE_FORMAT(DATE '2024-03-09', '%Y-%m-01')", "2024-03-01"),
        ("DATE_FORMAT(DATE '2024-03-09', '%Y-%m-%d')", "2024-03-09"),
        ("DATE_FORMAT(DATE '2024-03-09', '%Y')", "2024"),
        ("DATE_FORMAT(TIMESTAMP '2024-03-09 17:05:06', '%d/%m/%y %H:%i:%s')", "09/03/24 17:05:06"),
        (
            "DATE_FORMAT(TIMESTAMP '2024-03-09 17:05:06', '%M %b %W %e %p')",
            "March Mar Saturday 9 PM",
        ),
        ("-5 % 3", -2),
        ("5--1", 6),
        ("! 1 = 0", True),
        ("'\\d\\q\\%'", "dq\\%"),
        ("NOT 1 = 0", True),
        ("5 / 2", 2.5),
        ("5 % 3", 2),
        ("MOD(5, 3)", 2),
        ("1 / 0", None),
        ("'a_b' LIKE 'a\\_b'", True),
        ("'axb' LIKE 'a\\_b'", False),
        ("'axb' LIKE 'a_b'", True),
        ("CONCAT('a', \"b\")", "ab"),
        ("'it\\'s'", "it's"),
        ("'a\\\\b'", "a\\b"),
        ("IF(1 > 2, 'a', 'b')", "b"),
        ("IFNULL(NULL, 3)", 3),
        ("NULL <=> NULL", True),
        ("1 || 0", True),
        ("CHAR_LENGTH('öx')", 2),
        ("SUBSTRING('abc', 2, 1)", "b"),
        ("LOCATE('b', 'abc')", 2),
        ("LEFT('abc', 2)", "ab"),
        ("LOG(1)", 0),
        ("STD(x)", 0.5),
        ("STDDEV_SAMP(x)", 0.5 * 2**0.5),
        ("VARIANCE(x)", 0.25),
        ("VAR_SAMP(x)", 0.5),
        ("DATEDIFF('2024-03-09', '2024-03-01')", 8),
        ("DATE_ADD(DATE '2024-01-31', INTERVAL 1 MONTH) = DATE '2024-02-29'", True),
        ("DATE_SUB(DATE '2024-03-01', INTERVAL 1 DAY) = DATE '2024-02-29'", True),
        ("EXTRACT(YEAR FROM DATE '2024-03-09')", 2024),
        ("LAST_DAY(DATE '2024-02-03') = DATE '2024-02-29'", True),
    ],
)
def test_it_means_in_duckdb_what_it_means_in_mysql(sql: str, value: object) -> None:
    made = translated(f"SELECT {sql} AS a FROM orders")
    table = "(SELECT unnest([1.0, 2.0]) AS x)" if "(x)" in sql else "(SELECT 1 AS x)"
    with duckdb.connect() as engine:
        (found,) = engine.execute(made.replace('"orders"', table)).fetchone() or ()
    assert found == (pytest.approx(value) if isinstance(value, float) else value)


@pytest.mark.parametrize(
    "sql",
    [
        "WEEK(d)",
        "YEARWEEK(d)",
        "WEEKDAY(d)",
        "TIMESTAMPDIFF(MONTH, d, d)",
        "UNIX_TIMESTAMP(d)",
        "FROM_UNIXTIME(n)",
        "GREATEST(1, NULL)",
        "LENGTH('ö')",
        "SUBSTRING('abc', 0)",
        "SUBSTRING('abc', n)",
        "TRIM(LEADING 'x' FROM s)",
        "DATE_FORMAT(d, '%v')",
        "DATE_FORMAT(d, s)",
        "STR_TO_DATE(s, '%Y')",
        "a REGEXP 'x'",
        "RAND()",
        "UUID()",
        "GROUP_CONCAT(s)",
        "JSON_EXTRACT(s, '$.a')",
        "MATCH (s) AGAINST ('x')",
        "BINARY s = 'a'",
        "s COLLATE utf8mb4_bin",
        "CONVERT(s USING latin1)",
        "CAST(s AS CHAR(3))",
        "LEFT(s, -1)",
        "SUBSTRING(s, 1, -1)",
        "DATE_ADD(d, INTERVAL 1.5 DAY)",
        "DATE_ADD(d, INTERVAL '1:1' MINUTE_SECOND)",
        "d + INTERVAL n DAY",
        "EXTRACT(DAY_HOUR FROM d)",
        "EXTRACT(WEEK FROM d)",
        "n = n = n",
        "n DIV 2",
        "n XOR n",
        "n IN (1) = n",
        "n /*! + 1 */",
        "n /*!50100 + 1 */",
        "n /*M! + 1 */",
        "CAST(s AS JSON)",
        "x'41'",
        "FORMAT(n, 2)",
        "n & 1",
        "n << 1",
        "GET_LOCK('a', 1)",
    ],
)
def test_what_might_mean_something_else_is_refused(sql: str) -> None:
    with pytest.raises(Rejected):
        translated(f"SELECT {sql} AS a FROM orders")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1 FROM orders FOR UPDATE",
        "SELECT 1 FROM orders LOCK IN SHARE MODE",
        "SELECT SQL_CALC_FOUND_ROWS 1 FROM orders",
        "SELECT 1 FROM orders USE INDEX (a)",
        "SELECT 1 FROM orders PARTITION (a)",
        "SELECT a FROM orders GROUP BY a WITH ROLLUP",
        "SELECT * FROM JSON_TABLE('[]', '$[*]' COLUMNS (a INT PATH '$')) t",
    ],
)
def test_clauses_that_are_not_there(sql: str) -> None:
    with pytest.raises(Rejected):
        translated(sql)


@pytest.mark.parametrize(
    ("sql", "made"),
    [
        ("SELECT a FROM shop.orders", 'SELECT a FROM "orders"'),
        ("SELECT a FROM `SHOP`.`orders`", 'SELECT a FROM "orders"'),
        ("SELECT shop.orders.a FROM shop.orders", 'SELECT orders.a FROM "orders"'),
        ("SELECT a FROM clinic.visits", 'SELECT a FROM "clinic"."visits"'),
        ("SELECT a FROM `clinic.visits`", 'SELECT a FROM "clinic"."visits"'),
        ("SELECT a FROM shop.`clinic.visits`", 'SELECT a FROM "clinic"."visits"'),
        ('SELECT a FROM `x"y`', 'SELECT a FROM "x""y"'),
        ("SELECT a FROM orders LIMIT 5, 10", 'SELECT a FROM "orders" LIMIT 10 OFFSET 5'),
        ("SELECT COUNT(*) FROM orders", 'SELECT COUNT(*) AS "COUNT(*)" FROM "orders"'),
        ("SELECT /*+ NO_INDEX */ a FROM orders", 'SELECT a FROM "orders"'),
    ],
)
def test_names(sql: str, made: str) -> None:
    assert translated(sql) == made


def test_another_data_set_is_not_reached() -> None:
    for sql in ("SELECT 1 FROM vault.orders", "SELECT 1 FROM a.b.orders"):
        with pytest.raises(AccessDenied):
            translated(sql)


def test_parameters_take_their_places_in_the_order_of_the_text() -> None:
    sql = "SELECT ? AS a, '?' AS b FROM orders WHERE c = ? /* ? */ LIMIT ?, ?"
    assert places(sql) == 4
    tree = cast(exp.Query, statement(sql, ("'", None, 1, 2)).tree)
    made = translate.duckdb(tree, "shop", TABLES)
    assert made == "SELECT '''' AS a, '?' AS b FROM \"orders\" WHERE c = NULL LIMIT 2 OFFSET 1"
    assert "(-1.5)" in translate.duckdb(
        cast(exp.Query, statement("SELECT 2 - ? AS a FROM orders", (-1.5,)).tree), "shop", TABLES
    )


def test_what_comments_say() -> None:
    assert statement("/* eps: 0.2 */ SELECT 1").eps == statement("SELECT 1 -- EPS : 1/5 ").eps
    assert statement("SELECT 1 # delta: 1e-9").delta is not None
    assert statement("SELECT 1 /* the eps: 3 */").eps is None
    assert statement("/* eps: 0.2 */ SELECT 1 /* eps: 0.20 */").eps is not None
    with pytest.raises(InvalidBudget):
        statement("/* eps: 0.2 */ SELECT 1 /* eps: 0.3 */")


BY_HAND = {
    "hour": "CAST(CAST(x AS DATE) AS TIMESTAMP) + to_hours(hour(x))",
    "minute": "CAST(CAST(x AS DATE) AS TIMESTAMP) + to_minutes(60 * hour(x) + minute(x))",
    "second": "CAST(CAST(x AS DATE) AS TIMESTAMP) "
    "+ to_seconds(3600 * hour(x) + 60 * minute(x) + second(x))",
    "week": "CAST(x AS DATE) - (1 + dayofweek(x - INTERVAL 1 DAY) - 1)::INTEGER",
    "month": "CAST(x AS DATE) - (day(x) - 1)::INTEGER",
    "quarter": "make_date(year(x), 1, 1) + to_months(3 * quarter(x)) - to_months(3)",
    "year": "CAST(x AS DATE) - (dayofyear(x) - 1)::INTEGER",
}
"""The same step by step; DuckDB's days of the week begin with 0, MySQL's with 1."""


@pytest.mark.parametrize(("unit", "dated", "text"), grains.WAYS)
def test_the_beginning_of_a_unit_is_known(unit: str, dated: bool, text: str) -> None:
    """It is the moment that MySQL's arithmetic gives, of each day of four years."""
    made = translated(f"SELECT {text} AS t FROM orders")
    more = text.replace("DAYOFYEAR(x) - 1", "(DAYOFYEAR(x) - 1)").replace(
        "HOUR(x) H", "(HOUR(x)) H"
    )
    assert f"DATE_TRUNC('{unit.upper()}', x)" in translated(f"SELECT ({more}) AS t FROM orders")
    assert made.count(f"DATE_TRUNC('{unit.upper()}', x)") == 1 and ("AS DATE)" in made) == dated
    rows = (
        "(SELECT TIMESTAMP '2023-01-01 05:06:07' + to_days(i::INTEGER) AS x FROM range(1500) r(i))"
    )
    sql = made.replace('"orders"', rows)
    other = f"SELECT {BY_HAND[unit]} AS t FROM {rows}"
    with duckdb.connect() as connection:
        counts = "SELECT count(*), count(*) FILTER (a.t <> b.t)"
        both = f"{counts} FROM ({sql}) a POSITIONAL JOIN ({other}) b"
        assert connection.execute(both).fetchall() == [(1500, 0)]


@pytest.mark.parametrize(
    ("unit", "dated", "text"),
    [
        ("month", True, "STR_TO_DATE(CONCAT(DATE_FORMAT(x, '%Y-%m'), '-01'), '%Y-%m-%d')"),
        (
            "quarter",
            True,
            "STR_TO_DATE(CONCAT(YEAR(x), '-', ((QUARTER(x) * 3) - 2), '-01'), '%Y-%m-%d')",
        ),
        ("hour", False, "STR_TO_DATE(DATE_FORMAT(x, '%Y-%m-%d %H'), '%Y-%m-%d %H')"),
        ("minute", False, "STR_TO_DATE(DATE_FORMAT(x, '%Y-%m-%d %H:%i'), '%Y-%m-%d %H:%i')"),
        ("second", False, "STR_TO_DATE(DATE_FORMAT(x, '%Y-%m-%d %T'), '%Y-%m-%d %T')"),
        ("year", True, "DATE(DATE_FORMAT(x, '%Y-01-01'))"),
        ("month", True, "CAST(DATE_FORMAT(x, '%Y-%m-01') AS DATE)"),
        ("year", False, "TIMESTAMP(DATE_FORMAT(x, '%Y-01-01'))"),
        (
            "month",
            False,
            "ADDDATE(CONCAT(DATE_FORMAT(x, '%Y-%m-01 '), '00:00:00'), INTERVAL 0 SECOND)",
        ),
    ],
)
def test_a_text_that_is_read_back_is_the_beginning_of_a_unit(
    unit: str, dated: bool, text: str
) -> None:
    made = translated(f"SELECT {text} AS t FROM orders")
    assert made.count(f"DATE_TRUNC('{unit.upper()}', x)") == 1 and ("AS DATE)" in made) == dated


@pytest.mark.parametrize("text", grains.SUNDAYS)
def test_a_week_from_sunday(text: str) -> None:
    made = translated(f"SELECT {text} AS t FROM orders")
    rows = (
        "(SELECT TIMESTAMP '2023-01-01 05:06:07' + to_days(i::INTEGER) AS x FROM range(999) r(i))"
    )
    other = f"SELECT CAST(x AS DATE) - dayofweek(x)::INTEGER AS t FROM {rows}"
    with duckdb.connect() as connection:
        counts = "SELECT count(*), count(*) FILTER (a.t <> b.t)"
        sql = made.replace('"orders"', rows)
        both = f"{counts} FROM ({sql}) a POSITIONAL JOIN ({other}) b"
        assert connection.execute(both).fetchall() == [(999, 0)]


def test_another_arithmetic_is_no_beginning() -> None:
    for text in (
        "DATE(DATE_SUB(x, INTERVAL DAYOFMONTH(x) - 2 DAY))",
        "DATE(DATE_SUB(x, INTERVAL DAYOFMONTH(y) - 1 DAY))",
        "DATE(DATE_SUB(x, INTERVAL DAYOFYEAR(x) - 1 MONTH))",
        "DATE_ADD(DATE(x), INTERVAL HOUR(x) MINUTE)",
        "STR_TO_DATE(CONCAT(DATE_FORMAT(x, '%Y-%m'), '-02'), '%Y-%m-%d')",
        "STR_TO_DATE(CONCAT(DATE_FORMAT(x, '%Y-%m'), '-01'), '%Y-%d-%m')",
        "STR_TO_DATE(CONCAT(DATE_FORMAT(x, '%Y-'), DATE_FORMAT(y, '%m-01')), '%Y-%m-%d')",
        "STR_TO_DATE(DATE_FORMAT(x, '%Y-01-%d'), '%Y-%m-%d')",
        "STR_TO_DATE(DATE_FORMAT(x, '%Y-%M-01'), '%Y-%m-%d')",
        "STR_TO_DATE(CONCAT(YEARWEEK(x), ' Monday'), '%X%V %W')",
        "TIMESTAMP(DATE_FORMAT(x, '%Y-%m-%d %H'))",
        "MAKEDATE(YEAR(x), 2)",
        "MAKEDATE(YEAR(x), 2) + INTERVAL QUARTER(x) QUARTER - INTERVAL 1 QUARTER",
    ):
        with pytest.raises(Rejected):
            translated(f"SELECT {text} FROM orders")


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("STR_TO_DATE('2024-02-29', '%Y-%m-%d')", "CAST('2024-02-29' AS DATE)"),
        (
            "STR_TO_DATE('2024-01-02 03:04:05.000000', '%Y-%m-%d %H:%i:%s.%f')",
            "CAST('2024-01-02 03:04:05' AS TIMESTAMP)",
        ),
        (
            "STR_TO_DATE('2024-01-02 03:04:05', '%Y-%m-%d %H:%i:%s')",
            "CAST('2024-01-02 03:04:05' AS TIMESTAMP)",
        ),
    ],
)
def test_a_date_that_is_read_from_a_constant(text: str, made: str) -> None:
    assert f"WHERE d >= {made}" in translated(f"SELECT COUNT(*) FROM orders WHERE d >= {text}")


@pytest.mark.parametrize(
    "text",
    [
        "STR_TO_DATE('2023-02-29', '%Y-%m-%d')",
        "STR_TO_DATE('2023-02-01x', '%Y-%m-%d')",
        "STR_TO_DATE('05:06', '%H:%i')",
        "STR_TO_DATE(d, '%Y-%m-%d')",
        "STR_TO_DATE('2024', '%Y')",
    ],
)
def test_a_date_that_is_not_surely_the_same_is_refused(text: str) -> None:
    with pytest.raises(Rejected):
        translated(f"SELECT COUNT(*) FROM orders WHERE d >= {text}")
