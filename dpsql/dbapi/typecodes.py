"""The type objects and the constructors of PEP 249."""

from __future__ import annotations

from datetime import date, datetime, time
from typing import Any

from dpsql.core.sqltypes import parse_type
from dpsql.types import INTEGER_BITS, UNSIGNED_BITS


class TypeObject:
    """Equal to the name of each SQL type that it stands for, as a column's description has it."""

    __slots__ = ("_name", "_types")

    def __init__(self, name: str, *types: str) -> None:
        self._name, self._types = name, frozenset(types)

    def __eq__(self, other: object) -> bool:
        return other in self._types if isinstance(other, str) else self is other

    def __hash__(self) -> int:
        return hash(self._types)

    def __repr__(self) -> str:
        return self._name


STRING = TypeObject("STRING", "VARCHAR", "ENUM", "UUID", "JSON")
BINARY = TypeObject("BINARY", "BLOB", "BYTEA", "VARBINARY", "BIT")
NUMBER = TypeObject(
    *("NUMBER", *INTEGER_BITS, *UNSIGNED_BITS, "UHUGEINT"),
    *("DECIMAL", "DOUBLE", "FLOAT", "BOOLEAN"),
)
DATETIME = TypeObject(
    *("DATETIME", "DATE", "TIME", "TIME WITH TIME ZONE"),
    *("TIMESTAMP", "TIMESTAMP WITH TIME ZONE", "INTERVAL"),
)
ROWID = TypeObject("ROWID")
"""No column has it: rows have no identity here."""

NESTED = TypeObject("NESTED", "LIST", "MAP", "STRUCT")
"""Several quantiles, a histogram: PEP 249 has no type object for them."""

Column = tuple[str, str, None, None, int | None, int | None, None]
"""(name, type, display size, internal size, precision, scale, whether it may be NULL)."""


def column(name: str, sql_type: str) -> Column:
    """How a cursor describes a column; what is not known is None."""
    kind = parse_type(sql_type)
    code = kind.name.partition("(")[0]  # STRUCT(a INTEGER) is a STRUCT
    return (name, code, None, None, kind.precision, kind.scale, None)


Date, Time, Timestamp = date, time, datetime
"""(year, month, day), (hour, minute, second), and all six."""


def DateFromTicks(ticks: float) -> date:  # noqa: N802  (the name that PEP 249 wants)
    """The local date, `ticks` seconds after 1970."""
    return date.fromtimestamp(ticks)


def TimeFromTicks(ticks: float) -> time:  # noqa: N802
    """The local time of day, `ticks` seconds after 1970."""
    return datetime.fromtimestamp(ticks).time()


def TimestampFromTicks(ticks: float) -> datetime:  # noqa: N802
    """The local date and time, `ticks` seconds after 1970."""
    return datetime.fromtimestamp(ticks)


def Binary(value: Any) -> bytes:  # noqa: N802
    """Bytes; no query takes them."""
    return bytes(value)
