r"""`\calibrate`: the ε that an accuracy needs."""

from __future__ import annotations

import re
from fractions import Fraction
from statistics import median

from dpsql.explanation import sentences
from dpsql.repl.command import Command, Host, UsageError
from dpsql.repl.commands import asked
from dpsql.report.figures import most
from dpsql.target import written
from dpsql.visible import one_line

USAGE = r"\calibrate 100 [SELECT …], or \calibrate 1% size=100000, or \calibrate 1% COLUMN=100000"
r"""After its answer `\calibrate 1%` will do."""

_SIZE = re.compile(r'\s*(?:"((?:[^"]|"")+)"|([^\s"=]+))=(\S+)')
"""A column and its size. Quotes are for a column that is called size, or has blanks."""


def _calibrate(host: Host, argument: str) -> None:
    error, sizes, rest = _read(argument)
    sql = asked.query(host, rest, rf"\calibrate {error}")
    if error.endswith("%") and not sizes:
        sizes = _seen(host, sql)
        if sizes:
            said = ", ".join(f"{one_line(name)} {float(size):,.6g}" for name, size in sizes)
            host.say(f"sizes, by the middle of each column of the last answer: {said}")
    try:
        target = written(error, sizes)
    except ValueError as problem:
        raise UsageError(f"{problem}; write {USAGE}") from None
    explained = asked.explained(host, sql)
    try:
        found = explained.within(target[0], size=target[1])
    except ValueError as problem:
        raise UsageError(one_line(str(problem))) from None
    if found.wanted is None or found.wanted.eps is None:
        host.write("" if found.wanted is None else sentences.wanted(found.wanted))
    elif found.ledger is None:
        host.write(sentences.PUBLIC)
    else:
        _tell(host, sql, sentences.wanted(found.wanted), found.wanted.eps)


def _tell(host: Host, sql: str, said: str, needed: float) -> None:
    r"""The ε, what it would cost, and how to set it."""
    shown = most(Fraction(needed)).replace(",", "")
    chosen, lines = host.settings, [said]
    at = host.database.explain(sql, Fraction(shown), chosen.delta, **chosen.wishes).ledger
    if at is not None:
        lines.append(sentences.ledger(at))
    if at is None or at.fits:
        lines.append(rf"to choose it: \eps {shown}")
    host.write("\n".join(lines))


def _seen(host: Host, sql: str) -> list[tuple[str, str]]:
    """The sizes of the columns in the answer to the query, if it was the last that was answered:
    what was released is public.
    """
    answer = host.answer
    if answer is None or host.answered != sql:
        return []
    found: list[tuple[str, str]] = []
    for place, name in enumerate(answer.columns):
        values = [
            abs(float(row[place]))
            for row, widths in zip(answer.rows, answer.intervals, strict=True)
            if widths[place] is not None and row[place]
        ]
        if values:
            found.append((name, repr(median(values))))
    return found


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
