"""Rows of values that are compared: (a, b) = (1, 2), and (a, b) IN ((1, 2), (3, 4)).

Two are equal where all of their parts are, NULL being equal to NULL alone, as DuckDB compares rows:
whether they are is never NULL.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from dpsql.core.functions.build import make
from dpsql.core.plan.expr import Expr, Literal
from dpsql.errors import Span
from dpsql.front.parse import bare, only, reject, span_of

if TYPE_CHECKING:
    from dpsql.front.bind_expr import ExpressionBinder


def compared_rows(binder: ExpressionBinder, node: exp.Expr) -> Expr | None:
    """The condition of an equality of rows, or of one with a list of rows; None of others.

    Raises:
        Rejected: DP205, they have not as many parts.
    """
    if not isinstance(node, exp.EQ | exp.NEQ | exp.In) or not isinstance(
        bare(node.this), exp.Tuple
    ):
        return None
    others = node.expressions if isinstance(node, exp.In) else [node.expression]
    rows = [bare(other) for other in others]
    if not rows or not all(isinstance(row, exp.Tuple) for row in rows):
        return None
    only(node, "this", "expressions" if isinstance(node, exp.In) else "expression")
    binder.positive = False  # of a part, NULL is a value
    left = [binder.bind(part) for part in bare(node.this).expressions]
    span = span_of(node)
    terms = [_same(binder, left, row, span) for row in rows]
    found = terms[0] if len(terms) == 1 else make("or", tuple(terms), span)
    return make("not", (found,), span) if isinstance(node, exp.NEQ) else found


def _same(binder: ExpressionBinder, left: list[Expr], row: exp.Expr, span: Span | None) -> Expr:
    if len(row.expressions) != len(left):
        message = f"a row of {len(left)} values against one of {len(row.expressions)}"
        raise reject("DP205", message, row)
    pairs = [*zip(left, map(binder.bind, row.expressions), strict=True)]
    for pair, part in zip(pairs, row.expressions, strict=True):
        names = {e.type.name for e in pair}
        others = [e.type for e in pair if e.type.name not in ("VARCHAR", "NULL", "ENUM")]
        if others and "VARCHAR" in names:  # DuckDB makes both of them texts
            message = f"in rows, a text against {others[0]}"
            raise reject("DP205", message, part, f"write CAST(… AS {others[0]})")
    terms = [term for a, b in pairs for term in _equal(a, b, span)]
    return terms[0] if len(terms) == 1 else make("and", tuple(terms), span)


def _equal(a: Expr, b: Expr, span: Span | None) -> tuple[Expr, ...]:
    """Equal to a constant it is not NULL: said so, an equality tells which groups there are."""
    if isinstance(b, Literal) and b.value is not None:
        known = make("not", (make("is_null", (a,), span),), span)
        return make("eq", (a, b), span), known
    return (make("is_not_distinct", (a, b), span),)
