"""What something costs, by every way of adding up at once: exact, never negative.

A ledger keeps running sums of all of these, whichever of them its accountant decides by, so that
another accountant can be chosen later without forgetting anything.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import starmap
from operator import add

from dpsql.core.account.amount import ZERO, Cost

ORDERS = tuple(
    map(Fraction, ("3/2", "2", "5/2", "3", "4", "5", "6", "8", "10", "12", "16"))
) + tuple(map(Fraction, (24, 32, 48, 64, 128, 256, 512, 1024)))
"""The Rényi orders α at which divergences are known."""

FINE = 10**24
"""ρ and Rényi divergences are whole multiples of one part in so many."""


@dataclass(frozen=True, slots=True)
class Loss:
    """An upper bound of the privacy lost.

    Attributes:
        cost: (ε, δ), as basic composition adds it up.
        rho: ρ of zero-concentrated privacy, but for events whose probability is at most `slack`.
        slack: the δ that `rho` and `renyi` leave out.
        renyi: the Rényi divergence at each of `ORDERS`, but for the same events.

    Raises:
        ValueError: a part that is negative or missing.
        TypeError: a part that is not exact.
    """

    cost: Cost
    rho: Fraction
    slack: Fraction
    renyi: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        if len(self.renyi) != len(ORDERS):
            raise ValueError("a divergence is needed at each order")
        for part in (self.rho, self.slack, *self.renyi):
            if type(part) is not Fraction:
                raise TypeError("a privacy loss must be exact")
            if part.numerator < 0:
                raise ValueError("a privacy loss must not be negative")

    def __add__(self, other: Loss) -> Loss:
        return Loss(
            self.cost + other.cost,
            self.rho + other.rho,
            self.slack + other.slack,
            tuple(starmap(add, zip(self.renyi, other.renyi, strict=True))),
        )

    def __sub__(self, other: Loss) -> Loss:
        """What this has more than `other`; never below zero in any part."""
        zero = Fraction(0)
        return Loss(
            self.cost - other.cost,
            max(zero, self.rho - other.rho),
            max(zero, self.slack - other.slack),
            tuple(max(zero, a - b) for a, b in zip(self.renyi, other.renyi, strict=True)),
        )

    def __or__(self, other: Loss) -> Loss:
        """The larger one of each part."""
        return self + (other - self)

    def rounded_up(self) -> Loss:
        """The same on the ledger's grids, never less."""
        cost = self.cost.rounded_up()
        slack = Cost(Fraction(0), self.slack).rounded_up().delta
        return Loss(cost, _up(self.rho), slack, tuple(map(_up, self.renyi)))

    def text(self) -> str:
        """As a line of text that `parse` reads; of a loss that is on the grids."""
        # In whole numbers: fractions would reduce each of their steps.
        parts = [part.as_integer_ratio() for part in (self.rho, *self.renyi)]
        if any(FINE % under for _, under in parts):
            raise ValueError("only a rounded loss is written")
        exact = [str(self.cost.eps), str(self.cost.delta), str(self.slack)]
        return json.dumps([*exact, *[str(over * (FINE // under)) for over, under in parts]])

    @classmethod
    def parse(cls, text: str) -> Loss:
        """The loss that `text` says.

        Raises:
            ValueError: the text is none of ours, or says what is no loss.
        """
        parts = json.loads(text)
        if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
            raise ValueError("no privacy loss")
        if len(parts) != 4 + len(ORDERS):
            raise ValueError("no privacy loss")
        try:
            eps, delta, slack = map(Fraction, parts[:3])
            rho, *renyi = (Fraction(int(part), FINE) for part in parts[3:])
        except ZeroDivisionError:
            raise ValueError("no privacy loss") from None
        if min(eps, delta) < 0:
            raise ValueError("no privacy loss")
        return cls(Cost(eps, delta), rho, slack, tuple(renyi))


NOTHING = Loss(ZERO, Fraction(0), Fraction(0), (Fraction(0),) * len(ORDERS))
"""The loss of what is public."""


def approximate(cost: Cost) -> Loss:
    """What is lost by anything that is known to be (ε, δ)-private, and of which no more is known.

    Claim: but for events of probability δ it is ε²/2-zCDP, and its divergence of order α is at
    most min(ε, α·ε²/2). Why: an (ε, δ)-private release is a function of one that with probability δ
    tells all and is ε-private else (Kairouz, Oh, Viswanath, ICML 2015); an ε-private one is
    ε²/2-zCDP (Bun, Steinke, TCC 2016, proposition 3.3), and no divergence passes ε.
    """
    half = cost.eps**2 / 2
    return Loss(cost, half, cost.delta, tuple(min(cost.eps, order * half) for order in ORDERS))


def total(losses: Iterable[Loss]) -> Loss:
    """The sum of losses; nothing if there are none."""
    return sum(losses, NOTHING)


def _up(amount: Fraction) -> Fraction:
    if FINE % amount.denominator == 0:  # it is on the grid
        return amount
    return Fraction(-(-amount.numerator * FINE // amount.denominator), FINE)
