"""Bytes that somebody sent, read strictly: whatever they are, it is a value or `Refused`."""

from __future__ import annotations

import struct

from dpsql.serve.mysql.errors import Refused, malformed


class Reader:
    """Reads a packet from its beginning to its end."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    @property
    def left(self) -> int:
        """How many bytes there still are."""
        return len(self._data) - self._at

    def take(self, count: int) -> bytes:
        """So many bytes.

        Raises:
            Refused: there are fewer.
        """
        if not 0 <= count <= self.left:
            raise malformed()
        self._at += count
        return self._data[self._at - count : self._at]

    def number(self, size: int, *, signed: bool = False) -> int:
        """An integer of so many bytes."""
        return int.from_bytes(self.take(size), "little", signed=signed)

    def real(self, size: int) -> float:
        """A floating-point number of 4 or 8 bytes."""
        found: float = struct.unpack("<f" if size == 4 else "<d", self.take(size))[0]
        return found

    def length(self) -> int:
        """An integer that says itself how many bytes it has."""
        first = self.number(1)
        if first < 0xFB:
            return first
        if first in _SIZES:
            return self.number(_SIZES[first])
        raise malformed()

    def counted(self) -> bytes:
        """Bytes after their number."""
        return self.take(self.length())

    def ended(self) -> bytes:
        """Bytes up to a zero, which is passed over."""
        end = self._data.find(b"\0", self._at)
        if end < 0:
            raise malformed()
        found = self.take(end - self._at)
        self._at += 1
        return found

    def rest(self) -> bytes:
        """All that is left."""
        return self.take(self.left)


_SIZES = {0xFC: 2, 0xFD: 3, 0xFE: 8}


def text(data: bytes, codec: str) -> str:
    """A text of the client's character set.

    Raises:
        Refused: it is none.
    """
    try:
        return data.decode(codec)
    except UnicodeDecodeError:
        pass
    raise Refused(1300, "HY000", "a text that is none of the connection's character set")
