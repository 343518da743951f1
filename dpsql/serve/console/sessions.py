"""Who is logged in. A browser has a random id in a cookie; the token stays here, in memory.

Claim: a session ends with its token. Why: at each request it is asked anew whose the token is, by
the same `Login` that the HTTP interface asks; a token that was revoked or has ended is nobody's.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

from dpsql.errors import AccessDenied
from dpsql.serve.login import Login
from dpsql.serve.principals import Principal

IDLE, LONGEST = 3600.0, 8 * 3600.0
"""Seconds without a request, and seconds, after which a session ends."""

ID = re.compile(r"[A-Za-z0-9_-]{43}\Z")

MOST_EACH = 20
"""Sessions of one principal; one more ends the oldest."""


@dataclass(slots=True, eq=False)
class _Session:
    name: str
    bearer: str = field(repr=False)
    begun: float
    seen: float


class Sessions:
    """Of one server. Safe for threads.

    Args:
        login: tells whose a token is.
        clock: seconds.
    """

    def __init__(self, login: Login, clock: Callable[[], float] = monotonic) -> None:
        self._login, self._clock, self._key = login, clock, secrets.token_bytes(32)
        self._open: dict[bytes, _Session] = {}  # by the hash of the id, oldest first
        self._lock = threading.Lock()

    def begin(self, token: str) -> tuple[str, Principal]:
        """A new session, with an id that nobody had before.

        Raises:
            AccessDenied: the token is nobody's.
        """
        bearer = f"Bearer {token.strip()}"
        found, name, now = self._login.principal(bearer), new_id(), self._clock()
        with self._lock:
            self._forget(now)
            own = [key for key, one in self._open.items() if one.name == found.name]
            for key in own[: max(0, len(own) + 1 - MOST_EACH)]:
                del self._open[key]
            self._open[_hash(name)] = _Session(found.name, bearer, now, now)
        return name, found

    def principal(self, name: str) -> Principal | None:
        """Whose a session is; None where there is none, or no more."""
        with self._lock:
            now = self._clock()
            self._forget(now)
            found = self._open.get(_hash(name))
            if found is None:
                return None
            found.seen = now
        try:
            return self._login.principal(found.bearer)
        except AccessDenied:
            self.end(name)
            return None

    def end(self, name: str) -> None:
        """End one."""
        with self._lock:
            self._open.pop(_hash(name), None)

    def proof(self, name: str) -> str:
        """What a form of this session holds, and a page of another site cannot know."""
        return hmac.new(self._key, name.encode(), "sha256").hexdigest()

    def proven(self, name: str, said: str) -> bool:
        """Whether that is it; in the same time, whatever was said."""
        return hmac.compare_digest(self.proof(name).encode(), said.encode())

    def _forget(self, now: float) -> None:
        old = [
            key
            for key, one in self._open.items()
            if now - one.seen >= IDLE or now - one.begun >= LONGEST
        ]
        for key in old:
            del self._open[key]


def new_id() -> str:
    """256 random bits."""
    return secrets.token_urlsafe(32)


def _hash(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()
