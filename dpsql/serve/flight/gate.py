"""What stands before gRPC: connections are counted, hurried and measured before it has them.

gRPC takes as many connections as come, keeps those that say nothing, and reads a message of any
length to its end before it asks whose it is; none of that can be set from Python. So it listens at
a socket in a folder of this process's own, and whatever comes passes here.

Claim: who has no token makes the server keep no more than what `STRANGERS` connections may send,
`AT_FIRST` requests each, for no longer than `seconds`. Why: each byte is counted before gRPC has
it, and a connection that sends more is hung up; it becomes a principal's, with a new count, by a
call of his that was let in, and by nothing else. Who has a token is bounded in the same way: by
`connections_each`, by `AFTERWARDS` requests between two calls, and by how many those may be.
"""

from __future__ import annotations

import asyncio
import socket
import tempfile
import threading
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from dpsql.serve import tls
from dpsql.serve.config import FlightConfig, LimitsConfig
from dpsql.serve.guests import Guest, Guests

T = TypeVar("T")

CHUNK = 1 << 16
AT_FIRST, AFTERWARDS = 2, 4
"""Requests of the largest size that a client may have sent before a call of it is let in."""


class Passing:
    """A connection: whose it is, and how many bytes its client may still send."""

    __slots__ = ("guest", "left")

    def __init__(self, guest: Guest, left: int) -> None:
        self.guest, self.left = guest, left


class Gate:
    """Listens from when it is made, in a thread of its own, until `close`.

    Attributes:
        inside: the socket at which gRPC is to listen.
        port: where this listens; of a port 0 the one that was free.

    Args:
        config: where.
        limits: how many may come, and what each may send.

    Raises:
        PolicyError: the certificate cannot be used.
        OSError: the port is taken.
    """

    def __init__(self, config: FlightConfig, limits: LimitsConfig) -> None:
        self._tls, self._limits = tls.context(config.tls), limits
        if self._tls is not None:
            self._tls.set_alpn_protocols(["h2"])
        self._guests = Guests(limits.connections, limits.connections_each)
        self._passing: dict[str, Passing] = {}  # by the name of its socket to gRPC
        self._tasks: set[asyncio.Task[None]] = set()
        self._number = 0
        self._socket = socket.create_server((config.host, config.port), family=_family(config.host))
        self._socket.setblocking(False)
        self.port: int = self._socket.getsockname()[1]
        self._folder = tempfile.TemporaryDirectory(prefix="dpsql-")  # of its owner alone
        self.inside = str(Path(self._folder.name) / "grpc")
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="gate", daemon=True)
        self._thread.start()
        self._loop.call_soon_threadsafe(self._listen)

    def let_in(self, peer: str, name: str) -> None:
        """Note that a call of somebody was let in.

        Args:
            peer: from where, as gRPC says it.
            name: whose it was.

        Raises:
            RateExceeded: too many connections are open, in that name or in all.
        """
        found = self._passing.get(peer.removeprefix("unix:"))
        if found is not None:
            self._guests.known(found.guest, name)
            found.left = self._most(AFTERWARDS)

    def close(self) -> None:
        """Listen no more, and hang up."""
        asyncio.run_coroutine_threadsafe(self._hung_up(), self._loop).result(30)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()
        self._socket.close()
        self._folder.cleanup()

    def _most(self, requests: int) -> int:
        """The bytes of so many requests, and of what is around them."""
        return requests * self._limits.body + CHUNK

    async def _hung_up(self) -> None:
        self._loop.remove_reader(self._socket)
        every = tuple(self._tasks)
        for task in every:
            task.cancel()
        await asyncio.gather(*every, return_exceptions=True)

    def _listen(self) -> None:
        self._loop.add_reader(self._socket, self._accept)

    def _accept(self) -> None:
        try:
            client, _ = self._socket.accept()
        except OSError:  # it is gone again; or there is no room for one more file
            self._loop.remove_reader(self._socket)
            self._loop.call_later(0.1, self._listen)
            return
        client.setblocking(False)
        task = self._loop.create_task(self._pass(client))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: client.close())  # also where it never began

    async def _pass(self, client: socket.socket) -> None:
        """One connection, from its beginning to its end."""
        task = asyncio.current_task()
        assert task is not None
        self._number += 1
        name = str(Path(self._folder.name) / str(self._number))
        passing = Passing(self._guests.come(task.cancel), self._most(AT_FIRST))
        self._passing[name] = passing
        hurry = self._loop.call_later(self._limits.seconds, _hurried, passing)
        writers: list[asyncio.StreamWriter] = []
        try:
            with suppress(OSError):
                there = await self._read(client, writers)
                with socket.socket(socket.AF_UNIX) as own:
                    own.setblocking(False)
                    own.bind(name)
                    await self._loop.sock_connect(own, self.inside)
                    Path(name).unlink()
                    back, inside = await asyncio.open_unix_connection(sock=own, limit=CHUNK)
                    writers.append(inside)
                    await _first(_measured(there, inside, passing), _poured(back, writers[0]))
        finally:
            hurry.cancel()
            for writer in writers:
                writer.transport.abort()
            del self._passing[name]
            self._guests.gone(passing.guest)

    async def _read(
        self, client: socket.socket, writers: list[asyncio.StreamWriter]
    ) -> asyncio.StreamReader:
        """What comes from a client; how it is written to is put among `writers`."""
        reader = asyncio.StreamReader(CHUNK)
        protocol = asyncio.StreamReaderProtocol(reader)
        late = None if self._tls is None else self._limits.seconds
        transport, _ = await self._loop.connect_accepted_socket(
            lambda: protocol, client, ssl=self._tls, ssl_handshake_timeout=late
        )
        writers.append(asyncio.StreamWriter(transport, protocol, reader, self._loop))
        return reader


async def _measured(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, passing: Passing
) -> None:
    """Pass on what a client sends, as long as it may."""
    while data := await reader.read(CHUNK):
        passing.left -= len(data)
        if passing.left < 0:
            return
        writer.write(data)
        await writer.drain()


async def _poured(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass on what it is answered."""
    while data := await reader.read(CHUNK):
        writer.write(data)
        await writer.drain()


async def _first(*every: Coroutine[Any, Any, None]) -> None:
    """Do several things until one of them has ended."""
    tasks = [asyncio.ensure_future(one) for one in every]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _hurried(passing: Passing) -> None:
    """Hang up on who has not said whose he is."""
    if not passing.guest.name:
        passing.guest.leave()


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET
