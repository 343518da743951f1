"""Comparisons, tests and boolean connectives. All are total; none needs a bound."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from dpsql.core.functions.elapsed import microseconds
from dpsql.core.functions.spec import (
    Args,
    Function,
    Sql,
    TypeMismatch,
    any_boolean,
    coerce,
    not_null,
    operator,
)
from dpsql.core.functions.temporal import midnights
from dpsql.core.functions.typing import common, need, require, string
from dpsql.core.plan.expr import Call, Expr, Literal
from dpsql.types import BOOLEAN, DATE, TIMESTAMP, Type


def _comparable(args: Args) -> tuple[Args, Type]:
    require(args, 2)
    kind = common(args, "comparison")
    if kind.is_opaque:
        raise TypeMismatch(f"{kind} cannot be compared", 0)
    if kind.name == "INTERVAL" and not any(map(_is_age, args)):
        return tuple(map(microseconds, args)), BOOLEAN
    days = tuple(map(_day, args))
    if kind == TIMESTAMP and all(map(midnights, args)) and any(d.type == DATE for d in days):
        return tuple(coerce(day, DATE) for day in days), BOOLEAN
    return tuple(coerce(a, kind) for a in args), BOOLEAN


def _day(arg: Expr) -> Expr:
    """The day of which a moment is the midnight. Claim: midnights compare as their days do. So
    `days.day = date_trunc('day', placed)` says a day, which a table may have once.
    """
    while isinstance(arg, Call) and arg.function in ("coerce", "cast") and midnights(arg.args[0]):
        arg = arg.args[0]
    return arg


def _is_age(arg: Expr) -> bool:
    """DuckDB compares intervals by their microseconds, with months of 30 days, and cannot fail; an
    age may have months, and is left to it.
    """
    return isinstance(arg, Call) and arg.function == "age"


def _booleans(args: Args) -> tuple[Args, Type]:
    for index, arg in enumerate(args):
        need(args, index, arg.type.is_boolean, "a condition")
    return tuple(coerce(a, BOOLEAN) for a in args), BOOLEAN


def _members(args: Args) -> tuple[Args, Type]:
    kind = common(args, "IN list")
    return tuple(coerce(a, kind) for a in args), BOOLEAN


def _anything(args: Args) -> tuple[Args, Type]:
    require(args, 1)
    return args, BOOLEAN


MAX_PATTERN = 256
MAX_FLOATING = 8


def _pattern(arg: Expr) -> None:
    """Patterns whose matching takes time linear in the string.

    The engine looks for the pieces between % one after another, without going back. A piece with _
    in it, though, is compared afresh at each position: at most MAX_FLOATING of them keeps that
    within a few times a plain search (measured: 20 of them 10 times, on strings that match often).
    """
    if not isinstance(arg, Literal):
        raise TypeMismatch("needs a constant pattern", 1)
    if not isinstance(arg.value, str):
        return
    if len(arg.value) > MAX_PATTERN:
        raise TypeMismatch(f"a pattern of more than {MAX_PATTERN} characters", 1)
    pieces = arg.value.split("%")
    if any(piece.count("_") > MAX_FLOATING for piece in pieces[1:]):
        raise TypeMismatch(f"more than {MAX_FLOATING} _ in one piece after a %", 1)


def _strings(args: Args) -> tuple[Args, Type]:
    require(args, 2)
    _pattern(args[1])
    return tuple(string(args, index) for index in range(2)), BOOLEAN


def _connective(node: type[exp.Binary]) -> Callable[[list[Sql], Call], Sql]:
    def build(args: list[Sql], call: Call) -> Sql:
        result = args[0]
        for term in args[1:]:
            result = node(this=result, expression=term)
        return exp.Paren(this=result)

    return build


def _is_null(args: list[Sql], call: Call) -> Sql:
    return exp.Paren(this=exp.Is(this=args[0], expression=exp.Null()))


def _not(args: list[Sql], call: Call) -> Sql:
    inner = args[0].this if isinstance(args[0], exp.Paren) else args[0]
    if isinstance(inner, exp.Is) and isinstance(inner.expression, exp.Null):
        return not_null(inner.this)
    return exp.Paren(this=exp.Not(this=args[0]))


def _in(args: list[Sql], call: Call) -> Sql:
    return exp.Paren(this=exp.In(this=args[0], expressions=args[1:]))


def _compare(name: str, node: type[exp.Binary]) -> Function:
    return Function(name, _comparable, any_boolean, operator(node), reads_values=False)


FUNCTIONS = (
    _compare("eq", exp.EQ),
    _compare("ne", exp.NEQ),
    _compare("lt", exp.LT),
    _compare("le", exp.LTE),
    _compare("gt", exp.GT),
    _compare("ge", exp.GTE),
    Function(
        "is_not_distinct",
        _comparable,
        any_boolean,
        operator(exp.NullSafeEQ),
        strict=False,
        reads_values=False,
    ),
    # AND/OR are not strict (FALSE AND NULL is FALSE), but NULL only where an operand can be NULL.
    Function("and", _booleans, any_boolean, _connective(exp.And), reads_values=False),
    Function("or", _booleans, any_boolean, _connective(exp.Or), reads_values=False),
    Function("not", _booleans, any_boolean, _not, reads_values=False),
    Function("is_null", _anything, any_boolean, _is_null, strict=False, reads_values=False),
    Function("in", _members, any_boolean, _in, reads_values=False),
    Function(
        "like",
        _strings,
        any_boolean,
        operator(exp.Like),
        reads_values=False,
        timing="linear in the string's length; a piece with _ after a % up to 5 times a plain one",
    ),
    Function(
        "ilike",
        _strings,
        any_boolean,
        operator(exp.ILike),
        reads_values=False,
        timing="as like",
    ),
)
