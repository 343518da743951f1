"""Where the shell's own files are, by the XDG base directory specification."""

from __future__ import annotations

import os
from pathlib import Path


def config_file() -> Path:
    """What the user chose for every session."""
    return _home("XDG_CONFIG_HOME", ".config") / "config.toml"


def query_folder() -> Path:
    r"""The queries of `\save`."""
    return _home("XDG_DATA_HOME", ".local/share") / "queries"


def history_file() -> Path:
    """What was typed in earlier sessions."""
    return _home("XDG_STATE_HOME", ".local/state") / "history"


def _home(variable: str, usual: str) -> Path:
    """A relative path in a variable is to be ignored, says the specification."""
    named = Path(os.environ.get(variable, ""))
    return (named if named.is_absolute() else Path.home() / usual) / "dpsql"
