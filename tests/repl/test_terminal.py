"""The shell as a person has it: a screen, keys, and nothing else. Few sessions, since each takes a
second to begin; every wait is for something that the screen shows.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.repl import small
from tests.repl.screen import Terminal

ENTER, TAB, ESCAPE, UP = "\r", "\t", "\x1b", "\x1b[A"
F4, F5 = "\x1bOS", "\x1b[15~"
CTRL_C, CTRL_D, CTRL_R = "\x03", "\x04", "\x12"
BEGUN = "\x1b[?2004h"
"""What each prompt begins with."""
COLOR = re.compile(r"\x1b\[(?:\d+;)*(?:3\d|4[0-8]|9\d|10\d)(?:;\d+)*m")
"""A change of colour; 39 and 49 are the terminal's own, and are no colours."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home folder with a database; sessions in it come one after the other."""
    made = tmp_path_factory.mktemp("home")
    small.files(made)
    return made


def terminal(home: Path, size: tuple[int, int] = (100, 30), **variables: str) -> Terminal:
    data, policy = home / "small.duckdb", home / "small.yaml"
    arguments = ("repl", str(data), "--policy", str(policy))
    return Terminal(*arguments, home=home, environment=variables, size=size)


def prompts(shown: Terminal) -> int:
    return sum(line.startswith("dpsql>") for line in shown.lines)


def fresh(shown: Terminal) -> None:
    """Wait for a prompt at which nothing is typed."""
    shown.until(lambda: shown.lines[shown.screen.cursor.y] == "dpsql>")


def clear(shown: Terminal) -> None:
    """Give up what is typed, and wait for the next prompt."""
    begun = shown.raw.count(BEGUN)
    shown.send(CTRL_C)
    shown.until(lambda: shown.raw.count(BEGUN) > begun)
    fresh(shown)


def colors(raw: str) -> list[str]:
    return [
        code for code in COLOR.findall(raw) if not set(re.findall(r"\d+", code)) <= {"39", "49"}
    ]


def it_begins_with_a_prompt_and_what_is_left(first: Terminal) -> None:
    first.until("dpsql>")
    first.until(lambda: first.toolbar.startswith(" ε = 10, δ = 1e-6 left"))
    assert "ε = 0.5 a query" in first.toolbar
    assert first.lines[0].startswith("dpsql on ")


def completion_shows_and_accepts(first: Terminal) -> None:
    first.send("SELECT team, COUNT(*) AS n FROM pe")
    first.until("people  private, 2 columns")
    first.send(TAB)
    first.until("FROM people")
    first.send(" WHERE team = '")
    first.until("a value of team")
    first.send("b")
    first.until(lambda: "a value of team" in first.text and "red'" not in first.text)
    first.send(TAB)
    first.until("team = 'blue'")


def enter_ends_a_line_until_the_semicolon(first: Terminal) -> None:
    first.send(ENTER)
    first.until(lambda: first.lines[first.screen.cursor.y].startswith("    ->"))
    first.until(lambda: "✗ DP208" in first.toolbar)
    first.send("GROUP BY team")
    first.until(lambda: "✓ ε = 0.5" in first.toolbar)
    assert "n ± 6 at 95 %" in first.toolbar
    assert "ε = 9.5, δ = 1e-6 left then" in first.toolbar
    assert "19 more such" in first.toolbar
    first.send(";" + ENTER)
    first.until("(1 row, ε = 0.5")
    first.until(lambda: first.toolbar.startswith(" ε = 9.5, δ = 1e-6 left"))
    fresh(first)


def an_error_is_seen_before_it_is_run_and_with_a_caret(first: Terminal) -> None:
    first.send("SELECT team FROM people;")
    first.until(lambda: first.toolbar.startswith(" ✗ DP401"))
    first.send(ENTER)
    first.until("DP401: the query returns rows of individuals")
    first.until("  |        ^^^^")
    first.until("  help: ")
    first.until(lambda: first.toolbar.startswith(" ε = 9.5"))  # nothing was charged


def ctrl_c_clears_what_is_typed(first: Terminal) -> None:
    fresh(first)
    before = prompts(first)
    first.send("SELECT COUNT(*) FROM people;")
    first.until(lambda: "✓ ε = 0.5" in first.toolbar)
    first.send(CTRL_C)
    first.until(lambda: prompts(first) == before + 1)
    fresh(first)
    first.until(lambda: first.toolbar.startswith(" ε = 9.5"))


def a_command_says_what_it_does_while_it_is_typed(first: Terminal) -> None:
    first.send("\\eps")
    first.until(lambda: first.toolbar.startswith(" \\eps [E]  │  the ε of each query"))
    first.send(" 0.25" + ENTER)
    first.until("ε = 0.25")
    first.until(lambda: "ε = 0.25 a query" in first.toolbar)


def earlier_statements_can_be_searched(first: Terminal) -> None:
    fresh(first)
    before = first.text.count("    -> GROUP BY team;")
    first.send(CTRL_R + "group")  # in any case
    first.until("I-search backward: group")
    first.until(lambda: first.text.count("    -> GROUP BY team;") == before + 1)
    first.send(ENTER)
    first.until(lambda: "I-search" not in first.text)
    clear(first)


def another_size_is_drawn_anew(first: Terminal) -> None:
    first.send("SELECT COUNT(*) AS n FROM people")
    first.until(lambda: "✓ ε = 0.25" in first.toolbar and "emacs (F4)" in first.toolbar)
    first.resize(40, 30)
    first.until(lambda: first.toolbar == " ✓ ε = 0.25  │  n ± 12 at 95 %")
    first.resize(120, 40)
    first.until(lambda: "ε = 9.25, δ = 1e-6 left then" in first.toolbar)
    clear(first)


def f4_changes_to_the_keys_of_vi(first: Terminal) -> None:
    first.send(F4)
    first.until(lambda: "vi (F4)" in first.toolbar)
    first.send("SELECT 12")
    first.until(lambda: first.screen.cursor.x == len("dpsql> SELECT 12"))
    first.send(ESCAPE)
    first.until(lambda: first.screen.cursor.x == len("dpsql> SELECT 1"))  # on the last character
    first.send("db")
    first.until("dpsql> SELECT 2")
    first.send("dd")
    fresh(first)
    first.send("i" + F4)
    first.until(lambda: "emacs (F4)" in first.toolbar)


def ctrl_d_leaves(first: Terminal) -> None:
    fresh(first)
    first.send(CTRL_D)
    assert first.ended() == 0
    assert colors(first.raw)


def what_was_typed_is_there_in_the_next_session(second: Terminal) -> None:
    second.until(lambda: second.toolbar.startswith(" ε = 9.5"))
    second.send(UP)
    second.until("dpsql> \\eps 0.25")
    second.send(UP)
    second.until(lambda: second.lines[second.screen.cursor.y] == "dpsql> SELECT team FROM people;")
    clear(second)


def several_statements_can_be_pasted(second: Terminal) -> None:
    texts = "SELECT COUNT(*) AS a\nFROM people;\n\\timing on\nSELECT MAX(day) AS last FROM days;"
    second.send(f"\x1b[200~{texts}\x1b[201~")
    second.until("    -> SELECT MAX(day) AS last FROM days;")
    assert prompts(second) == 2  # the one before, and this: nothing has run yet
    second.send(ENTER)
    second.until("timing: on")
    second.until("last\n")
    second.until(lambda: second.toolbar.startswith(" ε = 9, δ = 1e-6 left"))


def it_asks_before_a_charge_and_takes_only_yes(second: Terminal) -> None:
    second.send("\\confirm on" + ENTER)
    second.until("ask before each charge: on")
    fresh(second)
    for answer in ("n" + ENTER, ENTER, CTRL_C, CTRL_D):
        second.send("SELECT COUNT(*) AS c FROM people WHERE team = 'red';" + ENTER)
        second.until(lambda: second.lines[second.screen.cursor.y].endswith("[y/N]"))
        second.send(answer)
        fresh(second)
        assert second.lines[second.screen.cursor.y - 1] == "not run; nothing was charged"
    # What came with the query was typed before the question could be read.
    second.send("SELECT COUNT(*) AS c FROM people WHERE team = 'red';" + ENTER + "y" + ENTER)
    second.until(lambda: second.lines[second.screen.cursor.y].endswith("[y/N]"))
    second.send(ENTER)
    fresh(second)
    assert second.lines[second.screen.cursor.y - 1] == "not run; nothing was charged"
    second.until(lambda: second.toolbar.startswith(" ε = 9, "))
    second.send("SELECT COUNT(*) AS c FROM people WHERE team = 'red';" + ENTER)
    second.until(lambda: second.lines[second.screen.cursor.y].endswith("[y/N]"))
    second.send("y" + ENTER)
    second.until(lambda: second.toolbar.startswith(" ε = 8.5, "))
    second.send("\\confirm off" + ENTER)
    second.until("ask before each charge: off")


def f5_runs_without_a_semicolon(second: Terminal) -> None:
    fresh(second)
    second.send("SELECT MIN(day) AS smallest" + ENTER + "FROM days")
    second.until("    -> FROM days")
    second.send(F5)
    second.until(lambda: "smallest" in second.lines)
    fresh(second)


def the_editor_gives_what_is_typed_next(second: Terminal) -> None:
    second.send("\\e" + ENTER)
    second.until("dpsql> SELECT MIN(day) AS tiniest")
    second.until(lambda: second.lines[second.screen.cursor.y] == "    -> FROM days;")
    clear(second)


def without_colours_none_is_sent(second: Terminal) -> None:
    second.send("SELECT team FROM people;")
    second.until(lambda: second.toolbar.startswith(" ✗ DP401"))
    second.send(ENTER)
    second.until("  |        ^^^^")
    fresh(second)
    second.send(CTRL_D)
    assert second.ended() == 0
    assert colors(second.raw) == []


def settings_of_the_file_hold_and_no_history_is_kept(home: Path) -> None:
    config = home / ".config/dpsql/config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text('editing = "vi"\nhistory = false\neps = 0.125\ncolor = false\n')
    file = home / ".local/state/dpsql/history"
    before = file.read_bytes()
    shown = terminal(home)
    try:
        shown.until(lambda: "ε = 0.125 a query" in shown.toolbar and "vi (F4)" in shown.toolbar)
        shown.send("SELECT MAX(day) AS last FROM days;" + ENTER)
        shown.until("(1 row")
        fresh(shown)
        shown.send(UP)
        again = "dpsql> SELECT MAX(day) AS last FROM days;"  # in this session it is there
        shown.until(lambda: shown.lines[shown.screen.cursor.y] == again)
        clear(shown)
        shown.send(CTRL_D)
        assert shown.ended() == 0
    finally:
        shown.kill()
        config.unlink()
    assert colors(shown.raw) == []
    assert file.read_bytes() == before


def test_sessions(home: Path) -> None:
    """Three sessions, one after the other; each step needs what those before it have left."""
    first = terminal(home)
    try:
        it_begins_with_a_prompt_and_what_is_left(first)
        completion_shows_and_accepts(first)
        enter_ends_a_line_until_the_semicolon(first)
        an_error_is_seen_before_it_is_run_and_with_a_caret(first)
        ctrl_c_clears_what_is_typed(first)
        a_command_says_what_it_does_while_it_is_typed(first)
        earlier_statements_can_be_searched(first)
        another_size_is_drawn_anew(first)
        f4_changes_to_the_keys_of_vi(first)
        ctrl_d_leaves(first)
    finally:
        first.kill()
    second = terminal(home, NO_COLOR="1", EDITOR="sed -i s/smallest/tiniest/")
    try:
        what_was_typed_is_there_in_the_next_session(second)
        several_statements_can_be_pasted(second)
        it_asks_before_a_charge_and_takes_only_yes(second)
        f5_runs_without_a_semicolon(second)
        the_editor_gives_what_is_typed_next(second)
        without_colours_none_is_sent(second)
    finally:
        second.kill()
    file = home / ".local/state/dpsql/history"
    assert file.stat().st_mode & 0o777 == 0o600
    settings_of_the_file_hold_and_no_history_is_kept(home)


def test_a_database_that_cannot_be_opened_ends_the_session(home: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.duckdb"
    broken.write_bytes(b"no database at all")
    arguments = ("repl", str(broken), "--policy", str(home / "small.yaml"))
    shown = Terminal(*arguments, home=tmp_path)
    try:
        assert shown.ended() != 0
        assert str(broken) in shown.text.replace("\n", "")
        assert "Traceback" not in shown.text
    finally:
        shown.kill()
