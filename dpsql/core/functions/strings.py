"""Strings. All total on any valid string, in time linear in its length. Characters are Unicode code
points, as in DuckDB.

SUBSTRING takes constant positions: DuckDB refuses offsets beyond 2^32, and a constant keeps the
result's meaning public.
"""

from __future__ import annotations

from sqlglot import exp

from dpsql.core.functions.spec import Args, Function, Sql, TypeMismatch, any_string, fn, named
from dpsql.core.functions.string_length import bounded
from dpsql.core.functions.typing import as_double, as_text, constant, signature, string
from dpsql.core.plan.expr import Call, Expr, Literal
from dpsql.core.plan.values import Values
from dpsql.types import BIGINT, VARCHAR

_POSITION_LIMIT = 1_000_000
_LENGTH_LIMIT = 2**32
_MAX_PARTS = 64


_ONE = signature(string, gives=VARCHAR)


def _length_values(node: Call, values: tuple[Values, ...]) -> Values:
    finite = values[0].finite
    if finite is not None and finite and all(isinstance(v, str) for v in finite):
        lengths = [len(v) for v in finite if isinstance(v, str)]
        return Values(min(lengths), max(lengths), False)
    longest = values[0].longest
    return Values(0, _LENGTH_LIMIT if longest is None else longest, False)


def _trimmed(args: Args, index: int) -> Expr:
    arg = args[index]
    if not (isinstance(arg, Literal) and isinstance(arg.value, str)):
        raise TypeMismatch("needs a constant set of characters to trim", index)
    return arg


_PLACE, _COUNT = constant(-_POSITION_LIMIT, _POSITION_LIMIT), constant(0, _POSITION_LIMIT)
_SUBSTRING = signature(string, _PLACE, _COUNT, gives=VARCHAR, least=2)
_TRIM = signature(string, _trimmed, gives=VARCHAR, least=1)
_CONCAT = signature(*[as_text] * _MAX_PARTS, gives=VARCHAR, least=1)


def _concat_values(node: Call, values: tuple[Values, ...]) -> Values:
    """Digits after digits are digits."""
    digits = [v.most_digits for v in values]
    known = [n for n in digits if n is not None]
    return Values(nullable=False, digits=sum(known) if len(known) == len(digits) else None)


def _concat_sql(args: list[Sql], node: Call) -> Sql:
    result = args[0]
    for part in args[1:]:
        result = exp.DPipe(this=result, expression=part)
    return exp.Paren(this=result)


def _six_digits_sql(args: list[Sql], node: Call) -> Sql:
    """Of x + 0.0: the text of -0.0 is that of 0.0, which is equal."""
    zero = exp.Cast(this=exp.Literal.string("0.0"), to=exp.DataType.build("DOUBLE"))
    sum_ = exp.Paren(this=exp.Add(this=args[0], expression=zero))
    return fn("format", exp.Literal.string("{:g}"), sum_)


FUNCTIONS = (
    named("lower", _ONE, any_string, also=("lcase",)),
    named("upper", _ONE, any_string, also=("ucase",)),
    named(
        "length",
        signature(string, gives=BIGINT),
        _length_values,
        also=("len", "char_length", "character_length"),
    ),
    named("substring", _SUBSTRING, any_string, also=("substr",)),
    named("trim", _TRIM, any_string),
    named("ltrim", _TRIM, any_string),
    named("rtrim", _TRIM, any_string),
    Function("concat", _CONCAT, _concat_values, _concat_sql, bounded),
    Function("six_digits", signature(as_double, gives=VARCHAR), any_string, _six_digits_sql),
)
