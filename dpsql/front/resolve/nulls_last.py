"""A quantile of values of which NULLs are the last.

    x at the place ⌈p·n⌉ of n rows, NULLs last      NULLIF(QUANTILE_DISC(COALESCE(x, top), p), top)

Claim: both are the same where `top` is above each x. Why: in place of the NULLs there are values
that come last, as they do, and that no x is; the row at ⌈p·n⌉ is the same, and has `top` where it
had NULL. The least x from there on is that of this row, and none where it is NULL.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from fractions import Fraction

from dpsql.core.functions.build import make
from dpsql.core.functions.spec import fits
from dpsql.core.infer.ranges import Environment, infer
from dpsql.core.plan.expr import Expr, Literal
from dpsql.core.plan.nodes import AggregateCall
from dpsql.errors import Span


@dataclass(frozen=True, slots=True)
class Taken:
    """Of what a quantile is taken: a value, and what NULLs are taken for; None where there are
    none.
    """

    value: Expr
    last: Literal | None

    def quantile(self, fraction: Fraction, span: Span | None) -> AggregateCall:
        """The aggregate."""
        value = self.value
        if self.last is not None:
            value = make("coalesce", (value, self.last), span)
        return AggregateCall("quantile_disc", value, span, parameters=(fraction,))

    def found(self, answer: Expr) -> Expr:
        """The value that its answer stands for."""
        return answer if self.last is None else make("nullif", (answer, self.last), answer.span)


def beyond(value: Expr, env: Environment) -> Literal | None:
    """The next day, or whole number, after all values; None where nothing bounds them."""
    top = infer(value, env).high
    if value.type.name == "DATE" and isinstance(top, date) and not isinstance(top, datetime):
        return None if top == date.max else Literal(top + timedelta(days=1), value.type)
    if not value.type.is_integer or not isinstance(top, int | Fraction):
        return None
    after = top.numerator // top.denominator + 1
    return Literal(after, value.type) if fits(after, value.type) else None
