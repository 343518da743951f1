"""Statistical aggregates of other dialects: the tree that DuckDB's parser gives for the same
meaning, or a rejection. `dpsql.front.dialects.aggregate_rules` says why.
"""

from __future__ import annotations

import duckdb
import pytest

from dpsql.errors import Rejected
from dpsql.front.parse import parse

NAN = "CASE WHEN ISNAN({0}) THEN NULL ELSE {0} END"

READ = {
    "postgres": {
        "percentile_cont(0.5) WITHIN GROUP (ORDER BY x)": "QUANTILE_CONT(CAST(x AS DOUBLE), 0.5)",
        "percentile_cont(0.25) WITHIN GROUP (ORDER BY x DESC)": (
            "QUANTILE_CONT(CAST(x AS DOUBLE), 0.75)"
        ),
        "percentile_cont(ARRAY[0.005, 1, 0.30]) WITHIN GROUP (ORDER BY x DESC)": (
            "QUANTILE_CONT(CAST(x AS DOUBLE), [0.995, 0, 0.70])"
        ),
        "percentile_disc(0.25) WITHIN GROUP (ORDER BY x)": "QUANTILE_DISC(x, 0.25)",
        "mode() WITHIN GROUP (ORDER BY x)": "MODE(x)",
        "stddev(x) / 2": "STDDEV(x) / 2",
        "var_samp(x)": "VAR_SAMP(x)",
        "var_pop(x) FILTER (WHERE y > 1)": "VAR_POP(x) FILTER (WHERE y > 1)",
        "covar_samp(y, x)": "COVAR_SAMP(y, x)",
        "corr(y, x)": NAN.format("CORR(y, x)"),
        "regr_slope(y, x)": NAN.format("REGR_SLOPE(y, x)"),
        "regr_intercept(y, x)": "REGR_INTERCEPT(y, x)",
        **{f"{f}(y, x)": f"{f.upper()}(y, x)" for f in ("regr_count", "regr_avgx", "regr_sxy")},
        "count(DISTINCT (x, y + 1))": "COUNT(DISTINCT (x, y + 1))",
        "every(x > 1)": "BOOL_AND(x > 1)",
        "bool_or(x > 1)": "BOOL_OR(x > 1)",
        "any_value(x)": "ANY_VALUE(x)",
    },
    "bigquery": {
        "APPROX_COUNT_DISTINCT(x)": "APPROX_COUNT_DISTINCT(x)",
        "STDDEV(x)": "STDDEV(x)",
        "COVAR_POP(y, x)": "COVAR_POP(y, x)",
        "LOGICAL_OR(x > 1)": "BOOL_OR(x > 1)",
        "PERCENTILE_CONT(x, 0.5)": "QUANTILE_CONT(CAST(x AS DOUBLE), 0.5)",
    },
    "redshift": {
        "MEDIAN(x)": "MEDIAN(CAST(x AS DOUBLE))",
        "PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY x DESC)": (
            "QUANTILE_CONT(CAST(x AS DOUBLE), 0.75)"
        ),
        "APPROXIMATE PERCENTILE_DISC(0.25) WITHIN GROUP (ORDER BY x)": "QUANTILE_DISC(x, 0.25)",
        "APPROXIMATE COUNT(DISTINCT x)": "APPROX_COUNT_DISTINCT(x)",
        "STDDEV_SAMP(x)": "STDDEV_SAMP(x)",
        "BOOL_OR(x > 1)": "BOOL_OR(x > 1)",
        "ANY_VALUE(x)": "ANY_VALUE(x)",
    },
    "snowflake": {
        "MEDIAN(x)": "MEDIAN(CAST(x AS DOUBLE))",
        "MODE(x)": "MODE(x)",
        "APPROX_PERCENTILE(x, 0.5)": "APPROX_QUANTILE(CAST(x AS DOUBLE), 0.5)",
        "PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY x)": "QUANTILE_DISC(x, 0.5)",
        "CORR(y, x)": NAN.format("CORR(y, x)"),
        "COUNT(DISTINCT x, y + 1)": (
            "COUNT(DISTINCT (x, y + 1)) FILTER (WHERE NOT x IS NULL AND NOT y + 1 IS NULL)"
        ),
        "HLL(x)": "APPROX_COUNT_DISTINCT(x)",
        "BOOLAND_AGG(x > 1)": "BOOL_AND(x > 1)",
    },
    "spark": {
        "MEDIAN(x)": "MEDIAN(CAST(x AS DOUBLE))",
        "PERCENTILE_APPROX(x, array(0.5, 0.75))": "APPROX_QUANTILE(x, [0.5, 0.75])",
        "PERCENTILE(x, array(0.25, 0.5))": "QUANTILE_CONT(CAST(x AS DOUBLE), [0.25, 0.5])",
        "STD(x)": "STDDEV(x)",
        "MEAN(x)": "AVG(x)",
        "SOME(x > 1)": "BOOL_OR(x > 1)",
        "COUNT(DISTINCT x, y)": (
            "COUNT(DISTINCT (x, y)) FILTER (WHERE NOT x IS NULL AND NOT y IS NULL)"
        ),
        "EVERY(x > 1)": "BOOL_AND(x > 1)",
        "REGR_R2(y, x)": "REGR_R2(y, x)",
    },
    "tsql": {
        "STDEV(x)": "STDDEV(x)",
        "STDEVP(x)": "STDDEV_POP(x)",
        "VAR(x)": "VARIANCE(x)",
        "VARP(x)": "VAR_POP(x)",
        "APPROX_COUNT_DISTINCT(x)": "APPROX_COUNT_DISTINCT(x)",
    },
}

REFUSED = {
    "postgres": [
        *("percentile_disc(0.25) WITHIN GROUP (ORDER BY x DESC)", "mode(x)", "median(x)"),
        *("percentile_cont(x, 0.5)", "percentile_cont(0.5)", "quantile_cont(x, 0.5)"),
        *("percentile_cont(1.5) WITHIN GROUP (ORDER BY x DESC)", "histogram(x)", "ARRAY[1, 2]"),
        *("mode() WITHIN GROUP (ORDER BY x DESC)", "approx_count_distinct(x)", "mode()"),
        *("percentile_cont(y) WITHIN GROUP (ORDER BY x DESC)", "max_by(x, y)"),
        "percentile_cont(DISTINCT 0.5) WITHIN GROUP (ORDER BY x, y)",
    ],
    "bigquery": [
        *("APPROX_QUANTILES(DISTINCT x, 4)", "APPROX_QUANTILES(x, y)", "CORR(y, x)", "MEDIAN(x)"),
        "PERCENTILE_CONT(x, 0.5) OVER ()",
        *("MAX_BY(x, y)", "APPROX_TOP_COUNT(x, 3)", "PERCENTILE_DISC(x, 0.5)", "MODE(x)"),
    ],
    "redshift": [
        *("CORR(y, x)", "REGR_SLOPE(y, x)", "MODE(x)", "MAX_BY(x, y)", "MEDIAN(DISTINCT x)"),
        *("PERCENTILE_CONT(0.5)", "APPROXIMATE SUM(x)", "LISTAGG(x, ',')", "COUNT(DISTINCT x, y)"),
        *("APPROXIMATE PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY x DESC)", "LISTAGG(x, ',', 1)"),
        "LISTAGG(x) WITHIN GROUP (ORDER BY y)",
    ],
    "snowflake": [
        *("MAX_BY(x, y)", "MIN_BY(x, y)", "REGR_SLOPE(y, x)", "MEDIAN(DISTINCT x)", "HLL(x, y)"),
        *("COUNT_IF(x > 1, 2)", "CORR(y, x, 3)", "APPROX_PERCENTILE(x, 0.5, 100)"),
    ],
    "spark": [
        *("PERCENTILE(DISTINCT x, 0.5)", "PERCENTILE(x, 0.5, 2)", "PERCENTILE(x)"),
        "APPROX_PERCENTILE(x, 0.5, 100)",
        *("PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY x)", "MODE(x, true)", "MAX_BY(x, y)"),
        *("ANY(x > 1)", "SOME(x > 1, y)", "APPROX_COUNT_DISTINCT(x, 0.1)", "STD(x, y)"),
    ],
    "tsql": [
        *("MEDIAN(x)", "CORR(y, x)", "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x)", "MODE(x)"),
        "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x) OVER (PARTITION BY y)",
    ],
}


@pytest.mark.parametrize(("dialect", "text"), [(d, t) for d, v in READ.items() for t in v])
def test_read(dialect: str, text: str) -> None:
    assert parse(f"SELECT {text} FROM t", dialect) == parse(f"SELECT {READ[dialect][text]} FROM t")


@pytest.mark.parametrize(("dialect", "text"), [(d, t) for d, v in REFUSED.items() for t in v])
def test_refused(dialect: str, text: str) -> None:
    with pytest.raises(Rejected) as caught:
        parse(f"SELECT {text} FROM t", dialect)
    assert {d.code for d in caught.value.diagnostics} <= {"DP104", "DP205", "DP101"}


def test_why_maximum_by_is_refused() -> None:
    """DuckDB leaves out the row whose key is NULL; in the others it is the answer."""
    rows = "(VALUES (NULL, 3), ('a', 2)) t(k, n)"
    assert duckdb.sql(f"SELECT MAX_BY(k, n) FROM {rows}").fetchall() == [("a",)]


def test_why_values_between_are_doubles() -> None:
    rows = "(VALUES (1.0), (2.5)) t(x)"
    found = duckdb.sql(f"SELECT MEDIAN(x), MEDIAN(CAST(x AS DOUBLE)) FROM {rows}").fetchall()
    assert [tuple(map(float, row)) for row in found] == [(1.7, 1.75)]


def test_from_the_other_end() -> None:
    """The quantile of 1 - q between values is that of q from above; the one that is a value is not
    where q falls between two.
    """
    rows = "(VALUES (1), (2), (3), (4)) t(x)"

    def one(aggregate: str) -> object:
        return duckdb.sql(f"SELECT {aggregate} FROM {rows}").fetchall()[0][0]

    above = "PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY x DESC)"
    assert one(above) == one("QUANTILE_CONT(x, 0.75)") == 3.25
    assert one("PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY x DESC)") == 3
    assert one("QUANTILE_DISC(x, 0.5)") == 2
