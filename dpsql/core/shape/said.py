"""What the conditions on rows say of an expression as a whole, where it is aggregated.

    AVG(DATE_DIFF('day', a, b)) … WHERE DATE_DIFF('day', a, b) BETWEEN 0 AND 100
    AVG(LEAST(GREATEST(DATE_DIFF('day', a, b), 0), 100)) …

Claim: the answer is the same. Why: in rows in which the conditions are TRUE the expression is not
NULL and has these ends. Privacy does not rest on it: the ends are in what is printed, and are true
of any value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpsql.core.functions.build import make
from dpsql.core.functions.enforcing import bound
from dpsql.core.infer.ranges import Environment, infer, narrow
from dpsql.core.plan.expr import (
    Call,
    Case,
    Column,
    Expr,
    Ref,
    children,
    columns_of,
    conjuncts,
    rebuild,
    transform,
    walk,
)
from dpsql.core.plan.values import Values, comparable

Terms = tuple[Expr, ...]

_ANY = -1
"""The number of no column."""


def spoken_of(expr: Expr, terms: Terms) -> bool:
    """Whether conditions, or those of a CASE in the expression, have a part of it in them."""
    inner = [c for node in walk(expr) if isinstance(node, Case) for c, _ in node.branches]
    known = {node for term in (*terms, *inner) for node in walk(term) if _ordered(node)}
    return any(node in known for node in walk(expr))


def bounded(expr: Expr, terms: Terms, env: Environment) -> Expr:
    """The expression with its parts between the ends that conditions say.

    Args:
        expr: over rows.
        terms: what is TRUE of each row.
        env: what else is known of the columns; ends that follow from it are not written.
    """
    if isinstance(expr, Case):
        branches = tuple(
            (condition, bounded(value, (*terms, *conjuncts(condition)), env))
            for condition, value in expr.branches
        )
        return Case(branches, bounded(expr.default, terms, env), expr.type, expr.span)
    said = said_of(expr, terms) if _ordered(expr) else None
    # Of NULL, LEAST and GREATEST would make an end.
    made = expr if said is None or said.nullable else _between(expr, said, infer(expr, env))
    if made is not expr or not children(expr):
        return made
    return rebuild(expr, tuple(bounded(part, terms, env) for part in children(expr)))


def _ordered(expr: Expr) -> bool:
    return isinstance(expr, Call) and (expr.type.is_numeric or expr.type.is_temporal)


def said_of(expr: Expr, terms: Terms) -> Values:
    """What the conditions say of it, taken for a column and compared with constants."""
    column = Column(_ANY, "", expr.type)
    env: Mapping[int, Values] = {_ANY: Values(nan=expr.type.is_float)}
    for term in terms:
        moved = transform(term, lambda node: Ref(column) if node == expr else node)
        if columns_of(moved) == {_ANY}:
            env = narrow(moved, env)
    return env[_ANY]


def _between(expr: Expr, said: Values, known: Values) -> Expr:
    """`expr` with the ends that are said, where these are within those that are known."""
    for name, end, before, sign in (
        ("greatest", said.low, known.low, -1),
        ("least", said.high, known.high, 1),
    ):
        if end is not None and (before is None or _beyond(before, end, sign)):
            expr = make(name, (expr, bound(end, expr.type, sign)), expr.span)
    return expr


def _beyond(before: Any, end: Any, sign: int) -> bool:
    """Whether an end that was known lies farther out."""
    a, b = comparable(before), comparable(end)
    return bool(a > b if sign > 0 else a < b)
