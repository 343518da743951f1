"""The history's file: whose it is, what may stand in for it, and what is kept in it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from prompt_toolkit.history import InMemoryHistory

from dpsql.repl.history import OwnHistory, history


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "state" / "history"
    kept, problem = history(file)
    assert isinstance(kept, OwnHistory) and not problem
    assert mode(file) == 0o600 and mode(file.parent) == 0o700
    file.chmod(0o644)
    link = tmp_path / "link"
    link.symlink_to(file)
    kept, _ = history(link)
    assert isinstance(kept, OwnHistory) and mode(file) == 0o600


def test_what_is_no_file_stays_as_it_is(tmp_path: Path) -> None:
    """A link to /dev/null is how people turn a history off; a pipe stands in for it here."""
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    pipe.chmod(0o666)
    link.symlink_to(pipe)
    for place in (pipe, link):
        kept, problem = history(place)
        assert type(kept) is InMemoryHistory and not problem
        assert mode(pipe) == 0o666


def test_a_place_where_none_can_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    kept, problem = history(tmp_path / "file" / "history")
    assert type(kept) is InMemoryHistory
    assert problem.startswith(f"no history is kept: {tmp_path}/file/history: ")


def test_a_text_is_kept_once_and_without_its_last_line_end(tmp_path: Path) -> None:
    file = tmp_path / "history"
    kept, _ = history(file)
    for typed in ("SELECT 1;\n\\budget\n", "SELECT 1;\n\\budget", "\\d"):
        kept.append_string(typed)
    again, _ = history(file)
    assert list(again.load_history_strings()) == ["\\d", "SELECT 1;\n\\budget"]
