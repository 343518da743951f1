"""Products that 128 bits may not hold are DOUBLEs: a rest of one would be anything."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpsql.compile import compile_query
from dpsql.errors import Rejected
from tests.support.policies import load


@pytest.mark.parametrize(
    "wrong", ["{} // 2", "{} % 7", "{} & 255", "{} >> 1", "bit_count({})", "xor({}, 3)"]
)
def test_a_rest_of_what_is_rounded_is_refused(wrong: str) -> None:
    """Of 283950595² · 9 the rest by 7 is 1, and that of its DOUBLE 6."""
    sql = f"SELECT SUM({wrong.format('(total * total * units)')}) FROM orders"
    with pytest.raises(Rejected, match="DP306"):
        compile_query(sql, load("shop").schema, Fraction(1))
