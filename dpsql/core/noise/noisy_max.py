"""Report-noisy-max: the best of a public list of candidates, by scores that are counted or summed.

Claim. Let the score of each candidate be an integer, and let all scores change by amounts within a
range of length r between neighbours. To report the largest of the scores + independent exponential
noises of mean `scale` is (r / scale)-differentially private. If each score moves by at most l, then
r = 2l, and r = l if all move the same way (`monotone`: a unit added can only add to counts).

Why. It is the same distribution as permute-and-flip: in random order, candidate v is taken with
probability exp(−(best − score v) / scale), the first one taken is the answer. A change of all
scores by the same amount changes nothing, so that the range may be placed at −r/2 … r/2, where
permute-and-flip is proved to be (2 · (r/2) / scale)-private. Two candidates reach it.

Sources. McKenna, Sheldon, "Permute-and-flip: a new mechanism for differentially private selection",
NeurIPS 2020; Ding, Kifer, Sayed, Steinke, Wang, Xiao, Zhang, "The permute-and-flip mechanism is
identical to report-noisy-max with exponential noise", 2021. The sampler is OpenDP's
(``make_noisy_max`` under pure privacy), exact on rationals. Its own map gives 2l / scale, and
l / scale for its ``monotonic`` distance; the tests compare.

OpenDP takes i64. It is given each score's distance from the best one, cut off at 2⁶²: that keeps
ties, moves a score no more than the scores moved, so that the claim holds for what is given, and
no score, however large, makes it fail. What is as far as that has a probability below exp(−128).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpsql.core.account.events import PureEvent
from dpsql.core.noise import sampler
from dpsql.core.noise.integer_noise import NoiseError
from dpsql.core.noise.laplace import DiscreteLaplace

_FAR = 2**62


@dataclass(frozen=True, slots=True)
class NoisyMax:
    """The index of the largest of several noisy scores.

    Attributes:
        scale: of the exponential noise, in units of score, 0 ≤ scale ≤ 2⁵⁵; 0 is no noise.
        monotone: whether a unit moves all scores the same way.

    Raises:
        NoiseError: any other scale.
    """

    scale: float
    monotone: bool

    def __post_init__(self) -> None:
        DiscreteLaplace(self.scale)  # the same range

    @classmethod
    def calibrate(cls, linf: int, eps: Fraction, monotone: bool) -> NoisyMax:
        """The smallest noise that spends `eps` on scores that each move by at most `linf`.

        Args:
            linf: in units of score, ≥ 0; 0 needs no noise.
            eps: > 0, exact.
            monotone: whether a unit moves all scores the same way.

        Raises:
            NoiseError: the noise would not fit 64 bits.
            ValueError: `linf` < 0 or `eps` ≤ 0.
            TypeError: `linf` or `eps` is not exact.
        """
        if type(linf) is not int:
            raise TypeError("linf must be an int")
        return cls(DiscreteLaplace.calibrate(linf if monotone else 2 * linf, eps).scale, monotone)

    def event(self, linf: int, /) -> PureEvent:
        """The record of one choice among scores that each move by at most `linf`: of its range it
        is not known that it is bounded by ε.

        Raises:
            NoiseError: `linf` > 0 without noise, or `linf` < 0.
        """
        if linf < 0 or (linf > 0 and self.scale == 0):
            raise NoiseError("a private score needs noise")
        spread = linf if self.monotone else 2 * linf
        return PureEvent(spread / Fraction(self.scale) if spread else Fraction(0))

    def within(self, candidates: int, confidence: float) -> int:
        """How far from the best score the chosen one is, at most, at `confidence`.

        A candidate that is d below the best passes it with probability exp(−d / scale) / 2, so one
        of k − 1 does with at most (k − 1)/2 · exp(−(t + 1) / scale), if all are t + 1 below.

        Raises:
            ValueError: `candidates` < 1, or `confidence` is not in [0, 1).
        """
        if candidates < 1 or not 0 <= confidence < 1:
            raise ValueError("there must be candidates, and a confidence in [0, 1)")
        if candidates == 1 or self.scale == 0:
            return 0
        needed = self.scale * math.log((candidates - 1) / (2 * (1 - confidence)))
        return max(0, math.ceil(needed) - 1)

    def draw(self, scores: Sequence[int], /) -> int:
        """The index of the chosen score; equal scores are as likely, the first without noise.

        Raises:
            NoiseError: the sampler failed.
            ValueError: no scores.
        """
        if not scores:
            raise ValueError("there is nothing to choose from")
        best = max(scores)
        if self.scale == 0:
            return scores.index(best)
        return sampler.choice(
            sampler.noisy_max(self.scale, self.monotone),
            [-min(best - score, _FAR) for score in scores],
        )
