"""The lines of a ledger, for reading, and as CSV."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_CEILING, Context, Decimal, Inexact, localcontext
from fractions import Fraction

from dpsql.platform.ledger.ledger import Charge
from dpsql.report.figures import QueryCost
from dpsql.report.plaintext import csv_line
from dpsql.visible import one_line


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """One charge, or one act of the owner. An answer that is given again makes no line.

    Attributes:
        charge: the line as the ledger has it, with all amounts exact.
    """

    charge: Charge

    @property
    def number(self) -> int:
        """1, 2, 3, …; without gaps, but for lines that were lost and acknowledged."""
        return self.charge.number

    @property
    def time(self) -> datetime:
        """When it was asked for (UTC)."""
        return self.charge.entry.time

    @property
    def kind(self) -> str:
        """ "charge"; "acknowledged", "accountant", "window" or "unlocked" for an act of the owner;
        "failed", "interrupted" or "resumed" of an earlier charge."""
        return self.charge.kind

    @property
    def analyst(self) -> str:
        """Who asked; "" for nobody in particular."""
        return self.charge.entry.analyst

    @property
    def sql(self) -> str:
        """The canonical text of the query; "" for an act of the owner."""
        return self.charge.entry.sql

    @property
    def note(self) -> str:
        """What the owner decided, as a JSON text; "" for a charge."""
        return self.charge.note

    @property
    def decision(self) -> str:
        """What the owner decided, in words: the damage, the rule, or the length of windows; and
        which charge failed."""
        try:
            found = json.loads(self.note)
        except ValueError:
            return self.note
        if not isinstance(found, dict):
            return self.note
        if self.kind == "window":
            length = found.get("window")
            return "none" if length is None else str(timedelta(microseconds=int(length)))
        if self.kind in ("failed", "interrupted", "resumed"):
            return f"charge {found.get('line')}"
        if self.kind == "unlocked":
            return f"after {found.get('failures')} failures"
        text = str(found.get("problem" if self.kind == "acknowledged" else self.kind, self.note))
        return text.partition(";")[0]

    @property
    def words(self) -> str:
        """On one line: the query, or what the owner did."""
        text = self.sql if self.kind == "charge" else f"[{self.kind}] {self.decision}"
        return one_line(" ".join(text.split()))

    @property
    def cost(self) -> QueryCost:
        """(ε, δ)."""
        return QueryCost(self.charge.cost)

    @property
    def rho(self) -> float:
        """ρ of zero-concentrated privacy."""
        return float(self.charge.loss.rho)

    @property
    def releases(self) -> list[object]:
        """What was released: sensitivities, mechanism, ε, δ, ρ; as plain data."""
        try:
            found = json.loads(self.charge.entry.releases)
        except ValueError:
            return []
        return found if isinstance(found, list) else []

    @property
    def mechanisms(self) -> tuple[str, ...]:
        """The kinds of mechanism that it used, each once, in the order of the releases."""
        kinds = (item.get("mechanism") for item in self.releases if isinstance(item, dict))
        return tuple(dict.fromkeys(kind for kind in kinds if isinstance(kind, str)))

    def to_dict(self) -> dict[str, object]:
        """As plain data; `exact` has the amounts as fractions."""
        charge, loss = self.charge, self.charge.loss
        return {
            "number": self.number,
            "time": self.time.isoformat(),
            "kind": self.kind,
            "analyst": self.analyst,
            "sql": self.sql,
            **self.cost.to_dict(),
            "rho": self.rho,
            "exact": {
                "eps": str(loss.cost.eps),
                "delta": str(loss.cost.delta),
                "rho": str(loss.rho),
            },
            "window": None if charge.window is None else charge.window.isoformat(),
            "mechanisms": list(self.mechanisms),
            "releases": self.releases,
            "note": self.note,
            "request": charge.entry.request,
            "version": charge.entry.version,
            "answered": charge.answered,
            "hash": charge.hash,
        }


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


def csv_text(lines: Iterable[LedgerLine]) -> str:
    """One row a line, after `COLUMNS`; RFC 4180 but for the line ends.

    Amounts are decimals: exact where some decimal is, else rounded up in the 20th digit (JSON has
    the fraction). Texts are as they are, but for one that begins as in `FORMULA`: it gets a ' in
    front, and whoever reads the file by program takes off one ' from each text that has one. Why:
    analysts name themselves and write the queries, and the owner opens the file in a spreadsheet,
    which would run `=…` as a formula in his name.
    """
    return "".join(map(csv_line, [list(COLUMNS), *map(_fields, lines)]))


def _fields(line: LedgerLine) -> list[str]:
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
