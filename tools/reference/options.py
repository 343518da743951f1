"""The arguments of every command, as `dpsql COMMAND --help` has them: from the parser itself, since
how Python lays its help out differs from version to version.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from dpsql.cli import exits
from dpsql.cli.parser import parser
from tools.reference.prose import escaped, markdown

HEAD = """\
<!-- Written by python -m tools.reference, from the command's own parser. -->

# All options of `dpsql`

What `dpsql COMMAND --help` says. [The command `dpsql`](command-line.md) explains it with examples
and has the [exit codes](command-line.md#exit-codes).
"""


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *_commands(parser())]).rstrip() + "\n"


def _commands(top: argparse.ArgumentParser) -> Iterator[str]:
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                yield from _command(name, command)


def _command(name: str, command: argparse.ArgumentParser) -> Iterator[str]:
    words, _, more = (command.description or "").strip().partition("\n\n")
    yield f"## {name}\n\n{words}\n"
    if more:
        yield f"{markdown(more)}\n"
    assert command.epilog == exits.HELP
    arguments = [a for a in command._actions if not isinstance(a, argparse._HelpAction)]
    if arguments:
        yield "| argument | what it is |\n|---|---|"
        yield from (_row(command, argument) for argument in arguments)
        yield ""


def _row(command: argparse.ArgumentParser, action: argparse.Action) -> str:
    value = _value(action)
    if action.option_strings:
        spelled = ", ".join(action.option_strings) + f" {value}".rstrip()
    else:
        spelled = f"[{value}]" if action.nargs in ("?", "*") and value[0] != "[" else value
    needed = ", needed" if action.option_strings and action.required else ""
    words = command._get_formatter()._expand_help(action) if action.help else ""
    cells = (cell.replace("|", "\\|") for cell in (f"`{spelled}`{needed}", escaped(words)))
    return f"| {' | '.join(cells)} |"


def _value(action: argparse.Action) -> str:
    if action.nargs == 0:
        return ""
    if action.metavar is None and action.choices is not None:
        return "{" + ",".join(map(str, action.choices)) + "}"
    names = action.metavar if action.metavar is not None else action.dest.upper()
    return names if isinstance(names, str) else " ".join(names)
