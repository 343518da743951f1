r"""`\help` and `\q`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from dpsql.repl.command import Command, Host, Quit

INTRODUCTION = """\
SELECT …;                 answer a query with noise; the budget is charged
SELECT … \\explain         what it would release and cost; free
"""


def commands(
    every: Callable[[], Iterable[Command]], find: Callable[[str], Command]
) -> tuple[Command, ...]:
    """The two commands.

    Args:
        every: all commands, in order.
        find: the one of a name.
    """

    def help(host: Host, text: str) -> None:
        if text:
            found = find(text if text.startswith("\\") else f"\\{text}")
            host.write(f"{found.usage}\n  {found.summary}")
            return
        wide = max(len(command.usage) for command in every())
        lines = [f"{command.usage:<{wide}}  {command.summary}" for command in every()]
        host.write("\n".join([INTRODUCTION, *lines]))

    def names(_: Host) -> Sequence[str]:
        return [command.name for command in every()]

    return (
        Command("\\help", "\\help [COMMAND]", "the commands, or one of them", help, words=names),
        Command("\\q", "\\q", "leave; Ctrl-D does, too", _quit),
    )


def _quit(host: Host, text: str) -> None:
    raise Quit
