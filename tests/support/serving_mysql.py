"""A server of MySQL's protocol in a thread, with the demo shop and a few principals."""

from __future__ import annotations

import asyncio
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pymysql
from mysql_mimic.types import Capabilities
from pymysql._auth import scramble_native_password
from pymysql.cursors import Cursor

from dpsql import demo
from dpsql.serve.config import (
    DataConfig,
    LimitsConfig,
    MysqlConfig,
    OidcConfig,
    ServerConfig,
    TlsConfig,
)
from dpsql.serve.data_sets import opened
from dpsql.serve.login import Login
from dpsql.serve.mysql import serve_mysql
from dpsql.serve.mysql.handshake import OFFERED
from dpsql.serve.mysql.server import MysqlServer
from dpsql.serve.service import Service


class Serving:
    """The server, and the tokens of who may use it."""

    def __init__(self, service: Service, server: MysqlServer, loop: asyncio.AbstractEventLoop):
        self.service, self.server, self.loop, self.port = service, server, loop, server.port
        self.tokens: dict[str, str] = {}

    def join(self, name: str, **what: Any) -> str:
        """A new principal, and its token."""
        self.service.principals.add(name, **what)
        self.tokens[name] = self.service.principals.new_token(name)
        return self.tokens[name]

    def connect(self, name: str, data: str | None = "shop", **more: Any) -> pymysql.Connection[Any]:
        """A connection of pymysql."""
        said = {"password": self.tokens.get(name.partition("/")[0], "no"), **more}
        return pymysql.connect(host="127.0.0.1", port=self.port, user=name, database=data, **said)

    def spent(self, name: str) -> float:
        """What a principal was charged, in ε."""
        lines = self.service.data["shop"].db.budget.history
        return sum(line.cost.eps for line in lines if line.analyst == name)


@contextmanager
def serving(
    folder: Path,
    *,
    tls: TlsConfig | None = None,
    default_eps: float | None = None,
    oidc: OidcConfig | None = None,
    **limits: Any,
) -> Iterator[Serving]:
    """A server; `vault` is a second data set, of the same shop."""
    data, policy = demo.save(folder)
    second = folder / "vault"
    second.mkdir()
    other, _ = demo.save(second)
    mysql = MysqlConfig(port=0, tls=tls, default_eps=default_eps)
    config = ServerConfig(
        data={
            "shop": DataConfig(data=str(data), policy=str(policy), workers=1),
            "vault": DataConfig(data=str(other), policy=str(policy), workers=1),
        },
        state=str(folder / "state"),
        mysql=mysql,
        limits=LimitsConfig(requests_per_minute=60_000, **limits),
    )
    service = Service(config, opened(config))
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    login = Login(service.principals, oidc)
    coming = serve_mysql(service, login, mysql)
    server = asyncio.run_coroutine_threadsafe(coming, loop).result(30)
    try:
        yield Serving(service, server, loop)
    finally:
        asyncio.run_coroutine_threadsafe(server.stop(), loop).result(30)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()
        service.close()


def rows(connection: pymysql.Connection[Any], sql: str, *given: object) -> list[tuple[Any, ...]]:
    """The rows of a statement."""
    with connection.cursor(Cursor) as cursor:
        cursor.execute(sql, given or None)
        return list(cursor.fetchall())


def refused(connection: pymysql.Connection[Any], sql: str) -> tuple[int, str]:
    """The number and the text of the error of a statement."""
    try:
        rows(connection, sql)
    except pymysql.MySQLError as error:
        return error.args[0], error.args[1]
    raise AssertionError(f"it was answered: {sql}")


class Raw:
    """A client that sends what it is told to, byte by byte."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.greeting = self.read()
        self.nonce = self.greeting[self.greeting.index(b"\0", 1) + 5 :][:8]
        self.nonce += self.greeting[self.greeting.index(b"\0", 1) + 32 :][:12]

    def read(self) -> bytes:
        """The next packet."""
        header = self._read(4)
        return self._read(int.from_bytes(header[:3], "little"))

    def send(self, data: bytes, number: int = 0) -> None:
        """A packet."""
        self.socket.sendall(len(data).to_bytes(3, "little") + bytes((number,)) + data)

    def login(self, user: str, token: str, data: str = "shop") -> bytes:
        """Log in; what the server says to it."""
        self.send(self.hello(user, token, data), 1)
        return self.read()

    def hello(self, user: str, token: str, data: str = "shop") -> bytes:
        """The packet by which one logs in."""
        proof = scramble_native_password(token.encode(), self.nonce)
        able = OFFERED & ~Capabilities.CLIENT_DEPRECATE_EOF
        return (
            struct.pack("<IIB23x", able, 1 << 24, 255)
            + user.encode()
            + b"\0\x14"
            + proof
            + data.encode()
            + b"\0mysql_native_password\0"
        )

    def query(self, sql: str) -> bytes:
        """A statement; the first packet of what comes back."""
        self.send(b"\x03" + sql.encode())
        return self.read()

    def execute(self, sql: str, *given: str | int | None) -> list[bytes]:
        """A prepared statement with parameters: its rows, as they came, or the error."""
        self.send(b"\x16" + sql.encode())
        said = self.read()
        if said[0] == 0xFF:
            return [said]
        number, _, count = struct.unpack("<IHH", said[1:9])
        for _ in range(count + bool(count)):
            self.read()
        assert count == len(given), count
        nulls = sum(1 << i for i, v in enumerate(given) if v is None)
        body = b"\x17" + struct.pack("<IBI", number, 0, 1)
        if given:
            body += nulls.to_bytes((count + 7) // 8, "little") + b"\x01"
            body += b"".join(b"\x08\0" if isinstance(v, int) else b"\xfd\0" for v in given)
            for value in given:
                if isinstance(value, int):
                    body += struct.pack("<q", value)
                elif value is not None:
                    text = value.encode()
                    body += b"\xfc" + struct.pack("<H", len(text)) + text
        self.send(body)
        first = self.read()
        if first[0] in (0, 0xFF):
            return [first]
        for _ in range(first[0] + 1):
            self.read()
        found = []
        while (row := self.read())[0] != 0xFE:
            found.append(row)
        return found

    def close(self) -> None:
        """Hang up."""
        self.socket.close()

    def _read(self, size: int) -> bytes:
        found = b""
        while len(found) < size:
            part = self.socket.recv(size - len(found))
            if not part:
                raise EOFError
            found += part
        return found


def certificate(folder: Path) -> TlsConfig:
    """A certificate of this machine, by itself."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    files = folder / "own.pem", folder / "own.key"
    files[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return TlsConfig(certificate=str(files[0]), key=str(files[1]))
