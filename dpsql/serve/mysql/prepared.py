"""Prepared statements: a text, and the values that its parameters are given."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal

from mysql_mimic.types import ColumnType

from dpsql.serve.mysql.command_text import Value
from dpsql.serve.mysql.errors import Refused, malformed
from dpsql.serve.mysql.strict_bytes import Reader, text

MOST = 500
"""Statements of one connection."""

_TEXTS = {
    *(ColumnType.VARCHAR, ColumnType.VAR_STRING, ColumnType.STRING, ColumnType.ENUM),
    *(ColumnType.BLOB, ColumnType.TINY_BLOB, ColumnType.MEDIUM_BLOB, ColumnType.LONG_BLOB),
    *(ColumnType.JSON, ColumnType.SET),
}
_WHOLE = {
    ColumnType.TINY: 1,
    ColumnType.SHORT: 2,
    ColumnType.YEAR: 2,
    ColumnType.LONG: 4,
    ColumnType.INT24: 4,
    ColumnType.LONGLONG: 8,
}


@dataclass(slots=True)
class Prepared:
    """A statement.

    Attributes:
        sql: its text.
        count: how many parameters it takes.
        types: of them, as they were said at last: of each a byte, and one whether it has no sign.
        long: what came in pieces, by the place of the parameter.
    """

    sql: str
    count: int
    types: bytes = b""
    long: dict[int, bytearray] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Bytes that it holds."""
        return len(self.sql) + 2 * self.count + sum(map(len, self.long.values()))


class PreparedStatements:
    """Those of one connection.

    Args:
        most: bytes that all of them may hold.
    """

    def __init__(self, most: int) -> None:
        self._most, self._next = most, 1
        self._kept: dict[int, Prepared] = {}

    def add(self, made: Prepared) -> int:
        """Keep one; its number.

        Raises:
            Refused: there are too many.
        """
        self._check(made.size)
        if len(self._kept) >= MOST:
            raise Refused(1461, "42000", f"a connection has at most {MOST} prepared statements")
        number, self._next = self._next, self._next + 1
        self._kept[number] = made
        return number

    def find(self, number: int) -> Prepared:
        """The one of a number.

        Raises:
            Refused: there is none.
        """
        if number not in self._kept:
            raise Refused(1243, "HY000", "there is no such prepared statement")
        return self._kept[number]

    def drop(self, number: int) -> None:
        """Forget one, if it is there."""
        self._kept.pop(number, None)

    def clear(self) -> None:
        """Forget all."""
        self._kept.clear()

    def append(self, reader: Reader) -> None:
        """Keep a piece of a parameter; what is none is passed over, since nobody is answered.

        Raises:
            Refused: they hold too much.
        """
        number, place = reader.number(4), reader.number(2)
        made, piece = self._kept.get(number), reader.rest()
        if made is not None and place < made.count:
            self._check(len(piece))
            made.long.setdefault(place, bytearray()).extend(piece)

    def _check(self, more: int) -> None:
        if sum(made.size for made in self._kept.values()) + more > self._most:
            raise Refused(1153, "08S01", "prepared statements hold too much", ends=True)


def values(made: Prepared, reader: Reader, codec: str) -> Sequence[Value]:
    """What the parameters are given; the reader stands behind the number of iterations.

    Raises:
        Refused: what no parameter can be.
    """
    if not made.count:
        return ()
    nulls = reader.take((made.count + 7) // 8)
    if reader.number(1):
        made.types = reader.take(2 * made.count)
    if len(made.types) != 2 * made.count:
        raise malformed()
    found: list[Value] = []
    for place, (kind, sign) in enumerate(zip(made.types[::2], made.types[1::2], strict=True)):
        if nulls[place // 8] >> (place % 8) & 1:
            found.append(None)
        elif place in made.long:
            found.append(text(bytes(made.long[place]), codec))
        else:
            found.append(_value(reader, kind, bool(sign & 0x80), codec))
    made.long.clear()
    return found


def _value(reader: Reader, kind: int, unsigned: bool, codec: str) -> Value:
    if kind == ColumnType.NULL:
        return None
    if kind in _TEXTS:
        return text(reader.counted(), codec)
    if kind in _WHOLE:
        return reader.number(_WHOLE[ColumnType(kind)], signed=not unsigned)
    if kind in (ColumnType.FLOAT, ColumnType.DOUBLE):
        number = reader.real(4 if kind == ColumnType.FLOAT else 8)
        if not math.isfinite(number):
            raise Refused(1367, "22007", "a parameter that is no number")
        return number
    if kind in (ColumnType.DECIMAL, ColumnType.NEWDECIMAL):
        said = text(reader.counted(), "ascii")
        if not re.fullmatch(r"-?\d{1,65}(\.\d{1,65})?", said, re.ASCII):
            raise Refused(1367, "22007", "a parameter that is no number")
        return Decimal(said)
    if kind in (ColumnType.DATE, ColumnType.DATETIME, ColumnType.TIMESTAMP):
        return _moment(Reader(reader.counted()), kind)
    raise Refused(1210, "HY000", "a parameter of a type that is not there")


def _moment(part: Reader, kind: int) -> date | datetime:
    size = part.left
    try:
        year, month, day = part.number(2), part.number(1), part.number(1)
        hour, minute, second = (part.number(1) for _ in range(3)) if size >= 7 else (0, 0, 0)
        micro = part.number(4) if size >= 11 else 0
        found = datetime(year, month, day, hour, minute, second, micro)
        return found.date() if kind == ColumnType.DATE else found
    except ValueError:
        pass
    raise Refused(1367, "22007", "a parameter that is no date")
