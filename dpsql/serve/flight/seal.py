"""Handles: what a client carries back to this server, and can neither read into nor change.

Claim: a handle works for the principal that it was given to, while this server runs, and says what
the server wrote. Why: beside the text stands an HMAC-SHA-256 of the kind, the principal's name and
the text, under a key that this process drew and shows nobody. Nothing is kept for a handle, so that
no number of them takes memory.
"""

from __future__ import annotations

import hmac
import json
from hashlib import sha256
from secrets import token_bytes
from typing import Any

from dpsql.errors import AccessDenied

NOT_YOURS = "this ticket is not yours, or is from before the server was started: ask again"
_MAC = sha256().digest_size


class Seal:
    """Writes handles, and knows them again."""

    def __init__(self) -> None:
        self._key = token_bytes(32)

    def sealed(self, kind: str, who: str, said: dict[str, Any]) -> bytes:
        """A handle."""
        text = json.dumps(said, separators=(",", ":")).encode()
        return self._mac(kind, who, text) + text

    def opened(self, kind: str, who: str, handle: bytes) -> dict[str, Any]:
        """What a handle says.

        Raises:
            AccessDenied: it is none of this kind that was given to this principal.
        """
        mac, text = handle[:_MAC], handle[_MAC:]
        if not hmac.compare_digest(mac, self._mac(kind, who, text)):
            raise AccessDenied(NOT_YOURS)
        found: dict[str, Any] = json.loads(text)
        return found

    def _mac(self, kind: str, who: str, text: bytes) -> bytes:
        # Neither a kind nor a name has a NUL, so that no two triples are the same bytes.
        return hmac.digest(self._key, f"{kind}\0{who}\0".encode() + text, "sha256")
