"""What is exact, and by which group it is known."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

Key = tuple[object, ...]
"""Of a group: the values of its keys."""


class Exact:
    """Exact values: nothing of them is shown, and they are never pickled."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<exact {type(self).__name__.lower()}>"

    def __reduce__(self) -> str:
        raise TypeError("exact cells stay where they are")


def normal(value: object) -> object:
    """A key's value in the one form in which keys are compared, and shown.

    Claim: the same for all values that the engine has in one group. Why: -0.0 and 0.0 become 0, and
    every NaN, whatever its sign and payload, one object. What the engine shows is any row's own.
    """
    if isinstance(value, float):
        if not math.isfinite(value):
            return math.nan if math.isnan(value) else value
        return Fraction(value)
    return Fraction(value) if isinstance(value, Decimal) else value
