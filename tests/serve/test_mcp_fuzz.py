"""What no client of an agent's tools should send: a process that hears changed lines goes on."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
from fractions import Fraction
from pathlib import Path
from queue import Queue
from typing import Any

import dpsql
from dpsql import demo
from tests.support.effort import tries

WAIT = 120.0
"""Seconds in which a process answers, however busy the machine is."""


def call(number: int, method: str, **given: Any) -> bytes:
    told: dict[str, Any] = {"jsonrpc": "2.0", "id": number, "method": method, "params": given}
    return json.dumps(told).encode()


def _tool(number: int, name: str, **given: Any) -> bytes:
    return call(number, "tools/call", name=name, arguments=given)


def hello(number: int) -> bytes:
    client = {"name": "x", "version": "1"}
    return call(
        number, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=client
    )


READY = b'{"jsonrpc": "2.0", "method": "notifications/initialized"}'
SQL = "SELECT channel, COUNT(*) AS n FROM orders WHERE rating > 2 GROUP BY channel"


def lines(number: int) -> tuple[bytes, ...]:
    """What a client may say."""
    return (
        hello(number),
        READY,
        call(number, "ping"),
        call(number, "tools/list"),
        _tool(number, "tables"),
        _tool(number, "budget"),
        _tool(number, "explain", sql=SQL, eps=0.25),
        _tool(number, "run", sql=SQL, eps=0.25),
        _tool(number, "run", sql="SELECT AVG(shipping) FROM orders", eps=0.125),
        b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": %d}}'
        % (number - 1),
        b'{"jsonrpc": "2.0", "id": %d, "result": {"action": "accept", "content": {"spend": true}}}'
        % number,
    )


PIECES = (b"\n", b"\x00", b"\xff\xfe", b"{", b"}", b'"', b"9" * 40, b"-", b"e999", b"null", b"[")


def changed(line: bytes, draw: random.Random) -> bytes:
    text = bytearray(line)
    for _ in range(draw.randint(1, 3)):
        at = draw.randrange(len(text))
        match draw.randrange(4):
            case 0:
                text[at] = draw.randrange(256)
            case 1:
                del text[at : at + draw.randint(1, 12)]
            case 2:
                text[at:at] = draw.choice(PIECES)
            case _:
                other = draw.randrange(len(text))
                text[at:at] = text[other : other + draw.randint(1, 30)]
        text = text or bytearray(b"{")
    return bytes(text)


EPS = (0.001, 0.001, "1/1000", 0.25, 2, 0, -1, 1e308, True, None, [], {}, "x", "9" * 400, "1/0")


def odd(number: int, draw: random.Random) -> bytes:
    """A call that is JSON, of a text that was changed, or of an ε that is none."""
    sql = changed(SQL.encode(), draw).decode("utf-8", "replace")
    name = draw.choice(("run", "run", "explain"))
    return _tool(number, name, sql=draw.choice((sql, sql, SQL)), eps=draw.choice(EPS))


class Spoken:
    """A process, what it says, and what it said so far."""

    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "dpsql", "mcp", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(os.environ),
        )
        self.heard: Queue[dict[str, Any]] = Queue()
        self.said: list[dict[str, Any]] = []
        self.errors = b""
        self.threads = [threading.Thread(target=t, daemon=True) for t in (self._hear, self._err)]
        for thread in self.threads:
            thread.start()

    def _hear(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.heard.put(json.loads(line))

    def _err(self) -> None:
        assert self.process.stderr is not None
        self.errors = self.process.stderr.read()

    def send(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def until(self, number: int) -> None:
        """All that comes before the answer to a call, and that."""
        while True:
            self.said.append(self.heard.get(timeout=WAIT))
            if self.said[-1].get("id") == number:
                return

    def end(self) -> int:
        """Its exit code, after it was hung up on; what it said until then is kept."""
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.process.stdin.close()
        code = self.process.wait(WAIT)
        for thread in self.threads:
            thread.join(WAIT)
        self.process.stdout.close()
        self.process.stderr.close()
        while not self.heard.empty():
            self.said.append(self.heard.get())
        return code


def test_changed_lines_are_answered_or_let_go(tmp_path: Path) -> None:
    """In its own words, and what it charged is what it says that it charged. Half are changed
    anywhere; half are calls of a tool with what was changed.
    """
    draw, (data, policy) = random.Random(5), demo.save(tmp_path)
    made = Spoken(str(data), "--policy", str(policy), "--ask-above", "1", "--most", "5")
    try:
        made.send(hello(1))
        made.until(1)
        made.send(READY)
        for number in range(tries(100, 10_000)):
            name = 10 * number + 1000
            if number % 2:
                made.send(changed(draw.choice(lines(name)), draw))
            else:
                made.send(odd(name, draw))
                made.until(name)
        assert made.end() == 0
    finally:
        made.process.kill()
    told = json.dumps(made.said)
    assert "Traceback" not in told and 'File \\"' not in told and "itself failed" not in told
    results = [said["result"] for said in made.said if "result" in said]
    costs = [
        Fraction(result["structuredContent"]["cost"]["eps"]).limit_denominator(10**9)
        for result in results
        if "rows" in (result.get("structuredContent") or {})
    ]
    with dpsql.connect(data, policy) as db:
        spent = db.budget.spent.exact.eps
        assert 0 < spent <= 5 and sum(costs) == spent
