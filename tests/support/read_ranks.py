"""Queries that read a released MIN, MAX or row at a place: what the engine answers if that is a row
away, as it may be.

MIN and MAX are asked a row from the end, so they lie between the first and the second value there;
a row at a place is a row away at most. What is computed of them lies between what is computed of
the values on either side, where it grows or falls with them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import product

import sqlglot
from sqlglot import exp

Rows = list[tuple[object, ...]]


@dataclass(frozen=True, slots=True)
class Between:
    """The engine's own answer, and what it is of values that are a row away."""

    own: object
    others: tuple[object, ...]


def moved(text: str, extremes: Collection[str]) -> list[str]:
    """The query with its extremes a row from the end, its places a row away, and both; none of a
    query without.

    Args:
        text: the query.
        extremes: of what a MIN or a MAX is released; one of each unit is what it is.
    """
    tree = sqlglot.parse_one(text, dialect="duckdb")
    found: list[str] = []
    for least, greatest, places in product((False, True), (False, True), (0, -1, 1)):
        other = tree.copy()
        for call in list(other.find_all(exp.Min, exp.Max, exp.RowNumber)):
            whole: exp.Expr = call
            while isinstance(whole.parent, exp.Filter | exp.Window) and whole.arg_key == "this":
                whole = whole.parent
            if isinstance(call, exp.RowNumber):
                by = exp.Literal.number(places)
                whole.replace(exp.paren(exp.Add(this=whole.copy(), expression=by)))
            elif (least if isinstance(call, exp.Min) else greatest) and _plain(call) in extremes:
                whole.replace(_second(whole, type(call)))
        found.append(other.sql(dialect="duckdb"))
    return list(dict.fromkeys(found))[1:]


def _plain(call: exp.Expr) -> str:
    """What it is of, without the names of tables."""
    item = call.this.expressions[0] if isinstance(call.this, exp.Distinct) else call.this
    return re.sub(r'"|\w+\.(?=[a-zA-Z_])', "", item.sql(dialect="duckdb")).lower()


def _second(whole: exp.Expr, kind: type[exp.Expr]) -> exp.Expr:
    """The second value from that end; of a single one itself."""
    order = "ASC" if kind is exp.Min else "DESC"
    listed = whole.copy()
    call = listed.find(kind)
    assert call is not None
    items = exp.Anonymous(this="list", expressions=[call.this.copy()])
    if call is listed:
        listed = items
    else:
        call.replace(items)
    ends = [exp.Literal.string(order), exp.Literal.string("NULLS LAST")]
    ordered = exp.Anonymous(this="list_sort", expressions=[listed, *ends])
    second = exp.Anonymous(this="list_extract", expressions=[ordered, exp.Literal.number(2)])
    return exp.Coalesce(this=second, expressions=[whole.copy()])


def between(own: Rows, others: Sequence[Rows]) -> Rows:
    """The engine's rows with what may stand for each cell, row by row in their order; rows that are
    not as many say nothing.
    """
    ranked = [sorted(rows, key=repr) for rows in others if len(rows) == len(own)]
    return [
        tuple(Between(cell, tuple(rows[n][i] for rows in ranked)) for i, cell in enumerate(row))
        for n, row in enumerate(sorted(own, key=repr))
    ]
