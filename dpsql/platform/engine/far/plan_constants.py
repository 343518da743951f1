"""The values that stand in a bound plan, and constants that DuckDB would cast, as they are then."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, timedelta
from decimal import Context, Decimal, InvalidOperation

from dpsql.platform.engine.far.operators import Constant, Unsupported
from dpsql.types import Type

_DAY_0 = date(1970, 1, 1)
_START = datetime(1970, 1, 1)
_EXACT = Context(prec=80)
"""Of more digits than any DECIMAL has: the usual one rounds to 28."""


def whole(constant: Constant) -> int:
    """Of an integer type; a HUGEINT is written in two halves."""
    value = constant.value
    if isinstance(value, dict):
        return (int(value["upper"]) << 64) + int(value["lower"])
    return int(value)


def decimal(constant: Constant) -> Decimal:
    """Of a DECIMAL, which is written in its last digit's units; a released one is a text."""
    if isinstance(constant.value, Decimal | str):
        return Decimal(constant.value)
    return Decimal(whole(constant)).scaleb(-(constant.type.scale or 0), _EXACT)


def day(constant: Constant) -> date:
    """Of a DATE, which is written in days, or as a text that DuckDB would cast.

    Raises:
        Unsupported: it is in no year from 1 to 9999.
    """
    if isinstance(constant.value, date):
        return constant.value
    try:
        if isinstance(constant.value, str):
            return date.fromisoformat(constant.value)
        return _DAY_0 + timedelta(days=constant.value)
    except (OverflowError, ValueError):
        pass
    raise Unsupported("a date before the year 1 or after 9999")


def moment(constant: Constant) -> datetime:
    """Of a TIMESTAMP, which is written in microseconds, or as a text that DuckDB would cast.

    Raises:
        Unsupported: it is in no year from 1 to 9999.
    """
    if isinstance(constant.value, datetime):
        return constant.value
    try:
        if isinstance(constant.value, str):
            return datetime.fromisoformat(constant.value)
        return _START + timedelta(microseconds=constant.value)
    except (OverflowError, ValueError):
        pass
    raise Unsupported("a timestamp before the year 1 or after 9999")


def double(constant: Constant) -> str:
    """Of a DOUBLE: the digits that stand for it alone, or NaN, Infinity, -Infinity."""
    value = float(constant.value)
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return repr(value)


def number(constant: Constant) -> float:
    """Of any type of numbers, or a text that is one: the nearest DOUBLE."""
    if constant.type.is_integer:
        return float(whole(constant))
    return float(decimal(constant)) if constant.type.is_decimal else float(constant.value)


BEFORE, AFTER = "before all", "after all"
"""The last day, or microsecond, before the years 1 to 9999, and the first after them."""

_ENDS = {
    "DATE": {"0001-12-31 (BC)": BEFORE, "10000-01-01": AFTER},
    "TIMESTAMP": {"0001-12-31 (BC) 23:59:59.999999": BEFORE, "10000-01-01 00:00:00": AFTER},
}
"""What stands for what is below, and above, all that a column has."""


def folded(text: str, kind: Type) -> Constant:
    """A text that is cast to another type.

    Raises:
        Unsupported: it is not written in the one way in which dpsql writes such a value.
    """
    end = _ENDS.get(kind.name, {}).get(text)
    if end is not None:
        return Constant(end, kind)
    try:
        if kind.name == "DATE":
            return Constant(date.fromisoformat(text), kind)
        if kind.name == "TIMESTAMP":
            found = datetime.fromisoformat(text)
            if found.tzinfo is None:
                return Constant(found, kind)
            return Constant(found.astimezone(UTC).replace(tzinfo=None), kind)
        if kind.name == "DOUBLE":
            return Constant(float(text), kind)
        if kind.is_integer:
            return Constant(int(text), kind)
        if kind.is_decimal:
            last = Decimal(1).scaleb(-(kind.scale or 0))
            exact = Decimal(text).quantize(last, context=_EXACT)
            if exact == Decimal(text):
                return Constant(exact, kind)
    except (ValueError, InvalidOperation):
        pass
    raise Unsupported(f"a text as {kind}")
