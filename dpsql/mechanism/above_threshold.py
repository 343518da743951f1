"""The first of many counts that is large enough, and where to clip the sums of units.

Claim. Let c₁ … c_m be counts that one unit changes by at most 1 each, all of them the same way
(units whose total is above τ₁ > τ₂ > …). Draw ρ and each νᵢ ≥ 0 independently, P(ρ) ∝ exp(−ε₁ρ),
P(νᵢ) ∝ exp(−ε₂νᵢ), and stop at the first i with cᵢ + νᵢ ≥ T + ρ. To release i, or that there is
none, is (ε₁ + ε₂)-differentially private, however many counts there are.

Why. Given ρ, P(stop at i) = ∏_{j<i} P(νⱼ < T + ρ − cⱼ) · P(νᵢ ≥ T + ρ − cᵢ). Two facts are used:
P(ρ) = exp(ε₁)·P(ρ + 1) for ρ ≥ 0, and P(ν ≥ x) ≤ exp(ε₂)·P(ν ≥ x + 1) for all x. Let D′ have one
unit more: c ≤ c′ ≤ c + 1. From D to D′, pair ρ with ρ + 1: that costs exp(ε₁); each count before i
stays below as easily, since T + ρ − cⱼ ≤ T + (ρ + 1) − c′ⱼ; and count i must pass at most one more,
since T + (ρ + 1) − c′ᵢ ≤ T + ρ − cᵢ + 1, which costs exp(ε₂). From D′ to D, keep ρ: the counts
before i are smaller and stay below as easily, and count i must pass at most one more: exp(ε₂).
The noises are needed in one direction only, so they have one side only: Laplace noise would have
twice the variance, and a low threshold could stop the scan by itself. Many equal counts before i
reach the bound.

Source. The sparse vector technique: Lyu, Su, Li, "Understanding the sparse vector technique for
differential privacy", VLDB 2017, whose proof for monotone queries this is, for other noise.

The threshold and the split of ε are public, and a matter of accuracy only. Where no unit is above,
the m counts stop the scan with probability at most m·exp(−ε₂T): `FALSE_STOP` for T = L/ε₂ with
L = ln(m/`FALSE_STOP`). The scan then stops at about L/ε₂ + 1/ε₁ units, least for ε₂ : ε₁ = √L : 1,
and L is near 15: hence 4 : 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpsql.accounting.events import AboveThresholdEvent
from dpsql.mechanism.laplace import DiscreteLaplace

FALSE_STOP = 1e-6
"""The probability, at most, of a stop among counts that are all 0.

A clip at such a step costs noise in proportion to it, and it may be 2^20 times the right one: where
1 in 10,000 answers is that far off, it decides the mean error.
"""


@dataclass(frozen=True, slots=True)
class AboveThreshold:
    """The first count that passes a threshold, both noisy.

    Attributes:
        threshold: public, in units.
        threshold_scale: 1/ε₁, of the noise on the threshold, > 0.
        count_scale: 1/ε₂, of the noise on each count, > 0.

    Raises:
        NoiseError: a scale out of range.
        ValueError: no noise.
    """

    threshold: int
    threshold_scale: float
    count_scale: float

    def __post_init__(self) -> None:
        if not (
            DiscreteLaplace(self.threshold_scale).scale and DiscreteLaplace(self.count_scale).scale
        ):
            raise ValueError("a private count needs noise")

    @classmethod
    def calibrate(cls, eps: Fraction, steps: int, least: int = 1) -> AboveThreshold:
        """The scan that spends `eps`.

        Args:
            eps: > 0, exact.
            steps: how many counts there are at most, ≥ 1.
            least: a threshold below this is not wanted, in units.

        Raises:
            NoiseError: the noise would not fit 64 bits.
            ValueError: `eps` ≤ 0 or `steps` < 1.
            TypeError: `eps` is not exact.
        """
        if steps < 1:
            raise ValueError("there must be at least one step")
        on_threshold = DiscreteLaplace.calibrate(1, eps / 5)
        on_counts = DiscreteLaplace.calibrate(1, eps * 4 / 5)
        quiet = math.ceil(on_counts.scale * math.log(steps / FALSE_STOP))
        return cls(max(least, quiet), on_threshold.scale, on_counts.scale)

    def event(self, units: int = 1, /) -> AboveThresholdEvent:
        """The record of one scan, where neighbours differ by so many units."""
        return AboveThresholdEvent(self.threshold_scale, self.count_scale, units)

    def draw(self, counts: Sequence[int], /) -> int | None:
        """The index of the first count that passes; None if none does.

        Raises:
            NoiseError: the sampler failed.
        """
        (offset,) = geometric(self.threshold_scale, 1)
        noises = geometric(self.count_scale, len(counts))
        bar = self.threshold + offset
        passed = [count + noise >= bar for count, noise in zip(counts, noises, strict=True)]
        return passed.index(True) if any(passed) else None


@dataclass(frozen=True, slots=True)
class AdaptiveClip:
    """Where to clip the totals of units before they are summed, on a geometric grid of totals.

    A clip at τ loses what units have above τ, and costs noise τ/ε of the release: best is about 1/ε
    units above it. A scan stops at more units than that, at step i. So a second one, with a fourth
    of the first one's ε, goes on to about four times as many, at step j; (j − i) says how fast the
    tail falls, and the clip is lifted from i to the 1/ε units that the tail, continued as a power
    law, would have: at least by half an octave, since the largest total may be anywhere in its
    step, and at most by four and a half octaves. All of that is computed from the two steps, which
    are released. The limits were chosen by simulation, and are a matter of accuracy only.

    At ε = 0.8, a third of it for the clip, 100,000 units and 60 samples that were not used for the
    choice, the mean relative error is 1.8 % (lognormal, σ = 2), 7.5 % (Zipf 1.5) and 22.2 %
    (Zipf 2; see `benchmarks/accuracy.py`). The last is mostly the one largest unit of each sample,
    and differs by 2 points from 60 samples to the next; the best clip of each, chosen with
    knowledge of it, costs 11.8 %.

    Attributes:
        first: the scan for few units.
        second: the scan for more.
        rest: ε of the later release, > 0.
        octave: grid steps in a factor of 2, ≥ 1.
    """

    first: AboveThreshold
    second: AboveThreshold
    rest: Fraction
    octave: int

    @classmethod
    def calibrate(cls, eps: Fraction, rest: Fraction, steps: int, octave: int) -> AdaptiveClip:
        """The clip that spends `eps`; a third of the whole budget is a good part.

        Args:
            eps: > 0, exact.
            rest: ε of the later release of the clipped sum, > 0, exact.
            steps: of the grid, ≥ 1.
            octave: grid steps in a factor of 2, ≥ 1.

        Raises:
            NoiseError: the noise would not fit 64 bits.
            ValueError: an argument that is not positive.
            TypeError: `eps` is not exact.
        """
        if rest <= 0 or octave < 1:
            raise ValueError("the rest of ε and the steps in an octave must be positive")
        wanted = math.ceil(1 / rest)
        first = AboveThreshold.calibrate(eps * 4 / 5, steps, wanted)
        second = AboveThreshold.calibrate(eps / 5, steps, 4 * first.threshold)
        return cls(first, second, rest, octave)

    def events(self, units: int = 1, /) -> tuple[AboveThresholdEvent, AboveThresholdEvent]:
        """The records of the two scans, where neighbours differ by so many units."""
        return self.first.event(units), self.second.event(units)

    def draw(self, counts: Sequence[int], /) -> int | None:
        """The step of the grid to clip at.

        Args:
            counts: the units whose total is above each step, the greatest step first.

        Returns:
            An index into the grid; None if there are too few units to say.

        Raises:
            NoiseError: the sampler failed.
        """
        stop = self.first.draw(counts)
        if stop is None:
            return None
        return max(0, stop - self.lift(self.second.draw(counts[stop:])))

    def lift(self, further: int | None, /) -> int:
        """How many steps to go up from the first stop, if the second came `further` steps on."""
        least, most = (self.octave + 1) // 2, 9 * self.octave // 2
        if further is None:
            return least
        # In logarithms of the number of units: what is to go, over what was seen.
        seen = math.log(self.second.threshold / self.first.threshold)
        to_go = max(0.0, math.log(self.first.threshold * self.rest))
        return min(max(round(further * to_go / seen), least), most)


def geometric(scale: float, n: int) -> list[int]:
    """`n` independent draws with P(k) ∝ exp(−k / scale), k ≥ 0: discrete Laplace noise, given ≥ 0.

    Raises:
        NoiseError: the sampler failed.
    """
    noise = DiscreteLaplace(scale)
    drawn: list[int] = []
    while len(drawn) < n:
        drawn += [z for z in noise.draw(2 * (n - len(drawn)) + 8) if z >= 0]
    return drawn[:n]
