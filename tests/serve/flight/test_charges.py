"""Flight SQL: what is charged and when, and what is stopped before."""

from __future__ import annotations

import threading
from fractions import Fraction
from typing import Any

import pyarrow as pa
import pyarrow.flight as flight
import pytest

from dpsql.serve.flight import flight_sql as m
from dpsql.serve.flight.protobuf import read, unwrapped, wrapped, written
from tests.serve.flight.asking import at
from tests.support.flight_server import Served


def test_a_ticket_is_charged_once(there: Served) -> None:
    anna, before = there.client("anna"), there.spent("anna")
    info = anna.info(at("0.011"))
    assert there.spent("anna") == before, "GetFlightInfo charged"
    first = anna.get(info.endpoints[0].ticket)
    assert there.spent("anna") == before + Fraction("0.011")
    for _ in range(3):
        assert anna.get(info.endpoints[0].ticket) == first
    assert there.spent("anna") == before + Fraction("0.011")
    assert info.schema == first.schema == pa.schema([("n", pa.int64())])


def test_one_ticket_at_the_same_time_is_one_charge(there: Served) -> None:
    before = there.spent("anna")
    ticket = there.client("anna").info(at("0.012", "SELECT COUNT(*) FROM customers")).endpoints[0]
    found: list[Any] = []

    def get() -> None:
        found.append(there.client("anna").get(ticket.ticket).to_pylist())

    threads = [threading.Thread(target=get) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert len(found) == 8 and all(one == found[0] for one in found)
    assert there.spent("anna") == before + Fraction("0.012")


def test_a_ticket_whose_answer_is_no_longer_kept_is_not_charged_again(there: Served) -> None:
    anna = there.client("anna")
    ticket = anna.info(at("0.013", "SELECT SUM(rating) AS s FROM orders")).endpoints[0].ticket
    first, before = anna.get(ticket), there.spent("anna")
    there.service.asked._kept.clear()
    assert anna.get(ticket) == first
    assert there.spent("anna") == before


def test_the_ticket_of_another_is_useless(there: Served) -> None:
    anna, ben = there.client("anna"), there.client("ben")
    info = anna.info(at("0.014", "SELECT COUNT(*) AS n FROM order_lines"))
    before = there.spent("anna"), there.spent("ben")
    for _ in range(2):  # before and after it was answered
        with pytest.raises(flight.FlightUnauthorizedError, match="this ticket is not yours"):
            ben.get(info.endpoints[0].ticket)
        anna.get(info.endpoints[0].ticket)
    assert there.spent("ben") == before[1]
    stop = written(m.CancelFlightInfoRequest(info.serialize()))
    with pytest.raises(flight.FlightUnauthorizedError):
        ben.act("CancelFlightInfo", stop)


def test_a_prepared_query_of_another_is_useless(there: Served) -> None:
    handle = there.client("anna").prepare(at("0.1").query).prepared_statement_handle
    ben = there.client("ben")
    with pytest.raises(flight.FlightUnauthorizedError):
        ben.info(m.CommandPreparedStatementQuery(handle))
    with pytest.raises(flight.FlightUnauthorizedError):
        ben.act("ClosePreparedStatement", wrapped(m.ActionClosePreparedStatementRequest(handle)))


def test_a_prepared_query_costs_nothing_until_it_is_asked(there: Served) -> None:
    anna, before = there.client("anna"), there.spent("anna")
    made = anna.prepare(at("0.015", "SELECT COUNT(*) AS n FROM order_lines").query)
    assert pa.ipc.read_schema(pa.py_buffer(made.dataset_schema)).names == ["n"]
    anna.act(
        "ClosePreparedStatement",
        wrapped(m.ActionClosePreparedStatementRequest(made.prepared_statement_handle)),
    )
    assert there.spent("anna") == before


def test_what_was_never_asked_cannot_be_stopped(there: Served) -> None:
    anna = there.client("anna")
    info = anna.info(at("0.1")).serialize()
    (done,) = anna.act("CancelFlightInfo", written(m.CancelFlightInfoRequest(info)))
    assert read(m.CancelFlightInfoResult, done).status == m.NOT_CANCELLABLE


def test_what_waits_is_stopped_and_not_charged(there: Served) -> None:
    anna, before = there.client("anna"), there.spent("anna")
    held = threading.Event()
    blocks = [there.service.queue.ask(f"other{n}", held.wait) for n in range(2)]
    try:
        info = anna.info(at("0.09"))
        caught: list[BaseException] = []

        def get() -> None:
            try:
                anna.get(info.endpoints[0].ticket)
            except BaseException as error:
                caught.append(error)

        thread = threading.Thread(target=get)
        thread.start()
        while there.service.queue.length == 0:
            thread.join(0.05)
        body = wrapped(m.ActionCancelQueryRequest(info.serialize()))
        (done,) = anna.act("CancelQuery", body)
        assert read(m.ActionCancelQueryResult, unwrapped(done)[1]).result == m.CANCELLING
        thread.join(60)
        assert "stopped before it began" in str(caught[0])
    finally:
        held.set()
    assert all(block.result(30) for block in blocks)
    assert there.spent("anna") == before
