"""Several quantiles of one column of numbers, jointly and in order, on a public grid of cells.

The data is a measure: each row is spread evenly over its cell, so that the mass F(z) below a
position z is continuous and ties need no care. A target is a rank t = q·N + s with public q and s;
N is the mass. Of three and more targets the middle one is answered first by a cut z, drawn by the
exponential mechanism with the score −|F(z) − t|; z divides the mass, a row whose cell it cuts
counting on each side with its part of the cell, and the targets below and above are answered in the
two parts, on their own sides of z. One or two need no cut: each is answered by a cell of its part,
whose score is minus the distance from t to the nearest rank in the cell, and two are put in order.

Claim. Let a row cost `rate` ρ per level: a target q is chosen for at the rate ρ / (2·max(q, 1−q)).
Then all answers together are (ρ · levels · w)-differentially private against adding or removing
rows of total mass w, where levels = ⌈log₂(m + 1)⌉ for m targets. It stays so over any number of
groups, each answered from its own rows, if w counts the rows of a unit in all groups together.

Why. (1) One choice. Let the added rows have mass g(z) below z, and w in all, within the part. F − t
changes by g(z) − (t(N + w) − t(N)). The slope of t(N) is between min(q, ½) and max(q, ½) (q, and
where a shift is cut off, ½): so the change is between −max(q, ½)·w and (1 − min(q, ½))·w, and
|F(z) − t| changes by at most max(q, 1−q)·w either way. A constant shift cancels, whatever it is.
The distance to a cell is max(0, F(left) − t, t − F(right)): a maximum changes no more than its
terms. So the scores change within a range of 2·max(q, 1−q)·w, and the choice is of bounded range
ρ·w (`exponential`). (2) One level. Given the cuts of the levels above, the parts of a level are
fixed and overlap in single points only, so that a row's masses in them add up to at most its own.
The choices of a level are independent given those cuts: their losses add up to at most ρ·w. Two
targets without a cut are two choices from one part, and take two levels. (3) All levels. The losses
add up, since what a level is asked (parts, rescaled q and s) depends only on public numbers and on
cuts above it; cuts and cells are all that is released. (4) Groups are one more split of the same
mass. The tests find neighbours that reach the claim, for one target and for two levels.

Rescaling. At a cut with F(z) ≈ q_z·N + s_z the rank q·N + s is q′·N′ + s′ in the mass N′ of a part.
Below: N ≈ (N′ − s_z)/q_z, hence q′ = q/q_z and s′ = s − q′·s_z. Above: N ≈ (N′ + s_z)/(1 − q_z),
hence q′ = (q − q_z)/(1 − q_z) and s′ = s − (1 − q′)·s_z. These are public numbers.

The least and the greatest value are the targets s = τ and N − τ, where τ rows are as many as make a
candidate outside the data improbable. Where there are too few rows, a shift is cut off at N/2: such
a group answers with its median, not with an empty end of the grid. That is the bend in t(N) above.

Sources. Smith, "Privacy-preserving statistical estimation with optimal convergence rates", STOC
2011; Kaplan, Schnapp, Stemmer, "Differentially private approximate quantiles", ICML 2022. Here the
mass of ties is divided, losses count rows instead of units, and the range depends on q.

How far a rank is off that is the sum of several errors with two-sided exponential laws. Claim: Σ
eᵢ, eᵢ with density ∝ exp(−|x|/spreadᵢ), is within `off` with the wanted probability, up to a step
of 1/`FINE` of the largest spread. Why: on a lattice of that step each law is a convolution with a
geometric series to either side, which is a running sum forwards and one backwards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from operator import ge

from dpsql.core.account.events import ExponentialEvent
from dpsql.core.noise.exponential import MOST
from dpsql.core.noise.mass import UNITS, Mass, Rank
from dpsql.core.noise.noise_sums import add_laplace

FINE = 64
"""Steps of the lattice in the largest spread."""

BEYOND = 12
"""Spreads beyond the quantile after which nothing is left."""


def off(spreads: Sequence[Fraction], confidence: float) -> float:
    """How far the sum is from 0, at most, with that probability.

    Args:
        spreads: > 0, or 0 for an error that is none; at least one.
        confidence: in [0, 1).
    """
    largest = max(spreads)
    if not largest:
        return 0.0
    parts = tuple(sorted(float(spread / largest) for spread in spreads if spread))
    return float(largest) * _relative(parts, confidence)


@lru_cache(maxsize=1024)
def _relative(parts: tuple[float, ...], confidence: float) -> float:
    reach = math.ceil(len(parts) * FINE * (BEYOND - math.log(1 - confidence)))
    law = [0.0] * reach + [1.0] + [0.0] * reach
    for part in parts:
        add_laplace(law, FINE * part, 1)
    missed, total = 0.0, math.fsum(law)
    for far in range(reach):
        missed += law[far] + law[-1 - far]
        if missed > (1 - confidence) * total:
            return (reach - far) / FINE
    return 0.0


MAX_SIZE = 2**40
"""The greatest number of cells; `UNITS` / 2 cuts in each keep within 2⁶⁴ candidates."""

OUTSIDE = 0.05
"""The probability that the answer to MIN or MAX lies outside the data, at most."""


@dataclass(frozen=True, slots=True)
class JointQuantiles:
    """Cells of a grid at given ranks, in order.

    Attributes:
        size: cells of the public grid, numbered from 0; 1 … `MAX_SIZE`.
        targets: with ascending shares, at least one.
        rate: the privacy loss per row and level, > 0, exact.

    Raises:
        ValueError: any other size, targets or rate.
        TypeError: a share or the rate is not exact.
    """

    size: int
    targets: tuple[Rank, ...]
    rate: Fraction

    def __post_init__(self) -> None:
        if any(type(x) is not Fraction for x in (self.rate, *(t.share for t in self.targets))):
            raise TypeError("shares and the rate must be Fractions")
        shares = [Fraction(0), *(target.share for target in self.targets), Fraction(1)]
        if not self.targets or shares != sorted(shares):
            raise ValueError("there must be targets, their shares ascending from 0 to 1")
        if not (1 <= self.size <= MAX_SIZE and self.rate > 0):
            raise ValueError("a grid has between 1 and 2^40 cells, and a rate is positive")

    @classmethod
    def calibrate(
        cls, rows: int, eps: Fraction, size: int, shares: Sequence[Fraction]
    ) -> JointQuantiles:
        """The mechanism that spends `eps` on units of up to `rows` rows; `MOST` a choice at most.

        Args:
            rows: the most rows of one unit, over all groups together, ≥ 1.
            eps: > 0, exact, for all targets together.
            size: cells of the grid.
            shares: ascending, in [0, 1]; 0 is MIN and 1 is MAX, which are asked τ rows from the
                end, τ being such that the answer lies in the data with probability 1 − `OUTSIDE`.

        Raises:
            ValueError: `rows` < 1, `eps` ≤ 0, a size or shares that are none.
            TypeError: `eps` or a share is not exact.
        """
        if type(rows) is not int or type(eps) is not Fraction:
            raise TypeError("rows must be an int and eps a Fraction")
        if rows < 1 or eps <= 0:
            raise ValueError("rows must be at least 1 and eps positive")
        rate = min(eps / max(1, len(shares).bit_length()), Fraction(MOST)) / rows
        plain = cls(size, tuple(Rank(share) for share in shares), rate)
        # The last choice on the way to a target is its own.
        margins = [math.ceil(path[-1].within(OUTSIDE)) for path in plain._paths(plain.targets)]
        targets = [
            Rank(share, margin if share == 0 else -margin if share == 1 else 0)
            for share, margin in zip(shares, margins, strict=True)
        ]
        return cls(size, tuple(targets), rate)

    @property
    def levels(self) -> int:
        """The most choices that one row takes part in: ⌈log₂(m + 1)⌉ for m targets."""
        return len(self.targets).bit_length()

    def event(self, rows: int, /) -> ExponentialEvent:
        """The record of this mechanism on units of up to `rows` rows over all groups.

        Raises:
            ValueError: `rows` < 0.
        """
        if rows < 0:
            raise ValueError("a unit cannot have a negative number of rows")
        return ExponentialEvent(self.rate * rows, self.levels)

    def rank_error(self, confidence: float, /) -> list[int]:
        """How many rows each answer is from its target's rank, at most, each at `confidence`, where
        there are many rows and they are spread evenly near it.

        The rank of a choice is then off by e with density ∝ exp(−rate·|e|). A target below a cut
        also inherits q′ times the error of the cut, one above it 1 − q′ times, and half a row of
        rounding. (Where rows leave a gap near the rank, the answer may be anywhere in it. Gaps by
        chance hardly change the average: of some rows more than `confidence` of the answers are
        within, of some less.)

        Raises:
            ValueError: `confidence` is not in [0, 1).
        """
        if not 0 <= confidence < 1:
            raise ValueError("a confidence must be in [0, 1)")
        return [
            math.ceil(off([c.part / c.rate for c in path], confidence) + (len(path) - 1) / 2)
            for path in self._paths(self.targets)
        ]

    def draw(self, cells: Sequence[int], counts: Sequence[int], /) -> list[int]:
        """A cell for each target, in order, never descending; fresh each time.

        Args:
            cells: those with rows, ascending, each in 0 … size−1; there may be none.
            counts: the number of rows in each, > 0.

        Raises:
            ValueError: other cells or counts. The message holds no value.
        """
        if any(map(ge, chain((-1,), cells), chain(cells, (self.size,)))):
            raise ValueError("cells must ascend within the grid")
        if min(counts, default=1) < 1 or len(counts) != len(cells):
            raise ValueError("each cell must have a positive number of rows")
        return self._answers(Mass(cells, counts), 0, self.size * UNITS, self.targets)

    def _answers(self, mass: Mass, low: int, high: int, targets: tuple[Rank, ...]) -> list[int]:
        """The cells for `targets` of the mass between the steps `low` and `high`."""
        if len(targets) <= 2:
            offers = [mass.cells(low, high, t, self.choice_rate(t)) for t in targets]
            return sorted(offer.draw() for offer in offers)
        below, middle, above = divide(targets)
        cut = mass.cuts(low, high, middle, self.choice_rate(middle)).draw()
        return [
            *self._answers(mass, low, cut, below),
            cut // UNITS,
            *self._answers(mass, cut, high, above),
        ]

    def choice_rate(self, target: Rank) -> Fraction:
        """The rate per row of rank at which one row costs `rate`: its scores' range is 2·slope."""
        return self.rate / (2 * target.slope)

    def _paths(self, targets: tuple[Rank, ...]) -> list[list[_Choice]]:
        """For each target the choices from the first one to its own."""
        if len(targets) <= 2:
            # In order, neither of two is farther off than the one that was drawn farther off.
            rate = min((self.choice_rate(target) for target in targets), default=self.rate)
            return [[_Choice(Fraction(1), self.size * len(targets), rate)] for _ in targets]
        below, middle, above = divide(targets)
        places, rate = self.size * UNITS // 2, self.choice_rate(middle)
        return [
            *(
                [_Choice(target.share, places, rate), *path]
                for target, path in zip(below, self._paths(below), strict=True)
            ),
            [_Choice(Fraction(1), places, rate)],
            *(
                [_Choice(1 - target.share, places, rate), *path]
                for target, path in zip(above, self._paths(above), strict=True)
            ),
        ]


def divide(
    targets: tuple[Rank, ...],
) -> tuple[tuple[Rank, ...], Rank, tuple[Rank, ...]]:
    """(the targets below the middle one, in terms of the mass there; the middle; those above)."""
    half = len(targets) // 2
    middle = targets[half]
    below = tuple(target.below(middle) for target in targets[:half])
    return below, middle, tuple(target.above(middle) for target in targets[half + 1 :])


@dataclass(frozen=True, slots=True)
class _Choice:
    """One choice on the way to a target.

    Attributes:
        part: of its error that the target inherits.
        places: candidates.
        rate: per row of rank.
    """

    part: Fraction
    places: int
    rate: Fraction

    def within(self, missed: float) -> float:
        """Rows within which it stays but for a probability `missed`, > 0."""
        return max(0.0, (math.log(self.places) - math.log(missed)) / float(self.rate))
