"""The values that a column of a generated database can have: nasty ones first of all.

Every value is a text that the engine casts to the column's type, or None for NULL: so ±infinity
and dates beyond Python's calendar can be there. What is proven of a column holds of each of them;
what is only claimed, and enforced by the query, does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

from dpsql.core.schema import Column
from dpsql.types import TIME, Scalar, Type

Cell = str | None

MAX_IDS = 100
"""As many keys a TINYINT has, and a few to spare."""

_DAY = re.compile(r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d)?)?")


@dataclass(frozen=True, slots=True)
class Pool:
    """The values of a column.

    Attributes:
        all: every one that is drawn.
        aims: those that the query compares it with, or else the ends of what the policy says.
    """

    all: tuple[Cell, ...]
    aims: tuple[Cell, ...]


def constants(text: str) -> tuple[str, ...]:
    """The constants in a query: strings with their quotes, and numbers."""
    strings = re.findall(r"'(?:[^']|'')*'", text)
    plain = re.sub(r"'(?:[^']|'')*'", "''", text)
    return tuple(
        dict.fromkeys([*strings, *re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])", plain)])
    )


def pool(column: Column, found: Iterable[str]) -> Pool:
    """The values of a column.

    Args:
        column: as the schema has it.
        found: `constants` of the query.
    """
    options = list(dict.fromkeys(c for c in _options(column) if _allowed(column, c)))
    aims = [a for a in dict.fromkeys(_aims(column.type, found)) if _allowed(column, a)]
    ends = [c for c in _inside(column) if c in options]
    every: list[Cell] = list(dict.fromkeys([*options, *aims]))
    if column.nullable:
        every.append(None)
    return Pool(tuple(every) or (None,), tuple(aims or ends or every))


def identity(kind: Type, number: int) -> str:
    """The key of that number."""
    if kind.is_numeric:
        return str(number + 1)
    if kind.name == "DATE":
        return (date(2024, 1, 1) + timedelta(days=number)).isoformat()
    if kind.name == "TIMESTAMP":
        return (datetime(2024, 1, 1) + timedelta(hours=number)).isoformat(sep=" ")
    if kind.is_boolean:
        return ("true", "false")[number % 2]
    if kind.values is not None:
        return kind.values[number % len(kind.values)]
    return f"k{number}"


def identities(column: Column, found: Iterable[str]) -> list[str]:
    """Keys, and among them what the query compares keys with."""
    aims = [a for a in _aims(column.type, found) if _allowed(column, a)]
    usual = [identity(column.type, n) for n in range(MAX_IDS)]
    return list(dict.fromkeys([*usual[:2], *aims, *(u for u in usual if _allowed(column, u))]))


def text(value: Scalar, kind: Type) -> str:
    """A constant as the engine reads it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, str):
        return value
    if kind.is_float:
        return repr(float(value))
    exact = Fraction(value)
    return format(Decimal(exact.numerator) / Decimal(exact.denominator), "f")


def _allowed(column: Column, cell: Cell) -> bool:
    """Whether what is proven of the column lets it have the value."""
    if cell is None:
        return column.nullable
    kind = column.type
    if kind.values is not None and cell not in kind.values:
        return False
    if column.values_proven and column.values is not None:
        return cell in [text(v, kind) for v in column.values]
    if column.max_length_proven and column.max_length is not None and len(cell) > column.max_length:
        return False
    if not column.bounds_proven or column.bounds is None:
        return True
    low, high = column.bounds
    if isinstance(low, date):
        plain = _DAY.fullmatch(cell) is not None
        return plain and text(low, kind) <= cell <= text(high, kind)
    assert isinstance(low, int | Fraction) and isinstance(high, int | Fraction)
    with suppress(ValueError):
        return low <= Fraction(cell) <= high
    return False  # NaN, and the infinite ones


def _options(column: Column) -> Iterator[Cell]:
    yield from _inside(column)
    yield from _outside(column)
    yield from _extremes(column.type)


def _inside(column: Column) -> list[str]:
    kind = column.type
    if column.values is not None:
        return [text(v, kind) for v in column.values]
    if kind.values is not None:
        return list(kind.values)
    if column.bounds is not None:
        low, high = column.bounds
        return [text(v, kind) for v in (high, low, *_between(low, high, kind))]
    if kind.is_boolean:
        return ["true", "false"]
    if kind.is_numeric:
        return ["1", "2", "0", *(t for t in ("-3", "100") if _holds(kind, Fraction(t)))]
    if kind.name == "DATE":
        return ["2024-02-29", "2024-03-01", "1999-12-31"]
    if kind.name == "TIMESTAMP":
        return ["2024-02-29 12:34:56", "2024-03-01 00:00:00", "2024-12-31 23:59:59"]
    if kind.name == "VARCHAR":
        return ["a", "b", "A", "", "ab c", "Ä%_", " x ", "12", "ab@example.com"]
    if kind == TIME:
        return ["12:34:56.789", "00:00:00", "24:00:00", "06:30:00"]
    if kind.name == "LIST":
        one = "NULL" if kind.of is None or kind.of.is_opaque else identity(kind.of, 0)
        return ["[]", f"[{one}, NULL]", "[NULL]", f"[{one}, {one}, {one}]"]
    return ["a"]


def _between(low: Scalar, high: Scalar, kind: Type) -> list[Scalar]:
    if isinstance(low, date) and isinstance(high, date):
        near = timedelta(days=1)
        found = [low + near, high - near]
        return [v for v in found if low <= v <= high]
    assert isinstance(low, int | Fraction) and isinstance(high, int | Fraction)
    step = _step(kind)
    middle = Fraction((low + high) // 2)
    return [v for v in (middle, low + step, high - step, Fraction(0)) if low <= v <= high]


def _outside(column: Column) -> Iterator[str]:
    """Just beyond the bounds, far beyond them, and values that no domain has."""
    kind = column.type
    if column.bounds is not None:
        low, high = column.bounds
        if isinstance(low, date) and isinstance(high, date):
            near = timedelta(days=1)
            with suppress(OverflowError):
                yield from (text(low - near, kind), text(high + near, kind))
        else:
            assert isinstance(low, int | Fraction) and isinstance(high, int | Fraction)
            width = high - low + 1
            for v in (low - _step(kind), high + _step(kind), low - width, high + width):
                if _holds(kind, Fraction(v)):
                    yield text(v, kind)
    if kind.name == "VARCHAR":
        yield from ("elsewhere", "")


def _extremes(kind: Type) -> list[str]:
    """The ends of a type."""
    limits = kind.limits()
    if limits is not None:
        return [text(v, kind) for v in limits]
    if kind.is_float:
        ends = ["0.1", "-0.0", "nan", "inf", "-inf"]
        if kind.name == "FLOAT":
            return [*ends, "3e38", "-3e38"]
        return [*ends, "1e-320", "1.7976931348623157e308", "-1e308"]
    if kind.name == "DATE":
        return ["0001-01-01", "9999-12-31", "infinity", "-infinity", "5881580-07-10"]
    if kind.name == "TIMESTAMP":
        return ["0001-01-01 00:00:00", "9999-12-31 23:59:59.999999", "infinity", "-infinity"]
    return []


def _aims(kind: Type, found: Iterable[str]) -> Iterator[str]:
    """Those of a query's constants that are values of a type, and what is next to them."""
    for constant in found:
        quoted = constant.startswith("'")
        plain = constant[1:-1].replace("''", "'") if quoted else constant
        if kind.is_boolean:
            continue
        if kind.is_numeric and not quoted:
            value, near = Fraction(plain), _step(kind)
            yield from (
                text(v, kind) for v in (value, value - near, value + near) if _holds(kind, v)
            )
        elif kind.is_temporal and quoted and _DAY.fullmatch(plain):
            with suppress(ValueError, OverflowError):
                day = datetime.fromisoformat(plain)
                for at in (day, day - timedelta(days=1), day + timedelta(days=1)):
                    yield text(at.date() if kind.name == "DATE" else at, kind)
        elif quoted and (kind.name == "VARCHAR" or (kind.values and plain in kind.values)):
            yield plain


def _step(kind: Type) -> Fraction:
    """How far the next value is, or one that is near."""
    return Fraction(1, 10 ** (kind.scale or 0)) if kind.is_exact else Fraction(1, 1000)


def _holds(kind: Type, value: Fraction) -> bool:
    """Whether a type has the number."""
    if kind.is_float:
        return abs(value) < 10**30
    limits = kind.limits()
    whole = (value * 10 ** (kind.scale or 0)).denominator == 1
    return whole and (limits is None or limits[0] <= value <= limits[1])
