"""Axes of drawings: round numbers along them, and where values are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scale:
    """Values from `low` to `high` between two places of a drawing."""

    low: float
    high: float
    begin: float
    end: float

    def at(self, value: float) -> float:
        """Where a value is, to a tenth; what is beyond an end is at that end."""
        span = (self.high - self.low) or 1.0
        part = min(1.0, max(0.0, (value - self.low) / span))
        return round(self.begin + part * (self.end - self.begin), 1)


def scale(values: Sequence[float], begin: float, end: float, *, zero: bool = False) -> Scale:
    """One on which all values are; with 0 where it is asked for."""
    every = [*values, 0.0] if zero else list(values)
    low, high = min(every), max(every)
    if low == high:
        low, high = low - 1, high + 1
    return Scale(low, high, begin, end)


def ticks(found: Scale, most: int = 5) -> list[float]:
    """Round numbers on it, a few."""
    rough = (found.high - found.low) / most
    if not rough > 0 or not math.isfinite(rough):
        return [found.low]
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(s * power for s in (1, 2, 2.5, 5, 10) if s * power >= rough * 0.999)
    first = math.ceil(found.low / step)
    return [n * step for n in range(first, math.floor(found.high / step + 1e-9) + 1)]


def shown(value: float) -> str:
    """A number beside a tick."""
    if value and not 1e-3 <= abs(value) < 1e9:
        return f"{value:.3g}"
    return f"{value:,.10g}"
