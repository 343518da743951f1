"""Requests to a server, and what it answers."""

from __future__ import annotations

import json
import weakref
from collections.abc import Mapping
from typing import Any

from dpsql import errors
from dpsql.errors import AccessDenied, DpsqlError, EngineError, InvalidArgument
from dpsql.session.remote.codec import UNREADABLE, decoded
from dpsql.visible import visible

MEDIA = "application/vnd.dpsql+json"
"""The form in which this library's own values are told."""

MAX_ANSWER = 1 << 30
"""Bytes."""

TOO_OFTEN = "too many requests: "
"""How a server begins to say that it did not hear a request; what was asked before goes on."""

NOT_REACHED = "the server cannot be reached, or does not answer"


class Client:
    """A server, one of its data sets, and a token.

    Args:
        url: `https://host[:port][/name]`.
        token: who asks.
        ca: a file with the certificates that are trusted; those of the system by default.
        seconds: that the server may take to begin its answer.

    Raises:
        InvalidArgument: a URL or a token that is none.
        EngineError: httpx is not installed.
    """

    def __init__(self, url: str, token: str, *, ca: str | None = None, seconds: float = 60) -> None:
        try:
            import httpx
        except ImportError:
            httpx = None  # type: ignore[assignment]
        if httpx is None:
            raise EngineError("a server needs a client: pip install 'dpsql[client]'")
        import ssl

        if not isinstance(token, str) or not token or not token.isascii() or " " in token:
            raise InvalidArgument(
                "a server needs a token: connect(…, token=…), or DPSQL_TOKEN in the environment"
            )
        parts, problem = None, ""
        try:
            parts = httpx.URL(url)
            trust = ssl.create_default_context(cafile=ca)
        except httpx.InvalidURL:
            problem = "a server is named by its URL: https://host:port/name"
        except (OSError, ValueError):
            problem = "the certificates that are to be trusted cannot be read"
        if parts is None or problem or parts.userinfo or not parts.host:
            raise InvalidArgument(problem or "a token is no part of a URL: connect(…, token=…)")
        if parts.scheme == "http" and parts.host not in ("127.0.0.1", "localhost", "::1"):
            raise InvalidArgument("a token goes over https:// alone, but to this machine")
        self.name = parts.path.strip("/")
        self._http = httpx.Client(
            base_url=parts.copy_with(path="/v1/", query=None, fragment=None),
            headers={"Authorization": f"Bearer {token}", "Accept": MEDIA},
            timeout=httpx.Timeout(seconds, connect=15),
            verify=trust,
            follow_redirects=False,
            trust_env=False,
        )
        self.close = weakref.finalize(self, self._http.close)
        """Hang up, at the latest when nobody has this any more."""

    def get(self, path: str, **asked: str) -> Any:
        """What a path gives.

        Raises:
            DpsqlError: what the server says, as it would be raised there.
            EngineError: it cannot be reached, or cannot be understood.
        """
        return self._said("GET", path, None, asked)

    def post(self, path: str, asked: Mapping[str, object]) -> Any:
        """What a path gives when it is asked; see `get`."""
        return self._said("POST", path, asked, {})

    def delete(self, path: str) -> Any:
        """End what a path names; see `get`."""
        return self._said("DELETE", path, None, {})

    def _said(
        self, method: str, path: str, asked: Mapping[str, object] | None, query: Mapping[str, str]
    ) -> Any:
        import httpx

        if not self.close.alive:
            raise EngineError("the database is closed")
        body = None if asked is None else json.dumps(asked).encode()
        kind = {} if asked is None else {"Content-Type": "application/json"}
        found: object = None
        status, problem = 0, NOT_REACHED
        try:
            with self._http.stream(
                method, path, content=body, headers=kind, params=query
            ) as response:
                status, told = response.status_code, bytearray()
                for part in response.iter_bytes():
                    told += part
                    if len(told) > MAX_ANSWER:
                        raise ValueError
            problem = UNREADABLE
            found = json.loads(bytes(told)) if told else None
        except (httpx.HTTPError, ValueError, RecursionError):
            status = 0
        if not status:
            raise EngineError(problem)
        if status >= 400:
            raise _error(found, status)
        return decoded(found)


def _error(found: object, status: int) -> DpsqlError:
    """The error that a server tells."""
    told = found.get("raised") if isinstance(found, dict) else None
    if isinstance(told, dict):
        kind = getattr(errors, str(told.get("type")), None)
        if isinstance(kind, type) and issubclass(kind, DpsqlError):
            made = kind.__new__(kind)
            made.args = (visible(str(told.get("text"))),)  # a server may write anything
            state = decoded(told.get("state"))
            vars(made).update(state if isinstance(state, dict) else {})
            return made
    if status in (401, 403):
        return AccessDenied(AccessDenied.TOKEN)
    return EngineError(UNREADABLE)
