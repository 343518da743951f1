"""Filters: what fits is decided exactly as it is defined, and never one query too many."""

import math
from fractions import Fraction
from typing import get_args

import mpmath as mp
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dpsql.core.account.account import Accountant
from dpsql.core.account.accountants import check, fits, guarantee, more, remaining
from dpsql.core.account.amount import UNIT, ZERO, Cost, round_up
from dpsql.core.account.events import DiscreteLaplaceEvent, GaussianEvent, RareEvent
from dpsql.core.account.loss import NOTHING, ORDERS, Loss, approximate, total
from dpsql.core.noise.gaussian import joint
from dpsql.errors import InvalidBudget
from tests.support.effort import tries

KINDS: tuple[Accountant, ...] = get_args(Accountant)
CONVERTING: tuple[Accountant, ...] = ("zcdp", "rdp")
TOTAL = Cost(Fraction(3), Fraction(1, 10**6))

kinds = st.sampled_from(KINDS)
small = st.fractions(0, 2, max_denominator=10**6)
tiny = st.sampled_from([Fraction(0), Fraction(1, 10**9), Fraction(1, 10**7), Fraction(4, 10**7)])
totals = st.builds(
    Cost,
    st.fractions(Fraction(1, 100), 10, max_denominator=1000),
    st.sampled_from([Fraction(1, 10**6), Fraction(1, 10**9), Fraction(1, 100)]),
)


@st.composite
def losses(draw: st.DrawFn) -> Loss:
    """Of any parts, which need not belong together."""
    size = draw(st.sampled_from([1, 10, 1000]))
    parts = [draw(small) / size for _ in range(len(ORDERS) + 2)]
    return Loss(Cost(parts[0], draw(tiny)), parts[1], draw(tiny), tuple(parts[2:])).rounded_up()


def number(value: Fraction) -> mp.mpf:
    return mp.mpf(value.numerator) / value.denominator


def proven(order: mp.mpf, divergence: mp.mpf, eps: mp.mpf) -> mp.mpf:
    """δ of a divergence, by the claim of ``conversion``."""
    a = order
    return mp.exp((a - 1) * (divergence - eps)) / (a - 1) * (1 - 1 / a) ** a


def delta_of_rho(rho: Fraction, eps: Fraction) -> mp.mpf:
    """The least δ of theorem B, the order being found by thirds in floats."""
    r, e = float(rho), float(eps)

    def log(x: float) -> float:
        b = math.exp(x)
        return b * ((1 + b) * r - e) - x - (1 + b) * math.log1p(1 / b)

    low, high = -30.0, 40.0
    for _ in range(200):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, b) if log(a) < log(b) else (a, high)
    order = 1 + mp.exp(mp.mpf(low))
    return proven(order, order * number(rho), number(eps))


@settings(deadline=None, max_examples=tries(20, 100))
@given(totals, losses())
def test_what_fits_is_what_the_sums_allow(budget: Cost, spent: Loss) -> None:
    eps, delta = spent.cost.eps <= budget.eps, spent.cost.delta <= budget.delta
    assert fits("pure", budget, spent) == (eps and spent.cost.delta == 0)
    assert fits("approx", budget, spent) == fits("pld", budget, spent) == (eps and delta)


@settings(deadline=None, max_examples=tries(20, 100))
@given(totals, losses())
def test_what_fits_keeps_to_the_total(budget: Cost, spent: Loss) -> None:
    """By the claim itself: δ of the conversions and of the slack is within the total."""
    with mp.workdps(60):
        half = number(budget.delta) / 2
        if fits("zcdp", budget, spent):
            assert spent.slack <= budget.delta / 2
            assert not spent.rho or delta_of_rho(spent.rho, budget.eps) <= half * mp.mpf("1.000001")
        if fits("rdp", budget, spent):
            assert spent.slack <= budget.delta / 2
            pairs = zip(ORDERS, spent.renyi, strict=True)
            found = [proven(number(a), number(d), number(budget.eps)) for a, d in pairs if d]
            assert len(found) < len(ORDERS) or min(found) <= half


@pytest.mark.parametrize("budget", [TOTAL, Cost(Fraction(1, 10), Fraction(1, 10**9))])
def test_the_orders_of_rdp_share_half_of_delta(budget: Cost) -> None:
    """The limits of all orders, found by bisection, add up to δ/2 in δ: the union bound."""
    with mp.workdps(60):
        deltas = []
        for place, order in enumerate(ORDERS):

            def alone(amount: Fraction, place: int = place) -> Loss:
                """Only this order could be within its limit."""
                renyi = [Fraction(10**9)] * len(ORDERS)
                renyi[place] = amount
                return Loss(ZERO, Fraction(0), Fraction(0), tuple(renyi))

            low, high = Fraction(0), Fraction(100)
            for _ in range(120):
                middle = (low + high) / 2
                low, high = (middle, high) if fits("rdp", budget, alone(middle)) else (low, middle)
            if low > 0:
                deltas.append(proven(number(order), number(low), number(budget.eps)))
        # Orders without a limit above 0 leave their share unused.
        unused = (len(ORDERS) - len(deltas)) * number(budget.delta) / 4 / len(ORDERS)
        assert sum(deltas) + unused <= number(budget.delta) / 2 * (1 + mp.mpf("1e-17"))
        assert sum(deltas) + unused >= number(budget.delta) / 2 * (1 - mp.mpf("1e-15"))


@pytest.mark.parametrize("kind", CONVERTING)
def test_slack_may_be_half_of_delta(kind: Accountant) -> None:
    half = TOTAL.delta / 2
    assert fits(kind, TOTAL, RareEvent(half).loss)
    assert not fits(kind, TOTAL, RareEvent(half + UNIT).loss)


def test_rho_may_be_that_of_the_total() -> None:
    with mp.workdps(40):
        each = DiscreteLaplaceEvent(100.0, 1).loss.rounded_up()
        n = more("zcdp", TOTAL, NOTHING, each)
        assert n is not None
        half = number(TOTAL.delta) / 2
        assert delta_of_rho(n * each.rho, TOTAL.eps) <= half * mp.mpf("1.000001")
        assert delta_of_rho((n + 2) * each.rho, TOTAL.eps) > half


@settings(deadline=None, max_examples=tries(20, 100))
@given(kinds, totals, losses(), losses())
def test_as_many_more_fit_as_is_said(
    kind: Accountant, budget: Cost, spent: Loss, each: Loss
) -> None:
    n = more(kind, budget, spent, each)
    if n is None:
        assert fits(kind, budget, spent + _times(each, 10**12))
    elif n == 0:
        assert not fits(kind, budget, spent + each)
    else:
        assert fits(kind, budget, spent + _times(each, n))
        assert not fits(kind, budget, spent + _times(each, n + 1))


def _times(loss: Loss, n: int) -> Loss:
    cost = Cost(n * loss.cost.eps, n * loss.cost.delta)
    return Loss(cost, n * loss.rho, n * loss.slack, tuple(n * part for part in loss.renyi))


@pytest.mark.parametrize("kind", KINDS)
def test_any_number_of_public_queries_fits(kind: Accountant) -> None:
    assert more(kind, TOTAL, NOTHING, NOTHING) is None
    assert fits(kind, ZERO, NOTHING)
    assert not fits(kind, ZERO, approximate(Cost(Fraction(1, 10**9))))
    over = approximate(Cost(Fraction(10**6), Fraction(1, 2)))
    assert more(kind, TOTAL, over, NOTHING) == 0


@settings(deadline=None, max_examples=tries(20, 100))
@given(kinds, totals, losses())
def test_what_remains_can_be_spent_and_no_more(kind: Accountant, budget: Cost, spent: Loss) -> None:
    left = remaining(kind, budget, spent)
    if not fits(kind, budget, spent):
        assert left == ZERO
        return
    # Of pure and approx the sums are on the ledger's grid where the totals are.
    grid = Cost(round_up(left.eps), round_up(left.delta))
    if grid == left:
        assert fits(kind, budget, spent + approximate(left).rounded_up())
    # An ε that has one part in 10^12 more does not fit, unless all is a matter of rounding.
    step = left.eps / 10**12 + Fraction(1, 10**11)
    assert not fits(kind, budget, spent + approximate(Cost(left.eps + step)).rounded_up())
    if kind != "pure":
        rare = RareEvent(left.delta + 2 * UNIT).loss
        assert not fits(kind, budget, spent + rare)


@settings(deadline=None, max_examples=tries(20, 100))
@given(kinds, totals, losses())
def test_a_guarantee_is_within_the_total_where_it_fits(
    kind: Accountant, budget: Cost, spent: Loss
) -> None:
    found = guarantee(kind, budget, spent)
    if fits(kind, budget, spent):
        assert Cost(budget.eps, budget.delta).rounded_up().covers(found)
    assert guarantee(kind, budget, NOTHING) == ZERO


SMALL = Loss(
    ZERO, Fraction(1, 30_000), Fraction(0), (Fraction(1, 10**6),) * len(ORDERS)
).rounded_up()
"""At a large δ it is private with ε = 0, and not with δ = 0."""


@settings(deadline=None, max_examples=tries(20, 100))
@given(st.sampled_from(CONVERTING), totals, losses())
@example("zcdp", Cost(Fraction(1, 100), Fraction(1, 100)), SMALL)
@example("rdp", Cost(Fraction(1, 100), Fraction(1, 100)), SMALL)
def test_a_guarantee_is_proven(kind: Accountant, budget: Cost, spent: Loss) -> None:
    found = guarantee(kind, budget, spent)
    with mp.workdps(60):
        if kind == "zcdp" and spent.rho:
            left = number(found.delta - spent.slack)
            assert delta_of_rho(spent.rho, found.eps) <= left * mp.mpf("1.000001")
        if kind == "rdp" and all(spent.renyi):
            pairs = zip(ORDERS, spent.renyi, strict=True)
            deltas = [proven(number(a), number(d), number(found.eps)) for a, d in pairs]
            assert min(deltas) <= number(found.delta - spent.slack)


def test_pure_has_no_delta() -> None:
    one = Cost(Fraction(1), Fraction(1, 10**6))
    assert not fits("pure", one, approximate(Cost(Fraction(1, 2), Fraction(1, 10**9))))
    assert remaining("pure", one, NOTHING) == Cost(Fraction(1))
    assert more("pure", one, NOTHING, RareEvent(Fraction(1, 10**9)).loss) == 0


@pytest.mark.parametrize("kind", KINDS)
def test_some_rules_need_a_delta(kind: Accountant) -> None:
    check(kind, TOTAL)
    if kind in CONVERTING:
        for budget in (Cost(Fraction(1)), ZERO, Cost(Fraction(1), Fraction(1))):
            with pytest.raises(InvalidBudget, match=f"^the accountant {kind} needs"):
                check(kind, budget)
            assert not fits(kind, budget, approximate(Cost(Fraction(1, 10**6))))
    else:
        check(kind, Cost(Fraction(1)))


@pytest.mark.parametrize(
    ("scale", "grants"),
    [
        (100.0, {"pure": 300, "approx": 300, "pld": 300, "zcdp": 3515, "rdp": 3360}),
        (10.0, {"pure": 30, "approx": 30, "pld": 30, "zcdp": 35, "rdp": 38}),
        (1.0, {"pure": 3, "approx": 3, "pld": 3, "zcdp": 0, "rdp": 2}),
    ],
)
def test_how_many_counts_are_granted(scale: float, grants: dict[Accountant, int]) -> None:
    """Counts with ε = 1/scale each, of ε = 3 and δ = 10⁻⁶."""
    each = DiscreteLaplaceEvent(scale, 1).loss.rounded_up()
    assert {kind: more(kind, TOTAL, NOTHING, each) for kind in KINDS} == grants


def test_gaussian_counts_are_granted_by_their_rho() -> None:
    """One query that takes all of ρ, in ten parts."""
    _, event = joint([1], TOTAL.eps, TOTAL.delta / 2)
    assert (
        event.rho < GaussianEvent(((event.parts[0][0] * 0.999, 1),), Fraction(9), TOTAL.delta).rho
    )
    assert more("zcdp", TOTAL, NOTHING, event.loss) == 1
    tenth = GaussianEvent(((event.parts[0][0] * 10**0.5, 1),), Fraction(9), TOTAL.delta)
    assert more("zcdp", TOTAL, NOTHING, tenth.loss) in (9, 10)
    assert more("zcdp", TOTAL, total([tenth.loss] * 10), tenth.loss) == 0
    assert more("approx", TOTAL, NOTHING, tenth.loss) == 0
