"""Queries that read a released MIN, MAX or row at a place: what the engine answers if that is a row
away, as it may be.

MIN and MAX are asked a row from the end, so they lie between the first and the second value there;
a row at a place is a row away at most; and on a coarse grid they are half a step from the value.
What is computed of them lies between what is computed of the values on either side, where it grows
or falls with them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product

from sqlglot import exp

from tests.support.trees import tree_of

Rows = list[tuple[object, ...]]


@dataclass(frozen=True, slots=True)
class Between:
    """The engine's own answer, and what it is of values that are a row away."""

    own: object
    others: tuple[object, ...]


def moved(text: str, extremes: Mapping[str, float]) -> list[str]:
    """The query with its extremes a row from the end and a bit off, its places a row away, and all
    of these; none of a query without.

    Args:
        text: the query.
        extremes: of what a MIN or a MAX is released, and how far from the value; one of each unit
            is what it is.
    """
    tree = tree_of(text)
    found: list[str] = []
    ways = product((False, True), (False, True), (0, -1, 1), (0, -1, 1))
    for least, greatest, places, way in ways:
        other = tree.copy()
        for call in list(other.find_all(exp.Min, exp.Max, exp.RowNumber)):
            whole: exp.Expr = call
            while isinstance(whole.parent, exp.Filter | exp.Window) and whole.arg_key == "this":
                whole = whole.parent
            if isinstance(call, exp.RowNumber):
                whole.replace(_plus(whole.copy(), str(places)))
            elif (off := extremes.get(_plain(call))) is not None:
                inner = least if isinstance(call, exp.Min) else greatest
                value = _second(whole, type(call)) if inner else whole.copy()
                whole.replace(_plus(value, f"{way * off:.12e}") if off else value)
        found.append(other.sql(dialect="duckdb"))
    return list(dict.fromkeys(found))[1:]


def _plus(value: exp.Expr, number: str) -> exp.Expr:
    return exp.paren(exp.Add(this=value, expression=exp.Literal.number(number)))


def _plain(call: exp.Expr) -> str:
    """What it is of, without the names of tables."""
    item = call.this.expressions[0] if isinstance(call.this, exp.Distinct) else call.this
    return re.sub(r'"|\w+\.(?=[a-zA-Z_])', "", item.unnest().sql(dialect="duckdb")).lower()


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
    """The engine's rows with what may stand for each cell, row by row in the order of their texts
    and then of their numbers; rows that are not as many say nothing.
    """
    ranked = [sorted(rows, key=_order) for rows in others if len(rows) == len(own)]
    return [
        tuple(Between(cell, tuple(rows[n][i] for rows in ranked)) for i, cell in enumerate(row))
        for n, row in enumerate(sorted(own, key=_order))
    ]


def _order(row: tuple[object, ...]) -> tuple[list[str], list[float]]:
    numbers = [float(cell) for cell in row if isinstance(cell, int | float | Decimal)]
    return [repr(cell) for cell in row if not isinstance(cell, int | float | Decimal)], numbers
