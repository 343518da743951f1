"""A date of its year, month and day: see `dialects`.

Of a day that there is not it is an error in T-SQL, and NULL in Spark. Snowflake counts months and
days on: month 13 is the January after, and day 0 the last one of the month before.
"""

from __future__ import annotations

from sqlglot import exp

from dpsql.front.dialects.number_kinds import whole
from dpsql.front.dialects.words import Rule, constant, operand, refuse


def _from_parts(node: exp.Expr, dialect: str) -> exp.Expr:
    if dialect == "tsql":
        return node
    year, month, day = (node.args[name] for name in ("year", "month", "day"))
    if dialect != "snowflake" or not all(_whole(part) for part in (year, month, day)):
        raise refuse(node, dialect, "a date of its parts", "write DATE '2024-12-31'")
    one, sure = exp.Literal.number(1), _up_to(month, 12) or isinstance(month, exp.Month)
    if sure and _up_to(day, 28):
        return exp.DateFromParts(year=year, month=month, day=day)
    first: exp.Expr = exp.DateFromParts(year=year, month=month if sure else one, day=one.copy())
    if not sure:
        before = _minus_one(month)
        count = exp.Literal.string(before.sql()) if constant(month, 0) else before
        months = exp.Interval(this=count, unit=exp.Var(this="MONTH"))
        moved = exp.Add(this=first, expression=months)
        first = exp.Cast(this=moved, to=exp.DataType.build("DATE", dialect="duckdb"))
    days = _minus_one(day)
    if not constant(day, 0):  # DuckDB adds INTEGERs to dates, and its DAY(x) is a BIGINT
        days = exp.Cast(this=days, to=exp.DataType.build("INTEGER", dialect="duckdb"))
    return exp.Paren(this=exp.Add(this=first, expression=days))


def _up_to(node: exp.Expr, most: int) -> bool:
    return constant(node, 1) and int(node.name) <= most


def _whole(node: exp.Expr) -> bool:
    return isinstance(node, exp.Month | exp.Year | exp.Day) or whole(node, "snowflake")


def _minus_one(node: exp.Expr) -> exp.Expr:
    if constant(node, 0):
        return exp.Literal.number(int(node.name) - 1)  # a Neg for 0
    return exp.Paren(this=exp.Sub(this=operand(node), expression=exp.Literal.number(1)))


RULES: dict[type[exp.Expr], Rule] = {exp.DateFromParts: _from_parts}
