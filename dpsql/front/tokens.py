"""The tokens of a text, few enough and not too deeply nested for the parser; and what it would read
otherwise than DuckDB does, or leave out.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from itertools import islice, pairwise
from unicodedata import category

from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from dpsql.errors import Diagnostic, InvalidArgument, Rejected, Span

MAX_CHARACTERS = 1_000_000
MAX_DEPTH = 120
MAX_TOKENS = 30_000
MAX_BRACKETS = 200
MAX_OPEN_JOINS = 6
MAX_LATERALS = 8

_OPEN = {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.CASE}
_DUCKDB = Dialect.get_or_raise("duckdb")
_TYPES = _DUCKDB.parser_class.TYPE_TOKENS - {TokenType.VAR}
_CLOSE = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.END}
_CLOSED = {TokenType.CROSS, TokenType.NATURAL}
"""Before JOIN: it has no condition."""
_JOIN_WORDS = _CLOSED | {
    TokenType.JOIN,
    TokenType.INNER,
    TokenType.OUTER,
    TokenType.LEFT,
    TokenType.RIGHT,
    TokenType.FULL,
    TokenType.ASOF,
}
_STARTS = {
    TokenType.SELECT,
    TokenType.WITH,
    TokenType.L_PAREN,
    TokenType.FROM,
    TokenType.PIVOT,
    TokenType.UNPIVOT,
}


def check_text(text: object) -> None:
    """Raise InvalidArgument for what is no text."""
    if not isinstance(text, str):
        raise InvalidArgument(f"a query is a text, not a {type(text).__name__}")


def check_characters(text: str) -> None:
    """Refuse a text that is too long, or has characters that are none of SQL's."""
    check_text(text)
    if len(text) > MAX_CHARACTERS:
        raise refused("DP103", f"the query has more than {MAX_CHARACTERS:,} characters")
    for index, character in enumerate(text):
        if character < " " and character not in "\t\n\r":
            message = f"the control character U+{ord(character):04X} is not part of SQL"
            raise refused("DP101", message, Span(index, index + 1), "remove the character")
        if "\ud800" <= character <= "\udfff":
            message = f"half of a surrogate pair, U+{ord(character):04X}, is no character"
            raise refused("DP101", message, Span(index, index + 1), "remove it")


def check_names(tokens: list[Token]) -> None:
    """Refuse a name without quotes with a letter that nobody sees: the parser has it in the name,
    where the engine sees its end, and words of SQL behind it.
    """
    for token in tokens:
        text, kind = token.text, token.token_type
        if text.isascii() or kind is TokenType.IDENTIFIER or kind.name.endswith("STRING"):
            continue
        if any(not c.isascii() and category(c)[0] in "CZ" for c in text):
            span = Span(token.start, token.end + 1)
            raise refused("DP101", "a name has a letter that nobody sees", span, "remove it")


def split(text: str, dialect: Dialect) -> list[Token]:
    """The tokens of the text, few enough."""
    try:
        found = dialect.tokenize(text)
    except TokenError:
        found = []
    except Exception:  # a tokenizer that fails in another way has not read SQL either
        found = []
    if not found:
        raise refused("DP101", "the text is empty or cannot be split into tokens")
    if len(found) > MAX_TOKENS:
        raise refused("DP103", f"the query has more than {MAX_TOKENS:,} tokens")
    return found


def tokens_of(text: str, dialect: Dialect) -> list[Token]:
    """The tokens of the text, few enough and not too deeply nested for the parser."""
    found = split(text, dialect)
    check_joins(found)
    _check_lists(found)
    _check_typed_strings(found)
    _check_arguments(found)
    brackets = sum(token.token_type == TokenType.L_BRACKET for token in found)
    if brackets > MAX_BRACKETS:
        raise refused("DP103", f"more than {MAX_BRACKETS} brackets")
    if found[0].token_type not in _STARTS:
        first = found[0]
        raise refused(
            "DP102",
            f"dpsql answers SELECT statements, not {first.text[:30].upper()}",
            Span(first.start, first.end + 1),
            meant(first.text),
        )
    check_nesting(found)
    return found


def check_nesting(found: list[Token]) -> None:
    """Refuse what is too deeply nested for the parser, and a second statement."""
    depth = 0
    for index, token in enumerate(found):
        kind = token.token_type
        if kind in _OPEN:
            depth += 1
            if depth > MAX_DEPTH:
                span = Span(token.start, token.end + 1)
                raise refused("DP103", f"nested more than {MAX_DEPTH} levels deep", span)
        elif kind in _CLOSE:
            depth -= 1
        elif kind == TokenType.SEMICOLON and index != len(found) - 1:
            span = Span(token.start, token.end + 1)
            raise refused("DP102", "more than one statement", span, "send one SELECT at a time")


def check_joins(found: list[Token]) -> None:
    """Refuse many joins without a condition, a join of nothing, and many LATERALs within one
    another: the parser's time doubles with each.
    """
    still_open = [0]  # of each bracket
    lateral = [False]  # whether a bracket is one of a LATERAL
    for before, token in pairwise(found):
        kind, span = token.token_type, Span(token.start, token.end + 1)
        if kind == TokenType.L_PAREN:
            still_open.append(0)
            lateral.append(before.token_type == TokenType.LATERAL)
            if sum(lateral) > MAX_LATERALS:
                raise refused(
                    "DP103", f"more than {MAX_LATERALS} LATERALs within one another", span
                )
        elif kind == TokenType.R_PAREN:
            still_open[-1:] = [] if len(still_open) > 1 else [0]
            lateral[-1:] = [] if len(lateral) > 1 else [False]
        elif kind in (TokenType.ON, TokenType.USING):
            still_open[-1] = max(0, still_open[-1] - 1)
        elif kind == TokenType.SELECT:
            still_open[-1] = 0
        elif before.token_type == TokenType.JOIN and kind in _JOIN_WORDS:
            raise refused("DP101", "there is no table after JOIN", span)
        elif kind == TokenType.JOIN and before.token_type not in _CLOSED:
            still_open[-1] += 1
            if still_open[-1] > MAX_OPEN_JOINS:
                help = "write CROSS JOIN"
                raise refused("DP103", "too many joins without ON or USING", span, help)


def _check_lists(found: list[Token]) -> None:
    """Refuse IN […, NULL, …]: there NULL counts for nothing in DuckDB, unlike in IN (…, NULL, …),
    and the parser makes the same of both.
    """
    inside = False
    for before, token in pairwise(found):
        if token.token_type == TokenType.L_BRACKET and before.token_type == TokenType.IN:
            inside = True
        elif token.token_type == TokenType.R_BRACKET:
            inside = False
        elif inside and token.token_type == TokenType.NULL:
            span = Span(token.start, token.end + 1)
            raise refused("DP104", "NULL in a list after IN", span, "leave it out")


def _check_typed_strings(found: list[Token]) -> None:
    """Refuse DATE '…'::TIMESTAMP: the parser casts to the second first, DuckDB to the first."""
    for kind, value, cast in zip(found, found[1:], found[2:], strict=False):
        typed = kind.token_type in _TYPES and value.token_type == TokenType.STRING
        if typed and cast.token_type == TokenType.DCOLON:
            span = Span(kind.start, cast.end + 1)
            raise refused("DP104", ":: after a string with its type", span, "write CAST(… AS …)")


_AMOUNT = r"\d+(\.\d+)?\s*[a-z]+\s*"
AMOUNTS = re.compile(rf"\s*-?{_AMOUNT}([+-]?{_AMOUNT})*", re.ASCII | re.IGNORECASE)
"""Numbers of units, with nothing between them."""


def check_intervals(found: list[Token]) -> None:
    """Refuse INTERVAL '1 day 03:00:00' and '1 day ago': the parser leaves out what it does not know
    beside one number of a unit.
    """
    for word, token in pairwise(found):
        written = word.token_type is TokenType.INTERVAL and token.token_type is TokenType.STRING
        named = written and any(c.isalpha() for c in token.text)
        if named and not AMOUNTS.fullmatch(token.text):
            message = "an interval is numbers of units, such as '1 day 2 hours'"
            raise refused("DP104", message, Span(token.start, token.end + 1))


def check_operators(found: list[Token]) -> None:
    """Refuse <=>, which is a distance in DuckDB, and to the parser an equality."""
    for token in found:
        if token.token_type == TokenType.NULLSAFE_EQ:
            span = Span(token.start, token.end + 1)
            raise refused(
                "DP101",
                "the operator <=> is none of DuckDB's equalities",
                span,
                "write IS NOT DISTINCT FROM",
            )


_ARGUMENTS = {"quantile": 2, "quantile_cont": 2, "quantile_disc": 2, "corr": 2, "count_if": 1}


def _check_arguments(found: list[Token]) -> None:
    """Refuse more arguments than these take: the parser forgets the others."""
    for index, (name, token) in enumerate(pairwise(found)):
        most = _ARGUMENTS.get(name.text.lower())
        if most is None or token.token_type != TokenType.L_PAREN:
            continue
        depth = commas = 0
        for part in islice(found, index + 1, None):
            depth += (part.token_type in _OPEN) - (part.token_type in _CLOSE)
            commas += depth == 1 and part.token_type == TokenType.COMMA
            if depth == 0 or commas == most:
                break
        if commas == most:
            span = Span(name.start, part.end + 1)
            raise refused("DP205", f"{name.text.upper()} with more than {most} arguments", span)


def check_own_privacy(tokens: list[Token]) -> None:
    """SELECT WITH DIFFERENTIAL_PRIVACY names an ε of its own, which must not be passed over; nor
    must bounds of an aggregate's own, which are of what a unit adds and not of a row.
    """
    found = [*_own_clauses(tokens), *_own_bounds(tokens)]
    if found:
        raise Rejected(tuple(found))


def _own_clauses(tokens: list[Token]) -> Iterator[Diagnostic]:
    for select, before, token in zip(tokens, tokens[1:], tokens[2:], strict=False):
        own = select.token_type == TokenType.SELECT and before.token_type == TokenType.WITH
        if not own or token.text.upper() not in _CLAUSES:
            continue
        message, help = _CLAUSES[token.text.upper()]
        yield Diagnostic("DP104", message, Span(before.start, token.end + 1), help)


_LOSS = (
    "the text names a privacy loss, which is said where it is asked",
    "leave WITH … OPTIONS (…) out, and give eps: run(query, eps=1), or --eps 1",
)
_CLAUSES = {
    "DIFFERENTIAL_PRIVACY": _LOSS,
    "ANONYMIZATION": _LOSS,
    "AGGREGATION_THRESHOLD": (
        "the text names a threshold, which the policy says for all queries",
        "leave WITH … OPTIONS (…) out: groups of few units are not shown; see min_units",
    ),
}


def _own_bounds(tokens: list[Token]) -> Iterator[Diagnostic]:
    for token, after in pairwise(tokens):
        name, next_ = token.text.upper(), after.token_type
        call = name.startswith("ANON_") and next_ == TokenType.L_PAREN
        bound = name.startswith("CONTRIBUTION_BOUNDS_PER_") and next_ == TokenType.FARROW
        report = name == "REPORT_FORMAT" and next_ == TokenType.FARROW
        if not (call or bound or report):
            continue
        message = f"{name[:40]}, where each aggregate has noise and its bounds anyway"
        help = "leave it out; for bounds of your own write LEAST(GREATEST(x, low), high) for x"
        if call:
            plain = "APPROX_QUANTILES" if name == "ANON_QUANTILES" else name[5:40]
            x = "*" if plain == "COUNT" else "x"
            help = f"write {plain}({x}), and LEAST(GREATEST(x, low), high) for x CLAMPED BETWEEN"
        elif report:
            message = "REPORT_FORMAT, where an interval stands beside each number anyway"
            help = "leave it out"
        yield Diagnostic("DP104", message, Span(token.start, token.end + 1), help)


def meant(word: str) -> str | None:
    """ "did you mean …" for a misspelt word of SQL, or None."""
    if word.upper() in _DUCKDB.tokenizer_class.KEYWORDS:  # ROLLUP is near GROUP, and well spelt
        return None
    close = difflib.get_close_matches(word.upper(), _WORDS, n=1, cutoff=0.7)
    if not close or word.upper() in (close[0], f"{close[0]}S"):  # a table of orders is well spelt
        return None
    return f"did you mean {close[0]}?"


_WORDS = ("SELECT", "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "WITH", "PIVOT", "SHOW")


def refused(code: str, message: str, span: Span | None = None, help: str | None = None) -> Rejected:
    """The error for one problem at one place; to be raised by the caller."""
    return Rejected(Diagnostic(code, message, span, help))
