"""Flight SQL beside HTTP, in the process that serves both."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec

from dpsql.errors import EngineError
from dpsql.serve.config import ServerConfig
from dpsql.serve.login import Login
from dpsql.serve.service import Service


@contextmanager
def listening(config: ServerConfig, service: Service, login: Login) -> Iterator[int | None]:
    """While it lasts Flight SQL is answered, if the configuration says so; the port.

    Raises:
        PolicyError: a certificate cannot be read.
        EngineError: pyarrow is not installed, or it cannot listen there.
    """
    if config.flight is None:
        yield None
        return
    if find_spec("pyarrow") is None:
        raise EngineError("Flight SQL needs pyarrow: pip install 'dpsql[flight]'")
    from pyarrow import ArrowException

    from dpsql.serve.flight.server import FlightServer

    server = None
    with suppress(ArrowException, OSError):
        server = FlightServer(service, login, config.flight)  # which listens from now on
    if server is None:
        where = f"{config.flight.host}:{config.flight.port}"
        raise EngineError(f"Flight SQL cannot listen at {where}, or its certificate is none")
    try:
        yield server.port
    finally:
        server.shutdown()
