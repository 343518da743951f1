"""Exact constants: from what YAML or Python gives to `dpsql.types.Scalar`, and back to text."""

from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor

from dpsql.core.sqltypes import UNKNOWN
from dpsql.types import Number, Scalar, Type

_MAX_DIGITS = 400
_MAX_FLOAT = {
    "DOUBLE": (2 - Fraction(1, 2**52)) * 2**1023,
    "FLOAT": (2 - Fraction(1, 2**23)) * 2**127,
}


def number(value: object) -> Number:
    """The exact number that `value` was written as; a float stands for its shortest decimal text.

    Raises:
        ValueError: no number, or one that is not finite or has too many digits.
    """
    if isinstance(value, float):
        value = Decimal(repr(value))
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"{value} is not a finite number")
        # 1e999999999 is short to write and too long to hold.
        if abs(value.adjusted()) > _MAX_DIGITS or len(value.as_tuple().digits) > _MAX_DIGITS:
            raise ValueError("the number has too many digits")
        value = Fraction(value)
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise ValueError(f"{show(value)} is not a number")
    return int(value) if value.denominator == 1 else value


def scalar(value: object) -> Scalar:
    """`value` as an exact constant of whatever type it has.

    Raises:
        ValueError: NULL, a list, a number that is not finite, a time with a zone.
    """
    if isinstance(value, datetime) and value.tzinfo is not None:
        raise ValueError(f"{value.isoformat()} has a time zone")
    if isinstance(value, bool | str | date | datetime):
        return value
    if value is None:
        raise ValueError("NULL is not a value")
    return number(value)


def coerce(value: Scalar, to: Type) -> Scalar:
    """`value` as a constant of the type `to`, without rounding.

    Raises:
        ValueError: the type has no such value.
    """
    if to.is_boolean and isinstance(value, bool):
        return value
    if to.is_string and isinstance(value, str):
        if to.values is None or value in to.values:
            return value
        raise ValueError(f"{show(value)} is not a label of {to}")
    if to.is_numeric and isinstance(value, int | Fraction) and not isinstance(value, bool):
        return _number_of(value, to)
    if to.is_temporal:
        return _moment(value, to)
    hint = "; put it in quotes" if to.is_string else ""
    raise ValueError(f"{show(value)} is not a value of {to}{hint}")


def tighten(low_high: tuple[Scalar, Scalar], to: Type) -> tuple[Scalar, Scalar] | None:
    """The least range of `to` with all its values in `low_high`; None where that cannot be said.

    An engine's CHECK need not speak of values that the column can hold: `x < 5.5` on an INTEGER.
    """
    if not (to.is_numeric or to.is_temporal):
        return None
    low, high = low_high
    limits = to.limits()
    if limits is not None and isinstance(low, int | Fraction) and isinstance(high, int | Fraction):
        step = Fraction(1, 10 ** (to.scale or 0))
        low = max(Fraction(limits[0]), ceil(low / step) * step)
        high = min(Fraction(limits[1]), floor(high / step) * step)
        if low > high:
            return None
    try:
        return coerce(low, to), coerce(high, to)
    except ValueError:
        return None


def kind_of(value: Scalar) -> str:
    """Constants of different kinds are different: TRUE is not 1."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | Fraction):
        return "number"
    return "text" if isinstance(value, str) else type(value).__name__


def show(value: object) -> str:
    """`value` as a message or a YAML text shows it; numbers exactly."""
    if isinstance(value, Fraction):
        return decimal_text(value) or str(value)
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, int | Decimal):
        return str(value)
    if isinstance(value, list | tuple):
        return "a list"
    return "a mapping" if isinstance(value, dict) else "this"


def decimal_text(value: Number) -> str | None:
    """The decimal digits of `value`, or None where they never end."""
    fraction = Fraction(value)
    rest, places = fraction.denominator, 0
    while rest % 10 == 0:
        rest, places = rest // 10, places + 1
    for prime in (2, 5):
        while rest % prime == 0:
            rest, places = rest // prime, places + 1
    if rest != 1:
        return None
    shifted = abs(fraction.numerator) * 10**places // fraction.denominator
    digits = str(shifted).rjust(places + 1, "0")
    sign = "-" if fraction < 0 else ""
    whole, part = (digits[:-places], digits[-places:].rstrip("0")) if places else (digits, "")
    return f"{sign}{whole}.{part}" if part else f"{sign}{whole}"


def _number_of(value: Number, to: Type) -> Scalar:
    fraction = Fraction(value)
    limits = to.limits()
    if to.is_float:
        limits = (-_MAX_FLOAT[to.name], _MAX_FLOAT[to.name])
    assert limits is not None
    if not limits[0] <= fraction <= limits[1]:
        raise ValueError(f"{show(fraction)} does not fit into {to}")
    if to.is_integer:
        if fraction.denominator != 1:
            raise ValueError(f"{show(fraction)} is not a whole number, as {to} needs")
        return int(fraction)
    if to.is_decimal and (fraction * 10 ** (to.scale or 0)).denominator != 1:
        raise ValueError(f"{show(fraction)} has more decimals than {to}")
    return fraction


def _moment(value: Scalar, to: Type) -> Scalar:
    moment = value
    if isinstance(moment, str):
        try:
            moment = datetime.fromisoformat(moment)
        except ValueError:
            raise ValueError(f"{show(value)} is not a {to}, such as 1992-01-31") from None
    if isinstance(moment, date) and not isinstance(moment, datetime):
        moment = datetime.combine(moment, time())
    if not isinstance(moment, datetime) or moment.tzinfo is not None:
        raise ValueError(f"{show(value)} is not a {to}, such as 1992-01-31")
    if to.name == "TIMESTAMP":
        return moment
    if moment.time() != time():
        raise ValueError(f"{show(value)} is not a {to}, such as 1992-01-31")
    return moment.date()


def comparable(left: Type, right: Type) -> bool:
    """Whether a join on equality compares the two without a cast that a value could fail."""
    if UNKNOWN in (left, right):
        return True
    if left.is_integer and right.is_integer:
        return True
    return left == right or (left.is_string and right.is_string)
