"""How names and constants are written in SQL."""

from __future__ import annotations

import re
from datetime import date, datetime
from fractions import Fraction

from dpsql.types import Scalar, Type

_RESERVED = """
all analyse analyze and any array as asc asymmetric both case cast check collate column
constraint create default deferrable desc describe distinct do else end except false fetch for
foreign from group having in initially intersect into lambda lateral leading limit not null
offset on only or order pivot pivot_longer pivot_wider placing primary qualify references
returning select show some summarize symmetric table then to trailing true union unique unpivot
using variadic when where window with
anti asof at authorization binary collation concurrently cross freeze full generated glob ilike
inner is isnull join left like natural notnull outer overlaps positional right semi similar
tablesample tuple verbose
between bigint bit boolean by char character coalesce columns dec decimal exists extract float
grouping grouping_id inout int integer interval map national nchar none nullif numeric out
overlay position precision real row setof smallint struct substring time timestamp treat trim
try_cast unpack values varchar xmlattributes xmlconcat xmlelement xmlexists xmlforest
xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable
"""
RESERVED = frozenset(_RESERVED.split())
"""The words that DuckDB does not take for every kind of name without quotes."""

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def quoted(name: str, *, always: bool = False) -> str:
    """A name as SQL has it, in quotes where it needs them."""
    if not always and _PLAIN.fullmatch(name) and name.lower() not in RESERVED:
        return name
    return '"' + name.replace('"', '""') + '"'


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
        scale = kind.scale or 0
        whole = round(value * 10**scale) if kind.is_decimal else None
        if whole is None or Fraction(whole, 10**scale) != value:
            return repr(float(value))
        digits = f"{abs(whole):0{scale + 1}d}"
        sign = "-" if whole < 0 else ""
        return f"{sign}{digits[: len(digits) - scale]}.{digits[len(digits) - scale :]}"
    if isinstance(value, datetime):
        return f"TIMESTAMP '{value.isoformat(sep=' ')}'"
    if isinstance(value, date):
        return f"DATE '{value.isoformat()}'"
    return f"'{escaped(value)}'"
