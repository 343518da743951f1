"""Privacy losses on a grid: what composes to the exact cost of many mechanisms, in integers.

Two distributions P, Q of outputs on neighbours matter only through the *loss* l = ln P/Q of an
output drawn from P: they are (ε, δ)-close exactly if δ ≥ Σ p(l)·(1 − e^(ε−l)), over all l > ε.
A pair *dominates* a mechanism if its δ is at least the mechanism's for all neighbours and all real
ε. Losses of independent outputs add up; and what dominates each of several mechanisms, composed,
dominates all of them together, even where each is chosen after the answers before it from those
that its pair dominates. Source: Zhu, Dong, Wang, "Optimal accounting of differential privacy via
characteristic function", AISTATS 2022, theorem 10.

On a grid. Let outputs of losses between two neighbouring points, i − 1 and i steps, have P = p and
Q = q altogether. Replace each of them by two, one at each point, so that both sums stay:
    p⁺ = (p − q·e^(l(i−1))) / (1 − e^(−h)) at i,   p⁻ = p − p⁺ at i − 1,   h being the step.
What was is a function of what is now (merge the two again), so the new pair dominates. (It is
"connecting the dots" of δ at the points: Doroshenko, Ghazi, Kamath, Kumar, Manurangsi, PETS 2022.)

Integers. Probabilities are integers in a unit of 10^−digits, rounded up. More mass is on the safe
side, and so is moving mass to a larger loss: δ is a sum of products of such masses, times terms
that are not negative and grow with each loss. What is beyond the grid has an infinite loss. Two
grids are multiplied exactly: their coefficients are the digits of two long decimals.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, Inexact, localcontext
from fractions import Fraction

from dpsql.core.account.normal_law import fraction

GUARD = 60
"""Digits of logarithms and exponentials beyond those of a probability's unit."""

_ROUNDING = Decimal("1e-30")
"""Added to an ε, and to probabilities in their units: more than all roundings before it. S is an
integer, so T is right to 40 digits of where it decides."""


@dataclass(frozen=True, slots=True)
class LossGrid:
    """The points at which losses are kept, and the unit of their probabilities.

    Attributes:
        step: h > 0, exact.
        digits: probabilities are multiples of 10^−digits.
    """

    step: Fraction
    digits: int

    @property
    def one(self) -> int:
        """A probability of 1."""
        return int(10**self.digits)

    @property
    def context(self) -> Context:
        """For what is rounded up to the unit: the 60 digits more are never the question."""
        return Context(prec=self.digits + GUARD, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])


@dataclass(frozen=True, slots=True)
class Losses:
    """A distribution of losses, from above.

    Attributes:
        grid: the unit and the step.
        low: the place of the first weight, in steps.
        weights: of the losses low, low + 1, … steps.
        beyond: of an infinite loss.
    """

    grid: LossGrid
    low: int
    weights: tuple[int, ...]
    beyond: int = 0

    def times(self, other: Losses) -> Losses:
        """Of both mechanisms together."""
        one = self.grid.one
        rounded = tuple(-(-w // one) for w in product(self.weights, other.weights))
        return Losses(self.grid, self.low + other.low, rounded, self.beyond + other.beyond)

    def cut(self, part: int) -> Losses:
        """With losses at both ends moved up, of a probability of `part` units at most each: the
        highest ones to infinity, the lowest ones to the next that stays.
        """
        weights, last, first = self.weights, len(self.weights), 0
        top = bottom = 0
        while last > 1 and top + weights[last - 1] <= part:
            last -= 1
            top += weights[last]
        while first < last - 1 and bottom + weights[first] <= part:
            bottom += weights[first]
            first += 1
        kept = (weights[first] + bottom, *weights[first + 1 : last])
        return Losses(self.grid, self.low + first, kept, self.beyond + top)

    def epsilon(self, delta: int) -> Decimal | None:
        """The least ε ≥ 0 with that δ (in units), or hardly more; None if there is none.

        Between two points δ(ε) = S − e^ε·T, with S = Σ p(l) and T = Σ p(l)·e^(−l) of what is above.
        """
        left = delta - self.beyond
        if left < 0:
            return None
        with localcontext(self.grid.context):
            step = fraction(self.grid.step)
            fall = (-step).exp()
            above, scaled = 0, Decimal(0)  # S, and e^l·T at the present point l, of what is above
            for place in range(self.low + len(self.weights) - 1, -1, -1):
                if above - scaled > left:  # δ at this point
                    return place * step + ((above - left) / scaled).ln() + _ROUNDING
                here = self.weights[place - self.low] if place >= self.low else 0
                above += here
                scaled = (scaled + here) * fall
        return Decimal(0)


def product(a: tuple[int, ...], b: tuple[int, ...]) -> list[int]:
    """The coefficients of the product of two polynomials whose coefficients are not negative."""
    width = len(str(max(a))) + len(str(max(b))) + len(str(min(len(a), len(b))))
    count = len(a) + len(b) - 1
    exact = Context(width * (len(a) + len(b)) + 1, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[Inexact])
    digits = str(exact.multiply(_packed(a, width), _packed(b, width))).zfill(width * count)
    return [int(digits[i : i + width]) for i in range(0, width * count, width)]


def on_grid(
    grid: LossGrid, pieces: Iterable[tuple[int, Decimal, Decimal]], beyond: int = 0
) -> Losses:
    """The losses of a pair, each piece spread over the two points around it.

    Args:
        grid: where.
        pieces: (i, p, q): outputs of losses in (i − 1, i] steps, their probabilities on P and Q.
        beyond: what has an infinite loss.
    """
    found: dict[int, int] = {}
    with localcontext(grid.context):
        step = fraction(grid.step)
        gap = 1 - (-step).exp()
        for place, p, q in pieces:
            upper = min(p, max(Decimal(0), (p - q * ((place - 1) * step).exp()) / gap))
            for at, weight in ((place, upper), (place - 1, p - upper)):
                found[at] = found.get(at, 0) + int(weight.scaleb(grid.digits) + _ROUNDING) + 1
    low, high = min(found), max(found)
    return Losses(grid, low, tuple(found.get(i, 0) for i in range(low, high + 1)), beyond)


def _packed(weights: tuple[int, ...], width: int) -> Decimal:
    return Decimal("".join(f"{w:0{width}d}" for w in weights))
