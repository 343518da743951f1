"""A moment so many days, months or seconds later, where the number is no constant.

    plus_days(moment, n), plus_months(moment, n), plus_seconds(moment, n)
    to_days(n), to_months(n), to_seconds(n)    the intervals alone

Years, hours and so on are so many of these. As for constant intervals, the moment is in the years
1 to 9999, or NULL; and NULL is a number of which more would leave the engine's range.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from sqlglot import exp

from dpsql.core.functions.moments import add_months, as_moment, guarded, plain_moment
from dpsql.core.functions.spec import (
    Args,
    Function,
    Sql,
    any_interval,
    call,
    cast,
    coerce,
    fn,
    inside,
    named,
    op,
    plain,
)
from dpsql.core.functions.temporal import MOST_DAYS, midnights, outward
from dpsql.core.functions.typing import require, signature, whole
from dpsql.core.plan.expr import Call, Expr
from dpsql.core.plan.values import Values
from dpsql.types import BIGINT, DATE, INTEGER, INTERVAL, TIMESTAMP, Type

MOST_MONTHS = 12_000
MOST_SECONDS = 10**11
"""The most that are added, as in constant intervals: some 1,000 and 3,170 years."""

_MICROSECONDS = 1_000_000

Step = Callable[[date, int], date]
"""The moment so many days, months or seconds after one."""


def _days(moment: date, number: int) -> date:
    return moment + timedelta(days=number)


def _months(moment: date, number: int) -> date:
    return add_months(as_moment(moment), number)


def _seconds(moment: date, number: int) -> date:
    return as_moment(moment) + timedelta(seconds=number)


def _days_bind(args: Args) -> tuple[Args, Type]:
    """A date plus days is a date."""
    require(args, 2)
    moment = plain_moment(args, 0)
    return (moment, whole(INTEGER)(args, 1)), moment.type


def _bind(number: Type) -> Callable[[Args], tuple[Args, Type]]:
    def bind(args: Args) -> tuple[Args, Type]:
        require(args, 2)
        return (coerce(args[0], TIMESTAMP), whole(number)(args, 1)), TIMESTAMP

    return bind


def _end(step: Step, moment: date | None, number: int | None) -> date | None:
    """None for an end that is not known, or beyond Python's calendar."""
    try:
        return None if moment is None or number is None else step(moment, int(number))
    except (ValueError, OverflowError):
        return None


def _sums(step: Step) -> Callable[[Call, tuple[Values, ...]], Values]:
    """Claim: the sums of the ends. Why: a sum grows with both."""

    def values(node: Call, args: tuple[Values, ...]) -> Values:
        a, n = args
        return Values(_end(step, a.low, n.low), _end(step, a.high, n.high), False)

    return values


def _months_values(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: the least moment and the least number, and the greatest; of times of day, whole days
    outward. Why: a later day and the same months never make an earlier day, and of one day each
    further month makes a later one; the time of day stays, see `temporal`.
    """
    a, n = values
    low, high = (a.low, a.high) if midnights(node.args[0]) else outward(a.low, a.high)
    return Values(_end(_months, low, n.low), _end(_months, high, n.high), False)


def _few(arg: Expr, values: Values, most: int) -> Expr:
    """The number, or NULL where it is more than are added."""
    if values.bounded and values.low >= -most and values.high <= most:
        return arg
    return inside(arg, arg.type, -most - 1, most + 1)


def _total(most: int) -> Callable[[Call, tuple[Values, ...]], Call]:
    """Claim: it cannot fail. Why: both operands are kept, or NULL, where the sum is in the engine's
    range.
    """

    def total(node: Call, values: tuple[Values, ...]) -> Call:
        moment = guarded(node, 0, values[0]).args[0]
        number = _few(node.args[1], values[1], most)
        return call(node.function, (moment, number), node.type, node)

    return total


def _days_sql(args: list[Sql], node: Call) -> Sql:
    """The type is written out, for who reads the SQL alone; so it is below."""
    moment, days = args
    return cast(op(exp.Add, moment, days if node.type == DATE else fn("to_days", days)), node.type)


def _months_sql(args: list[Sql], node: Call) -> Sql:
    return cast(op(exp.Add, args[0], fn("to_months", args[1])), TIMESTAMP)


def _microseconds(number: Sql) -> Sql:
    """An interval of whole seconds: exact, where TO_SECONDS computes in DOUBLEs."""
    thousands = exp.Literal.number(_MICROSECONDS)
    return fn("to_microseconds", op(exp.Mul, cast(number, BIGINT), thousands))


def _seconds_sql(args: list[Sql], node: Call) -> Sql:
    return cast(op(exp.Add, args[0], _microseconds(args[1])), TIMESTAMP)


def _to_seconds_total(node: Call, values: tuple[Values, ...]) -> Call:
    number = _few(node.args[0], values[0], MOST_SECONDS)
    return call(node.function, (number,), node.type, node)


def _to_seconds_sql(args: list[Sql], node: Call) -> Sql:
    return _microseconds(args[0])


# An interval has 32 bits for its days, and for its months: no number of them fails.
_OF_INTEGER = signature(whole(INTEGER), gives=INTERVAL)
_OF_BIGINT = signature(whole(BIGINT), gives=INTERVAL)

FUNCTIONS = (
    Function("plus_days", _days_bind, _sums(_days), _days_sql, _total(MOST_DAYS)),
    Function("plus_months", _bind(INTEGER), _months_values, _months_sql, _total(MOST_MONTHS)),
    Function("plus_seconds", _bind(BIGINT), _sums(_seconds), _seconds_sql, _total(MOST_SECONDS)),
    named("to_days", _OF_INTEGER, any_interval),
    Function("to_months", _OF_INTEGER, any_interval, plain("to_months")),
    Function("to_seconds", _OF_BIGINT, any_interval, _to_seconds_sql, _to_seconds_total),
)
