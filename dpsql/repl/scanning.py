"""Where strings, quoted names and comments are in SQL that somebody is still typing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from dpsql.sql.dialects import dialect_of

Kind = Literal["code", "comment", "open", ";", "\\"]
r"""Words, strings and quoted names; a comment; a string, name or comment that does not end; the end
of a query; the beginning of a command."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a text, from character `start` to before `end`. Between parts is white space."""

    kind: Kind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Lexis:
    """How a dialect quotes and comments.

    Attributes:
        opener: what begins anything but plain words.
        comments: the end of each comment by its beginning; "" for the line's.
        nested: whether comments are in comments.
        quotes: the end of strings and quoted names, by what begins them.
        escaping: what begins those in which a backslash escapes.
    """

    opener: re.Pattern[str]
    comments: dict[str, str]
    nested: bool
    quotes: dict[str, str]
    escaping: frozenset[str]


@cache
def _lexis(dialect: str) -> _Lexis:
    """What the dialect's own tokenizer has, which itself fails on what does not end."""
    own = dialect_of(dialect).tokenizer_class
    comments = {"{#": "#}"}
    comments |= {c: "" for c in own.COMMENTS if isinstance(c, str)}
    comments |= {c[0]: c[1] for c in own.COMMENTS if not isinstance(c, str)}
    strings, names, bytes_, raw = (
        {q if isinstance(q, str) else q[0]: q if isinstance(q, str) else q[1] for q in quotes}
        for quotes in (own.QUOTES, own.IDENTIFIERS, own.BYTE_STRINGS, own.RAW_STRINGS)
    )
    escaping = {q for q in strings if "\\" in own.STRING_ESCAPES}
    escaping |= {q for q in names if "\\" in own.IDENTIFIER_ESCAPES}
    escaping |= {q for q in bytes_ if "\\" in own.BYTE_STRING_ESCAPES}
    if own.STRING_ESCAPES_ALLOWED_IN_RAW_STRINGS:
        escaping |= {q for q in raw if "\\" in own.STRING_ESCAPES and q != "$$"}
    quotes = strings | names | bytes_ | raw
    every = sorted((*comments, *quotes, ";", "\\"), key=len, reverse=True)
    # A letter before a quote belongs to it only where no word ends with that letter.
    openers = [(r"(?<![\w$])" if q[0].isalpha() else "") + re.escape(q) for q in every]
    if own.HEREDOC_STRINGS:
        openers.insert(0, r"(?<![\w$])\$(?:[^\W\d]\w*)?\$")
    return _Lexis(
        re.compile("|".join(openers)), comments, own.NESTED_COMMENTS, quotes, frozenset(escaping)
    )


def scan(text: str, dialect: str = "duckdb") -> Iterator[Part]:
    r"""The parts of a text, in order. A backslash outside of strings goes on to the line's end.

    Raises:
        UnknownDialect: a dialect that is none.
    """
    lexis, at = _lexis(dialect), 0
    while at < len(text):
        found = lexis.opener.search(text, at)
        begin = len(text) if found is None else found.start()
        words = text[at:begin]
        if not words.isspace() and words:
            start = at + len(words) - len(words.lstrip())
            yield Part("code", start, at + len(words.rstrip()))
        if found is None:
            return
        part = _part(text, found.group(), begin, lexis)
        yield part
        at = part.end


def _part(text: str, opener: str, start: int, lexis: _Lexis) -> Part:
    inside = start + len(opener)
    if opener == ";":
        return Part(";", start, inside)
    if opener == "\\":
        return Part("\\", start, _line_end(text, inside))
    if opener in lexis.comments:
        close = lexis.comments[opener]
        end = _comment_end(text, inside, opener, close, lexis.nested)
        return Part("open" if end is None else "comment", start, end or len(text))
    end = _quote_end(text, inside, lexis.quotes.get(opener, opener), opener in lexis.escaping)
    return Part("open" if end is None else "code", start, end or len(text))


_LINE_END = re.compile(r"[\r\n]")


def _line_end(text: str, at: int) -> int:
    found = _LINE_END.search(text, at)
    return len(text) if found is None else found.start()


def _comment_end(text: str, at: int, opener: str, close: str, nested: bool) -> int | None:
    if not close:
        return _line_end(text, at)
    either, depth = re.compile(f"({re.escape(opener)})|{re.escape(close)}"), 1
    while depth:
        found = either.search(text, at)
        if found is None:
            return None
        at = found.end()
        depth += (1 if nested else 0) if found.group(1) else -1
    return at


def _quote_end(text: str, at: int, close: str, escapes: bool) -> int | None:
    """A doubled quote ends one string and begins the next, but for a bracket."""
    skipped = [r"\\."] * escapes + [r"\]\]"] * (close == "]")
    pattern = re.compile("|".join([*skipped, f"({re.escape(close)})"]), re.DOTALL)
    while (found := pattern.search(text, at)) is not None:
        at = found.end()
        if found.group(1):
            return at
    return None
