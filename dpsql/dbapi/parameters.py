"""Parameters: each `?` of a query becomes a literal, and nothing else of the query changes.

    WHERE channel = ? AND price > ?    ("it's", Decimal("2.5"))
    WHERE channel =  'it''s'  AND price >  2.5

A literal is a part of the query's text, so it is public, and the ledger keeps it as it does the
query. The result is split into tokens again, and has to be the tokens of the query with those of
the literals in their places: whatever a value is, it cannot change what is asked. A float stands
for the decimal that Python prints for it, as an ε does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import date, datetime
from decimal import Decimal

from sqlglot.dialects.dialect import Dialect
from sqlglot.tokenizer_core import Token, TokenType

from dpsql.dbapi.exceptions import DataError, InterfaceError, ProgrammingError, guarded
from dpsql.front.dialects import dialect_of
from dpsql.front.tokens import MAX_CHARACTERS

Parameter = None | bool | int | float | Decimal | str | date | datetime

_MAX_DIGITS = 80
_MAX_EXPONENT = 30
"""Of floats that are written without an exponent: exact ones, by which bounds narrow."""

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
    literals = [_literal(value, dialect) for value in parameters]
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


def _literal(value: Parameter, dialect: str) -> str:
    """The literal of a dialect that stands for `value`.

    Raises:
        DataError: there is none.
    """
    write = _WRITERS.get(type(value))
    if write is None:
        kinds = "None, bool, int, float, Decimal, str, date or datetime"
        raise DataError(f"a parameter is {kinds}, not {type(value).__name__}")
    return write(value, dialect)


def _signed(text: str) -> str:
    """A number; a negative one in brackets, since -5::VARCHAR is the negative of 5::VARCHAR."""
    return f"({text})" if text.startswith("-") else text


def _integer(value: int, _: str) -> str:
    if abs(value) >= 10**_MAX_DIGITS:
        raise DataError("the integer has too many digits")
    return _signed(str(value))


def _decimal(value: Decimal, _: str) -> str:
    if not value.is_finite():
        raise DataError(f"{value} is no number that a query can have")
    if abs(value.adjusted()) >= _MAX_DIGITS or len(value.as_tuple().digits) > _MAX_DIGITS:
        raise DataError("the decimal has too many digits")
    return _signed(f"{value:f}")


def _float(value: float, dialect: str) -> str:
    if not math.isfinite(value):
        raise DataError(f"{value} is no number that a query can have")
    exact = Decimal(repr(value))
    short = abs(exact.adjusted()) < _MAX_EXPONENT
    return _decimal(exact, dialect) if short else _signed(repr(value))


def _moment(value: datetime, dialect: str) -> str:
    if value.tzinfo is not None:
        raise DataError("a datetime with a time zone")
    kind = {"bigquery": "DATETIME", "tsql": "DATETIME2"}.get(dialect, "TIMESTAMP")
    return f"CAST('{value.isoformat(' ')}' AS {kind})"


_WRITERS: dict[type, Callable[..., str]] = {
    type(None): lambda _, __: "NULL",
    bool: lambda value, _: "TRUE" if value else "FALSE",
    int: _integer,
    float: _float,
    Decimal: _decimal,
    str: lambda value, _: "'" + value.replace("'", "''") + "'",
    date: lambda value, _: f"CAST('{value.isoformat()}' AS DATE)",
    datetime: _moment,
}
"""By the exact type: what a subclass prints is its own affair."""
