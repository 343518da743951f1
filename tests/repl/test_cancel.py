"""Ctrl-C stops a query, and what it was charged is said exactly."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import dpsql
from dpsql.errors import EngineError
from dpsql.execution import cells, run
from dpsql.platform.ledger.sql_ledger import SqlLedger
from dpsql.repl import runs as cancel
from dpsql.repl.pending import Opening
from dpsql.repl.shell import Shell
from dpsql.report.budget import LedgerLine
from dpsql.report.result.formats import FORMATS
from tests.repl import small

DRIVER = """\
import os, sys, threading
from dpsql.execution import cells, run
from dpsql.cli import main

def told(module, name, word, wait):
    original = getattr(module, name)
    def wrapped(*arguments):
        if wait:
            setattr(module, name, original)
        os.write(1, f"{word}\\n".encode())  # the key may be pressed at once: print would not do
        if wait:
            threading.Event().wait()
        return original(*arguments)
    setattr(module, name, wrapped)

def main_(arguments):
    told(cells, "read", "reading", False)
    return main(arguments)

def session(data, policy, slow, quick):
    import dpsql
    from dpsql.repl.pending import Opening
    from dpsql.repl.shell import Shell
    shell = Shell(Opening(lambda: dpsql.connect(data, policy)), interactive=True)
    told(run, "public_groups", "looking", True)
    shell.execute_text(f"{slow};")
    told(cells, "read", "reading", False)
    shell.execute_text(f"{slow}; {quick};")
    shell.execute_text(f"{quick};")
    shell.close()

sys.exit(main_(sys.argv[2:]) if sys.argv[1] == "main" else session(*sys.argv[2:]))
"""


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("slow")
    small.files(folder, small.MANY)
    return folder


@contextmanager
def started(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    (folder / "driver.py").write_text(DRIVER)
    process = subprocess.Popen(
        [sys.executable, str(folder / "driver.py"), *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell starts background jobs with SIGINT ignored, and they pass that on.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def told(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    return process.stderr.readline().strip()


def test_a_script_ends(slow: Path) -> None:
    """Also if the key is pressed twice; nothing of the script is run after it."""
    words = ("repl", "small.duckdb", "--policy", "small.yaml", "--ledger", "script.ledger")
    with started(slow, "main", *words, "-c", f"{small.SLOW}; {small.COUNT};") as process:
        assert line(process) == "reading"
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (out, err) == ("", "dpsql: interrupted; ε = 0.5 was charged (line 1)\n")
    assert process.returncode == 130


def test_a_session_goes_on(slow: Path) -> None:
    with started(slow, "session", "small.duckdb", "small.yaml", small.SLOW, small.COUNT) as process:
        assert line(process) == "looking"
        process.send_signal(signal.SIGINT)
        assert told(process) == "interrupted; nothing was charged"
        # Another process charges the same ledger in between: its line is not taken for this one's.
        with dpsql.connect(slow / "small.duckdb", slow / "small.yaml") as other:
            assert line(process) == "reading"
            other.run(small.TEAMS, Decimal("0.25"))
            assert [str(one.cost) for one in other.budget.history] == ["ε = 0.5", "ε = 0.25"]
            process.send_signal(signal.SIGINT)
            assert told(process) == "interrupted; ε = 0.5 was charged (line 1)"
            out, err = process.communicate()
            assert process.returncode == 0
            assert out.splitlines()[0] == "reading"
            assert out.splitlines()[-1] == "(1 row, ε = 0.5)"
            assert err == "cost ε = 0.5; ε = 8.75, δ = 1e-6 left of ε = 10, δ = 1e-6\n"
            # The quick query after the slow one was not run.
            assert [one.kind for one in other.budget.history].count("charge") == 3


@pytest.fixture(scope="module")
def database() -> Iterator[dpsql.Database]:
    with small.database() as made:
        yield made


@pytest.fixture
def shell(database: dpsql.Database) -> Shell:
    return Shell(Opening(lambda: database), interactive=True)


STAGES = {
    "before the charge": (run, "public_groups", "nothing was charged"),
    "asking the ledger": (SqlLedger, "find", "nothing was charged"),
    "reading": (cells, "read", "{} was charged (line {})"),
    "drawing noise": (run, "add_noise", "{} was charged (line {})"),
    "keeping the answer": (SqlLedger, "commit", "{} was charged (line {})"),
    "post-processing": (run, "post_process", "{} was charged (line {}), and its answer is kept"),
}


def charges(shell: Shell) -> list[LedgerLine]:
    """The lines but for those that say how a query ended."""
    return [line for line in shell.database.budget.history if line.kind == "charge"]


@pytest.mark.parametrize("stage", STAGES)
def test_wherever_it_is_pressed(
    stage: str,
    shell: Shell,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    place, name, expected = STAGES[stage]

    def pressed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    eps = f"0.{len(stage)}"  # another one each time, so that no stored answer will do
    before = len(charges(shell))
    monkeypatch.setattr(place, name, pressed)
    assert shell.execute_text(f"\\eps {eps}\n{small.COUNT};")
    monkeypatch.undo()
    history = charges(shell)
    was_charged = "{}" in expected
    assert len(history) - before == was_charged
    words = expected.format(history[-1].cost, history[-1].number) if was_charged else expected
    assert capsys.readouterr().err.splitlines()[-1] == f"interrupted; {words}"
    assert shell.execute_text(f"\\eps 0.125\n{small.COUNT};")
    assert "n\n" in capsys.readouterr().out


def test_just_after_the_charge(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The ledger has the line, though `reserve` did not return."""
    reserve = SqlLedger.reserve

    def charged(*arguments: Any, **more: Any) -> int:
        reserve(*arguments, **more)
        raise KeyboardInterrupt

    monkeypatch.setattr(SqlLedger, "reserve", charged)
    shell.execute_text(f"\\eps 0.3\n{small.COUNT};")
    number = shell.database.budget.history[-1].number
    said = f"interrupted; ε = 0.3 was charged (line {number})"
    assert capsys.readouterr().err.splitlines()[-1] == said


def test_while_the_answer_is_written(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def pressed(*_: object) -> Iterator[str]:
        raise KeyboardInterrupt
        yield

    monkeypatch.setitem(FORMATS, "table", pressed)
    shell.execute_text(f"\\eps 0.35\n{small.COUNT};")
    number = shell.database.budget.history[-1].number
    said = f"interrupted; ε = 0.35 was charged (line {number}), and its answer is kept"
    assert capsys.readouterr().err.splitlines()[-1] == said
    # A stored answer and a public query are not charged, and neither is a command.
    for text in (f"{small.COUNT};", f"{small.PUBLIC};"):
        shell.execute_text(text)
        assert capsys.readouterr().err == "interrupted; nothing was charged\n"
    monkeypatch.setattr(Shell, "say", pressed_at_once)
    shell.execute_text("\\timing")
    assert capsys.readouterr().err == "interrupted; nothing was charged\n"


def pressed_at_once(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_ledger_that_cannot_be_read(
    database: dpsql.Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failed(*_: object) -> None:
        raise EngineError("the ledger is gone; refused")

    monkeypatch.setattr(SqlLedger, "request", failed)
    said = "the ledger cannot be read now: whether anything was charged is not known"
    assert cancel.charged(database, "repl-1") == said


def test_a_failure_says_what_was_charged(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def failed(*_: object, **__: object) -> None:
        raise RuntimeError("the value was 4711")

    monkeypatch.setattr(run, "add_noise", failed)
    assert shell.execute_text(f"\\eps 0.45\n{small.COUNT};")
    number = charges(shell)[-1].number
    assert capsys.readouterr().err.splitlines()[1:] == [
        "the engine could not run the query; the owner's log has the details",
        f"ε = 0.45 was charged (line {number})",
    ]


def test_further_keys_do_not_disturb() -> None:
    done = []

    def work() -> None:
        signal.raise_signal(signal.SIGINT)
        done.append(True)

    before = signal.getsignal(signal.SIGINT)
    cancel.undisturbed(work)
    assert done == [True]
    assert signal.getsignal(signal.SIGINT) is before
