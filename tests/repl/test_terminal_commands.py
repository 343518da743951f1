"""Every command at a terminal, and Ctrl-C in a query that runs; each wait is for what is shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import dpsql
from dpsql.repl.commands import COMMANDS
from tests.repl import small
from tests.repl.screen import Terminal

ENTER, CTRL_C = "\r", "\x03"

COUNT = "SELECT COUNT(*) AS people FROM people"

TYPED = {
    r"\d": (r"\d people", "table  people, private"),
    r"\dt": (r"\dt", "people"),
    r"\df": (r"\df median", "median(value)"),
    r"\policy": (r"\policy", "people.id"),
    r"\explain": (rf"\explain {COUNT}", "released: costs ε = 0.5"),
    r"\cost": (r"\cost", "the ledger (approx) charges ε = 0.5"),
    r"\sql": (r"\sql", "COUNT(*)"),
    r"\why": (r"\why", "└─"),
    r"\calibrate": (r"\calibrate 10", "to choose it: \\eps"),
    r"\budget": (r"\budget", "% spent"),
    r"\history": (r"\history", "line  time"),
    r"\plot": (r"\plot noise noise.png", "noise.png"),
    r"\eps": (r"\eps 0.25", "ε = 0.25 for each query"),
    r"\delta": (r"\delta 1e-9", "δ = 1E-9 for each query"),
    r"\clipping": (r"\clipping adaptive", "clipping: adaptive"),
    r"\noise": (r"\noise laplace", "noise: laplace"),
    r"\format": (r"\format vertical", "format: vertical"),
    r"\intervals": (r"\intervals on", "on"),
    r"\timing": (r"\timing on", "timing: on"),
    r"\confirm": (r"\confirm off", "ask before each charge: off"),
    r"\save": (r"\save people", "people"),
    r"\run": (r"\run people", "─[ row 1 ]"),
    r"\help": (r"\help eps", r"\eps [E]"),
    r"\o": (r"\o out.txt", "answers go to out.txt"),
    r"\i": (r"\i missing.sql", "cannot read missing.sql"),
    r"\e": (r"\e", "dpsql> "),
    r"\q": (r"\q", ""),
}
"""What is typed for each, in this order, and a part of what is then shown."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return small.files(tmp_path_factory.mktemp("home"), small.MANY)


@pytest.fixture(scope="module")
def shown(files: tuple[Path, Path]) -> Iterator[Terminal]:
    data, policy = files
    made = Terminal(
        *("repl", str(data), "--policy", str(policy), "--no-config"),
        home=data.parent,
        environment={"PAGER": "cat", "NO_COLOR": "1", "EDITOR": "true"},
        size=(150, 60),
    )
    yield made
    made.kill()


def fresh(shown: Terminal) -> None:
    shown.until(lambda: shown.lines[shown.screen.cursor.y] == "dpsql>")


def said(shown: Terminal, typed: str) -> str:
    """What is on the screen under a line that was typed; nothing before it has run."""
    _, _, after = shown.text.rpartition(f"dpsql> {typed}\n")
    return after


def ctrl_c_stops_a_query_and_says_what_it_cost(shown: Terminal, files: tuple[Path, Path]) -> None:
    fresh(shown)
    shown.send(f"{small.SLOW};{ENTER}")
    shown.until("running; Ctrl-C stops it")
    with dpsql.connect(*files) as beside:  # asked each time that the spinner turns
        shown.until(lambda: beside.budget.spent.eps == 0.5)
    shown.send(CTRL_C)
    shown.until("interrupted; ε = 0.5 was charged (line 1)")
    shown.until(lambda: shown.toolbar.startswith(" ε = 9.5, δ = 1e-6 left"))
    fresh(shown)
    shown.send(f"{COUNT};{ENTER}")
    shown.until("(1 row, ε = 0.5")


def runs(shown: Terminal, name: str) -> None:
    typed, words = TYPED[name]
    fresh(shown)
    shown.send(typed + ENTER)
    if name == r"\q":
        assert shown.ended() == 0
        return
    if name == r"\e":  # what is edited is typed next
        shown.until(lambda: shown.lines[shown.screen.cursor.y].startswith("dpsql> SELECT"))
        shown.send(CTRL_C)
        return
    shown.until(lambda: words in said(shown, typed))
    assert "internal error" not in said(shown, typed)


def test_session(shown: Terminal, files: tuple[Path, Path]) -> None:
    """Steps, in their order: later ones need the query and the charge of earlier ones."""
    ctrl_c_stops_a_query_and_says_what_it_cost(shown, files)
    for name in TYPED:
        runs(shown, name)


def test_all_commands_are_here() -> None:
    assert set(TYPED) == set(COMMANDS)
