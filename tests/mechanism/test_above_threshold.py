"""AboveThreshold and the adaptive clip: exact laws, the tight pair, calibration, accuracy."""

import math
from bisect import bisect_left
from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate, product
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsql.mechanism import above_threshold
from dpsql.mechanism.above_threshold import (
    FALSE_STOP,
    AboveThreshold,
    AdaptiveClip,
    geometric,
)
from dpsql.mechanism.laplace import DiscreteLaplace
from dpsql.mechanism.protocol import NoiseError

from .bounds import limits, proven_loss
from .test_exponential import DEEP_DRAWS, DRAWS

SCAN = AboveThreshold(threshold=2, threshold_scale=2.0, count_scale=1.0)


def law(scan: AboveThreshold, counts: tuple[int, ...]) -> list[float]:
    """P(stop at i) for each i, and P(no stop), summed over the noise on the threshold."""
    total = [0.0] * (len(counts) + 1)
    for offset in range(200):
        weight = math.exp(-offset / scan.threshold_scale)
        weight *= -math.expm1(-1 / scan.threshold_scale)
        for i, count in enumerate(counts):
            passes = math.exp(-max(0, scan.threshold + offset - count) / scan.count_scale)
            total[i] += weight * passes
            weight *= 1 - passes
        total[-1] += weight
    return total


def max_loss(left: list[float], right: list[float]) -> float:
    """The greatest log-ratio, with probabilities of 0 on both sides left out."""
    pairs = [(a, b) for a, b in zip(left, right, strict=True) if a > 0 or b > 0]
    return max(abs(math.log(a / b)) if a and b else math.inf for a, b in pairs)


def test_no_neighbours_are_farther_apart_than_claimed() -> None:
    """All scans of three counts in 0 … 5, and every way in which one more unit can add to them."""
    claimed = float(SCAN.event().cost.eps)
    assert claimed == 1.5
    worst = 0.0
    for counts in product(range(6), repeat=3):
        for added in product((0, 1), repeat=3):
            more = tuple(count + one for count, one in zip(counts, added, strict=True))
            left, right = law(SCAN, counts), law(SCAN, more)
            worst = max(worst, max_loss(left, right))
    assert worst <= claimed + 1e-9


def test_the_claim_is_tight() -> None:
    scan = AboveThreshold(1, 2.0, 1.0)
    left, right = law(scan, (0, 0)), law(scan, (1, 0))
    assert math.log(left[1] / right[1]) == pytest.approx(1.5)


@pytest.mark.parametrize("counts", [(0, 1, 2, 3), (1, 1, 2, 2), (5,), (-3, 0)])
def test_every_step_comes_as_often_as_it_should(counts: tuple[int, ...]) -> None:
    drawn = [SCAN.draw(counts) for _ in range(3000)]
    for i, chance in enumerate(law(SCAN, counts)):
        hits = drawn.count(i if i < len(counts) else None)
        low, high = limits(hits, 3000, 1e-6 / 10)
        assert low <= chance + 1e-12 and chance - 1e-12 <= high


def test_an_empty_scan_finds_nothing() -> None:
    assert SCAN.draw([]) is None


@pytest.mark.parametrize("scale", [0.2, 1.5, 30.0])
def test_geometric_noise_has_one_side(scale: float) -> None:
    drawn = geometric(scale, 20_000)
    assert len(drawn) == 20_000 and min(drawn) == 0
    for k in range(6):
        low, high = limits(sum(z >= k for z in drawn), 20_000, 1e-6 / 12)
        assert low <= math.exp(-k / scale) <= high


@given(st.fractions(Fraction(1, 10**6), 100), st.integers(1, 10**4), st.integers(0, 10**9))
def test_calibration(eps: Fraction, steps: int, least: int) -> None:
    scan = AboveThreshold.calibrate(eps, steps, least)
    assert eps * (1 - Fraction(1, 2**50)) <= scan.event().cost.eps <= eps
    assert Fraction(scan.count_scale) >= 1 / (eps * Fraction(4, 5))
    assert scan.threshold >= least
    assert steps * math.exp(-scan.threshold / scan.count_scale) <= FALSE_STOP * (1 + 1e-9)
    if scan.threshold > least:
        assert steps * math.exp(-(scan.threshold - 1) / scan.count_scale) > FALSE_STOP * (1 - 1e-9)


def test_senseless_arguments_are_refused() -> None:
    for scales in ((0.0, 1.0), (1.0, 0.0)):
        with pytest.raises(ValueError, match="noise"):
            AboveThreshold(1, *scales)
    with pytest.raises(NoiseError):
        AboveThreshold(1, math.nan, 1.0)
    for eps, steps in ((0, 5), (-1, 5), (1, 0)):
        with pytest.raises(ValueError, match=r"positive|step"):
            AboveThreshold.calibrate(Fraction(eps), steps)
    with pytest.raises(TypeError):
        AboveThreshold.calibrate(0.5, 5)  # type: ignore[arg-type]
    for rest, octave in ((0, 4), (1, 0)):
        with pytest.raises(ValueError, match="positive"):
            AdaptiveClip.calibrate(Fraction(1), Fraction(rest), 240, octave)


def test_the_clip_spends_what_it_is_given() -> None:
    eps = Fraction(1, 5)
    clip = AdaptiveClip.calibrate(eps, Fraction(3, 5), 240, 4)
    spent = sum(event.cost.eps for event in clip.events())
    assert eps * (1 - Fraction(1, 2**50)) <= spent <= eps
    assert clip.second.threshold >= 4 * clip.first.threshold


def test_the_lift_follows_the_tail() -> None:
    clip = AdaptiveClip.calibrate(Fraction(1, 5), Fraction(3, 5), 240, 4)
    lifts = [clip.lift(further) for further in range(100)]
    assert lifts[0] == clip.lift(None) == 2  # half an octave
    assert max(lifts) == 18  # four and a half
    assert lifts == sorted(lifts)
    # From T₁ units to 1/ε, at the slope of T₁ to T₂.
    to_go = math.log(clip.first.threshold * 0.6) / math.log(
        clip.second.threshold / clip.first.threshold
    )
    assert lifts[3] == round(3 * to_go)
    # More ε than units: no way up but the least.
    assert AdaptiveClip.calibrate(Fraction(10**3), Fraction(1, 10**4), 5, 1).lift(0) == 1


def test_too_few_units_have_no_clip(monkeypatch: pytest.MonkeyPatch) -> None:
    clip = AdaptiveClip.calibrate(Fraction(1, 5), Fraction(3, 5), 240, 4)
    monkeypatch.setattr(above_threshold, "geometric", lambda scale, n: [0] * n)
    assert clip.draw([0] * 240) is None
    assert clip.draw([]) is None
    assert clip.draw([0] * 239 + [clip.first.threshold]) == 239 - 2
    assert clip.draw([10**6] * 240) == 0
    both = [0] * 100 + [clip.first.threshold] * 4 + [clip.second.threshold] * 100
    assert clip.draw(both) == 100 - clip.lift(4)


N = 100_000
OCTAVE = 4
STEPS = 40 * OCTAVE + 1
GRID = [math.ceil(2.0 ** (40 - i / OCTAVE)) for i in range(STEPS)]


def zipf(exponent: float, top: int = 10**6) -> list[int]:
    cumulated = list(accumulate(x**-exponent for x in range(1, top + 1)))
    return [1 + bisect_left(cumulated, (i + 0.5) / N * cumulated[-1]) for i in range(N)]


def normal_quantiles() -> list[float]:
    return [NormalDist().inv_cdf((i + 0.5) / N) for i in range(N)]


# The quantiles of each distribution, so that no lucky sample decides, and the greatest mean error.
# A random sample of Zipf(2) has often a larger unit, which no clip can keep: see `AdaptiveClip`.
TOTALS: dict[str, tuple[Callable[[], list[int]], float]] = {
    "orders": (lambda: [min(41, max(0, round(15 + 7 * z))) for z in normal_quantiles()], 0.0001),
    "zipf 2": (lambda: zipf(2), 0.25),
    "zipf 1.5": (lambda: zipf(1.5), 0.10),
    "lognormal": (lambda: [math.ceil(100 * math.exp(2 * z)) for z in normal_quantiles()], 0.055),
}


@pytest.mark.deep
@pytest.mark.parametrize("kind", TOTALS)
def test_sums_without_a_declared_bound_are_as_accurate_as_promised(kind: str) -> None:
    make, most = TOTALS[kind]
    totals, eps, draws = make(), Fraction(4, 5), 200
    rest = eps * 2 / 3
    clip = AdaptiveClip.calibrate(eps - rest, rest, STEPS, OCTAVE)
    counts = [sum(total > step for total in totals) for step in GRID]
    clipped = [sum(min(total, step) for total in totals) for step in GRID]
    error = 0
    for _ in range(draws):
        index = clip.draw(counts)
        assert index is not None
        (noise,) = DiscreteLaplace.calibrate(GRID[index], rest).draw(1)
        error += abs(clipped[index] + noise - sum(totals))
    assert error / sum(totals) / draws <= most


def check_the_loss(draws: int, too_small: float, patch: pytest.MonkeyPatch) -> None:
    # One more unit above the first step; the scan stops at the second one.
    pool: dict[float, list[int]] = {}

    def pooled(scale: float, n: int) -> list[int]:
        """The real noise, drawn in large vectors: a call takes long."""
        if len(pool.setdefault(scale, [])) < n:
            pool[scale] += geometric(scale, 100_000)
        return [pool[scale].pop() for _ in range(n)]

    patch.setattr(above_threshold, "geometric", pooled)

    def loss(part: float) -> float:
        right = AboveThreshold.calibrate(Fraction(2), 2)
        scan = AboveThreshold(1, right.threshold_scale * part, right.count_scale * part)
        left = [-(scan.draw([0, 1]) == 1) for _ in range(draws)]
        return proven_loss(left, [-(scan.draw([1, 1]) == 1) for _ in range(draws)], threshold=-1)

    assert loss(1.0) <= 2 < loss(too_small)


def test_the_noise_is_large_enough_and_20_percent_less_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    check_the_loss(DRAWS, 0.8, monkeypatch)


@pytest.mark.deep
def test_10_percent_less_noise_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    check_the_loss(DEEP_DRAWS, 0.9, monkeypatch)
