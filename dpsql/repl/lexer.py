"""text -> tokens: strings, names in quotes and comments as the dialect has them; words, numbers.

It is the one scanner of the shell: what is typed is split, completed and coloured by it. sqlglot's
own tokenizer, whose rules it takes, gives no tokens for a text that is broken, as it is most of the
time while it is typed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

from dpsql.front.dialects import dialect_of

Kind = Literal[
    "code", "comment", "string", "quoted", ";", "\\", "number", "word", "symbol", "cursor"
]
r"""What `scan` finds: "code" is words, numbers and signs, ";" a query's end, "\\" a command.
`tokens` has words, numbers and signs each by itself; "cursor" is what is being typed.
"""


class Token(NamedTuple):
    """A piece of the text.

    Attributes:
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
        quote = "]" if self.text[0] == "[" else self.text[0]
        return self.text[1 : -1 if self.closed else None].replace(quote * 2, quote)

    @property
    def is_remark(self) -> bool:
        """Whether it is a comment, from its beginning to its end."""
        return self.kind == "comment" and self.closed

    def touches(self, cursor: int) -> bool:
        """Whether what is typed at the cursor becomes a part of it."""
        if self.kind in ("word", "number", "comment"):
            return self.start < cursor <= self.end
        return self.start < cursor and (cursor < self.end or not self.closed)


@dataclass(frozen=True, slots=True)
class _Lexis:
    """How a dialect quotes and comments.

    Attributes:
        opener: what begins anything but plain words.
        comments: the end of each comment by its beginning; "" for the line's.
        nested: whether comments are in comments.
        quotes: the end of strings and quoted names, by what begins them.
        names: what begins the names.
        escaping: what begins those in which a backslash escapes.
    """

    opener: re.Pattern[str]
    comments: dict[str, str]
    nested: bool
    quotes: dict[str, str]
    names: frozenset[str]
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
        re.compile("|".join(openers)),
        comments,
        own.NESTED_COMMENTS,
        quotes,
        frozenset(names),
        frozenset(escaping),
    )


def scan(text: str, dialect: str = "duckdb") -> Iterator[Token]:
    r"""The parts of a text, in order; between them is white space. A backslash outside of strings
    goes on to the line's end.

    Raises:
        UnknownDialect: a dialect that is none.
    """
    lexis, at = _lexis(dialect), 0
    while at < len(text):
        found = lexis.opener.search(text, at)
        begin = len(text) if found is None else found.start()
        words = text[at:begin]
        if code := words.strip():
            start = at + len(words) - len(words.lstrip())
            yield Token("code", code, start, start + len(code))
        if found is None:
            return
        kind, end = _part(text, found[0], begin, lexis)
        at = len(text) if end is None else end
        yield Token(kind, text[begin:at], begin, at, end is not None)


_WORDS = re.compile(
    r"(?P<number>\d[\w.]*)|(?P<word>[^\W\d]\w*)|(?P<symbol>::|<>|!=|==|<=|>=|\|\||\S)"
)


def tokens(text: str, dialect: str = "duckdb") -> Iterator[Token]:
    """The same, with each word, number and sign by itself.

    Raises:
        UnknownDialect: a dialect that is none.
    """
    for part in scan(text, dialect):
        if part.kind != "code":
            yield part
            continue
        for found in _WORDS.finditer(text, part.start, part.end):
            kind: Kind = found.lastgroup  # type: ignore[assignment]
            word = found[0].upper() if kind == "word" else ""
            yield Token(kind, found[0], *found.span(), True, word)


def _part(text: str, opener: str, start: int, lexis: _Lexis) -> tuple[Kind, int | None]:
    """What begins there, and where it ends; None where it does not."""
    inside = start + len(opener)
    if opener == ";":
        return ";", inside
    if opener == "\\":
        return "\\", _line_end(text, inside)
    if opener in lexis.comments:
        close = lexis.comments[opener]
        return "comment", _comment_end(text, inside, opener, close, lexis.nested)
    close = lexis.quotes.get(opener, opener)
    kind: Kind = "quoted" if opener in lexis.names else "string"
    return kind, _quote_end(text, inside, close, opener in lexis.escaping)


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
    """Where a string or name ends; a doubled quote is one of its characters."""
    skipped = [r"\\."] * escapes + [re.escape(close * 2)] * (len(close) == 1)
    pattern = re.compile("|".join([*skipped, f"({re.escape(close)})"]), re.DOTALL)
    while (found := pattern.search(text, at)) is not None:
        at = found.end()
        if found.group(1):
            return at
    return None
