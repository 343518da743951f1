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

ALIASES: Mapping[str, str] = {
    "\\?": "\\help",
    "\\h": "\\help",
    "\\quit": "\\q",
    "\\exit": "\\q",
    "\\d+": "\\d",
    "\\dt+": "\\dt",
    "\\df+": "\\df",
}
"""Other names of some."""

INSTEAD: Mapping[str, str] = {
    "\\x": r"\format vertical has a line for each value",
    "\\l": r"there is one database; \policy says what it protects, \d lists its tables",
    "\\c": "leave, and start dpsql repl DATA --policy FILE",
    "\\s": r"Ctrl-R searches what was typed, \history lists the charges",
    "\\g": "a query ends with ;",
    "\\set": r"\eps, \format and others choose; \help lists them",
    "\\pset": r"\format chooses how answers are written",
    "\\copy": r"\format csv, then \o FILE, writes answers to a file",
}
"""What psql has, and what there is here."""


def find(name: str) -> Command:
    """The command of that name.

    Raises:
        UsageError: there is none.
    """
    found = COMMANDS.get(ALIASES.get(name, name))
    if found is None and name in INSTEAD:
        raise UsageError(f"no command {name}; {INSTEAD[name]}")
    if found is None:
        near = get_close_matches(name, COMMANDS, 1)
        more = f"did you mean {near[0]}?" if near else r"\help lists them"
        raise UsageError(f"no command {name}; {more}")
    return found
