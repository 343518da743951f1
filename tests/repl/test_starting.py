"""What the command does before a person is asked for anything; the prompt itself is a stand-in."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dpsql.cli import exits, main
from dpsql.cli import interactive as command
from dpsql.repl import terminal
from dpsql.repl.shell import Shell
from tests.repl import small

WIPED = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
"""What takes a sign of life away again, where a query took long."""


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


Start = Callable[..., tuple[int, str]]


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Start:
    """Starts the shell at a terminal; what is done with it there is up to the test."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))

    def call(act: Callable[[Shell], object], *words: str) -> tuple[int, str]:
        for name in ("stdin", "stdout", "stderr"):
            monkeypatch.setattr(sys, name, Terminal())
        monkeypatch.setattr(terminal, "interact", lambda shell: act(shell) and 0)
        code = main(("repl", *words))
        return code, sys.stderr.getvalue()  # type: ignore[attr-defined]

    return call


def test_the_libraries_of_a_terminal(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "find_spec", lambda name: None if name == "rich" else name)
    code, err = start(lambda _: pytest.fail("no terminal"), "nowhere.duckdb")
    assert code == exits.USAGE
    assert err == (
        'dpsql: the shell needs rich: pip install "dpsql[repl]"; '
        "statements of -c, -f and stdin do not\n"
    )


def test_a_session_and_its_end(start: Start, tmp_path: Path) -> None:
    small.files(tmp_path)
    shells: list[Shell] = []

    def act(shell: Shell) -> None:
        shells.append(shell)
        assert shell.interactive and shell.opening.which == "small.duckdb"
        assert shell.execute_text(f"{small.COUNT};")
        assert shell.execute_text("SELECT wrong;")  # no error of a statement is one of the session
        assert not shell.execute_text("\\q")

    code, err = start(act, "small.duckdb", "--policy", "small.yaml", "--eps", "1")
    assert code == exits.OK and WIPED.sub("", err.rpartition("\r")[2]).startswith("cost ε = 1;")
    with pytest.raises(Exception, match="the database is closed"):
        shells[0].database.run(small.COUNT, 1)


def test_what_is_opened_while_somebody_types(start: Start) -> None:
    """It is said when it is needed that it cannot be opened, and the exit code tells too."""

    def act(shell: Shell) -> None:
        shell.opening.join()
        assert shell.execute_text("\\eps 0.25")
        assert not shell.execute_text(f"{small.COUNT};")

    code, err = start(act, "nowhere.duckdb", "--policy", "nowhere.yaml")
    assert code == exits.POLICY
    assert err.splitlines()[0] == "ε = 0.25 for each query"
    assert err.splitlines()[1].startswith("nowhere.yaml: ")


def test_settings_that_cannot_be_read(start: Start, tmp_path: Path) -> None:
    """The session begins all the same, with the usual ones, and asks before it charges."""
    (tmp_path / "dpsql").mkdir()
    (tmp_path / "dpsql" / "config.toml").write_text('eps = 0.001\nformat = "xml"\n')
    found: list[Shell] = []
    code, err = start(found.append, "nowhere.duckdb", "--policy", "nowhere.yaml")
    assert code == exits.OK
    assert err.count("config.toml: format: must be one of table, csv") == 1
    assert err.count("; it is not used, and each charge is asked for\n") == 1
    (shell,) = found
    assert shell.settings.confirm and shell.settings.format == "table"
    start(found.append, "nowhere.duckdb", "--policy", "nowhere.yaml", "--no-config")
    assert not found[1].settings.confirm


def test_an_end_before_the_database_is_open(start: Start) -> None:
    """The process ends when it is: the engine would abort it otherwise."""
    found: list[Shell] = []
    code, err = start(found.append)
    assert (code, err) == (exits.OK, "")
    assert found[0].opening.which == "the embedded demo"
    assert found[0].opening.ready is not None
