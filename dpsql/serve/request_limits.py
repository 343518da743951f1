"""What is true of every request, whatever it asks: its size, its time, and what browsers may do
with what comes back.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from time import monotonic
from typing import Any

from starlette.exceptions import HTTPException

from dpsql.platform.engine import ownerlog

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'"),
)

TOO_LARGE = "the request is too large"
TOO_SLOW = "the request did not come in time"
_HANG_UP = {"connection": "close"}


class Guard:
    """An ASGI application, guarded.

    Args:
        app: the application.
        body: bytes that a request may have.
        seconds: in which it must have come.
        count: is told the route and the status of each.
    """

    def __init__(
        self, app: App, *, body: int, seconds: float, count: Callable[[str, int], None]
    ) -> None:
        self._app, self._body, self._seconds, self._count = app, body, seconds, count

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """See ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        left, until, whole, status = self._body, monotonic() + self._seconds, False, 0

        async def received() -> Message:
            nonlocal left, whole
            if whole:  # nothing but a hang-up comes now
                return await receive()
            try:
                found = await asyncio.wait_for(receive(), max(0.0, until - monotonic()))
            except TimeoutError:
                raise HTTPException(408, TOO_SLOW, _HANG_UP) from None
            left -= len(found.get("body", b""))
            whole = not found.get("more_body", False)
            if left < 0:
                raise HTTPException(413, TOO_LARGE, _HANG_UP)
            return found

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                known = {name for name, _ in message.get("headers", ())}
                more = [header for header in HEADERS if header[0] not in known]
                message = {**message, "headers": [*message.get("headers", ()), *more]}
            await send(message)

        try:
            await self._app(scope, received, sent)
        except Exception as error:
            # A bug of ours: its text may show values, so that no log but the owner's has it.
            ownerlog.report(error)
        self._count(getattr(scope.get("route"), "path", "none"), status)
