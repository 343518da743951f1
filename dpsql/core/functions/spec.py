"""What the allow-list says about a function: one `Function` each, and nothing is known elsewhere.

    bind    argument types in, coerced arguments and result type out (TypeMismatch otherwise)
    values  what the result can be, given what the arguments can be (the range rule)
    strict  NULL in, NULL out (then `values` need not think of NULL)
    total   the same call in a form that cannot fail on any row (the totality rule)
    sql     how the engine is told

A function may be here only if it is deterministic and its time does not depend on a row's value by
more than the length of that value; where it does, `timing` says by how much it was measured to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from sqlglot import exp

from dpsql.core.plan.expr import Call, Expr, Literal
from dpsql.core.plan.values import Values
from dpsql.types import INTEGER, Scalar, Type

Args = tuple[Expr, ...]
Sql = exp.Expr


class TypeMismatch(Exception):  # noqa: N818  (an outcome, turned into a diagnostic by the binder)
    """The function does not take such arguments; `argument` is the one to blame, if one is, and
    `help` the smallest change, if one is known.
    """

    def __init__(self, message: str, argument: int | None = None, help: str | None = None) -> None:
        self.message, self.argument, self.help = message, argument, help
        super().__init__(message)


class NotTotal(Exception):  # noqa: N818  (an outcome, turned into a diagnostic)
    """No form of the call is known that cannot fail on some row."""

    def __init__(self, message: str, help: str | None = None) -> None:
        self.message, self.help = message, help
        super().__init__(message)


def unchanged(call: Call, values: tuple[Values, ...]) -> Expr:
    """The totality rule of what cannot fail."""
    return call


def any_boolean(call: Call, values: tuple[Values, ...]) -> Values:
    """TRUE or FALSE."""
    return Values(nullable=False, finite=(False, True))


def any_string(call: Call, values: tuple[Values, ...]) -> Values:
    """A text; how long it can be is in `string_length`."""
    return Values(nullable=False)


def any_interval(call: Call, values: tuple[Values, ...]) -> Values:
    """An interval, of which no range is known."""
    return Values(nullable=False)


@dataclass(frozen=True, slots=True)
class Function:
    """An entry of the allow-list. `names` are the spellings that SQL text may use for a call.

    `shown` is True where the type and the range of the result stand in the SQL (`secure.stated`).
    `reads_values` is False for comparisons and tests: their operands may stay unclamped, since
    their result is a boolean whatever the operand is.
    """

    name: str
    bind: Callable[[Args], tuple[Args, Type]]
    values: Callable[[Call, tuple[Values, ...]], Values]
    sql: Callable[[list[Sql], Call], Sql]
    total: Callable[[Call, tuple[Values, ...]], Expr] = unchanged
    strict: bool = True
    reads_values: bool = True
    names: tuple[str, ...] = ()
    timing: str = ""
    shown: bool = False


def call(function: str, args: Args, kind: Type, like: Expr | None = None) -> Call:
    """A call with the span of `like`."""
    return Call(function, args, kind, None if like is None else like.span)


def inside(expr: Expr, kind: Type, above: Scalar | None, below: Scalar | None) -> Call:
    """`expr`, a `kind`, where it lies strictly between two bounds of its type, else NULL; a bound
    of None is none. See `enforcing`.
    """
    return call("inside", (expr, Literal(above, kind), Literal(below, kind)), kind, expr)


def coerce(expr: Expr, kind: Type) -> Expr:
    """`expr` as a `kind`, by an implicit cast where it is not one; a cast that cannot fail."""
    if expr.type == kind:
        return expr
    if isinstance(expr, Literal):
        if expr.value is None:
            return replace(expr, type=kind)
        if kind.is_exact and expr.type.is_exact and fits(expr.value, kind):
            return replace(expr, type=kind)
        if kind.name == "DOUBLE" and isinstance(expr.value, int | Fraction):
            # The nearest double: 0.1 is compared with a DOUBLE column as the DOUBLE that it is.
            return replace(expr, value=Fraction(float(expr.value)), type=kind)
    return call("coerce", (expr,), kind, expr)


def fits(value: object, kind: Type) -> bool:
    """Whether a numeric constant is representable in an exact type without rounding."""
    limits = kind.limits()
    if limits is None or isinstance(value, bool) or not isinstance(value, int | Fraction):
        return False
    scaled = value * 10 ** (kind.scale or 0)
    return scaled.denominator == 1 and limits[0] <= value <= limits[1]


def plain(name: str) -> Callable[[list[Sql], Call], Sql]:
    """How most functions are told to the engine: `name(args)`."""

    def build(args: list[Sql], node: Call) -> Sql:
        return fn(name, *args)

    return build


def named(
    name: str,
    bind: Callable[[Args], tuple[Args, Type]],
    values: Callable[[Call, tuple[Values, ...]], Values],
    total: Callable[[Call, tuple[Values, ...]], Expr] = unchanged,
    *,
    also: tuple[str, ...] = (),
    strict: bool = True,
    reads_values: bool = True,
    timing: str = "",
) -> Function:
    """A function that text and the engine call by one name; `also` are other spellings of it."""
    names = (name, *also)
    return Function(name, bind, values, plain(name), total, strict, reads_values, names, timing)


def shown(function: Function) -> Function:
    """A function of which the checker knows neither type nor range, so that the SQL says both."""

    def sql(args: list[Sql], node: Call) -> Sql:
        return cast(function.sql(args, node), node.type)

    return replace(function, sql=sql, shown=True)


def operator(node: type[exp.Binary]) -> Callable[[list[Sql], Call], Sql]:
    """As a binary operator, in parentheses."""

    def build(args: list[Sql], call_: Call) -> Sql:
        return op(node, args[0], args[1])

    return build


def fn(name: str, *args: Sql) -> Sql:
    """A plain function call in SQL."""
    return exp.Anonymous(this=name, expressions=list(args))


def op(node: type[exp.Binary], left: Sql, right: Sql) -> Sql:
    """A parenthesised binary operator in SQL."""
    return exp.Paren(this=node(this=left, expression=right))


def not_null(value: Sql) -> Sql:
    """(value IS NOT NULL), in the spelling that DuckDB pushes into scans; NOT (… IS NULL) it
    does not.
    """
    return exp.Paren(this=exp.Is(this=value, expression=exp.Not(this=exp.Null())))


def data_type(kind: Type) -> exp.DataType:
    """A SQL type. Copying a tree is slow, so a new one is made from the parsed parts."""
    if kind.is_decimal:
        sizes = [
            exp.DataTypeParam(this=exp.Literal.number(n)) for n in (kind.precision, kind.scale)
        ]
        return exp.DataType(this=_parsed_type("DECIMAL").this, expressions=sizes)
    if kind.name == "NULL":
        kind = INTEGER  # as the engine has it: NULL is a value of every type
    if kind.name == "ENUM":
        labels = [exp.Literal.string(label) for label in kind.values or ()]
        return exp.DataType(this=exp.DataType.Type.ENUM, expressions=labels)
    if kind.of is not None:
        parts = [data_type(kind.of)]
        if kind.name == "LIST":
            return exp.DataType(this=exp.DataType.Type.ARRAY, expressions=parts, nested=True)
        parts.append(data_type(Type("UBIGINT")))
        return exp.DataType(this=exp.DataType.Type.MAP, expressions=parts, nested=True)
    return exp.DataType(this=_parsed_type(kind.name).this)


@lru_cache(maxsize=64)
def _parsed_type(name: str) -> exp.DataType:
    return exp.DataType.build(name, dialect="duckdb")


def case_when(branches: Sequence[tuple[Sql, Sql]], default: Sql) -> Sql:
    """A parenthesised searched CASE in SQL."""
    ifs = [exp.If(this=condition, true=value) for condition, value in branches]
    return exp.Paren(this=exp.Case(ifs=ifs, default=default))


def cast(value: Sql, kind: Type) -> Sql:
    """CAST(value AS kind)."""
    return exp.Cast(this=value, to=data_type(kind))
