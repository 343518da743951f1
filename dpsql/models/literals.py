"""Names and constants as SQL has them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction

from dpsql.platform.engine.sql_text import name as quoted
from dpsql.types import Scalar

MOST_PLACES = 18
"""Digits after the point of an exact constant."""

__all__ = ["cases", "constant", "double", "exact", "places", "quoted"]


def double(value: float | Fraction) -> str:
    """A DOUBLE that is read as it was written."""
    text = repr(float(value))
    return text if "e" in text else f"{text}e0"


def places(value: Fraction) -> int | None:
    """How many digits after the point it has; None where these do not end, or are too many."""
    for digits in range(MOST_PLACES + 1):
        if (value * 10**digits).denominator == 1:
            return digits
    return None


def exact(value: Fraction) -> str:
    """A number that has an end, as a DECIMAL or a whole number."""
    digits = places(value)
    assert digits is not None
    if value == -(2**127):  # a minus is read before a number, which is none then
        return f"({exact(value + 1)} - 1)"
    whole = abs(int(value * 10**digits))
    text = f"{whole:0{digits + 1}d}"
    text = f"{text[:-digits]}.{text[-digits:]}" if digits else text
    return f"-{text}" if value < 0 else text


def constant(value: Scalar | Decimal | float) -> str:
    """A value that a column, or a key of an answer, can have."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return double(value) if math.isfinite(value) else f"CAST('{value}' AS DOUBLE)"
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, int | Fraction):
        return exact(Fraction(value))
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    kind = "DATE" if type(value) is date else "TIMESTAMP"
    return f"{kind} '{value}'"


def cases(expression: str, made: Sequence[tuple[Scalar, str]]) -> str:
    """What is made of each value of a column; NULL for others."""
    found = " ".join(f"WHEN {constant(value)} THEN {sql}" for value, sql in made)
    return f"CASE {expression} {found} END"
