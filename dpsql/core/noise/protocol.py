"""What every mechanism gives: a scale, an interval, and noise.

A mechanism is a frozen value made by ``calibrate(sensitivity, budget)``. Everything about it but
`Noise.draw` is a pure function of public numbers, so that a query can be explained without
data. Sensitivities, scales and noise are in *lattice units*: the engine's exact integer sums.
"""

from __future__ import annotations

from typing import Protocol

from dpsql.errors import DpsqlError


class NoiseError(DpsqlError, ValueError):
    """Noise that cannot be made safely: a scale out of range, or a failure of the sampler."""


class Noise(Protocol):
    """Integer noise that is added to exact integers."""

    @property
    def kind(self) -> str:
        """Its name: "laplace" or "gaussian"."""

    @property
    def scale(self) -> float:
        """The parameter of the noise, in lattice units."""

    @property
    def variance(self) -> float:
        """Of one draw, in lattice units squared."""

    def interval(self, confidence: float, /) -> int:
        """The smallest t, in lattice units, with P(|noise| ≤ t) ≥ `confidence`."""

    def mass(self, z: int, /) -> float:
        """P(noise = z)."""

    def tail(self, t: int, /) -> float:
        """P(|noise| > t)."""

    def draw(self, n: int, /) -> list[int]:
        """`n` independent draws, fresh at every call. Raises NoiseError if the sampler fails."""
