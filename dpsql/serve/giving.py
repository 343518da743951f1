"""Large answers that are given: few to one principal at once, since who asks for many and reads
none would fill the server's memory with what was made of them.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from dpsql.errors import RateExceeded

EACH = 4
PIECE = 65_536
"""Bytes that are handed over at once."""

LARGE = 1_000_000
"""Bytes of an answer's rows from which on it is one; others are made where requests are heard."""

UNREAD = (
    "answers of yours are on their way: read those, then fetch this one; it is kept under its id"
)


class Giving:
    """How many are on their way to each principal. Safe for threads."""

    def __init__(self, each: int = EACH) -> None:
        self._each, self._lock = each, threading.Lock()
        self._given: Counter[str] = Counter()

    def begin(self, name: str) -> None:
        """Count one more.

        Raises:
            RateExceeded: there are enough.
        """
        with self._lock:
            if self._given[name] >= self._each:
                raise RateExceeded(UNREAD, 1.0)
            self._given[name] += 1

    def end(self, name: str) -> None:
        """It was read, or nobody wants it any more."""
        with self._lock:
            self._given[name] -= 1
            if not self._given[name]:
                del self._given[name]


class Given(Response):
    """A response of which each piece waits until the one before it is on its way, so that it is
    given for as long as somebody has to read it: whole, the server would take it at once, and
    keep it.

    Args:
        whole: what is answered.
        then: is called when it was read, or nobody wants it any more.
    """

    def __init__(self, whole: Response, then: Callable[[], None]) -> None:
        super().__init__(whole.body, whole.status_code)
        self.raw_headers, self._then = whole.raw_headers, then

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        start = {"type": "http.response.start", "status": self.status_code}
        try:
            await send({**start, "headers": self.raw_headers})
            for at in range(0, len(self.body), PIECE):
                piece = self.body[at : at + PIECE]
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            await send({"type": "http.response.body"})
        finally:
            self._then()
