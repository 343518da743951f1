"""Where to clip the totals of units before they are summed: one choice from a public list.

Claim. Let c(τ) be the number of units whose total is above τ, for each τ of a public list. To draw
τ with P(τ) ∝ τ^−a·exp(−ε·max(0, c(τ) − t)), a and t public, is ε-private and of bounded range ε,
where a unit is added or removed, and where one takes the place of another.

Why. It is the exponential mechanism (`exponential`): a candidate's score is −max(0, c(τ) − t) and a
public number of its own, its prior, which no neighbour moves. A unit with the total v adds 1 to
c(τ) for each τ < v; where its total is v′ instead, c(τ) changes by 1 for each τ between v and v′,
all in the same direction. So all scores change by 0 to 1, or all by 0 to −1: a range of 1.

What it is good for. A clip at τ loses what units have above τ and costs noise τ/ε′: best is where
t = 1/ε′ units are above. Below, the score keeps the choice away; above, the prior does: too high a
clip costs noise in proportion, and with a > 1 the expected cost of that adds up. The steeper the
prior, the less it is; but the prior must be outweighed by units: of a total of 2^14 steps, by some
a·ln(2^14)/ε. With fewer the choice is far too low, and so is the sum. So the units that are not
above it are counted, with a part of ε of its own: unless these are many, beyond what the noise of
that count explains, it is not known how far the sum is off.

Sources. McSherry and Talwar, FOCS 2007; Amin, Kulesza, Munoz, Vassilvitskii, "Bounding user
contributions: a bias-variance trade-off in differential privacy", ICML 2019, for the target.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpsql.core.account.events import Event, ExponentialEvent, PureEvent
from dpsql.core.noise import exponential
from dpsql.core.noise.laplace import DiscreteLaplace

COUNTS, SUMS = Fraction(3), Fraction(5, 2)
"""How fast the prior falls, a: totals of rows are small numbers, which few units outweigh."""

FINE = 2**8
"""Parts of a unit in which scores are counted, so that priors are whole numbers."""

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class WeighedChoice:
    """A choice from a list in which each candidate has a prior, and a count of units that tells
    whether there are enough of them to choose.

    Attributes:
        eps: of the choice, > 0, exact.
        priors: of each candidate, in ascending order: how far its score is lowered, in parts of a
            unit.
        check: the noise of the count, which neighbours change by 1 at most.
    """

    eps: Fraction
    priors: tuple[int, ...]
    check: DiscreteLaplace

    def events(self) -> tuple[Event, ...]:
        """What an accountant is told: the choice, and the count."""
        return ExponentialEvent(self.eps), PureEvent(1 / Fraction(self.check.scale))


def prepared(
    eps: Fraction,
    check: Fraction,
    rest: Fraction,
    sizes: tuple[int, ...],
    candidates: Sequence[int],
    prior: Fraction,
) -> tuple[Fraction, tuple[int, ...], DiscreteLaplace]:
    """The fields of a `WeighedChoice`, from ε of the choice, of the count and of what comes after.
    All must be positive, as `sizes` must; `prior` is how fast the prior falls at ε = 1.
    """
    if any(type(e) is not Fraction for e in (eps, check, rest)):
        raise TypeError("ε must be a Fraction")
    if min(eps, check, rest, prior) <= 0 or min(*sizes, *candidates) < 1:
        raise ValueError("ε, the prior, sizes and candidates must be positive")
    eps = min(eps, Fraction(exponential.MOST))
    priors = tuple(round(prior * Fraction(math.log(c)) * FINE / eps) for c in candidates)
    return eps, priors, DiscreteLaplace.calibrate(1, check)


@dataclass(frozen=True, slots=True)
class ClipChoice(WeighedChoice):
    """A clip, and whether it is known to be high enough for many units.

    Attributes:
        target: t, in units.
    """

    target: int

    @classmethod
    def calibrate(
        cls,
        eps: Fraction,
        check: Fraction,
        rest: Fraction,
        units: int,
        clips: Sequence[int],
        prior: Fraction,
    ) -> ClipChoice:
        """The choice that spends `eps` and `check`.

        Args:
            eps: of the choice, > 0, exact.
            check: ε of the count of units that are not above it, > 0, exact.
            rest: ε of the noise of the clipped sum, > 0, exact.
            units: in how many units neighbours differ, ≥ 1: so often the noise is that of a clip.
            clips: the candidates in steps, ascending, ≥ 1.
            prior: a, > 0.

        Raises:
            NoiseError: the noise of the count would not fit 64 bits.
            ValueError: an argument that is not positive.
            TypeError: an ε is not exact.
        """
        made = prepared(eps, check, rest, (units,), clips, prior)
        return cls(*made, target=round(units / rest))

    def scores(self, above: Sequence[int], /) -> list[int]:
        """The score of each candidate, in parts of a unit."""
        return [
            -FINE * max(0, count - self.target) - prior
            for count, prior in zip(above, self.priors, strict=True)
        ]

    @property
    def enough(self) -> int:
        """So many units with noise are surely many: with none it comes to that in 1 of 800."""
        return 2 * self.check.interval(CONFIDENCE)

    def draw(self, above: Sequence[int], units: int, /) -> tuple[int, bool]:
        """A candidate's number, and whether many units are known not to be above it.

        Args:
            above: the units whose total is above each candidate.
            units: whose total is not 0.

        Raises:
            NoiseError: the sampler failed.
        """
        number = exponential.choose(self.scores(above), self.eps / FINE)
        (noise,) = self.check.draw(1)
        return number, units - above[number] + noise >= self.enough
