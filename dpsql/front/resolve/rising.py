"""Expressions that rise with another one: of two rows of a group, the one with the greater x has no
smaller f(x).

Claim: sums, differences, days between and conversions rise where the arguments in which they do so
rise, and the others have one value in the group. Why: each is monotone in that argument, and so is
what is made of monotone functions; rounding keeps an order, as equal or as it was.
"""

from __future__ import annotations

from dpsql.core.plan.expr import Call, Expr
from dpsql.front.resolve.numbered_rows import Rows
from dpsql.front.resolve.window_groups import is_constant, is_fixed

_RISING = {"add": (0, 1), "sub": (0,), "date_diff": (2,), "days_between": (0,)}
"""In which arguments functions rise."""


def rises(value: Expr, order: Expr, rows: Rows, groups: set[Expr]) -> bool:
    """Whether a value rises with `order` in each group of rows."""
    value = plain(value)
    if value == plain(order) or _is_one(value, rows, groups):
        return True
    if not isinstance(value, Call):
        return False
    rising = (0,) if _is_rising_cast(value) else _RISING.get(value.function, ())
    return bool(rising) and all(
        rises(a, order, rows, groups) if i in rising else _is_one(a, rows, groups)
        for i, a in enumerate(value.args)
    )


def plain(expr: Expr) -> Expr:
    """Without conversions that the binder inserted."""
    while isinstance(expr, Call) and expr.function == "coerce":
        expr = expr.args[0]
    return expr


def _is_one(value: Expr, rows: Rows, groups: set[Expr]) -> bool:
    return is_constant(plain(value)) or is_fixed(value, rows, groups)


def _is_rising_cast(value: Call) -> bool:
    """A number as another one; a day as a moment, or a moment as its day. A text is none."""
    kinds = (value.type, value.args[0].type) if value.function == "cast" else ()
    days = {"DATE", "TIMESTAMP"}
    return bool(kinds) and (all(k.is_numeric for k in kinds) or {k.name for k in kinds} <= days)
