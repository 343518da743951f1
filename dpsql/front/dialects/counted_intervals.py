"""Intervals of as many units as an expression says, beside a moment:

    d - INTERVAL n - 1 DAY     DATE_SUB(d, INTERVAL n - 1 DAY), of MySQL
    DATEADD(day, x, d)         of ROUND(x) days, of Snowflake and MySQL

What is no whole number of units counts as the nearest one in these two, where DuckDB cuts it off.
The half of a float is the even one there, and a quotient has four digits; both are refused.
"""

from __future__ import annotations

from sqlglot import exp

from dpsql.front.dialects.number_kinds import fraction, is_exact, whole
from dpsql.front.dialects.words import place, refuse


def beside_moments(tree: exp.Query) -> None:
    """Write those of MySQL as the functions that they are. Where the interval comes first, all that
    follows is the moment: INTERVAL 1 DAY + d > e is INTERVAL 1 DAY + (d > e).

    Raises:
        Rejected: DP104.
    """
    for node in list(tree.walk()):
        if not isinstance(node, exp.Add | exp.Sub):
            continue
        moment, step = node.this, node.expression
        if isinstance(moment, exp.Interval):
            above = node.parent
            beside = isinstance(above, exp.Binary | exp.Predicate | exp.Unary)
            if beside and not isinstance(above, exp.Paren):
                help = "write d + INTERVAL 1 DAY, or parentheses around it"
                raise refuse(node, "mysql", "an interval that comes first", help)
            if isinstance(node, exp.Add):
                moment, step = step, moment
        counted = isinstance(step, exp.Interval) and step.this and step.args.get("unit")
        if not counted or isinstance(moment, exp.Interval) or _constant(step.this):
            continue
        kind = exp.DateAdd if isinstance(node, exp.Add) else exp.DateSub
        made = kind(this=moment, expression=step.this, unit=step.args["unit"])
        node.replace(place(made, node))


def round_units(tree: exp.Query, dialect: str) -> None:
    """Round what they are made of, once columns have their types; seconds have parts in MySQL.

    Raises:
        Rejected: DP104.
    """
    for node in list(tree.walk()):
        if not isinstance(node, exp.DateAdd | exp.DateSub | exp.TimestampAdd):
            continue
        count, seconds = node.expression, str(node.args.get("unit") or "").upper() == "SECOND"
        if _constant(count) or _integral(count, dialect) or (dialect == "mysql" and seconds):
            continue
        if count.find(exp.Div) or (fraction(count, dialect) and not is_exact(count, dialect)):
            what = "an interval of a quotient or a float, which is rounded"
            raise refuse(count, dialect, what, "write FLOOR(x)")
        node.set("expression", place(exp.Round(this=count.copy()), count))


def _constant(node: exp.Expr) -> bool:
    if isinstance(node, exp.Paren | exp.Neg):
        return _constant(node.this)
    return isinstance(node, exp.Literal)


def _integral(node: exp.Expr, dialect: str) -> bool:
    if isinstance(node, exp.Add | exp.Sub | exp.Mul):
        return _integral(node.this, dialect) and _integral(node.expression, dialect)
    if isinstance(node, exp.Paren | exp.Neg):
        return _integral(node.this, dialect)
    rounded = isinstance(node, exp.Round) and node.args.get("decimals") is None
    return rounded or isinstance(node, exp.Floor | exp.Ceil) or whole(node, dialect)
