"""Laplace noise for a sum whose clip is found first, with a part of its ε.

Claim. To choose a clip τ with `ClipChoice`, and then to add discrete Laplace noise of scale u·τ/ε'
to a sum that one unit moves by at most τ (L1), is private with the cost of both, where neighbours
differ by u units. Why: given τ, which is released, the second step is ε'-private; adaptive
composition.
Source: Dwork, McSherry, Nissim and Smith (TCC 2006) for composition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import takewhile

from dpsql.accounting.events import Event, PureEvent
from dpsql.mechanism.clip import ClipChoice
from dpsql.mechanism.laplace import MAX_SCALE, DiscreteLaplace
from dpsql.mechanism.protocol import NoiseError

SPENT_ON_CLIP, SPENT_ON_CHECK = Fraction(1, 4), Fraction(1, 12)
"""The parts of ε that choose the clip, and that tell whether it may be too low."""


@dataclass(frozen=True, slots=True)
class AdaptiveLaplace:
    """A clip, then noise.

    Attributes:
        clip: chooses among the thresholds.
        rest: ε' of the noise.
        units: in how many units neighbours differ.
        thresholds: (clip in steps, parts of a step) in ascending order; those that the noise fits.
    """

    clip: ClipChoice
    rest: Fraction
    units: int
    thresholds: tuple[tuple[int, int], ...]

    @classmethod
    def calibrate(
        cls, eps: Fraction, units: int, thresholds: Sequence[tuple[int, int]], prior: Fraction
    ) -> AdaptiveLaplace:
        """The mechanism that spends `eps` on both steps.

        Args:
            eps: > 0, exact.
            units: 1 under add_remove, 2 under replace.
            thresholds: (clip in steps, parts of a step), ascending.
            prior: how fast the prior of a clip falls, see `clip`.

        Raises:
            NoiseError: the noise of the least threshold would not fit 64 bits.
        """
        rest = eps * (1 - SPENT_ON_CLIP - SPENT_ON_CHECK)
        # The first ones alone: a threshold is known by its number, and where a step is cut no
        # further a later one might fit again.
        most = Fraction(MAX_SCALE) * rest
        fits = tuple(takewhile(lambda t: units * t[0] * t[1] <= most, thresholds))
        if not fits:
            raise NoiseError("the noise would not fit 64 bits: take more ε")
        clips = [clip for clip, _ in fits]
        choice, check = eps * SPENT_ON_CLIP, eps * SPENT_ON_CHECK
        clip = ClipChoice.calibrate(choice, check, rest, units, clips, prior)
        return cls(clip, rest, units, fits)

    @property
    def kind(self) -> str:
        """Its name."""
        return "laplace"

    def events(self) -> tuple[Event, ...]:
        """What an accountant is told: the choice and its check, and the noise, whose lattice is not
        known yet.
        """
        return (*self.clip.events(), PureEvent(self.rest))

    def choose(self, above: Sequence[int], units: int) -> tuple[int, bool]:
        """The number of the threshold to clip at, given how many units are above each, of how many;
        and whether many are known not to be above it.
        """
        return self.clip.draw(above, units)

    def noise(self, number: int) -> DiscreteLaplace:
        """The noise of the sum that is clipped at that threshold, in parts of a step."""
        clip, parts = self.thresholds[number]
        return DiscreteLaplace.calibrate(self.units * clip * parts, self.rest)
