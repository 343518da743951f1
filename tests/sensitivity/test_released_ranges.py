"""Where released values lie: other releases read them within it, and they are there."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpsql.compile import ReleasedQuery
from tests.differential.converge import both
from tests.support.draws import answers, known, repeated
from tests.support.small_shop import small_shop

RANGES = {
    "AVG(units)": (1, 9),
    "AVG(amount)": (0, 500),
    "AVG(DISTINCT units)": (1, 9),
    "MEDIAN(units)": (1, 9),
    "MIN(amount)": (0, 500),
    "QUANTILE_CONT(weight, 0.9)": (0, 20.1),
    "STDDEV_POP(units)": (0, 4),
    "VAR_SAMP(units)": (0, 32),
    "COVAR_POP(units, amount)": (-1000, 1000),
    "CORR(units, amount)": (-1, 1),
    "REGR_R2(units, amount)": (0, 1),
}


@pytest.mark.parametrize("call", RANGES)
@pytest.mark.one_in(2)
def test_a_range_is_said_and_holds_whatever_the_noise(call: str) -> None:
    session = small_shop("shop").session
    found = known(session, f"SELECT {call} AS v FROM orders", Fraction(1, 100))
    assert isinstance(found.query, ReleasedQuery)
    (said,) = found.query.releases[0].node.values.values()
    low, high = RANGES[call]
    assert said.low is not None and said.high is not None
    assert said.low <= low and high <= said.high
    assert float(said.low) == pytest.approx(low) and float(said.high) == pytest.approx(high)
    drawn = answers(session, found.query, repeated(found.exact, 400))
    values = [row[0] for row in drawn.rows if row[0] is not None]
    assert all(said.low <= v <= said.high for v in values)  # type: ignore[operator]
    assert len(set(values)) > 1


@pytest.mark.parametrize("call", ["COUNT(*)", "SUM(units)", "REGR_SLOPE(units, amount)"])
def test_what_has_no_end_says_none(call: str) -> None:
    found = known(small_shop("shop").session, f"SELECT {call} AS v FROM orders", Fraction(1))
    assert not found.query.releases[0].node.values


BY_STATUS = "(SELECT status, {} AS m FROM orders GROUP BY status)"

READING = (
    "SELECT AVG(ABS(units - (SELECT AVG(units) FROM orders))) FROM orders",
    "SELECT MEDIAN(ABS(units - (SELECT MEDIAN(units) FROM orders))) FROM orders",
    "SELECT SUM(POW(units - (SELECT AVG(units) FROM orders), 2)) FROM orders",
    "SELECT SUM(units * (SELECT STDDEV_POP(units) FROM orders)) FROM orders",
    "SELECT AVG(amount - (SELECT CORR(units, amount) FROM orders)) FROM orders",
    "SELECT AVG((units - (SELECT AVG(units) FROM orders)) / GREATEST((SELECT STDDEV(units) FROM "
    "orders), 0.1)) FROM orders",
    f"SELECT SUM(ABS(o.units - a.m)) FROM orders o JOIN {BY_STATUS.format('AVG(units)')} a ON "
    "a.status = o.status",
    f"SELECT AVG(o.weight - a.m) FROM orders o JOIN {BY_STATUS.format('MAX(weight)')} a ON "
    "a.status = o.status",
)


@pytest.mark.parametrize("sql", READING)
@pytest.mark.one_in(2)
def test_what_is_read_is_not_moved(sql: str) -> None:
    (mine,), (theirs,) = both(small_shop(), sql)
    assert mine == pytest.approx(theirs, rel=1e-5, abs=1e-5)
