"""Is the text SQL at all? The parser that makes our tree is a transpiler's, and forgives much:
`SELECT a, , b`, `f(, 0.5)` and `a AS , b` are trees to it. What is forgiven has no meaning that
anybody wrote down, so it is refused: in DuckDB's dialect where DuckDB's own parser does, in every
dialect by rules over neighbouring tokens.
"""

from __future__ import annotations

import json
import re
from functools import cache
from itertools import pairwise

import duckdb
from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from dpsql.core.functions.calculator import calculator
from dpsql.errors import Diagnostic, Rejected, Span

_MISSING = {
    TokenType.COMMA: {TokenType.COMMA},
    TokenType.L_PAREN: {TokenType.COMMA},
    TokenType.L_BRACKET: {TokenType.COMMA},
    TokenType.ALIAS: {TokenType.COMMA, TokenType.R_PAREN, TokenType.FROM, TokenType.SEMICOLON},
}
"""After these something must stand before those; no dialect lets it be left out."""


def check_neighbours(tokens: list[Token], text: str) -> None:
    """Refuse a text in which something is missing between two tokens.

    Raises:
        Rejected: DP101, with the place.
    """
    for before, after in pairwise(tokens):
        if after.token_type in _MISSING.get(before.token_type, ()):
            message = f"something is missing between {before.text} and {after.text}"
            span = Span(before.start, after.end + 1)
            raise Rejected(Diagnostic("DP101", message, span), text)


def problem_of(text: str) -> Diagnostic | None:
    """What DuckDB says of a text that our own parser does not take, with its place; None where it
    says nothing, or would have to look long: its parser tries the inside of each bracket and the
    operand of each sign several times.
    """
    if len(text) > _LONGEST or sum(map(text.count, "([{-+~")) > _DEEPEST:
        return None
    with calculator() as connection:
        try:
            connection.extract_statements(text)
        except duckdb.Error as error:
            return _problem(connection, text, str(error))
    return None


_LONGEST, _DEEPEST = 20_000, 300
"""Of these it needs a tenth of a second."""


def as_read(text: str, tree: exp.Query) -> str | Diagnostic:
    """The text as DuckDB reads it, or why it does not. Its parser only reads: nothing is bound,
    nothing is run. A column or a table may have a name that DuckDB keeps for itself since lately,
    such as `at`: where it is read, it is put in quotes.

    Args:
        text: one statement, of a size and a depth that our own parser took.
        tree: what our own parser made of it.
    """
    with calculator() as connection:
        said = _said(connection, text)
        if said is None:
            return text
        quoted = _quoted(text, tree, _reserved(connection))
        if _said(connection, quoted) is None:
            return quoted
        return _problem(connection, text, said)


def _said(connection: duckdb.DuckDBPyConnection, text: str) -> str | None:
    try:
        found = connection.extract_statements(text)
    except duckdb.Error as error:
        return str(error)
    kinds = [statement.type for statement in found]
    return None if kinds in _ONE_QUERY else "Parser Error: DuckDB does not read it as one SELECT"


_ONE_QUERY = ([duckdb.StatementType.SELECT], [duckdb.StatementType.MULTI])
"""MULTI is a PIVOT without its values."""


def _quoted(text: str, tree: exp.Query, reserved: frozenset[str]) -> str:
    """The text with quotes around each plain name that is read. What the query itself names is as
    it stands, and so is each word that can be no name at all: DuckDB refuses those.
    """
    places = set()
    for node in tree.find_all(exp.Identifier):
        meta = node._meta or {}
        if node.quoted or "start" not in meta or "end" not in meta or _given(node):
            continue
        places.add((meta["start"], meta["end"] + 1))
    for start, end in sorted(places, reverse=True):
        word = text[start:end]
        if word.isidentifier() and word.lower() not in reserved:
            text = f'{text[:start]}"{word}"{text[end:]}'
    return text


def _given(node: exp.Identifier) -> bool:
    return isinstance(node.parent, exp.Alias | exp.TableAlias) and node.arg_key != "expression"


@cache
def _reserved(connection: duckdb.DuckDBPyConnection) -> frozenset[str]:
    words = "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category = 'reserved'"
    return frozenset(word for (word,) in connection.execute(words).fetchall())


def _problem(connection: duckdb.DuckDBPyConnection, text: str, said: str) -> Diagnostic:
    if "depth" in said:
        return Diagnostic("DP103", "the query is too deeply nested")
    message, span = said.partition("\n")[0].removeprefix("Parser Error: "), None
    try:
        query = "SELECT json_serialize_sql($1::VARCHAR)"
        [[answer]] = connection.execute(query, [text]).fetchall()
        found = json.loads(answer)
        message, at = str(found["error_message"]), int(found["position"])
        start = len(text.encode()[:at].decode(errors="ignore"))  # it counts bytes
        word = re.compile(r"\w+").match(text, start)
        span = Span(start, start + 1 if word is None else word.end())
    except (duckdb.Error, KeyError, TypeError, ValueError):
        pass
    return Diagnostic("DP101", message.partition("\n")[0][:200], span)
