"""The first packets: what the server greets with, and who the client says it is."""

from __future__ import annotations

from dataclasses import dataclass

from mysql_mimic import packets
from mysql_mimic.charset import CharacterSet, Collation
from mysql_mimic.types import Capabilities, ServerStatus

from dpsql.serve.mysql.errors import Refused
from dpsql.serve.mysql.strict_bytes import Reader, text

VERSION = "8.0.36-dpsql"
"""What clients read to know what the server can: the language of MySQL 8.0."""

OFFERED = (
    Capabilities.CLIENT_LONG_PASSWORD
    | Capabilities.CLIENT_FOUND_ROWS
    | Capabilities.CLIENT_LONG_FLAG
    | Capabilities.CLIENT_CONNECT_WITH_DB
    | Capabilities.CLIENT_ODBC
    | Capabilities.CLIENT_IGNORE_SPACE
    | Capabilities.CLIENT_PROTOCOL_41
    | Capabilities.CLIENT_INTERACTIVE
    | Capabilities.CLIENT_TRANSACTIONS
    | Capabilities.CLIENT_SECURE_CONNECTION
    | Capabilities.CLIENT_PLUGIN_AUTH
    | Capabilities.CLIENT_PLUGIN_AUTH_LENENC_CLIENT_DATA
    | Capabilities.CLIENT_DEPRECATE_EOF
)
"""Neither several statements at once, nor files of the client's, nor compression."""

CHARSETS = {
    "utf8mb4": CharacterSet.utf8mb4,
    "utf8": CharacterSet.utf8,
    "utf8mb3": CharacterSet.utf8,
    "latin1": CharacterSet.latin1,
    "ascii": CharacterSet.ascii,
    "binary": CharacterSet.utf8mb4,
}
"""In all of them a quote is one byte that stands for nothing else."""

STATUS = ServerStatus.SERVER_STATUS_AUTOCOMMIT


@dataclass(frozen=True, slots=True)
class Hello:
    """Who the client says it is.

    Attributes:
        able: what both sides can.
        charset: of its texts.
        user, data: a name, and the data set; "" for none.
        plugin: how it would prove who it is.
        proof: its first word in that.
    """

    able: Capabilities
    charset: str
    user: str
    data: str
    plugin: str
    proof: bytes


def greeting(number: int, nonce: bytes, plugin: str, *, tls: bool) -> bytes:
    """The first packet of all."""
    able = OFFERED | (Capabilities.CLIENT_SSL if tls else Capabilities(0))
    made: bytes = packets.make_handshake_v10(
        capabilities=able,
        server_charset=CharacterSet.utf8mb4,
        server_version=VERSION,
        connection_id=number,
        auth_data=nonce + b"\0",
        status_flags=STATUS,
        auth_plugin_name=plugin,
    )
    return made


def wants_tls(data: bytes) -> bool:
    """Whether it is the packet after which TLS begins, which says nothing else."""
    return len(data) == 32 and Capabilities.CLIENT_SSL in Capabilities(Reader(data).number(4))


def hello(data: bytes) -> Hello:
    """What the client answers.

    Raises:
        Refused: it is no such packet, or of a client before MySQL 4.1.
    """
    reader = Reader(data)
    able = Capabilities(reader.number(4)) & OFFERED
    if not {Capabilities.CLIENT_PROTOCOL_41, Capabilities.CLIENT_SECURE_CONNECTION} <= set(able):
        raise Refused(1043, "08S01", "the client is too old", ends=True)
    reader.take(4)
    charset = _charset(reader.number(1))
    reader.take(23)
    codec = CHARSETS[charset].codec
    user = text(reader.ended(), codec)
    if Capabilities.CLIENT_PLUGIN_AUTH_LENENC_CLIENT_DATA in able:
        proof = reader.counted()
    else:
        proof = reader.take(reader.number(1))
    return _hello(reader, able, charset, user, proof)


def other_user(data: bytes, able: Capabilities, charset: str) -> Hello:
    """What a client says who goes on as somebody else.

    Raises:
        Refused: it is no such packet.
    """
    reader, codec = Reader(data), CHARSETS[charset].codec
    user = text(reader.ended(), codec)
    proof = reader.take(reader.number(1))
    name = text(reader.ended(), codec)
    if reader.left:
        charset = _charset(reader.number(2))
    plugin = ""
    if reader.left and Capabilities.CLIENT_PLUGIN_AUTH in able:
        plugin = text(reader.ended(), "utf8")
    return Hello(able, charset, user, name, plugin, proof)


def _hello(reader: Reader, able: Capabilities, charset: str, user: str, proof: bytes) -> Hello:
    codec, name, plugin = CHARSETS[charset].codec, "", ""
    if Capabilities.CLIENT_CONNECT_WITH_DB in able and reader.left:
        name = text(reader.ended(), codec)
    if Capabilities.CLIENT_PLUGIN_AUTH in able and reader.left:
        plugin = text(reader.ended(), "utf8")
    return Hello(able, charset, user, name, plugin, proof)


def _charset(number: int) -> str:
    try:
        name = str(Collation(number).charset.name)
    except (ValueError, KeyError):
        name = "utf8mb4"  # a collation of a newer MySQL
    if name not in CHARSETS:
        raise Refused(
            1115, "42000", f"the character set is one of {', '.join(CHARSETS)}", ends=True
        )
    return name
