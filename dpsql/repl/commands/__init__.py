r"""The backslash commands: each file here has a tuple `COMMANDS`; this one puts them together,
and has `\help` and `\q`.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING

from dpsql.repl.command import Command, Quit, UsageError
from dpsql.repl.commands import choices, explanations, listings, plot, scripts, spending

if TYPE_CHECKING:
    from dpsql.repl.shell import Shell

MODULES = (explanations, listings, spending, plot, choices, scripts)
r"""In the order of `\help`."""

INTRODUCTION = """\
SELECT …;                 answer a query with noise; the budget is charged
SELECT … \\explain         what it would release and cost; free
"""


def _help(shell: Shell, text: str) -> None:
    if text:
        found = find(text if text.startswith("\\") else f"\\{text}")
        shell.write(f"{found.usage}\n  {found.summary}")
        return
    wide = max(len(command.usage) for command in COMMANDS.values())
    lines = [f"{command.usage:<{wide}}  {command.summary}" for command in COMMANDS.values()]
    shell.write("\n".join([INTRODUCTION, *lines]))


def _quit(shell: Shell, text: str) -> None:
    raise Quit


_EVERY = (
    *(command for module in MODULES for command in module.COMMANDS),
    Command("\\help [COMMAND]", "the commands, or one of them", _help, lambda _: tuple(COMMANDS)),
    Command("\\q", "leave; Ctrl-D does, too", _quit),
)
COMMANDS: Mapping[str, Command] = {command.name: command for command in _EVERY}
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
