r"""What was spent: `\budget`, `\history`."""

from __future__ import annotations

import sys

from dpsql.budget import account_document
from dpsql.repl.command import Command, Host, UsageError
from dpsql.repl.describe.bars import BLOCKS, PLAIN, budget_text
from dpsql.report.plaintext import lines


def _budget(host: Host, argument: str) -> None:
    if argument.strip().rstrip(";"):
        raise UsageError(r"\budget takes nothing; \history 50 shows the last 50 lines")
    state = host.database.budget
    host.write(budget_text(state, state.caps_of(host.database.analyst), _marks()))


def _marks() -> tuple[str, str]:
    """Blocks, where the terminal can show them."""
    try:
        "".join(BLOCKS).encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return PLAIN
    return BLOCKS


def _history(host: Host, argument: str) -> None:
    number = argument.strip().rstrip("; ")
    if number and (not (number.isascii() and number.isdecimal()) or int(number[:9]) < 1):
        raise UsageError(r"how many lines? Write \history 50")
    limit = int(number[:9]) if number else account_document.LIMIT
    state = host.database.budget
    host.write("\n".join(lines(account_document.listing(state, limit, newest_first=True))))
    count = len(state.history)
    if count > limit:
        host.say(rf"the last {limit:,} of {count:,} lines; \history {count} shows all")


COMMANDS: tuple[Command, ...] = (
    Command(r"\budget", r"\budget", "what is spent, and what is left", _budget, alone=True),
    Command(
        r"\history",
        r"\history [N]",
        "the last charges; what is free makes no line",
        _history,
        alone=True,
    ),
)
