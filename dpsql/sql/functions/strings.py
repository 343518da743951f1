"""Strings. All total on any valid string, in time linear in its length. Characters are Unicode code
points, as in DuckDB.

SUBSTRING takes constant positions: DuckDB refuses offsets beyond 2^32, and a constant keeps the
result's meaning public.
"""

from __future__ import annotations

from sqlglot import exp

from dpsql.plan.expr import Call, Literal
from dpsql.plan.values import Values
from dpsql.sql.functions.spec import (
    Args,
    Function,
    Sql,
    TypeMismatch,
    coerce,
    plain,
)
from dpsql.sql.functions.string_length import bounded
from dpsql.sql.functions.typing import integer_constant, require
from dpsql.types import BIGINT, VARCHAR, Type

_POSITION_LIMIT = 1_000_000
_LENGTH_LIMIT = 2**32
_MAX_PARTS = 64


def _string(arg: Args, index: int) -> None:
    kind = arg[index].type
    if not kind.is_string and kind.name != "NULL":
        raise TypeMismatch(f"needs a string, not {kind}", index)


def _one(args: Args) -> tuple[Args, Type]:
    require(args, 1)
    _string(args, 0)
    return (coerce(args[0], VARCHAR),), VARCHAR


def _length_bind(args: Args) -> tuple[Args, Type]:
    return _one(args)[0], BIGINT


def _any_string(node: Call, values: tuple[Values, ...]) -> Values:
    return Values(nullable=False)


def _length_values(node: Call, values: tuple[Values, ...]) -> Values:
    finite = values[0].finite
    if finite is not None and finite and all(isinstance(v, str) for v in finite):
        lengths = [len(v) for v in finite if isinstance(v, str)]
        return Values(min(lengths), max(lengths), False)
    longest = values[0].longest
    return Values(0, _LENGTH_LIMIT if longest is None else longest, False)


def _substring_bind(args: Args) -> tuple[Args, Type]:
    require(args, (2, 3))
    _string(args, 0)
    integer_constant(args[1], 1, -_POSITION_LIMIT, _POSITION_LIMIT)
    if len(args) == 3:
        integer_constant(args[2], 2, 0, _POSITION_LIMIT)
    return (coerce(args[0], VARCHAR), *args[1:]), VARCHAR


def _trim_bind(args: Args) -> tuple[Args, Type]:
    require(args, (1, 2))
    _string(args, 0)
    if len(args) == 2 and not (isinstance(args[1], Literal) and isinstance(args[1].value, str)):
        raise TypeMismatch("needs a constant set of characters to trim", 1)
    return tuple(coerce(a, VARCHAR) for a in args), VARCHAR


def _concat_bind(args: Args) -> tuple[Args, Type]:
    require(args, (1, _MAX_PARTS))
    for index in range(len(args)):
        _string(args, index)
    return tuple(coerce(a, VARCHAR) for a in args), VARCHAR


def _concat_sql(args: list[Sql], node: Call) -> Sql:
    result = args[0]
    for part in args[1:]:
        result = exp.DPipe(this=result, expression=part)
    return exp.Paren(this=result)


FUNCTIONS = (
    Function("lower", _one, _any_string, plain("lower"), names=("lower", "lcase")),
    Function("upper", _one, _any_string, plain("upper"), names=("upper", "ucase")),
    Function(
        "length",
        _length_bind,
        _length_values,
        plain("length"),
        names=("length", "len", "char_length", "character_length"),
    ),
    Function(
        "substring",
        _substring_bind,
        _any_string,
        plain("substring"),
        names=("substring", "substr"),
    ),
    Function("trim", _trim_bind, _any_string, plain("trim"), names=("trim",)),
    Function("ltrim", _trim_bind, _any_string, plain("ltrim"), names=("ltrim",)),
    Function("rtrim", _trim_bind, _any_string, plain("rtrim"), names=("rtrim",)),
    Function("concat", _concat_bind, _any_string, _concat_sql, bounded),
)
