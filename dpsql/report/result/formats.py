"""How answers are written: table, csv, json, markdown, vertical."""

from __future__ import annotations

import html
import json
import math
import re
from collections.abc import Callable, Iterator
from datetime import date, time
from decimal import Decimal

from dpsql.report.plaintext import csv_line, wide
from dpsql.report.result import Answer, cell, cells, footer
from dpsql.report.result.frames import reach, with_ends
from dpsql.visible import one_line

Format = Callable[[Answer, bool], Iterator[str]]


def _table(answer: Answer, intervals: bool) -> Iterator[str]:
    yield f"{answer}\n"


def _csv(answer: Answer, intervals: bool) -> Iterator[str]:
    """RFC 4180 but for the line ends: NULL is an empty field, numbers are not rounded."""
    names, lines = answer.columns, answer.rows
    if intervals:
        names, _, lines = with_ends(answer)
    yield from (csv_line([_field(value) for value in line]) for line in (names, *lines))


def _markdown(answer: Answer, intervals: bool) -> Iterator[str]:
    """A table for a report: numbers are rounded to their intervals. What could be a tag in the page
    that is made of it is escaped as in HTML.
    """
    names, lines = list(answer.columns), cells(answer, widths=False)
    if intervals:
        at = {i for line in answer.intervals for i, width in enumerate(line) if width is not None}
        names = [part for i, n in enumerate(names) for part in ((n, f"{n} ±") if i in at else (n,))]
        lines = [
            [
                part
                for i, (value, width) in enumerate(zip(row, widths, strict=True))
                for part in (cell(value, width) if i in at else cell(value, None)[:1])
            ]
            for row, widths in zip(answer.rows, answer.intervals, strict=True)
        ]
    yield _piped(names)
    yield _piped(["---"] * len(names))
    for line in lines:
        yield _piped(line)


def _json(answer: Answer, intervals: bool) -> Iterator[str]:
    """One document. Numbers are exact, also those that a double cannot hold."""
    cost = {"eps": answer.cost.eps, "delta": answer.cost.delta}
    again = answer.reused
    reused = None if again is None else {"charge": again.number, "kind": again.kind}
    yield "{\n"
    yield f'  "columns": {_dump(list(answer.columns))},\n'
    yield f'  "types": {_dump(list(answer.types))},\n'
    yield f'  "rows": {_rows(answer.rows)},\n'
    yield f'  "intervals": {_rows(answer.intervals)},\n'
    if intervals:
        pairs = list(zip(answer.rows, answer.intervals, strict=True))
        for name, end in (("low", 0), ("high", 1)):
            ends = tuple(tuple(reach(*it)[end] for it in zip(*pair, strict=True)) for pair in pairs)
            yield f'  "{name}": {_rows(ends)},\n'
    yield f'  "cost": {_dump(cost)},\n'
    yield f'  "reused": {_dump(reused)}\n'
    yield "}\n"


def _vertical(answer: Answer, intervals: bool) -> Iterator[str]:
    r"""A line for each value, of any length. Control characters and backslashes are escaped as in
    Python, so that `name │ value` can be read back; what is said below has no │.
    """
    names = [_escaped(name).replace("│", "\\u2502") for name in answer.columns]
    size = min(PADDED, max(map(wide, names), default=0))
    heads = [name + " " * (size - wide(name)) for name in names]
    for number, line in enumerate(cells(answer), 1):
        yield f"{f'─[ row {number:,} ]':─<{RULE}}\n"
        for head, value in zip(heads, line, strict=True):
            yield f"{head} │ {_escaped(value)}\n"
    yield "".join(f"{said}\n" for said in footer(answer))


def _escaped(text: str) -> str:
    return one_line(text.replace("\\", "\\\\"))


FORMATS: dict[str, Format] = {
    "table": _table,
    "csv": _csv,
    "json": _json,
    "markdown": _markdown,
    "vertical": _vertical,
}

PADDED = 60
"""Names are padded to the longest, up to this: each line holds one."""

RULE = 40
"""How long the line above a record is."""


def _piped(parts: list[str]) -> str:
    texts = (html.escape(one_line(p).removeprefix(" ± "), quote=False) for p in parts)
    # A backslash before a | would take the one that is put there for its own.
    inner = " | ".join(re.sub(r"(?<!\\)(\\*)\|", r"\1\1\|", text) for text in texts)
    return f"| {inner} |\n"


def _field(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal) and value.is_finite():
        return f"{value:f}"
    return str(value)


def _rows(rows: tuple[tuple[object, ...], ...]) -> str:
    if not rows:
        return "[]"
    lines = ",\n".join(f"    [{', '.join(map(_value, row))}]" for row in rows)
    return f"[\n{lines}\n  ]"


def _value(value: object) -> str:
    if value is None or isinstance(value, bool | int | str):
        return _dump(value)
    if isinstance(value, Decimal) and value.is_finite():
        return f"{value:f}"
    if isinstance(value, float) and math.isfinite(value):
        return _dump(value)
    if isinstance(value, date | time):  # a datetime is a date
        return _dump(value.isoformat())
    return _dump(_nested(value))


def _nested(value: object) -> object:
    """Lists and structs of public tables; a number that JSON lacks, and all else, as text."""
    if isinstance(value, list | tuple):
        return [_nested(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _nested(item) for key, item in value.items()}
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    return str(value)


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
