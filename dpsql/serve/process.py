"""The server as a process: from its configuration until somebody ends it."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from dpsql.errors import EngineError
from dpsql.serve.api import api
from dpsql.serve.config import HttpConfig, MysqlConfig, ServerConfig
from dpsql.serve.data_sets import opened
from dpsql.serve.flight.beside_http import listening
from dpsql.serve.login import Login
from dpsql.serve.mysql import serve_mysql
from dpsql.serve.service import Service

if TYPE_CHECKING:
    from dpsql.serve.mysql.server import MysqlServer

GRACE = 30
"""Seconds that running queries have, once the server is to end."""
HEAD = 64 * 1024
"""Bytes of a request's head."""


def serve(config: ServerConfig, told: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM; then take nothing more, and end what runs.

    Args:
        config: what, and where.
        told: is given a line when requests are heard.

    Raises:
        PolicyError, EngineError: data, a policy, a ledger or the state cannot be opened.
    """
    service = Service(config, opened(config))
    try:
        login = Login(service.principals, config.oidc)
        with listening(config, service, login):
            gc.collect()
            gc.freeze()  # what is there stays: to look through it takes as long as a query's proof
            _Server(settings(config, service, login), service, login, told).run()
    finally:
        service.close(GRACE)


def settings(config: ServerConfig, service: Service, login: Login) -> uvicorn.Config:
    """How it listens."""
    http, limits = config.http, config.limits
    return uvicorn.Config(
        api(service, login),
        host=http.host,
        port=http.port,
        http=hurried(limits.seconds),
        ws="none",
        lifespan="off",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=limits.connections,
        timeout_keep_alive=max(5, int(limits.seconds)),
        timeout_graceful_shutdown=GRACE,
        h11_max_incomplete_event_size=HEAD,
        ssl_certfile=None if http.tls is None else http.tls.certificate,
        ssl_keyfile=None if http.tls is None else http.tls.key,
    )


async def listening_to_mysql(service: Service, login: Login, config: MysqlConfig) -> MysqlServer:
    """MySQL's protocol, in the running event loop.

    Raises:
        EngineError: it is not installed, or the port is taken.
        PolicyError: the certificate cannot be read.
    """
    try:
        return await serve_mysql(service, login, config)
    except OSError as error:
        problem = error.strerror
    raise EngineError(f"mysql: cannot listen on {config.host}:{config.port}: {problem}")


def url(http: HttpConfig, port: int) -> str:
    """Where it is heard."""
    host = f"[{http.host}]" if ":" in http.host else http.host
    return f"{'http' if http.tls is None else 'https'}://{host}:{port}"


class _Server(uvicorn.Server):
    """One that says when it is there, and that speaks MySQL's protocol, too, if it is to."""

    def __init__(
        self,
        config: uvicorn.Config,
        service: Service,
        login: Login,
        told: Callable[[str], None],
    ) -> None:
        super().__init__(config)
        self._service, self._login, self._told = service, login, told
        self._mysql: MysqlServer | None = None

    async def shutdown(self, sockets: list[Any] | None = None) -> None:
        """See uvicorn."""
        if self._mysql is not None:
            await self._mysql.stop()
        await super().shutdown(sockets=sockets)

    async def startup(self, sockets: list[Any] | None = None) -> None:
        """See uvicorn."""
        mysql = self._service.config.mysql
        if mysql is not None:
            self._mysql = await listening_to_mysql(self._service, self._login, mysql)
        await super().startup(sockets=sockets)
        for server in getattr(self, "servers", ()):
            for socket in server.sockets:
                self._told(str(socket.getsockname()[1]))
                return


def hurried(seconds: float) -> type[H11Protocol]:
    """A protocol of connections whose requests begin in time: a head that comes byte by byte would
    hold its connection for ever, since any byte ends uvicorn's own timer.
    """

    class Hurried(H11Protocol):
        _seen = 0
        _timer: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._hurry()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._hurry()

        def connection_lost(self, exc: Exception | None) -> None:
            if self._timer is not None:
                self._timer.cancel()
            super().connection_lost(exc)

        def _hurry(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = self.loop.call_later(seconds, self._late, self.cycle)

        def _late(self, before: object) -> None:
            if self.cycle is before and not self.transport.is_closing():
                self.transport.abort()

    return Hurried
