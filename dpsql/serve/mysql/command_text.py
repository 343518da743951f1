"""One statement of MySQL's language, and what its comments say.

A parameter of a prepared statement takes the place of its `?` as a token, behind the tokenizer:
whatever its text is, it never stands between quotes that it could end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from itertools import chain

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token, TokenType

from dpsql.core.calibrate.options import Amount
from dpsql.errors import Rejected, shallow
from dpsql.front.parse import MAX_NODES, reject, syntax_error
from dpsql.front.tokens import MAX_CHARACTERS, MAX_TOKENS, check_joins, check_nesting
from dpsql.report.workloads.price_comments import said

MYSQL = Dialect.get_or_raise("mysql")
Value = None | int | float | Decimal | str | date | datetime
"""Of a parameter."""

_EXECUTED = re.compile(r"M?!")


@dataclass(frozen=True, slots=True)
class Statement:
    """What was sent.

    Attributes:
        tree: as the parser reads it; None for a text without a word.
        text: as it was typed, with the values of its parameters.
        eps, delta: what its comments say; None where they say nothing.
    """

    tree: exp.Expr | None
    text: str = ""
    eps: Amount = None
    delta: Amount = None


def places(text: str) -> int:
    """How many parameters a text takes.

    Raises:
        Rejected: it cannot be split into tokens.
    """
    return sum(token.token_type is TokenType.PLACEHOLDER for token in tokens(text))


def statement(text: str, values: Sequence[Value] = (), beside: Sequence[str] = ()) -> Statement:
    """Read one statement.

    Args:
        text: of which a `;` may be the end.
        values: of its parameters, by their order.
        beside: comments that stand elsewhere, and count as its own.

    Raises:
        Rejected: it is none, or several.
        InvalidBudget: a comment says an amount that is none, or two say different ones.
    """
    found = tokens(text)
    comments = [*beside, *(comment for token in found for comment in token.comments)]
    eps, delta = said(comments, "eps"), said(comments, "delta")
    found = [t for t in found if t.token_type is not TokenType.HINT]
    if all(token.token_type is TokenType.SEMICOLON for token in found):
        return Statement(None)
    check_joins(found)
    check_nesting(found)
    rest = iter(values)
    parts = [list(_filled(token, rest)) for token in found]
    filled = list(chain.from_iterable(parts))
    tree = shallow(lambda: _parsed(filled, text), text)
    asks = isinstance(tree, exp.Query | exp.Describe)
    if asks and any(map(_EXECUTED.match, comments)):
        raise reject("DP104", "MySQL runs what is in a comment /*! … */", None, "leave it out")
    return Statement(tree, _with(text, found, parts) if values else text, eps, delta)


def _with(text: str, found: list[Token], parts: list[list[Token]]) -> str:
    """The text with values in the place of its parameters, as they can be written."""
    made, at = [], 0
    for token, filled in zip(found, parts, strict=True):
        if filled != [token]:
            words = (
                exp.Literal.string(t.text).sql("mysql")
                if t.token_type is TokenType.STRING
                else t.text
                for t in filled
            )
            made += [text[at : token.start], " ".join(words)]
            at = token.end + 1
    return "".join((*made, text[at:]))


def tokens(text: str) -> list[Token]:
    """The tokens of a text.

    Raises:
        Rejected: it is too long, or cannot be split into tokens.
    """
    if len(text) > MAX_CHARACTERS:
        raise reject("DP103", f"the statement has more than {MAX_CHARACTERS:,} characters")
    found: list[Token] | None = None
    with suppress(Exception):  # in whatever way the tokenizer fails
        found = MYSQL.tokenize(text)
    if found is None:
        raise reject("DP101", "the text cannot be split into tokens")
    if len(found) > MAX_TOKENS:
        raise reject("DP103", f"the statement has more than {MAX_TOKENS:,} tokens")
    return found


def _parsed(tokens: list[Token], text: str) -> exp.Expr:
    problem: Rejected | None = None
    trees: list[exp.Expr | None] = []
    try:
        trees = [t for t in MYSQL.parser().parse(tokens, text) if type(t) is not exp.Semicolon]
    except ParseError as error:
        problem = syntax_error(text, error)
    except RecursionError:
        raise
    except Exception:  # the parser's own bugs are the text's fault here
        problem = reject("DP101", "the text cannot be read as SQL")
    if problem is None and (len(trees) != 1 or trees[0] is None):
        problem = reject("DP102", "send one statement at a time")
    if problem is not None:
        raise problem
    tree = trees[0]
    assert tree is not None
    for count, _ in enumerate(tree.walk()):
        if count > MAX_NODES:
            raise reject("DP103", "the statement is too large")
    return tree


def _filled(token: Token, rest: Iterator[Value]) -> Iterator[Token]:
    """The token, or those of the value whose place it is."""
    missing = object()
    value = next(rest, missing) if token.token_type is TokenType.PLACEHOLDER else missing
    if value is missing:
        yield token
        return

    def made(kind: TokenType, word: str) -> Token:
        return Token(kind, word, token.line, token.col, token.start, token.end)

    if value is None:
        yield made(TokenType.NULL, "NULL")
    elif isinstance(value, datetime):
        yield made(TokenType.DATETIME, "DATETIME")
        yield made(TokenType.STRING, value.isoformat(" "))
    elif isinstance(value, date):
        yield made(TokenType.DATE, "DATE")
        yield made(TokenType.STRING, value.isoformat())
    elif isinstance(value, str):
        yield made(TokenType.STRING, value)
    elif isinstance(value, int | float | Decimal):
        number = f"{value:f}" if isinstance(value, Decimal) else repr(value)
        if not re.fullmatch(r"-?\d+(\.\d+)?(e[+-]?\d+)?", number):
            raise reject("DP101", "a parameter that is no number")
        if number.startswith("-"):
            yield made(TokenType.L_PAREN, "(")
            yield made(TokenType.DASH, "-")
        yield made(TokenType.NUMBER, number.removeprefix("-"))
        if number.startswith("-"):
            yield made(TokenType.R_PAREN, ")")
    else:
        raise TypeError(f"no parameter is a {type(value).__name__}")
