"""ρ and Rényi divergences, against sums over the outputs with 50 digits."""

from collections.abc import Callable
from fractions import Fraction

import mpmath as mp
import pytest

from dpsql.core.account import divergences
from dpsql.core.account.divergences import Divergences, bounded_range, gaussian, laplace, pure
from dpsql.core.account.loss import ORDERS

Density = Callable[[int], mp.mpf]

NOISES = [
    (Fraction(1), 1),
    (Fraction(1, 2), 3),
    (Fraction(1, 10), 1),
    (Fraction(1, 3), 7),
    (Fraction(4), 2),
    pytest.param(Fraction(1, 20), 40, marks=pytest.mark.deep),
]


@pytest.fixture(autouse=True)
def fifty_digits() -> object:
    with mp.workdps(50):
        yield


def exact(value: Fraction) -> mp.mpf:
    return mp.mpf(value.numerator) / value.denominator


def masses(rate: Fraction, shift: int = 0) -> tuple[range, list[mp.mpf]]:
    """The probabilities of discrete Laplace noise around `shift`, but for exp(−130)."""
    far = int(130 / rate) + 50
    a = mp.exp(-exact(rate))
    places = range(-far, far)
    return places, [(1 - a) / (1 + a) * a ** abs(z - shift) for z in places]


def divergence(p: list[mp.mpf], q: list[mp.mpf], order: mp.mpf) -> mp.mpf:
    total = mp.fsum(x**order * y ** (1 - order) for x, y in zip(p, q, strict=True))
    return mp.log(total) / (order - 1)


def entropy(p: list[mp.mpf], q: list[mp.mpf]) -> mp.mpf:
    return mp.fsum(x * mp.log(x / y) for x, y in zip(p, q, strict=True))


def above(bound: Fraction, value: mp.mpf) -> bool:
    """Whether a bound is not below a value, and hardly above it."""
    return value * (1 - mp.mpf("1e-40")) <= exact(bound) <= value * (1 + mp.mpf("1e-17"))


@pytest.mark.parametrize(("rate", "l1"), NOISES)
@pytest.mark.one_in(2)
def test_divergences_are_those_of_the_noise(rate: Fraction, l1: int) -> None:
    (_, p), (_, q) = masses(rate), masses(rate, l1)
    found = laplace(rate, l1)
    for order, bound in zip(ORDERS[:12], found.renyi, strict=False):
        assert above(bound, divergence(p, q, exact(order)))
        assert above(bound, divergence(q, p, exact(order)))
    assert above(found.rho, entropy(p, q))


@pytest.mark.parametrize(("rate", "l1"), NOISES)
def test_one_step_less_would_be_too_little(rate: Fraction, l1: int) -> None:
    less, found = laplace(rate, l1 - 1), laplace(rate, l1)
    assert less.rho < found.rho
    assert all(a < b for a, b in zip(less.renyi, found.renyi, strict=True))


@pytest.mark.parametrize(("rate", "l1"), NOISES)
@pytest.mark.one_in(2)
def test_rho_bounds_every_order(rate: Fraction, l1: int) -> None:
    """Claim 3, at more orders than are kept, and that a smaller ρ would not."""
    (_, p), (_, q) = masses(rate), masses(rate, l1)
    rho = exact(laplace(rate, l1).rho)
    for order in ("1.0001", "1.01", "1.1", "1.3", "1.7", "2.3", "3.5", "7", "20", "100"):
        assert divergence(p, q, mp.mpf(order)) <= mp.mpf(order) * rho
    near = mp.mpf("1.00000001")
    assert divergence(p, q, near) > near * rho * (1 - mp.mpf("1e-6"))


def chebyshev(d: int, y: mp.mpf) -> tuple[mp.mpf, mp.mpf]:
    """(T_d(y), U_{d−1}(y)), d ≥ 1."""
    t, u = (mp.mpf(1), y), (mp.mpf(0), mp.mpf(1))
    for _ in range(d - 1):
        t, u = (t[1], 2 * y * t[1] - t[0]), (u[1], 2 * y * u[1] - u[0])
    return t[1], u[1]


@pytest.mark.parametrize("tau", ["0.01", "0.5", "0.99"])
def test_all_zeros_of_claim_3_are_cosines(tau: str) -> None:
    """The polynomial has d changes of sign between −1 and 1."""
    for d in range(1, 12):
        for k in range(d + 1):
            y = mp.cos(k * mp.pi / d)
            t, u = chebyshev(d, y)
            assert mp.sign(t + mp.mpf(tau) * y * u) == (-1) ** k


@pytest.mark.parametrize(("rate", "l1"), NOISES[:4])
def test_the_polynomial_of_claim_3_is_the_sum(rate: Fraction, l1: int) -> None:
    (_, p), (_, q) = masses(rate), masses(rate, l1)
    for order in (mp.mpf("1.5"), mp.mpf(3), mp.mpf(7)):
        total = mp.exp((order - 1) * divergence(p, q, order))
        t, u = chebyshev(l1, mp.cosh((order - mp.mpf("0.5")) * exact(rate)))
        tau = mp.tanh(exact(rate) / 2)
        y = mp.cosh((order - mp.mpf("0.5")) * exact(rate))
        assert mp.almosteq(mp.exp(exact(rate) * l1 / 2) * total, t + tau * y * u, mp.mpf("1e-35"))


@pytest.mark.parametrize("rate", [Fraction(1), Fraction(1, 7)])
def test_a_split_move_costs_no_more(rate: Fraction) -> None:
    """Claim 1."""
    for whole in range(2, 9):
        for part in range(1, whole):
            one, a, b = laplace(rate, whole), laplace(rate, part), laplace(rate, whole - part)
            assert a.rho + b.rho < one.rho
            assert all(x + y < z for x, y, z in zip(a.renyi, b.renyi, one.renyi, strict=True))


@pytest.mark.parametrize("rate", [Fraction(1), Fraction(1, 7)])
def test_a_part_of_a_move_costs_no_more_than_its_part(rate: Fraction) -> None:
    """Claim 2, for members whose noise differs."""
    other = rate / 3
    for a, b in ((3, 6), (6, 3), (1, 12)):
        for moved in range(a + 1):
            left = Fraction(a - moved, a) * b  # of the other member's Δ
            both = laplace(rate, moved).rho + laplace(other, int(left)).rho
            assert both <= max(laplace(rate, a).rho, laplace(other, b).rho)


@pytest.mark.parametrize("eps", [Fraction(1, 100), Fraction(1), Fraction(3), Fraction(20)])
def test_what_is_private_costs_randomized_response(eps: Fraction) -> None:
    p = 1 / (1 + mp.exp(-exact(eps)))
    yes, no = [p, 1 - p], [1 - p, p]
    found = pure(eps)
    for order, bound in zip(ORDERS, found.renyi, strict=True):
        assert above(bound, divergence(yes, no, exact(order)))
        assert bound <= min(eps, order * eps**2 / 2)
    assert above(found.rho, entropy(yes, no))
    assert above(found.rho, exact(eps) * mp.tanh(exact(eps) / 2))


@pytest.mark.parametrize("eps", [Fraction(1, 10), Fraction(1), Fraction(4), Fraction(30)])
def test_bounded_range_bounds_every_choice(eps: Fraction) -> None:
    """Two candidates whose odds change by exp(ε) in all, at every place of the range."""
    found = bounded_range(eps)
    assert found.rho == min(eps**2 / 8, pure(eps).rho)
    for step in range(1, 40):
        t = exact(eps) * step / 40
        # ln P/P′ is t − ε at one and t at the other; P and P′ both sum to 1.
        q = (1 - mp.exp(t - exact(eps))) / (mp.exp(t) - mp.exp(t - exact(eps)))
        other = [q, 1 - q]
        here = [q * mp.exp(t), (1 - q) * mp.exp(t - exact(eps))]
        assert abs(sum(here) - 1) < mp.mpf("1e-45")
        for order, bound in zip(ORDERS, found.renyi, strict=True):
            assert divergence(here, other, exact(order)) <= exact(bound)
        assert entropy(here, other) <= exact(found.rho)


def test_half_of_a_bounded_range_would_be_too_little() -> None:
    eps = Fraction(1, 100)
    t = exact(eps) / 2
    q = (1 - mp.exp(-t)) / (mp.exp(t) - mp.exp(-t))
    found = entropy([q * mp.exp(t), (1 - q) * mp.exp(-t)], [q, 1 - q])
    assert found > exact(bounded_range(eps / 2).rho) * 3


def test_gaussian_noise_is_alpha_times_rho() -> None:
    assert gaussian(Fraction(1, 3)).renyi == tuple(order / 3 for order in ORDERS)


@pytest.mark.parametrize(
    ("rate", "l1"),
    [
        (Fraction(1, 10**50), 1),
        (Fraction(1, 10**45), 10**40),
        (Fraction(1, 2**55), 10**9),
        (Fraction(1, 2**55), 2**63),
        (Fraction(10**9), 1),
        (Fraction(10**9), 10**9),
        (Fraction(10) ** 300, 1),
        (1 / Fraction(5e-324), 3),
    ],
)
def test_far_ends(rate: Fraction, l1: int) -> None:
    eps, found = rate * l1, laplace(rate, l1)
    assert 0 < found.rho <= min(eps**2 / 2, eps)
    for order, bound in zip(ORDERS, found.renyi, strict=True):
        assert 0 < bound <= min(eps, order * eps**2 / 2)
    if eps < Fraction(1, 1000):
        assert found.rho > eps**2 / 2 * (1 - eps)
    if eps > 1000:
        assert found.renyi[-1] > eps - 1


def test_no_move_costs_nothing() -> None:
    zero = Divergences(Fraction(0), (Fraction(0),) * len(ORDERS))
    assert laplace(Fraction(1), 0) == pure(Fraction(0)) == bounded_range(Fraction(0)) == zero
    assert divergences.gaussian(Fraction(0)) == zero
