"""An answer as a document: its table, and what is said beside the numbers: what is exact, what is
left out, what it cost. All of that is a function of the query and of the ledger; nothing is counted
in the data.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dpsql.core.sqltypes import parse_type
from dpsql.report.document import Cell, ColumnHead, Document, Listing, Said
from dpsql.report.figures import Number, cell, marked, shortened

if TYPE_CHECKING:
    from dpsql.report.result.answer import Answer

NAMED = 5
"""So many exact columns are named."""

AGAIN = {
    "retry": "the answer of",
    "repeat": "the answer of",
    "subset": "groups of",
    "total": "the total of",
    "resumed": "paid by",
    "rollup": "sums of groups of",
}
"""How a stored answer came to be this one."""

ROWS, CELLS, COLUMNS = 1000, 20_000, 200
"""Where an answer is only looked at, so many rows are shown, and of wide ones so many cells; and on
a page so many columns.
"""

NOISE, UNKNOWN, EXACT = "noise, ± at 95 %", "noise, ± not known", "exact"
"""What a column is."""

LARGE = "by how much it is off is not known: the noise is as large as what it is computed from"
FED = "conditions on noisy numbers are taken as they were told: how far off those are is in no ±"


def document(
    answer: Answer, most: int | None = None, columns: int | None = None, title: str = "an answer"
) -> Document:
    """The table with what is said of it.

    Args:
        answer: what to show.
        most: rows at most; all by default.
        columns: at most; all by default.
        title: of a page.
    """
    hidden = 0 if most is None else max(0, len(answer) - most)
    aside = 0 if columns is None else max(0, len(answer.columns) - columns)
    more = [f"… {hidden:,} more rows"] if hidden else []
    more += [f"… {aside:,} more columns"] if aside else []
    said = (Said(line, aside=True) for line in (*more, *footer(answer)))
    return Document(title, (listing(answer, most, columns), *said))


def listing(answer: Answer, most: int | None = None, columns: int | None = None) -> Listing:
    """The table alone."""
    right = (parse_type(kind).is_numeric for kind in answer.types)
    heads = tuple(map(ColumnHead, answer.columns, right, _kinds(answer)))[:columns]
    lines = zip(answer.rows[:most], answer.intervals[:most], strict=True)
    return Listing(heads, tuple(tuple(map(Cell, *line, answer.noisy))[:columns] for line in lines))


def looked_at(answer: Answer) -> int:
    """How many rows are shown where an answer is only looked at."""
    return min(ROWS, CELLS // max(1, len(answer.columns)) or 1)


def cells(answer: Answer, *, widths: bool = True) -> list[list[str]]:
    """Every value as text, rounded for show; followed by its half-width, or marked as noise of
    which none is known, if `widths`.
    """
    noisy = answer.noisy
    return [
        [
            "".join(marked(*it)) if widths else cell(it[0], it[1])[0]
            for it in zip(row, line, noisy, strict=True)
        ]
        for row, line in zip(answer.rows, answer.intervals, strict=True)
    ]


def footer(answer: Answer) -> list[str]:
    """What is said below the numbers."""
    said, known = f"{count(answer)}, {price(answer)}", exact(answer)
    return [*notes(answer), f"({said}; {known})" if known else f"({said})"]


def _kinds(answer: Answer) -> list[str]:
    known = [
        any(line[i] is not None for line in answer.intervals) for i in range(len(answer.types))
    ]
    return [
        EXACT if not may else NOISE if known[i] or not answer.rows else UNKNOWN
        for i, may in enumerate(answer.noisy)
    ]


def price(answer: Answer) -> str:
    """What it cost: ε, or from which charge it is made again for free."""
    if answer.reused is None:
        return str(answer.cost)
    return f"free: {AGAIN[answer.reused.kind]} charge {answer.reused.number}"


def count(answer: Answer) -> str:
    """How many rows there are."""
    return "1 row" if len(answer) == 1 else f"{len(answer):,} rows"


def exact(answer: Answer) -> str:
    """Which columns hold no noise; "" for none."""
    found = [n for n, noisy in zip(answer.columns, answer.noisy, strict=True) if not noisy]
    if len(found) == len(answer.columns):
        return "exact"
    return f"exact: {_listed(found)}" if found else ""


def notes(answer: Answer) -> list[str]:
    """What else a reader has to know: marks without a half-width, and groups that are left out."""
    found = [*(answer.notes or ())]
    for why, names in _unknown(answer).items():
        found.append(f"≈ {_listed(names)}: {why}")
    if answer.accuracy is not None and answer.accuracy.fed:
        found.append(FED)
    return found + bounded(answer) + cut(answer) + left_out(answer)


def _unknown(answer: Answer) -> dict[str, list[str]]:
    """By the reason why a half-width is not known, the columns of which some is not."""
    found: dict[str, list[str]] = {}
    for i, (name, may) in enumerate(zip(answer.columns, answer.noisy, strict=True)):
        pairs = zip(answer.rows, answer.intervals, strict=True)
        if may and any(row[i] is not None and line[i] is None for row, line in pairs):
            found.setdefault(answer.reasons[i] or LARGE, []).append(name)
    return found


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(shortened(name, 60) for name in dict.fromkeys(names[:NAMED]))
    return shown + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")


def bounded(answer: Answer) -> list[str]:
    """What is cut of a unit whatever its rows are: the bounds that the query enforces."""
    if answer.notes is not None:
        return []
    parts = dict.fromkeys(part for r in answer.explanation.releases for part in r.cut)
    said = "what that cuts off is in no ±; faster on a copy by `dpsql prepare`"
    return [f"{'; '.join(parts)}: {said}"] if parts else []


def cut(answer: Answer) -> list[str]:
    """What may be lower than the truth beyond its half-width: what is cut where the data says."""
    named = [r.name for r in answer.explanation.releases if r.clipping is not None]
    said = "cut where the data says, and what is cut off is in no interval"
    return [f"{said}: {_listed(named)}"] if named else []


def left_out(answer: Answer) -> list[str]:
    """Which groups are not shown, whatever is in them."""
    limits = {r.threshold for r in answer.explanation.releases if r.threshold is not None}
    by = [r.name for r in answer.explanation.releases if r.tells_empty]
    empty = [f"left out: groups in which {_listed(by)} is no more than noise"] if by else []
    if not limits:
        return empty
    hints = dict.fromkeys(hint for r in answer.explanation.releases for hint in r.of_one)
    return [f"left out: groups of {_fewer(answer, limits)}, counted with noise", *hints, *empty]


def _fewer(answer: Answer, limits: set[Number]) -> str:
    """Than how many units; a stored answer may have had another threshold than one of now."""
    if answer.reused is not None or len(limits) > 1:
        return "too few units"
    (limit,) = limits
    several = "" if isinstance(limit, int) else " (of more, where these are in several)"
    return f"fewer than {math.ceil(limit):,} units{several}"
