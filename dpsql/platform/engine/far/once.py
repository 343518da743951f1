"""What a language writes several times is made a column first, so that it is computed once.

    SELECT CASE WHEN k THEN f(x + y) END  ->  SELECT CASE WHEN k THEN f(c) END
    FROM t                                    FROM (SELECT k, x, y, CASE WHEN k THEN x + y END AS c)

Claim: the rows are the same, and nothing fails that did not. Why: the column is computed for just
those rows for which CASE computes what it stands for; it is NULL in all others. Of AND, OR and
COALESCE, which need not compute all of their parts, nothing is taken out.
"""

from __future__ import annotations

from collections.abc import Callable

from dpsql.platform.engine.far.operators import Call, Constant, Expr, Projected, Ref, types

Path = Callable[[Expr], Expr]
"""An expression where, and only where, a place in another one is computed; else NULL."""

_SOME = ("and", "or", "coalesce")


def once(plan: Projected, several: Callable[[Call], bool]) -> Projected:
    """The same rows.

    Args:
        plan: a projection.
        several: whether the arguments of a function are written several times.
    """
    columns: list[Expr] = [Ref(i, kind) for i, kind in enumerate(types(plan.below))]

    def column(expr: Expr, path: Path) -> Expr:
        if not isinstance(expr, Call):
            return expr
        if expr.name == "cast":  # what can be in a column is known by its type
            return Call("cast", (column(expr.args[0], path),), expr.type)
        made = path(expr)
        if made not in columns:
            columns.append(made)
        return Ref(columns.index(made), made.type)

    def visit(expr: Expr, path: Path) -> Expr:
        if not isinstance(expr, Call) or expr.name in _SOME:
            return expr
        if several(expr):
            return Call(expr.name, tuple(column(a, path) for a in expr.args), expr.type)
        inner = [visit(a, _within(expr, i, path)) for i, a in enumerate(expr.args)]
        return Call(expr.name, tuple(inner), expr.type)

    width = len(columns)
    items = tuple(visit(item, lambda e: e) for item in plan.items)
    return (
        plan if len(columns) == width else Projected(Projected(plan.below, tuple(columns)), items)
    )


def _within(call: Call, place: int, path: Path) -> Path:
    """Of an argument: the conditions of a CASE stand at even places, before their values."""
    if call.name != "case" or place == 0:
        return path

    def found(expr: Expr) -> Expr:
        none = Constant(None, expr.type)
        before = place - place % 2 if place < len(call.args) - 1 else place
        args = [a if i % 2 == 0 else none for i, a in enumerate(call.args[:before])]
        own = (call.args[place - 1], expr, none) if before < place else (expr,)
        return path(Call("case", (*args, *own), expr.type))

    return found
