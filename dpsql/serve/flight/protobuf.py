"""The few messages of Flight SQL in protobuf's wire format, read and written.

    message = (key value)*      key = number << 3 | kind
    kind 0: a varint; 1: 8 bytes; 2: a length and as many bytes; 5: 4 bytes

Claim: whatever bytes come in, reading ends, in time and memory of their length, with a message or
`InvalidArgument`. Why: each step takes at least one byte, a length is checked against what is left
before anything is cut out, and no message is read inside of another but by a caller's own call.
Source: protobuf.dev/programming-guides/encoding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeVar

from dpsql.errors import InvalidArgument

M = TypeVar("M")

Kind = Literal["text", "maybe", "bytes", "bool", "number", "texts", "numbers", "parts"]
"""What a field is: a text, one that may be missing, …; the plurals are repeated fields."""

BROKEN = "this is no message of Flight SQL: it cannot be read"
TYPES = "type.googleapis.com/arrow.flight.protocol.sql."
MOST = 10_000
"""Repetitions of a field: more than any client has."""

_DEFAULTS: dict[Kind, object] = {
    "text": "",
    "maybe": None,
    "bytes": b"",
    "bool": False,
    "number": 0,
    "texts": (),
    "numbers": (),
    "parts": (),
}
_REPEATED = {"texts": "text", "numbers": "number", "parts": "bytes"}


def at(number: int, kind: Kind) -> Any:
    """A field of a message's dataclass."""
    return field(default=_DEFAULTS[kind], metadata={"number": number, "kind": kind})


@dataclass(frozen=True, slots=True)
class Wrapped:
    """google.protobuf.Any: a message with its type's name."""

    type_url: str = at(1, "text")
    value: bytes = at(2, "bytes")


def read(kind: type[M], data: bytes) -> M:
    """The message of a dataclass; fields that it has not are passed over.

    Raises:
        InvalidArgument: the bytes are none.
    """
    known = {f.metadata["number"]: f for f in fields(kind)}  # type: ignore[arg-type]
    found: dict[str, Any] = {}
    repeated: dict[str, list[object]] = {}
    for number, value in _values(data):
        if number not in known:
            continue
        name, wanted = known[number].name, known[number].metadata["kind"]
        if wanted not in _REPEATED:
            found[name] = _as(wanted, value)
            continue
        many: Iterable[int | bytes] = [value]
        if wanted == "numbers" and isinstance(value, bytes):  # packed
            many = _varints(value)
        before = repeated.setdefault(name, [])
        for one in many:
            before.append(_as(_REPEATED[wanted], one))
            if len(before) > MOST:
                raise InvalidArgument(BROKEN)
    return kind(**found, **{name: tuple(values) for name, values in repeated.items()})


def written(message: object) -> bytes:
    """The bytes of a message; fields that are at their default are left out."""
    made = bytearray()
    for f in fields(message):  # type: ignore[arg-type]
        value, kind = getattr(message, f.name), f.metadata["kind"]
        for one in value if kind in _REPEATED else () if value == f.default else (value,):
            if isinstance(one, int):
                made += _varint(f.metadata["number"] << 3) + _varint(int(one))
            else:
                raw = one.encode() if isinstance(one, str) else one
                made += _varint(f.metadata["number"] << 3 | 2) + _varint(len(raw)) + raw
    return bytes(made)


def wrapped(message: object) -> bytes:
    """A message of Flight SQL, with its type's name."""
    return written(Wrapped(TYPES + type(message).__name__, written(message)))


def unwrapped(data: bytes) -> tuple[str, bytes]:
    """The name of a message of Flight SQL, and its bytes.

    Raises:
        InvalidArgument: it is none.
    """
    found = read(Wrapped, data)
    if not found.type_url.startswith(TYPES):
        raise InvalidArgument(BROKEN)
    return found.type_url.removeprefix(TYPES), found.value


def _as(kind: str, value: int | bytes) -> object:
    if kind in ("bool", "number"):
        if isinstance(value, int):
            return bool(value) if kind == "bool" else value
    elif isinstance(value, bytes):
        if kind == "bytes":
            return value
        try:
            return value.decode("utf-8")
        except UnicodeDecodeError:
            pass
    raise InvalidArgument(BROKEN)


def _values(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Numbers and values of the fields, as they come."""
    place = 0
    while place < len(data):
        key, place = _number(data, place)
        number, kind = key >> 3, key & 7
        value: int | bytes
        if kind == 0:
            value, place = _number(data, place)
        else:
            size = {1: 8, 5: 4}.get(kind)
            if kind == 2:
                size, place = _number(data, place)
            if size is None or not number or size > len(data) - place:
                raise InvalidArgument(BROKEN)
            value, place = data[place : place + size], place + size
        yield number, value


def _varints(data: bytes) -> Iterator[int]:
    place = 0
    while place < len(data):
        value, place = _number(data, place)
        yield value


def _number(data: bytes, place: int) -> tuple[int, int]:
    """A varint of up to 64 bits, and where it ends."""
    value = 0
    for shift in range(0, 70, 7):
        if place >= len(data):
            break
        byte = data[place]
        value, place = value | (byte & 127) << shift, place + 1
        if byte < 128:
            return value & (1 << 64) - 1, place
    raise InvalidArgument(BROKEN)


def _varint(value: int) -> bytes:
    made = bytearray()
    while value > 127:
        made.append(value & 127 | 128)
        value >>= 7
    made.append(value)
    return bytes(made)
