"""An error as MySQL tells it: a number, a state of five letters, and this library's own text."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from dpsql.errors import (
    AccessDenied,
    AnalystLocked,
    BudgetExceeded,
    DpsqlError,
    InvalidArgument,
    InvalidBudget,
    LimitExceeded,
    Rejected,
    RequestExists,
)

MAX_BYTES = 8_000
"""Of a message; many clients show the first 512."""


class Refused(Exception):  # noqa: N818  (what the client is told, not a failure of ours)
    """What the protocol itself refuses.

    Attributes:
        number, state: as MySQL has them.
        ends: whether the connection is closed.
    """

    def __init__(self, number: int, state: str, text: str, *, ends: bool = False) -> None:
        self.number, self.state, self.ends = number, state, ends
        super().__init__(text)


def malformed(text: str = "the packet is malformed") -> Refused:
    """A packet that is none; the connection is closed, since nobody knows where the next begins."""
    return Refused(1835, "HY000", text, ends=True)


DENIED = "access denied: the user, the token or both are wrong, or the token may not be used"
NO_DATA = "no data set is chosen: give the database when you connect, or USE one of SHOW DATABASES"
NOT_HERE = "this statement is not there: dpsql answers SELECT, EXPLAIN, SHOW, DESCRIBE, USE and SET"


@dataclass(frozen=True, slots=True)
class Told:
    """What goes to the client."""

    number: int
    state: str
    text: str

    def packet(self, codec: str) -> bytes:
        """As the client reads it."""
        text = self.text.encode(codec, "replace")[:MAX_BYTES].decode(codec, "ignore")
        head = struct.pack("<BH", 0xFF, self.number) + b"#" + self.state.encode()
        return head + text.encode(codec)


_OF_CODES = {
    "DP101": (1064, "42000"),
    "DP102": (1064, "42000"),
    "DP103": (1064, "42000"),
    "DP201": (1146, "42S02"),
    "DP202": (1054, "42S22"),
    "DP203": (1052, "23000"),
    "DP204": (1305, "42000"),
}
_NOT_ACCEPTED = (1235, "42000")
"""MySQL's "doesn't yet support": no code of it says that a query would tell of a person."""

_OF_KINDS: tuple[tuple[type[DpsqlError], int, str], ...] = (
    (InvalidBudget, 1231, "42000"),
    (InvalidArgument, 1210, "HY000"),
    (BudgetExceeded, 1226, "42000"),
    (AnalystLocked, 3118, "HY000"),
    (AccessDenied, 1044, "42000"),
    (RequestExists, 1317, "70100"),
    (LimitExceeded, 3024, "HY000"),
)
"""The first that fits."""


def told(error: DpsqlError | Refused) -> Told:
    """What a client is told of an error."""
    if isinstance(error, Refused):
        return Told(error.number, error.state, str(error))
    if isinstance(error, Rejected):
        return Told(*_OF_CODES.get(error.code, _NOT_ACCEPTED), str(error))
    found = ((n, state) for kind, n, state in _OF_KINDS if isinstance(error, kind))
    return Told(*next(found, (1105, "HY000")), str(error))
