r"""The backslash commands: each file here has a tuple `COMMANDS`; this one puts them together."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

from dpsql.repl.command import Command, UsageError
from dpsql.repl.commands import (
    calibrating,
    choosing,
    files,
    functions,
    helping,
    plotting,
    schema,
    spending,
    verdicts,
)

MODULES = (
    *(verdicts, calibrating, schema, functions, spending, plotting),
    *(choosing, files),
)
r"""In the order of `\help`."""

COMMANDS: Mapping[str, Command] = {
    command.name: command
    for command in (
        *(command for module in MODULES for command in module.COMMANDS),
        *helping.commands(lambda: COMMANDS.values(), lambda name: find(name)),
    )
}
"""Every command by its name."""

ALIASES: Mapping[str, str] = {"\\?": "\\help", "\\h": "\\help", "\\quit": "\\q", "\\exit": "\\q"}
"""Other names of some."""


def find(name: str) -> Command:
    """The command of that name.

    Raises:
        UsageError: there is none.
    """
    found = COMMANDS.get(ALIASES.get(name, name))
    if found is None:
        near = get_close_matches(name, COMMANDS, 1)
        more = f"did you mean {near[0]}?" if near else r"\help lists them"
        raise UsageError(f"no command {name}; {more}")
    return found
