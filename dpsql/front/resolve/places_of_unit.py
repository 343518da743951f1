"""MEDIAN, QUANTILE_DISC and QUANTILE_CONT of one unit's rows: what is at a place in their order.

    SELECT customer, MEDIAN(x) AS m FROM t GROUP BY customer
    SELECT customer, MIN((low + high) / 2) AS m FROM (
      SELECT *, MIN(CASE WHEN place = floor((n + 1) / 2) THEN x END) OVER (PARTITION BY customer)
        AS low, MIN(CASE WHEN place = ceil((n + 1) / 2) THEN x END) OVER … AS high FROM (
        SELECT customer, x, COUNT(x) OVER (PARTITION BY customer) AS n,
          ROW_NUMBER() OVER (PARTITION BY customer ORDER BY x IS NULL, x) AS place FROM t))
    GROUP BY customer

Claim: it is DuckDB's answer. Why: values that are not NULL come first, so the places from 1 to n
are theirs, and equal values are the same at whichever of their places. DuckDB computes the place
of a fraction p as a DOUBLE: n - floor(n - p n), at least 1, of a discrete quantile; 1 + p (n - 1)
of a continuous one, which is `low (1 - f) + high f` with f what is over the whole place (of
DECIMALs `low + (high - low) f`, cut to a whole step; of moments, and of days as their beginnings,
the same in microseconds, the nearest). It is not outside of low and high but for rounding, so it is
kept between them: what bounds x bounds it.
Source: Hyndman and Fan, "Sample Quantiles in Statistical Packages" (1996), types 1 and 7.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from dpsql.core.functions.build import make
from dpsql.core.functions.elapsed import EPOCH, microseconds_between
from dpsql.core.functions.spec import coerce
from dpsql.core.plan.expr import Call, Column, Expr, Literal, Ref, null_unless
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import AggregateCall, Plan, SortKey, Window, WindowCall
from dpsql.errors import Span
from dpsql.types import BIGINT, DOUBLE, TIMESTAMP, Type

_ONE = Literal(Fraction(1), DOUBLE)
_STEPS = 15
"""Digits of a DECIMAL whose whole steps a DOUBLE holds."""


@dataclass(slots=True)
class Windows:
    """What numbers and counts the rows of each group, and what is read off that: windows below.

    Attributes:
        partition: the group's keys.
        ids: new columns.
        most: rows of a group, as far as they are declared; None where that is not asked.
        first, then: the windows so far, each with its column; `then` reads those of `first`.
    """

    partition: tuple[Expr, ...]
    ids: Ids
    most: int | None = None
    first: list[tuple[Column, WindowCall]] = field(default_factory=list)
    then: list[tuple[Column, WindowCall]] = field(default_factory=list)

    def number(
        self,
        function: str,
        arguments: tuple[Expr, ...],
        order: tuple[SortKey, ...] = (),
        more: tuple[Expr, ...] = (),
    ) -> Expr:
        """Of each row of a group, or of those with the same `more`: one column for equal calls."""
        call = WindowCall(function, arguments, (*self.partition, *more), order, None)
        for column, known in self.first:
            if known == call:
                return Ref(column)
        self.first.append((self.ids.column(function, BIGINT), call))
        return Ref(self.first[-1][0])

    def read(
        self, name: str, function: str, value: Expr, order: tuple[SortKey, ...], span: Span | None
    ) -> Expr:
        """One value of a group, in each of its rows."""
        call = WindowCall(function, (value,), self.partition, order, None, span)
        self.then.append((self.ids.column(name, value.type), call))
        return Ref(self.then[-1][0], span)

    def below(self, plan: Plan) -> Plan:
        """The rows with all of them."""
        for calls in (self.first, self.then):
            plan = Window(plan, tuple(calls)) if calls else plan
        return plan


def place_value(call: AggregateCall, kind: Type, windows: Windows) -> Expr | None:
    """What all of a group's rows that have it know as its quantile; None for other calls."""
    value = call.argument
    if value is None or call.distinct or not _is_placed(call, kind):
        return None
    (fraction,) = call.parameters or (Fraction(1, 2),)
    assert isinstance(fraction, Fraction | int)
    known = SortKey(make("is_null", (value,), None), False, False)
    place = coerce(windows.number("row_number", (), (known, SortKey(value, False, False))), DOUBLE)
    count = coerce(windows.number("count", (value,)), DOUBLE)

    def there(place_of: Expr, shown: Expr = value) -> Expr:
        return null_unless(make("eq", (place, place_of), None), shown)

    if call.function == "quantile_disc" or not (kind.is_numeric or kind.is_temporal):
        return there(_discrete(count, fraction))
    shown = coerce(value, kind) if kind.is_temporal else value
    exact = _continuous(count, fraction)
    whole, above = make("floor", (exact,), None), make("ceil", (exact,), None)
    low = windows.read("low", "min", there(_next(whole), shown), (), call.span)
    high = windows.read("high", "min", there(_next(above), shown), (), call.span)
    return _between(low, high, make("sub", (exact, whole), None), kind)


def _is_placed(call: AggregateCall, kind: Type) -> bool:
    assert call.argument is not None
    if (
        call.function not in ("median", "quantile_cont", "quantile_disc")
        or len(call.parameters) > 1
    ):
        return False
    own = call.argument.type
    if call.function == "quantile_disc" or not (own.is_numeric or own.is_temporal):
        return kind == own  # not a list of one
    if own.is_temporal:
        return kind == TIMESTAMP
    return kind.is_float or (kind.is_decimal and (kind.precision or 0) <= _STEPS)


def _discrete(count: Expr, fraction: Fraction | int) -> Expr:
    """The place of a discrete quantile."""
    share = make("mul", (Literal(Fraction(fraction), DOUBLE), count), None)
    rest = make("floor", (make("sub", (count, share), None),), None)
    return make("greatest", (make("sub", (count, rest), None), _ONE), None)


def _continuous(count: Expr, fraction: Fraction | int) -> Expr:
    """The place of a continuous quantile, counted from 0, which may be between two."""
    others = make("sub", (count, _ONE), None)
    return make("mul", (others, Literal(Fraction(fraction), DOUBLE)), None)


def _next(place: Expr) -> Expr:
    return make("add", (place, _ONE), None)


def _between(low: Expr, high: Expr, over: Expr, kind: Type) -> Expr:
    """What is that much over `low`, of the way to `high`; they are NULL together."""
    there = [make("not", (make("is_null", (e,), None),), None) for e in (low, high)]
    if kind.is_decimal:
        step = Literal(Fraction(1, 10 ** (kind.scale or 0)), kind)
        steps = make("div", (make("sub", (high, low), None), step), None)
        whole = make("floor", (make("mul", (steps, over), None),), None)
        found = make("add", (low, Call("cast", (make("mul", (whole, step), None),), kind)), None)
    elif kind.is_temporal:
        passed = coerce(microseconds_between(high, low), DOUBLE)
        steps = make("round", (make("mul", (passed, over), None),), None)
        steps = Call("try_cast", (steps,), BIGINT)
        start = microseconds_between(low, EPOCH)
        found = make("make_timestamp", (make("add", (start, steps), None),), None)
    else:
        low, high = coerce(low, DOUBLE), coerce(high, DOUBLE)
        rest = make("sub", (_ONE, over), None)
        parts = make("mul", (low, rest), None), make("mul", (high, over), None)
        found = make("add", parts, None)
    kept = make("least", (make("greatest", (found, low), None), high), None)
    return null_unless(make("and", tuple(there), None), coerce(kept, kind))
