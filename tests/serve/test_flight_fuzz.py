"""Malformed tickets, commands and actions: each is answered or refused by a Flight error that shows
no frame, nothing is charged for what was broken, and the server goes on.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pyarrow as pa
import pyarrow.flight as flight
import pytest

from dpsql.serve.flight import flight_sql as m
from dpsql.serve.flight.protobuf import TYPES, Wrapped, wrapped, written
from tests.support.flight_server import Client, Served, served

SQL = "SELECT COUNT(*) AS n FROM regions"


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("flight")) as made:
        yield made


def seeds(client: Client) -> list[tuple[str, bytes]]:
    """Calls that are sound, to be broken."""
    info = client.info(m.CommandStatementQuery("/* eps: 5 */ SELECT COUNT(*) FROM orders"))
    handle = client.prepare(SQL).prepared_statement_handle
    ticket = info.endpoints[0].ticket.ticket
    commands = [wrapped(kind()) for kind in m.Catalogued.__args__]
    commands += [wrapped(m.CommandGetTables("a", "%", "%_", ("VIEW",), True))]
    commands += [wrapped(m.CommandStatementQuery(SQL)), ticket]
    commands += [wrapped(m.CommandPreparedStatementQuery(handle))]
    names = ("CommandStatementUpdate", "CommandStatementIngest", "CommandStatementSubstraitPlan")
    commands += [written(Wrapped(TYPES + name, b"\x0a\x01x")) for name in names]
    actions = [
        ("CreatePreparedStatement", wrapped(m.ActionCreatePreparedStatementRequest(SQL))),
        ("ClosePreparedStatement", wrapped(m.ActionClosePreparedStatementRequest(handle))),
        ("CancelFlightInfo", written(m.CancelFlightInfoRequest(info.serialize()))),
        ("CancelQuery", wrapped(m.ActionCancelQueryRequest(info.serialize()))),
    ]
    return [("", command) for command in commands] + actions


def broken(raw: bytes, draw: random.Random) -> bytes:
    """The same, with a few bytes changed, put in, taken out or repeated."""
    made = bytearray(raw)
    for _ in range(draw.choice((1, 1, 2, 5))):
        at, size = draw.randrange(len(made) + 1), draw.choice((0, 1, 1, 4, 40))
        kind = draw.randrange(4)
        if kind == 0:
            made[at : at + size] = draw.randbytes(size)
        elif kind == 1:
            made[at:at] = draw.randbytes(size)
        elif kind == 2:
            del made[at : at + size]
        else:
            made[at:at] = made[at : at + size] * draw.choice((1, 50))
    return bytes(made)


def attack(there: Served, times: int) -> None:
    client, draw = there.client("anna"), random.Random(times)
    every = seeds(client)
    answered = 0
    for _ in range(times):
        action, raw = draw.choice(every)
        bad = broken(raw, draw)
        if bad == raw:
            continue
        calls: list[Callable[[], object]] = [lambda a=action, b=bad: client.act(a, b)]
        if not action:
            calls = [
                lambda b=bad: client.info(b),
                lambda b=bad: client.get(b),
                lambda b=bad: client.raw.get_schema(
                    flight.FlightDescriptor.for_command(b), client.options
                ),
            ]
        call = draw.choice(calls)
        try:
            call()
            answered += 1
        except (flight.FlightError, pa.ArrowException, OSError) as error:
            text = str(error)
            assert "Traceback" not in text or call is calls[-1], text  # pyarrow's own GetSchema
            assert "dpsql/" not in text and '.py"' not in text, text
            assert "dpsql itself failed" not in text, (action, bad)
    assert answered < times
    assert there.spent("anna") == 0
    assert client.ask(SQL).num_rows == 1


def test_broken_calls(there: Served) -> None:
    attack(there, 300)


@pytest.mark.deep
def test_many_broken_calls(there: Served) -> None:
    attack(there, 10_000)


@pytest.mark.parametrize("name", [b"x-dpsql-eps", b"x-dpsql-data", b"x-dpsql-intervals"])
def test_broken_headers(there: Served, name: bytes) -> None:
    draw = random.Random(1)
    descriptor = flight.FlightDescriptor.for_command(
        wrapped(m.CommandStatementQuery("SELECT COUNT(*) FROM orders"))
    )
    token = (b"authorization", f"Bearer {there.tokens['ben']}".encode())
    raw = flight.connect(there.uri)
    for _ in range(40):
        text = bytes(draw.randrange(32, 127) for _ in range(draw.choice((0, 1, 3, 300, 3000))))
        options = flight.FlightCallOptions(headers=[token, (name, text)], timeout=60)
        with pytest.raises((flight.FlightError, pa.ArrowException)) as caught:
            raw.get_flight_info(descriptor, options)
        assert "Traceback" not in str(caught.value)
        assert "dpsql itself failed" not in str(caught.value)
    assert there.spent("ben") == 0
