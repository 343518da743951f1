"""A server in this process, of small data, for as long as a test takes."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import duckdb
import uvicorn

import dpsql
from dpsql.serve.config import ServerConfig
from dpsql.serve.data_sets import opened
from dpsql.serve.login import Login
from dpsql.serve.process import settings
from dpsql.serve.service import Service
from dpsql.session.database import Database

PEOPLE = """
CREATE TABLE people (id INTEGER PRIMARY KEY, town VARCHAR, age INTEGER);
INSERT INTO people SELECT i, chr(97 + (i % 3)::INTEGER), i % 80 FROM range(300) t(i);
CREATE TABLE visits (person INTEGER, day DATE, cost DECIMAL(6,2));
INSERT INTO visits SELECT i % 300, DATE '2024-01-01' + (i % 366)::INTEGER, (i % 50)::DECIMAL(6,2)
FROM range(900) t(i);
CREATE TABLE towns (name VARCHAR PRIMARY KEY, country VARCHAR);
INSERT INTO towns VALUES ('a', 'x'), ('b', 'x'), ('c', 'y');
"""

POLICY = """
unit: people.id
budget: {eps: 1000000, delta: 1e-6}
tables:
  people:
    access: private
    columns:
      id: {}
      town: {references: towns.name}
      age: {bounds: [0, 100]}
  visits:
    access: private
    columns:
      person: {references: people.id, max_rows: 10}
      day: {}
      cost: {bounds: [0, 100]}
  towns: {access: public}
"""


class Served:
    """What runs.

    Attributes:
        service: behind the protocol.
        url: without a data set.
        folder: with data, policy, ledger and state.
    """

    def __init__(self, service: Service, url: str, folder: Path) -> None:
        self.service, self.url, self.folder = service, url, folder

    def token(self, name: str, **given: Any) -> str:
        """A new token of a principal, who is made or changed."""
        self.service.principals.add(name, **given)
        return self.service.principals.new_token(name)

    def connect(self, name: str = "anna", data: str = "shop", **given: Any) -> Database:
        """The database as that principal has it."""
        return dpsql.connect(f"{self.url}/{data}", token=self.token(name, **given))

    def headers(self, name: str = "anna", **given: Any) -> dict[str, str]:
        """Of a request of that principal."""
        return {"Authorization": f"Bearer {self.token(name, **given)}"}


def files(folder: Path, policy: str = POLICY, sql: str = PEOPLE) -> tuple[Path, Path]:
    """Data and a policy in a folder."""
    data, declared = folder / "shop.duckdb", folder / "shop.yaml"
    with duckdb.connect(str(data)) as connection:
        connection.execute(sql)
    declared.write_text(policy)
    return data, declared


def config(folder: Path, policy: str = POLICY, **more: Any) -> ServerConfig:
    """Of a server of that data."""
    data, declared = files(folder, policy)
    found: Mapping[str, Any] = {
        "data": {"shop": {"data": str(data), "policy": str(declared), "workers": 1}},
        "state": str(folder / "state"),
        "http": {"port": 0},
        **more,
    }
    return ServerConfig.model_validate(found)


@contextmanager
def served(made: ServerConfig) -> Iterator[Served]:
    """A server on a port of its own, in a thread."""
    service = Service(made, opened(made))
    server = uvicorn.Server(settings(made, service, Login(service.principals, made.oidc)))
    here = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    here.bind((made.http.host, 0))
    thread = threading.Thread(target=server.run, args=([here],), daemon=True)
    thread.start()
    until = monotonic() + 30
    while not server.started and monotonic() < until:
        sleep(0.01)
    scheme = "http" if made.http.tls is None else "https"
    try:
        host, port = here.getsockname()[:2]
        yield Served(service, f"{scheme}://{host}:{port}", Path(made.state).parent)
    finally:
        server.should_exit = True
        thread.join(30)
        service.close(5)
        here.close()
