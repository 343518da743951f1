"""What a worker process and its parent say to each other: JSON, in frames of bounded size.

Nothing is ever unpickled, since the worker runs what an analyst wrote. A frame is its length, one
letter that says what it is, and a JSON text. A value is written so that exactly it comes back:

    null, true, 12, "text"       NULL, BOOLEAN, whole numbers, texts
    ["f", 0.5]                   DOUBLE; also NaN and Infinity
    ["D", "1.50"]                DECIMAL, with its zeros
    ["d", "2026-11-22"]          DATE; "dt" TIMESTAMP, "z" one with a zone, in UTC; "t" TIME
    ["i", days, s, µs]           INTERVAL
    ["b", "00ff"]  ["u", "…"]    BLOB, UUID
    ["l", …] ["a", …] ["m", [key, value], …]      lists, tuples, dicts

Rows travel by columns. A column of one type needs no tag for each value: `["D", ["1.50", null]]`.
One of `WholeRows` is its bytes, little end first, in base64, and how many are a number:
`["q8", "AQAAAAAAAAA="]`.
Whatever is not exactly this is no message, and the worker that sent it is ended.
"""

from __future__ import annotations

import json
import struct
import sys
from array import array
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Final, TypeVar
from uuid import UUID

from dpsql.platform.engine.whole_rows import CODES, Row, WholeRows

MAX_FRAME: Final = 1 << 26
"""The bytes of one message; longer answers come in several."""

HEADER: Final = struct.Struct(">Ic")

T = TypeVar("T")


class NotSaid(ValueError):  # noqa: N818  (no error of anybody's)
    """A message that is none, or a value that cannot be one. It holds nothing of either."""


_WIDTHS: Final = {f"q{array(code).itemsize}": code for code in CODES}

_NULL = type(None)
_PLAIN: Final = {bool, int, str, _NULL}

_SINGLE: Final[dict[type, tuple[str, Callable[[Any], object]]]] = {
    float: ("f", lambda v: v),
    Decimal: ("D", str),
    date: ("d", date.isoformat),
    bytes: ("b", bytes.hex),
    UUID: ("u", str),
    time: ("t", time.isoformat),
}


def _float(value: object) -> float:
    if type(value) is not float:
        raise NotSaid("no number")
    return value


def _of_text(made: Callable[[str], object]) -> Callable[[object], object]:
    def read(value: object) -> object:
        if type(value) is not str or len(value) > MAX_FRAME:
            raise NotSaid("no text")
        return made(value)

    return read


def _decimal(text: str) -> Decimal:
    made = Decimal(text)
    exponent = made.as_tuple().exponent
    # DuckDB has 38 digits. A larger exponent would be a number that fills the memory.
    if len(text) > 60 or not isinstance(exponent, int) or abs(exponent) > 60:
        raise NotSaid("no decimal")
    return made


def _zoned(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


_READ: Final[dict[str, Callable[[object], object]]] = {
    "f": _float,
    "D": _of_text(_decimal),
    "d": _of_text(date.fromisoformat),
    "dt": _of_text(datetime.fromisoformat),
    "z": _of_text(_zoned),
    "t": _of_text(time.fromisoformat),
    "b": _of_text(bytes.fromhex),
    "u": _of_text(UUID),
}


def written(value: object) -> object:
    """One value as JSON.

    Raises:
        NotSaid: it is of no type that is known here.
    """
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind in _SINGLE:
        tag, made = _SINGLE[kind]
        return [tag, made(value)]
    if isinstance(value, datetime):
        if value.tzinfo is None:
            return ["dt", value.isoformat()]
        return ["z", value.astimezone(UTC).replace(tzinfo=None).isoformat()]
    if isinstance(value, timedelta):
        return ["i", value.days, value.seconds, value.microseconds]
    if isinstance(value, list):
        return ["l", *map(written, value)]
    if isinstance(value, tuple):
        return ["a", *map(written, value)]
    if isinstance(value, dict):
        return ["m", *([written(k), written(v)] for k, v in value.items())]
    raise NotSaid("a value of another type")


def read(said: object) -> object:
    """The value that was written.

    Raises:
        NotSaid: it is none.
    """
    if type(said) in _PLAIN:
        return said
    if type(said) is not list or not said:
        raise NotSaid("no value")
    tag, *rest = said
    if type(tag) is not str:
        raise NotSaid("no value")
    if tag in _READ and len(rest) == 1:
        return _READ[tag](rest[0])
    if tag == "i" and len(rest) == 3 and all(type(part) is int for part in rest):
        return timedelta(*rest)
    if tag == "l":
        return [read(item) for item in rest]
    if tag == "a":
        return tuple(read(item) for item in rest)
    if tag == "m" and all(type(entry) is list and len(entry) == 2 for entry in rest):
        return {read(key): read(value) for key, value in rest}
    raise NotSaid("no value")


def columns(rows: Sequence[Sequence[object]]) -> list[object]:
    """Rows of one width by their columns."""
    if isinstance(rows, WholeRows):
        return [
            [f"q{column.itemsize}", b64encode(_little(column).tobytes()).decode()]
            for column in rows.columns
        ]
    return [column(values) for values in zip(*rows, strict=True)]


def column(values: Sequence[object]) -> list[object]:
    """The values of one column: a tag, and the values."""
    kinds = set(map(type, values)) - {_NULL}
    if kinds <= _PLAIN:
        return ["", list(values)]
    if len(kinds) == 1:
        (kind,) = kinds
        if kind in _SINGLE:
            tag, made = _SINGLE[kind]
            return [tag, [None if v is None else made(v) for v in values]]
        if kind is datetime:
            plain = [v for v in values if isinstance(v, datetime)]
            if all(v.tzinfo is None for v in plain):
                texts = [v.isoformat() if isinstance(v, datetime) else None for v in values]
                return ["dt", texts]
    return ["*", [written(v) for v in values]]


def _little(column: array[int]) -> array[int]:
    """The same, to be written or as it was read, with the little end first."""
    if sys.byteorder == "big":
        column.byteswap()
    return column


def values(said: object) -> Sequence[object]:
    """The values of one column.

    Raises:
        NotSaid: it is none.
    """
    if type(said) is list and len(said) == 2 and type(said[1]) is str:
        if type(said[0]) is not str or said[0] not in _WIDTHS:
            raise NotSaid("no column")
        return _little(array(_WIDTHS[said[0]], b64decode(said[1], validate=True)))
    if type(said) is not list or len(said) != 2 or type(said[1]) is not list:
        raise NotSaid("no column")
    tag, items = said
    if tag == "":
        if not set(map(type, items)) <= _PLAIN:
            raise NotSaid("no column")
        return list(items)
    if tag == "*":
        return [read(item) for item in items]
    if type(tag) is not str or tag not in _READ:
        raise NotSaid("no column")
    made = _READ[tag]
    return [None if item is None else made(item) for item in items]


def rows(said: object, width: int | None = None) -> Sequence[Row]:
    """The rows whose columns were said, each `width` wide if given.

    Raises:
        NotSaid: they are none.
    """
    if type(said) is not list or (width is not None and len(said) != width):
        raise NotSaid("no rows")
    found = [values(item) for item in said]
    if len({len(part) for part in found}) > 1:
        raise NotSaid("no rows")
    whole = [column for column in found if isinstance(column, array)]
    if found and len(whole) == len(found):
        return WholeRows(whole)
    return list(zip(*found, strict=True))


def text(value: object) -> bytes:
    """JSON in UTF-8.

    Raises:
        NotSaid: it is too long for a message, or no JSON.
    """
    try:
        made = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    except (ValueError, TypeError, RecursionError):
        made = None
    if made is None or len(made) > MAX_FRAME:
        raise NotSaid("no message, or one that is too long")
    return made


def parsed(body: bytes | bytearray) -> Any:
    """What JSON in UTF-8 says.

    Raises:
        NotSaid: it is none.
    """
    try:
        return json.loads(body.decode())
    except (ValueError, RecursionError):
        pass
    raise NotSaid("no JSON")


def understood(work: Callable[[], T]) -> T:
    """The result of `work`, which reads a message; NotSaid, without its text, where it is none."""
    try:
        return work()
    except (ValueError, TypeError, ArithmeticError, RecursionError, LookupError):
        pass
    raise NotSaid("no message")


def framed(kind: bytes, body: bytes) -> bytes:
    """One message as it is sent."""
    return HEADER.pack(len(body), kind) + body


def header(head: bytes | bytearray) -> tuple[int, bytes]:
    """The length and the kind of the message that follows.

    Raises:
        NotSaid: it is longer than any message.
    """
    size, kind = HEADER.unpack(head)
    if size > MAX_FRAME:
        raise NotSaid("too long")
    return size, kind


def exactly(receive: Callable[[memoryview], int], size: int) -> bytearray:
    """So many bytes of a socket.

    Args:
        receive: `socket.recv_into`, or the like.

    Raises:
        EOFError: the other side has hung up.
    """
    got = bytearray(size)
    view = memoryview(got)
    while view:
        count = receive(view)
        if not count:
            raise EOFError
        view = view[count:]
    return got


def slices(rows: Sequence[T], at_most: int) -> Iterable[Sequence[T]]:
    """The rows in parts of at most so many."""
    for start in range(0, len(rows), at_most):
        yield rows[start : start + at_most]
