"""For how many values a unit may count, where distinct ones are counted: one choice from a list.

Let C(ℓ) be how many values are found where each unit stands for ℓ of its own at most, and each
value needs one unit: see `execution.matching`. Removing a unit lowers C(ℓ) by 0 to ℓ, for each ℓ.

Claim. For capacities ℓ₁ < ℓ₂ < … and a public θ let m(ℓᵢ) be the largest, over j > i, of
(C(ℓⱼ) − C(ℓᵢ) − θ·(ℓⱼ − ℓᵢ))/ℓⱼ, and 0 if none is positive. To draw ℓ with
P(ℓ) ∝ ℓ^−a·exp(−ε/(2u)·m(ℓ)), a public, is ε-private and of bounded range ε, where neighbours
differ by u units.

Why. It is the exponential mechanism (`exponential`), whose prior no neighbour moves. Where a unit
is removed, C(ℓⱼ) − C(ℓᵢ) changes by −ℓⱼ to ℓᵢ, so each of the fractions changes by at most 1, and
so does their largest: all scores change by −1 to 1, a range of 2; and by 2u over u units, one after
the other. Fractions are rounded down to parts: what differs by at most 1 still does.

What it is good for. One value more per unit costs θ = u·G/ε′ of noise, in all of G groups: it is
worth that where it finds more values than that. What a larger capacity finds beyond is measured in
units, each of which can be to blame for one; it takes a·ln(ℓ)·2u/ε of them to outweigh the prior.
Where there are fewer units than twice that, and than the noise of their number explains, it is not
known whether the capacity is far too low. With so much ε that the noise of the next capacity is
nothing to speak of, a capacity is no candidate: in the end the greatest one is the only one.

Sources. McSherry and Talwar, FOCS 2007; Knop and Steinke, "Counting distinct elements under
person-level differential privacy", NeurIPS 2023, whose choice (by the generalised exponential
mechanism of Raskhodnikova and Smith, 2016) has no prior.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from dpsql.core.noise import exponential
from dpsql.core.noise.clip import CONFIDENCE, FINE, WeighedChoice, prepared

PRIOR = Fraction(2)
"""How fast the prior falls, a."""

LITTLE = Fraction(1, 4)
"""Noise of a smaller scale, in values, is nothing to speak of."""


@dataclass(frozen=True, slots=True)
class CapacityChoice(WeighedChoice):
    """A capacity, and whether there are enough units to find one.

    Attributes:
        units: u, in how many units neighbours differ.
        target: θ, in values.
        capacities: ascending.
        least: the number of the first that is a candidate.
    """

    units: int
    target: int
    capacities: tuple[int, ...]
    least: int

    @classmethod
    def calibrate(
        cls,
        eps: Fraction,
        check: Fraction,
        rest: Fraction,
        units: int,
        capacities: Sequence[int],
        groups: int,
    ) -> CapacityChoice:
        """The choice that spends `eps` and `check`.

        Args:
            eps: of the choice, > 0, exact.
            check: ε of the number of units, > 0, exact.
            rest: ε′ of the noise, > 0, exact.
            units: u, ≥ 1.
            capacities: ascending, ≥ 1.
            groups: G, as far as that is known, ≥ 1.

        Raises:
            NoiseError: the noise of the number of units would not fit 64 bits.
            ValueError: an argument that is not positive, or capacities that do not ascend.
            TypeError: an ε is not exact.
        """
        if any(a >= b for a, b in pairwise(capacities)):
            raise ValueError("capacities must ascend")
        made = prepared(eps, check, rest, (units, groups), capacities, PRIOR * 2 * units)
        target = round(units * groups / rest)
        least = sum(1 for capacity in capacities[1:] if units * capacity / rest < LITTLE)
        return cls(*made, units, target, tuple(capacities), least)

    def missing(self, found: Sequence[int], /) -> list[int]:
        """m of each capacity, in parts of a unit, given how many values it finds."""
        every = list(zip(self.capacities, found, strict=True))
        worst: list[int] = []
        for number, (low, here) in enumerate(every):
            more = [(h, n - here - self.target * (h - low)) for h, n in every[number + 1 :]]
            worst.append(max((FINE * n // high for high, n in more if n > 0), default=0))
        return worst

    def scores(self, found: Sequence[int], /) -> list[int]:
        """The score of each capacity, in parts of a unit."""
        missing = self.missing(found)
        return [-m - prior for m, prior in zip(missing, self.priors, strict=True)]

    @property
    def enough(self) -> int:
        """So many units, with noise, can tell which capacity is high enough."""
        return 2 * (self.check.interval(CONFIDENCE) + -(-self.priors[-1] // FINE))

    def draw(self, found: Sequence[int], units: int, /) -> tuple[int, bool]:
        """A candidate's number, and whether there are units enough to find it.

        Args:
            found: the values that each capacity finds.
            units: that have any.

        Raises:
            NoiseError: the sampler failed.
        """
        scores, rate = self.scores(found)[self.least :], self.eps / (2 * self.units * FINE)
        number = self.least + exponential.choose(scores, rate)
        (noise,) = self.check.draw(1)
        return number, units + noise >= self.enough
