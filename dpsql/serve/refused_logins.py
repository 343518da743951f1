"""Logins that were refused, in the audit log.

Claim: a line holds nothing that was shown but the id of a token and the name of a principal which
are there; a token, a password or a name that somebody mistyped is in none. Why: both are looked up,
and what is found is written, not what came.

Claim: whoever is refused, however often, adds at most `PER_MINUTE` lines a minute for each protocol
(and as many at once). Why: a line takes one of its protocol's bucket; without it only a number
grows, which the next line tells.
"""

from __future__ import annotations

import threading
from collections import Counter
from contextlib import suppress
from typing import Literal

from dpsql.errors import EngineError, RateExceeded
from dpsql.serve.audit_log import AuditLog
from dpsql.serve.principals import Principals
from dpsql.serve.request_rate import Pacer

Protocol = Literal["http", "console", "mysql", "flight"]

PER_MINUTE = 6
"""Lines, of each protocol."""


class RefusedLogins:
    """Of one server. Safe for threads.

    Args:
        audit: where they are noted.
        principals: whose tokens and names are known.
    """

    def __init__(self, audit: AuditLog, principals: Principals) -> None:
        self._audit, self._principals = audit, principals
        self._pacer = Pacer(PER_MINUTE)
        self._unlogged: Counter[Protocol] = Counter()
        self._lock = threading.Lock()

    def note(self, protocol: Protocol, *, name: str = "", token: str = "") -> None:
        """Note one. A log that cannot be written lets nobody in, so that no error is raised here.

        Args:
            protocol: over which.
            name: who it was said to be.
            token: what was shown.
        """
        try:
            self._pacer.take(protocol)
        except RateExceeded:
            with self._lock:
                self._unlogged[protocol] += 1
            return
        with suppress(EngineError):
            number, whom = self._principals.shown(token)
            if not whom and self._principals.named(name) is not None:
                whom = name
            self._write(protocol, {"whom": whom, "token": number})

    def close(self) -> None:
        """Write how many were not told yet."""
        for protocol in tuple(self._unlogged):
            with suppress(EngineError):
                self._write(protocol, {})

    def _write(self, protocol: Protocol, said: dict[str, object]) -> None:
        with self._lock:
            more = self._unlogged.pop(protocol, 0)
        line = {"action": "refused login", "protocol": protocol, **said}
        self._audit.write(
            {k: v for k, v in (line | {"unlogged": more}).items() if v}, durable=False
        )
