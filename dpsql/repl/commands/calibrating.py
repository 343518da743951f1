r"""`\calibrate`: the ε that an accuracy needs."""

from __future__ import annotations

import re
from fractions import Fraction

from dpsql.explanation import text
from dpsql.explanation.figures import most
from dpsql.repl.command import Command, Host, UsageError
from dpsql.repl.commands import asked
from dpsql.result import one_line
from dpsql.target import written

USAGE = r"\calibrate 100 [SELECT …], or \calibrate 1% size=100000, or \calibrate 1% COLUMN=100000"

_SIZE = re.compile(r'\s*(?:"((?:[^"]|"")+)"|([^\s"=]+))=(\S+)')
"""A column and its size. Quotes are for a column that is called size, or has blanks."""


def _calibrate(host: Host, argument: str) -> None:
    error, sizes, rest = _read(argument)
    try:
        target = written(error, sizes)
    except ValueError as problem:
        raise UsageError(f"{problem}; write {USAGE}") from None
    sql = asked.query(host, rest, rf"\calibrate {error}")
    explained = asked.explained(host, sql)
    try:
        found = explained.within(target[0], size=target[1])
    except ValueError as problem:
        raise UsageError(one_line(str(problem))) from None
    if found.wanted is None or found.wanted.eps is None:
        host.write("" if found.wanted is None else text.wanted(found.wanted))
    elif found.ledger is None:
        host.write(text.PUBLIC)
    else:
        _tell(host, sql, text.wanted(found.wanted), found.wanted.eps)


def _tell(host: Host, sql: str, said: str, needed: float) -> None:
    r"""The ε, what it would cost, and how to set it."""
    shown = most(Fraction(needed)).replace(",", "")
    chosen, lines = host.settings, [said]
    at = host.database.explain(sql, Fraction(shown), chosen.delta, **chosen.wishes).ledger
    if at is not None:
        lines.append(text.ledger(at))
    if at is None or at.fits:
        lines.append(rf"to choose it: \eps {shown}")
    host.write("\n".join(lines))


def _read(argument: str) -> tuple[str, list[tuple[str, str]], str]:
    """(error, sizes, what follows)."""
    error, _, rest = argument.strip().partition(" ")
    if not error:
        raise UsageError(f"how accurate? Write {USAGE}")
    sizes: list[tuple[str, str]] = []
    while (size := _SIZE.match(rest)) is not None:
        quoted, plain, number = size.groups()
        name = plain if quoted is None else quoted.replace('""', '"')
        sizes.append(("" if plain == "size" else name, number))
        rest = rest[size.end() :]
    return error, sizes, rest


COMMANDS: tuple[Command, ...] = (
    Command(
        r"\calibrate",
        r"\calibrate ERROR [size=N] [SELECT …]",
        "the ε with which no count or sum is off by more than 100, or than 1% of its size",
        _calibrate,
    ),
)
