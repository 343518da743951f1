"""Laplace noise for a sum whose clip is found first, with a part of its ε.

Claim. To choose a clip τ with `AdaptiveClip`, and then to add discrete Laplace noise of scale
u·τ/ε' to a sum that one unit moves by at most τ (L1), is private with the cost of both, where
neighbours differ by u units. Why: given τ, which is released, the second step is ε'-private; the
choice is (ε''/u)-private for one unit, so u·(ε''/u)-private for u of them (the ε of a group adds
up; its ρ would grow with u²); adaptive composition.
Source: Dwork, McSherry, Nissim and Smith (TCC 2006) for composition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import takewhile

from dpsql.accounting.events import Event, PureEvent
from dpsql.mechanism.above_threshold import AdaptiveClip
from dpsql.mechanism.laplace import MAX_SCALE, DiscreteLaplace
from dpsql.mechanism.protocol import NoiseError

SPENT_ON_CLIP = Fraction(1, 3)
"""The part of ε that finds the clip."""


@dataclass(frozen=True, slots=True)
class AdaptiveLaplace:
    """A clip, then noise.

    Attributes:
        clip: chooses among the thresholds.
        rest: ε' of the noise.
        units: in how many units neighbours differ.
        thresholds: (clip in steps, parts of a step) in ascending order; those that the noise fits.
    """

    clip: AdaptiveClip
    rest: Fraction
    units: int
    thresholds: tuple[tuple[int, int], ...]

    @classmethod
    def calibrate(
        cls, eps: Fraction, units: int, thresholds: Sequence[tuple[int, int]], octave: int
    ) -> AdaptiveLaplace:
        """The mechanism that spends `eps` on both steps.

        Args:
            eps: > 0, exact.
            units: 1 under add_remove, 2 under replace.
            thresholds: (clip in steps, parts of a step), ascending.
            octave: thresholds in a factor of 2.

        Raises:
            NoiseError: the noise of the least threshold would not fit 64 bits.
        """
        rest = eps * (1 - SPENT_ON_CLIP)
        # The first ones alone: a threshold is known by its number, and where a step is cut no
        # further a later one might fit again.
        most = Fraction(MAX_SCALE) * rest
        fits = tuple(takewhile(lambda t: units * t[0] * t[1] <= most, thresholds))
        if not fits:
            raise NoiseError("the noise would not fit 64 bits: take more ε")
        clip = AdaptiveClip.calibrate(eps * SPENT_ON_CLIP / units, rest / units, len(fits), octave)
        return cls(clip, rest, units, fits)

    @property
    def kind(self) -> str:
        """Its name."""
        return "laplace"

    def events(self) -> tuple[Event, ...]:
        """What an accountant is told: both scans, and the noise, whose lattice is not known yet."""
        return (*self.clip.events(self.units), PureEvent(self.rest))

    def choose(self, above: Sequence[int]) -> int:
        """The number of the threshold to clip at, given how many units are above each."""
        found = self.clip.draw(above[::-1])
        return 0 if found is None else len(above) - 1 - found

    def noise(self, number: int) -> DiscreteLaplace:
        """The noise of the sum that is clipped at that threshold, in parts of a step."""
        clip, parts = self.thresholds[number]
        return DiscreteLaplace.calibrate(self.units * clip * parts, self.rest)
