"""The definition of a view as DuckDB stores it -> its query. DuckDB prints what it has parsed, and
some of it in words of its own:

    INTERVAL 3 MONTH          to_months(CAST(trunc(CAST(3 AS DOUBLE)) AS INTEGER))
    INTERVAL '1 year'         CAST('1 year' AS INTERVAL)
    POSITION('a' IN s)        "position"(s, 'a')
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from dpsql.front.parse import parse, reject, set_span, span_of

_UNITS = {
    f"to_{unit}s": unit for unit in ("year", "quarter", "month", "week", "day", "hour", "minute")
}


@dataclass(frozen=True, slots=True)
class Definition:
    """A view's definition.

    Attributes:
        text: its query.
        query: what that says; not to be changed.
        columns: the names of its first columns.
    """

    text: str
    query: exp.Query
    columns: tuple[str, ...]


@lru_cache(maxsize=256)
def definition(sql: str) -> Definition:
    """What a CREATE VIEW says.

    Raises:
        Rejected: it is not read.
    """
    names: list[str] = []
    depth = 0
    try:
        tokens = Dialect.get_or_raise("duckdb").tokenize(sql)
    except SqlglotError:
        tokens = []
    for place, token in enumerate(tokens):
        kind = token.token_type
        depth += (kind == TokenType.L_PAREN) - (kind == TokenType.R_PAREN)
        if kind == TokenType.ALIAS and depth == 0:
            text = _spelled(sql, tokens[place + 1 :])[token.end + 1 :]
            query = parse(text)
            for node in list(query.find_all(exp.Anonymous, exp.ToDays, exp.Cast)):
                _restore(node)
            return Definition(text, query, tuple(names))
        if depth and kind not in (TokenType.L_PAREN, TokenType.COMMA):
            names.append(token.text)
    raise reject("DP104", "its definition is not read")


def _spelled(sql: str, tokens: list[Token]) -> str:
    """With the name strpos, whose arguments our parser takes in the order in which they are."""
    for token, after in reversed([*pairwise(tokens)]):
        if token.text.lower() == "position" and after.token_type == TokenType.L_PAREN:
            sql = f"{sql[: token.start]}strpos{sql[token.end + 1 :]}"
    return sql


def _restore(node: exp.Expr) -> None:
    """An INTERVAL of a constant; other calls stay as they are."""
    name, inner = "", node.this
    if isinstance(node, exp.Cast):
        text = isinstance(inner, exp.Literal) and inner.is_string
        if not text or not node.to.is_type(exp.DataType.Type.INTERVAL):
            return
    else:
        if isinstance(node, exp.Anonymous):
            name, inner = str(node.this).lower(), (*node.expressions, None)[0]
        else:
            name = "to_days"
        for kind in (exp.Cast, exp.Trunc, exp.Cast):
            inner = inner.this if isinstance(inner, kind) else None
        sign = "-" if isinstance(inner, exp.Neg) else ""
        inner = inner.this if isinstance(inner, exp.Neg) else inner
        number = sign + inner.name if isinstance(inner, exp.Literal) else ""
        if name not in _UNITS or not re.fullmatch(r"[+-]?[0-9]{1,9}", number):
            return
        inner = exp.Literal.string(number)
    made = exp.Interval(this=inner, unit=exp.Var(this=_UNITS[name].upper()) if name else None)
    span = span_of(node)
    if span is not None:
        set_span(made, span)
    node.replace(made)
