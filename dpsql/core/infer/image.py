"""The values that an expression can have, where few are possible: computed, one by one.

An expression is cut where few values pass, and what is above the cuts is computed by the engine for
each combination of them. A cut is a column with few values, or a call with few results between the
ends of its range: whole numbers, dates, and multiples of the last digit that rounding leaves.

    floor(cost / 50) * 50       cost in [0, 500]: of floor(…) 0 to 10, so 0, 50, …, 500
    CAST(cost AS INTEGER) // 7  of CAST(…) 0 to 500, so 0 to 71

Claim: no row has another value. Why: the values of a cut include all that its expression can have,
and equal expressions are one cut, so that each row is one of the combinations. Nothing private
hangs on it: a row with another value would be in no group (see `enforce.members`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import chain, product
from typing import Any

from dpsql.core.emit.evaluate import Undefined, evaluate
from dpsql.core.infer.ranges import Environment, failed, infer, narrow
from dpsql.core.plan.expr import (
    Call,
    Case,
    Column,
    Expr,
    Literal,
    Ref,
    children,
    columns_of,
    rebuild,
    walk,
)
from dpsql.core.plan.values import FINITE_LIMIT, Values, comparable, enumerate_interval
from dpsql.types import INTEGER, Scalar, Type

MAX_IMAGE = 20_000
"""Combinations that are computed."""
MAX_FRACTIONS = 1_000
"""Numbers with digits after the point that are a list: of more, most would be groups of noise."""
WHOLE_DOUBLES = 2**53
"""Up to it every whole number is a double."""

Options = tuple[Scalar | None, ...]
"""Each value once, in a public order; None, last, for NULL."""


def image(expr: Expr, env: Environment) -> Options | None:
    """The values of an expression over columns of `env`; None where no short list is known."""
    used = {n.column.id: n for n in walk(expr) if isinstance(n, Ref)}
    found: Options | None = None
    if used and not isinstance(expr, Ref) and not _is_year(expr):
        cuts: dict[Expr, Options] = {
            ref: options for ref in used.values() if (options := _few(ref, env)) is not None
        }
        found = _computed(expr, cuts) if len(cuts) == len(used) else None
        if found is None and isinstance(expr, Case):
            found = _branches(expr, env)
        elif found is None:
            found = _computed(expr, _cuts(expr, env) or {})
    found = _few(expr, env, MAX_FRACTIONS) if found is None else found
    if found is None or (not expr.type.is_integer and _many_fractions(found)):
        return None
    return found


def _is_year(expr: Expr) -> bool:
    """The years of consecutive dates are consecutive: their range is the image."""
    return isinstance(expr, Call) and expr.function == "year"


def _branches(expr: Case, env: Environment) -> Options | None:
    """The values of all branches, each under its condition, and where those before it fail."""
    parts: list[Options | None] = []
    for condition, value in expr.branches:
        parts.append(image(value, narrow(condition, env)))
        env = failed(condition, env)
    parts.append(image(expr.default, env))
    known = [part for part in parts if part is not None]
    return _once(chain(*known)) if len(known) == len(parts) else None


Cuts = Mapping[Expr, Options]


def _cuts(expr: Expr, env: Environment) -> Cuts | None:
    """The deepest parts of an expression with few values each, and few combinations."""
    if not columns_of(expr):
        return {}
    if isinstance(expr, Call) and not _is_year(expr):
        parts = [_cuts(arg, env) for arg in expr.args]
        known = [part for part in parts if part is not None]
        if len(known) == len(parts):
            cuts = {cut: options for part in known for cut, options in part.items()}
            if math.prod(map(len, cuts.values())) <= MAX_IMAGE:
                return cuts
    options = _branches(expr, env) if isinstance(expr, Case) else _few(expr, env)
    return None if options is None else {expr: options}


def _computed(expr: Expr, cuts: Cuts) -> Options | None:
    """The expression's values for each combination of those of its cuts."""
    if not cuts or math.prod(map(len, cuts.values())) > MAX_IMAGE:
        return None
    columns = {cut: Column(-1 - i, f"c{i}", cut.type) for i, cut in enumerate(cuts)}
    rows = list(product(*cuts.values()))
    try:
        results = evaluate(above(expr, columns), rows, tuple(columns.values()))
    except Undefined:  # of one of them: what the engine would make of that row is no list's matter
        return None
    found = _once(map(_constant, results))
    real = [v for v in found if v is not None]
    if not all(_is_constant(v, expr.type) for v in real):
        return None
    return (*sorted(real, key=comparable), *found[len(real) :])


def at_each(expr: Expr, column: Column, values: Options) -> Options:
    """The expression's value for each of a column's.

    Raises:
        Undefined: it has none for one of them.
    """
    return tuple(map(_constant, evaluate(expr, [(v,) for v in values], (column,))))


def above(expr: Expr, columns: Mapping[Expr, Column]) -> Expr:
    """The expression over columns for its cuts; outermost first: one may be a part of another."""
    if expr in columns:
        return Ref(columns[expr])
    below = children(expr)
    return rebuild(expr, tuple(above(child, columns) for child in below)) if below else expr


def _few(expr: Expr, env: Environment, fractions: int = MAX_IMAGE) -> Options | None:
    """The values of the expression's range, where it has few: of numbers with digits after the
    point so many at most. How far a text is cut is no list of its lengths that anybody wants.
    """
    values, kind = infer(expr, env), expr.type
    if values.finite is None and any(
        isinstance(n, Call) and n.function == "cut" for n in walk(expr)
    ):
        return None
    found = enumerate_interval(values, kind)
    if found is None and values.bounded and (digits := _digits(expr)) is not None:
        found = _multiples(values, digits, kind, fractions if digits > 0 else FINITE_LIMIT)
    return None if found is None else _once((*found, *((None,) if values.nullable else ())))


def _digits(expr: Expr) -> int | None:
    """How many digits after the point the numbers have; None where nothing says so."""
    least = expr.type.scale or 0 if expr.type.is_decimal else None
    if isinstance(expr, Call) and expr.function in ("floor", "ceil", "even"):
        return 0
    if isinstance(expr, Call) and expr.function in ("round", "trunc"):
        digits = expr.args[1] if len(expr.args) > 1 else Literal(0, INTEGER)
        if isinstance(digits, Literal) and type(digits.value) is int:
            return digits.value if least is None else min(digits.value, least)
    return least


def _multiples(values: Values, digits: int, kind: Type, most: int) -> tuple[Scalar, ...] | None:
    """The multiples of 10^-digits in a range, `most` at most, as the nearest numbers of the type:
    the DOUBLE 7.3, an end of a range itself, is less than 73 tenths.

    Claim: rounding a DOUBLE gives no others. Why: the engine divides a whole number by 10^d, or
    multiplies it by 10^-d, which is the nearest double while both are below 2^53.
    """
    step = Fraction(10) ** -digits
    low, high = math.floor(values.low / step), math.ceil(values.high / step)
    if high - low > most + 1 or (kind.is_float and max(-low, high) > WHOLE_DOUBLES):
        return None
    every = (number * step for number in range(low, high + 1))
    nearest = (Fraction(float(v)) if kind.is_float else v for v in every)
    found = tuple(v for v in nearest if values.low <= v <= values.high)
    return found if len(found) <= most else None


def _many_fractions(options: Options) -> bool:
    fractions = (isinstance(v, Fraction) and v.denominator > 1 for v in options)
    return len(options) > MAX_FRACTIONS and any(fractions)


def _once(values: Iterable[Scalar | None]) -> Options:
    """Each once, and NULL last: a group that was listed twice would be released twice."""
    distinct = dict.fromkeys(values)
    return (*(v for v in distinct if v is not None), *((None,) if None in distinct else ()))


def _constant(value: Any) -> Scalar | None:
    """A value as the engine gives it, as an exact constant."""
    number = isinstance(value, Decimal) or (isinstance(value, float) and math.isfinite(value))
    return Fraction(value) if number else value


def _is_constant(value: Any, kind: Type) -> bool:
    """Whether it is one of ours: an infinite number is none, nor a date beyond the year 9999, which
    the engine gives as a text.
    """
    if kind.is_temporal:
        return isinstance(value, date)
    return not isinstance(value, float)
