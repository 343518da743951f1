"""What aggregates of a group can be: NULL, where a group is too small, and NaN."""

from __future__ import annotations

import duckdb
import pytest

from dpsql.core.infer.grouping import aggregate
from dpsql.core.infer.properties import analyze
from dpsql.core.plan.nodes import Aggregate, nodes
from dpsql.core.plan.values import Values
from dpsql.front.bind import bind
from dpsql.front.parse import parse
from dpsql.platform.policy import Policy, resolve

SCHEMA = resolve(
    Policy.parse(
        "unit: u.id\nbudget: {eps: 1}\ntables:\n"
        "  u: {access: private, key: [id], columns: {id: {type: INTEGER}}}\n"
        "  t: {access: public, columns: {k: {type: INTEGER}, x: {type: INTEGER, nullable: false,"
        " bounds: [0, 9]}, y: {type: INTEGER, nullable: false}}}\n"
    ),
    None,
    None,
)
ALONE = {"MIN(x)": 3, "AVG(x)": 3.0, "SUM(x)": 3, "COUNT(x)": 1}
"""Aggregates that are no NULL of one row."""


def claimed(call: str) -> Values:
    """What is claimed of an aggregate by group."""
    found, _ = bind(parse(f"SELECT k, {call} AS v FROM t GROUP BY k"), SCHEMA)
    (plan,) = (n for n in nodes(found.plan) if isinstance(n, Aggregate))
    made = aggregate(plan, analyze(plan.input, SCHEMA), SCHEMA)
    return made.claimed[plan.calls[0][0].id]


@pytest.mark.parametrize(
    "call",
    [
        *("STDDEV(x)", "VAR_SAMP(x)", "COVAR_SAMP(x, y)", "REGR_INTERCEPT(x, y)", "REGR_R2(x, y)"),
        *("CORR(x, y)", "REGR_SLOPE(x, y)", "MODE(x)", "ARG_MAX(x, y)", "MEDIAN(x)", "VAR_POP(x)"),
        *("QUANTILE_DISC(x, [0.5])", "HISTOGRAM(x)", "COVAR_POP(x, y)", *ALONE),
    ],
)
def test_of_one_row(call: str) -> None:
    """The engine's value for a group of one row is one of those that are claimed."""
    values = claimed(call)
    ((value,),) = duckdb.sql(f"SELECT {call} FROM (VALUES (3, 4)) t(x, y)").fetchall()
    assert values.nullable is (call not in ALONE)
    if value is None:
        assert values.nullable
    elif value != value:
        assert values.nan
    elif isinstance(value, int | float):
        assert values.low is None or values.low <= value <= values.high
