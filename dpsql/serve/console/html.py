"""HTML and SVG as text; what is not HTML already is escaped here, and nowhere else of the console.

Claim: no text of a user, of data or of a policy becomes markup. Why: `tag` escapes whatever is no
`Html`, in elements and in attributes, and whatever is done to an `Html` as to other text (`+`,
`join`, formatting) gives a plain `str`, which is escaped again: a mistake shows, and runs nothing.
"""

from __future__ import annotations

import html
from collections.abc import Iterable

from dpsql.visible import one_line

VOID = frozenset({"input", "link", "meta"})


class Html(str):
    """What is HTML already."""

    __slots__ = ()


def escaped(text: object) -> Html:
    """Text as HTML; letters that are not printed, such as a change of direction, written out."""
    if isinstance(text, Html):
        return text
    return Html(html.escape("\n".join(map(one_line, str(text).split("\n")))))


def verbatim(text: str) -> Html:
    """Text of a form that comes back as it was, tabs too."""
    return Html(html.escape(text))


def joined(parts: Iterable[object]) -> Html:
    """Parts one after the other."""
    return Html("".join(map(escaped, parts)))


def tag(element: str, /, *inner: object, **attributes: object) -> Html:
    """An element.

    Args:
        element: its name.
        inner: what is in it.
        attributes: `class_` is class, and `aria_label` is aria-label; True is one without a value,
            None and False are none.
    """
    said = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{escaped(value)}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    end = "" if element in VOID else f"{joined(inner)}</{element}>"
    return Html(f"<{element}{said}>{end}")
