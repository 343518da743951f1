"""Large answers: what is not read holds no more than a few of them."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from time import monotonic, sleep
from typing import Any

import httpx
import pytest

from dpsql.errors import RateExceeded
from dpsql.serve.api import api
from dpsql.serve.giving import EACH, PIECE, Giving
from dpsql.serve.login import Login
from tests.support.serving import Served

ID = "0" * 31
WIDE = "SELECT repeat(repeat('x', 64), 64) AS x FROM range(2000)"


@pytest.fixture
def large(server: Served, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where an answer is, of which each byte counts as many."""
    monkeypatch.setattr("dpsql.serve.api.LARGE", 100)
    asked = {"sql": WIDE, "eps": 1, "id": f"{ID}1"}
    headers = server.headers("reader")
    path = f"{server.url}/v1/data/shop/run"
    made = httpx.post(path, json=asked, headers=headers, timeout=60)
    assert made.is_success, made.text[:500]
    return f"/v1/data/shop/queries/{ID}1"


def test_few_are_counted_at_once() -> None:
    giving = Giving(2)
    for _ in range(3):
        giving.begin("ann")
        giving.begin("ann")
        with pytest.raises(RateExceeded, match="read those"):
            giving.begin("ann")
        giving.begin("bob")  # has a row of his own
        giving.end("bob")
        giving.end("ann")
        giving.end("ann")
    assert not giving._given


def test_what_was_read_counts_no_more(server: Served, large: str) -> None:
    headers = server.headers("reader")
    for _ in range(EACH + 1):
        found = httpx.get(server.url + large, headers=headers, timeout=60)
        assert found.status_code == 200 and len(found.content) > 8_000_000


def test_what_nobody_reads_is_refused_until_somebody_does(server: Served, large: str) -> None:
    """Asked of the application itself: how much a network takes unread is the machine's."""
    asyncio.run(_unread(server, large))
    assert not server.service.giving._given


def test_who_hangs_up_is_given_no_more(server: Served, large: str) -> None:
    """By a real connection, however much of the answer it has taken by then."""
    host, _, port = server.url.removeprefix("http://").partition(":")
    headers = server.headers("reader")
    text = f"GET {large} HTTP/1.1\r\nHost: x\r\nAuthorization: {headers['Authorization']}\r\n\r\n"
    for _ in range(2 * EACH):
        with socket.create_connection((host, int(port))) as connection:
            connection.sendall(text.encode())
            assert connection.recv(1)
    until = monotonic() + 60
    while server.service.giving._given and monotonic() < until:
        sleep(0.05)
    assert not server.service.giving._given
    assert httpx.get(server.url + large, headers=headers, timeout=60).status_code == 200


async def _unread(server: Served, path: str) -> None:
    headers = server.headers("reader")
    app = api(server.service, Login(server.service.principals, None))
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://x") as client:
        held = [Unread(path, headers) for _ in range(EACH)]
        for one in held:
            one.task = asyncio.create_task(one.ask(app))
        await asyncio.wait_for(asyncio.gather(*(one.full.wait() for one in held)), 60)
        assert (await client.get(path, headers=headers)).status_code == 429
        assert (await client.get("/v1/about", headers=headers)).is_success  # others are heard
        held[0].read.set()
        await held[0].task
        assert len(held[0].got) > 8_000_000
        assert (await client.get(path, headers=headers)).status_code == 200
        for one in held[1:]:
            one.task.cancel()  # hangs up
        await asyncio.gather(*(one.task for one in held), return_exceptions=True)


class Unread:
    """Somebody who reads one piece, and the others when told to."""

    task: asyncio.Task[None]

    def __init__(self, path: str, headers: dict[str, str]) -> None:
        self.full, self.read, self.got = asyncio.Event(), asyncio.Event(), b""
        named = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        self._scope: dict[str, Any] = {
            "type": "http",
            "http_version": "1.1",
            "method": "GET",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": named,
        }

    async def ask(self, app: Callable[..., Awaitable[None]]) -> None:
        await app(self._scope, self._receive, self._send)

    async def _receive(self) -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def _send(self, message: MutableMapping[str, Any]) -> None:
        if piece := message.get("body", b""):
            self.full.set()
            assert len(piece) <= PIECE
            self.got += piece
            await self.read.wait()
