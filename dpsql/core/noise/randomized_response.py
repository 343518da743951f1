"""Randomized response: a bit that was collected, or is published, with a coin in it.

With probability t (`truth`) the report is the bit; else it is a second coin's, yes with probability
y. Hence P(report yes | yes) = t + (1 − t)·y and P(report yes | no) = (1 − t)·y = p.

Claim. f(yes) = (1 − p)/t and f(no) = −p/t are unbiased: E f(report) is the bit. Why: p·f(yes) +
(1 − p)·f(no) = 0, and a bit that is yes moves probability t from no to yes: t·(f(yes) − f(no)) = 1.
For t = y = ½ the mean of f is 2·P′ − ½ for the part P′ of reported yeses. Given the bits, the
variance of f is (probability of yes)·(probability of no)/t².

Claim. The report is ε-differentially private in the local model, for the bit alone, where exp(ε) is
the larger of P(yes | yes)/P(yes | no) and P(no | no)/P(no | yes). Both are ≥ 1; a zero below means
that there is no such ε. It says nothing about how many bits of one unit are reported.

Source. Warner, "Randomized response", JASA 1965; Dwork, Roth, "The algorithmic foundations of
differential privacy", 2014, section 3.2. Coins are exact: uniform integers from `secrets`.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, Context, Decimal
from fractions import Fraction

_CONTEXT = Context(prec=40, Emin=MIN_EMIN, Emax=MAX_EMAX, rounding=ROUND_CEILING, traps=[])


@dataclass(frozen=True, slots=True)
class RandomizedResponse:
    """The channel from a bit to its report.

    Attributes:
        truth: the probability that the bit itself is reported, in (0, 1], exact.
        yes: the probability that the second coin says yes, in [0, 1], exact.

    Raises:
        ValueError: other probabilities.
        TypeError: a probability is not exact.
    """

    truth: Fraction
    yes: Fraction

    def __post_init__(self) -> None:
        if type(self.truth) is not Fraction or type(self.yes) is not Fraction:
            raise TypeError("probabilities must be Fractions")
        if not (0 < self.truth <= 1 and 0 <= self.yes <= 1):
            raise ValueError("truth must be in (0, 1] and yes in [0, 1]")

    def reported(self, bit: bool) -> Fraction:
        """P(report yes | bit)."""
        return self.truth * bit + (1 - self.truth) * self.yes

    def weight(self, report: bool) -> Fraction:
        """f(report), whose expectation is the bit."""
        return (report - self.reported(False)) / self.truth

    def variance(self, bit: bool) -> Fraction:
        """Of f(report), given the bit."""
        chance = self.reported(bit)
        return chance * (1 - chance) / self.truth**2

    @property
    def ratio(self) -> Fraction | None:
        """exp(ε), the largest ratio of the channel; None if there is no largest."""
        above = self.reported(True), 1 - self.reported(False)
        below = self.reported(False), 1 - self.reported(True)
        if not all(below):
            return None
        return max(a / b for a, b in zip(above, below, strict=True))

    @property
    def eps(self) -> Fraction | None:
        """The local ε, rounded up in the 38th digit; None if a report can betray its bit."""
        ratio = self.ratio
        if ratio is None:
            return None
        quotient = _CONTEXT.divide(Decimal(ratio.numerator), Decimal(ratio.denominator))
        # ln rounds to nearest, whatever the context says.
        return Fraction(_CONTEXT.next_plus(_CONTEXT.ln(quotient)))

    def randomize(self, bits: Iterable[bool]) -> list[bool]:
        """A report of each bit, by independent coins, fresh each time."""
        chances = {bit: self.reported(bit).as_integer_ratio() for bit in (False, True)}
        return [secrets.randbelow(whole) < part for part, whole in (chances[bit] for bit in bits)]
