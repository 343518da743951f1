"""A Flight SQL server in this process, over the demo's shop."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.flight as flight

from dpsql import demo
from dpsql.serve.config import DataConfig, FlightConfig, LimitsConfig, OidcConfig, ServerConfig
from dpsql.serve.data_sets import opened
from dpsql.serve.flight import flight_sql as m
from dpsql.serve.flight.beside_http import listening
from dpsql.serve.flight.protobuf import read, wrapped
from dpsql.serve.login import Login
from dpsql.serve.service import Service

LIMITS = LimitsConfig(requests_per_minute=10_000_000)


@dataclass(frozen=True)
class Served:
    service: Service
    port: int
    tokens: dict[str, str] = field(repr=False)

    @property
    def uri(self) -> str:
        return f"grpc://127.0.0.1:{self.port}"

    def spent(self, who: str) -> Fraction:
        """By a principal, on the shop."""
        found = self.service.principals.named(who)
        assert found is not None
        lines = self.service.budget(found, "shop")[0].history
        return sum((line.cost.exact.eps for line in lines), Fraction(0))

    def client(self, who: str, **headers: str) -> Client:
        return Client(self, who, headers)


class Client:
    """Raw calls of a principal."""

    def __init__(self, served: Served, who: str, headers: dict[str, str]) -> None:
        self.raw = flight.connect(served.uri)
        given = {"authorization": f"Bearer {served.tokens.get(who, who)}", **headers}
        self.options = flight.FlightCallOptions(
            headers=[(k.replace("_", "-").encode(), v.encode()) for k, v in given.items()],
            timeout=120,
        )

    def info(self, command: object) -> flight.FlightInfo:
        raw = command if isinstance(command, bytes) else wrapped(command)
        return self.raw.get_flight_info(flight.FlightDescriptor.for_command(raw), self.options)

    def schema(self, command: object) -> pa.Schema:
        found = flight.FlightDescriptor.for_command(wrapped(command))
        return self.raw.get_schema(found, self.options).schema

    def get(self, ticket: flight.Ticket | bytes) -> pa.Table:
        shown = flight.Ticket(ticket) if isinstance(ticket, bytes) else ticket
        return self.raw.do_get(shown, self.options).read_all()

    def ask(self, command: object) -> pa.Table:
        asked = m.CommandStatementQuery(command) if isinstance(command, str) else command
        return self.get(self.info(asked).endpoints[0].ticket)

    def act(self, name: str, body: bytes) -> list[bytes]:
        found = self.raw.do_action(flight.Action(name, body), self.options)
        return [result.body.to_pybytes() for result in found]

    def prepare(self, sql: str) -> m.ActionCreatePreparedStatementResult:
        body = wrapped(m.ActionCreatePreparedStatementRequest(sql))
        (result,) = self.act("CreatePreparedStatement", body)
        from dpsql.serve.flight.protobuf import unwrapped

        return read(m.ActionCreatePreparedStatementResult, unwrapped(result)[1])


@contextmanager
def served(
    folder: Path,
    names: tuple[str, ...] = ("shop",),
    limits: LimitsConfig = LIMITS,
    oidc: OidcConfig | None = None,
    **config: Any,
) -> Iterator[Served]:
    """A server of the shop, with anna, ben and who owns it."""
    data, policy = demo.save(folder)
    config = {"port": 0, **config}
    every = {
        name: DataConfig(
            data=str(data), policy=str(policy), workers=1, ledger=str(folder / f"{name}.ledger")
        )
        for name in names
    }
    made = ServerConfig(
        data=every, state=str(folder / "state"), limits=limits, flight=FlightConfig(**config)
    )
    service = Service(made, opened(made))
    for name in ("anna", "ben"):
        service.principals.add(name)
    service.principals.add("boss", role="owner")
    tokens = {name: service.principals.new_token(name) for name in ("anna", "ben", "boss")}
    try:
        with listening(made, service, Login(service.principals, oidc)) as port:
            assert port is not None
            yield Served(service, port, tokens)
    finally:
        service.close(5)
