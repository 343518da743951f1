"""The thresholds among which a clip is chosen: public, fine enough, and no more than are needed."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest

from dpsql import demo
from dpsql.compile import ReleasedQuery, compile_query
from dpsql.core.calibrate.options import Options
from dpsql.core.enforce.clipped import FINE, MANY, MAX_CLIP, PARTS, Grid, top
from dpsql.core.noise.adaptive import AdaptiveLaplace
from dpsql.core.noise.clip import SUMS
from dpsql.platform.policy import resolve


def test_the_greatest_threshold_is_what_a_unit_may_have() -> None:
    assert top(500, 3) == 1500
    assert top(500, None) == 500 * MANY
    assert top(500, 2 * MANY) == 500 * MANY
    assert top(2**60, 5) == MAX_CLIP
    assert top(0, None) == top(1, 1) == 2


@pytest.mark.parametrize("greatest", [2, 40, 1500, FINE, 500 * MANY, MAX_CLIP])
def test_thresholds_are_close_and_reach_the_top(greatest: int) -> None:
    found = Grid(greatest).thresholds
    assert found[0] == 1 and found[-2] < greatest <= found[-1] < greatest + PARTS
    assert list(found) == sorted(found)
    assert all(t % PARTS == 0 for t in found if t >= FINE)
    # A quarter of an octave, each rounded up to a whole number or to a multiple of the parts.
    for below, above in pairwise(found):
        assert above <= below * 2**0.25 + (PARTS if above >= FINE else 1)


@pytest.mark.parametrize(
    ("sql", "greatest"),
    [
        ("SELECT COUNT(*) FROM orders", 40),
        ("SELECT COUNT(*) FROM orders JOIN order_lines USING (order_id)", 200),
        ("SELECT COUNT(*) FROM customers", 2),
    ],
)
def test_declared_fan_outs_bound_it(sql: str, greatest: int) -> None:
    schema = resolve(demo.policy(), None, None)
    options = Options(clipping="adaptive")
    query = compile_query(sql, schema, Fraction(1), options=options).query
    assert isinstance(query, ReleasedQuery)
    clipping = query.releases[0].clipping
    assert clipping is not None and [v.grid.top for v in clipping.values] == [greatest]


@pytest.mark.parametrize("units", [1, 2])
@pytest.mark.parametrize("eps", ["1", "1e-5", "1e-6", "1e-8", "1e-9"])
def test_noise_is_for_the_clip_of_the_same_number(eps: str, units: int) -> None:
    """Where little ε is left, not all noise fits: then the greatest clips are left out, and no
    other. A clip is known by its number to those who read the data and to those who add noise.
    """
    grid = Grid(2**30)
    steps = [(t, grid.parts(i)) for i, t in enumerate(grid.thresholds)]
    mechanism = AdaptiveLaplace.calibrate(Fraction(eps), units, steps, SUMS)
    assert list(mechanism.thresholds) == steps[: len(mechanism.thresholds)]
    for number in range(len(mechanism.thresholds)):
        moved = units * grid.thresholds[number] * grid.parts(number)
        assert moved / Fraction(mechanism.noise(number).scale) <= mechanism.rest
