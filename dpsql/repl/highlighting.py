"""Colours of what is typed: SQL with dpsql's functions, and backslash commands."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.formatted_text.utils import split_lines
from prompt_toolkit.lexers import Lexer
from prompt_toolkit.styles import BaseStyle, Style

from dpsql.repl.completion.spelling import RESERVED
from dpsql.repl.completion.vocabulary import AGGREGATES, SCALARS, WINDOWS
from dpsql.repl.lexer import Token, tokens

FUNCTIONS = frozenset({*AGGREGATES, *SCALARS, *WINDOWS})
KEYWORDS = RESERVED | {"exclude", "by", "filter", "over"}
MAX_CHARACTERS = 50_000
"""Longer texts have no colours: a key would wait for them."""


class SqlLexer(Lexer):
    """What prompt_toolkit asks for the styles of a text."""

    def __init__(self, dialect: Callable[[], str]) -> None:
        self._dialect = dialect

    def lex_document(self, document: Document) -> Callable[[int], StyleAndTextTuples]:
        """The styled parts of each line."""
        lines = list(split_lines(styled(document.text, self._dialect())))
        return lambda number: lines[number] if number < len(lines) else []

    def invalidation_hash(self) -> str:
        """Of what a text's styles depend on, beside the text."""
        return self._dialect()


def styled(text: str, dialect: str = "duckdb") -> StyleAndTextTuples:
    """A text in parts, each with its style; put together they are the text."""
    if len(text) > MAX_CHARACTERS:
        return [("", text)]
    return list(_styled(text, dialect))


def _styled(text: str, dialect: str, argument: bool = False) -> Iterator[tuple[str, str]]:
    at = 0
    for token in tokens(text, dialect):
        yield "", text[at : token.start]
        at = token.end
        if token.kind == "\\" and not argument:
            name = token.text.split(None, 1)[0].rstrip(";")
            yield "class:sql.command", name
            yield from _styled(token.text[len(name) :], dialect, argument=True)
        else:
            yield _style(token, text), token.text
    yield "", text[at:]


def _style(token: Token, text: str) -> str:
    word = token.word.lower()
    if word in FUNCTIONS and text[token.end :].lstrip(" ")[:1] == "(":
        return "class:sql.function"
    if word in KEYWORDS:
        return "class:sql.keyword"
    return f"class:sql.{token.kind}" if token.kind in ("string", "number", "comment") else ""


_LIGHT = {
    "keyword": "ansiblue bold",
    "function": "ansicyan",
    "string": "ansigreen",
    "number": "ansimagenta",
    "command": "ansired bold",
    "dim": "ansigray",
}
_DARK = {kind: color.replace("ansi", "ansibright") for kind, color in _LIGHT.items()}
_DARK |= {"command": "ansibrightyellow bold", "dim": "ansibrightblack"}


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
            **{f"sql.{kind}": chosen[kind] for kind in chosen},
            "sql.comment": f"{chosen['dim']} italic",
            "prompt": chosen["keyword"],
            "continuation": chosen["dim"],
            "bottom-toolbar": "noreverse",
            "toolbar.good": "ansigreen",
            "toolbar.bad": "ansired bold",
            "toolbar.dim": chosen["dim"],
        }
    )


_MENU = "completion-menu", "completion-menu.completion", "completion-menu.meta.completion"
_PLAIN = {
    **dict.fromkeys(("prompt", "toolbar.good", "toolbar.bad"), "bold"),
    "bottom-toolbar": "noreverse",
    **dict.fromkeys((*_MENU, "completion-menu.multi-column-meta"), "noinherit"),
    **dict.fromkeys((f"{part}.current" for part in _MENU[1:]), "noinherit reverse"),
    "scrollbar.background": "noinherit",
    "scrollbar.button": "noinherit reverse",
}
"""Without colours."""
