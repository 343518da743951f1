r"""What a query would do, before it is paid for: `\explain`, `\cost`, `\sql`, `\why`; and the ε
that an accuracy needs: `\calibrate`.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from dpsql.codes import CODES
from dpsql.execution.target import written
from dpsql.repl.command import Command, UsageError
from dpsql.repl.pages import codes_text, page_text
from dpsql.repl.settings import Exact
from dpsql.repl.splitting import apart
from dpsql.report.explanation import Explanation, sentences
from dpsql.report.explanation.explanation import Wanted
from dpsql.report.figures import figure, most
from dpsql.report.plaintext import aligned
from dpsql.report.steps import WIDTH
from dpsql.visible import one_line

if TYPE_CHECKING:
    from dpsql.repl.shell import Shell


def query_of(shell: Shell, text: str, command: str) -> str:
    """The query that is written after a command, which is then the last one; else the last one.

    Raises:
        UsageError: there is none.
    """
    written = text.strip().rstrip("; \t\r\n")
    if written:
        shell.query = written
    if shell.query is None:
        raise UsageError(f"no query yet: type one, or write {command} SELECT …")
    return shell.query


def explained(shell: Shell, sql: str) -> Explanation:
    """What it would release and cost at the settings, and at the ε of a comment above it, if there
    is one; free, and nothing is read.

    Raises:
        DpsqlError: what `Database.explain` raises.
    """
    return shell.database.explain(*_at(shell, sql), **shell.settings.wishes)


def is_stored(shell: Shell, sql: str) -> bool:
    """Whether its answer is stored; see `Database.stored`."""
    return shell.database.stored(*_at(shell, sql), **shell.settings.wishes)


def _at(shell: Shell, sql: str) -> tuple[str, Exact, Exact | None]:
    """Its text, its ε and its δ."""
    chosen = shell.settings
    own, query = apart(sql, chosen.dialect)
    return query, chosen.eps if own is None else own, chosen.delta


USAGE = r"\calibrate 100 [SELECT …], or \calibrate 1% size=100000, or \calibrate 1% COLUMN=100000"
r"""After its answer `\calibrate 1%` will do."""

SHOWN = 10
"""How many numbers are listed."""

_SIZE = re.compile(r'\s*(?:"((?:[^"]|"")+)"|([^\s"=]+))=(\S+)')
"""A column and its size. Quotes are for a column that is called size, or has blanks."""


@dataclass(frozen=True, slots=True)
class _Number:
    """A number whose error is wanted as a part of it: one of the last answer, or a size.

    Attributes:
        column: of the answer; "" for any.
        value: how large it is taken to be.
        row: the exact values beside it.
    """

    column: str
    value: float
    row: str = ""


def _calibrate(shell: Shell, argument: str) -> None:
    error, sizes, rest = _read(argument)
    sql = query_of(shell, rest, rf"\calibrate {error}")
    numbers: list[_Number] = []
    if error.endswith("%") and not sizes:
        numbers = _seen(shell, sql)
        if numbers:
            shell.say("sizes: the numbers of the last answer")
        sizes = [(name, repr(least.value)) for name, least in _least(numbers).items()]
    try:
        target = written(error, sizes)
    except ValueError as problem:
        raise UsageError(f"{problem}; write {USAGE}") from None
    try:
        found = explained(shell, sql).within(target[0], size=target[1])
    except ValueError as problem:
        raise UsageError(one_line(str(problem))) from None
    if found.wanted is None or found.wanted.eps is None:
        shell.write("" if found.wanted is None else sentences.wanted(found.wanted))
    elif found.ledger is None:
        shell.write(sentences.PUBLIC)
    else:
        given = [_Number(name, float(size)) for name, size in sizes]
        _tell(shell, sql, found.wanted, found.wanted.eps, numbers or given)


def _tell(
    shell: Shell, sql: str, wanted: Wanted, needed: float, numbers: Sequence[_Number]
) -> None:
    r"""The ε, how far each number would be off, what it would cost, and how to set it."""
    shown = most(Fraction(needed)).replace(",", "")
    chosen = shell.settings
    lines = [sentences.wanted(wanted), *_expected(wanted.widths, numbers)]
    at = shell.database.explain(sql, Fraction(shown), chosen.delta, **chosen.wishes).ledger
    if at is not None:
        lines.append(sentences.ledger(at))
    if at is None or at.fits:
        lines.append(rf"to choose it: \eps {shown}")
    shell.write("\n".join(lines))


def _expected(widths: Mapping[str, float], numbers: Sequence[_Number]) -> Iterator[str]:
    """Each number with its half-width, where there are several. Where they are parts of a size, the
    one that decides how large ε must be is the first, and is named.
    """
    names = {name.lower(): name for name in widths}
    if not numbers and len(widths) > 1:
        wide = sorted(widths.items(), key=lambda pair: -pair[1])
        yield from aligned(["number", "off by"], [[name, f"± {figure(w)}"] for name, w in wide])
    every = [
        (widths[name] / n.value, name, n)
        for n in numbers
        for name in ([names[n.column.lower()]] if n.column else widths)
    ]
    if len(every) < 2:
        return
    every.sort(key=lambda one: -one[0])
    rows = [
        [f"{name}{n.row and ' of '}{n.row}", figure(n.value), f"± {figure(widths[name])}", _part(p)]
        for p, name, n in every[:SHOWN]
    ]
    yield f"{one_line(rows[0][0])} decides"
    yield from aligned(["number", "size", "off by", "part of it"], rows)
    if len(every) > SHOWN:
        yield f"and {len(every) - SHOWN:,} more, each within {_part(every[SHOWN][0])}"


def _part(share: float) -> str:
    return f"{share * 100:.2g} %"


def _seen(shell: Shell, sql: str) -> list[_Number]:
    """The numbers in the answer to the query, if it was the last that was answered: what was
    released is public. No ε is enough for a part of 0.
    """
    answer = shell.answer
    if answer is None or shell.answered != sql:
        return []
    # The columns that have no half-width in any row are what a number is of.
    places = range(len(answer.columns))
    keys = [n for n in places if all(widths[n] is None for widths in answer.intervals)]
    found = [
        _Number(
            name,
            abs(float(row[place])),
            ", ".join("NULL" if row[n] is None else str(row[n]) for n in keys),
        )
        for row, widths in zip(answer.rows, answer.intervals, strict=True)
        for place, name in enumerate(answer.columns)
        if widths[place] is not None and row[place] is not None
    ]
    none = sum(not number.value for number in found)
    if none:
        shell.say(f"left out: {none:,} that {'is' if none == 1 else 'are'} 0")
    return [number for number in found if number.value]


def _least(numbers: Sequence[_Number]) -> dict[str, _Number]:
    """The smallest number of each column: what is accurate enough for it is so for all."""
    found: dict[str, _Number] = {}
    for number in numbers:
        if number.column not in found or number.value < found[number.column].value:
            found[number.column] = number
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


_CODE = re.compile(r"DP\d+", re.IGNORECASE)


def _explain(shell: Shell, argument: str) -> None:
    word = argument.strip().rstrip(";")
    if _CODE.fullmatch(word):
        if word.upper() not in CODES:
            raise UsageError(f"no error code {word}; these are:\n{codes_text()}")
        page = page_text(word.upper())
        shell.write(page, whole=page.count("\n") + 1)  # a caret stays below its word
        return
    sql = query_of(shell, argument, r"\explain")
    shell.write(str(explained(shell, sql)))


def _cost(shell: Shell, argument: str) -> None:
    sql = query_of(shell, argument, r"\cost")
    found = explained(shell, sql)
    if found.ledger is None:
        shell.write(sentences.PUBLIC)
        return
    if is_stored(shell, sql):
        shell.write("stored, free: the answer that was paid for is given again")
        return
    caps = shell.database.budget.caps_of(shell.database.analyst)
    own = [f"; the cap of {cap.name} has {cap.left} left now" for cap in caps]
    shell.write("".join([sentences.ledger(found.ledger), *own]))


def _sql(shell: Shell, argument: str) -> None:
    rewritten = explained(shell, query_of(shell, argument, r"\sql")).sql
    shell.write(rewritten, whole=rewritten.count("\n") + 1)


def _why(shell: Shell, argument: str) -> None:
    sql = query_of(shell, argument, r"\why")
    screen = shutil.get_terminal_size().columns if shell.interactive else WIDTH
    shell.write(explained(shell, sql).tree.drawn(min(WIDTH, screen)))


COMMANDS = (
    Command(
        r"\explain [SELECT … | CODE]",
        "what a query would release and cost, or what an error code means",
        _explain,
        lambda _: tuple(CODES),
    ),
    Command(r"\cost [SELECT …]", "what a query would cost, and what is left then", _cost),
    Command(r"\sql [SELECT …]", "the SQL that the engine would run", _sql),
    Command(r"\why [SELECT …]", "why each sensitivity is what it is, as a tree of steps", _why),
    Command(
        r"\calibrate ERROR [size=N] [SELECT …]",
        "the ε with which no count or sum is off by more than 100, or than 1% of its size",
        _calibrate,
    ),
)
