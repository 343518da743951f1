"""Packets on a connection: how they are cut, counted, bounded and kept secret.

TLS begins in the middle of a connection. All bytes behind the packet that asks for it are given to
TLS, whenever they came: what somebody in between has put there in plain text is no TLS, and ends
the connection, instead of being read as the client's.
"""

from __future__ import annotations

import asyncio
import ssl

from dpsql.serve.mysql.errors import Refused, malformed

FULL = 0xFFFFFF
"""A packet that goes on in the next one has so many bytes."""

CHUNK = 1 << 16


class HungUp(Exception):  # noqa: N818  (it is no error)
    """The client is gone, or said nothing for too long."""


class Frames:
    """The packets of one connection.

    Attributes:
        most: bytes that a packet may have; little, until it is known who asks.

    Args:
        reader, writer: the connection.
        seconds: in which a packet must have come that has begun.
    """

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, seconds: float
    ) -> None:
        self._reader, self._writer, self._seconds = reader, writer, seconds
        self._next, self._in, self._out = 0, bytearray(), bytearray()
        self._tls: ssl.SSLObject | None = None
        self._from, self._to = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.most = 1 << 14

    @property
    def secret(self) -> bool:
        """Whether nobody else can read it."""
        return self._tls is not None

    async def gone(self) -> bool:
        """Whether the client has hung up; does not wait."""
        try:
            async with asyncio.timeout(0):
                while len(self._in) < CHUNK:
                    await self._fill()
        except TimeoutError:
            pass
        except HungUp:
            return True
        return False

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
        while True:
            header = await self._bytes(4, idle)
            size, number = int.from_bytes(header[:3], "little"), header[3]
            if number != self._next:
                raise malformed("a packet out of turn")
            self._next = (number + 1) % 256
            if len(found) + size > self.most:
                text = f"the packet has more than {self.most:,} bytes"
                raise Refused(1153, "08S01", text, ends=True)
            found += await self._bytes(size, self._seconds)
            if size < FULL:
                return bytes(found)
            idle = self._seconds

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
        if len(self._out) > CHUNK:
            await self.flush()

    async def flush(self) -> None:
        """Send what is queued.

        Raises:
            HungUp: nobody takes it.
        """
        made, self._out = bytes(self._out), bytearray()
        if self._tls is None:
            await self._send(made)
            return
        failed = False
        try:
            while made:
                made = made[self._tls.write(made) :]
        except ssl.SSLError:
            failed = True
        if failed:
            raise HungUp
        await self._send(self._to.read())

    async def encrypt(self, context: ssl.SSLContext) -> None:
        """Go on over TLS.

        Raises:
            HungUp: the client does not.
        """
        self._from.write(self._in)
        self._in.clear()
        made = context.wrap_bio(self._from, self._to, server_side=True)
        failed = False
        try:
            async with asyncio.timeout(self._seconds):
                while True:
                    try:
                        made.do_handshake()
                        break
                    except ssl.SSLWantReadError:
                        await self._send(self._to.read())
                        self._from.write(await self._raw())
            await self._send(self._to.read())
        except (TimeoutError, ssl.SSLError):
            failed = True
        if failed:
            raise HungUp
        self._tls = made

    def hang_up(self) -> None:
        """Hang up at once."""
        self._writer.transport.abort()

    async def close(self) -> None:
        """Hang up, behind what was sent."""
        try:
            self._writer.close()
            async with asyncio.timeout(1):
                await self._writer.wait_closed()
        except (TimeoutError, OSError):
            self.hang_up()

    async def _bytes(self, size: int, seconds: float) -> bytes:
        """So many bytes."""
        late = False
        try:
            async with asyncio.timeout(seconds):
                while len(self._in) < size:
                    await self._fill()
        except TimeoutError:
            late = True
        if late:
            raise HungUp
        found = bytes(self._in[:size])
        del self._in[:size]
        return found

    async def _fill(self) -> None:
        """Take in what has come, or wait for it."""
        if self._tls is None:
            self._in += await self._raw()
            return
        failed = False
        try:
            part = self._tls.read(CHUNK)
            failed = not part  # it said good-bye
            self._in += part
        except ssl.SSLWantReadError:
            self._from.write(await self._raw())
        except ssl.SSLError:
            failed = True
        if failed:
            raise HungUp

    async def _raw(self) -> bytes:
        try:
            found = await self._reader.read(CHUNK)
        except OSError:
            found = b""
        if not found:
            raise HungUp
        return found

    async def _send(self, data: bytes) -> None:
        failed = False
        try:
            self._writer.write(data)
            async with asyncio.timeout(10 * self._seconds):
                await self._writer.drain()
        except (TimeoutError, OSError):
            failed = True
        if failed:
            raise HungUp
