"""A moment so many months, or so many seconds, later, where the number is no constant.

    plus_months(moment, n), plus_seconds(moment, n)    years, hours and so on are so many of these
    to_months(n), to_seconds(n)                        the intervals alone

As for constant intervals, the moment is in the years 1 to 9999, or NULL; and NULL is a number of
which more would leave the engine's range.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlglot import exp

from dpsql.core.functions.moments import add_months, as_moment, guarded
from dpsql.core.functions.spec import Args, Function, Sql, cast, coerce, fn, op
from dpsql.core.functions.temporal import few, midnights, outward
from dpsql.core.functions.typing import require, whole
from dpsql.core.plan.expr import Call
from dpsql.core.plan.values import Values
from dpsql.types import BIGINT, INTEGER, INTERVAL, TIMESTAMP, Type

MOST_MONTHS = 12_000
MOST_SECONDS = 10**11
"""The most that are added, as in constant intervals: some 1,000 and 3,170 years."""

_MICROSECONDS = 1_000_000


# --- months ---


def _months_bind(args: Args) -> tuple[Args, Type]:
    require(args, 2)
    return (coerce(args[0], TIMESTAMP), whole(INTEGER)(args, 1)), TIMESTAMP


def _months_values(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: the least moment and the least number, and the greatest; of times of day, whole days
    outward. Why: a later day and the same months never make an earlier day, and of one day each
    further month makes a later one; the time of day stays, see `temporal`.
    """
    a, n = values
    low, high = (a.low, a.high) if midnights(node.args[0]) else outward(a.low, a.high)
    return Values(_months(low, n.low), _months(high, n.high), False)


def _months(moment: datetime | None, months: int | None) -> datetime | None:
    """None for an end that is not known, or beyond Python's calendar."""
    try:
        known = moment is not None and months is not None
        return add_months(as_moment(moment), int(months)) if known else None  # type: ignore[arg-type]
    except (ValueError, OverflowError):
        return None


def _months_total(node: Call, values: tuple[Values, ...]) -> Call:
    """Claim: it cannot fail. Why: both operands are kept, or NULL, where the sum is in the engine's
    range.
    """
    moment = guarded(node, 0, values[0]).args[0]
    number = few(node.args[1], values[1], MOST_MONTHS)
    return Call(node.function, (moment, number), node.type, node.span)


def _months_sql(args: list[Sql], node: Call) -> Sql:
    """The type is written out, for who reads the SQL alone."""
    return cast(op(exp.Add, args[0], fn("to_months", args[1])), TIMESTAMP)


# --- seconds ---


def _seconds_bind(args: Args) -> tuple[Args, Type]:
    require(args, 2)
    return (coerce(args[0], TIMESTAMP), whole(BIGINT)(args, 1)), TIMESTAMP


def _seconds_values(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: the sums of the ends. Why: a sum grows with both."""
    a, n = values
    return Values(_seconds(a.low, n.low), _seconds(a.high, n.high), False)


def _seconds(moment: datetime | None, seconds: int | None) -> datetime | None:
    try:
        known = moment is not None and seconds is not None
        return as_moment(moment) + timedelta(seconds=int(seconds)) if known else None  # type: ignore[arg-type]
    except OverflowError:
        return None


def _seconds_total(node: Call, values: tuple[Values, ...]) -> Call:
    """Claim and why: those of months."""
    moment = guarded(node, 0, values[0]).args[0]
    number = few(node.args[1], values[1], MOST_SECONDS)
    return Call(node.function, (moment, number), node.type, node.span)


def _microseconds(number: Sql) -> Sql:
    """An interval of whole seconds: exact, where TO_SECONDS computes in DOUBLEs."""
    thousands = exp.Literal.number(_MICROSECONDS)
    return fn("to_microseconds", op(exp.Mul, cast(number, BIGINT), thousands))


def _seconds_sql(args: list[Sql], node: Call) -> Sql:
    return cast(op(exp.Add, args[0], _microseconds(args[1])), TIMESTAMP)


# --- the intervals alone ---


def _interval_values(node: Call, values: tuple[Values, ...]) -> Values:
    return Values(nullable=False)


def _to_months_bind(args: Args) -> tuple[Args, Type]:
    """An interval has 32 bits for its months, so no number of them fails."""
    require(args, 1)
    return (whole(INTEGER)(args, 0),), INTERVAL


def _to_months_sql(args: list[Sql], node: Call) -> Sql:
    return fn("to_months", args[0])


def _to_seconds_bind(args: Args) -> tuple[Args, Type]:
    require(args, 1)
    return (whole(BIGINT)(args, 0),), INTERVAL


def _to_seconds_total(node: Call, values: tuple[Values, ...]) -> Call:
    number = few(node.args[0], values[0], MOST_SECONDS)
    return Call(node.function, (number,), node.type, node.span)


def _to_seconds_sql(args: list[Sql], node: Call) -> Sql:
    return _microseconds(args[0])


FUNCTIONS = (
    Function("plus_months", _months_bind, _months_values, _months_sql, _months_total),
    Function("plus_seconds", _seconds_bind, _seconds_values, _seconds_sql, _seconds_total),
    Function("to_months", _to_months_bind, _interval_values, _to_months_sql),
    Function("to_seconds", _to_seconds_bind, _interval_values, _to_seconds_sql, _to_seconds_total),
)
