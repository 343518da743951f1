"""Values as literals of SQL.

A float stands for the decimal that Python prints for it, as an ε does.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal

from dpsql.dbapi.exceptions import DataError

Parameter = None | bool | int | float | Decimal | str | date | datetime

_MAX_DIGITS = 80
_MAX_EXPONENT = 30
"""Of floats that are written without an exponent: exact ones, by which bounds narrow."""


def literal(value: Parameter, dialect: str) -> str:
    """The literal of a dialect that stands for `value`.

    Raises:
        DataError: there is none.
    """
    write = _WRITERS.get(type(value))
    if write is None:
        kinds = "None, bool, int, float, Decimal, str, date or datetime"
        raise DataError(f"a parameter is {kinds}, not {type(value).__name__}")
    return write(value, dialect)


def _signed(text: str) -> str:
    """A number; a negative one in brackets, since -5::VARCHAR is the negative of 5::VARCHAR."""
    return f"({text})" if text.startswith("-") else text


def _integer(value: int, _: str) -> str:
    if abs(value) >= 10**_MAX_DIGITS:
        raise DataError("the integer has too many digits")
    return _signed(str(value))


def _decimal(value: Decimal, _: str) -> str:
    if not value.is_finite():
        raise DataError(f"{value} is no number that a query can have")
    if abs(value.adjusted()) >= _MAX_DIGITS or len(value.as_tuple().digits) > _MAX_DIGITS:
        raise DataError("the decimal has too many digits")
    return _signed(f"{value:f}")


def _float(value: float, dialect: str) -> str:
    if not math.isfinite(value):
        raise DataError(f"{value} is no number that a query can have")
    exact = Decimal(repr(value))
    return (
        _decimal(exact, dialect) if abs(exact.adjusted()) < _MAX_EXPONENT else _signed(f"{value!r}")
    )


def _text(value: str, _: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _moment(value: datetime, dialect: str) -> str:
    if value.tzinfo is not None:
        raise DataError("a datetime with a time zone")
    kind = {"bigquery": "DATETIME", "tsql": "DATETIME2"}.get(dialect, "TIMESTAMP")
    return f"CAST('{value.isoformat(' ')}' AS {kind})"


_WRITERS: dict[type, Callable[..., str]] = {
    type(None): lambda _, __: "NULL",
    bool: lambda value, _: "TRUE" if value else "FALSE",
    int: _integer,
    float: _float,
    Decimal: _decimal,
    str: _text,
    date: lambda value, _: f"CAST('{value.isoformat()}' AS DATE)",
    datetime: _moment,
}
"""By the exact type: what a subclass prints is its own affair."""
