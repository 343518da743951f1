"""What the allow-list says about a function: one `Function` each, and nothing is known elsewhere.

    bind    argument types in, coerced arguments and result type out (TypeMismatch otherwise)
    values  what the result can be, given what the arguments can be (the range rule)
    strict  NULL in, NULL out (then `values` need not think of NULL)
    total   the same call in a form that cannot fail on any row (the totality rule)
    sql     how the engine is told

A function may be here only if it is deterministic and its time does not depend on a row's value by
more than the length of that value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from sqlglot import exp

from dpsql.plan.expr import Call, Expr, Literal
from dpsql.plan.values import Values
from dpsql.types import Type

Args = tuple[Expr, ...]
Sql = exp.Expr


class TypeMismatch(Exception):  # noqa: N818  (an outcome, turned into a diagnostic by the binder)
    """The function does not take such arguments; `argument` is the one to blame, if one is."""

    def __init__(self, message: str, argument: int | None = None) -> None:
        self.message, self.argument = message, argument
        super().__init__(message)


class NotTotal(Exception):  # noqa: N818  (an outcome, turned into a diagnostic)
    """No form of the call is known that cannot fail on some row."""

    def __init__(self, message: str, help: str | None = None) -> None:
        self.message, self.help = message, help
        super().__init__(message)


def _unchanged(call: Call, values: tuple[Values, ...]) -> Expr:
    return call


@dataclass(frozen=True, slots=True)
class Function:
    """An entry of the allow-list. `names` are the spellings that SQL text may use for a call.

    `reads_values` is False for comparisons and tests: their operands may stay unclamped, since
    their result is a boolean whatever the operand is.
    """

    name: str
    bind: Callable[[Args], tuple[Args, Type]]
    values: Callable[[Call, tuple[Values, ...]], Values]
    sql: Callable[[list[Sql], Call], Sql]
    total: Callable[[Call, tuple[Values, ...]], Expr] = _unchanged
    strict: bool = True
    reads_values: bool = True
    names: tuple[str, ...] = ()


def call(function: str, args: Args, kind: Type, like: Expr | None = None) -> Call:
    """A call with the span of `like`."""
    return Call(function, args, kind, None if like is None else like.span)


def coerce(expr: Expr, kind: Type) -> Expr:
    """`expr` as a `kind`, by an implicit cast where it is not one; a cast that cannot fail."""
    if expr.type == kind:
        return expr
    if isinstance(expr, Literal):
        if expr.value is None:
            return replace(expr, type=kind)
        if kind.is_exact and expr.type.is_exact and fits(expr.value, kind):
            return replace(expr, type=kind)
    return call("coerce", (expr,), kind, expr)


def fits(value: object, kind: Type) -> bool:
    """Whether a numeric constant is representable in an exact type without rounding."""
    limits = kind.limits()
    if limits is None or isinstance(value, bool) or not hasattr(value, "numerator"):
        return False
    scaled = value * 10 ** (kind.scale or 0)  # type: ignore[operator]
    return scaled.denominator == 1 and limits[0] <= value <= limits[1]  # type: ignore[attr-defined, operator, no-any-return]


def fn(name: str, *args: Sql) -> Sql:
    """A plain function call in SQL."""
    return exp.Anonymous(this=name, expressions=list(args))


def op(node: type[exp.Binary], left: Sql, right: Sql) -> Sql:
    """A parenthesised binary operator in SQL."""
    return exp.Paren(this=node(this=left, expression=right))


def data_type(kind: Type) -> exp.DataType:
    """A SQL type."""
    return exp.DataType.build(str(kind), dialect="duckdb")


def cast(value: Sql, kind: Type) -> Sql:
    """CAST(value AS kind)."""
    return exp.Cast(this=value, to=data_type(kind))
