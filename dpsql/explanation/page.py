"""HTML without scripts: every text is escaped here, and nowhere else."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

STYLE = (
    ".dpsql{font:14px/1.5 system-ui,sans-serif}"
    ".dpsql table{border-collapse:collapse;margin:.5em 0}"
    ".dpsql th,.dpsql td{border:1px solid #8886;padding:.2em .6em;text-align:left;"
    "vertical-align:top}"
    ".dpsql pre{overflow-x:auto}"
)


def paragraph(text: str) -> str:
    """A paragraph of plain text."""
    return f"<p>{html.escape(text)}</p>"


def heading(text: str) -> str:
    """A heading of plain text."""
    return f"<h3>{html.escape(text)}</h3>"


def folded(title: str, text: str) -> str:
    """Text that shows when its title is opened."""
    body = f"<pre>{html.escape(text)}</pre>"
    return f"<details><summary>{html.escape(title)}</summary>{body}</details>"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of plain texts; line ends in a text stay line ends."""
    top = "".join(f"<th>{html.escape(name)}</th>" for name in head)
    body = "".join("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def fragment(*parts: str) -> str:
    """Parts as one piece with its style, for a notebook."""
    return f'<div class="dpsql"><style>{STYLE}</style>{"".join(parts)}</div>'


def document(title: str, body: str) -> str:
    """A page that needs nothing else."""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{html.escape(title)}</title></head><body>{body}</body></html>\n"
    )


def _cell(text: str) -> str:
    return "<td>" + "<br>".join(map(html.escape, text.split("\n"))) + "</td>"
