"""Protobuf's wire format: the bytes of others are read, and whatever else comes is refused."""

from __future__ import annotations

import random
from dataclasses import fields
from typing import Any

import pyarrow as pa
import pyarrow.flight as flight
import pytest

from dpsql.errors import AccessDenied, InvalidArgument
from dpsql.serve.flight import flight_sql as m
from dpsql.serve.flight.protobuf import Wrapped, read, unwrapped, wrapped, written
from dpsql.serve.flight.seal import Seal

KINDS = [
    kind for kind in vars(m).values() if isinstance(kind, type) and kind.__module__ == m.__name__
]


def test_known_bytes_are_read() -> None:
    """What a driver in Go sends for SELECT 1."""
    kind = b"type.googleapis.com/arrow.flight.protocol.sql.CommandStatementQuery"
    sent = b"\nC" + kind + b"\x12\n\n\x08SELECT 1"
    name, body = unwrapped(sent)
    assert (name, read(m.CommandStatementQuery, body).query) == (
        "CommandStatementQuery",
        "SELECT 1",
    )
    assert wrapped(m.CommandStatementQuery("SELECT 1")) == sent


def test_what_google_writes_is_read() -> None:
    any_pb2 = pytest.importorskip("google.protobuf.any_pb2")
    wrappers = pytest.importorskip("google.protobuf.wrappers_pb2")
    made = any_pb2.Any(type_url="type.googleapis.com/x", value=b"\0\xff" * 100)
    assert read(Wrapped, made.SerializeToString()) == Wrapped(made.type_url, made.value)
    assert written(Wrapped(made.type_url, made.value)) == made.SerializeToString()
    for number in (0, 1, 127, 128, 300, 2**32 - 1, 2**64 - 1):
        raw = wrappers.UInt64Value(value=number).SerializeToString()
        assert read(m.CommandGetXdbcTypeInfo, raw).data_type == number
        assert written(m.CommandGetXdbcTypeInfo(number)) == raw


def test_what_arrow_writes_is_read() -> None:
    descriptor = flight.FlightDescriptor.for_command(b"c")
    ends = [flight.FlightEndpoint(text, ["grpc://x:1"]) for text in (b"one", b"two")]
    made = flight.FlightInfo(pa.schema([("n", pa.int64())]), descriptor, ends, 5, 6)
    found = read(m.FlightInfo, made.serialize())
    tickets = [read(m.Ticket, read(m.FlightEndpoint, e).ticket).ticket for e in found.endpoint]
    assert tickets == [b"one", b"two"]


def test_numbers_are_packed_or_not() -> None:
    assert read(m.CommandGetSqlInfo, b"\x08\x01\x08\x80\x01").info == (1, 128)
    assert read(m.CommandGetSqlInfo, b"\x0a\x03\x01\x80\x01").info == (1, 128)


def test_a_text_that_is_missing_is_none_and_an_empty_one_is_not() -> None:
    assert read(m.CommandGetTables, b"").catalog is None
    assert read(m.CommandGetTables, b"\x0a\x00").catalog == ""
    assert read(m.CommandGetTables, written(m.CommandGetTables(catalog=""))).catalog == ""


def _drawn(kind: type, draw: random.Random) -> Any:
    def value(what: str) -> Any:
        text = "".join(draw.choice("aé€\0'%") for _ in range(draw.randrange(200)))
        return {
            "text": text,
            "maybe": draw.choice([None, text]),
            "bytes": draw.randbytes(draw.randrange(200)),
            "bool": draw.random() < 0.5,
            "number": draw.randrange(2 ** draw.randrange(64)),
        }[what]

    many = {"texts": "text", "numbers": "number", "parts": "bytes"}
    made = {}
    for f in fields(kind):
        what = f.metadata["kind"]
        one = many.get(what)
        values = tuple(value(one) for _ in range(draw.randrange(4))) if one else None
        made[f.name] = value(what) if one is None else values
    return kind(**made)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_what_is_written_is_read_again(kind: type) -> None:
    draw = random.Random(3)
    for _ in range(50):
        made = _drawn(kind, draw)
        assert read(kind, written(made)) == made
        name, body = unwrapped(wrapped(made))
        assert (name, read(kind, body)) == (kind.__name__, made)


def _broken(times: int) -> None:
    draw = random.Random(times)
    for _ in range(times):
        kind = draw.choice(KINDS)
        raw = bytearray(written(_drawn(kind, draw)))
        for _ in range(draw.randrange(1, 6)):
            at = draw.randrange(len(raw) + 1)
            raw[at : at + draw.randrange(4)] = draw.randbytes(draw.randrange(4))
        try:
            read(kind, bytes(raw))
            unwrapped(bytes(raw))
        except InvalidArgument:
            pass


def test_broken_bytes_are_refused_or_read() -> None:
    _broken(5_000)


@pytest.mark.deep
def test_many_broken_bytes() -> None:
    _broken(500_000)


@pytest.mark.parametrize(
    "raw",
    [
        b"\x0a",
        b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
        b"\xff" * 11,
        b"\x0b",
        b"\x0c",
        b"\x0a\x02\xff\xfe",
        b"\x09\x00",
        b"\x08\x01",
        b"\x02\x00",
    ],
)
def test_bytes_that_are_no_message(raw: bytes) -> None:
    with pytest.raises(InvalidArgument):
        read(m.CommandStatementQuery, raw)


def test_repetitions_end() -> None:
    with pytest.raises(InvalidArgument):
        read(m.CommandGetTables, b"\x22\x00" * 10_001)
    with pytest.raises(InvalidArgument):
        read(m.CommandGetSqlInfo, b"\x0a\x80\x80\x04" + b"\x01" * 65_536)


def test_a_handle_is_its_owners_alone_and_cannot_be_changed() -> None:
    seal = Seal()
    made = seal.sealed("ticket", "anna", {"sql": "SELECT 1"})
    assert seal.opened("ticket", "anna", made) == {"sql": "SELECT 1"}
    others = [("ticket", "ben"), ("prepared", "anna"), ("ticket", "ann"), ("ticke", "tanna")]
    for kind, who in others:
        with pytest.raises(AccessDenied):
            seal.opened(kind, who, made)
    for place in range(len(made)):
        with pytest.raises(AccessDenied):
            seal.opened(
                "ticket", "anna", made[:place] + bytes([made[place] ^ 1]) + made[place + 1 :]
            )
        with pytest.raises(AccessDenied):
            seal.opened("ticket", "anna", made[:place])
    with pytest.raises(AccessDenied):
        Seal().opened("ticket", "anna", made)
