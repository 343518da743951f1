"""Dates that are made of constant texts: see `dialects`.

    TO_DATE('2024/12/31', 'YYYY/MM/DD')    DATE '2024-12-31'
    x - '2024-12-31'                       x - DATE '2024-12-31'  in PostgreSQL
    CAST('20241231' AS DATE)               DATE '2024-12-31'      in PostgreSQL and T-SQL

The date is the same: the format has a year of four digits, a month and a day of two, each once, and
the text has just these. In PostgreSQL a separator stands for any other one; and a text beside - is
of the type of the other side, of which a date as a text is none but a date or a moment.
"""

from __future__ import annotations

import re
from datetime import date

from sqlglot import exp

from dpsql.front.dialects.words import Rule, place, refuse

READ: dict[type[exp.Expr], tuple[str, ...]] = {
    exp.StrToDate: ("this", "format", "default_year"),
    exp.TsOrDsToDate: ("this", "format", "safe", "default_date"),
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


def _less(node: exp.Expr, dialect: str) -> exp.Expr:
    if dialect == "postgres":
        for part, other in ((node.this, node.expression), (node.expression, node.this)):
            made = constant_date(part, _ISO)
            if made is not None and not isinstance(other, exp.Literal):
                part.replace(place(made, part))
    return node


RULES: dict[type[exp.Expr], Rule] = {
    exp.StrToDate: _parsed,
    exp.TsOrDsToDate: _parsed,
    exp.Sub: _less,
}
