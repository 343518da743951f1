"""Moments that are constants, or so many seconds after 1970: see `dialects`.

    TO_TIMESTAMP('2024-01-01 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US')     in PostgreSQL
    TIMESTAMP WITH TIME ZONE '2024-01-01 00:00:00Z'                            in PostgreSQL
    TIMESTAMP('2024-01-01'), STR_TO_DATE('2024-01-01 00:00:00', '%Y-%m-%d …')  in MySQL
    TIMESTAMP('2024-01-01'), TIMESTAMP '2024-01-01 00:00:00+00'                in BigQuery
    CAST('20240101 00:00:00' AS DATETIME)                                      in T-SQL
    TO_TIMESTAMP(n), FROM_UNIXTIME(n), UNIX_TIMESTAMP(x)                       in PostgreSQL, MySQL
    TIME_BUCKET('5 minutes', x), DATE_BIN('5 minutes', x, TIMESTAMP '…')       in PostgreSQL
    x + (-29 || ' days')::INTERVAL                                             in PostgreSQL

The zone of the session is UTC in all of them, as the clock's is, and moments with a zone are those
of UTC: a text with another offset is brought to it. What is compared with moments without a zone
is the same whatever the zone, since both are read in it.

A text is read where all read it alike: a year of four digits, month and day of two, and a time of
day from minutes on. T-SQL's DATETIME reads 2024-01-05 as the session's language has it, but not
20240105 and 2024-01-05T00:00:00; it has steps of 1/300 s, and so no fraction here.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

from sqlglot import exp

from dpsql.front.dialects.column_types import type_of
from dpsql.front.dialects.words import Rule, copied, operand, place, refuse

READ: dict[type[exp.Expr], tuple[str, ...]] = {
    exp.StrToTime: ("this", "format"),
    exp.Timestamp: ("this", "with_tz"),
    exp.UnixToTime: ("this",),
    exp.DateBin: ("this", "expression", "unit"),
}

_TIME = r"\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?"
_ISO = re.compile(rf"\d{{4}}-\d\d-\d\d(?:[T ]{_TIME}(?:Z|[+-]\d\d(?::?\d\d)?)?)?", re.ASCII)
_DATETIME = re.compile(
    r"\d{8}(?: \d\d:\d\d(?::\d\d(?:\.0{1,3})?)?)?|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.0{1,3})?",
    re.ASCII,
)
_FORMATS = ("%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M:%S.%f", "%Y-%m-%d %H:%M", "%Y-%m-%d")


def moment(node: exp.Expr | None, form: re.Pattern[str] = _ISO) -> exp.Expr | None:
    """The TIMESTAMP, of UTC, that a constant text is; None for other texts."""
    text = str(node.this) if isinstance(node, exp.Literal) and node.is_string else ""
    if not form.fullmatch(text):
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None  # 30 February
    return _literal(found.astimezone(UTC).replace(tzinfo=None) if found.tzinfo else found)


def _literal(found: datetime) -> exp.Expr:
    kind = exp.DataType.build("TIMESTAMP", dialect="duckdb")
    return exp.Cast(this=exp.Literal.string(found.isoformat(" ")), to=kind)


def cast_to_one(value: exp.Expr, kind: exp.DataType, dialect: str) -> exp.Expr | None:
    """A constant that is cast to a moment with a zone, or to T-SQL's DATETIME; None of others."""
    if kind.expressions:
        return None
    if kind.this == exp.DType.DATETIME and dialect == "tsql":
        return moment(value, _DATETIME)
    zoned = kind.this == exp.DType.TIMESTAMPTZ and dialect in ("bigquery", "postgres")
    return moment(value) if zoned else None


def _parsed(node: exp.Expr, dialect: str) -> exp.Expr:
    """STR_TO_DATE and TO_TIMESTAMP of a constant, in a format of numbers."""
    form, text = node.args["format"], node.this
    constant = isinstance(text, exp.Literal) and isinstance(form, exp.Literal) and text.is_string
    name = form.name.replace("%T", "%H:%M:%S") if constant else ""
    # A fraction of fewer digits is so many microseconds in one, and a part of a second elsewhere.
    whole = "%f" not in name or re.search(r"\.\d{6}$", text.name)
    if dialect not in ("mysql", "postgres") or name not in _FORMATS or not whole:
        help = "write TIMESTAMP '2024-12-31 23:59:59'"
        raise refuse(node, dialect, "the conversion of text to a moment", help)
    try:
        found = datetime.strptime(text.name, name)
    except ValueError:
        found = None
    if found is None or moment(text) is None:  # 1 for 01
        help = "write TIMESTAMP '2024-12-31 23:59:59'"
        raise refuse(node, dialect, "this text as a moment", help)
    return _literal(found)


def _timestamp(node: exp.Expr, dialect: str) -> exp.Expr:
    """TIMESTAMP(x) of a constant, or of a column of dates or moments."""
    value = node.this
    if dialect in ("bigquery", "mysql"):
        made = moment(value) if dialect == "bigquery" else moment(value, _PLAIN)
        if made is not None:
            return made
        found = type_of(value) if isinstance(value, exp.Column) else None
        if found is not None and found.is_temporal:
            return exp.Cast(this=value, to=exp.DataType.build("TIMESTAMP", dialect="duckdb"))
    raise refuse(node, dialect, "the function TIMESTAMP", "write CAST(x AS DATETIME)")


_PLAIN = re.compile(rf"\d{{4}}-\d\d-\d\d(?: {_TIME})?", re.ASCII)


def _from_seconds(node: exp.Expr, dialect: str) -> exp.Expr:
    """TO_TIMESTAMP(n) and FROM_UNIXTIME(n): rounded to microseconds."""
    if dialect not in ("mysql", "postgres"):
        raise refuse(node, dialect)
    kind = exp.DataType.build("BIGINT", dialect="duckdb")
    million = exp.Cast(this=exp.Literal.number(1_000_000), to=kind.copy())  # no INTEGER overflows
    many = exp.Mul(this=operand(node.this), expression=million)
    count = exp.TryCast(this=many, to=kind, safe=True)  # NULL beyond what there is
    return exp.UnixToTime(this=count, scale=exp.Literal.number(6))


def seconds(node: exp.Expr, dialect: str) -> exp.Expr:
    """MySQL's UNIX_TIMESTAMP(x), the seconds after 1970; whole ones where DIV cuts them off, which
    is the same: a quotient by a whole number has no less a whole part for it.
    """
    if len(node.expressions) != 1:
        raise refuse(node, dialect, "UNIX_TIMESTAMP but of one moment")
    made: exp.Expr = exp.Extract(this=exp.Var(this="EPOCH"), expression=node.expressions[0])
    above = node.parent
    if isinstance(above, exp.IntDiv) and above.this is node:
        whole = exp.DataType.build("BIGINT", dialect="duckdb")
        made = exp.Cast(this=exp.Floor(this=made), to=whole)
    return made


# --- before the rules, which know intervals by what stands beside them ---

_STEP = re.compile(r"\s*([+-]?\d{1,9})(?:\.0+)?\s*([A-Za-z]+)\s*", re.ASCII)
_SHORT = {"s": "SECOND", "m": "MINUTE", "min": "MINUTE", "h": "HOUR", "d": "DAY"}


def intervals(tree: exp.Query, dialect: str) -> None:
    """Write out PostgreSQL's intervals of constant texts."""
    if dialect != "postgres":
        return
    for node in list(tree.walk()):
        if isinstance(node, exp.Cast) and node.args["to"].this == exp.DType.INTERVAL:
            made = _interval(_text(node.this))
            if made is not None:
                node.replace(place(made, node))
        elif isinstance(node, exp.DateBin):
            _stepped(node)
        elif _is_bucket(node):
            width, value = (copied(part) for part in node.expressions)
            made = place(exp.DateBin(this=width, expression=value), node)
            _stepped(made)
            node.replace(made)


def _is_bucket(node: exp.Expr) -> bool:
    named = isinstance(node, exp.Anonymous) and node.name.lower() == "time_bucket"
    return named and len(node.expressions) == 2


def _stepped(node: exp.Expr) -> None:
    made = _interval(_text(node.this))
    if made is not None:
        node.set("this", place(made, node))


def _text(node: exp.Expr) -> str:
    """A constant text, or one that is put together of constants."""
    if isinstance(node, exp.Paren):
        return _text(node.this)
    if isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal):
        return f"-{node.this.name}"
    if isinstance(node, exp.DPipe):
        return _text(node.this) + _text(node.expression)
    return node.name if isinstance(node, exp.Literal) else "?"


def _interval(text: str) -> exp.Expr | None:
    found = _STEP.fullmatch(text)
    if found is None:
        return None
    unit = _SHORT.get(found[2].lower(), found[2].upper())
    return exp.Interval(this=exp.Literal.string(str(int(found[1]))), unit=exp.Var(this=unit))


def _bin(node: exp.Expr, dialect: str) -> exp.Expr:
    """Equal steps from an origin, by default a Monday: of no months, as in PostgreSQL."""
    width = node.this
    if not isinstance(width, exp.Interval) or width.text("unit") not in _EQUAL:
        raise refuse(node, dialect, "bins of no constant number of days or parts of one")
    return node


_EQUAL = ("DAY", "WEEK", "HOUR", "MINUTE", "SECOND")

RULES: dict[type[exp.Expr], Rule] = {
    exp.StrToTime: _parsed,
    exp.Timestamp: _timestamp,
    exp.UnixToTime: _from_seconds,
    exp.DateBin: _bin,
}
