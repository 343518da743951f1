"""Flight SQL: who may ask, and which data."""

from __future__ import annotations

import base64
from pathlib import Path

import pyarrow as pa
import pyarrow.flight as flight
import pytest

from dpsql.serve.config import LimitsConfig
from dpsql.serve.flight.protobuf import wrapped
from dpsql.serve.request_rate import Pacer
from tests.serve.flight.asking import at
from tests.support.flight_server import Served, served


def test_which_data_set(tmp_path: Path) -> None:
    with served(tmp_path, names=("shop", "other")) as made:
        made.service.principals.add("ben", data=frozenset({"other"}))
        with pytest.raises(flight.FlightServerError, match=r"x-dpsql-data.*: shop, other"):
            made.client("anna").ask("SELECT 1")
        assert made.client("anna", x_dpsql_data="other").ask("SELECT 1 AS x").num_rows == 1
        assert made.client("ben").ask("SELECT 1 AS x").num_rows == 1
        for name in ("shop", "nope", "' OR 1=1"):
            with pytest.raises(flight.FlightUnauthorizedError, match="or it is not yours"):
                made.client("ben", x_dpsql_data=name).ask("SELECT 1")


def test_a_ticket_after_the_right_to_see_has_ended(tmp_path: Path) -> None:
    with served(tmp_path) as made:
        ticket = made.client("anna").info(at("0.1")).endpoints[0].ticket
        made.service.principals.add("anna", data=frozenset({"none"}))
        with pytest.raises(flight.FlightUnauthorizedError):
            made.client("anna").get(ticket)
        made.service.principals.add("anna", data=frozenset({"shop"}))
        made.service.principals.pause("anna", True)
        with pytest.raises(flight.FlightUnauthorizedError, match="paused"):
            made.client("anna").get(ticket)
        made.service.principals.pause("anna", False)
        made.service.principals.revoke("anna")
        with pytest.raises(flight.FlightUnauthenticatedError):
            made.client("anna").get(ticket)


@pytest.mark.parametrize("token", ["", "x", "dpsql_0_1", "Bearer", "é", "\x01", "a" * 5000])
def test_nobody(there: Served, token: str) -> None:
    with pytest.raises((flight.FlightUnauthenticatedError, pa.ArrowException)):
        there.client(token or " ").ask("SELECT 1")


def test_every_call_needs_a_token(there: Served) -> None:
    raw = flight.connect(there.uri)
    calls = [
        lambda: raw.get_flight_info(flight.FlightDescriptor.for_command(wrapped(at("0.1")))),
        lambda: raw.get_schema(flight.FlightDescriptor.for_command(wrapped(at("0.1")))),
        lambda: raw.do_get(flight.Ticket(b"")).read_all(),
        lambda: list(raw.do_action(flight.Action("CreatePreparedStatement", b""))),
        lambda: list(raw.list_actions()),
        lambda: list(raw.list_flights()),
        lambda: raw.do_put(flight.FlightDescriptor.for_command(b""), pa.schema([]))[0].close(),
        lambda: raw.do_exchange(flight.FlightDescriptor.for_command(b""))[1].read_all(),
        lambda: raw.authenticate_basic_token("anna", "x"),
    ]
    for call in calls:  # of GetSchema pyarrow's client makes an OSError
        unknown = (flight.FlightUnauthenticatedError, OSError)
        with pytest.raises(unknown, match="does not know this token"):
            call()


def test_a_name_and_a_token_give_the_bearers_header(there: Served) -> None:
    raw = flight.connect(there.uri)
    header = raw.authenticate_basic_token("anna", there.tokens["anna"])
    assert header == (b"authorization", f"Bearer {there.tokens['anna']}".encode())
    for name, token in (("ben", "anna"), ("", "anna"), ("anna ", "anna"), ("anna", "x")):
        with pytest.raises(flight.FlightUnauthenticatedError):
            raw.authenticate_basic_token(name, there.tokens.get(token, token))


def test_refused_calls_are_noted(there: Served) -> None:
    there.service.refused_logins._pacer = Pacer(100)
    before = len(there.service.audit.lines())
    anna = there.tokens["anna"]
    for name, token in (("ben", anna), ("ben", "x"), ("a secret", anna[:-1] + "x")):
        with pytest.raises(flight.FlightUnauthenticatedError):
            flight.connect(there.uri).authenticate_basic_token(name, token)
    lines = there.service.audit.lines()[before:]
    assert [(x["action"], x["protocol"], x["whom"]) for x in lines] == [
        ("refused login", "flight", name) for name in ("anna", "ben", "anna")
    ]
    assert "a secret" not in str(lines) and anna[-43:-1] not in str(lines)


def test_basic_is_for_the_handshake_alone(there: Served) -> None:
    basic = base64.b64encode(f"anna:{there.tokens['anna']}".encode())
    options = flight.FlightCallOptions(headers=[(b"authorization", b"Basic " + basic)])
    with pytest.raises(flight.FlightUnauthenticatedError):
        list(flight.connect(there.uri).list_actions(options))


def test_two_tokens_are_none(there: Served) -> None:
    headers = [(b"authorization", f"Bearer {there.tokens[n]}".encode()) for n in ("anna", "ben")]
    options = flight.FlightCallOptions(headers=headers)
    with pytest.raises(flight.FlightUnauthenticatedError):
        list(flight.connect(there.uri).list_actions(options))


def test_too_many_requests(tmp_path: Path) -> None:
    with served(tmp_path, limits=LimitsConfig(requests_per_minute=3)) as made:
        anna = made.client("anna")
        for _ in range(3):
            list(anna.raw.list_actions(anna.options))
        with pytest.raises(flight.FlightUnavailableError, match="too many requests"):
            list(anna.raw.list_actions(anna.options))
