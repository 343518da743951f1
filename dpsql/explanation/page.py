"""HTML without scripts: every text is escaped here, and nowhere else."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

from dpsql.visible import one_line

STYLE = (
    ".dpsql{font:14px/1.5 system-ui,sans-serif}"
    ".dpsql table{border-collapse:collapse;margin:.5em 0}"
    ".dpsql th,.dpsql td{border:1px solid #8886;padding:.2em .6em;text-align:left;"
    "vertical-align:top}"
    ".dpsql pre{overflow-x:auto}"
)


def _escaped(text: str) -> str:
    """Text as HTML; what is not printed, such as a change of direction, is written out."""
    return html.escape("\n".join(map(one_line, text.split("\n"))))


def paragraph(text: str) -> str:
    """A paragraph of plain text."""
    return f"<p>{_escaped(text)}</p>"


def heading(text: str) -> str:
    """A heading of plain text."""
    return f"<h3>{_escaped(text)}</h3>"


def folded(title: str, text: str) -> str:
    """Text that shows when its title is opened."""
    return unfolded(title, f"<pre>{_escaped(text)}</pre>")


def unfolded(title: str, inner: str) -> str:
    """HTML that shows when its title is opened."""
    return f"<details><summary>{_escaped(title)}</summary>{inner}</details>"


def item(text: str, notes: Sequence[str], inner: Sequence[str]) -> str:
    """An item of a list, with notes below it and items of its own."""
    said = "".join(f"<br><small>{_escaped(note)}</small>" for note in notes)
    return f"<li>{_escaped(text)}{said}{listed(inner) if inner else ''}</li>"


def listed(items: Sequence[str]) -> str:
    """A list of items."""
    return f"<ul>{''.join(items)}</ul>"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of plain texts; line ends in a text stay line ends."""
    top = "".join(f"<th>{_escaped(name)}</th>" for name in head)
    body = "".join("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def fragment(*parts: str) -> str:
    """Parts as one piece with its style, for a notebook."""
    return f'<div class="dpsql"><style>{STYLE}</style>{"".join(parts)}</div>'


def document(title: str, body: str) -> str:
    """A page that needs nothing else."""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{_escaped(title)}</title></head><body>{body}</body></html>\n"
    )


def _cell(text: str) -> str:
    return "<td>" + "<br>".join(map(_escaped, text.split("\n"))) + "</td>"
