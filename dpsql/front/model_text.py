"""The text of a model's statement with blanks for what is not of the query of its rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.tokenizer_core import Token, TokenType

from dpsql.front.parse import reject, span_of
from dpsql.front.unknown import A_MODEL

_OPEN = {TokenType.L_PAREN, TokenType.L_BRACKET}
_CLOSE = {TokenType.R_PAREN, TokenType.R_BRACKET}


def blanked(text: str, call: exp.Expr, given: Sequence[exp.Expr]) -> str:
    """The text without the call, but with its arguments, and without GROUP BY."""
    tokens = Dialect.get_or_raise("duckdb").tokenize(text)
    span = span_of(call)
    first = next(i for i, token in enumerate(tokens) if span and token.start == span.start)
    *commas, last = _ends(tokens, first + 1)
    starts = [first + 2, *(place + 1 for place in commas)]
    if len(starts) != len(call.expressions):
        raise reject("DP104", "this form of a model is not read", call, A_MODEL)
    gone = [(first, first + 1), (last, last)]
    for start, end, part in zip(starts, [*commas, last], call.expressions, strict=True):
        if part not in given:  # by its name
            gone.append((start - 1, end - 1))
        elif isinstance(part, exp.Array):
            named = tokens[start].token_type not in _OPEN
            gone += [(start, start + named), (end - 1, end - 1)]
    gone += _grouping(tokens, first)
    made = list(text)
    for begin, until in gone:
        ended = len(text) - 1 if until == len(tokens) else tokens[until].end
        for place in range(tokens[begin].start, ended + 1):
            made[place] = text[place] if text[place] in "\r\n" else " "
    return "".join(made)


def _ends(tokens: Sequence[Token], start: int) -> Iterator[int]:
    """Where the parts of a bracket end: its commas, and where it is closed."""
    depth = 0
    for place in range(start, len(tokens)):
        kind = tokens[place].token_type
        depth += (kind in _OPEN) - (kind in _CLOSE)
        if depth == 0 or (depth == 1 and kind is TokenType.COMMA):
            yield place
        if depth == 0:
            return


def _grouping(tokens: Sequence[Token], first: int) -> Iterator[tuple[int, int]]:
    """GROUP BY after a token, to the end of that SELECT; and a last semicolon."""
    depth, begin, end = 0, None, len(tokens)
    for place in range(first, len(tokens)):
        kind = tokens[place].token_type
        depth += (kind in _OPEN) - (kind in _CLOSE)
        words = " ".join(token.text.upper() for token in tokens[place : place + 2])
        if depth == 0 and kind is not TokenType.IDENTIFIER and words.startswith("GROUP BY"):
            begin = place
        if depth < 0 or kind is TokenType.SEMICOLON:
            end = place - 1
            break
    if begin is not None:
        yield begin, end
    if tokens[-1].token_type is TokenType.SEMICOLON:
        yield len(tokens) - 1, len(tokens)
