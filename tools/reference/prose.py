"""Docstrings as Markdown: prose stays prose, what is laid out by hand stays as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from textwrap import dedent

_ITEM = re.compile(r"([-*]|\d\.) +(?=\S)")
_KEPT = re.compile(r"(`+)[^`]+\1|\*\w(?:[^*\n]*[\w.)])?\*")
_SPECIAL = re.compile(r"[\\*`]|<(?=[\w/!])|(?<!\w)_|_(?!\w)|\](?=\()")
_LABEL = re.compile(
    r"^(Claims?|Claim \d|Facts?|Why|Why [\w ]+|Sources?|Mechanism|Exactness|Theorem [A-Z])"
    r"((?: \(\w+\))?[.:,])",
    re.MULTILINE,
)


def markdown(docstring: str) -> str:
    """The docstring's text, as Markdown.

    Args:
        docstring: without the indentation of the code around it.
    """
    return "\n\n".join(block for part in re.split(r"\n{2,}", docstring) for block in _blocks(part))


def code(text: str) -> str:
    """A block that is shown as it stands."""
    return f"```text\n{text}\n```"


def _blocks(paragraph: str) -> Iterator[str]:
    """A paragraph's runs of prose, of list items and of lines that are laid out."""
    lines = paragraph.splitlines()
    if any("   " in line.strip() for line in lines) and not any(map(_ITEM.match, lines)):
        yield code(dedent(paragraph))
        return
    kinds = _kinds(lines)
    for kind, run in groupby(zip(kinds, lines, strict=True), key=lambda pair: pair[0]):
        text = "\n".join(line for _, line in run)
        if kind == "code":
            margin = min(len(line) - len(line.lstrip()) for line in text.splitlines())
            yield code("\n".join(line[margin:] for line in text.splitlines()))
        elif kind == "item":
            yield "\n".join(_item(part) for part in re.split(r"\n(?=\S)", text))
        else:
            yield _LABEL.sub(r"\n**\1**\2", escaped(text)).strip()


def _kinds(lines: list[str]) -> list[str]:
    kinds: list[str] = []
    for number, line in enumerate(lines):
        before = kinds[-1] if kinds else ""
        starts = _ITEM.match(line) and (before != "prose" or lines[number - 1].endswith((":", ";")))
        margin = len(line) - len(line.lstrip())
        if starts or (before == "item" and 0 < margin < 4):
            kinds.append("item")
        else:
            kinds.append("code" if margin > 1 else "prose")
    return kinds


def _item(text: str) -> str:
    """One list item; what follows its first line is as far in as the text of that."""
    found = _ITEM.match(text)
    assert found is not None, text
    mark = "- " if found[1] in "-*" else f"{found[1]} "
    lines = escaped(text[found.end() :]).splitlines()
    return mark + f"\n{' ' * len(mark)}".join(line.strip() for line in lines)


def escaped(text: str) -> str:
    """Prose in which Markdown finds nothing but emphasis and code."""
    parts: list[str] = []
    end = 0
    for found in _KEPT.finditer(text):
        parts += [_SPECIAL.sub(r"\\\g<0>", text[end : found.start()]), found[0]]
        end = found.end()
    parts.append(_SPECIAL.sub(r"\\\g<0>", text[end:]))
    return re.sub(r"^([-+]|\d+[.)]|#+)(?= )", r"\\\1", "".join(parts), flags=re.MULTILINE)
