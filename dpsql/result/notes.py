"""What is said of an answer beside its numbers: what is exact, what is left out, what it cost.

All of it is a function of the query and of the ledger; nothing is counted in the data.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dpsql.explanation.figures import Number
from dpsql.result.cells import shortened

if TYPE_CHECKING:
    from dpsql.result.answer import Answer

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
    names = ", ".join(shortened(name, 60) for name in found[:NAMED])
    more = f" and {len(found) - NAMED} more" if len(found) > NAMED else ""
    return f"exact: {names}{more}" if found else ""


def notes(answer: Answer) -> list[str]:
    """What else a reader has to know: marks without a half-width, and groups that are left out."""
    found: list[str] = []
    noisy = [i for i, may in enumerate(answer.noisy) if may]
    pairs = zip(answer.rows, answer.intervals, strict=True)
    if any(row[i] is not None and line[i] is None for row, line in pairs for i in noisy):
        found.append("≈: there may be noise in it, and by how much it is off is not known")
    return found + cut(answer) + left_out(answer)


def cut(answer: Answer) -> list[str]:
    """What may be lower than the truth beyond its half-width: what is cut where the data says."""
    named = [r.name for r in answer.explanation.releases if r.clipping is not None]
    if not named:
        return []
    shown = ", ".join(shortened(name, 60) for name in dict.fromkeys(named[:NAMED]))
    more = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
    return [f"cut where the data says, and what is cut off is in no interval: {shown}{more}"]


def left_out(answer: Answer) -> list[str]:
    """Which groups are not shown, whatever is in them."""
    limits = {r.threshold for r in answer.explanation.releases if r.threshold is not None}
    if not limits:
        return []
    return [f"left out: groups of {_fewer(answer, limits)}, counted with noise"]


def _fewer(answer: Answer, limits: set[Number]) -> str:
    """Than how many units; a stored answer may have had another threshold than one of now."""
    if answer.reused is not None or len(limits) > 1:
        return "too few units"
    (limit,) = limits
    several = "" if isinstance(limit, int) else " (of more, where these are in several)"
    return f"fewer than {math.ceil(limit):,} units{several}"
