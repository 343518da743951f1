"""What the constraints of a catalog's column come to, in values of the column's own type."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from fractions import Fraction
from math import prod

from dpsql.platform.policy.catalog import CatalogColumn
from dpsql.platform.policy.scalars import coerce, tighten
from dpsql.types import Scalar, Type

_MANTISSA = {"DOUBLE": 53, "FLOAT": 24}


def enforced_bounds(column: CatalogColumn) -> tuple[Scalar, Scalar] | None:
    """The range that a CHECK enforces; None where there is none, or it cannot be said."""
    bounds = tighten(column.bounds, column.type) if column.bounds is not None else None
    if bounds is None or not column.type.is_float:
        return bounds
    low, high = bounds
    assert isinstance(low, Fraction) and isinstance(high, Fraction)
    # The engine compares with the literal rounded to binary: `x <= 0.1` lets through the double
    # next to 0.1, which is above it.
    low, high = low - _slack(low, column.type), high + _slack(high, column.type)
    try:
        return coerce(low, column.type), coerce(high, column.type)
    except ValueError:
        return None


def enforced_values(column: CatalogColumn) -> tuple[Scalar, ...] | None:
    """The domain that a CHECK or an ENUM enforces; None as above."""
    labels: tuple[Scalar, ...] | None = column.type.values
    if column.values is None:
        return labels
    values: list[Scalar] = []
    for value in column.values:
        try:
            values.append(coerce(value, column.type))
        except ValueError:
            if not (column.type.is_exact and isinstance(value, int | Fraction)):
                return labels  # '1' in an INTEGER: the engine casts it, who knows to what
            # A number that is none of the type is none in the column: 1.5 in an INTEGER.
    if any(isinstance(v, Fraction) and _slack(v, column.type) for v in values):
        return labels
    if (bounds := enforced_bounds(column)) is not None:
        values = [v for v in values if bounds[0] <= v <= bounds[1]]  # type: ignore[operator]
    return tuple(dict.fromkeys(values)) or labels


def most_rows(
    keys: Iterable[tuple[str, ...]], name: str, size: Callable[[str], int | None]
) -> int | None:
    """How many rows share one value of a column at most; None where no key says so.

    Why: two such rows differ in another column of the key, and none of these is NULL; so there are
    no more rows than these columns have values together.

    Args:
        keys: sets of columns that are each unique and never NULL.
        name: the column.
        size: how many values a column has; None where that is not known.
    """
    found = []
    for key in filter(None, keys):
        others = [size(column) for column in key if column != name]
        if None not in others:
            found.append(prod(count for count in others if count is not None))
    return min(found, default=None)


def size(
    kind: Type, values: tuple[Scalar, ...] | None, bounds: tuple[Scalar, Scalar] | None
) -> int | None:
    """How many values a key tells apart, without NULL, of a type within a list or bounds; None
    where that is not known: of floating numbers it tells 0.0 and -0.0, which are one value.
    """
    if not (kind.is_exact or kind.is_string or kind.name in ("ENUM", "DATE", "BOOLEAN")):
        return None
    if values is not None:
        return len(values)
    if bounds is None:
        return None
    first, last = bounds
    if isinstance(first, date) and isinstance(last, date) and kind.name == "DATE":
        return (last - first).days + 1
    whole = isinstance(first, int) and isinstance(last, int) and kind.is_integer
    return int(last) - int(first) + 1 if whole else None  # type: ignore[arg-type]


def _slack(value: Fraction, of: Type) -> Fraction:
    """How far the number that the engine compares with may be from `value`; 0 for an exact one."""
    mantissa = _MANTISSA.get(of.name)
    if mantissa is None:
        return Fraction(0)
    power_of_two = value.denominator & (value.denominator - 1) == 0
    if power_of_two and value.denominator <= 1 << 100:
        digits = abs(value.numerator)
        while digits and digits % 2 == 0:
            digits //= 2
        if digits.bit_length() <= mantissa:
            return Fraction(0)
    # Two roundings at most (a DECIMAL's digits, its division), and numbers too small to be normal.
    return abs(value) / (1 << (mantissa - 3)) + Fraction(1, 1 << 140)
