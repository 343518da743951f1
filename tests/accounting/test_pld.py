"""Privacy loss distributions, against exact sums and dp-accounting."""

import math
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from itertools import product as pairs_of

import mpmath as mp
import pytest
from dp_accounting.pld import common
from dp_accounting.pld import privacy_loss_distribution as theirs
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsql.core.account import pld
from dpsql.core.account.compose import basic, rdp, zcdp
from dpsql.core.account.distributions import Losses, LossGrid, on_grid, product
from dpsql.core.account.dominating_pairs import LaplacePair, NormalPair, pairs
from dpsql.core.account.events import (
    DiscreteLaplaceEvent,
    Event,
    ExponentialEvent,
    GaussianEvent,
    PureEvent,
    RareEvent,
    SharedLaplaceEvent,
)
from dpsql.core.noise.gaussian import joint
from tests.support.effort import tries

DELTA = Fraction(1, 10**6)
COUNT = DiscreteLaplaceEvent(10.0, 1)


# What dominates what, in exact fractions.


def clamped(a: Fraction, d: int) -> dict[int, Fraction]:
    """P(clamp(Y, 0, d) = t) for discrete Laplace noise Y, by its sum."""
    c = (1 - a) / (1 + a)
    found = {t: c * a**t for t in range(1, d)}
    return {0: c / (1 - a), **found, d: c * a**d / (1 - a)} if d else {0: Fraction(1)}


def hockey(a: Fraction, d: int, ts: dict[int, Fraction], ratio: Fraction) -> Fraction:
    """Σ (P − e^ε·Q)₊, where P/Q at t is a^(2t−d) and e^ε is `ratio`."""
    return sum(
        (p * max(Fraction(0), 1 - ratio * a ** (d - 2 * t)) for t, p in ts.items()), Fraction()
    )


def summed(p: dict[int, Fraction], q: dict[int, Fraction]) -> dict[int, Fraction]:
    found: Counter[int] = Counter()
    for (s, x), (t, y) in pairs_of(p.items(), q.items()):
        found[s + t] += x * y  # type: ignore[assignment]
    return dict(found)  # type: ignore[arg-type]


BASES = [Fraction(1, 10), Fraction(1, 2), Fraction(9, 10), Fraction(99, 100)]


@pytest.mark.parametrize("a", BASES)
def test_one_number_dominates_several(a: Fraction) -> None:
    for d in range(2, 8):
        for part in range(1, d):
            one, two = clamped(a, d), summed(clamped(a, part), clamped(a, d - part))
            assert sum(one.values()) == sum(two.values()) == 1
            strictly = False
            for k in range(-2 * d - 1, 2 * d + 2):
                ratio = a ** Fraction(k, 1) if k % 2 == 0 else (a ** (k - 1) + a ** (k + 1)) / 2
                left, right = hockey(a, d, one, ratio), hockey(a, d, two, ratio)
                assert left >= right
                strictly |= left > right
            assert strictly


@pytest.mark.parametrize("a", BASES)
def test_one_step_less_does_not_dominate(a: Fraction) -> None:
    for d in range(2, 8):
        less, two = clamped(a, d - 1), summed(clamped(a, 1), clamped(a, d - 1))
        ratio = a ** (1 - d)
        assert hockey(a, d - 1, less, ratio) == 0 < hockey(a, d, two, ratio)


@pytest.mark.parametrize("a", BASES)
@pytest.mark.parametrize("d", [1, 2, 5])
def test_the_clamped_noise_tells_all(a: Fraction, d: int) -> None:
    """Its δ is that of the noise on the number itself, but for the far ends."""
    c, far = (1 - a) / (1 + a), 30
    for ratio in (Fraction(1), a ** (1 - d), 1 / (2 * a)):
        sums = (
            max(Fraction(0), c * a ** abs(z) - ratio * c * a ** abs(z - d))
            for z in range(-far, d + far)
        )
        rest = 2 * a**far
        assert 0 <= hockey(a, d, clamped(a, d), ratio) - sum(sums) <= rest


# The grid.


@given(
    st.lists(st.integers(0, 10**30), min_size=1, max_size=20),
    st.lists(st.integers(0, 10**5), min_size=1, max_size=20),
)
@settings(deadline=None, max_examples=tries(20, 100))
def test_products_of_polynomials_are_exact(a: list[int], b: list[int]) -> None:
    expected = [0] * (len(a) + len(b) - 1)
    for (i, x), (j, y) in pairs_of(enumerate(a), enumerate(b)):
        expected[i + j] += x * y
    assert product(tuple(a), tuple(b)) == expected


GRID = LossGrid(Fraction(1, 10), 30)


def delta_of(losses: Losses, eps: mp.mpf) -> mp.mpf:
    """In units of probability 1."""
    step = mp.mpf(losses.grid.step.numerator) / losses.grid.step.denominator
    every = (
        w * max(mp.mpf(0), 1 - mp.exp(eps - (losses.low + i) * step))
        for i, w in enumerate(losses.weights)
    )
    return (mp.fsum(every) + losses.beyond) / losses.grid.one


def number(value: Fraction) -> mp.mpf:
    return mp.mpf(value.numerator) / value.denominator


@pytest.mark.parametrize(
    ("rate", "d"),
    [
        (Fraction(1), 1),
        (Fraction(1, 3), 7),
        pytest.param(Fraction(1, 1000), 1500, marks=pytest.mark.deep),
        pytest.param(Fraction(7, 3), 2, marks=pytest.mark.deep),
    ],
)
def test_the_grid_dominates_and_hardly_more(rate: Fraction, d: int) -> None:
    with mp.workdps(50):
        losses = LaplacePair(rate, d).losses(GRID)
        fine = LaplacePair(rate, d).losses(LossGrid(Fraction(1, 1000), 30))
        a, r = mp.exp(-number(rate)), number(rate)
        inside = [(t, (1 - a) * a**t) for t in range(1, d)]
        masses = [(t, p / (1 + a)) for t, p in [(0, mp.mpf(1)), *inside, (d, a**d)]]
        assert abs(sum(p for _, p in masses) - 1) < mp.mpf("1e-45")
        for k in range(-41, 41, tries(18, 6)):
            eps = mp.mpf(k) / 11
            true = mp.fsum(p * max(mp.mpf(0), 1 - mp.exp(eps - (d - 2 * t) * r)) for t, p in masses)
            # A chord is at most a fourth of a step above what is convex with slopes in [−1, 0].
            assert true <= delta_of(fine, eps) <= true + number(fine.grid.step) / 4
            assert true <= delta_of(losses, eps) <= true + number(losses.grid.step) / 4
            if eps < -number(rate) * d - 1:
                assert delta_of(losses, eps) <= true + mp.mpf("1e-28")


@pytest.mark.parametrize(
    ("sigma", "d"),
    [
        *((0.7, 1), (5.0, 8)),
        *(pytest.param(*pair, marks=pytest.mark.deep) for pair in ((5.0, 1), (40.0, 30))),
    ],
)
def test_the_grid_dominates_gaussian_noise(sigma: float, d: int) -> None:
    with mp.workdps(50):
        losses = NormalPair(sigma, d).losses(LossGrid(Fraction(1, 200), 30))
        s, far = mp.mpf(sigma), int(30 * sigma) + d
        whole = mp.fsum(mp.exp(-(z**2) / (2 * s**2)) for z in range(-far, far))
        for k in range(-10, 20, tries(10, 4)):
            eps = mp.mpf(k) / 7
            true = mp.fsum(
                max(
                    mp.mpf(0),
                    mp.exp(-(z**2) / (2 * s**2)) - mp.exp(eps - (z - d) ** 2 / (2 * s**2)),
                )
                for z in range(-far, far)
            )
            assert true / whole <= delta_of(losses, eps) <= true / whole + mp.mpf(1) / 800


def test_a_cut_is_on_the_safe_side() -> None:
    losses = Losses(GRID, -3, (5, 1, 0, 7, 10**29, 4, 2, 1), 3)
    cut = losses.cut(6)
    assert cut == Losses(GRID, 0, (13, 10**29, 4), 6)
    assert losses.cut(5) == Losses(GRID, -2, (6, 0, 7, 10**29, 4), 6)
    assert losses.cut(0) == losses
    assert losses.cut(10**30) == Losses(GRID, -3, (5,), 3 + sum(losses.weights[1:]))
    with mp.workdps(40):
        for k in range(-5, 6):
            assert delta_of(cut, mp.mpf(k) / 10) >= delta_of(losses, mp.mpf(k) / 10)


@given(st.lists(st.integers(0, 10**30), min_size=1, max_size=12), st.integers(-9, 3), st.data())
@settings(deadline=None, max_examples=tries(20, 100))
def test_an_eps_is_the_least_for_its_delta(
    weights: list[int], low: int, data: st.DataObject
) -> None:
    losses = Losses(GRID, low, tuple(weights), 7)
    units = data.draw(st.integers(0, 2 * sum(weights) + 10))
    found = losses.epsilon(units)
    with mp.workdps(60):
        if found is None:
            assert units < 7
            return
        at = mp.mpf(str(found))
        assert delta_of(losses, at) * GRID.one <= units + mp.mpf("1e-15")
        if at > mp.mpf("1e-15"):
            assert delta_of(losses, at - mp.mpf("1e-15")) * GRID.one > units - mp.mpf("1e-9")


def test_pieces_keep_both_sums() -> None:
    """The mean loss of a piece under both distributions stays."""
    losses = on_grid(GRID, [(3, Decimal("0.25"), Decimal("0.25") / Decimal("0.27").exp())])
    with mp.workdps(40):
        low, high = (mp.mpf(w) / GRID.one for w in losses.weights)
        assert mp.almosteq(low + high, mp.mpf("0.25"), mp.mpf("1e-25"))
        q = low * mp.exp(mp.mpf("-0.2")) + high * mp.exp(mp.mpf("-0.3"))
        assert mp.almosteq(q, mp.mpf("0.25") * mp.exp(mp.mpf("-0.27")), mp.mpf("1e-25"))


# Whole batches.


def binomial(n: int, each: Fraction, delta: Fraction) -> mp.mpf:
    """The exact ε of n randomized responses."""
    e = number(each)
    p = 1 / (1 + mp.exp(-e))
    masses = [mp.binomial(n, k) * p ** (n - k) * (1 - p) ** k for k in range(n + 1)]

    def reached(eps: mp.mpf) -> mp.mpf:
        every = (m * (1 - mp.exp(eps - (n - 2 * k) * e)) for k, m in enumerate(masses))
        return mp.fsum(max(mp.mpf(0), term) for term in every)

    low, high = mp.mpf(0), n * e
    for _ in range(120):
        middle = (low + high) / 2
        low, high = (middle, high) if reached(middle) > number(delta) else (low, middle)
    return high


@pytest.mark.parametrize(
    ("n", "eps", "delta"),
    [
        (2, "1/2", "1e-2"),
        (7, "1", "1e-3"),
        (100, "1/10", "1e-6"),
        (100, "1/10", "1e-15"),
        pytest.param(1000, "1/100", "1e-9", marks=pytest.mark.deep),
        (64, "1/3", "1e-40"),
    ],
)
def test_counts_cost_what_they_exactly_cost(n: int, eps: str, delta: str) -> None:
    with mp.workdps(60):
        exact = binomial(n, Fraction(eps), Fraction(delta))
        found = number(pld.epsilon([PureEvent(Fraction(eps))] * n, Fraction(delta)))
        assert exact <= found <= exact * mp.mpf("1.00001")


def test_a_hundred_counts() -> None:
    events = [COUNT] * 100
    found = pld.epsilon(events, DELTA)
    assert basic(events).eps == 10
    assert round(float(found), 3) == 4.775
    assert round(float(zcdp(events, DELTA)), 3) == 5.219
    assert round(float(rdp(events, DELTA)), 3) == 5.081


def between(found: Fraction, events: list[tuple[theirs.PrivacyLossDistribution, ...]]) -> bool:
    """Whether an ε is between the optimistic and the pessimistic one of dp-accounting."""
    ends = []
    for every in zip(*events, strict=True):
        composed = every[0]
        for other in every[1:]:
            composed = composed.compose(other)
        ends.append(composed.get_epsilon_for_delta(float(DELTA)))
    low, high = ends
    return bool(low * (1 - 1e-6) <= float(found) <= high * (1 + 1e-6))


def laplace_of(scale: float, l1: int, n: int) -> tuple[theirs.PrivacyLossDistribution, ...]:
    return tuple(
        theirs.from_discrete_laplace_mechanism(
            1 / scale, l1, pessimistic_estimate=pessimistic
        ).self_compose(n)
        for pessimistic in (False, True)
    )


@pytest.mark.parametrize(
    ("scale", "l1", "n"), [(10.0, 1, 100), (2.0, 3, 20), (50.0, 20, 30), (1.0, 4, 2), (30.0, 7, 1)]
)
def test_as_dp_accounting_says_of_laplace(scale: float, l1: int, n: int) -> None:
    found = pld.epsilon([DiscreteLaplaceEvent(scale, l1)] * n, DELTA)
    assert between(found, [laplace_of(scale, l1, n)])
    if n > 1:
        less = pld.epsilon([DiscreteLaplaceEvent(scale, l1 - 1)] * n, DELTA)
        assert not between(less, [laplace_of(scale, l1, n)])


def test_as_dp_accounting_says_of_a_mixed_batch() -> None:
    _, gaussian = joint([9], Fraction(1), Fraction(1, 10**5), one_number=True)
    ((sigma, _),) = gaussian.parts
    events: list[Event] = [COUNT] * 30 + [DiscreteLaplaceEvent(7.5, 4)] * 5 + [gaussian] * 4
    found = pld.epsilon(events, DELTA)
    normal = tuple(
        theirs.from_discrete_gaussian_mechanism(
            sigma, 3, pessimistic_estimate=pessimistic
        ).self_compose(4)
        for pessimistic in (False, True)
    )
    assert between(found, [laplace_of(10.0, 1, 30), laplace_of(7.5, 4, 5), normal])


def test_as_dp_accounting_says_of_what_is_only_private() -> None:
    events: list[Event] = [
        *[PureEvent(Fraction(1, 5))] * 16,
        *[SharedLaplaceEvent((DiscreteLaplaceEvent(10.0, 2), DiscreteLaplaceEvent(25.0, 5)))] * 4,
    ]
    found = pld.epsilon(events, DELTA)
    response = theirs.from_privacy_parameters(common.DifferentialPrivacyParameters(0.2, 0))
    composed = response.self_compose(20).get_epsilon_for_delta(float(DELTA))
    assert composed * (1 - 1e-6) <= float(found) <= composed * (1 + 1e-6)


def test_coarse_lattices_are_no_cheaper_than_fine_ones() -> None:
    """Noise in proportion, in 1, 10, … steps: down to continuous noise (4.693)."""
    found = [
        pld.epsilon([DiscreteLaplaceEvent(10.0 * l1, l1)] * 100, DELTA) for l1 in (1, 10, 10**6)
    ]
    assert found == sorted(found, reverse=True)
    assert 4.6925 < float(found[-1]) < 4.6935


def test_gaussian_noise_on_vectors_is_taken_by_its_rho() -> None:
    _, event = joint([1, 25], Fraction(1), Fraction(1, 10**7))
    assert pld.epsilon([event] * 10, DELTA) == zcdp([event] * 10, DELTA)
    mixed: list[Event] = [event] * 10 + [COUNT] * 10
    assert zcdp([event] * 10, DELTA) < pld.epsilon(mixed, DELTA) <= zcdp(mixed, DELTA)


def test_slack_is_taken_from_delta() -> None:
    counts: list[Event] = [COUNT] * 50
    third = DELTA / 3
    assert pld.epsilon([*counts, RareEvent(third)], DELTA) == pld.epsilon(counts, DELTA - third)


def test_where_slack_takes_all_of_delta_basic_composition_is_left() -> None:
    events: list[Event] = [COUNT, COUNT, RareEvent(DELTA)]
    for way in (zcdp, rdp, pld.epsilon):
        assert way(events, DELTA) == Fraction(1, 5)
        with pytest.raises(ValueError, match="larger δ"):
            way(events, DELTA / 2)


batches = st.lists(
    st.sampled_from(
        [
            COUNT,
            DiscreteLaplaceEvent(3.0, 2),
            DiscreteLaplaceEvent(0.0, 0),
            PureEvent(Fraction(3, 4)),
            RareEvent(Fraction(1, 10**8)),
            DiscreteLaplaceEvent(2.0, 1),
            PureEvent(Fraction(1, 50)),
            GaussianEvent(((9.0, 4),), Fraction(2), Fraction(1, 10**5)),
        ]
    ),
    max_size=12,
)


@given(batches)
@settings(deadline=None, max_examples=tries(8, 30))
def test_never_more_than_by_the_other_ways(events: list[Event]) -> None:
    found = pld.epsilon(events, DELTA)
    assert found <= zcdp(events, DELTA)
    assert found <= rdp(events, DELTA)
    cost = basic(events)
    assert found <= cost.eps or cost.delta > DELTA
    assert (found == 0) == (cost.eps == 0)
    # One more event costs something.
    assert pld.epsilon([*events, COUNT], DELTA) >= found


def test_events_of_one_kind_are_grouped() -> None:
    found, rho = pairs(
        Counter([COUNT, COUNT, DiscreteLaplaceEvent(0.0, 0), PureEvent(Fraction(0))])
    )
    assert found == {LaplacePair(Fraction(1, 10), 1): 2}
    assert rho == 0
    found, rho = pairs({ExponentialEvent(Fraction(1, 4), 3): 2})
    assert found == {LaplacePair(Fraction(1, 4), 1): 6}


def test_wide_gaussian_noise_is_not_gone_through() -> None:
    _, event = joint([10**10], Fraction(1), DELTA, one_number=True)
    found, rho = pairs({event: 3})
    assert not found
    assert rho == 3 * event.rho


def test_nothing_costs_nothing() -> None:
    for way in (zcdp, rdp, pld.epsilon):
        assert way([], Fraction(0)) == way([DiscreteLaplaceEvent(0.0, 0)], DELTA) == 0
        with pytest.raises(ValueError, match="δ must"):
            way([COUNT], Fraction(1))
        assert way([COUNT], Fraction(0)) == Fraction(1, 10)


def test_large_losses_are_not_infinite() -> None:
    assert pld.epsilon([DiscreteLaplaceEvent(1e-6, 1)] * 3, DELTA) <= Fraction(3 * 10**6) * 2
    wide = pld.epsilon([DiscreteLaplaceEvent(0.5, 1)] * 40, DELTA)
    assert math.isclose(float(wide), float(binomial(40, Fraction(2), DELTA)), rel_tol=1e-4)
