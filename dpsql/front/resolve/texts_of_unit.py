"""STRING_AGG of one unit's rows: the texts at their places, as many as a unit has rows.

    SELECT customer, STRING_AGG(page, '>' ORDER BY at) AS path FROM t GROUP BY customer
    SELECT customer, MIN(first || CASE WHEN second IS NULL THEN '' ELSE '>' || second END) AS path
    FROM (SELECT *, MIN(CASE WHEN place = 1 THEN page END) OVER (PARTITION BY customer) AS first,
      MIN(CASE WHEN place = 2 THEN page END) OVER (PARTITION BY customer) AS second FROM (
        SELECT *, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY page IS NULL, at, page) AS place
        FROM t)) GROUP BY customer

Claim: it is what DuckDB could say where no unit has more rows than are declared, here two; of more
it is the text of the first. Why: NULLs, which STRING_AGG leaves out, come last, and equal texts are
the same at whichever of their places; of DISTINCT ones the place is a DENSE_RANK, which those have
in common. So the text is as long as so many texts at most, and one row's work is bounded.
"""

from __future__ import annotations

from dpsql.core.functions.build import make
from dpsql.core.plan.expr import Case, Expr, Literal, null_unless
from dpsql.core.plan.nodes import AggregateCall, SortKey
from dpsql.front.resolve.places_of_unit import Windows
from dpsql.types import BIGINT, VARCHAR

MOST = 16
"""Rows of a group whose texts are joined: each has a window of its own."""


def joined_texts(call: AggregateCall, windows: Windows) -> Expr | None:
    """What all of a group's rows know as its text; None for other calls, and for larger groups."""
    value, most = call.argument, windows.most
    if call.function != "string_agg" or value is None or most is None or not 1 <= most <= MOST:
        return None
    known = SortKey(make("is_null", (value,), None), False, False)
    least = SortKey(value, False, False)
    if call.distinct:
        place = windows.number("dense_rank", (), (known, *(call.order or (least,))))
    else:
        place = windows.number("row_number", (), (known, *call.order, least))

    def at(number: int) -> Expr:
        there = make("eq", (place, Literal(number, BIGINT)), None)
        return windows.read("text", "min", null_unless(there, value), (), call.span)

    first, *others = map(at, range(1, most + 1))
    (between,) = call.parameters
    texts = [first, *(_after(Literal(between, VARCHAR), text) for text in others)]
    whole = make("concat", tuple(texts), None) if others else first
    return null_unless(make("not", (make("is_null", (first,), None),), None), whole)


def _after(between: Expr, text: Expr) -> Expr:
    none = make("is_null", (text,), None)
    return Case(((none, Literal("", VARCHAR)),), make("concat", (between, text), None), VARCHAR)
