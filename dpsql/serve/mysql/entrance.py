"""Who a connection is from: the ways in which a client of MySQL says its token.

| plugin | what comes | what is compared | where |
|---|---|---|---|
| caching_sha2_password | the token | SHA-256, as over HTTP | TLS |
| mysql_clear_password | the token | the same | TLS, loopback |
| mysql_native_password | a proof of knowing it | the verifier; see `principals` | TLS, loopback |

A token of an identity provider is shown as the password, too, in the two ways that send it: of a
proof nobody has its verifier.

caching_sha2_password is always asked for the "full" authentication, in which the password is sent:
its short one needs a hash that this server has no use for.
"""

from __future__ import annotations

import secrets
import string
from hashlib import sha1
from hmac import compare_digest

from mysql_mimic import packets
from mysql_mimic.charset import CharacterSet

from dpsql.serve.login import Login
from dpsql.serve.mysql.errors import DENIED, Refused
from dpsql.serve.mysql.handshake import Hello
from dpsql.serve.mysql.packets import Frames
from dpsql.serve.principals import Principal

SHA2, CLEAR, NATIVE = "caching_sha2_password", "mysql_clear_password", "mysql_native_password"
_SEND_IT = b"\x01\x04"
_LETTERS = string.ascii_letters + string.digits  # Connector/J reads a nonce as ASCII


def nonce() -> bytes:
    """20 letters that nobody has seen before."""
    return "".join(secrets.choice(_LETTERS) for _ in range(20)).encode()


def usual(*, tls: bool) -> str:
    """The way in that a greeting proposes."""
    return SHA2 if tls else NATIVE


async def shown(
    frames: Frames, said: Hello, greeted: str, word: bytes, seconds: float
) -> tuple[str, bytes]:
    """A plugin, and what a client shows by it.

    Args:
        frames: the connection; secret, or of loopback.
        said: what the client says.
        greeted: the plugin of the greeting, which the proof goes with if it is the client's too.
        word: the nonce.
        seconds: in which the client must answer.
    """
    plugin, proof = said.plugin or NATIVE, said.proof
    usable = {CLEAR, NATIVE, SHA2} if frames.secret else {CLEAR, NATIVE}
    if (
        plugin not in usable
        or (plugin != greeted and plugin != CLEAR)
        or (plugin == CLEAR and not proof.rstrip(b"\0"))
    ):
        plugin = plugin if plugin in usable else usual(tls=frames.secret)
        frames.put(packets.make_auth_switch_request(CharacterSet.utf8mb4, plugin, word + b"\0"))
        await frames.flush()
        proof = await frames.read(seconds)
    if plugin == SHA2:
        frames.put(_SEND_IT)
        await frames.flush()
        proof = await frames.read(seconds)
    return plugin, proof


def known(login: Login, user: str, plugin: str, proof: bytes, word: bytes) -> Principal | None:
    """Whose the token is that was shown; of one who is paused nobody's.

    Raises:
        EngineError: the principals cannot be read.
    """
    if plugin == NATIVE:
        found = login.principals.proven(user, lambda verifier: _proves(proof, word, verifier))
    else:
        found = login.known(token(plugin, proof))
    return found if found is not None and found.name == user and not found.paused else None


def token(plugin: str, proof: bytes) -> str:
    """What was shown, by the ways that send it; "" by the other one."""
    return "" if plugin == NATIVE else proof.removesuffix(b"\0").decode("ascii", "replace")


def denied() -> Refused:
    """The same, whatever was wrong."""
    return Refused(1045, "28000", DENIED, ends=True)


def _proves(proof: bytes, word: bytes, verifier: bytes) -> bool:
    if len(proof) != 20:
        return False
    mask = sha1(word + verifier).digest()
    own = bytes(a ^ b for a, b in zip(proof, mask, strict=True))
    return compare_digest(sha1(own).digest(), verifier)
