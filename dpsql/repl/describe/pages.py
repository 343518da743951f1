"""The pages of the error codes, as a terminal shows them."""

from __future__ import annotations

from collections.abc import Iterator

from dpsql.sql.codes import CODES, page


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
    inside = False
    for line in markdown.splitlines():
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
        else:
            yield line
