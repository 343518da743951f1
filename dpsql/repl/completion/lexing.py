"""text -> tokens, whatever the text is: while it is typed it is broken most of the time, and then
sqlglot's tokenizer gives none. Every character of the text but spaces is in one token.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

Kind = Literal["comment", "string", "quoted", "number", "word", "symbol", "cursor"]

_TOKEN = re.compile(
    r"""
    (?P<comment> --[^\n]*(?P<line>\n)? | /\*(?:[^*]|\*(?!/))*(?P<block>\*/)? )
  | (?P<string> [eE]'(?:[^'\\]|\\.|'')*(?P<escaped>')? | '(?:[^']|'')*(?P<plain>')?
              | \$(?P<tag>[^\W\d]?\w*)\$(?:(?!\$(?P=tag)\$).)*(?P<dollar>\$(?P=tag)\$)? )
  | (?P<quoted> "(?:[^"]|"")*(?P<double>")? )
  | (?P<number> \d[\w.]* )
  | (?P<word> [^\W\d]\w* )
  | (?P<symbol> :: | <> | != | == | <= | >= | \|\| | \S )
    """,
    re.VERBOSE | re.DOTALL,
)
_ENDS = {
    "comment": ("line", "block"),
    "string": ("escaped", "plain", "dollar"),
    "quoted": ("double",),
}


class Token(NamedTuple):
    """A piece of the text.

    Attributes:
        kind: "cursor" is what is being typed.
        start, end: where it is; `end` exclusive.
        closed: False for a string, a quoted name or a comment that has no end yet.
        word: the word in capitals, to tell keywords; "" for what is none.
    """

    kind: Kind
    text: str
    start: int
    end: int
    closed: bool = True
    word: str = ""

    @property
    def is_name(self) -> bool:
        """Whether it could name something."""
        return self.kind in ("word", "quoted")

    @property
    def name(self) -> str:
        """The name that it is, without its quotes."""
        if self.kind != "quoted":
            return self.text
        return self.text[1 : -1 if self.closed else None].replace('""', '"')

    def holds(self, cursor: int) -> bool:
        """Whether what is typed at the cursor becomes a part of it."""
        return self.start < cursor and (cursor < self.end or not self.closed)


def scan(text: str) -> Iterator[Token]:
    """The tokens of a text, comments too."""
    for found in _TOKEN.finditer(text):
        kind: Kind = found.lastgroup  # type: ignore[assignment]  # the outermost is the last
        start, end = found.span()
        if kind == "word":
            yield Token(kind, found[0], start, end, True, found[0].upper())
        elif kind in _ENDS:
            closed = any(found[mark] is not None for mark in _ENDS[kind])
            yield Token(kind, found[0], start, end, closed)
        else:
            yield Token(kind, found[0], start, end)
