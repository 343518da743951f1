"""Parameters: each `?` of a query becomes a literal, and nothing else of the query changes.

    WHERE channel = ? AND price > ?    ("it's", Decimal("2.5"))
    WHERE channel =  'it''s'  AND price >  2.5

A literal is a part of the query's text, so it is public, and the ledger keeps it as it does the
query. The result is split into tokens again, and has to be the tokens of the query with those of
the literals in their places: whatever a value is, it cannot change what is asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot.dialects.dialect import Dialect
from sqlglot.tokenizer_core import Token, TokenType

from dpsql.dbapi.exceptions import DataError, InterfaceError, ProgrammingError, guarded
from dpsql.dbapi.literals import Parameter, literal
from dpsql.front.dialects import dialect_of
from dpsql.front.parse import MAX_CHARACTERS

_Words = list[tuple[TokenType, str]]


def filled(query: str, parameters: Sequence[Parameter], dialect: str = "duckdb") -> str:
    """The query with a literal for each `?`.

    Args:
        query: in which no `?` of a string, a name or a comment counts.
        parameters: one for each `?`, in their order. After ORDER BY and GROUP BY a whole number is
            the place of a column, as if it had been typed.
        dialect: of the query.

    Raises:
        ProgrammingError: there are more or fewer parameters than `?`.
        DataError: a value that no literal can stand for.
        InterfaceError: a query that is no text, or parameters that are no sequence.
        NotSupportedError: a dialect that is none.
    """
    if not isinstance(query, str):
        raise InterfaceError(f"a query is a text, not a {type(query).__name__}")
    if isinstance(parameters, str | bytes) or not isinstance(parameters, Sequence):
        raise InterfaceError("parameters are a list or a tuple, with one value for each ?")
    grammar = guarded(lambda: dialect_of(dialect))
    tokens = _tokens(grammar, query)
    if tokens is None or any(token.start >= len(query) for token in tokens):
        return query  # which is rejected as it is
    places = [token.start for token in tokens if query[token.start] == "?"]
    if len(places) != len(parameters):
        counts = f"{len(places)} ? and {len(parameters)} parameters"
        raise ProgrammingError(f"each ? takes one parameter, and there are {counts}")
    literals = [literal(value, dialect) for value in parameters]
    result, done = "", 0
    for place, text in zip(places, literals, strict=True):
        result += f"{query[done:place]} {text} "
        done = place + 1
    result += query[done:]
    for value, text in zip(parameters, literals, strict=True):
        if isinstance(value, str) and _words(grammar, text) != [(TokenType.STRING, value)]:
            raise DataError("a text that cannot be written as a string of this dialect")
    if _words(grammar, result) != _expected(grammar, query, tokens, literals):
        raise DataError("the parameters cannot be told from the query around them")
    return result


def _expected(
    grammar: Dialect, query: str, tokens: Sequence[Token], literals: Sequence[str]
) -> _Words:
    """The tokens of the query, with those of the literals in their places."""
    made, rest = _Words(), iter(literals)
    for token in tokens:
        if query[token.start] == "?":
            made += _words(grammar, next(rest))
            made += _words(grammar, query[token.start + 1 : token.end + 1])  # `?::` is one token
        else:
            made.append((token.token_type, token.text))
    return made


def _words(grammar: Dialect, text: str) -> _Words:
    return [(token.token_type, token.text) for token in _tokens(grammar, text) or ()]


def _tokens(grammar: Dialect, text: str) -> Sequence[Token] | None:
    """The tokens; None where the text is rejected since it has none."""
    if len(text) > MAX_CHARACTERS:
        return None
    try:
        return grammar.tokenize(text)
    except Exception:  # in whatever way the tokenizer fails
        return None
