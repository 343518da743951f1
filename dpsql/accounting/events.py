"""What happened: frozen records of the noise that was added.

A record says which mechanism ran, with which parameters; how such records add up is the business
of the accountants (`compose`). It holds nothing that depends on the data. This module imports no
mechanism, so that mechanisms can make events and accountants can read them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from dpsql.accounting.amount import Cost


class Event(Protocol):
    """Something that an accountant can add up."""

    @property
    def cost(self) -> Cost:
        """The smallest (ε, δ) that the event alone is known to satisfy, exact."""


@dataclass(frozen=True, slots=True)
class DiscreteLaplaceEvent:
    """Integer noise P(z) ∝ exp(−|z| / scale) on a vector whose L1 sensitivity is `l1`.

    Attributes:
        scale: in lattice units; 0 only where `l1` is 0 (a public constant).
        l1: in lattice units.

    Raises:
        ValueError: a sensitivity without noise.
    """

    scale: float
    l1: int

    def __post_init__(self) -> None:
        if self.l1 < 0 or not self.scale >= 0 or (self.scale == 0 and self.l1 > 0):
            raise ValueError("discrete Laplace noise needs l1 ≥ 0 and a positive scale")

    @property
    def cost(self) -> Cost:
        """ε = l1 / scale, δ = 0 (Ghosh, Roughgarden and Sundararajan 2009)."""
        return Cost(Fraction(self.l1) / Fraction(self.scale)) if self.l1 else Cost(Fraction(0))
