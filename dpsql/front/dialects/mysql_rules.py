"""What MySQL reads into values that others refuse: dates as numbers, texts as numbers, and so on.

    d + 1                20240101 + 1                       refused; d + INTERVAL 1 DAY is read
    d2 - d1, AVG(d)      of such numbers, too               refused; DATEDIFF(d2, d1) is read
    i = '1.5', s = 0     both as floats; 'abc' = 0          refused
    ROUND(x), x a FLOAT  half to even, by the C library     refused; of DECIMAL half away from zero
    CAST('24-1-5' AS DATE), d < '2024-01-01 10:00'          refused: texts of dates are '2024-12-31'

Where the type of what is read is not sure it is refused as well. What remains is DuckDB's, as in
all dialects: texts are compared by their bytes (a = 'A' is false, whatever the collation), and
quotients and means are DOUBLE, of which MySQL keeps four digits more than the operands have; and
conditions are TRUE and FALSE, not 1 and 0.
"""

from __future__ import annotations

import re

from sqlglot import exp

from dpsql.front.dialects.column_types import type_of
from dpsql.front.dialects.date_rules import PARTS
from dpsql.front.dialects.number_kinds import TEXTS, fraction, is_exact, kind, whole
from dpsql.front.dialects.words import place, refuse
from dpsql.types import VARCHAR

_MYSQL = "mysql"
_COMPARED = (
    *(exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NullSafeEQ, exp.Between, exp.In),
    *(exp.Nullif, exp.Least, exp.Greatest, exp.Case),
)
_READ_AS_DATES = (
    *(exp.DateAdd, exp.DateSub, exp.DateDiff, exp.TsOrDsToDate, exp.LastDay, *PARTS),
    *(exp.TimestampAdd, exp.TimestampDiff),
)
_SUMMED = (
    *(exp.Avg, exp.Sum, exp.Stddev, exp.StddevSamp, exp.StddevPop),
    *(exp.Variance, exp.VariancePop),
)
_MOMENTS = (
    *(exp.DateAdd, exp.DateSub, exp.TimestampAdd, exp.LastDay),
    *(exp.CurrentDate, exp.CurrentTimestamp),
    *(exp.TsOrDsToDate, exp.StrToDate, exp.Interval),
    *(exp.StrToTime, exp.Timestamp, exp.UnixToTime),
)
_SAME = (
    *(exp.Paren, exp.Neg, exp.Abs, exp.Min, exp.Max, exp.Window, exp.Distinct, exp.Filter),
    *(exp.Coalesce, exp.Nullif, exp.Case, exp.If, exp.Least, exp.Greatest, exp.Subquery),
    *(exp.FirstValue, exp.LastValue, exp.Lag, exp.Lead, exp.Select),
)
"""What may be a moment where something in it is one."""

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?")
_FINER = re.compile(r"\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d(\.\d{1,6})?)?")
_DIGITS = re.compile(r"-?\d{1,18}")
_CAST = "cast numbers: CAST(x AS DOUBLE); for dates use DATEDIFF, or INTERVAL"


def check(tree: exp.Expr) -> None:
    """Refuse what means something else, once columns have their types.

    Raises:
        Rejected: DP104.
    """
    for node in list(tree.walk()):  # some are put into a cast
        if isinstance(node, exp.GroupConcat):
            help = "write COUNT(DISTINCT x), or GROUP BY x"
            raise refuse(node, _MYSQL, "GROUP_CONCAT, a text of many rows", help)
        if isinstance(node, exp.Add | exp.Sub):
            _added(node)
        elif isinstance(node, _SUMMED) and maybe_moment(node.this):
            raise refuse(node, _MYSQL, "what may be dates, added up as numbers", _CAST)
        elif isinstance(node, exp.Round) and not is_exact(node.this, _MYSQL):
            help = "write ROUND(CAST(x AS DECIMAL(p, s)), n)"
            raise refuse(node, _MYSQL, "ROUND of what may be a float, half to even", help)
        elif isinstance(node, exp.Concat) and any(map(_is_condition, node.expressions)):
            raise refuse(
                node, _MYSQL, "the text of a condition, which is 0 or 1", "use IF(…, 1, 0)"
            )
        elif isinstance(node, _COMPARED):
            _compared(node)
        elif isinstance(node, _READ_AS_DATES):
            _dated(node)


def _is_condition(node: exp.Expr) -> bool:
    kinds = (exp.Predicate, exp.Connector, exp.Not, exp.Boolean)
    column = type_of(node) if isinstance(node, exp.Column) else None
    boolean = column is not None and column.is_boolean
    return boolean or isinstance(node.unnest(), kinds)


def _dated(node: exp.Expr) -> None:
    for key in ("this", "expression"):
        part = node.args.get(key)
        moment = key == "this" or isinstance(node, exp.DateDiff | exp.TimestampDiff)
        if not moment or not isinstance(part, exp.Literal):
            continue
        _as_moment(part, node)


def _as_moment(part: exp.Expr, node: exp.Expr) -> None:
    """A text of a date is that date, and one with a time that moment; the result is a text there,
    which looks the same.
    """
    if not part.is_string or not _MOMENT.fullmatch(part.name):
        raise refuse(node, _MYSQL, "this text as a date", "write DATE '2024-12-31'")
    kind = exp.DataType.build("DATE" if _DAY.fullmatch(part.name) else "DATETIME", dialect=_MYSQL)
    part.replace(place(exp.Cast(this=part.copy(), to=kind), part))


def _added(node: exp.Expr) -> None:
    sides = (node.this, node.expression)
    if any(isinstance(side.unnest(), exp.Interval) for side in sides):
        for side in sides:
            if isinstance(side, exp.Literal):
                _as_moment(side, node)
        return
    if any(maybe_moment(side) or _is_text(side) for side in sides):
        raise refuse(node, _MYSQL, "+ or - of what may be dates or texts, as numbers", _CAST)


def maybe_moment(node: exp.Expr) -> bool:
    """Whether an expression may be a date or a time."""
    if isinstance(node, exp.Column):
        found = type_of(node)
        return found is None or found.is_temporal or found.name in ("TIME", "INTERVAL")
    if isinstance(node, exp.Cast):
        return not (whole(node, _MYSQL) or fraction(node, _MYSQL) or _is_text(node))
    if isinstance(node, exp.Add | exp.Sub):
        return any(isinstance(s.unnest(), exp.Interval) for s in (node.this, node.expression))
    if isinstance(node, exp.Case):
        values = [*(part.args["true"] for part in node.args["ifs"]), node.args.get("default")]
        return any(maybe_moment(value) for value in values if value is not None)
    if isinstance(node, exp.If):
        values = [node.args["true"], node.args.get("false")]
        return any(maybe_moment(value) for value in values if value is not None)
    if isinstance(node, exp.Subquery | exp.Window | exp.Filter):
        return maybe_moment(node.this)
    if isinstance(node, exp.Select):
        return any(maybe_moment(item.unalias()) for item in node.expressions)
    if isinstance(node, exp.SetOperation | exp.Star):
        return True
    if isinstance(node, _SAME):
        return any(maybe_moment(part) for part in node.iter_expressions())
    return isinstance(node, _MOMENTS)


def _is_text(node: exp.Expr) -> bool:
    if isinstance(node, exp.Cast):
        return node.args["to"].this in (*TEXTS, exp.DType.CHAR)
    return kind(node, _MYSQL) == VARCHAR


def _compared(node: exp.Expr) -> None:
    """Texts beside numbers, and texts of dates, but for those that all read alike."""
    parts = [node.this, *(node.args.get(k) for k in ("expression", "low", "high"))]
    parts += node.expressions
    if isinstance(node, exp.Case):  # CASE x WHEN y
        parts = [] if node.this is None else [node.this, *(p.this for p in node.args["ifs"])]
    sides = [part.unnest() for part in parts if isinstance(part, exp.Expr)]
    texts = [s for s in sides if isinstance(s, exp.Literal) and s.is_string]
    others = [s for s in sides if not (isinstance(s, exp.Literal) and s.is_string)]
    numbers = [s for s in others if whole(s, _MYSQL) or fraction(s, _MYSQL)]
    for other in others:
        form = _form(other, other in numbers)
        wrong = next((t for t in texts if form and not form.fullmatch(str(t.this))), None)
        if wrong is not None:
            help = "write a number, '2024-12-31' or '2024-12-31 23:59:59'"
            raise refuse(wrong, _MYSQL, "a text beside a number or a date", help)
    if numbers and any(_is_text(s) or maybe_moment(s) for s in others):
        raise refuse(node, _MYSQL, "a number compared with what may be none", "cast one of them")


def _form(node: exp.Expr, number: bool) -> re.Pattern[str] | None:
    """What a text beside it has to look like; None where it may be a text itself."""
    column = type_of(node) if isinstance(node, exp.Column) else None
    if number:
        return _DIGITS
    if column is not None and column.is_temporal:
        return _DAY if column.name == "DATE" else _FINER
    return None if column == VARCHAR or not maybe_moment(node) else _DAY


def check_cast(node: exp.Expr) -> None:
    """Refuse casts that round, cut off or read more than one form of a date.

    Raises:
        Rejected: DP104.
    """
    value, target = node.args["this"], node.args["to"].this
    text = str(value.this) if isinstance(value, exp.Literal) and value.is_string else None
    if target == exp.DType.DATE and text is not None and not _DAY.fullmatch(text):
        raise refuse(node, _MYSQL, "this text as a date", "write DATE '2024-12-31'")
    if target in (exp.DType.DATETIME, exp.DType.TIMESTAMPTZ):
        column = type_of(value) if isinstance(value, exp.Column) else None
        day = column is not None and column.name == "DATE"
        if not day and (text is None or not _MOMENT.fullmatch(text)):
            help = "write TIMESTAMP '2024-12-31 23:59:59'"
            raise refuse(node, _MYSQL, "a cast to DATETIME, which rounds to seconds", help)
    if target == exp.DType.BIGINT and not is_exact(value, _MYSQL):
        help = "write CAST(CAST(x AS DECIMAL(p, s)) AS SIGNED)"
        raise refuse(node, _MYSQL, "a float or a text cast to a whole number", help)
    numbers = (exp.DType.DOUBLE, exp.DType.FLOAT, exp.DType.DECIMAL)
    if target in numbers and (_is_text(value) or maybe_moment(value)):
        raise refuse(node, _MYSQL, "what may be a text or a date as a number")
