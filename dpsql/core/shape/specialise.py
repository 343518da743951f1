"""An expression over columns of which some are known: the constant, or what is left of it.

Claim: where the known columns have these values, both expressions have the same value on every row.
Why: a part over known columns alone is replaced by what the engine itself makes of it, and then
only terms go that cannot matter: TRUE in AND, FALSE in OR, branches of CASE that are not taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

from dpsql.core.emit.evaluate import Undefined, evaluate
from dpsql.core.plan.expr import (
    Call,
    Case,
    Column,
    Expr,
    Literal,
    children,
    columns_of,
    rebuild,
    substitute,
)
from dpsql.types import BOOLEAN, Scalar

Known = Mapping[Column, bool | None]


def value_of(expr: Expr, known: Known) -> Scalar | None:
    """The value of an expression over known columns alone.

    Raises:
        LookupError: it has none that is a constant.
    """
    found = specialised(expr, known)
    if not isinstance(found, Literal):
        raise LookupError
    return found.value


def specialised(expr: Expr, known: Known) -> Expr:
    """The expression where these columns have these values."""
    read = columns_of(expr)
    ours = {c.id for c in known}
    if not read & ours:
        return expr
    if read <= ours:
        return _evaluated(expr, known)
    parts = tuple(specialised(child, known) for child in children(expr))
    expr = rebuild(expr, parts)
    if isinstance(expr, Case):
        return _case(expr)
    if isinstance(expr, Call) and expr.function in ("and", "or"):
        return _connected(expr)
    if isinstance(expr, Call) and expr.function == "coalesce":
        kept = [a for a in expr.args if not (isinstance(a, Literal) and a.value is None)]
        if not kept or isinstance(kept[0], Literal):
            return kept[0] if kept else expr.args[0]
    return expr


def _evaluated(expr: Expr, known: Known) -> Expr:
    """The constant that the engine's own arithmetic makes of it."""
    columns = [c for c in known if c.id in columns_of(expr)]
    row = tuple(known[c] for c in columns)
    try:
        (value,) = evaluate(expr, [row], columns)
    except Undefined:
        value = _NONE
    constant = _constant(value)
    if constant is not _NONE:
        return Literal(constant, expr.type, expr.span)
    return substitute(expr, {c.id: Literal(known[c], BOOLEAN) for c in columns})


_NONE: Any = object()


def _constant(value: Any) -> Any:
    """As an exact constant; `_NONE` where it is none."""
    if value is None or isinstance(value, bool | int | str | date):
        return value
    if isinstance(value, Decimal | float):
        try:
            return Fraction(value)
        except (ValueError, OverflowError):
            return _NONE
    return _NONE


def _case(case: Case) -> Expr:
    branches: list[tuple[Expr, Expr]] = []
    for condition, value in case.branches:
        if isinstance(condition, Literal):
            if condition.value is not True:
                continue
            return Case(tuple(branches), value, case.type, case.span) if branches else value
        branches.append((condition, value))
    if all(value == case.default for _, value in branches):
        return case.default
    return Case(tuple(branches), case.default, case.type, case.span)


def _connected(call: Call) -> Expr:
    """AND and OR without constants that do not matter."""
    absorbing = call.function == "or"
    kept: list[Expr] = []
    for arg in call.args:
        if not isinstance(arg, Literal) or arg.value is None:
            kept.append(arg)
        elif arg.value is absorbing:
            return arg
    if not kept:
        return Literal(not absorbing, BOOLEAN, call.span)
    if all(isinstance(arg, Literal) for arg in kept):
        return kept[0]
    return kept[0] if len(kept) == 1 else Call(call.function, tuple(kept), BOOLEAN, call.span)
