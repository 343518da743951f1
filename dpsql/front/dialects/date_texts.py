"""Dates that are made of constant texts: see `dialects`.

    TO_DATE('2024/12/31', 'YYYY/MM/DD')    DATE '2024-12-31'
    x - '2024-12-31'                       x - DATE '2024-12-31'  in PostgreSQL
    CAST('20241231' AS DATE)               DATE '2024-12-31'      in PostgreSQL and T-SQL

The date is the same: the format has a year of four digits, a month and a day of two, each once, and
the text has just these. In PostgreSQL a separator stands for any other one; and a text beside - is
of the type of the other side, of which a date as a text is none but a date or a moment.

And of dates that become texts of digits, whose formats mean the same in all of them:

    TO_CHAR(d, 'YYYY-MM')         STRFTIME(d, '%Y-%m')  in PostgreSQL
    FORMAT_DATE('%Y-%m', d)       STRFTIME(d, '%Y-%m')  in BigQuery
    DATE_FORMAT(d, 'yyyy-MM')     STRFTIME(d, '%Y-%m')  in Spark
"""

from __future__ import annotations

import re
from datetime import date

from sqlglot import exp

from dpsql.front.dialects.column_types import type_of
from dpsql.front.dialects.words import Rule, place, refuse

MOMENTS = (exp.TsOrDsToTimestamp, exp.TsOrDsToDatetime)
"""What BigQuery's parser puts around the moment that is formatted."""

READ: dict[type[exp.Expr], tuple[str, ...]] = {
    exp.StrToDate: ("this", "format", "default_year"),
    exp.TsOrDsToDate: ("this", "format", "safe", "default_date"),
    exp.TimeToStr: ("this", "format"),
    **dict.fromkeys(MOMENTS, ("this",)),
}

_FORMAT = re.compile(r"%([Ymd])(\W?)%([Ymd])(\W?)%([Ymd])")
_DIGITS = {"Y": r"(?P<Y>\d{4})", "m": r"(?P<m>\d{2})", "d": r"(?P<d>\d{2})"}
_ISO, _SHORT = "%Y-%m-%d", "%Y%m%d"


def constant_date(node: exp.Expr | None, form: str, *, loose: bool = False) -> exp.Expr | None:
    """The date that a constant text is in a format of %Y, %m and %d; None where it is none.

    Args:
        node: the text.
        form: the format.
        loose: whether any separator stands for any other one.
    """
    parts = _FORMAT.fullmatch(form)
    text = str(node.this) if isinstance(node, exp.Literal) and node.is_string else ""
    if parts is None or {parts[1], parts[3], parts[5]} != _DIGITS.keys():
        return None
    first, second = (r"[^\w]" if loose and s else re.escape(s) for s in (parts[2], parts[4]))
    pattern = f"{_DIGITS[parts[1]]}{first}{_DIGITS[parts[3]]}{second}{_DIGITS[parts[5]]}"
    found = re.fullmatch(pattern, text, re.ASCII)
    try:
        day = date(int(found["Y"]), int(found["m"]), int(found["d"])) if found else None
    except ValueError:
        return None  # 30 February
    return None if day is None else _literal(day.isoformat())


def short_date(node: exp.Expr, dialect: str) -> exp.Expr | None:
    """The date that '20241231' is where the dialect reads it so; None for other texts."""
    return constant_date(node, _SHORT) if dialect in ("postgres", "tsql") else None


def _literal(text: str) -> exp.Expr:
    return exp.Cast(this=exp.Literal.string(text), to=exp.DataType.build("DATE", dialect="duckdb"))


def _parsed(node: exp.Expr, dialect: str) -> exp.Expr:
    form = node.args.get("format")
    if form is None:
        return node  # read elsewhere, or refused there
    name = form.name.replace("strict", "") if dialect == "spark" else form.name
    made = constant_date(node.this, name, loose=dialect == "postgres")
    if made is None:
        what, help = "the conversion of text to a date", "write DATE '2024-12-31'"
        raise refuse(node, dialect, what, help)
    return made


def _formatted(node: exp.Expr, dialect: str) -> exp.Expr:
    """Parts of a date with all their digits, and what stands between them. Names of months and
    days hang on the language, and are padded in PostgreSQL; in T-SQL the year does, too.
    """
    form = node.args["format"]
    text = form.name.replace("strict", "") if dialect == "spark" else form.name
    if dialect == "tsql" or not isinstance(form, exp.Literal) or not _PARTS.fullmatch(text):
        help = "write the parts, as in YEAR(d) and MONTH(d), or DATEFROMPARTS(YEAR(d), MONTH(d), 1)"
        if dialect != "tsql":
            help = "write a format of years, months, days, … in digits, or the parts by EXTRACT"
        raise refuse(node, dialect, "a date in this format", help)
    value = node.this
    if isinstance(value, (*MOMENTS, exp.TsOrDsToDate, exp.TimeStrToTime)):
        value = value.this
    if isinstance(value.unnest(), exp.Literal):
        raise refuse(value, dialect, "a constant as a date", "use CAST(x AS DATE)")
    return exp.TimeToStr(this=value, format=exp.Literal.string(text))


_PARTS = re.compile(r"(%[YmdHMS][-. _,/:]*)+")
"""Years of four digits and the rest of two, and between them what stands for itself in all."""


def _less(node: exp.Expr, dialect: str) -> exp.Expr:
    if dialect == "postgres":
        for part, other in ((node.this, node.expression), (node.expression, node.this)):
            made = constant_date(part, _ISO)
            if made is not None and not isinstance(other, exp.Literal):
                part.replace(place(made, part))
    return node


_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)


def _compared(node: exp.Expr, dialect: str) -> exp.Expr:
    """d >= '20241231': beside a column of dates or moments the text is one."""
    sides = [side for side in node.iter_expressions() if not isinstance(side, exp.Query)]
    kinds = (type_of(side) for side in sides if isinstance(side, exp.Column))
    if any(kind is not None and kind.name in ("DATE", "TIMESTAMP") for kind in kinds):
        for side in sides:
            made = short_date(side, dialect)
            if made is not None:
                side.replace(place(made, side))
    return node


RULES: dict[type[exp.Expr], Rule] = {
    exp.StrToDate: _parsed,
    exp.TsOrDsToDate: _parsed,
    exp.Sub: _less,
    exp.TimeToStr: _formatted,
    **dict.fromkeys(_COMPARISONS, _compared),
    exp.Between: _compared,
    exp.In: _compared,
}
