"""The clock: one instant a query, written into it before it is bound.

    day >= CURRENT_DATE - INTERVAL 30 DAY          day >= DATE '2026-11-23' - INTERVAL 30 DAY

So what is proven, priced, charged and stored is a query of constants: asked again on the same day
it is the same, and free; where it asks for the time, it is another each time. Days and times are
those of UTC, whatever zone the session has.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

from sqlglot import exp

from dpsql.core.schema import Schema
from dpsql.front.parse import set_span, span_of

_DAY = re.compile(r"\b(current_date|today)\b", re.IGNORECASE)
_TIME = re.compile(
    r"\b(current_timestamp|now|localtimestamp|current_localtimestamp|get_current_timestamp|"
    r"transaction_timestamp|current_datetime|getdate|getutcdate|sysdate|sysdatetime|"
    r"sysutcdatetime|systimestamp)\b",
    re.IGNORECASE,
)

_MOMENTS = (exp.CurrentTimestamp, exp.CurrentDatetime, exp.Localtimestamp)
_CALLS = frozenset({"now", "get_current_timestamp", "transaction_timestamp"})


def instant(text: object) -> datetime | None:
    """When a query is asked: now, to the day where a day is all that it may read; None where it
    reads no clock, or is no text.
    """
    if not isinstance(text, str):
        return None
    if _TIME.search(text):
        return datetime.now(UTC).replace(tzinfo=None)
    if _DAY.search(text):
        return datetime.now(UTC).replace(tzinfo=None, hour=0, minute=0, second=0, microsecond=0)
    return None


def set_clock(tree: exp.Query, at: datetime | None, schema: Schema) -> exp.Query:
    """The tree with constants for what reads a clock, in place; what has an argument, or may be the
    name of a column or an alias, is left for whoever refuses it.
    """
    if at is None:
        return tree
    names = {c.name.casefold() for table in schema.tables.values() for c in table.columns}
    names |= {node.name.casefold() for node in tree.find_all(exp.Identifier)}
    for node in list(tree.walk()):
        day = isinstance(node, exp.CurrentDate)
        called = isinstance(node, exp.Anonymous) and str(node.this).casefold() in _CALLS
        if not day and not called and not isinstance(node, _MOMENTS):
            continue
        given = {name for name, value in node.args.items() if value} - {"this", "sysdate"}
        if given or (node.args.get("this") and not called) or _name(node) in names:
            continue
        kind = "DATE" if day else "TIMESTAMP"
        constant = exp.Literal.string(str(at.date()) if day else at.isoformat(" "))
        made = exp.cast(constant, kind)
        span = span_of(node)
        for part in (constant, made):
            if span is not None:
                set_span(part, span)
        node.replace(made)
    return tree


def _name(node: exp.Expr) -> str:
    """What a column would be called that the engine takes it for."""
    return node.sql(dialect="duckdb").casefold().removesuffix("()")
