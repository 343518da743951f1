"""ISNAN, ISINF and ISFINITE; and CAST to FLOAT, which goes on as the DOUBLE of the same value."""

from __future__ import annotations

import struct
from collections.abc import Callable
from fractions import Fraction

from dpsql.core.functions.arithmetic import numbers
from dpsql.core.functions.spec import (
    Args,
    Function,
    NotTotal,
    Sql,
    any_boolean,
    call,
    cast,
    inside,
    named,
)
from dpsql.core.functions.typing import as_double, require, signature
from dpsql.core.plan.expr import Call, Expr
from dpsql.core.plan.values import Values, next_down, next_up
from dpsql.types import BOOLEAN, DOUBLE, Number, Type

FLOAT = Type("FLOAT")
LARGEST = Fraction((2**24 - 1) * 2**104)
"""The greatest FLOAT."""


def _test_bind(args: Args) -> tuple[Args, Type]:
    require(args, 1)
    if args[0].type.is_temporal:
        return args, BOOLEAN
    return (as_double(args, 0),), BOOLEAN


def _test(name: str, bind: Callable[[Args], tuple[Args, Type]]) -> Function:
    return named(name, bind, any_boolean, reads_values=False)


def _single_bind(args: Args) -> tuple[Args, Type]:
    require(args, 1)
    numbers(args)
    return args, DOUBLE


def _single(value: Number) -> Number:
    """The nearest FLOAT, by way of the nearest DOUBLE."""
    near = min(max(float(value), -float(LARGEST)), float(LARGEST))
    return Fraction(struct.unpack("f", struct.pack("f", near))[0])


def _single_values(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: the ends rounded to FLOAT; of a number of many digits, and 2^-22 of it more. Why:
    rounding is monotone, once or by way of DOUBLE; DuckDB divides the digits of a DECIMAL by
    10^scale in FLOAT, each with an error of 2^-24.
    """
    (a,), kind = values, node.args[0].type
    margin = 0 if kind.is_float or kind.is_integer else Fraction(1, 2**21)
    if a.low is None or a.high is None:
        return Values(None, None, False, a.nan)
    low, high = (Fraction(_single(e)) for e in (a.low, a.high))
    return Values(low - abs(low) * margin, high + abs(high) * margin, False, a.nan)


def _single_total(node: Call, values: tuple[Values, ...]) -> Expr:
    """A DOUBLE within the range of FLOAT; the infinities and NaN are FLOATs too."""
    (a,), (arg,) = values, node.args
    if arg.type.name != "DOUBLE" or (a.bounded and a.magnitude <= LARGEST):
        return node
    if node.function == "single":
        raise NotTotal(
            "CAST from DOUBLE to FLOAT could fail on some row",
            "use TRY_CAST(… AS FLOAT), which gives NULL where the value does not fit",
        )
    fitting = inside(arg, DOUBLE, next_down(-LARGEST), next_up(LARGEST))
    return call("single", (fitting,), DOUBLE, node)


def _single_sql(args: list[Sql], node: Call) -> Sql:
    return cast(cast(args[0], FLOAT), DOUBLE)


FUNCTIONS = (
    _test("isnan", signature(as_double, gives=BOOLEAN)),
    _test("isinf", _test_bind),
    _test("isfinite", _test_bind),
    Function("single", _single_bind, _single_values, _single_sql, _single_total),
    Function("try_single", _single_bind, _single_values, _single_sql, _single_total),
)
