"""Report-noisy-max: calibration, OpenDP's own map, the law of permute-and-flip, its ε."""

import math
from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsql.core.noise import sampler
from dpsql.core.noise.integer_noise import MAX_SCALE, NoiseError
from dpsql.core.noise.noisy_max import NoisyMax

from .bounds import limits, proven_loss
from .test_exponential import DEEP_DRAWS, DRAWS

epsilons = st.fractions(min_value=Fraction(1, 10**9), max_value=10**6, max_denominator=10**12)


@settings(deadline=None)
@given(st.integers(1, 2**60), epsilons, st.booleans())
def test_opendp_agrees_on_the_privacy_loss(linf: int, eps: Fraction, monotone: bool) -> None:
    spread = linf if monotone else 2 * linf
    if spread / eps > MAX_SCALE:
        return
    mechanism = NoisyMax.calibrate(linf, eps, monotone)
    assert Fraction(math.nextafter(mechanism.scale, 0.0)) < spread / eps
    exact = mechanism.event(linf).cost
    assert (exact.eps, exact.delta) == (spread / Fraction(mechanism.scale), 0)
    assert exact.eps <= eps
    claimed = Fraction(sampler.noisy_max(mechanism.scale, monotone).map(linf))
    assert exact.eps <= claimed <= exact.eps * (1 + Fraction(1, 2**50))


def test_powers_of_two_agree_exactly() -> None:
    assert NoisyMax.calibrate(3, Fraction(1, 2), monotone=True).scale == 6.0
    assert NoisyMax.calibrate(3, Fraction(1, 2), monotone=False).scale == 12.0
    assert sampler.noisy_max(6.0, True).map(3) == 0.5
    assert sampler.noisy_max(12.0, False).map(3) == 0.5


def law(scores: list[int], scale: float) -> list[float]:
    """Permute-and-flip, by all orders (McKenna and Sheldon 2020, algorithm 1)."""
    heads = [math.exp(-(max(scores) - score) / scale) for score in scores]
    total = [0.0] * len(scores)
    orders = list(permutations(range(len(scores))))
    for order in orders:
        left = 1 / len(orders)
        for v in order:
            total[v] += left * heads[v]
            left *= 1 - heads[v]
    return total


@pytest.mark.parametrize("shift", [0, 10**30, -(10**30)])
def test_every_candidate_comes_as_often_as_it_should(shift: int) -> None:
    scores = [5, 3, 5, 0, 4]
    mechanism = NoisyMax(2.0, monotone=False)
    drawn = Counter(mechanism.draw([score + shift for score in scores]) for _ in range(5000))
    for v, chance in enumerate(law(scores, 2.0)):
        low, high = limits(drawn[v], 5000, 1e-6 / 10)
        assert low <= chance <= high


def test_the_claim_is_tight_and_holds_for_all_small_scores() -> None:
    """Over all scores in 0 … 2 of three candidates and all changes within the range."""
    scale, worst = 1.5, {True: 0.0, False: 0.0}
    for code in range(27):
        scores = [code // 9, code // 3 % 3, code % 3]
        for change in range(27):
            moves = [change // 9 - 1, change // 3 % 3 - 1, change % 3 - 1]
            other = [score + move for score, move in zip(scores, moves, strict=True)]
            pairs = zip(law(scores, scale), law(other, scale), strict=True)
            loss = max(abs(math.log(a / b)) for a, b in pairs)
            monotone = min(moves) >= 0 or max(moves) <= 0
            for kind in {False, monotone}:
                worst[kind] = max(worst[kind], loss)
    for monotone, loss in worst.items():
        assert loss == pytest.approx(float(NoisyMax(scale, monotone).event(1).cost.eps))


def test_a_distance_that_is_cut_off_moves_no_farther_than_the_scores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given_scores: list[list[int]] = []

    def first(measurement: object, scores: list[int]) -> int:
        given_scores.append(scores)
        return 0

    monkeypatch.setattr(sampler, "choice", first)
    mechanism = NoisyMax(1.0, monotone=True)
    for scores in ([2**70, 2**70 - 2**62, 5, -(2**90)], [2**70 + 1, 2**70 - 2**62, 6, -(2**90)]):
        mechanism.draw(scores)
    moves = [b - a for a, b in zip(*given_scores, strict=True)]
    assert max(moves) - min(moves) <= 1
    assert all(-(2**62) <= score <= 0 for scores in given_scores for score in scores)
    assert all(max(scores) == 0 for scores in given_scores)


def test_extremes_do_not_fail() -> None:
    mechanism = NoisyMax(MAX_SCALE, monotone=True)
    assert mechanism.draw([-(10**100), 10**100]) == 1  # P(not) < exp(−128)
    assert mechanism.draw([7]) == 0
    with pytest.raises(ValueError, match="choose"):
        mechanism.draw([])


def test_public_scores_need_no_noise() -> None:
    mechanism = NoisyMax.calibrate(0, Fraction(1), monotone=False)
    assert mechanism.scale == 0
    assert mechanism.event(0).cost.eps == 0
    assert [mechanism.draw([1, 3, 3]) for _ in range(5)] == [1] * 5
    assert mechanism.within(3, 0.95) == 0
    with pytest.raises(NoiseError):
        mechanism.event(1)
    with pytest.raises(NoiseError):
        NoisyMax(1.0, monotone=True).event(-1)


def test_senseless_arguments_are_refused() -> None:
    for scale in (math.nan, math.inf, -1.0, 2.0**56):
        with pytest.raises(NoiseError):
            NoisyMax(scale, monotone=True)
    with pytest.raises(NoiseError):
        NoisyMax.calibrate(2**55, Fraction(1), monotone=False)
    with pytest.raises(ValueError, match="negative"):
        NoisyMax.calibrate(-1, Fraction(1), monotone=True)
    for linf, eps in ((1.0, Fraction(1)), (1, 1.0)):
        with pytest.raises(TypeError):
            NoisyMax.calibrate(linf, eps, monotone=True)  # type: ignore[arg-type]
    for candidates, confidence in ((0, 0.5), (2, 1.0), (2, -0.1), (2, math.nan)):
        with pytest.raises(ValueError, match="confidence"):
            NoisyMax(1.0, monotone=True).within(candidates, confidence)


def test_a_sampler_that_fails_is_one_error_without_a_chain() -> None:
    def broken(scores: list[int]) -> int:
        raise RuntimeError(f"details {scores}")

    for measurement in (broken, len, lambda scores: -1):
        with pytest.raises(NoiseError, match="sampler failed") as caught:
            sampler.choice(measurement, [777, 778])
        assert "77" not in str(caught.value)
        assert caught.value.__cause__ is None
        assert caught.value.__context__ is None


@pytest.mark.parametrize("candidates", [1, 2, 5, 1000])
@pytest.mark.parametrize("confidence", [0.0, 0.5, 0.95, 0.999])
@pytest.mark.parametrize("scale", [0.1, 3.0, 1e6])
def test_the_error_against_the_exact_worst_case(
    candidates: int, confidence: float, scale: float
) -> None:
    """All others t + 1 below the best: P(one of them) = 1 − (1 − (1 − q)^k)/(k·q)."""

    def missed(t: int) -> float:
        q, k = math.exp(-(t + 1) / scale), candidates
        return 1 + math.expm1(k * math.log1p(-q)) / (k * q)

    t = NoisyMax(scale, monotone=True).within(candidates, confidence)
    assert candidates == 1 or missed(t) <= (1 - confidence) * (1 + 1e-6) + 1e-9
    if candidates > 1 and t > 0 and confidence >= 0.95:
        # The union bound is nearly exact where it matters.
        assert missed(max(0, math.floor(t - 1 - scale * 0.06))) > 1 - confidence or t == 1


def check_the_loss(draws: int, too_small: float, monotone: bool) -> None:
    # Equal scores; then the first goes up by 1, and, unless monotone, the second down by 1.
    other = [1, 0] if monotone else [1, -1]

    def loss(scale: float) -> float:
        mechanism = NoisyMax(scale, monotone)
        left = [-mechanism.draw([0, 0]) for _ in range(draws)]
        return proven_loss(left, [-mechanism.draw(other) for _ in range(draws)], threshold=-1)

    right = NoisyMax.calibrate(1, Fraction(2), monotone)
    assert loss(right.scale) <= 2 < loss(right.scale * too_small)


@pytest.mark.deep
def test_the_noise_is_large_enough_and_20_percent_less_is_caught() -> None:
    check_the_loss(DRAWS, 0.8, monotone=False)


@pytest.mark.deep
@pytest.mark.parametrize("monotone", [True, False])
def test_10_percent_less_noise_is_caught(monotone: bool) -> None:
    check_the_loss(DEEP_DRAWS, 0.9, monotone)
