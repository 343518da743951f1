"""A document as HTML: self-contained, without scripts; every text is escaped here, and nowhere else
but in drawings.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from decimal import Decimal
from itertools import groupby
from typing import Any, assert_never

from dpsql.report.document import (
    Cell,
    ColumnHead,
    Document,
    Drawing,
    Folded,
    Heading,
    Listing,
    NamedRows,
    Part,
    Remark,
    Said,
)
from dpsql.report.figures import cell, marked, shortened
from dpsql.report.steps import TreeStep
from dpsql.visible import one_line

STYLE = (
    # The colours are those around it, so that light and dark pages both can be read.
    ".dpsql{font:14px/1.5 system-ui,sans-serif}"
    ".dpsql table{border-collapse:collapse;margin:.5em 0}"
    ".dpsql th,.dpsql td{border:solid #8886;border-width:1px 0;padding:.2em .6em;text-align:left;"
    "vertical-align:top;white-space:pre-wrap}"
    ".dpsql .number{text-align:right;font-variant-numeric:tabular-nums;white-space:pre}"
    ".dpsql .reach,.dpsql .null,.dpsql .kind,.dpsql .said{opacity:.65}"
    ".dpsql .kind{display:block;font-weight:normal;font-size:85%}"
    ".dpsql .said p{margin:.2em 0;font-size:90%}"
    ".dpsql pre{overflow-x:auto}"
    ".dpsql svg{display:block;max-width:100%;margin:.6em 0}"
    ".dpsql svg text{font:12px system-ui,sans-serif;fill:currentColor}"
)


def page(title: str, *found: Document) -> str:
    """A page that needs nothing else."""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{_escaped(title)}</title></head><body>{fragment(*found)}</body></html>\n"
    )


def fragment(*found: Document) -> str:
    """Documents as one piece with its style, for a notebook."""
    return f'<div class="dpsql"><style>{STYLE}</style>{body(*found)}</div>'


def body(*found: Document) -> str:
    """What is in such a piece; its style is said elsewhere."""
    parts = (part for document in found for part in document.parts)
    return "".join(
        f'<div class="said">{"".join(map(_drawn, group))}</div>'
        if aside
        else "".join(map(_drawn, group))
        for aside, group in groupby(parts, lambda part: isinstance(part, Said) and part.aside)
    )


def _drawn(part: Part) -> str:
    if isinstance(part, Said | Remark):
        return f"<p>{_escaped(part.text)}</p>" if part.text else ""
    if isinstance(part, Listing):
        return _table(part)
    if isinstance(part, NamedRows):
        rows = (f'<tr><th scope="row">{_broken(a)}</th>{_td(b, False)}</tr>' for a, b in part.rows)
        return f"<table><tbody>{''.join(rows)}</tbody></table>"
    if isinstance(part, Heading):
        return f"<h3>{_escaped(part.text)}</h3>"
    if isinstance(part, Folded):
        inner = part.inner()
        shown = _tree(inner) if isinstance(inner, TreeStep) else f"<pre>{_escaped(inner)}</pre>"
        return f"<details><summary>{_escaped(part.title)}</summary>{shown}</details>"
    if isinstance(part, Drawing):
        return part.svg
    assert_never(part)


def _tree(root: TreeStep) -> str:
    """Nested lists."""
    made: dict[int, str] = {}
    for step in reversed(list(root.walk())):  # what a step reads comes before it: no recursion
        notes = "".join(f"<br><small>{_escaped(one_line(why))}</small>" for why in step.why)
        inner = _items([made[id(below)] for below in step.steps]) if step.steps else ""
        made[id(step)] = f"<li>{_escaped(one_line(step.text))}{notes}{inner}</li>"
    return _items([made[id(root)]])


def _items(items: Sequence[str]) -> str:
    return f"<ul>{''.join(items)}</ul>"


def _table(found: Listing) -> str:
    heads = [head if isinstance(head, ColumnHead) else ColumnHead(head) for head in found.heads]
    right = [head.number for head in heads]
    body = "".join(f"<tr>{''.join(map(_td, row, right))}</tr>" for row in found.rows)
    kinds = [f'<span class="kind">{_escaped(h.kind)}</span>' if h.kind else "" for h in heads]
    top = "".join(
        f'<th scope="col"{_class(head.number)}>{_escaped(shortened(head.name))}{kind}</th>'
        for head, kind in zip(heads, kinds, strict=True)
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _td(found: Cell | str, right: bool) -> str:
    if isinstance(found, str):
        return f"<td{_class(right)}>{_broken(found)}</td>"
    value, width = found.value, found.width
    text, reach = (shortened(part) for part in marked(value, width, found.noisy))
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


def _escaped(text: str) -> str:
    """Text as HTML; what is not printed, such as a change of direction, is written out."""
    return html.escape("\n".join(map(one_line, text.split("\n"))))


def _broken(text: str) -> str:
    """The same, each line on its own."""
    return "<br>".join(map(_escaped, text.split("\n")))
