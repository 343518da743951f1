"""Messages call a function, and a part of a query, as it was typed, and not as the parser does."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpsql.compile import ReleasedQuery, compile_query
from dpsql.errors import Rejected
from tests.support.policies import load

SHOP = load("shop").schema

SAID = [
    ("duckdb", "SELECT AVG(POWER(units, 'a')) FROM orders", "power: needs a number"),
    ("duckdb", "SELECT AVG(DATEDIFF('day', units, day)) FROM orders", "datediff: needs a date"),
    ("duckdb", "SELECT MAX(IFNULL(units, day)) FROM orders", "ifnull: IFNULL of INTEGER and DATE"),
    ("duckdb", "SELECT MAX(UPPER(LEN(day) || 'a')) FROM orders", "len: needs a string"),
    ("duckdb", "SELECT GROUP_CONCAT(status) FROM orders", "the aggregate group_concat of private"),
    ("duckdb", "SELECT MAX_BY(units, day) FROM orders", "the aggregate max_by of private rows"),
    (
        "duckdb",
        "SELECT COUNT(*) FROM orders FOR UPDATE",
        "FOR UPDATE or FOR SHARE is not",
    ),
    ("duckdb", "SELECT ROUND(AVG(units), 2, 1) FROM orders", "the argument 1 of ROUND is not"),
    ("duckdb", "SELECT COUNT(*) FROM orders USING SAMPLE 10", "USING SAMPLE is not supported"),
    (
        "duckdb",
        "SELECT SUM(units) OVER (ORDER BY day ROWS 1 PRECEDING EXCLUDE CURRENT ROW) FROM orders",
        "EXCLUDE is not supported here",
    ),
    ("spark", "SELECT COUNT(*) FROM orders WHERE status RLIKE 'a'", "status RLIKE 'a'"),
    ("snowflake", "SELECT LISTAGG(status, ',') FROM orders", "the function LISTAGG"),
    ("redshift", "SELECT COUNT(*) FROM orders WHERE status ~ 'a'", "Redshift: status ~ 'a'"),
    ("redshift", "SELECT CORR(units, units) FROM orders", "the function CORR"),
    ("mysql", "SELECT COUNT(*) FROM orders USE INDEX (a)", "a hint"),
    ("mysql", "SELECT COUNT(*) FROM orders STRAIGHT_JOIN customers", "MySQL: STRAIGHT_JOIN\n"),
    ("spark", "SELECT COUNT(*) FROM orders SORT BY day", "SORT BY"),
    ("tsql", "SELECT COUNT(*) FROM orders OPTION (RECOMPILE)", "OPTION"),
]


@pytest.mark.parametrize(("dialect", "text", "said"), SAID)
def test_what_was_typed_is_said(dialect: str, text: str, said: str) -> None:
    with pytest.raises(Rejected) as rejected:
        compile_query(text, SHOP, Fraction(1), dialect=dialect)
    assert said in str(rejected.value.at(text))


GROUPS = "(SELECT status, COUNT(*) AS n FROM orders GROUP BY status) AS g"
COLUMNS = [
    (f"SELECT LISTAGG(status, ',') FROM {GROUPS}", "listagg(status, ',')"),
    (f"SELECT STRING_AGG(status, ',') FROM {GROUPS}", "string_agg(status, ',')"),
    ("SELECT AVG(DATEDIFF('day', day, day)) FROM orders", "avg(datediff('day', day, day))"),
    ("SELECT MAX(IFNULL(units, CEILING(units))) FROM orders", "max(ifnull(units, ceiling(units)))"),
    ("SELECT COUNT(*) FROM orders", "count(*)"),
]


@pytest.mark.parametrize(("text", "name"), COLUMNS)
def test_columns_are_called_as_typed(text: str, name: str) -> None:
    query = compile_query(text, SHOP, Fraction(1)).query
    assert isinstance(query, ReleasedQuery)
    assert query.names == (name,)


BLAMED = [
    ("SUM(rate * total)", "for rate in"),
    ("SUM(rate * weight)", "for rate in"),
    ("SUM(code * rate)", "for code and rate in"),
    ("SUM(rate * code)", "for rate and code in"),
    ("SUM(rate) FILTER (WHERE code > 3)", "for rate in"),
    ("SUM(CASE WHEN code > 3 THEN rate END)", "for rate in"),
    ("REGR_SLOPE(rate, code)", "for code in"),
    ("VARIANCE(rate)", "VARIANCE reads"),
    ("SUM(rate) OVER (PARTITION BY customer)", "for rate in"),
]


@pytest.mark.parametrize(("aggregate", "said"), BLAMED)
def test_the_columns_without_bounds_are_named(aggregate: str, said: str) -> None:
    text = f"SELECT AVG(v) FROM (SELECT {aggregate} AS v FROM orders) AS t"
    with pytest.raises(Rejected, match="DP301") as rejected:
        compile_query(text, SHOP, Fraction(1))
    assert said in str(rejected.value)
