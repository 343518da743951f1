"""Half-widths of what is not linear in its noise: against Fieller's intervals and exact quantiles.

Nothing is random here: the draws are fixed.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest

from dpsql.core.noise.gaussian import DiscreteGaussian
from dpsql.core.noise.integer_noise import Noise
from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.core.plan.expr import Call, Column, Expr, Literal, Ref
from dpsql.core.release.decode import Noisy
from dpsql.core.release.formulas import Axis, Formula, Linear, Moments, Quotient, Term
from dpsql.execution.bent import DRAWS, PRIMES, Curve, _column
from dpsql.execution.widths import slopes, width
from dpsql.types import DOUBLE

ONE = Fraction(1)
TOTAL, COUNT, SQUARE = Term(0, ONE), Term(1, ONE), Term(2, ONE)
MEAN = Quotient((TOTAL,), (COUNT,), 0, Fraction(50), Fraction(0), Fraction(100))
AXIS = Axis((TOTAL,), (SQUARE,), Fraction(50), Fraction(50))
VALUE = Ref(Column(7, "v", DOUBLE))
NOISES: list[Noise] = [DiscreteGaussian(300.0), DiscreteGaussian(6.0), DiscreteGaussian(9000.0)]


def half_width(
    formula: Formula,
    measures: list[int | Fraction],
    confidence: float = 0.95,
    noises: list[Noise] = NOISES,
    expr: Expr = VALUE,
    ranged: bool = True,
) -> float | None:
    noisy, parts = Noisy(measures), [(noise, ONE) for noise in noises]
    tangent = slopes(formula, noisy, parts)
    assert tangent is not None
    curve = Curve(expr, {7: formula}, ranged)
    return curve.half_width(
        noisy, {}, parts, tangent, confidence, lambda c: width(tangent, noises, c)
    )


def test_the_draws_have_the_shares_of_the_noise() -> None:
    for prime in PRIMES:
        for kind, cdf in (("laplace", laplace), ("gaussian", gaussian)):
            first, *draws = _column(kind, prime)
            assert first == 0 and len(draws) == DRAWS
            shares = [cdf(z) for z in sorted(draws)]
            assert shares == pytest.approx([(i + 0.5) / DRAWS for i in range(DRAWS)], abs=1e-9)


def laplace(z: float) -> float:
    return math.exp(z) / 2 if z < 0 else 1 - math.exp(-z) / 2


def gaussian(z: float) -> float:
    return (1 + math.erf(z / math.sqrt(2))) / 2


def test_what_is_straight_has_none_of_its_own() -> None:
    assert half_width(MEAN, [20_000, 10_000, 0]) is None
    assert half_width(Linear((TOTAL, COUNT), ONE), [5, 1, 0]) is None


@pytest.mark.parametrize("kind", [DiscreteLaplace, DiscreteGaussian])
@pytest.mark.parametrize("weights", [(1, 0, 0), (1, 1, 0), (1, -2, 0.5), (0.3, 1, 1)])
def test_quantiles_of_linear_functions_are_nearly_exact(
    kind: type[Noise], weights: tuple[float, float, float]
) -> None:
    columns = [_column(kind(1.0).kind, p) for p in PRIMES[:3]]  # type: ignore[call-arg]
    off = sorted(
        abs(sum(w * c[i] for w, c in zip(weights, columns, strict=True)))
        for i in range(1, DRAWS + 1)
    )
    noises = [kind(1e6)] * 3  # type: ignore[call-arg]
    exact = width(dict(enumerate(weights)), noises, 0.95)
    assert exact is not None
    assert off[math.ceil(0.95 * DRAWS) - 1] * 1e6 == pytest.approx(exact, rel=0.06)


@pytest.mark.parametrize("total", [0, 200, -700, 1400])
def test_a_ratio_has_the_interval_of_fieller(total: int) -> None:
    """What the half-width covers is, of the values that Fieller's test would not reject at some
    level on either side, 95 %: r is at the share Φ((r·n − s)/√(σ² + r²·τ²)).
    """
    count = 30
    found = half_width(MEAN, [total, count, 0])
    assert found is not None

    def share(r: float) -> float:
        return gaussian((r * count - total) / math.hypot(300.0, 6.0 * r))

    centre = total / count
    assert share(centre + found) - share(centre - found) == pytest.approx(0.95, abs=0.007)


def test_a_mean_of_too_few_may_be_anything() -> None:
    assert half_width(MEAN, [100, 4, 0]) == math.inf
    ratio = Call("div", (VALUE, Literal(ONE, DOUBLE)), DOUBLE)
    assert half_width(MEAN, [100, 4, 0], expr=ratio, ranged=False) != math.inf


def test_it_grows_with_the_confidence() -> None:
    for measures in ([900, 40, 0], [900, 40, -20_000]):
        levels = [0.01, 0.5, 0.9, 0.95, 0.99, 0.999, 1 - 1e-9]
        for formula in (MEAN, Moments("var_pop", (COUNT,), 0, AXIS, None, ())):
            found = [half_width(formula, list(measures), level) for level in levels]
            assert all(a < b for a, b in pairwise(found))  # type: ignore[operator]


@pytest.mark.parametrize("square", [-125_000, -126_000, -124_000, -120_000, -110_000])
def test_a_deviation_holds_where_its_variance_does(square: int) -> None:
    """With v ± w, it is from √(v − w) to √(v + w); also where v is negative, and 0 is shown."""
    noises: list[Noise] = [DiscreteGaussian(0.0), DiscreteGaussian(0.0), DiscreteGaussian(9000.0)]
    variance = Moments("var_pop", (COUNT,), 0, AXIS, None, ())
    assert half_width(variance, [0, 100, square], 0.95, noises) is None  # linear in its squares
    w = width({2: 0.01}, noises, 0.95)
    assert w is not None
    v = max(0.0, square / 100 + 1250)
    found = half_width(replace(variance, function="stddev_pop"), [0, 100, square], 0.95, noises)
    reach = max(math.sqrt(v) - math.sqrt(max(0.0, v - w)), math.sqrt(v + w) - math.sqrt(v))
    assert found == pytest.approx(reach, rel=0.01)
