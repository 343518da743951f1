"""What is said of a value, as a condition: `x IN (1, 2)`, `x BETWEEN 1 AND 9`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from dpsql.core.functions.build import make
from dpsql.core.infer.image import MAX_IMAGE
from dpsql.core.plan.expr import Expr, Literal
from dpsql.core.plan.values import Values
from dpsql.types import BOOLEAN, VARCHAR, Scalar, Type


def narrower(expr: Expr, said: Values, listed: Values) -> list[Expr]:
    """The condition that takes away the values of a public list that are said not to be there; none
    where that is not known to be any.

    Args:
        expr: what is listed.
        said: what it can be in private rows, by the policy and the query.
        listed: what it can be in the list.
    """
    known = said.finite is not None and len(said.finite) <= MAX_IMAGE
    if known and (listed.finite is None or set(said.finite or ()) < set(listed.finite)):
        term = among(expr, said.finite or ())
    elif expr.type.is_integer and said.bounded and not listed.within(said):
        term = between(expr, said.low, said.high)
    else:
        return []
    null = make("is_null", (expr,), None)
    return [make("or", (term, null), None) if said.nullable else term]


def among(expr: Expr, values: Sequence[Scalar]) -> Expr:
    """expr IN values, as a range where they are consecutive whole numbers or dates."""
    if not values:
        return Literal(False, BOOLEAN)
    if len(values) > 2 and _consecutive(values):
        return between(expr, values[0], values[-1])
    constants = [Literal(v, _constant_type(v, expr.type)) for v in values]
    return make("in", (expr, *constants), None)


def between(expr: Expr, low: Scalar, high: Scalar) -> Expr:
    """Both ends included."""
    ends = (make("ge", (expr, Literal(low, expr.type)), None),)
    return make("and", (*ends, make("le", (expr, Literal(high, expr.type)), None)), None)


def _constant_type(value: Scalar, kind: Type) -> Type:
    return VARCHAR if kind.name == "ENUM" and isinstance(value, str) else kind


def _consecutive(values: Sequence[Scalar]) -> bool:
    kinds = set(map(type, values))
    if kinds == {date}:
        numbers = [v.toordinal() for v in values if isinstance(v, date)]
    else:
        numbers = [v for v in values if isinstance(v, int)] if kinds == {int} else []
    return bool(numbers) and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
