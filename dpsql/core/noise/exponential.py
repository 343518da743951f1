"""The exponential mechanism: one of many public candidates, the better the likelier.

Claim. Let each candidate v have a score u(D, v), and let d(v) = u(D, v) − u(D′, v) lie in a range
of length at most Δ over all v, for all neighbours D, D′. Then to draw v with P(v) ∝ exp(rate·u(v))
is (rate·Δ)-differentially private, and of *bounded range* rate·Δ: the logarithms of all the ratios
P(v)/P′(v) lie in one interval of that length.

Why. ln P(v)/P′(v) = rate · d(v) − ln(W/W′), where W is the sum of all weights. The second term is
the same for all v, hence the range; and ln(W/W′) lies between rate · min d and rate · max d, hence
no ratio passes exp(rate · Δ). If |d| ≤ s only, Δ = 2s.

Sources. McSherry, Talwar, "Mechanism design via differential privacy", FOCS 2007; bounded range:
Durfee, Rogers, "Practical differentially private top-k selection with pay-what-you-get
composition", NeurIPS 2019.

The sampler. The candidates come as pieces: runs whose weights are constant or a geometric series.
A piece is drawn by its total, then a place in it, in time that grows with the number of bits of a
run, never with its length: Σ_{j<2m} rʲ = (1 + rᵐ) · Σ_{j<m} rʲ gives totals, and of a place in
0 … 2ᵏ−1 with P(j) ∝ rʲ the bits are independent, bit i being set with odds r^(2ⁱ) : 1. A length
that is no power of two is reached by rejection, which keeps at least half of the draws.

Its total variation distance from the ideal is below 2⁻¹⁹⁶. For positive measures of totals W ≥ 1
and W̃, the normalised ones are at most (Σ|w − w̃|)/W apart. The best candidate has weight 1, so:
- Pieces below 2⁻²⁰¹/N of it, N ≤ 2⁶⁴ candidates in all, are left out: at most 2⁻²⁰¹.
- Weights are computed with 110 digits from sums and products of positive numbers: a candidate's
  passes fewer than 4N + 100 roundings, each a factor within 1 ± 10⁻¹⁰⁹: relatively below 2⁻²⁹⁰. An
  exponent x that is off by such a factor moves exp(−x) by less than 10⁻¹⁰⁹, since x·exp(−x) < 1,
  and the N of them by less than 2⁻²⁹⁰ of the best weight.
- Totals are cut to multiples of 2⁻²⁸⁸, for fewer than 2⁶⁴ pieces: at most 2⁻²²⁴. So are the odds of
  the at most 64 bits; rejection at most doubles that: 2⁻²⁸¹.
A sampler that is η from an ε-private one is (ε, η·(1 + e^ε))-private. A choice must therefore not
use more than `MOST`, 64 nats: what is left is below 2⁻¹⁰³ a choice, and is neglected.
Uniform integers are exact: `secrets`, which is the operating system's generator.
"""

from __future__ import annotations

import secrets
from bisect import bisect_right
from collections.abc import Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import accumulate
from typing import NamedTuple

MOST = 64
"""ε that one choice may use, at most: see above."""

MAX_CANDIDATES = 2**64
"""As many as the error bound is proved for."""

# No traps: the weights of what is far from the best may go to 0.
_CONTEXT = Context(prec=110, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
_ONE = 1 << 288
_DIGIT = 0xFFF


class Piece(NamedTuple):
    """`n` candidates whose scores are −(a + b·j), j = 0 … n−1.

    Attributes:
        n: how many, ≥ 0.
        a: how far the first one is from the best thinkable score.
        b: the step from each to the next; 0 for a constant piece.
    """

    n: int
    a: int
    b: int = 0

    @property
    def nearest(self) -> int:
        """The distance of the best of them; meaningless where there are none."""
        return min(self.a, self.a + self.b * (self.n - 1))


def draw(pieces: Sequence[Piece], rate: Fraction) -> tuple[int, int]:
    """One candidate, with probability proportional to exp(rate · score).

    Args:
        pieces: together at least one candidate and at most `MAX_CANDIDATES`.
        rate: > 0, exact, per unit of score.

    Returns:
        (the index of its piece, its index j within the piece).

    Raises:
        ValueError: no candidate, too many, or a rate ≤ 0.
        TypeError: the rate is not exact.
    """
    _check(rate)
    candidates = sum(piece.n for piece in pieces)
    if not 0 < candidates <= MAX_CANDIDATES:
        raise ValueError("there must be between 1 and 2^64 candidates")
    best = min(piece.nearest for piece in pieces if piece.n)
    farthest = best + reach(candidates, rate)
    with localcontext(_CONTEXT):

        @cache
        def factor(distance: int) -> Decimal:
            return (-Decimal(rate.numerator * distance) / Decimal(rate.denominator)).exp()

        @cache
        def weight(distance: int) -> Decimal:
            """exp(−rate · distance), digit by digit: most digits come again, and exp is slow."""
            product, shift = Decimal(1), 0
            while distance >> shift:
                product *= factor(distance & _DIGIT << shift)
                shift += _DIGIT.bit_length()
            return product

        @cache
        def series(n: int, step: int) -> Decimal:
            return _series(n, weight(step)) if step else Decimal(n)

        totals = [
            int(weight(piece.nearest - best) * series(piece.n, abs(piece.b)) * _ONE)
            if piece.n and piece.nearest <= farthest
            else 0
            for piece in pieces
        ]
        ends = list(accumulate(totals))
        index = bisect_right(ends, secrets.randbelow(ends[-1]))
        n, _, b = pieces[index]
        if b == 0:
            return index, secrets.randbelow(n)
        place = _place(n, weight(abs(b)))
        return index, place if b > 0 else n - 1 - place


def choose(scores: Sequence[int], rate: Fraction) -> int:
    """The index of one score, with probability proportional to exp(rate · score).

    Raises:
        ValueError: no scores, or a rate ≤ 0.
        TypeError: the rate is not exact.
    """
    return draw([Piece(1, -score) for score in scores], rate)[0]


def reach(candidates: int, rate: Fraction) -> int:
    """How far below the best a score must be, at least, for its weight to be neglected.

    Beyond it the weights of all `candidates` add up to less than 2⁻²⁰¹ of the best one's:
    distance · rate > (201 + log₂ candidates) · ln 2, and ln 2 < 7/10.
    """
    return -(-7 * (201 + candidates.bit_length()) * rate.denominator // (10 * rate.numerator))


def _check(rate: Fraction) -> None:
    if type(rate) is not Fraction:
        raise TypeError("a rate must be a Fraction")
    if rate <= 0:
        raise ValueError("a rate must be positive")


def _series(n: int, r: Decimal) -> Decimal:
    """Σ rʲ over j < n, by doubling: no subtraction, so no digits are lost."""
    total, power = Decimal(0), Decimal(1)  # of the leading bits of n: Σ rʲ over j < m, and rᵐ
    for bit in f"{n:b}":
        total, power = total * (1 + power), power * power
        if bit == "1":
            total, power = total + power, power * r
    return total


def _place(n: int, r: Decimal) -> int:
    """j in 0 … n−1 with P(j) ∝ rʲ, r ≤ 1."""
    while True:
        place, power = 0, r
        for i in range((n - 1).bit_length()):
            odds = int(power * _ONE)
            place |= (secrets.randbelow(_ONE + odds) < odds) << i
            power *= power
        if place < n:
            return place
