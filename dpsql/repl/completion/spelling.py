"""How names and constants are written in SQL."""

from __future__ import annotations

import re
from datetime import date, datetime
from fractions import Fraction

import duckdb

from dpsql.platform.engine import sql_text
from dpsql.platform.policy.scalars import decimal_text
from dpsql.types import Scalar, Type

_WORDS = "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category <> 'unreserved'"
with duckdb.connect() as _engine:
    RESERVED = frozenset(row[0] for row in _engine.execute(_WORDS).fetchall())
"""The words that DuckDB does not take for every kind of name without quotes."""

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def quoted(name: str, *, always: bool = False) -> str:
    """A name as SQL has it, in quotes where it needs them."""
    if not always and _PLAIN.fullmatch(name) and name.lower() not in RESERVED:
        return name
    return sql_text.name(name)


def escaped(text: str) -> str:
    """What stands between the quotes of a string."""
    return text.replace("'", "''")


def literal(value: Scalar, kind: Type) -> str:
    """A constant as SQL has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Fraction):
        return (decimal_text(value) if kind.is_decimal else None) or repr(float(value))
    if isinstance(value, datetime):
        return f"TIMESTAMP '{value.isoformat(sep=' ')}'"
    if isinstance(value, date):
        return f"DATE '{value.isoformat()}'"
    return f"'{escaped(value)}'"
