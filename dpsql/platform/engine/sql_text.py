"""Names and constants of the policy as SQL text: quoted, exact and of a column's type."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable
from datetime import date, datetime
from fractions import Fraction
from typing import TypeGuard

from dpsql.types import Number, Scalar, Type


def name(identifier: str) -> str:
    """One quoted identifier."""
    return '"' + identifier.replace('"', '""') + '"'


def dotted(parts: Iterable[str]) -> str:
    """A qualified name, each part quoted."""
    return ".".join(name(part) for part in parts)


def text(value: str) -> str:
    """A string literal."""
    return "'" + value.replace("'", "''") + "'"


ALL, NONE = "TRUE", "FALSE"


def outside(column: str, type_: Type, bounds: tuple[Scalar, Scalar]) -> str:
    """SQL: whether a non-NULL `column` (SQL) is outside of the inclusive bounds; NaN is.

    The bounds need not be values of the type: they are rounded inward to it, which changes nothing.
    """
    return f"({beyond(column, type_, bounds[0], low=True)} OR " + (
        f"{beyond(column, type_, bounds[1], low=False)})"
    )


def not_among(column: str, type_: Type, values: tuple[Scalar, ...]) -> str:
    """SQL: whether a non-NULL `column` (SQL) is none of the values; NaN is none."""
    members = [m for m in (_exact(value, type_) for value in values) if m is not None]
    return f"{_operand(column, type_)} NOT IN ({', '.join(members)})" if members else ALL


def _operand(column: str, type_: Type) -> str:
    if type_.is_float:
        return f"CAST({column} AS DOUBLE)"  # exact for FLOAT
    return f"CAST({column} AS VARCHAR)" if type_.name == "ENUM" else column


def beyond(column: str, type_: Type, end: Scalar, *, low: bool) -> str:
    """SQL: whether a non-NULL column is below its low end, or above its high one."""
    sign = "<" if low else ">"
    if type_.is_float and _is_number(end):
        # NaN is greater than everything else.
        near = _float(Fraction(end), up=low)
        return f"{_operand(column, type_)} {sign} {_double(near)}"
    if type_.is_exact and _is_number(end):
        step, limits = 10 ** (type_.scale or 0), type_.limits()
        assert limits is not None
        scaled = (math.ceil if low else math.floor)(Fraction(end) * step)
        least, most = limits[0] * step, limits[1] * step
        if scaled > most if low else scaled < least:
            return ALL
        if scaled <= least if low else scaled >= most:
            return NONE
        return f"{column} {sign} {_scaled(scaled, type_)}"
    return f"{_operand(column, type_)} {sign} {_plain(end, type_)}"


def nearest(type_: Type, end: Scalar, *, low: bool) -> str:
    """SQL: the value of the type that is next to a bound, at it or inside; NULL where it has none.

    The literal is the constant that `beyond` compares with.
    """
    if not _is_number(end):
        return _plain(end, type_)
    if type_.is_float:
        near = _float(Fraction(end), up=low)
        if type_.name == "FLOAT":
            near = _single(near, up=low)
        return f"CAST({near!r} AS {type_})" if math.isfinite(near) else "NULL"
    limits = type_.limits()
    assert limits is not None
    inside = max(Fraction(end), limits[0]) if low else min(Fraction(end), limits[1])
    step = 10 ** (type_.scale or 0)
    scaled = (math.ceil if low else math.floor)(inside * step)
    return _scaled(scaled, type_) if limits[0] * step <= scaled <= limits[1] * step else "NULL"


def _exact(value: Scalar, type_: Type) -> str | None:
    """The literal of the type that equals the value, or None if the type has none."""
    if type_.is_float and _is_number(value):
        near = _float(Fraction(value), up=False)
        return _double(near) if math.isfinite(near) and Fraction(near) == value else None
    if type_.is_exact and _is_number(value):
        scaled, limits = Fraction(value) * 10 ** (type_.scale or 0), type_.limits()
        assert limits is not None
        if scaled.denominator != 1 or not limits[0] <= value <= limits[1]:
            return None
        return _scaled(scaled.numerator, type_)
    return _plain(value, type_)


def _plain(value: Scalar, type_: Type) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, datetime):
        return f"CAST({text(value.isoformat(sep=' '))} AS TIMESTAMP)"
    if isinstance(value, date):
        return f"CAST({text(value.isoformat())} AS {type_})"
    if isinstance(value, str):
        return text(value)
    return str(value)  # a number against a type without numbers: the engine decides


def _is_number(value: Scalar) -> TypeGuard[Number]:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def _scaled(scaled: int, type_: Type) -> str:
    scale = type_.scale or 0
    digits = str(abs(scaled)).rjust(scale + 1, "0")
    shown = f"{digits[:-scale]}.{digits[-scale:]}" if scale else digits
    # By way of a text: a bare literal would have a type of its own.
    return f"CAST('{'-' if scaled < 0 else ''}{shown}' AS {type_})"


def _float(value: Fraction, *, up: bool) -> float:
    """The nearest double that is not below (`up`) or not above the value; it may be infinite."""
    try:
        near = float(value)
    except OverflowError:
        near = math.inf if value > 0 else -math.inf
    if up and (near == -math.inf or (math.isfinite(near) and Fraction(near) < value)):
        return math.nextafter(near, math.inf)
    if not up and (near == math.inf or (math.isfinite(near) and Fraction(near) > value)):
        return math.nextafter(near, -math.inf)
    return near


def _single(value: float, *, up: bool) -> float:
    """The nearest number of 32 bits that is not below (`up`) or not above the value."""
    if abs(value) > _GREATEST_SINGLE:
        return value if (value > 0) == up else math.copysign(_GREATEST_SINGLE, value)
    [near] = struct.unpack("f", struct.pack("f", value))
    if near < value if up else near > value:
        [bits] = struct.unpack("i", struct.pack("f", near))
        away = (near >= 0) == up  # the bits grow away from 0
        if near == 0:
            return math.copysign(2.0**-149, 1 if up else -1)
        [near] = struct.unpack("f", struct.pack("i", bits + (1 if away else -1)))
    return float(near)


_GREATEST_SINGLE = (2 - 2.0**-23) * 2.0**127


def _double(value: float) -> str:
    return f"CAST('{value!r}' AS DOUBLE)"
