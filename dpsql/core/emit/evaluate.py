"""Evaluate an expression of constants, with the engine's own arithmetic and without any data.

The image of a finite domain under a function (`SUBSTRING(segment, 1, 3)`) is computed this way, so
that the public domain and the private rows agree on what the function does.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction

import duckdb
from sqlglot import exp

from dpsql.core.emit.plans import column, scalar
from dpsql.core.emit.printing import printed
from dpsql.core.functions.calculator import calculator
from dpsql.core.plan.expr import Column, Expr
from dpsql.types import Scalar


class Undefined(Exception):  # noqa: N818  (no error: an expression without a value)
    """The engine has no value for an expression of constants: it is out of range, for one."""


def evaluate(
    expr: Expr, rows: Sequence[Sequence[Scalar | None]], columns: Sequence[Column]
) -> list[object]:
    """The expression's value for each row of constants, in order.

    Args:
        expr: over `columns`.
        rows: the constants, one for each column.
        columns: what the constants stand for.

    Raises:
        Undefined: the engine fails on one of the rows, or gives what Python cannot hold.
    """
    if not rows:
        return []
    try:
        return _evaluated(expr, rows, columns)
    except (duckdb.Error, ArithmeticError, ValueError):
        pass
    raise Undefined


def _evaluated(
    expr: Expr, rows: Sequence[Sequence[Scalar | None]], columns: Sequence[Column]
) -> list[object]:
    lists = [
        [_plain(v, column) for v in values]
        for values, column in zip(zip(*rows, strict=True), columns, strict=True)
    ]
    names: dict[int, exp.Expr] = {c.id: column("v", f"c{i}") for i, c in enumerate(columns)}
    sources = ", ".join(f"unnest(${i + 1}::{_stored(c)}[]) AS c{i}" for i, c in enumerate(columns))
    value = printed(scalar(expr, names))
    with calculator() as connection:
        found = connection.execute(f"SELECT {value} FROM (SELECT {sources}) AS v", lists).fetchall()
    return [row[0] for row in found]


def _stored(column: Column) -> str:
    return "VARCHAR" if column.type.name == "ENUM" else str(column.type)


def _plain(value: Scalar | None, column: Column) -> object:
    """A constant as the engine takes it: exact decimals, or doubles."""
    if isinstance(value, Fraction) and column.type.is_float:
        return float(value)
    if isinstance(value, Fraction):
        with localcontext() as context:
            context.prec = 100
            return Decimal(value.numerator) / Decimal(value.denominator)
    return value
