"""Laplace noise for a sum whose clip is found first, with a part of its ε; or for a number of
distinct values, whose clip is the capacity of units.

Claim. To choose a clip τ with `ClipChoice` or `CapacityChoice`, and then to add discrete Laplace
noise of scale u·w·τ/ε' to numbers that one unit moves by at most w·τ together (L1), is private with
the cost of both, where neighbours differ by u units, and w is public. Why: given τ, which is
released, the second step is ε'-private; adaptive composition. The numbers may be of several
measures, as the two of an average are.
Source: Dwork, McSherry, Nissim and Smith (TCC 2006) for composition.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import takewhile
from typing import ClassVar

from dpsql.core.account.events import Event, PureEvent
from dpsql.core.noise.capacity import CapacityChoice
from dpsql.core.noise.clip import ClipChoice
from dpsql.core.noise.integer_noise import MAX_SCALE, NoiseError
from dpsql.core.noise.laplace import DiscreteLaplace

SPENT_ON_CLIP, SPENT_ON_CHECK = Fraction(1, 4), Fraction(1, 12)
"""The parts of ε that choose the clip, and that tell whether it may be too low."""

SPENT_ON_CAPACITY = Fraction(1, 3)
"""The part of ε that chooses a capacity, of which a neighbour moves the score both ways."""

Choice = ClipChoice | CapacityChoice


@dataclass(frozen=True, slots=True)
class AdaptiveLaplace:
    """A clip, then noise.

    Attributes:
        clip: chooses among the thresholds.
        rest: ε' of the noise.
        units: in how many units neighbours differ.
        thresholds: (clip, parts of a step) in ascending order; those that the noise fits.
        width: w, how many steps a unit moves all by for each that the clip allows it.
    """

    clip: Choice
    rest: Fraction
    units: int
    thresholds: tuple[tuple[int, int], ...]
    width: int = 1

    SPENT: ClassVar[Fraction] = SPENT_ON_CLIP
    """The part of ε that chooses the clip."""

    @classmethod
    def calibrate(
        cls,
        eps: Fraction,
        units: int,
        thresholds: Sequence[tuple[int, int]],
        prior: Fraction,
        width: int = 1,
    ) -> AdaptiveLaplace:
        """The mechanism for a sum that spends `eps` on both steps.

        Args:
            eps: > 0, exact.
            units: 1 under add_remove, 2 under replace.
            thresholds: (clip, parts of a step), ascending.
            prior: how fast the prior of a clip falls, see `clip`.
            width: of what is clipped, see `AdaptiveLaplace`.

        Raises:
            NoiseError: the noise of the least threshold would not fit 64 bits.
        """

        def choice(spent: Fraction, check: Fraction, rest: Fraction, clips: list[int]) -> Choice:
            return ClipChoice.calibrate(spent, check, rest, units, clips, prior)

        return cls._calibrated(eps, cls.SPENT, units, thresholds, choice, width)

    @classmethod
    def of_values(
        cls, eps: Fraction, units: int, capacities: Sequence[int], groups: int
    ) -> AdaptiveLaplace:
        """The mechanism for a number of values that spends `eps` on both steps.

        Args:
            eps: > 0, exact.
            units: 1 under add_remove, 2 under replace.
            capacities: ascending.
            groups: that are output, as far as that is known; see `capacity`.

        Raises:
            NoiseError: the noise of the least capacity would not fit 64 bits.
        """

        def choice(spent: Fraction, check: Fraction, rest: Fraction, clips: list[int]) -> Choice:
            return CapacityChoice.calibrate(spent, check, rest, units, clips, groups)

        steps = [(n, 1) for n in capacities]
        return cls._calibrated(eps, SPENT_ON_CAPACITY, units, steps, choice)

    @classmethod
    def _calibrated(
        cls,
        eps: Fraction,
        spent: Fraction,
        units: int,
        thresholds: Sequence[tuple[int, int]],
        choice: Callable[[Fraction, Fraction, Fraction, list[int]], Choice],
        width: int = 1,
    ) -> AdaptiveLaplace:
        rest = eps * (1 - spent - SPENT_ON_CHECK)
        # The first ones alone: a threshold is known by its number, and where a step is cut no
        # further a later one might fit again.
        most = Fraction(MAX_SCALE) * rest
        fits = tuple(takewhile(lambda t: units * width * t[0] * t[1] <= most, thresholds))
        if not fits:
            raise NoiseError("the noise would not fit 64 bits: take more ε")
        clips = [clip for clip, _ in fits]
        clip = choice(eps * spent, eps * SPENT_ON_CHECK, rest, clips)
        return cls(clip, rest, units, fits, width)

    @property
    def kind(self) -> str:
        """Its name."""
        return "laplace"

    def events(self) -> tuple[Event, ...]:
        """What an accountant is told: the choice and its check, and the noise, whose lattice is not
        known yet.
        """
        return (*self.clip.events(), PureEvent(self.rest))

    def choose(self, counts: Sequence[int], units: int) -> tuple[int, bool]:
        """The number of the threshold to clip at, and whether many units bear it out.

        Args:
            counts: by threshold, the units above it, or the values that are found with it.
            units: of how many.
        """
        return self.clip.draw(counts, units)

    def noise(self, number: int) -> DiscreteLaplace:
        """The noise of the sum that is clipped at that threshold, in parts of a step."""
        clip, parts = self.thresholds[number]
        return DiscreteLaplace.calibrate(self.units * self.width * clip * parts, self.rest)
