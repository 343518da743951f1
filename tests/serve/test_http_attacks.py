"""What no client should send: the server answers with its own errors, or hangs up, and goes on."""

from __future__ import annotations

import json
import random
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
import pytest

from dpsql.platform.engine import ownerlog
from tests.support.effort import tries
from tests.support.serving import Served, config, served

SQL = "SELECT COUNT(*) FROM people"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    limits = {"seconds": 1.0, "body": 5_000, "requests_per_minute": 1_000_000}
    with served(config(tmp_path_factory.mktemp("small"), limits=limits)) as found:
        yield found


def raw(server: Served, text: bytes, seconds: float = 10.0) -> bytes:
    """What comes back, up to the hang-up or a while."""
    host, _, port = server.url.removeprefix("http://").partition(":")
    found = b""
    with closing(socket.create_connection((host, int(port)), timeout=seconds)) as connection:
        try:
            connection.sendall(text)
            while part := connection.recv(65536):
                found += part
        except OSError:
            pass
    return found


def request(token: str, body: bytes, more: bytes = b"") -> bytes:
    return (
        b"POST /v1/data/shop/explain HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
        b"Content-Type: application/json\r\nAuthorization: Bearer "
        + token.encode()
        + b"\r\n"
        + more
        + b"Content-Length: %d\r\n\r\n" % len(body)
        + body
    )


def test_two_tokens_are_none(small: Served) -> None:
    """A proxy that looks at one of them, and a server at the other, would disagree on who asks."""
    one, other = small.token("anna"), small.token("bob")
    for second in (one, other):
        again = b"Authorization: Bearer " + second.encode() + b"\r\n"
        body = json.dumps({"sql": SQL, "eps": 1}).encode()
        assert b" 401 " in raw(small, request(one, body, again)).split(b"\r\n")[0]
    assert b" 200 " in raw(small, request(one, body)).split(b"\r\n")[0]


def alive(server: Served) -> None:
    assert httpx.get(f"{server.url}/health", timeout=30).json() == {"status": "ok"}


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer x",
        "Basic YTpi",
        "Bearer dpsql_0123456789abcdef_" + "a" * 43,
        "Bearer " + "x" * 4000,
        "Bearer ü",
        "Bearer a.b.c",
        "Bearer ' OR 1=1 --",
    ],
)
def test_tokens_that_are_nobodys(server: Served, header: str) -> None:
    headers = {"Authorization": header.encode()} if header else {}
    found = httpx.get(f"{server.url}/v1/about", headers=headers)
    assert found.status_code == 401 and found.headers["www-authenticate"] == "Bearer"
    assert found.json()["error"]["text"].startswith("the server does not know this token")


@pytest.mark.parametrize(
    "path",
    [
        "/v1/data/../shop/budget",
        "/v1/data/%2e%2e%2fshop/budget",
        "/v1/data/shop%00/budget",
        "/v1/data/shop/schema/../../../../etc/passwd",
        "/v1/data/shop/queries/%2e%2e%2f",
        "/v1/data/shop'--/budget",
        "/v1/data/nope/budget",
        "/v1/data/SHOP/budget",
        "//evil.example/v1/about",
        "/v1/data/shop/queries/" + "a" * 5000,
    ],
)
def test_paths(server: Served, path: str) -> None:
    text = raw(
        server,
        f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
        f"Authorization: Bearer {server.token('anna')}\r\n\r\n".encode(),
    )
    status = int(text.split(b" ")[1])
    assert status in (400, 403, 404) and b"root:" not in text and b"Traceback" not in text


def test_a_header_is_no_second_request(small: Served) -> None:
    token = small.token("anna")
    body = json.dumps({"sql": SQL}).encode()
    for more in (b"Content-Length: 3\r\n", b"Transfer-Encoding: chunked\r\n", b" x: y\r\n"):
        found = raw(small, request(token, body, more))
        assert found.count(b"HTTP/1.1") <= 1 and b"Traceback" not in found
    alive(small)


def test_large_bodies(small: Served) -> None:
    token = small.token("anna")
    body = json.dumps({"sql": "x" * 10_000}).encode()
    assert b" 413 " in raw(small, request(token, body)).split(b"\r\n")[0] + b" "
    chunked = (
        b"POST /v1/data/shop/explain HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
        b"Authorization: Bearer " + token.encode() + b"\r\n\r\n"
    )
    found = raw(
        small, chunked + b"1000\r\n" + b"x" * 4096 + b"\r\n1000\r\n" + b"x" * 4096 + b"\r\n"
    )
    assert b" 413 " in found.split(b"\r\n")[0] + b" "
    head = b"GET /health HTTP/1.1\r\nHost: x\r\nX-A: " + b"a" * 200_000 + b"\r\n\r\n"
    assert b" 400 " in raw(small, head).split(b"\r\n")[0] + b" "
    deep = json.dumps({"sql": SQL}).encode()[:-1] + b', "weights": ' + b"[" * 1500
    found = raw(small, request(token, deep))
    assert b" 400 " in found.split(b"\r\n")[0] + b" " and b"Traceback" not in found
    alive(small)


def test_slow_requests(small: Served) -> None:
    """A head or a body that never ends; others are heard meanwhile."""
    token = small.token("anna")
    host, _, port = small.url.removeprefix("http://").partition(":")
    whole = request(token, b'{"sql": "SELECT 1"}')
    heads = (b"", b"GET /health HT", whole[:60], whole[:-3])
    held = [socket.create_connection((host, int(port)), timeout=30) for _ in heads]
    began = monotonic()
    for connection, head in zip(held, heads, strict=True):
        connection.sendall(head)
    alive(small)
    for n in range(8):  # a byte now and then does not help
        sleep(0.2)
        for connection, head in zip(held, heads, strict=True):
            try:
                if head and head != whole[:-3]:
                    connection.sendall(b"x" if n % 2 else b"y")
            except OSError:
                pass
    for connection in held:
        connection.settimeout(20)
        try:
            while connection.recv(4096):
                pass
        except OSError:
            pass
        connection.close()
    assert monotonic() - began < 20
    alive(small)


def test_many_connections_that_ask_nothing(small: Served) -> None:
    host, _, port = small.url.removeprefix("http://").partition(":")
    held = [socket.create_connection((host, int(port)), timeout=30) for _ in range(100)]
    alive(small)
    for connection in held:
        connection.close()


def test_requests_that_were_changed(small: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is refused or answered, with our own words, and none is a bug of ours. Half are changed
    anywhere; of half the body alone, whose length is right then, so that it is read.
    """
    reports: list[object] = []
    monkeypatch.setattr(ownerlog, "report", lambda error: reports.append(error) or "12345678")
    token, draw = small.token("fuzz"), random.Random(11)
    told = {"eps": "1/3", "delta": 1e-9, "weights": {"n": 1.5, "s": 1}, "noise": "laplace"}
    sql = "SELECT COUNT(*) AS n, SUM(age) AS s FROM people"
    body = json.dumps({"sql": sql, **told}).encode()
    whole = request(token, body)
    pieces = (b"\r\n", b"\x00", b"\xff", b"{", b'"', b"9" * 30, b"-", b"e999", b": ", b"null", b"[")

    def changed(given: bytes) -> bytes:
        text = bytearray(given)
        for _ in range(draw.randint(1, 4)):
            at = draw.randrange(len(text))
            match draw.randrange(4):
                case 0:
                    text[at] = draw.randrange(256)
                case 1:
                    del text[at : at + draw.randint(1, 30)]
                case 2:
                    text[at:at] = draw.choice(pieces)
                case _:
                    other = draw.randrange(len(text))
                    text[at:at] = text[other : other + draw.randint(1, 40)]
        return bytes(text)

    times = tries(30, 5_000)
    texts = [whole, *(changed(whole) for _ in range(times))]
    texts += [request(token, changed(body)) for _ in range(times)]
    with ThreadPoolExecutor(32) as pool:  # many are waited for, since a part of them never comes
        answers = list(pool.map(partial(raw, small, seconds=60.0), texts))
    seen = Counter[int]()
    for text, found in zip(texts, answers, strict=True):
        assert b"Traceback" not in found and b'File "' not in found
        if found:
            status = int(found.split(b" ", 2)[1])
            assert status == 200 or 400 <= status < 500, (text, found)
            seen[status] += 1
    assert {200, 400, 422} <= seen.keys()
    assert not reports
    alive(small)


def test_too_many_requests(tmp_path: Path) -> None:
    with served(config(tmp_path, limits={"requests_per_minute": 3})) as found:
        headers = found.headers("anna")
        for _ in range(3):
            assert httpx.get(f"{found.url}/v1/about", headers=headers).status_code == 200
        refused = httpx.get(f"{found.url}/v1/about", headers=headers)
        assert refused.status_code == 429 and int(refused.headers["retry-after"]) >= 1
        assert refused.json()["error"]["type"] == "RateExceeded"
        other = httpx.get(f"{found.url}/v1/about", headers=found.headers("eve"))
        assert other.status_code == 200


def test_a_bug_tells_nothing(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("the salary of Ann is 4711")

    headers = server.headers("anna")
    for place, path in (("budget", "budget"), ("explain", "explain"), ("run", "run")):
        monkeypatch.setattr(server.service, place, broken)
        method = "GET" if path == "budget" else "POST"
        found = httpx.request(
            method,
            f"{server.url}/v1/data/shop/{path}",
            headers=headers,
            json=None if method == "GET" else {"sql": SQL, "eps": 1},
        )
        assert found.status_code == 500 and found.json()["error"]["type"] == "InternalError"
        assert "4711" not in found.text


def test_a_batch_is_one_turn_and_no_more(server: Served) -> None:
    headers = server.headers("many")
    queries = ";".join(f"SELECT COUNT(*) FROM towns WHERE 1 = {n}" for n in range(201))
    found = httpx.post(
        f"{server.url}/v1/data/shop/batch", headers=headers, json={"queries": queries, "eps": 1}
    )
    assert found.status_code == 400 and "at most 200 queries" in found.json()["error"]["text"]


def test_who_looks_at_his_budget_all_the_time_holds_up_nobody(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All lines of the ledger are read for it, which may take long."""
    held, read = threading.Event(), server.service.budget
    headers, other = server.headers("looker"), server.headers("patient")

    def slow(who: Any, data: str) -> Any:
        if who.name == "looker":
            held.wait(60)
        return read(who, data)

    monkeypatch.setattr(server.service, "budget", slow)
    path = f"{server.url}/v1/data/shop/budget"
    threads = [
        threading.Thread(target=lambda: httpx.get(path, headers=headers, timeout=90))
        for _ in range(45)
    ]
    for thread in threads:
        thread.start()
    try:
        until = monotonic() + 30
        while server.service.looks.length < 43 and monotonic() < until:
            sleep(0.05)
        assert httpx.get(f"{server.url}/v1/about", headers=other, timeout=20).is_success
    finally:
        held.set()
        for thread in threads:
            thread.join()
