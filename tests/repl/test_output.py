"""Where text goes, and what becomes of it on a terminal."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pyte
import pytest

from dpsql.repl import output as programs
from dpsql.repl.output import Outlet, harmless, spinner


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """In a test, not in a fixture: stdout is another one there."""
    made = Terminal()
    monkeypatch.setattr(sys, "stdout", made)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    return made


def test_what_could_steer_a_terminal_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = terminal(monkeypatch)
    Outlet().write("a\tb\x1b[2Jc\x9b1md\r\u202e\x07é ε\n")
    assert screen.getvalue() == "a\tb\\x1b[2Jc\\x9b1md\\r\\u202e\\x07é ε\n"
    assert harmless("plain\nlines ± é") == "plain\nlines ± é"


def test_a_file_gets_it_as_it_is(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    output = Outlet()
    output.write("a\x1bb")
    output.to(str(tmp_path / "f"))
    output.write("a\x1bb\r\n")
    output.close()
    assert capsys.readouterr().out == "a\x1bb\n"
    assert (tmp_path / "f").read_bytes() == b"a\x1bb\r\n"


@pytest.mark.parametrize(
    ("text", "whole", "paged"),
    [
        ("short\n", 0, False),
        ("line\n" * 23, 0, False),
        ("line\n" * 24, 0, True),
        ("x" * 81, 1, True),  # a line of a table
        ("x" * 40 + "\n" + "x" * 81, 1, False),  # a remark below it
    ],
)
def test_what_is_larger_than_the_terminal_is_paged(
    text: str, whole: int, paged: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    screen = terminal(monkeypatch)
    file = tmp_path / "paged"
    monkeypatch.setenv("PAGER", f"sh -c 'cat > {file}'")
    Outlet().write(text, paged=True, whole=whole)
    assert file.exists() is paged
    assert (file.read_text() if paged else screen.getvalue()).rstrip() == text.rstrip()
    # Who does not want a pager, or has none, gets it all the same.
    file.unlink(missing_ok=True)
    for program, wanted in (("", True), ("/no/such/pager", True), ("cat", False)):
        monkeypatch.setenv("PAGER", program)
        screen.seek(0)
        screen.truncate()
        Outlet().write(text, paged=wanted, whole=whole)
        assert screen.getvalue().rstrip() == text.rstrip()


def test_long_lines_of_words_are_folded_and_need_no_pager(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = terminal(monkeypatch)
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("PAGER", "false")
    Outlet().write(
        """\
the ledger charges ε = 0.5; then ε = 9.5 is left, 19 more
\\cost [SELECT …]  what a query would cost, and what is left
├─ count(*) by channel: at most 40 rows per unit
│     · rows per unit 40, enforced per unit of orders
└─ orders: private, unit by orders.customer_id""",
        paged=True,
    )
    assert (
        screen.getvalue()
        == """\
the ledger charges ε = 0.5; then ε = 9.5
    is left, 19 more
\\cost [SELECT …]  what a query would
                  cost, and what is left
├─ count(*) by channel: at most 40 rows
│  per unit
│     · rows per unit 40, enforced per
│       unit of orders
└─ orders: private, unit by
   orders.customer_id
"""
    )


def test_a_query_stays_above_its_caret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", screen := Terminal())
    monkeypatch.setenv("COLUMNS", "30")
    query = f"  | SELECT {'x' * 30} FROM t\n  |        ^^^"
    Outlet().complain(f"DP402: the joined rows could belong to two\n{query}\n  help: join")
    assert screen.getvalue() == (
        f"DP402: the joined rows could\n    belong to two\n{query}\n  help: join\n"
    )


def test_a_pager_that_is_left_early(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = terminal(monkeypatch)
    monkeypatch.setenv("PAGER", "true")
    Outlet().write("line\n" * 400_000, paged=True)  # 2,000,000 characters
    assert screen.getvalue() == ""


def test_less_is_the_usual_pager(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PAGER", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert programs.pager() is None
    (tmp_path / "less").write_text("#!/bin/sh\n")
    os.chmod(tmp_path / "less", 0o755)
    assert programs.pager() == ["less", "-SRFX"]


@pytest.mark.parametrize("on_terminal", [True, False])
def test_spinner(on_terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal() if on_terminal else io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("dpsql.repl.output.PATIENCE", 0.0)
    with spinner():
        while on_terminal and "running" not in stream.getvalue():
            pass
    if on_terminal:
        assert "running; Ctrl-C stops it" in stream.getvalue()
        screen = pyte.Screen(80, 3)
        pyte.Stream(screen).feed(stream.getvalue().replace("\n", "\r\n"))
        assert "".join(screen.display).strip() == "" and not screen.cursor.hidden
    else:
        assert stream.getvalue() == ""


def test_a_quick_query_has_no_spinner(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with spinner():
        pass
    assert stream.getvalue() == ""
