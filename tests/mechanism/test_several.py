"""Theorem D: discrete Gaussian noise on several numbers, against the exact δ of small cases."""

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import product

import pytest

from dpsql.core.account.continuous import delta_at, several_delta
from dpsql.core.account.events import GaussianEvent
from dpsql.core.account.gaussian_loss import rho_for, shift_delta
from dpsql.core.noise.gaussian import DiscreteGaussian, joint
from tests.support.edits import edit

Parts = tuple[tuple[float, int], ...]
DELTA = Fraction(1, 10**6)


def masses(sigma: float) -> dict[int, float]:
    far = int(9 * sigma) + 2
    found = {z: math.exp(-z * z / (2 * sigma * sigma)) for z in range(-far, far + 1)}
    whole = math.fsum(found.values())
    return {z: mass / whole for z, mass in found.items()}


def exact(sigmas: tuple[float, ...], moves: tuple[int, ...], eps: float) -> float:
    """The largest P(S) − e^ε·P′(S) over all sets of outputs, the numbers being moved by `moves`."""
    laws = [masses(sigma) for sigma in sigmas]
    more = []
    for outputs in product(*laws):
        here, there = 1.0, 1.0
        for law, z, move in zip(laws, outputs, moves, strict=True):
            here *= law[z]
            there *= law.get(z + move, 0.0)
        more.append(max(0.0, here - math.exp(eps) * there))
    return math.fsum(more)


def exact_of_equal(sigma: float, numbers: int, eps: float) -> float:
    """The same of `numbers` numbers that move by 1 each: the loss is a function of their sum."""
    law, total = masses(sigma), {0: 1.0}
    for _ in range(numbers):
        added: dict[int, float] = {}
        for z, p in total.items():
            for y, q in law.items():
                if p * q > 1e-25:
                    added[z + y] = added.get(z + y, 0.0) + p * q
        total = added
    steps = 2 * sigma * sigma
    gains = ((p, -(2 * z + numbers) / steps) for z, p in total.items())
    return math.fsum(max(0.0, p - p * math.exp(eps + loss)) for p, loss in gains)


CASES: list[tuple[tuple[float, ...], tuple[int, ...]]] = [
    ((1.2, 1.5), (1, 1)),
    ((2.0, 2.0), (1, 1)),
    ((2.0, 2.0), (1, 0)),
    ((3.0, 4.0), (2, -1)),
    ((1.5, 6.0), (1, 4)),
]


def below_the_bound() -> None:
    """At each ε; of continuous noise of the same σ the δ is less than what it is, at some."""
    passed = False
    for sigmas, moves in CASES:
        parts = tuple((s, d * d) for s, d in zip(sigmas, moves, strict=True))
        mu = math.sqrt(sum((d / s) ** 2 for s, d in zip(sigmas, moves, strict=True)))
        for tenths in range(2, 40, 4):
            eps = tenths / 10
            found = exact(sigmas, moves, eps)
            bound = several_delta.__wrapped__(parts, Fraction(tenths, 10))
            assert found <= bound + 1e-12
            passed |= found > 1.01 * of_continuous(mu, eps) > 1e-9
    assert passed


def test_the_exact_delta_is_below_the_bound() -> None:
    below_the_bound()


def of_continuous(mu: float, eps: float) -> float:
    """Balle and Wang (2018), theorem 8."""
    q = [math.erfc((eps / mu + side * mu / 2) / math.sqrt(2)) / 2 for side in (-1, 1)]
    return q[0] - math.exp(eps) * q[1]


def formula(square: float) -> None:
    """Of s² as it is given, however bad."""
    parts = ((2.0, 1), (3.0, 4))
    found = delta_at(parts, [Decimal(square)] * 2, Fraction(1))
    first = math.exp(-2 * math.pi**2 * square)
    slack = 2.1 * 5 * first
    mu = math.sqrt(1 / (4 - square) + 4 / (9 - square))
    wanted = math.exp(slack) * of_continuous(mu, 1 - 3 * slack) if slack < 1 else 1
    assert float(found) == pytest.approx(wanted, rel=1e-9)
    assert found >= exact((2.0, 3.0), (1, 2), 1.0)
    assert slack / 5 >= 2 * math.fsum(first ** (k * k) for k in range(1, 9))


@pytest.mark.parametrize("square", [0.1, 0.15, 0.3, 1.0, 3.0])
def test_the_bound_is_the_formula_at_every_smoothing(square: float) -> None:
    formula(square)


@pytest.mark.parametrize(
    ("parts", "eps"),
    [
        (((0.5, 1), (0.5, 1)), Fraction(1)),  # no noise is left
        (((2.0, 1), (2.0, 1)), Fraction(10**7)),
        (((0.2, 10**30),), Fraction(1)),
    ],
)
def test_where_nothing_is_proven_delta_is_1(parts: Parts, eps: Fraction) -> None:
    assert several_delta(parts, eps) == 1


def test_public_constants_cost_nothing() -> None:
    assert several_delta(((0.0, 0),), Fraction(1)) == 0
    assert several_delta(((2.0, 1), (0.0, 0)), Fraction(1)) == several_delta(
        ((2.0, 1),), Fraction(1)
    )


@pytest.mark.parametrize("eps", [Fraction(1, 10), Fraction(1), Fraction(3)], ids=str)
@pytest.mark.parametrize("shift", [1, 30])
def test_one_number_costs_hardly_more_than_by_its_exact_condition(
    eps: Fraction, shift: int
) -> None:
    sigma = DiscreteGaussian.analytic(shift, eps, DELTA).scale
    assert several_delta(((sigma, shift * shift),), eps) >= shift_delta(sigma, shift, eps) * (
        1 - Fraction(1, 25)  # what integrals lose there
    )
    assert several_delta(((1.17 * sigma, shift * shift),), eps) <= DELTA


@pytest.mark.parametrize("numbers", [2, 5])
def test_the_noise_of_a_query_is_private_and_what_is_little_less_is_not(numbers: int) -> None:
    eps, delta = Fraction(1), Fraction(1, 10**4)
    (noise,), event = joint([numbers], eps, delta)
    assert event.rho > rho_for(eps, delta)  # so that only theorem D proves it
    assert exact_of_equal(noise.scale, numbers, 1.0) <= delta
    assert exact_of_equal(0.98 * noise.scale, numbers, 1.0) > delta
    with pytest.raises(ValueError, match="not proven"):
        GaussianEvent(((noise.scale * 0.9998, numbers),), eps, delta)
    with pytest.raises(ValueError, match="not proven"):
        GaussianEvent(event.parts, eps, delta, shared=True)


@pytest.mark.parametrize("eps", [Fraction(1, 10), Fraction(1), Fraction(4)], ids=str)
@pytest.mark.parametrize("l2", [(1, 1), (16, 0, 9), (1, 10**12)], ids=str)
def test_all_noise_is_less_by_one_factor(eps: Fraction, l2: tuple[int, ...]) -> None:
    ours, event = joint(l2, eps, DELTA)
    theirs, rest = joint(l2, eps, DELTA, shared=True)
    ratios = [a.scale / b.scale for a, b in zip(ours, theirs, strict=True) if b.scale]
    assert max(ratios) == pytest.approx(min(ratios), rel=1e-12)
    assert 1 / 1.09 < ratios[0] < 1
    assert event.cost == rest.cost
    assert rest.rho <= rho_for(eps, DELTA) < event.rho


def private_together() -> None:
    (noise,), _ = joint([9], Fraction(1), Fraction(1, 10**4), shared=True)
    with pytest.raises(ValueError, match="not proven"):
        GaussianEvent(((0.95 * noise.scale, 9),), Fraction(1), Fraction(1, 10**4), shared=True)


@pytest.mark.parametrize(
    ("function", "old", "new", "check"),
    [
        (delta_at, "Decimal(sigma) ** 2 - square", "Decimal(sigma) ** 2", below_the_bound),
        (delta_at, "3 * slack", "0", partial(formula, 0.15)),
        (delta_at, "slack.exp() * ", "", partial(formula, 0.15)),
        (delta_at, "l2 * first", "first", partial(formula, 0.15)),
        (GaussianEvent._proven_together, "not self.shared and ", "", private_together),
    ],
    ids=["not_smoothed", "eps_kept", "delta_kept", "one_number_moves", "shared_as_one"],
)
def test_mutants(
    function: object,
    old: str,
    new: str,
    check: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    edit("", function, old, new)(monkeypatch)
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        check()
