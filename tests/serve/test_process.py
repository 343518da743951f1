"""The server as a process: started by its command, ended, and killed anywhere."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
import pytest

import dpsql
from dpsql.serve.audit_log import checked
from dpsql.serve.principals import Principals
from tests.support.effort import tries
from tests.support.serving import files

YAML = """
data:
  shop: {data: shop.duckdb, policy: shop.yaml, workers: 1}
http: {port: 0}
"""


class Running:
    """A server's process, and where it is heard."""

    def __init__(self, folder: Path, *more: str) -> None:
        command = [sys.executable, "-m", "dpsql", "serve", *more]
        self.process = subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert self.process.stdout is not None
        self.first = self.process.stdout.readline()
        found = re.search(r"at (http://\S+);", self.first)
        assert found, self.first + self.process.stdout.read()
        self.url = found.group(1)

    def end(self, how: int = signal.SIGTERM) -> tuple[int, str]:
        """Its exit code, and what else it said."""
        assert self.process.stdout is not None
        self.process.send_signal(how)
        said = self.process.stdout.read()
        return self.process.wait(60), said


@contextmanager
def running(folder: Path, *more: str) -> Iterator[Running]:
    made = Running(folder, *more)
    try:
        yield made
    finally:
        made.process.kill()
        made.process.wait(60)
        assert made.process.stdout is not None
        made.process.stdout.close()


def test_the_demo(tmp_path: Path) -> None:
    """Two commands, and an answer; all of it in one folder; the second time without tokens."""
    with running(tmp_path, "--demo", "--port", "0") as made:
        code, said = made.end()
        assert code == -signal.SIGTERM or code == 143
        [token] = re.findall(r"analyst's token, which is shown this once: (\S+)", said)
        assert "owner's token" in said and "Traceback" not in said
    assert [p.name for p in tmp_path.iterdir()] == ["dpsql-demo"]
    with running(tmp_path, "--demo", "--port", "0") as made:
        with dpsql.connect(f"{made.url}/shop", token=token) as db:
            assert db.run("SELECT COUNT(*) FROM orders", 1).rows
        code, said = made.end(signal.SIGINT)
        assert "token" not in said and "Traceback" not in said
    assert checked(tmp_path / "dpsql-demo/state/audit.jsonl") is None


def prepared(folder: Path) -> str:
    """A folder with data and a configuration; the token of somebody."""
    files(folder)
    (folder / "server.yaml").write_text(YAML)
    principals = Principals(folder / "state")
    principals.add("anna")
    return principals.new_token("anna")


def test_what_runs_has_its_answer_when_it_ends(tmp_path: Path) -> None:
    token = prepared(tmp_path)
    with running(tmp_path, "--config", "server.yaml") as made:
        found: list[Any] = []

        def ask() -> None:
            with dpsql.connect(f"{made.url}/shop", token=token) as db:
                found.append(db.run("SELECT COUNT(*) FROM people", 1))

        thread = threading.Thread(target=ask)
        thread.start()
        until = monotonic() + 30
        while "ask" not in (tmp_path / "state/audit.jsonl").read_text() and monotonic() < until:
            sleep(0.005)
        made.end()
        thread.join(30)
        assert found and found[0].cost.eps == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "give --config FILE, or --demo"),
        (["--config", "nothing.yaml"], "cannot be read"),
        (["--config", "bad.yaml"], "bad.yaml: data.shop.dat: Extra inputs"),
    ],
)
def test_what_cannot_be_served(tmp_path: Path, words: list[str], told: str) -> None:
    (tmp_path / "bad.yaml").write_text("data: {shop: {dat: x, data: y, policy: z}}")
    command = [sys.executable, "-m", "dpsql", "serve", *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode in (2, 4) and told in done.stderr and "Traceback" not in done.stderr


def test_kills(tmp_path: Path) -> None:
    """Killed at any moment: whoever has an answer was charged for it once, and gets the same one
    for free; whoever has none was charged at most once, and asks again under the key.
    """
    token, draw = prepared(tmp_path), random.Random(3)
    answers: dict[str, tuple[Any, ...]] = {}
    asked: list[str] = []
    spent = 0
    for number in range(tries(3, 200)):
        with running(tmp_path, "--config", "server.yaml") as made:
            url = f"{made.url}/shop"

            def ask(client: int, url: str = url, number: int = number) -> None:
                try:
                    with dpsql.connect(url, token=token) as db:
                        for n in range(1000):
                            key = f"{number}-{client}-{n}"
                            asked.append(key)
                            sql = f"SELECT COUNT(*) FROM people WHERE age > {n % 70}"
                            answer = db.run(sql, 1, fresh=True, idempotency_key=key)
                            answers[key] = answer.rows
                except dpsql.DpsqlError:
                    return

            threads = [threading.Thread(target=ask, args=(c,)) for c in range(3)]
            for thread in threads:
                thread.start()
            until = monotonic() + 30
            while not any(k.startswith(f"{number}-") for k in answers) and monotonic() < until:
                sleep(0.01)
            sleep(draw.random() * 0.5)
            os.kill(made.process.pid, signal.SIGKILL)
            for thread in threads:
                thread.join(30)
        with running(tmp_path, "--config", "server.yaml") as made:  # noqa: SIM117
            with dpsql.connect(f"{made.url}/shop", token=token) as db:
                lines = [line for line in db.budget.history if line.kind == "charge"]
                keys = [line.charge.entry.request for line in lines]
                assert len(set(keys)) == len(keys) and set(answers) <= set(keys) <= set(asked)
                spent = sum(1 for line in lines if line.cost.eps)
                assert db.budget.spent.exact.eps == spent
                for key in [k for k in answers if k.startswith(f"{number}-")][-3:]:
                    sql = f"SELECT COUNT(*) FROM people WHERE age > {int(key.split('-')[2]) % 70}"
                    again = db.run(sql, 1, fresh=True, idempotency_key=key)
                    assert again.rows == answers[key] and again.cost.eps == 0
                assert db.budget.spent.exact.eps == spent
    assert answers and spent >= len(answers)
    assert checked(tmp_path / "state/audit.jsonl") is None


def test_two_servers_of_one_state(tmp_path: Path) -> None:
    """A token made for one is known to the other, and they charge one ledger."""
    token = prepared(tmp_path)
    words = ("--config", "server.yaml")
    with running(tmp_path, *words) as one, running(tmp_path, *words) as other:
        for made in (one, other):
            with dpsql.connect(f"{made.url}/shop", token=token) as db:
                db.run("SELECT COUNT(*) FROM people", 1, fresh=True)
        with dpsql.connect(f"{one.url}/shop", token=token) as db:
            assert db.budget.spent.exact.eps == 2
            Principals(tmp_path / "state").revoke(token)
            with pytest.raises(dpsql.AccessDenied):
                db.budget  # noqa: B018
        assert httpx.get(f"{other.url}/health").status_code == 200
