"""A noisy number as one of its SQL type: the nearest there is, half-way the even one."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsql.core.enforce.lattice import OnLattice
from dpsql.core.plan.expr import Literal
from dpsql.core.release import decode
from dpsql.core.sqltypes import parse_type
from dpsql.execution import cells
from dpsql.types import INTEGER

NUMBERS = st.one_of(
    st.integers(-(10**40), 10**40),
    st.fractions(max_denominator=10**6),
    st.builds(Fraction, st.integers(-(10**12), 10**12), st.sampled_from([2, 20, 200, 2 * 10**10])),
)


@given(NUMBERS, st.integers(1, 38), st.data())
def test_decimals_are_the_nearest_within_their_type(
    value: int | Fraction, precision: int, data: st.DataObject
) -> None:
    scale = data.draw(st.integers(0, precision))
    most = Fraction(10**precision - 1, 10**scale)
    wanted = round(min(max(Fraction(value), -most), most) * 10**scale)
    found = decode.plain(value, parse_type(f"DECIMAL({precision},{scale})"))
    assert isinstance(found, Decimal)
    assert found.as_tuple().exponent == -scale
    assert Fraction(found) * 10**scale == wanted


@given(st.integers(-(10**30), 10**30), st.integers(0, 10), st.sampled_from([1, 2, 5, 25]))
def test_steps_of_a_sum_are_exact(steps: int, digits: int, times: int) -> None:
    step = Fraction(times, 10**digits)
    lattice = OnLattice(Literal(0, INTEGER), step, -(10**31), 10**31)
    total = Fraction(steps) * step
    value = Decimal(f"{total.numerator * (10**digits // total.denominator)}E-{digits}")
    assert cells._steps(value, lattice) == steps


@pytest.mark.parametrize("off", ["0.5", "0.001", "-0.25"])
def test_a_sum_off_its_lattice_is_a_bug(off: str) -> None:
    lattice = OnLattice(Literal(0, INTEGER), Fraction(1), -10, 10)
    with pytest.raises(AssertionError):
        cells._steps(3 + Decimal(off), lattice)
