"""Laplace noise for a sum of rows that are of two units each, truncated at a threshold found first.

For a threshold τ the measurement is the greatest weight of rows, each in part, of which no unit of
either kind has more than τ:

    Q(D, τ) = max Σ z(r)   over 0 <= z(r) <= w(r) with Σ z(r) <= τ over the rows r of each unit.

Claim 1. Where a unit of either kind goes with its rows, 0 <= Q(D, τ) − Q(D − u, τ) <= τ.
Why. What fits D − u fits D. From what fits D the rows of u are taken out, which are τ at most, and
what is left fits D − u. (R2T: Dong, Fang, Yi, Tao, Machanavajjhala, SIGMOD 2022.) Nothing is said
of single rows, or of sums over parts of them: another optimum may keep other rows. So each group
has a program of its own, and a unit in K groups moves their sums by K·τ at most (L1).

Claim 2. Q(D, τ) = Σ w(r) − Σ d(u) + B, with v(u) the weight of the rows of u, d(u) = max(0, v(u) −
τ), and B the most that flows along rows from units of one kind to those of the other, w(r) through
each row and d(u) through each unit. So Q is a whole number, and needs no more than the rows whose
two units are above τ.
Why. 1: a flow g makes a cut, what is to be taken out. Row r loses g(r); what u then has still to
lose, d(u) − Σ g, it loses of what is left of its rows, of which there is enough since d(u) <= v(u);
in all Σ d − B at most. 2: a cut makes a flow. Where u loses more than d(u), so much less is taken
of its rows for a flow: what is left of the cut, Σ c, is Σ c − Σ over u of (Σ c of u − d(u)) at
least; that is Σ d − Σ c, as Σ over u of Σ c of u is 2·Σ c. The flow is one through a graph of two
sides: with whole numbers the greatest is whole (Ford and Fulkerson 1956).

Claim 3. How much doubling τ would bring in, in units, is S(D, τ) = (Q(D, 2·τ) − Q(D, τ))/τ: about
how many units are too heavy, each as far as it is, and the more the lower τ is. τ is chosen by the
exponential mechanism with the scores of `clip`, of S in the place of a number of units, at a third
of its rate: where a unit goes S changes by −2 to 1.
Why. By claim 1 Q(D, 2·τ) falls by 0 to 2·τ and Q(D, τ) by 0 to τ. (Each is reached: the rows of
a unit may fit at 2·τ alone, or at τ alone.) Of several groups S is the greatest, which changes no
further than one of them does; rounded down to parts of a unit it changes by −2 to 1 of them still,
as these are whole numbers of parts. That it grows as τ falls: Q is concave in τ, as the mean of
what fits two thresholds fits their mean. For one kind of unit S is Σ min(τ, d(u))/τ.

Claim 4. That τ may be too low is told by the units that fit: (2·Q(D, τ) − Q(D, 2·τ))/(2·K·τ) of
all groups together, of both signs where there are two and then half as much, rounded down, is >= 0
and changes by 1 at most.
Why. In K groups 2·Q(D, τ) falls by 0 to 2·K·τ, and so does Q(D, 2·τ); a unit that has rows of both
signs makes both fall. For one kind of unit, one group and one sign, a unit of v <= τ counts v/(2·τ)
there, and a heavier one less.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import takewhile
from typing import ClassVar

from dpsql.core.noise import exponential
from dpsql.core.noise.adaptive import AdaptiveLaplace
from dpsql.core.noise.clip import FINE
from dpsql.core.noise.integer_noise import MAX_SCALE, NoiseError

RANGE = 3
"""How far apart, in units, a unit can move the scores of two thresholds."""

NEGLECTED = 77
"""A threshold with a score so far, times its rate, below that of the last is never chosen: 2^8 of
them have a probability below 2^-103, as all that `exponential` neglects.
"""


@dataclass(frozen=True, slots=True)
class TruncatedLaplace(AdaptiveLaplace):
    """A threshold, then noise; `units` is in how many groups one unit can be.

    Attributes:
        every: one unit can be in all groups, and how many there are is known when it is run.
    """

    every: bool = False

    SPENT: ClassVar[Fraction] = Fraction(1, 3)

    def among(self, groups: int) -> TruncatedLaplace:
        """The same where so many groups are output: their number is public, and no more than it was
        calibrated for.
        """
        if not self.every or groups <= 1:
            return self
        most = Fraction(MAX_SCALE) * self.rest
        fits = tuple(takewhile(lambda t: groups * t[0] * t[1] <= most, self.thresholds))
        priors, target = self.clip.priors[: len(fits)], round(groups / self.rest)
        clip = replace(self.clip, priors=priors, target=target)
        return replace(self, clip=clip, units=groups, thresholds=fits)

    def for_all(self, groups: int) -> TruncatedLaplace:
        """The same for a unit that can be in all of up to so many groups.

        Raises:
            NoiseError: the noise of the least threshold would not fit 64 bits.
        """
        if groups * self.thresholds[0][0] > Fraction(MAX_SCALE) * self.rest:
            raise NoiseError("the noise would not fit 64 bits: take more ε")
        return replace(self, every=True)

    @property
    def most(self) -> int:
        """Where S is cut off, in parts of a unit: beyond, a threshold is not chosen."""
        reach = RANGE * Fraction(NEGLECTED) / self.clip.eps
        return FINE * (self.clip.target + math.ceil(reach)) + RANGE * max(self.clip.priors)

    def place(self, doubling: Sequence[int]) -> int:
        """The number of the threshold to truncate at.

        Args:
            doubling: S of each, in parts of a unit. That of the last is taken for 0, whatever is
                there: so there is always one that can be chosen.
        """
        target, doubling = FINE * self.clip.target, (*doubling[:-1], 0)
        # The prior is the same power of τ at a third of the rate.
        scores = [
            -max(0, parts - target) - RANGE * prior
            for parts, prior in zip(doubling, self.clip.priors, strict=True)
        ]
        return exponential.choose(scores, self.clip.eps / (RANGE * FINE))

    def sure(self, number: int, total: int, doubled: int, signs: int) -> bool:
        """Whether many units are known to fit the threshold that was chosen.

        Args:
            number: its number.
            total: Q at it of all groups together, in steps.
            doubled: Q at twice as much.
            signs: 2 where rows of both signs can be summed, else 1.
        """
        fit = (2 * total - doubled) // (2 * signs * self.units * self.thresholds[number][0])
        (noise,) = self.clip.check.draw(1)
        return fit + noise >= self.clip.enough
