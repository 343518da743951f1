"""Constants: their exact values, and what can be computed from them before anything is read."""

from __future__ import annotations

import math
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from dpsql.errors import Span
from dpsql.plan.expr import Call, Expr, Literal
from dpsql.plan.values import Values
from dpsql.sql.functions.spec import TypeMismatch
from dpsql.sql.functions.temporal import as_moment, shifted
from dpsql.sql.functions.typing import literal_type
from dpsql.types import BOOLEAN, DATE, DOUBLE, TIMESTAMP, VARCHAR, Scalar, Type

EMPTY = Values()


def number(text: str, span: Span | None) -> Literal:
    """A numeric literal: whole and decimal ones exactly, 1e5 as the DOUBLE that it is in SQL."""
    if "e" in text.lower():
        value = float(text)
        if not math.isfinite(value):
            raise TypeMismatch("the number is too large")
        return Literal(Fraction(value), DOUBLE, span)
    try:
        exact = Fraction(Decimal(text))
    except InvalidOperation:
        raise TypeMismatch("not a number") from None
    whole = int(exact) if "." not in text else exact
    kind = literal_type(whole)
    digits = len(text.partition(".")[2])
    if kind.is_decimal and kind.scale is not None and digits > kind.scale:
        kind = Type("DECIMAL", max(len(text.replace(".", "")), digits + 1), digits)
    return Literal(whole if kind.is_integer else exact, kind, span)


def parse_as(text: str, kind: Type) -> Scalar | None:
    """The constant that a string stands for in a type; None where it stands for none."""
    text = text.strip()
    try:
        if kind == DATE:
            return date.fromisoformat(text)
        if kind == TIMESTAMP:
            moment = datetime.fromisoformat(text)
            return None if moment.tzinfo is not None else moment
        if kind.is_integer:
            value = int(text)
            limits = kind.limits()
            assert limits is not None
            return value if limits[0] <= value <= limits[1] else None
        if kind.is_decimal:
            exact = Fraction(Decimal(text)) if Decimal(text).is_finite() else None
            limits = kind.limits()
            assert limits is not None and kind.scale is not None
            if exact is None or (exact * 10**kind.scale).denominator != 1:
                return None
            return exact if limits[0] <= exact <= limits[1] else None
        if kind.is_float:
            double = float(text)
            return Fraction(double) if math.isfinite(double) else None
        if kind == BOOLEAN:
            return {"true": True, "false": False}.get(text.lower())
    except (ValueError, ArithmeticError):
        return None
    return text if kind == VARCHAR else None


def converted(literal: Literal, kind: Type) -> Literal | None:
    """A string constant as a constant of another type, or None."""
    if not isinstance(literal.value, str):
        return None
    value = parse_as(literal.value, kind)
    return None if value is None else Literal(value, kind, literal.span)


def fold(expr: Expr) -> Expr:
    """The constant that an expression over constants is, where that is exact and plain."""
    if not isinstance(expr, Call) or not all(isinstance(a, Literal) for a in expr.args):
        return expr
    values = [a.value for a in expr.args if isinstance(a, Literal)]
    if any(v is None for v in values):
        return expr
    if expr.function in ("add", "sub", "mul") and all(a.type.is_exact for a in expr.args):
        a, b = values
        assert isinstance(a, int | Fraction) and isinstance(b, int | Fraction)
        result = a + b if expr.function == "add" else a - b if expr.function == "sub" else a * b
        try:
            whole = all(arg.type.is_integer for arg in expr.args)
            kind = literal_type(int(result) if whole else Fraction(result))
        except TypeMismatch:
            return expr
        return Literal(int(result) if whole else Fraction(result), kind, expr.span)
    if expr.function == "plus_interval":
        moment, months, days, seconds = values
        if isinstance(moment, date):
            moment = moment if isinstance(moment, datetime) else as_moment(moment)
            try:
                moved = shifted(moment, int(str(months)), int(str(days)), int(str(seconds)))
            except (ValueError, OverflowError):
                return expr
            return Literal(moved, TIMESTAMP, expr.span)
    if expr.function == "coerce" and expr.type == TIMESTAMP and isinstance(values[0], date):
        value = values[0]
        moment = value if isinstance(value, datetime) else as_moment(value)
        return Literal(moment, TIMESTAMP, expr.span)
    return expr
