"""Times of day: constants, those of moments, and what they are compared by.

    time_constant(text)     TIME '12:30:00'
    time_of_day(moment)     CAST(moment AS TIME)
    time_us(t)              the microseconds since midnight: times are compared by these
    time_number(t)          the same, to be added up
    time_at(n)              the time so many microseconds after midnight
    make_time(h, m, s)      the time of these parts; NULL where one of them is out of its range

A column of times stays opaque else: it can be counted, and its parts can be taken (`date_parts`).
DuckDB's last time is 24:00:00, whose hour is 24.

Claim: two times are in the order of their microseconds, and equal where these are. Why: that number
is what DuckDB stores of a TIME and compares.
"""

from __future__ import annotations

from collections.abc import Callable

import duckdb
from sqlglot import exp

from dpsql.core.functions.calculator import calculator
from dpsql.core.functions.moments import MICROSECONDS, guards, plain_moment
from dpsql.core.functions.spec import (
    Args,
    Function,
    Sql,
    TypeMismatch,
    call,
    cast,
    fn,
    inside,
    named,
    op,
    plain,
    shown,
)
from dpsql.core.functions.typing import require, signature, whole
from dpsql.core.plan.expr import Call, Expr, Literal
from dpsql.core.plan.values import Values
from dpsql.types import BIGINT, TIME, VARCHAR, Type

LAST = 24 * MICROSECONDS["hour"]
"""Microseconds of the last time, 24:00:00."""


def constant(value: Literal) -> Call:
    """A text as the time that DuckDB reads in it.

    Raises:
        TypeMismatch: it reads none.
    """
    try:
        with calculator() as connection:
            text = "SELECT CAST(CAST($1 AS TIME) AS VARCHAR)"
            found = connection.execute(text, [str(value.value)]).fetchone()
    except duckdb.Error:
        found = None
    if found is None:
        raise TypeMismatch("the constant is no TIME")
    return call("time_constant", (Literal(found[0], VARCHAR),), TIME, value)


def is_constant(expr: Expr) -> bool:
    """Whether it is a constant time."""
    return isinstance(expr, Call) and expr.function == "time_constant"


def microseconds(time: Expr) -> Expr:
    """The microseconds since midnight, made of the parts of the moment where it is one's."""
    if isinstance(time, Call) and time.function == "time_constant":
        (text,) = time.args
        assert isinstance(text, Literal)
        hours, minutes, seconds = str(text.value).split(":")
        whole, _, rest = seconds.partition(".")
        second = (int(hours) * 60 + int(minutes)) * 60 + int(whole)
        return Literal(second * 10**6 + int(rest.ljust(6, "0") or 0), BIGINT, time.span)
    if isinstance(time, Call) and time.function == "make_time":
        found: Expr = Literal(0, BIGINT)
        for part, (most, unit) in zip(time.args, _PARTS, strict=True):
            known = part if isinstance(part, Literal) else inside(part, BIGINT, -1, most + 1)
            product = call("mul", (known, Literal(unit, BIGINT)), BIGINT, time)
            found = call("add", (found, product), BIGINT, time)
        return found
    return call("time_us", (time,), BIGINT, time)


def number(time: Expr) -> Expr:
    """The same as a number that may be added up."""
    return microseconds(time) if is_constant(time) else call("time_number", (time,), BIGINT, time)


def moment_of(time: Expr) -> Expr:
    """The moment whose time it is, which has the same parts; itself for others."""
    return time.args[0] if isinstance(time, Call) and time.function == "time_of_day" else time


def _opaque(node: Call, values: tuple[Values, ...]) -> Values:
    return Values(nullable=False)


def _of_moment(node: Call, values: tuple[Values, ...]) -> Values:
    return Values(nullable=not values[0].bounded)


def _of(kind: Type, gives: Type) -> Callable[[Args], tuple[Args, Type]]:
    """Typing of one argument of a type that needs no cast."""

    def typed(args: Args) -> tuple[Args, Type]:
        require(args, 1)
        if args[0].type != kind:
            raise TypeMismatch(f"it takes a {kind}")
        return args, gives

    return typed


def _since_midnight(node: Call, values: tuple[Values, ...]) -> Values:
    return Values(0, LAST, False)


def _as_time(args: list[Sql], node: Call) -> Sql:
    return cast(args[0], TIME)


def _at_sql(args: list[Sql], node: Call) -> Sql:
    """Of the moment so long after the first one of 1970; 24:00:00 as the time before it, since
    no moment has it.
    """
    last = op(exp.IntDiv, args[0], exp.Literal.number(LAST))  # 1 of 24:00:00, else 0
    return cast(fn("make_timestamp", op(exp.Sub, args[0].copy(), last)), TIME)


def _at_values(node: Call, values: tuple[Values, ...]) -> Values:
    return Values(nullable=not _in_a_day(values[0]))


def _in_a_day(n: Values) -> bool:
    return n.bounded and n.low >= 0 and n.high <= LAST


def _at_total(node: Call, values: tuple[Values, ...]) -> Expr:
    if _in_a_day(values[0]):
        return node
    return call("time_at", (inside(node.args[0], BIGINT, -1, LAST + 1),), TIME, node)


_PARTS = ((23, MICROSECONDS["hour"]), (59, MICROSECONDS["minute"]), (59, MICROSECONDS["second"]))
"""The greatest hour, minute and second, and how many microseconds one has."""


def _are_parts(values: tuple[Values, ...]) -> list[bool]:
    return [
        v.low is not None and v.high is not None and v.low >= 0 and v.high <= most
        for v, (most, _) in zip(values, _PARTS, strict=True)
    ]


def _made(node: Call, values: tuple[Values, ...]) -> Values:
    return Values(nullable=any(v.nullable for v in values) or not all(_are_parts(values)))


def _made_total(node: Call, values: tuple[Values, ...]) -> Expr:
    """Hour, minute and second in their ranges, or NULL: of these DuckDB makes a time."""
    parts = tuple(
        arg if fine else inside(arg, BIGINT, -1, most + 1)
        for arg, fine, (most, _) in zip(node.args, _are_parts(values), _PARTS, strict=True)
    )
    return call("make_time", parts, TIME, node)


FUNCTIONS = (
    named("make_time", signature(*[whole(BIGINT)] * 3, gives=TIME), _made, _made_total),
    Function("time_constant", _of(VARCHAR, TIME), _opaque, _as_time),
    Function("time_at", signature(whole(BIGINT), gives=TIME), _at_values, _at_sql, _at_total),
    Function("time_of_day", signature(plain_moment, gives=TIME), _of_moment, _as_time, guards(0)),
    Function("time_us", _of(TIME, BIGINT), _since_midnight, plain("epoch_us")),
    shown(Function("time_number", _of(TIME, BIGINT), _since_midnight, plain("epoch_us"))),
)
