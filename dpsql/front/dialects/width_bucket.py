"""WIDTH_BUCKET of other dialects: see `dialects`."""

from __future__ import annotations

import re
from fractions import Fraction

from sqlglot import exp

from dpsql.front.dialects.words import constant, copied, operand, refuse

_BUCKETS = ("min_value", "max_value", "num_buckets")


def width_bucket(node: exp.Expr, dialect: str) -> exp.Expr:
    """WIDTH_BUCKET(x, low, high, n): 0 below low, n + 1 from high on, and between them the number,
    from 1, of one of n parts as wide as each other, each with its lower end; NULL for NULL. Where
    high < low the parts are counted downward from low, each with its upper end.

    Claim: a whole number or DECIMAL x is in the part of the exact quotient (x - low) * n / width,
    while n * width and its decimals are 15 digits. Why: by a power of ten `width` is a whole
    number. At an end of a part the numerator is a multiple of it, which a DOUBLE has exactly;
    elsewhere it is away from one by more than what rounding moves it. A DOUBLE x is rounded, and so
    is every x in Spark, whose numbers here are DOUBLE.
    """
    low, high, parts = (node.args.get(k) or exp.Null() for k in _BUCKETS)
    start, end = plain_number(low), plain_number(high)
    if start is None or end is None or start == end or not constant(parts, 1):
        what = "WIDTH_BUCKET but with two bounds and a number of parts that are constants"
        raise refuse(node, dialect, what)
    if end < start and dialect == "snowflake":
        raise refuse(node, dialect, "WIDTH_BUCKET of bounds in descending order")
    x = operand(node.this)
    if sum(1 for _ in x.walk()) > 200:  # it is there four times
        raise refuse(node, dialect, "WIDTH_BUCKET of so long an expression")
    if dialect == "spark":
        x = exp.Cast(this=node.this, to=exp.DataType.build("DOUBLE", dialect="duckdb"))
    count, up = int(parts.name), start < end
    scale = 10 ** max(_digits(start), _digits(end))
    width = exp.Literal.number(int(abs(end - start) * scale))
    below, inside = (exp.LT, exp.GTE) if up else (exp.GT, exp.LTE)
    ends = (copied(x), operand(copied(low)))
    distance = exp.Sub(this=ends[not up], expression=ends[up])
    steps = exp.Mul(this=exp.Paren(this=distance), expression=exp.Literal.number(count * scale))
    step: exp.Expr = exp.Floor(
        this=exp.Div(this=exp.Paren(this=steps), expression=width, typed=False, safe=False)
    )
    # Rounding may reach n; the other end is no more than what is known by the condition.
    step = exp.Least(this=step, expressions=[exp.Literal.number(count - 1)], ignore_nulls=True)
    step = exp.Greatest(this=step, expressions=[exp.Literal.number(0)], ignore_nulls=True)
    whole_step = exp.Cast(this=step, to=exp.DataType.build("INT", dialect="duckdb"))
    one = exp.Literal.number(1)
    branches = [
        (below(this=copied(x), expression=copied(low)), exp.Literal.number(0)),
        (inside(this=copied(x), expression=copied(high)), exp.Literal.number(count + 1)),
        (
            inside(this=copied(x), expression=copied(low)),
            exp.Add(this=whole_step, expression=one),
        ),
    ]
    return exp.Case(ifs=[exp.If(this=test, true=value) for test, value in branches])


def plain_number(node: exp.Expr) -> Fraction | None:
    """The number that a constant is: digits, perhaps with a point and a sign."""
    if isinstance(node, exp.Neg):
        found = plain_number(node.this)
        return None if found is None else -found
    if not isinstance(node, exp.Literal) or node.is_string or len(node.name) > 15:
        return None
    return Fraction(node.name) if re.fullmatch(r"\d+(\.\d*)?|\.\d+", node.name) else None


def _digits(value: Fraction) -> int:
    """How many decimals it has."""
    return next(n for n in range(20) if (value * 10**n).denominator == 1)
