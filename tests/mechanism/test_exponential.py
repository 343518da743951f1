"""The exponential mechanism's sampler: exact laws, the bound on what is neglected, its ε."""

import math
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsql.core.account.events import ExponentialEvent
from dpsql.core.noise import exponential
from dpsql.core.noise.exponential import MAX_CANDIDATES, Piece, choose, draw, reach
from tests.support.effort import tries

from .bounds import limits

DRAWS = 30_000
DEEP_DRAWS = 112_000


def proven_range(left: Sequence[object], right: Sequence[object], a: object, b: object) -> float:
    """A lower bound, wrong with P ≤ 1e-6, on how far the log-odds of `a` to `b` are apart."""
    odds = []
    for draws in (left, right):
        of_a, of_b = draws.count(a), draws.count(b)
        odds.append([p / (1 - p) for p in limits(of_a, of_a + of_b, 5e-7)])
    return math.log(odds[0][0] / odds[1][1])


def law(pieces: list[Piece], rate: Fraction) -> dict[tuple[int, int], float]:
    """The ideal probabilities of short pieces, by enumeration."""
    scores = {
        (i, j): piece.a + piece.b * j for i, piece in enumerate(pieces) for j in range(piece.n)
    }
    best = min(scores.values())
    weights = {key: math.exp(-float(rate * (score - best))) for key, score in scores.items()}
    whole = math.fsum(weights.values())
    return {key: weight / whole for key, weight in weights.items()}


@pytest.mark.parametrize(
    ("pieces", "rate"),
    [
        ([Piece(1, 0), Piece(1, 3), Piece(0, 0), Piece(3, 2)], Fraction(1, 2)),
        ([Piece(5, 7, 2)], Fraction(1, 5)),
        ([Piece(5, 15, -2)], Fraction(1, 5)),
        ([Piece(6, 12, -2), Piece(4, 10**6), Piece(9, 0, 3), Piece(2, 1)], Fraction(2, 11)),
        ([Piece(7, 0, 10**4), Piece(2, 0, 1)], Fraction(1)),
        ([Piece(3, -7), Piece(8, -6, 1)], Fraction(3)),
    ],
)
@pytest.mark.one_in(2)
def test_every_candidate_comes_as_often_as_it_should(pieces: list[Piece], rate: Fraction) -> None:
    draws = tries(3_000, 10_000)
    drawn = Counter(draw(pieces, rate) for _ in range(draws))
    ideal = law(pieces, rate)
    assert drawn.keys() <= ideal.keys()
    for key, chance in ideal.items():
        low, high = limits(drawn[key], draws, 1e-6 / (2 * len(ideal)))
        assert low <= chance <= high


@settings(deadline=None)
@given(st.integers(1, 2**64), st.fractions(Fraction(1, 10**6), 1, max_denominator=10**6))
def test_the_sum_of_a_series_has_all_its_digits(n: int, r: Fraction) -> None:
    with localcontext(exponential._CONTEXT):
        total = exponential._series(n, Decimal(r.numerator) / Decimal(r.denominator))
    with localcontext(prec=200):
        exact = Decimal(r.numerator) / Decimal(r.denominator)
        wanted = (1 - exact**n) / (1 - exact) if r < 1 else Decimal(n)
        assert abs(total / wanted - 1) < Decimal(4 * n + 100).scaleb(-79)


def test_what_a_piece_weighs_is_its_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    # A huge series against a huge constant: the totals decide, so the first draw is among them.
    seen: list[int] = []

    def first(bound: int) -> int:
        seen.append(bound)
        return 0

    monkeypatch.setattr("secrets.randbelow", first)
    n, rate = 2**40, Fraction(1, 2**40)
    assert draw([Piece(n, 5, 1), Piece(n, 5)], rate)[0] == 0
    with localcontext(prec=100):
        r = (-Decimal(1) / n).exp()
        wanted = (1 - r**n) / (1 - r) + n
        assert abs(Decimal(seen[0]) / 2**288 / wanted - 1) < Decimal("1e-60")


@given(st.integers(1, MAX_CANDIDATES), st.fractions(Fraction(1, 10**30), 10**6))
def test_what_is_neglected_is_too_little_to_matter(candidates: int, rate: Fraction) -> None:
    distance = reach(candidates, rate)
    # More than 201 bits and those of the number, and not needlessly many.
    needed = Fraction(201 * 693147, 10**6) + Fraction(math.log(candidates))
    assert distance * rate > needed
    assert (distance - 1) * rate < Fraction(7, 10) * (201 + candidates.bit_length())


def test_pieces_out_of_reach_are_never_drawn_and_cost_nothing() -> None:
    far = [Piece(2**20, 10**40 + i, 1) for i in range(100)]
    assert all(draw([Piece(1, 0), *far], Fraction(1)) == (0, 0) for _ in range(100))


def test_a_huge_piece_is_drawn_at_once() -> None:
    half, whole = 2**62, 2**63
    drawn = [draw([Piece(whole, 0, 1)], Fraction(1, whole))[1] for _ in range(2000)]
    low, high = limits(sum(j < half for j in drawn), 2000, 1e-6)
    assert low <= (1 - math.exp(-0.5)) / (1 - math.exp(-1)) <= high
    assert len({j % 1024 for j in drawn}) > 700  # the low bits are free


def test_rising_and_falling_pieces_mirror_each_other() -> None:
    for piece in (Piece(1000, 0, 1), Piece(1000, 999, -1)):
        drawn = [draw([piece], Fraction(1))[1] for _ in range(500)]
        near = 0 if piece.b > 0 else 999
        assert all(abs(j - near) < 40 for j in drawn)  # P < 500 · exp(−40)
        assert near in drawn


def test_choose_is_a_draw_of_single_candidates() -> None:
    assert choose([-(10**30)], Fraction(1)) == 0
    assert {choose([5, 5, -(10**9)], Fraction(1)) for _ in range(100)} == {0, 1}


@pytest.mark.parametrize(
    "pieces", [[], [Piece(0, 3)], [Piece(MAX_CANDIDATES, 0), Piece(1, 0)]], ids=["", "0", "many"]
)
def test_senseless_pieces_are_refused(pieces: list[Piece]) -> None:
    with pytest.raises(ValueError, match="candidates"):
        draw(pieces, Fraction(1))


def test_senseless_rates_are_refused() -> None:
    for rate in (Fraction(0), Fraction(-1)):
        with pytest.raises(ValueError, match="positive"):
            choose([1, 2], rate)
    for inexact in (1, 0.5):
        with pytest.raises(TypeError):
            choose([1, 2], inexact)  # type: ignore[arg-type]


def test_the_event_adds_up() -> None:
    assert ExponentialEvent(Fraction(1, 3), 3).cost.eps == 1
    assert ExponentialEvent(Fraction(1, 3)).cost.delta == 0


def check_the_range(draws: int, too_small: Fraction) -> None:
    # A unit moves one score up and the other one down: a range of 2, at a rate of 1 for ε = 2.
    def loss(rate: Fraction) -> float:
        left = [choose([1, 0], rate) for _ in range(draws)]
        return proven_range(left, [choose([0, 1], rate) for _ in range(draws)], 0, 1)

    assert loss(Fraction(1)) <= 2 < loss(1 / too_small)


@pytest.mark.deep
def test_the_loss_is_within_the_range_and_20_percent_less_noise_is_caught() -> None:
    check_the_range(DRAWS, Fraction(8, 10))


@pytest.mark.deep
def test_10_percent_less_noise_is_caught() -> None:
    check_the_range(DEEP_DRAWS, Fraction(9, 10))
