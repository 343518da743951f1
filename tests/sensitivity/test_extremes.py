"""Aggregates at the ends of what a DOUBLE holds, and of values finer than the grid of squares."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import datetime
from fractions import Fraction

import duckdb
import pytest

import dpsql
from dpsql.compile import ReleasedQuery, compile_query
from dpsql.core.enforce.lattice import MAX_STEPS
from dpsql.core.plan.expr import Call, walk
from dpsql.core.schema import Schema
from dpsql.errors import Rejected
from dpsql.platform.policy import Policy, resolve
from tests.support.effort import sampled

POLICY = """
unit: people.id
budget: {{eps: 10}}
tables:
  people:
    access: private
    key: [id]
    columns:
      id: {{type: INTEGER}}
      x: {{type: DOUBLE, bounds: [-{end}, {end}]}}
      n: {{type: INTEGER, bounds: [0, 2000000000]}}
"""


def schema(end: int) -> Schema:
    return resolve(Policy.parse(POLICY.format(end=end)), None, None)


MOMENTS = ("VAR_POP(x)", "STDDEV_SAMP(x)", "COVAR_POP(x, n)", "CORR(x, n)", "REGR_INTERCEPT(n, x)")


@pytest.mark.parametrize("moment", MOMENTS)
def test_squares_that_no_double_holds_are_rejected(moment: str) -> None:
    with pytest.raises(Rejected) as caught:
        compile_query(f"SELECT {moment} AS m FROM people", schema(2**250 + 2**200), Fraction(1))
    assert [d.code for d in caught.value.diagnostics] == ["DP305"]
    assert compile_query(f"SELECT {moment} AS m FROM people", schema(2**250), Fraction(1)).cost.eps


@pytest.mark.parametrize("end", [10**75, 10**120])
def test_sums_of_large_values_keep_to_the_lattice(end: int) -> None:
    # An average is measured around both ends, each of which is as far from the other.
    for call, most in (("SUM(x)", end), ("AVG(x)", 2 * end), ("SUM(DISTINCT x)", end)):
        query = compile_query(f"SELECT {call} AS m FROM people", schema(end), Fraction(1)).query
        assert isinstance(query, ReleasedQuery)
        summed = max(query.releases[0].measures, key=lambda m: m.sensitivity.l1)
        assert most <= summed.sensitivity.l1 * summed.unit <= most * (1 + Fraction(2, MAX_STEPS))


def test_distinct_values_are_counted_as_they_are() -> None:
    """Not on the coarse grid on which their squares are added."""
    text = "SELECT COUNT(DISTINCT n) AS d, VAR_POP(n) AS v FROM people"
    query = compile_query(text, schema(1), Fraction(1)).query
    assert isinstance(query, ReleasedQuery)
    ((pairs, _),) = query.releases[0].pairs
    assert pairs.value is not None
    assert not [n for n in walk(pairs.value) if isinstance(n, Call) and n.function == "steps"]


# --- executed at the ends of every type -----------------------------------------------------------

DIGITS = "9" * 27
COLUMNS = {
    "i": ("BIGINT", -(2**63) + 1, 2**63 - 2, "0"),
    "h": ("HUGEINT", -(2**127) + 2, 2**127 - 2, "0"),
    "u": ("UBIGINT", 0, 2**64 - 2, "7"),
    "s": ("TINYINT", -127, 126, "0"),
    "d": ("DECIMAL(38,10)", f"-{DIGITS}.5", f"{DIGITS}.5", "0"),
    "w": ("DECIMAL(38,0)", "-" + "9" * 37, "9" * 37, "0"),
    "e": ("DECIMAL(38,38)", "-0.9", "0.9", "0"),
    "f": ("DOUBLE", "-1.0e+300", "1.0e+300", "'nan'"),
    "g": ("FLOAT", "-3.0e+38", "3.0e+38", "'inf'"),
    "z": ("DOUBLE", "-1.0e-300", "1.0e-300", "'-inf'"),
    "day": ("DATE", "0001-01-01", "9999-12-31", "'infinity'"),
    "at": ("TIMESTAMP", "0001-01-01 00:00:00", "9999-12-31 23:59:59.999999", "'-infinity'"),
}
"""The type, the bounds, and a value that is beyond them or plain."""

ORDERED = ("MIN({x})", "MAX({x})", "MEDIAN({x})", "QUANTILE_DISC({x}, [0, 0.5, 1])")
SQUARED = (
    *("VAR_POP({x})", "STDDEV_SAMP({x})", "COVAR_POP({x}, s)", "CORR(s, {x})"),
    *("REGR_INTERCEPT({x}, s)", "REGR_SLOPE(s, {x})", "REGR_R2({x}, s)", "CORR({x}, {x})"),
)


@pytest.fixture(scope="module")
def database() -> Iterator[dpsql.Database]:
    """Rows at both ends of every type, beyond the bounds, and NULL."""
    made = duckdb.connect(":memory:")
    names = ", ".join(f'"{c}" {kind}' for c, (kind, *_) in COLUMNS.items())
    made.execute(f"CREATE TABLE people (id INTEGER, {names})")
    for number, place in enumerate((1, 2, 3, None)):
        cells = [None if place is None else c[place] for c in COLUMNS.values()]
        texts = ["NULL" if c is None else f"'{c}'" if place != 3 else str(c) for c in cells]
        made.execute(f"INSERT INTO people VALUES ({number}, {', '.join(texts)})")
    columns = "\n".join(
        f'      {c}: {{type: "{kind}", bounds: [{low}, {high}]}}'
        for c, (kind, low, high, _) in COLUMNS.items()
    )
    policy = f"""
unit: people.id
budget: {{eps: 1000000000}}
tables:
  people:
    access: private
    key: [id]
    columns:
      id: {{type: INTEGER}}
{columns}
"""
    with dpsql.connect(made, policy) as opened:
        yield opened
    made.close()


@pytest.mark.parametrize("eps", [Fraction(1, 1000), Fraction(10**6)])
@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.one_in(3)
def test_order_statistics_stay_in_the_bounds(
    database: dpsql.Database, column: str, eps: Fraction
) -> None:
    kind, *bounds, _ = COLUMNS[column]
    low, high = (_number(kind, bound) for bound in bounds)
    for call in (c for c in ORDERED if sampled(f"{column} {c}", 2)):
        ((found,),) = database.run(f"SELECT {call.format(x=column)} AS m FROM people", eps=eps).rows
        for value in found if isinstance(found, list) else [found]:
            near = 1e-6 * float(high) if kind == "FLOAT" else 0
            assert low - near <= _number(kind, value) <= high + near


def _number(kind: str, value: object) -> float | Fraction:
    """A number, or days or moments counted; a number that is answered as a DOUBLE is one."""
    if kind in ("DATE", "TIMESTAMP"):
        moment = datetime.fromisoformat(str(value))
        return moment.toordinal() + Fraction(moment.hour * 3600 + moment.minute * 60, 86400)
    if kind in ("DOUBLE", "FLOAT") or isinstance(value, float):
        return float(str(value))
    return Fraction(str(value))


@pytest.mark.deep
@pytest.mark.parametrize("eps", [Fraction(1, 1000), Fraction(10**6)])
@pytest.mark.parametrize("column", [c for c in COLUMNS if c not in ("day", "at")])
def test_moments_are_numbers_or_rejected(
    database: dpsql.Database, column: str, eps: Fraction
) -> None:
    for call in SQUARED:
        sql = f"SELECT {call.format(x=column)} AS m FROM people"
        if column == "f":
            with pytest.raises(Rejected) as caught:
                database.run(sql, eps=eps)
            assert [d.code for d in caught.value.diagnostics] == ["DP305"]
            continue
        ((found,),) = database.run(sql, eps=eps).rows
        assert found is None or (isinstance(found, float) and math.isfinite(found))


def test_the_variance_of_the_ends_is_half_the_range_squared(database: dpsql.Database) -> None:
    for column in ("i", "h", "d", "w", "g"):
        _, low, high, _ = COLUMNS[column]
        sql = f"SELECT VAR_POP({column}) AS v FROM people WHERE id < 2"
        ((found,),) = database.run(sql, eps=10**6).rows
        half = (float(str(high)) - float(str(low))) / 2
        assert found == pytest.approx(half * half, rel=1e-5)
