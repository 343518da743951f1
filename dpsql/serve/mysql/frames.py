"""Packets on a connection: how they are cut, counted, bounded and kept secret."""

from __future__ import annotations

import asyncio
import ssl

from dpsql.serve.mysql.errors import Refused, malformed

FULL = 0xFFFFFF
"""A packet that goes on in the next one has so many bytes."""

FLUSH = 1 << 16


class HungUp(Exception):  # noqa: N818  (it is no error)
    """The client is gone, or said nothing for too long."""


class Frames:
    """The packets of one connection.

    Attributes:
        most: bytes that a packet may have; little, until it is known who asks.
        secret: whether TLS was begun.

    Args:
        reader, writer: the connection.
        seconds: in which a packet must have come that has begun.
    """

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, seconds: float
    ) -> None:
        self._reader, self._writer, self._seconds = reader, writer, seconds
        self._next, self._out = 0, bytearray()
        self.most = 1 << 14
        self.secret = False

    @property
    def gone(self) -> bool:
        """Whether the client has hung up, and has left nothing to be read."""
        return self._reader.at_eof() or self._writer.is_closing()

    def again(self) -> None:
        """Count from 0, as before each command."""
        self._next = 0

    async def read(self, idle: float) -> bytes:
        """The next packet.

        Args:
            idle: seconds to wait for its beginning.

        Raises:
            HungUp: none came.
            Refused: it is too large, or out of turn.
        """
        found = bytearray()
        try:
            while True:
                header = await asyncio.wait_for(self._reader.readexactly(4), idle)
                size, number = int.from_bytes(header[:3], "little"), header[3]
                if number != self._next:
                    raise malformed("a packet out of turn")
                self._next = (number + 1) % 256
                if len(found) + size > self.most:
                    text = f"the packet has more than {self.most:,} bytes"
                    raise Refused(1153, "08S01", text, ends=True)
                found += await asyncio.wait_for(self._reader.readexactly(size), self._seconds)
                if size < FULL:
                    return bytes(found)
                idle = self._seconds
        except (TimeoutError, asyncio.IncompleteReadError, OSError):
            pass
        raise HungUp

    def put(self, data: bytes) -> None:
        """Queue a packet."""
        while True:
            part, data = data[:FULL], data[FULL:]
            self._out += len(part).to_bytes(3, "little") + bytes((self._next,)) + part
            self._next = (self._next + 1) % 256
            if len(part) < FULL:
                return

    async def pour(self) -> None:
        """Send what is queued, if it is much."""
        if len(self._out) > FLUSH:
            await self.flush()

    async def flush(self) -> None:
        """Send what is queued.

        Raises:
            HungUp: nobody takes it.
        """
        made, self._out = bytes(self._out), bytearray()
        try:
            self._writer.write(made)
            await asyncio.wait_for(self._writer.drain(), 10 * self._seconds)
            return
        except (TimeoutError, OSError):
            pass
        raise HungUp

    async def encrypt(self, context: ssl.SSLContext) -> None:
        """Go on over TLS.

        Raises:
            Refused: bytes came with the wish for it that were not encrypted: whoever sits between
                would have put them there, to be read as the client's.
            HungUp: it failed.
        """
        try:
            async with asyncio.timeout(0):
                early = await self._reader.read(1)
        except TimeoutError:
            early = b""
        if early:
            raise malformed()
        try:
            async with asyncio.timeout(self._seconds):
                await self._writer.start_tls(context)
            self.secret = True
            return
        except (TimeoutError, OSError):  # what ssl raises is an OSError
            pass
        raise HungUp

    def hang_up(self) -> None:
        """Hang up at once."""
        self._writer.transport.abort()

    async def close(self) -> None:
        """Hang up."""
        try:
            self._writer.close()
            await asyncio.wait_for(self._writer.wait_closed(), 1)
        except (TimeoutError, OSError):
            self._writer.transport.abort()
