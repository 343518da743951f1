"""Whether a stored answer is as good as the one that is asked for.

An answer is given again where each of its parts was released with at least the ε that it would get
now: noise of no larger scale for the sensitivity that it hides, and choices of no smaller rate.
Whoever wants more pays for a new answer. Between Laplace and Gaussian noise, whose costs do not
compare, the narrower is better: the one with the smaller variance and the smaller interval.

It is a question of accuracy alone: a stored answer is public, however little was paid for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpsql.compile import ReleasedQuery
from dpsql.core.calibrate.calibration import Picker
from dpsql.core.noise.adaptive import AdaptiveLaplace
from dpsql.core.noise.gaussian import DiscreteGaussian
from dpsql.core.noise.integer_noise import Noise
from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.core.noise.quantiles import JointQuantiles
from dpsql.core.release.measures import Measure
from dpsql.execution.loaded import CONFIDENCE

EXACT = "exact"
"""The kind of what is public anyway."""


@dataclass(frozen=True, slots=True)
class Fineness:
    """How good a part of a release is.

    Attributes:
        kind: of the mechanism.
        amounts: the less, the better, each of them.
        noise: that is added, where it is known before the query is run.
    """

    kind: str
    amounts: tuple[Fraction, ...] = ()
    noise: Noise | None = None

    def as_good_as(self, asked: Fineness) -> bool:
        """Whether what was stored with this is as good as what is asked for."""
        if asked.kind == EXACT:
            return self.kind == EXACT
        if self.kind == asked.kind and len(self.amounts) == len(asked.amounts):
            return all(a <= b for a, b in zip(self.amounts, asked.amounts, strict=True))
        if self.noise is None or asked.noise is None or self.kind == EXACT:
            return False
        return self.noise.variance <= asked.noise.variance and (
            self.noise.interval(CONFIDENCE) <= asked.noise.interval(CONFIDENCE)
        )


Finenesses = tuple[Fineness, ...]
"""Of each measure, then of each pick, then of the threshold if there is one."""


def fineness(query: ReleasedQuery, number: int) -> Finenesses:
    """How good the parts of a release are that is made now."""
    release, noise = query.releases[number], query.planned[number].noise
    found = [_added(m, n) for m, n in zip(release.measures, noise, strict=True)]
    found += map(_picked, query.planned[number].pickers)
    threshold = query.planned[number].threshold
    if threshold is not None:
        found.append(Fineness("threshold", (Fraction(threshold),)))
    return tuple(found)


def all_as_good(stored: Finenesses, asked: Finenesses) -> bool:
    """Whether each part is as good as the one that is asked for."""
    return len(stored) == len(asked) and all(
        a.as_good_as(b) for a, b in zip(stored, asked, strict=True)
    )


def added(measure: Measure, noise: Noise) -> Fineness:
    """Of noise on a measure: its scale for each unit of sensitivity, that is 1/ε; or its square."""
    if not measure.sensitivity.l1:
        return Fineness(EXACT)
    scale = Fraction(noise.scale)
    if isinstance(noise, DiscreteGaussian):
        return Fineness("gaussian", (scale**2 / measure.sensitivity.l2_squared,), noise)
    assert isinstance(noise, DiscreteLaplace)
    return Fineness("laplace", (scale / measure.sensitivity.l1,), noise)


def _added(measure: Measure, noise: Noise | AdaptiveLaplace) -> Fineness:
    if not isinstance(noise, AdaptiveLaplace):
        return added(measure, noise)
    return Fineness(
        "adaptive", (1 / noise.rest, 1 / noise.clip.eps, Fraction(noise.clip.check.scale))
    )


def _picked(picker: Picker) -> Fineness:
    if isinstance(picker, JointQuantiles):
        return Fineness("quantiles", (1 / picker.rate,))
    return Fineness("noisy max", (Fraction(picker.scale),))
