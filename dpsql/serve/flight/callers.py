"""Who calls: from the headers of each call, before anything else of it is read."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow.flight as flight

from dpsql.errors import AccessDenied, InvalidArgument
from dpsql.serve.flight.flight_errors import told
from dpsql.serve.login import Login, bearer
from dpsql.serve.principals import Principal
from dpsql.serve.refused_logins import RefusedLogins
from dpsql.serve.request_rate import Pacer

CALLER = "dpsql-caller"
"""The name of the middleware."""


@dataclass(frozen=True, slots=True)
class Caller:
    """A call's principal, and its headers."""

    who: Principal
    headers: Mapping[str, tuple[str, ...]]

    def said(self, name: str) -> str | None:
        """What a header says; None without it.

        Raises:
            InvalidArgument: it is given several times, with different texts.
        """
        found = {text.strip() for text in self.headers.get(name, ())}
        if len(found) > 1:
            raise InvalidArgument(f"the header {name} is given twice")
        return found.pop() if found else None


class CallerMiddleware(flight.ServerMiddleware):  # type: ignore[misc]
    """One call's."""

    def __init__(self, caller: Caller, token: str | None) -> None:
        self.caller, self._token = caller, token

    def sending_headers(self) -> dict[str, str]:
        """Of a handshake the token, as drivers want it that have a name and a password."""
        return {} if self._token is None else {"authorization": f"Bearer {self._token}"}


class CallerFactory(flight.ServerMiddlewareFactory):  # type: ignore[misc]
    """Lets in who has a token: `Authorization: Bearer TOKEN`, and at a handshake also Basic, with
    the principal's name and the token as the password.
    """

    def __init__(self, login: Login, pacer: Pacer, refused: RefusedLogins) -> None:
        self._login, self._pacer, self._refused = login, pacer, refused

    @told
    def start_call(
        self, info: flight.CallInfo, headers: dict[str, list[str | bytes]]
    ) -> CallerMiddleware:
        """See pyarrow."""
        texts = {
            name.lower(): tuple(text for text in found if isinstance(text, str))
            for name, found in headers.items()
        }
        given = texts.get("authorization", ())
        if len(given) != 1:
            raise AccessDenied(AccessDenied.TOKEN)
        shakes = info.method == flight.FlightMethod.HANDSHAKE
        token, name = (_basic(given[0]) if shakes else None) or (given[0], None)
        who = self._login.known(bearer(token))
        if who is None or name not in (None, who.name):
            self._refused.note("flight", name=name or "", token=bearer(token))
            raise AccessDenied(AccessDenied.TOKEN)
        self._pacer.take(who.name)
        return CallerMiddleware(Caller(who, texts), token.partition(" ")[2] if shakes else None)


class Handshake(flight.ServerAuthHandler):  # type: ignore[misc]
    """Says yes: whoever comes so far was let in by `CallerFactory`."""

    def authenticate(self, outgoing: object, incoming: object) -> None:
        """See pyarrow."""

    def is_valid(self, token: object) -> bytes:
        """See pyarrow."""
        return b""


def _basic(header: str) -> tuple[str, str] | None:
    """The Bearer header that a Basic one stands for, and the name; None where it is none."""
    kind, _, text = header.partition(" ")
    if kind.lower() != "basic":
        return None
    try:
        whole = text.strip().rstrip("=")  # drivers in Go leave them out
        raw = base64.b64decode(whole + "=" * (-len(whole) % 4), validate=True)
        name, colon, token = raw.decode().partition(":")
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return None
    return (f"Bearer {token}", name) if colon else None
