"""The server: each call of Flight SQL is one of a few, and goes to `Service`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import pyarrow as pa
import pyarrow.flight as flight

from dpsql.errors import InvalidArgument
from dpsql.serve.config import FlightConfig
from dpsql.serve.flight import catalog
from dpsql.serve.flight import flight_sql as m
from dpsql.serve.flight.callers import CALLER, Caller, CallerFactory, Handshake
from dpsql.serve.flight.flight_errors import told
from dpsql.serve.flight.gate import Gate
from dpsql.serve.flight.protobuf import read, unwrapped, wrapped, written
from dpsql.serve.flight.tickets import Statements
from dpsql.serve.login import Login
from dpsql.serve.service import Service

NOT_DONE = "this server does not do that: it answers queries, and describes tables"
NO_PARAMETERS = "parameters are not taken: write the values into the query"
NOTHING_WRITTEN = "nothing is written here: this server answers queries"
TOO_LONG = "the request is too large"

_CATALOGUED = {kind.__name__: kind for kind in m.Catalogued.__args__}
_ACTIONS = {
    "CreatePreparedStatement": "Keeps a query for later; nothing is charged.",
    "ClosePreparedStatement": "Forgets it.",
    "CancelFlightInfo": "Stops a query; what was charged stays charged.",
    "CancelQuery": "The same, of older drivers.",
}


class FlightServer(flight.FlightServerBase):  # type: ignore[misc]
    """Listens from when it is made, behind its `Gate`, until it is shut down.

    Args:
        service: what is served.
        login: whose tokens are known.
        config: where; TLS.

    Raises:
        PolicyError: a certificate cannot be used.
        OSError: the port is taken.
    """

    def __init__(self, service: Service, login: Login, config: FlightConfig) -> None:
        self._statements = Statements(service, config.eps)
        self._longest = 2 * service.config.limits.body
        self._gate = Gate(config, service.config.limits)
        try:
            super().__init__(
                f"grpc+unix://{self._gate.inside}",
                auth_handler=Handshake(),
                middleware={CALLER: CallerFactory(login, service.pacer, service.refused_logins)},
            )
        except BaseException:
            self._gate.close()
            raise

    @property
    def port(self) -> int:
        """Where it listens."""
        return self._gate.port

    def shutdown(self) -> None:
        """Listen no more, and hang up."""
        self._gate.close()
        super().shutdown()

    @told
    def get_flight_info(
        self, context: flight.ServerCallContext, descriptor: flight.FlightDescriptor
    ) -> flight.FlightInfo:
        """A ticket for what a command asks, and the answer's schema where it is known. Nothing is
        charged.
        """
        caller, command = self._caller(context), self._command(descriptor)
        asked = _asked(command)
        if isinstance(asked, m.Catalogued):
            return _info(catalog.schema_of(asked), descriptor, command)
        found = self._statements.statement(caller, self._text(caller, asked))
        ticket = self._statements.ticket(caller, found)
        return _info(found.schema, descriptor, wrapped(m.TicketStatementQuery(ticket)))

    @told
    def get_schema(
        self, context: flight.ServerCallContext, descriptor: flight.FlightDescriptor
    ) -> flight.SchemaResult:
        """The schema of an answer. Nothing is charged."""
        caller, asked = self._caller(context), _asked(self._command(descriptor))
        if isinstance(asked, m.Catalogued):
            return flight.SchemaResult(catalog.schema_of(asked))
        found = self._statements.statement(caller, self._text(caller, asked))
        return flight.SchemaResult(self._statements.usual_schema(caller, found))

    @told
    def do_get(
        self, context: flight.ServerCallContext, ticket: flight.Ticket
    ) -> flight.RecordBatchStream:
        """What a ticket is for; the first time it is charged."""
        caller, command = self._caller(context), self._short(ticket.ticket)
        name, body = unwrapped(command)
        if name == m.TicketStatementQuery.__name__:
            handle = read(m.TicketStatementQuery, body).statement_handle
            table = self._statements.answer(caller, handle, context.is_cancelled)
        else:
            asked = _asked(command)
            if not isinstance(asked, m.Catalogued):
                raise InvalidArgument("a query is asked for by the ticket that was given for it")
            table = catalog.table_of(asked, lambda sql: self._statements.free(caller, sql))
        return flight.RecordBatchStream(table)

    @told
    def do_action(
        self, context: flight.ServerCallContext, action: flight.Action
    ) -> Iterator[flight.Result]:
        """See `list_actions`."""
        caller, body = self._caller(context), self._short(action.body.to_pybytes())
        does: dict[str, Callable[[Caller, bytes], list[bytes]]] = {
            "CreatePreparedStatement": self._prepare,
            "ClosePreparedStatement": self._close,
            "CancelFlightInfo": self._cancel_info,
            "CancelQuery": self._cancel_query,
        }
        if action.type not in does:
            raise InvalidArgument(NOT_DONE)
        # All at once: what fails in an iterator of pyarrow's would tell its frames.
        return iter([flight.Result(pa.py_buffer(one)) for one in does[action.type](caller, body)])

    @told
    def list_actions(self, context: flight.ServerCallContext) -> list[flight.ActionType]:
        """What `do_action` does."""
        return [flight.ActionType(name, text) for name, text in _ACTIONS.items()]

    @told
    def list_flights(
        self, context: flight.ServerCallContext, criteria: bytes
    ) -> Iterator[flight.FlightInfo]:
        """None: what there is, GetTables says."""
        return iter(())

    @told
    def do_put(self, context: object, descriptor: Any, reader: object, writer: object) -> NoReturn:
        """Is refused: parameters, and whatever would write."""
        name, _ = unwrapped(self._command(descriptor))
        parameters = name == m.CommandPreparedStatementQuery.__name__
        raise InvalidArgument(NO_PARAMETERS if parameters else NOTHING_WRITTEN)

    @told
    def do_exchange(self, *_: object) -> NoReturn:
        """Is refused."""
        raise InvalidArgument(NOT_DONE)

    def _prepare(self, caller: Caller, body: bytes) -> list[bytes]:
        sql = _of(m.ActionCreatePreparedStatementRequest, body).query
        found = self._statements.statement(caller, sql)
        schema = b""
        if not (found.intervals or found.made) or found.explained.kind == "public":
            usual = self._statements.usual_schema(caller, found)
            schema = usual.serialize().to_pybytes()
        handle = self._statements.prepared(caller, sql)
        return [wrapped(m.ActionCreatePreparedStatementResult(handle, schema))]

    def _close(self, caller: Caller, body: bytes) -> list[bytes]:
        asked = _of(m.ActionClosePreparedStatementRequest, body)
        self._statements.text(caller, asked.prepared_statement_handle)
        return []

    def _cancel_info(self, caller: Caller, body: bytes) -> list[bytes]:
        state = self._cancel(caller, read(m.CancelFlightInfoRequest, body).info)
        return [written(m.CancelFlightInfoResult(state))]

    def _cancel_query(self, caller: Caller, body: bytes) -> list[bytes]:
        state = self._cancel(caller, _of(m.ActionCancelQueryRequest, body).info)
        return [wrapped(m.ActionCancelQueryResult(state))]

    def _cancel(self, caller: Caller, info: bytes) -> int:
        stopped = False
        for endpoint in read(m.FlightInfo, info).endpoint:
            ticket = read(m.Ticket, read(m.FlightEndpoint, endpoint).ticket).ticket
            handle = _of(m.TicketStatementQuery, ticket).statement_handle
            stopped = self._statements.stop(caller, handle) or stopped
        return m.CANCELLING if stopped else m.NOT_CANCELLABLE

    def _caller(self, context: flight.ServerCallContext) -> Caller:
        """Who calls, whose the connection is from now on."""
        caller: Caller = context.get_middleware(CALLER).caller
        self._gate.let_in(context.peer(), caller.who.name)
        return caller

    def _text(self, caller: Caller, asked: object) -> str:
        if isinstance(asked, m.CommandPreparedStatementQuery):
            return self._statements.text(caller, asked.prepared_statement_handle)
        assert isinstance(asked, m.CommandStatementQuery)
        return asked.query

    def _command(self, descriptor: flight.FlightDescriptor) -> bytes:
        if descriptor.descriptor_type != flight.DescriptorType.CMD:
            raise InvalidArgument(NOT_DONE)
        return self._short(descriptor.command)

    def _short(self, given: bytes) -> bytes:
        if len(given) > self._longest:
            raise InvalidArgument(TOO_LONG)
        return given


def _asked(command: bytes) -> Any:
    """What a command asks.

    Raises:
        InvalidArgument: nothing that is done.
    """
    name, body = unwrapped(command)
    kinds: dict[str, Any] = {
        **_CATALOGUED,
        m.CommandStatementQuery.__name__: m.CommandStatementQuery,
        m.CommandPreparedStatementQuery.__name__: m.CommandPreparedStatementQuery,
    }
    if name not in kinds:
        raise InvalidArgument(NOT_DONE)
    return read(kinds[name], body)


def _of(kind: type[Any], data: bytes) -> Any:
    """The message of a kind, which it must be."""
    name, body = unwrapped(data)
    if name != kind.__name__:
        raise InvalidArgument(NOT_DONE)
    return read(kind, body)


def _info(
    schema: pa.Schema | None, descriptor: flight.FlightDescriptor, ticket: bytes
) -> flight.FlightInfo:
    """One answer, on this connection."""
    endpoint = flight.FlightEndpoint(ticket, [])
    return flight.FlightInfo(schema, descriptor, [endpoint], -1, -1)
