"""Numbers of days and of other units that are added to a moment.

A number is whole where no fraction can be in it, whatever its type: FLOOR(x / 15) is a DOUBLE.

    CAST(t AS DATE) - CAST(EXTRACT(dow FROM t) AS INTEGER)      of the dow of CAST(t AS DATE)
    DATE_TRUNC('day', t) - INTERVAL (ISODOW(t) - 1) DAY         of that of DATE_TRUNC('day', t)

Claim: the moment is the same. Why: the year, …, the day of the week of a moment are those of its
day. So what is added is told by what it is added to, and as a group key it has as many values as
there are weeks, where it would have one for each day and each day of the week.
"""

from __future__ import annotations

from dpsql.core.functions.build import make
from dpsql.core.plan.expr import Call, Expr, Literal, transform
from dpsql.types import DATE, TIMESTAMP

_ROUNDED = ("floor", "ceil", "round", "trunc")
_WHOLE = {**dict.fromkeys((*_ROUNDED, "neg"), 1), **dict.fromkeys(("add", "sub", "mul"), 2)}
"""Functions of so many arguments that are whole where these are; the first four always."""

_OF_DAYS = ("dayofweek", "isodow", "day", "dayofyear", "week", "month", "quarter", "year")


def is_whole(count: Expr) -> bool:
    """Whether a number has no fraction."""
    if count.type.is_integer:
        return True
    if not isinstance(count, Call) or _WHOLE.get(count.function) != len(count.args):
        return False
    return count.function in _ROUNDED or all(map(is_whole, count.args))


def of_that_day(moment: Expr, count: Expr) -> Expr:
    """The number, of parts of `moment` where it is of parts of what `moment` is the day of."""
    whose = _whose(_plain(moment))

    def visit(node: Expr) -> Expr:
        if not isinstance(node, Call) or node.function not in _OF_DAYS or whose is None:
            return node
        return make(node.function, (moment,), node.span) if _plain(node.args[0]) == whose else node

    return transform(count, visit)


def _plain(expr: Expr) -> Expr:
    """Without conversions that the binder inserted."""
    while isinstance(expr, Call) and expr.function == "coerce":
        expr = expr.args[0]
    return expr


def _whose(day: Expr) -> Expr | None:
    """The TIMESTAMP of which an expression is the day."""
    if not isinstance(day, Call):
        return None
    inner = _plain(day.args[-1]) if day.args else day
    if day.function == "cast" and day.type == DATE:
        return inner if inner.type == TIMESTAMP else None
    unit = day.args[0] if day.function == "date_trunc" else None
    if not isinstance(unit, Literal) or unit.value != "day":
        return None
    return inner if inner.type == TIMESTAMP else _whose(inner)
