"""Constants: their exact values, and what can be computed from them before anything is read."""

from __future__ import annotations

import math
import re
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from dpsql.core.functions.moments import as_moment, shifted
from dpsql.core.functions.spec import TypeMismatch, fits
from dpsql.core.functions.typing import MAX_DIGITS, literal_type
from dpsql.core.plan.expr import Call, Expr, Literal
from dpsql.errors import Span
from dpsql.types import BOOLEAN, DATE, DOUBLE, TIMESTAMP, VARCHAR, Scalar, Type


def number(text: str, span: Span | None) -> Literal:
    """A numeric literal: whole and decimal ones exactly, 1e5 as the DOUBLE that it is in SQL."""
    if "e" in text.lower():
        try:
            value = float(text)
        except ValueError:  # "1e", which the parser took for one
            raise TypeMismatch("not a number") from None
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
        if digits >= MAX_DIGITS or len(text) > MAX_DIGITS + 1:
            raise TypeMismatch("the number has too many digits")
        kind = Type("DECIMAL", max(len(text.replace(".", "")), digits + 1), digits)
    if kind.is_decimal and text.startswith("."):
        kind = Type("DECIMAL", digits, digits)  # its text is .5, and that of 0.5 is 0.5
    return Literal(whole if kind.is_integer else exact, kind, span)


def exactly(value: Scalar) -> Literal:
    """A number as a constant; exact where 38 digits hold it."""
    assert isinstance(value, int | Fraction)
    try:
        return Literal(value, literal_type(Fraction(value)))
    except TypeMismatch:
        return Literal(value, DOUBLE)


def parse_as(text: str, kind: Type) -> Scalar | None:
    """The constant that a string stands for in a type; None where it stands for none."""
    text = text.strip()
    try:
        if kind == DATE:
            return date.fromisoformat(text) if _DATE.fullmatch(text) else None
        if kind == TIMESTAMP:
            found = datetime.fromisoformat(text) if _TIMESTAMP.fullmatch(text) else None
            return None if found is None else found.replace(tzinfo=None)  # Z: UTC, as they all are
        if kind.is_exact:
            exact = Fraction(text) if _EXACT.fullmatch(text) else None
            if exact is None or not fits(exact, kind):
                return None
            return int(exact) if kind.is_integer else exact
        if kind.is_float:
            double = float(text) if _FLOAT.fullmatch(text) else math.inf
            return Fraction(double) if math.isfinite(double) else None
        if kind == BOOLEAN:
            return {"true": True, "false": False}.get(text.lower())
    except (ValueError, ArithmeticError):
        return None
    return text if kind == VARCHAR else None


# What DuckDB reads in the same way; Python's own readers take more.
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIMESTAMP = re.compile(_DATE.pattern + r"([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?Z?)?")
_EXACT = re.compile(r"[+-]?[0-9]{1,80}(\.[0-9]{0,80})?")
_FLOAT = re.compile(r"[+-]?([0-9]{1,400}(\.[0-9]{0,400})?|\.[0-9]{1,400})([eE][+-]?[0-9]{1,4})?")


_BEYOND = re.compile(r"[+-]?nan|([+-]?)inf(?:inity)?", re.IGNORECASE)


def beyond_numbers(literal: Literal, kind: Type, span: Span | None) -> Expr | None:
    """NaN or an infinity, which a string stands for in a DOUBLE: no constant, for those are
    numbers, but a cast that never fails, of which nothing is known but its type. Else None.
    """
    found = _BEYOND.fullmatch(literal.value.strip()) if isinstance(literal.value, str) else None
    if found is None or kind != DOUBLE:
        return None
    text = "nan" if found[1] is None else "-inf" if found[1] == "-" else "inf"
    return Call("try_cast", (Literal(text, VARCHAR),), DOUBLE, span)


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
    texts = [v for v in values if isinstance(v, str)]
    if len(texts) == len(values) and expr.function == "coalesce":
        return expr.args[0]
    if len(texts) == len(values) and expr.function == "concat":
        return Literal("".join(texts), VARCHAR, expr.span)
    if expr.function == "plus_interval":
        moment, months, days, seconds = values
        if isinstance(moment, date):
            try:
                moved = shifted(
                    as_moment(moment), int(str(months)), int(str(days)), int(str(seconds))
                )
            except (ValueError, OverflowError):
                return expr
            return Literal(moved, TIMESTAMP, expr.span)
    if expr.function in ("cast", "coerce") and isinstance(values[0], date):
        if expr.type == TIMESTAMP:
            return Literal(as_moment(values[0]), TIMESTAMP, expr.span)
        if expr.type == DATE and isinstance(values[0], datetime):
            return Literal(values[0].date(), DATE, expr.span)
    return expr
