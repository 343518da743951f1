"""Ranges and domains that CHECK constraints enforce, read from their text.

A CHECK passes where it is NULL, so a range never says that a column is not NULL. What is not
understood is ignored: a range is only ever too wide.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from typing import Any

import sqlglot
from sqlglot import exp

from dpsql.types import Scalar, Type


@dataclass(frozen=True, slots=True)
class End:
    """One end: `column >= value` (lower) or `column <= value`; a strict end is widened to it."""

    column: str
    lower: bool
    value: exp.Expr


def bounds(checks: Iterable[str], column: str, type_: Type) -> tuple[Scalar, Scalar] | None:
    """The range that `checks` enforce for the non-NULL values of `column`; None without both ends.

    An exact type has ends of its own where the checks give only one.
    """
    lows: list[Any] = []  # all of the column's one kind, which mypy cannot know
    highs: list[Any] = []
    for limit in (limit for check in checks for limit in limits(check)):
        if limit.column.lower() == column.lower():
            value = _constant(limit.value, type_, lower=limit.lower)
            if value is not None:
                (lows if limit.lower else highs).append(value)
    own = type_.limits()
    if own is not None and (lows or highs):
        lows.append(own[0])
        highs.append(own[1])
    if not (lows and highs):
        return None
    low, high = max(lows), min(highs)
    return (low, high) if low <= high else None


def values(checks: Iterable[str], column: str, type_: Type) -> tuple[Scalar, ...] | None:
    """The domain of the non-NULL values of `column` that some ``column IN (…)`` enforces, or None.

    Only texts and whole numbers: the comparison of others may round.
    """
    for check in checks:
        for node in _conjuncts(check):
            if isinstance(node, exp.In) and _names(node.this, column) and node.expressions:
                found = [_member(item.unnest(), type_) for item in node.expressions]
                members = [value for value in found if value is not None]
                if len(members) == len(found):
                    return tuple(dict.fromkeys(members))
    return None


def _member(node: exp.Expr, type_: Type) -> Scalar | None:
    if type_.name == "VARCHAR" and isinstance(node, exp.Literal) and node.is_string:
        return str(node.this)
    number = _number(node) if type_.is_integer else None
    return number[0].numerator if number is not None and number[1] == 0 else None


def limits(check: str) -> tuple[End, ...]:
    """The one-sided limits that the text of one CHECK is a conjunction of, others left out."""
    return tuple(limit for node in _conjuncts(check) for limit in _limits(node))


def _conjuncts(check: str) -> list[exp.Expr]:
    """What must not be false where the CHECK is not, parentheses removed."""
    try:
        todo: list[exp.Expr] = [sqlglot.parse_one(check, read="duckdb")]
    except sqlglot.errors.SqlglotError:
        return []
    found: list[exp.Expr] = []
    while todo:
        node = todo.pop().unnest()
        if isinstance(node, exp.And):
            todo += [node.right, node.left]
        else:
            found.append(node)
    return found


def _limits(node: exp.Expr) -> Iterator[End]:
    if isinstance(node, exp.Between) and not node.args.get("symmetric"):
        yield from _limit(node.this, node.args["low"], lower=True)
        yield from _limit(node.this, node.args["high"], lower=False)
    elif isinstance(node, exp.GTE | exp.GT):
        yield from _limit(node.left, node.right, lower=True)
        yield from _limit(node.right, node.left, lower=False)
    elif isinstance(node, exp.LTE | exp.LT):
        yield from _limit(node.left, node.right, lower=False)
        yield from _limit(node.right, node.left, lower=True)


def _limit(column: exp.Expr, value: exp.Expr, *, lower: bool) -> Iterator[End]:
    column = column.unnest()
    if _plain(column):
        yield End(column.name, lower, value.unnest())


def _names(node: exp.Expr, column: str) -> bool:
    node = node.unnest()
    return _plain(node) and node.name.lower() == column.lower()


def _plain(node: exp.Expr) -> bool:
    """Whether it is a column by its name alone: s.x may be the field x of a STRUCT s."""
    return isinstance(node, exp.Column) and not node.table


def _constant(node: exp.Expr, type_: Type, *, lower: bool) -> Scalar | None:
    """The value that the engine compares a column of `type_` with, rounded outward; or None."""
    if type_.is_temporal:
        return _temporal(node, type_)
    if not type_.is_numeric:
        return None
    number = _number(node)
    if number is None:
        return None
    value, digits = number
    if type_.name == "DOUBLE":
        # The engine compares with the nearest double, which may lie outside of the constant.
        near = _as_float(value)
        if near is None:
            return None
        return (min if lower else max)(value, near)
    if type_.name == "FLOAT":
        # Compared as 32-bit numbers: only constants that these hold are taken.
        return value if value.denominator == 1 and abs(value) <= 1 << 24 else None
    if type_.is_decimal:
        assert type_.precision is not None and type_.scale is not None
        # A common type of more than 38 digits would have the constant rounded.
        if type_.precision - type_.scale + max(digits, type_.scale) > 38:
            return None
        return value
    if digits > (0 if type_.name == "HUGEINT" else 18):
        return None
    return math.ceil(value) if lower else math.floor(value)


def _number(node: exp.Expr) -> tuple[Fraction, int] | None:
    """A decimal constant as it stands, and its digits after the point."""
    sign = 1
    while isinstance(node, exp.Neg | exp.Paren):
        sign = -sign if isinstance(node, exp.Neg) else sign
        node = node.this
    if not isinstance(node, exp.Literal) or node.is_string:
        return None
    whole, _, part = str(node.this).partition(".")
    if not (whole + part).isascii() or not (whole + part).isdigit() or len(whole + part) > 38:
        return None  # exponents and the like are compared as DOUBLE
    return sign * Fraction(int(whole + part), 10 ** len(part)), len(part)


def _as_float(value: Fraction) -> Fraction | None:
    try:
        return Fraction(float(value))
    except OverflowError:
        return None


def _temporal(node: exp.Expr, type_: Type) -> date | datetime | None:
    """``'2020-01-01'`` or ``CAST('2020-01-01' AS date)``, of the column's own type."""
    if isinstance(node, exp.Cast):
        if node.to.sql("duckdb").upper() != type_.name:
            return None
        node = node.this.unnest()
    if not isinstance(node, exp.Literal) or not node.is_string:
        return None
    try:
        if type_.name == "DATE":
            return date.fromisoformat(str(node.this))
        found = datetime.fromisoformat(str(node.this))
    except ValueError:
        return None
    return found if found.tzinfo is None else None
