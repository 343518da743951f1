"""A server with a console: the demo's shop, and a data set whose names and values are hostile."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import duckdb
import uvicorn

from dpsql import demo
from dpsql.serve.api import api
from dpsql.serve.config import DataConfig, LimitsConfig, ServerConfig
from dpsql.serve.data_sets import opened
from dpsql.serve.login import Login
from dpsql.serve.request_limits import Guard
from dpsql.serve.service import Service

IMAGE = "<img src=x onerror=alert(1)>"
SCRIPT = "</script><script>alert(2)</script>\"'&"

POLICY = f"""
unit: people.id
neighbours: add_remove
budget: {{eps: 3, delta: 1e-6}}
tables:
  people:
    access: private
    key: [id]
    columns:
      id: {{type: BIGINT}}
      "{IMAGE}": {{type: INTEGER, bounds: [0, 10], nullable: false}}
      town: {{type: INTEGER, references: towns.town, nullable: false}}
  towns:
    access: public
    key: [town]
    columns:
      town: {{type: INTEGER}}
      name: {{type: VARCHAR}}
"""


@dataclass(frozen=True)
class Served:
    """A server's inside, with a token of each principal."""

    service: Service
    app: Guard
    tokens: dict[str, str]


@contextmanager
def served(
    folder: Path, *, limits: LimitsConfig | None = None, only: str | None = None
) -> Iterator[Served]:
    """It, until the end. anna may spend 1 on the shop; boss owns all, and ben the shop alone.

    `only` is the one data set that is served then.
    """
    data, policy = demo.save(folder / "shop")
    with duckdb.connect(str(folder / "odd.duckdb")) as odd:
        odd.execute(f'CREATE TABLE people (id BIGINT, "{IMAGE}" INTEGER, town INTEGER)')
        odd.execute("INSERT INTO people SELECT i, i % 10, i % 2 FROM range(500) t(i)")
        odd.execute("CREATE TABLE towns (town INTEGER, name VARCHAR)")
        odd.execute("INSERT INTO towns VALUES (0, ?), (1, 'Bern')", [SCRIPT])
    (folder / "odd.yaml").write_text(POLICY, encoding="utf-8")
    places = {"shop": (data, policy), "odd": (folder / "odd.duckdb", folder / "odd.yaml")}
    config = ServerConfig(
        data={
            name: DataConfig(data=str(place), policy=str(declared), workers=1)
            for name, (place, declared) in places.items()
            if only in (None, name)
        },
        state=str(folder / "state"),
        limits=limits or LimitsConfig(),
    )
    service = Service(config, opened(config))
    people = service.principals
    people.add("anna", caps={"shop": (Fraction(1), None)})
    people.add("ben", role="owner", data=frozenset({"shop"}))
    people.add("boss", role="owner")
    tokens = {name: people.new_token(name) for name in ("anna", "ben", "boss")}
    try:
        yield Served(service, api(service, Login(people)), tokens)
    finally:
        service.close(5)


@contextmanager
def listening(app: Guard) -> Iterator[str]:
    """Its address on this machine, where browsers reach it."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until = time.monotonic() + 20
    while not server.started:
        assert time.monotonic() < until and thread.is_alive()
        time.sleep(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(20)
