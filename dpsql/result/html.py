"""An answer as HTML, for notebooks: self-contained, without scripts, every text escaped."""

from __future__ import annotations

import html
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from dpsql.explanation.page import fragment, paragraph
from dpsql.policy.sqltypes import parse_type
from dpsql.result.cells import cell, marked, shortened
from dpsql.result.notes import count, notes, price
from dpsql.result.text import looked_at

if TYPE_CHECKING:
    from dpsql.result.answer import Answer

COLUMNS = 200
"""Columns that are shown."""

STYLE = (
    # The colours are those around it, so that light and dark pages both can be read.
    ".dpsql .answer th,.dpsql .answer td{border-width:1px 0;white-space:pre-wrap}"
    ".dpsql .answer .number{text-align:right;font-variant-numeric:tabular-nums;white-space:pre}"
    ".dpsql .answer .reach,.dpsql .answer .null,.dpsql .answer .kind,.dpsql .said{opacity:.65}"
    ".dpsql .answer .kind{display:block;font-weight:normal;font-size:85%}"
    ".dpsql .said p{margin:.2em 0;font-size:90%}"
)

NOISE, UNKNOWN, EXACT = "noise, ± at 95 %", "noise, ± not known", "exact"
"""What a column is."""


def fragment_of(answer: Answer) -> str:
    """The answer as a part of a document."""
    noisy, most = answer.noisy, looked_at(answer)
    right = [parse_type(kind).is_numeric for kind in answer.types][:COLUMNS]
    head = "".join(map(_head, answer.columns, right, _kinds(answer)))
    body = "".join(
        "<tr>" + "".join(map(_cell, row, line, noisy, right)) + "</tr>"
        for row, line in zip(answer.rows[:most], answer.intervals[:most], strict=True)
    )
    table = f'<table class="answer"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    said = "".join(map(paragraph, (*_hidden(answer, most), *notes(answer), _last(answer))))
    return fragment(f"<style>{STYLE}</style>", table, f'<div class="said">{said}</div>')


def _kinds(answer: Answer) -> list[str]:
    known = [
        any(line[i] is not None for line in answer.intervals) for i in range(len(answer.types))
    ]
    return [
        EXACT if not may else NOISE if known[i] or not answer.rows else UNKNOWN
        for i, may in enumerate(answer.noisy)
    ]


def _head(name: str, right: bool, kind: str) -> str:
    text = html.escape(shortened(name))
    return f'<th{_class(right)}>{text}<span class="kind">{kind}</span></th>'


def _cell(value: Any, width: float | None, noisy: bool, right: bool) -> str:
    text, reach = (shortened(part) for part in marked(value, width, noisy))
    shown = html.escape(text)
    if value is None:
        shown = f'<span class="null">{shown}</span>'
    if not reach or width is None:
        return f"<td{_class(right)}>{shown}</td>"
    low, high = (cell(_moved(value, by), width)[0] for by in (-width, width))
    title = html.escape(f"95 %: from {low} to {high}")
    beside = f'<span class="reach">{html.escape(reach)}</span>'
    return f'<td{_class(right)} title="{title}">{shown}{beside}</td>'


def _moved(value: Any, by: float) -> Any:
    if isinstance(value, float):
        return value + by
    return value + int(by) if by == int(by) else Decimal(value) + Decimal(by)


def _class(right: bool) -> str:
    return ' class="number"' if right else ""


def _hidden(answer: Answer, most: int) -> list[str]:
    rows, columns = len(answer) - most, len(answer.columns) - COLUMNS
    found = [f"… {rows:,} more rows"] if rows > 0 else []
    return found + ([f"… {columns:,} more columns"] if columns > 0 else [])


def _last(answer: Answer) -> str:
    return f"{count(answer)}, {price(answer)}"
