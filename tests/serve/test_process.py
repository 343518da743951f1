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
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
import pytest

import dpsql
from dpsql.cli import main
from dpsql.serve.audit_log import checked
from dpsql.serve.principals import Principals
from dpsql.session.database import Database
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
    log = (tmp_path / "dpsql-demo" / "state" / "audit.jsonl").read_text()
    assert all(f'"action":"token","whom":"{name}"' in log for name in ("analyst", "owner"))
    assert token not in log
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
def test_what_cannot_be_served(
    tmp_path: Path,
    words: list[str],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "bad.yaml").write_text("data: {shop: {dat: x, data: y, policy: z}}")
    monkeypatch.chdir(tmp_path)
    with suppress(SystemExit):
        assert main(["serve", *words]) in (2, 4)
    assert told in capsys.readouterr().err


def _sql(key: str) -> str:
    return f"SELECT COUNT(*) FROM people WHERE age > {int(key.split('-')[2]) % 70}"


def _killed_while_asked(
    made: Running, token: str, number: int, asked: list[str], answers: dict[str, Any], wait: float
) -> None:
    """Three clients ask until the server is killed, some time after the first answer."""

    def ask(client: int) -> None:
        try:
            with dpsql.connect(f"{made.url}/shop", token=token) as db:
                for n in range(1000):
                    key = f"{number}-{client}-{n}"
                    asked.append(key)
                    answer = db.run(_sql(key), 1, fresh=True, idempotency_key=key)
                    answers[key] = answer.rows
        except dpsql.DpsqlError:
            return

    before = len(answers)
    threads = [threading.Thread(target=ask, args=(client,)) for client in range(3)]
    for thread in threads:
        thread.start()
    until = monotonic() + 30
    while len(answers) == before and monotonic() < until:
        sleep(0.01)
    assert len(answers) > before
    sleep(wait)
    os.kill(made.process.pid, signal.SIGKILL)
    for thread in threads:
        thread.join(30)


def _agree(db: Database, asked: list[str], answers: dict[str, Any], number: int) -> None:
    """What the ledger has and what clients have; those of the last kill are asked again."""
    lines = [line for line in db.budget.history if line.kind == "charge"]
    charged = [line.charge.entry.request for line in lines]
    assert len(set(charged)) == len(charged) and set(answers) <= set(charged) <= set(asked)
    spent = len(charged)
    assert db.budget.spent.exact.eps == spent
    last = [key for key in asked if key.startswith(f"{number}-")]
    told = [key for key in last if key in answers]
    for key in told[-3:] + [key for key in last if key not in answers]:
        try:
            again = db.run(_sql(key), 1, fresh=True, idempotency_key=key)
        except dpsql.RequestExists:
            assert key in charged and key not in answers
            continue
        assert again.rows == answers.setdefault(key, again.rows)
        assert again.cost.eps == (key not in charged)
        spent += key not in charged
    assert db.budget.spent.exact.eps == spent


def test_kills(tmp_path: Path) -> None:
    """Killed at any moment: whoever has an answer was charged for it once, and gets the same one
    for free; whoever has none was charged at most once, and finds the answer under the key, is
    asked to pay under another one, or pays now. What was charged and lost is a failure, of which
    three lock an analyst: so the owner looks after each kill.
    """
    token, draw = prepared(tmp_path), random.Random(3)
    answers: dict[str, Any] = {}
    asked: list[str] = []
    words = ("--config", "server.yaml")
    look = ["budget", str(tmp_path / "shop.duckdb"), "--policy", str(tmp_path / "shop.yaml")]
    kills = tries(1, 20)
    for number in range(kills + 1):
        with running(tmp_path, *words) as made:
            with dpsql.connect(f"{made.url}/shop", token=token) as db:
                _agree(db, asked, answers, number - 1)
            if number < kills:
                _killed_while_asked(made, token, number, asked, answers, draw.random() * 0.5)
        main([*look, "unlock", "--analyst", "anna"])
    assert len(answers) >= kills
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
