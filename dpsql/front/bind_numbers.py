"""Syntax of numbers, casts, bits and constant lists -> typed expressions.

Lists are constants that go as soon as they are read: what is left are members, or one of them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Protocol

from sqlglot import exp

from dpsql.core.functions.build import cast, make
from dpsql.core.functions.constants import beyond_numbers
from dpsql.core.functions.spec import TypeMismatch, coerce
from dpsql.core.functions.typing import common
from dpsql.core.plan.expr import Expr, Literal
from dpsql.core.sqltypes import parse_type
from dpsql.front.parse import bare, only, reject, span_of
from dpsql.types import DATE, DOUBLE, INTEGER, Type


class Binder(Protocol):
    """What binds the operands."""

    def bind(self, node: exp.Expr) -> Expr:
        """The typed expression of a syntax node."""


Method = Callable[[Binder, exp.Expr], Expr]

# --- functions with a syntax of their own ---


def _log(binder: Binder, node: exp.Expr) -> Expr:
    """LOG(x) is to base 10; LOG2 and LOG10 arrive as LOG(2, x) and LOG(10, x)."""
    only(node, "this", "expression")
    span, first = span_of(node), binder.bind(node.this)
    if node.args.get("expression") is None:
        return make("log10", (first,), span)
    arg = binder.bind(node.args["expression"])
    if isinstance(first, Literal) and first.value in (2, 10):
        return make(f"log{int(str(first.value))}", (arg,), span)
    return make("log", (first, arg), span)


def _pi(binder: Binder, node: exp.Expr) -> Expr:
    only(node)
    return Literal(Fraction(math.pi), DOUBLE, span_of(node))


_TIGHTER = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.IntDiv, exp.Mod, exp.Pow, exp.Neg)


def _complement(binder: Binder, node: exp.Expr) -> Expr:
    """~x. In DuckDB ~ takes all arithmetic to its right, ~5 + 1 is ~(5 + 1); the parser reads it as
    (~5) + 1. Without parentheses that say which, it is rejected.
    """
    only(node, "this")
    if isinstance(node.parent, _TIGHTER):
        message = "~ takes all arithmetic to its right: say with parentheses what it is of"
        raise reject("DP104", message, node, "write (~x) or ~(x + …)")
    return make("bit_not", (binder.bind(node.this),), span_of(node))


def _absolute(binder: Binder, node: exp.Expr) -> Expr:
    """ABS(x), and @x: that takes all arithmetic to its right, as ~ does, and no bit operators. The
    parser gives it those, too.
    """
    only(node, "this")
    written = "start" in node.meta  # the function's name
    if not written and isinstance(node.this, exp.Binary) and not isinstance(node.this, _TIGHTER):
        message = "@ takes no bit operators to its right: say with parentheses what it is of"
        raise reject("DP104", message, node, "write ABS(x) & y or ABS(x & y)")
    return make("abs", (binder.bind(node.this),), span_of(node))


# --- casts ---

_COARSE = {"TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"}


def _target(node: exp.Expr) -> Type:
    text = node.args["to"].sql(dialect="duckdb")
    if text.upper() in _COARSE:
        help = "cast to TIMESTAMP, or write DATE_TRUNC('second', …)"
        raise reject("DP205", f"CAST to {text.upper()} is not modelled", node, help)
    try:
        return parse_type(text)
    except ValueError as error:
        message = str(error)
    raise reject("DP205", message, node)


def _cast(binder: Binder, node: exp.Expr) -> Expr:
    """CAST, TRY_CAST and ::. A FLOAT is computed on as the DOUBLE of the same value."""
    only(node, "this", "to", "safe", "_type")
    kind, span = _target(node), span_of(node)
    name = "try_cast" if isinstance(node, exp.TryCast) else "cast"
    value = binder.bind(node.this)
    if kind == DATE and name == "cast" and (parts := _date(binder, node.this)) is not None:
        return make("make_date", parts, span)
    if kind.name != "FLOAT":
        return cast(name, value, kind, span)
    beyond = beyond_numbers(value, DOUBLE, span) if isinstance(value, Literal) else None
    if beyond is not None:
        return beyond
    if not value.type.is_numeric:
        value = cast(name, value, DOUBLE, span)
    return make("single" if name == "cast" else "try_single", (value,), span)


_DATE = re.compile(r"(\0|\d{4})-(\0|\d\d?)-(\0|\d\d?)")
_TEXT = (exp.DType.TEXT, exp.DType.VARCHAR)


def _date(binder: Binder, node: exp.Expr) -> tuple[Expr, ...] | None:
    """Year, month and day of a text y || '-' || m || '-01' of whole numbers, which MAKE_DATE makes
    the same date of; None of any other text.
    """
    texts, numbers, stack = list[str](), list[exp.Expr](), [node]
    while stack:
        part = bare(stack.pop())
        if isinstance(part, exp.DPipe):
            stack += [part.expression, part.this]
        elif isinstance(part, exp.Literal) and part.is_string and "\0" not in str(part.this):
            texts.append(str(part.this))
        else:
            texts.append("\0")
            cast = isinstance(part, exp.Cast) and part.args["to"].this in _TEXT
            numbers.append(part.this if cast else part)
    found = _DATE.fullmatch("".join(texts))
    if found is None or not numbers:
        return None
    left = iter([binder.bind(number) for number in numbers])
    parts = [next(left) if p == "\0" else Literal(int(p), INTEGER) for p in found.groups()]
    return tuple(parts) if all(part.type.is_integer for part in parts) else None


# --- lists of constants ---


def _constant(binder: Binder, node: exp.Expr) -> Literal:
    value = binder.bind(node)
    if not isinstance(value, Literal):
        raise reject("DP104", "lists can hold constants only", node)
    return value


def _members(binder: Binder, node: exp.Expr) -> list[Literal]:
    """The members of a list that is written out."""
    only(node, "expressions", "value_constructor", "_type")
    members = [_constant(binder, part) for part in node.expressions]
    if not members:
        raise reject("DP104", "an empty list", node)
    return members


def _quantified(name: str) -> Method:
    """x = ANY([…]), x <> ALL([…]) and so on; and without a list the plain comparison.

    Claim: ANY is the OR, ALL the AND of the comparisons with each member. So says the standard, and
    NULL members count as they do there.
    """

    def method(binder: Binder, node: exp.Expr) -> Expr:
        only(node, "this", "expression", "_type")
        span, right = span_of(node), node.expression
        quantifier, below = _quantifier(right)
        if not quantifier or below is None:
            return make(name, (binder.bind(node.this), binder.bind(right)), span)
        inner = bare(below)
        if not isinstance(inner, exp.Array):
            raise reject("DP104", f"{quantifier} takes a list of constants", right)
        members, left = _members(binder, inner), binder.bind(node.this)
        if (quantifier, name) == ("ANY", "eq"):
            return make("in", (left, *members), span)
        if (quantifier, name) == ("ALL", "ne"):
            return make("not", (make("in", (left, *members), span),), span)
        terms = tuple(make(name, (left, member), span) for member in members)
        return make("or" if quantifier == "ANY" else "and", terms, span)

    return method


def _quantifier(node: exp.Expr) -> tuple[str, exp.Expr | None]:
    """ANY or ALL, and of what; SOME is ANY."""
    if isinstance(node, exp.Any | exp.All):
        only(node, "this")
        return ("ANY" if isinstance(node, exp.Any) else "ALL"), node.this
    name = str(node.this).upper() if isinstance(node, exp.Anonymous) else ""
    if name in ("ANY", "SOME", "ALL") and len(node.expressions) == 1:
        return ("ALL" if name == "ALL" else "ANY"), node.expressions[0]
    return "", None


def _list_contains(binder: Binder, node: exp.Expr) -> Expr:
    """LIST_CONTAINS([…], x): unlike IN, NULL members count for nothing."""
    only(node, "this", "expression")
    inner = bare(node.this)
    if not isinstance(inner, exp.Array):
        raise reject("DP104", "LIST_CONTAINS takes a list of constants", node)
    members = [m for m in _members(binder, inner) if m.value is not None]
    if not members:
        raise reject("DP104", "a list of NULLs", inner)
    return make("in", (binder.bind(node.expression), *members), span_of(node))


def _element(binder: Binder, node: exp.Expr) -> Expr:
    """[10, 20][1], of constants."""
    only(node, "this", "expressions")
    inner = bare(node.this)
    (index,) = node.expressions if len(node.expressions) == 1 else (None,)
    negative = isinstance(index, exp.Neg)
    digits = index.this if isinstance(index, exp.Neg) else index
    if not isinstance(inner, exp.Array) or not isinstance(digits, exp.Literal) or not digits.is_int:
        raise reject("DP104", "[…] takes a list of constants, and a constant", node)
    # The parser counts from 0: it has taken 1 away.
    position = (-1 if negative else 1) * int(digits.this) + 1
    members = _members(binder, inner)
    try:
        kind = common(tuple(members), "a list")
    except TypeMismatch as mismatch:
        raise reject("DP205", mismatch.message, node) from None
    start = position - 1 if position > 0 else position + len(members)
    if position == 0 or not 0 <= start < len(members):
        return Literal(None, kind, span_of(node))
    return replace(coerce(members[start], kind), span=span_of(node))


def _no_list(binder: Binder, node: exp.Expr) -> Expr:
    message = "a list can stand only as a constant: in x IN [1, 2] and x = ANY([1, 2])"
    raise reject("DP104", message, node)


def _no_struct(binder: Binder, node: exp.Expr) -> Expr:
    message = "a struct can stand only where its fields are taken"
    raise reject("DP104", message, node, "write its fields as columns, or take one: {'a': x}.a")


def _no_field(binder: Binder, node: exp.Expr) -> Expr:
    message = "a field can be taken only of a struct that the query writes out"
    raise reject("DP104", message, node, "write its fields as columns")


def _no_try(binder: Binder, node: exp.Expr) -> Expr:
    message = "TRY is not supported: what could fail on a row is NULL already, or rejected"
    raise reject("DP104", message, node, "leave out TRY")


_ONE = ("this",)
_TWO = ("this", "expression")

FUNCTIONS: dict[type[exp.Expr], tuple[str, tuple[str, ...]]] = {
    exp.Pow: ("pow", _TWO),
    exp.Cbrt: ("cbrt", _ONE),
    exp.Sin: ("sin", _ONE),
    exp.Cos: ("cos", _ONE),
    exp.Tan: ("tan", _ONE),
    exp.Cot: ("cot", _ONE),
    exp.Asin: ("asin", _ONE),
    exp.Acos: ("acos", _ONE),
    exp.Atan: ("atan", _ONE),
    exp.Atan2: ("atan2", _TWO),
    exp.Sinh: ("sinh", _ONE),
    exp.Cosh: ("cosh", _ONE),
    exp.Tanh: ("tanh", _ONE),
    exp.Asinh: ("asinh", _ONE),
    exp.Acosh: ("acosh", _ONE),
    exp.Atanh: ("atanh", _ONE),
    exp.Degrees: ("degrees", _ONE),
    exp.Radians: ("radians", _ONE),
    exp.Sign: ("sign", _ONE),
    exp.Trunc: ("trunc", ("this", "decimals")),
    exp.IsNan: ("isnan", _ONE),
    exp.IsInf: ("isinf", _ONE),
    exp.Factorial: ("factorial", _ONE),
    exp.BitwiseAnd: ("bit_and", _TWO),
    exp.BitwiseOr: ("bit_or", _TWO),
    exp.BitwiseXor: ("bit_xor", _TWO),
    exp.BitwiseLeftShift: ("shl", _TWO),
    exp.BitwiseRightShift: ("shr", _TWO),
}
"""Nodes that are calls: the function, and where its arguments are."""

METHODS: dict[type[exp.Expr], Method] = {
    exp.Log: _log,
    exp.Pi: _pi,
    exp.Abs: _absolute,
    exp.BitwiseNot: _complement,
    exp.Cast: _cast,
    exp.TryCast: _cast,
    exp.EQ: _quantified("eq"),
    exp.NEQ: _quantified("ne"),
    exp.LT: _quantified("lt"),
    exp.LTE: _quantified("le"),
    exp.GT: _quantified("gt"),
    exp.GTE: _quantified("ge"),
    exp.ArrayContains: _list_contains,
    exp.Bracket: _element,
    exp.Dot: _no_field,
    exp.StructExtract: _no_field,
    exp.Array: _no_list,
    exp.Struct: _no_struct,
    exp.Try: _no_try,
}
"""Nodes that need more than that."""
