"""CAST, TRY_CAST, implicit conversion, COALESCE and NULLIF.

    cast      CAST as the analyst wrote it: accepted where no value can fail, else rejected
    coerce    a conversion that the binder inserts: where a value could fail it becomes NULL
    try_cast  TRY_CAST: a value that does not fit becomes NULL

Numeric casts round monotonically, so they map the ends of a range to the ends of the result.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date, datetime
from fractions import Fraction

from sqlglot import exp

from dpsql.plan.expr import Call, Expr
from dpsql.plan.values import Values, of_type, outward, union
from dpsql.sql.functions.spec import (
    Args,
    Function,
    NotTotal,
    Sql,
    TypeMismatch,
    call,
    cast,
    coerce,
    data_type,
    fn,
)
from dpsql.sql.functions.typing import common, require
from dpsql.types import Number, Type


def convertible(source: Type, target: Type) -> bool:
    """Whether a cast between the types is modelled at all."""
    if source == target or source.name == "NULL":
        return True
    if source.is_opaque or target.is_opaque or target.name in ("ENUM", "INTERVAL", "NULL"):
        return False
    if target.name == "VARCHAR":
        return not source.is_float  # the text of a float is the engine's affair
    if source.is_string:
        return True
    if source.is_numeric and target.is_numeric:
        return True
    if source.is_boolean and target.is_integer:
        return True
    return source.is_temporal and target.is_temporal


def _rounded(value: Number, kind: Type) -> tuple[Number, Number]:
    """The two numbers of an exact type between which `value` is rounded."""
    step = Fraction(1, 10 ** (kind.scale or 0))
    return math.floor(value / step) * step, math.ceil(value / step) * step


def _numeric(a: Values, source: Type, target: Type) -> Values:
    """The range of the cast number before the target's limits are applied."""
    if target.is_float:
        low, high = (a.low, a.high) if source.is_float else outward(a.low, a.high)
        return Values(low, high, False, a.nan)
    low = None if a.low is None else _rounded(a.low, target)[0]
    high = None if a.high is None else _rounded(a.high, target)[1]
    return Values(low, high, False, a.nan)


def _succeeds(source: Type, target: Type, a: Values) -> bool:
    """Whether no possible value can make the cast fail."""
    if source == target or source.name == "NULL" or target.name == "VARCHAR":
        return True
    if source.is_numeric and target.is_numeric:
        if target.name == "DOUBLE":
            return True
        limits, result = target.limits(), _numeric(a, source, target)
        if limits is None or not result.bounded:
            return False
        return bool(limits[0] <= result.low and result.high <= limits[1])
    if source.is_boolean:
        return True
    if source.name == "TIMESTAMP" and target.name == "DATE":
        return True
    if source.name == "DATE" and target.name == "TIMESTAMP":
        return a.bounded
    return False


def _values(node: Call, values: tuple[Values, ...]) -> Values:
    (a,), source, target = values, node.args[0].type, node.type
    sure = _succeeds(source, target, a)
    if source.name == "NULL":
        return Values(nullable=True, finite=())
    if source == target:
        return a
    if source.is_numeric and target.is_numeric:
        result = _numeric(a, source, target)
        limits = target.limits()
        if limits is not None:
            low = limits[0] if result.low is None else max(result.low, limits[0])
            high = limits[1] if result.high is None else min(result.high, limits[1])
            if low > high:  # nothing fits: always NULL
                return Values(limits[0], limits[1], True)
            result = Values(low, high)
        return result.but(nullable=not sure)
    if source.is_boolean and target.is_integer:
        return Values(0, 1, False, finite=(0, 1))
    if source.is_temporal and target.is_temporal:
        to: Callable[[date], date] = _midnight if target.name == "TIMESTAMP" else _day
        low = None if a.low is None else to(a.low)
        high = None if a.high is None else to(a.high)
        finite = None if a.finite is None else tuple(to(v) for v in a.finite if isinstance(v, date))
        return Values(low, high, not sure, finite=finite)
    if source.is_string and target.name == "VARCHAR":
        return a.but(nullable=False)
    return of_type(target, nullable=not sure)


def _midnight(value: date) -> datetime:
    return value if isinstance(value, datetime) else datetime(value.year, value.month, value.day)


def _day(value: date) -> date:
    return value.date() if isinstance(value, datetime) else value


def _sql(args: list[Sql], node: Call) -> Sql:
    return cast(args[0], node.type)


def _try_sql(args: list[Sql], node: Call) -> Sql:
    return exp.TryCast(this=args[0], to=data_type(node.type))


def _total_cast(node: Call, values: tuple[Values, ...]) -> Expr:
    source, target = node.args[0].type, node.type
    if _succeeds(source, target, values[0]):
        return call("coerce", node.args, target, node)
    raise NotTotal(
        f"CAST from {source} to {target} could fail on some row",
        f"use TRY_CAST(… AS {target}), which gives NULL where the value does not fit",
    )


def _total_coerce(node: Call, values: tuple[Values, ...]) -> Expr:
    if _succeeds(node.args[0].type, node.type, values[0]):
        return node
    return call("try_cast", node.args, node.type, node)


def _total_try(node: Call, values: tuple[Values, ...]) -> Expr:
    if _succeeds(node.args[0].type, node.type, values[0]):
        return call("coerce", node.args, node.type, node)
    return node


def _one(args: Args) -> tuple[Args, Type]:
    require(args, 1)
    return args, args[0].type


def _coalesce_bind(args: Args) -> tuple[Args, Type]:
    require(args, (1, 64))
    kind = common(args, "COALESCE")
    return tuple(coerce(a, kind) for a in args), kind


def _coalesce_values(node: Call, values: tuple[Values, ...]) -> Values:
    reached: list[Values] = []
    for value in values:
        reached.append(value)
        if not value.nullable:
            break
    result = union(reached)
    return result.but(nullable=all(v.nullable for v in reached))


def _nullif_bind(args: Args) -> tuple[Args, Type]:
    require(args, 2)
    kind = common(args, "NULLIF")
    if kind.is_opaque:
        raise TypeMismatch(f"{kind} cannot be compared", 0)
    return tuple(coerce(a, kind) for a in args), kind


def _nullif_values(node: Call, values: tuple[Values, ...]) -> Values:
    return values[0].but(nullable=True)


def _plain(name: str) -> Callable[[list[Sql], Call], Sql]:
    def build(args: list[Sql], node: Call) -> Sql:
        return fn(name, *args)

    return build


FUNCTIONS = (
    Function("cast", _one, _values, _sql, _total_cast),
    Function("coerce", _one, _values, _sql, _total_coerce),
    Function("try_cast", _one, _values, _try_sql, _total_try),
    Function(
        "coalesce",
        _coalesce_bind,
        _coalesce_values,
        _plain("coalesce"),
        strict=False,
        names=("coalesce", "ifnull"),
    ),
    Function(
        "nullif",
        _nullif_bind,
        _nullif_values,
        _plain("nullif"),
        strict=False,
        names=("nullif",),
    ),
)
