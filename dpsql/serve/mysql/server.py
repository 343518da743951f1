"""The server of MySQL's protocol, beside that of HTTP and on the same service."""

from __future__ import annotations

import asyncio
import itertools
from ipaddress import ip_address

from dpsql.errors import RateExceeded
from dpsql.serve import tls
from dpsql.serve.config import MysqlConfig
from dpsql.serve.guests import Guest, Guests
from dpsql.serve.login import Login
from dpsql.serve.mysql.catalog import Catalogs
from dpsql.serve.mysql.connection import Connection
from dpsql.serve.mysql.errors import Refused
from dpsql.serve.mysql.packets import Frames, HungUp
from dpsql.serve.mysql.session import Kill
from dpsql.serve.principals import Principal
from dpsql.serve.service import Service


class MysqlServer:
    """Made by `dpsql.serve.mysql.serve_mysql`, in whose event loop it runs.

    Args:
        service: the one path to the data.
        login: who is let in.
        config: where it listens.

    Raises:
        PolicyError: the certificate cannot be read.
    """

    def __init__(self, service: Service, login: Login, config: MysqlConfig) -> None:
        self._service, self._login, self._config = service, login, config
        self._tls = tls.context(config.tls)
        self._open: dict[int, Connection] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._catalogs = Catalogs()
        limits = service.config.limits
        self._guests = Guests(limits.connections, limits.connections_each)
        self._numbers = itertools.count(1)
        self._listening: asyncio.Server | None = None

    @property
    def port(self) -> int:
        """Where it listens; of a port 0 the one that was free."""
        assert self._listening is not None
        port: int = self._listening.sockets[0].getsockname()[1]
        return port

    async def start(self) -> None:
        """Listen.

        Raises:
            OSError: the port is taken.
        """
        self._listening = await asyncio.start_server(
            self._accept, self._config.host, self._config.port
        )

    async def stop(self) -> None:
        """Listen no more, and hang up; what runs is stopped."""
        if self._listening is not None:
            self._listening.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def kill(self, who: Principal, kill: Kill) -> bool:
        """End a query of a connection, or all of it, where it is of the same principal."""
        found = self._open.get(kill.number)
        if found is None or found.who is None or found.who.name != who.name:
            return False
        await found.end(whole=kill.whole)
        return True

    def _known(self, guest: Guest, who: Principal) -> None:
        """Note whose a connection is.

        Raises:
            Refused: there are too many.
        """
        problem = ""
        try:
            self._guests.known(guest, who.name)
            return
        except RateExceeded as error:
            problem = str(error)
        raise Refused(1040, "08004", problem, ends=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        frames = Frames(reader, writer, self._service.config.limits.seconds)
        number, guest = next(self._numbers) & 0xFFFFFFFF, self._guests.come(frames.hang_up)
        try:
            made = Connection(
                frames,
                self._service,
                self._login,
                number,
                tls=self._tls,
                here=_is_here(writer.get_extra_info("peername")),
                kill=self.kill,
                catalogs=self._catalogs,
                known=lambda who: self._known(guest, who),
            )
            self._open[number] = made
            await made.serve()
        except (HungUp, asyncio.CancelledError):
            pass  # it is over, or the server is
        finally:
            self._open.pop(number, None)
            self._guests.gone(guest)
            self._tasks.discard(task)
            writer.close()


def _is_here(peer: object) -> bool:
    """Whether a peer is on this machine."""
    try:
        return isinstance(peer, tuple) and ip_address(str(peer[0])).is_loopback
    except ValueError:
        return False
