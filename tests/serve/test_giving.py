"""Large answers: what is not read holds no more than a few of them."""

from __future__ import annotations

import socket
from contextlib import closing
from time import monotonic, sleep

import httpx
import pytest

from dpsql.errors import RateExceeded
from dpsql.serve.giving import EACH, Giving
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


def test_what_nobody_reads_is_refused_until_they_hang_up(server: Served, large: str) -> None:
    host, _, port = server.url.removeprefix("http://").partition(":")
    headers = server.headers("reader")
    text = f"GET {large} HTTP/1.1\r\nHost: x\r\nAuthorization: {headers['Authorization']}\r\n\r\n"
    held = [socket.create_connection((host, int(port))) for _ in range(EACH)]
    try:
        for connection in held:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.sendall(text.encode())
        assert _status(server, large, 429) == 429
        about = f"{server.url}/v1/about"
        assert httpx.get(about, headers=headers, timeout=20).is_success  # others are heard
    finally:
        for connection in held:
            with closing(connection):
                pass
    assert _status(server, large, 200) == 200


def _status(server: Served, path: str, wanted: int) -> int:
    """What is answered in the end."""
    until = monotonic() + 60
    while True:
        found = httpx.get(server.url + path, headers=server.headers("reader"), timeout=60)
        if found.status_code == wanted or monotonic() > until:
            return found.status_code
        sleep(0.2)
