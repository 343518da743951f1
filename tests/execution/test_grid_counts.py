"""What is read by columns is at the points at which it would be row by row."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsql.core.plan.expr import Literal
from dpsql.core.release.picks import Grid
from dpsql.execution.grid_counts import _spread, ascending
from dpsql.platform.engine.whole_rows import narrowest
from dpsql.types import INTEGER

VALUES = st.one_of(st.integers(-5, 15), st.integers(-(2**63), 2**63 - 1))
COUNTS = st.one_of(st.integers(1, 3), st.sampled_from([127, 128, 2**31, 2**40]))


@pytest.mark.parametrize("size", [1, 2, 9, 126_000_001, 2**62])
@pytest.mark.parametrize("first", [0, -3, 4, 1000])
@given(st.lists(st.tuples(VALUES, COUNTS), min_size=1, max_size=20))
def test_columns_are_at_the_points_of_their_rows(
    size: int, first: int, rows: list[tuple[int, int]]
) -> None:
    grid = Grid(Literal(0, INTEGER), size, first, Fraction(1))
    expected: Counter[int] = Counter()
    for value, count in rows:
        place = grid.place(value)
        assert place is not None
        expected[place] += count
    columns = [narrowest(numpy.array(column)) for column in zip(*rows, strict=True)]
    places, found = ascending(_spread(grid, columns))
    assert [*zip(places, found, strict=True)] == sorted(expected.items())
    assert {*map(type, places), *map(type, found)} == {int}
