"""The pages of the error codes, as a terminal shows them."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from dpsql.codes import CODES, page

WIDTH = 79
"""Places of a line of words, for the narrowest usual terminal."""

_ITEM = re.compile(r"- |\d+\. ")
"""What an item of a list begins with."""


def page_text(code: str) -> str:
    """The page of a code as plain text.

    Raises:
        KeyError: there is no such code.
    """
    return "\n".join(_plain(page(code))).rstrip()


def codes_text() -> str:
    """Every code and what it stands for."""
    return "\n".join(f"{code}  {meaning}" for code, meaning in CODES.items())


def _plain(markdown: str) -> Iterator[str]:
    """Headings are underlined, blocks of code indented; what a block says of itself is a remark."""
    inside, words = False, ""
    for line in [*markdown.splitlines(), ""]:
        prose = bool(line) and not inside and not line.startswith(("```", "#", "|"))
        if prose and words and not _ITEM.match(line):
            words = f"{words} {line.strip()}"
            continue
        if words:
            yield from _filled(words)
        words = line if prose else ""
        if line.startswith("```"):
            inside = not inside
            language, _, setting = line.removeprefix("```").partition(" ")
            if setting:
                yield f"    {'--' if language == 'sql' else '#'} {setting.replace('=', ': ')}"
        elif inside:
            yield f"    {line}".rstrip()
        elif line.startswith("#"):
            marks, _, title = line.partition(" ")
            yield title
            yield ("=" if marks == "#" else "-") * len(title)
        elif not prose:
            yield line


def _filled(words: str) -> list[str]:
    """A paragraph, or an item of a list, in lines."""
    item = _ITEM.match(words)
    below = " " * (item.end() if item else 0)
    return textwrap.wrap(
        words, WIDTH, subsequent_indent=below, break_long_words=False, break_on_hyphens=False
    )
