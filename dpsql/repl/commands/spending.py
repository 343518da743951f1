r"""What was spent: `\budget`, as bars, and `\history`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from dpsql.core.account.amount import decimal_text
from dpsql.repl.command import Command, UsageError
from dpsql.report.budget import Budget, CapState, account_document
from dpsql.report.budget.account_document import summary, whose
from dpsql.report.figures import most
from dpsql.report.plaintext import lines
from dpsql.visible import one_line

if TYPE_CHECKING:
    from dpsql.repl.shell import Shell

WIDTH = 30
"""Of a bar, in characters."""

BLOCKS, PLAIN = ("█", "░"), ("#", ".")
"""What bars are made of: what is spent and what is left."""


def budget_text(state: Budget, caps: Sequence[CapState], marks: tuple[str, str] = BLOCKS) -> str:
    """What is spent and left, by which rule.

    Args:
        state: of the account.
        caps: that bind whoever asks.
        marks: what bars are made of.
    """
    rows = list(_spent(state, caps))
    size = max(len(name) for name, _, _ in rows)
    bars = [f"{name:<{size}}  {_bar(now, of, marks)}" for name, now, of in rows]
    return "\n".join([*bars, "", *lines(summary(state, caps))])


def _spent(state: Budget, caps: Sequence[CapState]) -> Iterator[tuple[str, Fraction, Fraction]]:
    """(name, spent, total) of each bar."""
    found, total = state.guarantee.exact, state.total.exact
    yield "ε", found.eps, total.eps
    # By zcdp and rdp δ is for the conversion: a part of it is used at once, and then no more.
    if total.delta and state.accountant not in ("zcdp", "rdp"):
        yield "δ", found.delta, total.delta
    for cap in caps:
        yield f"ε of {one_line(whose(cap))}", cap.spent.exact.eps, cap.most.exact.eps


def _bar(spent: Fraction, total: Fraction, marks: tuple[str, str]) -> str:
    """A bar and its numbers. It is empty only where nothing is spent, full only where all is."""
    share = min(spent / total, Fraction(1))
    filled = int(share * WIDTH)
    if 0 < share < 1:
        filled = min(max(filled, 1), WIDTH - 1)
    bar = marks[0] * filled + marks[1] * (WIDTH - filled)
    exact = decimal_text(spent)
    # A converted amount has many digits; it is rounded up.
    shown = most(spent) if exact.endswith("…") else exact
    whole = int(spent / total * 100)  # rounded down, but what is not nothing is not shown as 0 %
    percent = "under 1 %" if spent and not whole else f"{whole:,} %"
    return f"{bar}  {percent} spent: {shown} of {decimal_text(total)}"


def _budget(shell: Shell, argument: str) -> None:
    if argument.strip().rstrip(";"):
        raise UsageError(r"\budget takes nothing; \history 50 shows the last 50 lines")
    state = shell.database.budget
    shell.write(budget_text(state, state.caps_of(shell.database.analyst), _marks()))


def _marks() -> tuple[str, str]:
    """Blocks, where the terminal can show them."""
    try:
        "".join(BLOCKS).encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return PLAIN
    return BLOCKS


def _history(shell: Shell, argument: str) -> None:
    number = argument.strip().rstrip("; ")
    if number and (not (number.isascii() and number.isdecimal()) or int(number[:9]) < 1):
        raise UsageError(r"how many lines? Write \history 50")
    limit = int(number[:9]) if number else account_document.LIMIT
    state = shell.database.budget
    shell.write("\n".join(lines(account_document.listing(state, limit, newest_first=True))))
    count = len(state.history)
    if count > limit:
        shell.say(rf"the last {limit:,} of {count:,} lines; \history {count} shows all")


COMMANDS = (
    Command(r"\budget", "what is spent, and what is left", _budget, alone=True),
    Command(r"\history [N]", "the last charges; what is free makes no line", _history, alone=True),
)
