"""What every mechanism gives: a scale, an interval, and noise.

A mechanism is a frozen value made by ``calibrate(sensitivity, budget)``. Everything about it but
`Noise.draw` is a pure function of public numbers, so that a query can be explained without
data. Sensitivities, scales and noise are in *lattice units*: the engine's exact integer sums.

A scale is a float because OpenDP takes one; a float is an exact rational, and OpenDP samples for
exactly that rational. Noise is drawn on zeros and added to Python ints, which have no largest
value: no data is ever cast to i64. OpenDP saturates at ±2⁶³, 256 scales away: for Laplace noise
that has a probability below exp(−256) ≈ 10⁻¹¹¹ a draw, for Gaussian noise below exp(−32,000), and
is neglected. Randomness is OpenDP's: OpenSSL's generator, seeded by the operating system and
reseeded in forked children.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from dpsql.errors import DpsqlError

MAX_SCALE = 2.0**55
"""In lattice units; beyond it, noise could come near the i64 that OpenDP draws."""


class NoiseError(DpsqlError, ValueError):
    """Noise that cannot be made safely: a scale out of range, or a failure of the sampler."""


@dataclass(frozen=True, slots=True)
class Noise(ABC):
    """Integer noise that is added to exact integers.

    Attributes:
        scale: the parameter of the noise, in lattice units, 0 ≤ scale ≤ `MAX_SCALE`; 0 is no noise,
            for public constants.

    Raises:
        NoiseError: any other scale.
    """

    scale: float

    kind: ClassVar[str]
    """Its name: "laplace" or "gaussian"."""

    def __post_init__(self) -> None:
        if not (type(self.scale) is float and 0 <= self.scale <= MAX_SCALE):
            raise NoiseError(f"a noise scale must be a float in [0, 2^55], not {self.scale!r}")

    @property
    @abstractmethod
    def variance(self) -> float:
        """Of one draw, in lattice units squared."""

    @abstractmethod
    def mass(self, z: int, /) -> float:
        """P(noise = z)."""

    @abstractmethod
    def tail(self, t: int, /) -> float:
        """P(|noise| > t); 1 for t < 0."""

    def interval(self, confidence: float, /) -> int:
        """The smallest t, in lattice units, with P(|noise| ≤ t) ≥ `confidence`.

        Raises:
            ValueError: `confidence` is not in [0, 1).
        """
        if not 0 <= confidence < 1:
            raise ValueError("a confidence must be in [0, 1)")
        return _interval(self, confidence) if self.scale else 0

    def draw(self, n: int, /) -> list[int]:
        """`n` independent draws in one call, fresh each time: some 6 to 9 µs a value.

        Raises:
            NoiseError: the sampler failed.
            ValueError: `n` < 0.
        """
        if n < 0:
            raise ValueError("cannot draw a negative number of values")
        return self._drawn(n) if n and self.scale else [0] * n

    @abstractmethod
    def _reach(self, confidence: float) -> int:
        """`interval`, where there is noise."""

    @abstractmethod
    def _drawn(self, n: int) -> list[int]:
        """`draw`, where there is noise."""


@lru_cache(maxsize=65536)
def _interval(noise: Noise, confidence: float) -> int:
    return noise._reach(confidence)


def too_wide() -> NoiseError:
    """What is raised where a scale would pass `MAX_SCALE`."""
    return NoiseError("the noise would not fit 64 bits: take a coarser lattice or more ε")
