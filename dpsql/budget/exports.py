"""The budget as plain data, CSV and HTML."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from decimal import ROUND_CEILING, Context, Decimal, Inexact, localcontext
from fractions import Fraction
from typing import TYPE_CHECKING

from dpsql.budget.line import Line
from dpsql.explanation import page

if TYPE_CHECKING:
    from dpsql.budget.state import Budget

COLUMNS = (
    *("number", "time", "kind", "analyst", "eps", "delta", "rho"),
    *("spent_eps", "spent_delta", "spent_rho", "window", "mechanisms", "sql", "request"),
    *("note", "version", "hash"),
)
"""Of the CSV file."""

SHOWN = 20
"""How many lines, the latest ones, a notebook shows."""

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "'")
"""How a cell starts that a spreadsheet may run; and the mark that keeps it from that."""

_EXACT = Context(prec=120, traps=[Inexact])
_SHORT = Context(prec=20, rounding=ROUND_CEILING)


def plain(budget: Budget) -> dict[str, object]:
    """All of it, for JSON."""
    window = budget.window
    return {
        "account": budget.account.identity,
        "accountant": budget.accountant,
        "total": budget.total.to_dict(),
        "spent": {**budget.spent.to_dict(), "rho": float(budget.loss.rho)},
        "remaining": budget.remaining.to_dict(),
        "guarantee": budget.guarantee.to_dict(),
        "window": None if window is None else window.to_dict(),
        "caps": [cap.to_dict() for cap in budget.caps],
        "history": [line.to_dict() for line in budget.history],
    }


def csv_text(lines: Iterable[Line]) -> str:
    """One row a line, after `COLUMNS`; RFC 4180 but for the line ends.

    Amounts are decimals: exact where some decimal is, else rounded up in the 20th digit (JSON has
    the fraction). Texts are as they are, but for one that begins as in `FORMULA`: it gets a ' in
    front, and whoever reads the file by program takes off one ' from each text that has one. Why:
    analysts name themselves and write the queries, and the owner opens the file in a spreadsheet,
    which would run `=…` as a formula in his name.
    """
    return "".join(map(_row, [list(COLUMNS), *map(_fields, lines)]))


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


def _row(fields: list[str]) -> str:
    # Written with \r\n, or a text with a \r would not be quoted; ended as other text is.
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\r\n").writerow(fields)
    return buffer.getvalue().removesuffix("\r\n") + "\n"


def page_of(budget: Budget) -> str:
    """The state and the last lines, for a notebook."""
    lines = budget.history
    rows = [
        (str(line.number), f"{line.time:%Y-%m-%d %H:%M}", line.analyst, str(line.cost), line.words)
        for line in reversed(lines[-SHOWN:])
    ]
    parts = [page.paragraph(str(budget))]
    if rows:
        parts.append(page.table(("line", "time (UTC)", "analyst", "cost", "query"), rows))
    if len(lines) > SHOWN:
        parts.append(page.paragraph(f"the last {SHOWN} of {len(lines):,} lines"))
    return page.fragment(*parts)


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
