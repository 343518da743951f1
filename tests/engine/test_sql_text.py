"""Comparisons with policy constants against exact arithmetic in Python."""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpsql.core.sqltypes import parse_type
from dpsql.platform.engine.sql_text import not_among, outside
from dpsql.types import Type
from tests.support.effort import tries

TYPES = ["TINYINT", "BIGINT", "HUGEINT", "UINTEGER", "DECIMAL(4,2)", "DECIMAL(38,10)", "DOUBLE"]
FLOATS = [math.nan, math.inf, -math.inf, 0.1, -0.1, 1e300, 5e-324, 1.5, 0.30000000000000004]


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        yield con


def column_values(type_: Type) -> st.SearchStrategy[object]:
    if type_.is_float:
        return st.sampled_from(FLOATS) | st.floats()
    limits = type_.limits()
    assert limits is not None
    step = 10 ** (type_.scale or 0)
    numbers = st.integers(int(limits[0] * step), int(limits[1] * step)) | st.integers(0, 127)
    if type_.is_decimal:
        return numbers.map(lambda n: Decimal(f"{n}e-{type_.scale}"))
    return numbers


BOUND = (
    st.fractions(-200, 200, max_denominator=1000)
    | st.integers(-(10**40), 10**40)
    | st.sampled_from([Fraction(1, 10), Fraction(0.1), 10**400, -(10**400), Fraction(1, 10**400)])
)


def exact(value: object) -> Fraction | float:
    if isinstance(value, float) and not math.isfinite(value):
        return value
    assert isinstance(value, int | float | Decimal)
    return Fraction(value)


@pytest.mark.parametrize("name", TYPES)
@settings(max_examples=tries(20, 60), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_comparisons(con: duckdb.DuckDBPyConnection, name: str, data: st.DataObject) -> None:
    type_ = parse_type(name)
    value = data.draw(column_values(type_))
    near = exact(value)
    bound = BOUND | st.just(near) if isinstance(near, Fraction) else BOUND
    low, high = sorted([data.draw(bound), data.draw(bound)])
    members = tuple(data.draw(st.lists(bound, min_size=1, max_size=4)))
    sql = (
        f"SELECT {outside('x', type_, (low, high))}, {not_among('x', type_, members)} "
        f"FROM (SELECT CAST($1 AS {type_}) AS x)"
    )
    finite = isinstance(near, Fraction)
    assert con.execute(sql, [value]).fetchall() == [
        (not (finite and low <= near <= high), not (finite and near in members))
    ]
