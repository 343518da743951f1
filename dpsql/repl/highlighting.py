"""Colours of what is typed: SQL with dpsql's functions, and backslash commands."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import ClassVar

from prompt_toolkit.styles import BaseStyle, Style
from pygments.lexer import inherit
from pygments.lexers.sql import SqlLexer
from pygments.token import Keyword, Name, String, _TokenType

from dpsql.repl.completion.naming import RESERVED
from dpsql.repl.completion.signatures import AGGREGATES, SCALARS, WINDOWS

FUNCTIONS = frozenset({*AGGREGATES, *SCALARS, *WINDOWS})
_MORE = frozenset(("asof", "exclude", "ilike", "qualify", "semi", "anti", "by", "filter", "over"))

Lexed = tuple[int, _TokenType, str]


class DpsqlLexer(SqlLexer):  # type: ignore[misc]
    """pygments' lexer of SQL, with what is dpsql's own."""

    name = "dpsql"
    aliases: ClassVar[list[str]] = ["dpsql"]
    tokens: ClassVar = {
        "root": [
            (r"\\[^\s;]*", Name.Decorator),
            (r"'(?:''|[^'])*\Z", String.Single),  # it does not end yet
            (r'"(?:""|[^"])*"?', Name),
            inherit,
        ]
    }

    def get_tokens_unprocessed(
        self, text: str, stack: Iterable[str] = ("root",)
    ) -> Iterator[Lexed]:
        """The tokens, with the language's functions told from other names."""
        for start, kind, value in super().get_tokens_unprocessed(text, stack):
            word = value.lower()
            if word.isidentifier():
                called = text[start + len(value) :].lstrip(" ")[:1] == "("
                if called and word in FUNCTIONS:
                    kind = Name.Function
                elif word in RESERVED or word in _MORE:
                    kind = Keyword
                elif kind in Keyword and kind is not Name.Builtin:
                    kind = Name  # a word of other dialects
            yield start, kind, value


_LIGHT = {
    "keyword": "ansiblue bold",
    "function": "ansicyan",
    "string": "ansigreen",
    "number": "ansimagenta",
    "command": "ansired bold",
    "dim": "ansigray",
}
_DARK = {
    "keyword": "ansibrightblue bold",
    "function": "ansibrightcyan",
    "string": "ansibrightgreen",
    "number": "ansibrightmagenta",
    "command": "ansibrightyellow bold",
    "dim": "ansibrightblack",
}


def is_light(colors: str | None = None) -> bool:
    """Whether the terminal says that its background is light; most say nothing, and are dark.

    Args:
        colors: what COLORFGBG says, such as "0;15"; by default that of the environment.
    """
    said = os.environ.get("COLORFGBG", "") if colors is None else colors
    return said.rpartition(";")[2] in ("7", "15")


def has_color(wished: bool) -> bool:
    """Whether there may be colours: not with NO_COLOR, nor on a terminal that has none."""
    return wished and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def style(*, color: bool, light: bool = False) -> BaseStyle:
    """The styles of the prompt, its menus and its toolbar.

    Args:
        color: without it, things are told apart by bold and reversed letters.
        light: whether the background is.
    """
    if not color:
        return Style.from_dict(_PLAIN)
    chosen = _LIGHT if light else _DARK
    return Style.from_dict(
        {
            "pygments.keyword": chosen["keyword"],
            "pygments.name.builtin": chosen["keyword"],
            "pygments.name.function": chosen["function"],
            "pygments.literal.string": chosen["string"],
            "pygments.literal.number": chosen["number"],
            "pygments.name.decorator": chosen["command"],
            "pygments.comment": f"{chosen['dim']} italic",
            "pygments.error": "",
            "prompt": chosen["keyword"],
            "continuation": chosen["dim"],
            "bottom-toolbar": "noreverse",
            "toolbar.good": "ansigreen",
            "toolbar.bad": "ansired bold",
            "toolbar.dim": chosen["dim"],
        }
    )


_PLAIN = {
    "prompt": "bold",
    "bottom-toolbar": "noreverse",
    "toolbar.good": "bold",
    "toolbar.bad": "bold",
    "completion-menu": "noinherit",
    "completion-menu.completion": "noinherit",
    "completion-menu.completion.current": "noinherit reverse",
    "completion-menu.meta.completion": "noinherit",
    "completion-menu.meta.completion.current": "noinherit reverse",
    "completion-menu.multi-column-meta": "noinherit",
    "scrollbar.background": "noinherit",
    "scrollbar.button": "noinherit reverse",
}
"""Without colours."""
