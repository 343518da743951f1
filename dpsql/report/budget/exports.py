"""The lines of a ledger as CSV."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_CEILING, Context, Decimal, Inexact, localcontext
from fractions import Fraction

from dpsql.report.budget.line import Line
from dpsql.report.plaintext import csv_line

COLUMNS = (
    *("number", "time", "kind", "analyst", "eps", "delta", "rho"),
    *("spent_eps", "spent_delta", "spent_rho", "window", "mechanisms", "sql", "request"),
    *("note", "version", "hash"),
)
"""Of the CSV file."""

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "'")
"""How a cell starts that a spreadsheet may run; and the mark that keeps it from that."""

_EXACT = Context(prec=120, traps=[Inexact])
_SHORT = Context(prec=20, rounding=ROUND_CEILING)


def csv_text(lines: Iterable[Line]) -> str:
    """One row a line, after `COLUMNS`; RFC 4180 but for the line ends.

    Amounts are decimals: exact where some decimal is, else rounded up in the 20th digit (JSON has
    the fraction). Texts are as they are, but for one that begins as in `FORMULA`: it gets a ' in
    front, and whoever reads the file by program takes off one ' from each text that has one. Why:
    analysts name themselves and write the queries, and the owner opens the file in a spreadsheet,
    which would run `=…` as a formula in his name.
    """
    return "".join(map(csv_line, [list(COLUMNS), *map(_fields, lines)]))


def _fields(line: Line) -> list[str]:
    charge, entry, spent = line.charge, line.charge.entry, line.charge.spent
    return [
        str(line.number),
        line.time.isoformat(),
        line.kind,
        _text(line.analyst),
        *map(_number, (charge.cost.eps, charge.cost.delta, charge.loss.rho)),
        *map(_number, (spent.cost.eps, spent.cost.delta, spent.rho)),
        "" if charge.window is None else charge.window.isoformat(),
        _text("; ".join(line.mechanisms)),
        _text(line.sql),
        _text(entry.request),
        _text(line.note),
        _text(entry.version),
        charge.hash,
    ]


def _number(amount: Fraction) -> str:
    top, bottom = Decimal(amount.numerator), Decimal(amount.denominator)
    with localcontext(_EXACT) as context:
        number: Decimal
        try:
            number = (top / bottom).normalize()
        except Inexact:
            context.clear_traps()
            number = _SHORT.divide(top, bottom)
    return f"{number:f}" if number.adjusted() >= -6 else str(number)


def _text(text: str) -> str:
    return f"'{text}" if text.startswith(FORMULA) else text
