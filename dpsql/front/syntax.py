"""Is the text SQL at all? The parser that makes our tree is a transpiler's, and forgives much:
`SELECT a, , b`, `f(, 0.5)` and `a AS , b` are trees to it. What is forgiven has no meaning that
anybody wrote down, so it is refused: in DuckDB's dialect where DuckDB's own parser does, in every
dialect by rules over neighbouring tokens.
"""

from __future__ import annotations

import json
import re
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


def as_read(text: str, tree: exp.Query) -> str | Diagnostic:
    """The text as DuckDB reads it, or why it does not. Its parser only reads: nothing is bound,
    nothing is run. A name may be a word that DuckDB keeps for itself, such as `at`: then it is the
    text with the names in quotes.

    Args:
        text: one statement, of a size and a depth that our own parser took.
        tree: what our own parser made of it.
    """
    with calculator() as connection:
        said = _said(connection, text)
        if said is None:
            return text
        quoted = _quoted(text, tree)
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


def _quoted(text: str, tree: exp.Query) -> str:
    """The text with quotes around each plain name."""
    places = set()
    for node in tree.find_all(exp.Identifier):
        meta = node._meta or {}
        if node.quoted or "start" not in meta or "end" not in meta:
            continue
        if not _implied(node, text[: meta["start"]]):
            places.add((meta["start"], meta["end"] + 1))
    for start, end in sorted(places, reverse=True):
        if text[start:end].isidentifier():
            text = f'{text[:start]}"{text[start:end]}"{text[end:]}'
    return text


def _implied(node: exp.Identifier, before: str) -> bool:
    """Whether it is an alias without AS, which no word can be that may be something else: the
    ORDER of `FROM t ORDER`.
    """
    named = isinstance(node.parent, exp.Alias | exp.TableAlias) and node.arg_key in (
        "this",
        "alias",
    )
    return named and re.search(r"\bAS\s*$", before, re.IGNORECASE) is None


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
        span = Span(start, start + 1)
    except (duckdb.Error, KeyError, TypeError, ValueError):
        pass
    return Diagnostic("DP101", message.partition("\n")[0][:200], span)
