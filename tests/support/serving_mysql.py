"""A server of MySQL's protocol in a thread, with the demo shop and a few principals."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pymysql
from pymysql.cursors import Cursor

from dpsql import demo
from dpsql.serve.config import DataConfig, LimitsConfig, MysqlConfig, ServerConfig, TlsConfig
from dpsql.serve.mysql.server import MysqlServer, serve_mysql
from dpsql.serve.service import Service, opened

COUNT = "SELECT COUNT(*) AS n FROM orders"


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
    folder: Path, *, tls: TlsConfig | None = None, default_eps: float | None = None, **limits: Any
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
    server = asyncio.run_coroutine_threadsafe(serve_mysql(service, mysql), loop).result(30)
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
