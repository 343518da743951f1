"""The beginning of a month, of a year, which tools write as arithmetic, since MySQL's language has
no word for it -> DATE_TRUNC, whose groups dpsql knows.

A text of a moment that is read back is such a beginning, too, where what it leaves out is written
as a constant: STR_TO_DATE(CONCAT(DATE_FORMAT(x, '%Y-%m'), '-01'), '%Y-%m-%d').
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import cache
from itertools import islice

from sqlglot import exp, parse_one

WAYS = (
    ("hour", False, "DATE_ADD(DATE(x), INTERVAL HOUR(x) HOUR)"),
    ("week", True, "DATE(DATE_SUB(x, INTERVAL DAYOFWEEK(DATE_SUB(x, INTERVAL 1 DAY)) - 1 DAY))"),
    ("month", True, "DATE(DATE_SUB(x, INTERVAL DAYOFMONTH(x) - 1 DAY))"),
    (
        "quarter",
        True,
        "MAKEDATE(YEAR(x), 1) + INTERVAL QUARTER(x) QUARTER - INTERVAL 1 QUARTER",
    ),
    ("year", True, "DATE(DATE_SUB(x, INTERVAL DAYOFYEAR(x) - 1 DAY))"),
    ("year", True, "MAKEDATE(YEAR(x), 1)"),
    ("minute", False, "DATE_ADD(DATE(x), INTERVAL (HOUR(x)*60 + MINUTE(x)) MINUTE)"),
    (
        "second",
        False,
        "DATE_ADD(DATE(x), INTERVAL (HOUR(x)*60*60 + MINUTE(x)*60 + SECOND(x)) SECOND)",
    ),
)
"""(unit, whether a date is meant, the text for a column x), as Superset and others write them."""

SUNDAYS = (
    "DATE(DATE_SUB(x, INTERVAL DAYOFWEEK(x) - 1 DAY))",
    "STR_TO_DATE(CONCAT(YEARWEEK(x), ' Sunday'), '%X%V %W')",
)
"""The Sunday that a week begins with."""

MOST = 60
"""Parts of an expression that is looked at."""


def truncated(tree: exp.Query, *, constants: bool = True) -> exp.Query:
    """The tree with DATE_TRUNC for each of these ways; it is changed.

    Args:
        tree: of MySQL's language.
        constants: whether what STR_TO_DATE reads of constants becomes a date, or a moment, too.
    """
    for node in list(tree.walk(bfs=True)):
        made = _of(node)
        if constants and isinstance(node, exp.StrToDate | exp.StrToTime):
            made = _constant(node) or made
        if made is not None:
            node.replace(made)
    return tree


def _constant(node: exp.StrToDate | exp.StrToTime) -> exp.Expr | None:
    """The date, or the moment, that is written in a usual format."""
    text, form = node.this, node.args.get("format")
    if not isinstance(text, exp.Literal) or not isinstance(form, exp.Literal):
        return None
    written = form.name.replace("%T", "%H:%M:%S")
    try:
        found = datetime.strptime(text.name, written)
    except ValueError:
        return None
    if written == "%Y-%m-%d":
        return exp.cast(exp.Literal.string(found.date().isoformat()), exp.DType.DATE)
    timed = written in ("%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M:%S.%f")
    moment = exp.Literal.string(found.isoformat(" "))
    return exp.cast(moment, exp.DType.TIMESTAMP) if timed else None


def _of(node: exp.Expr) -> exp.Expr | None:
    made = _read_back(node)
    if made is not None:
        return made
    if len(list(islice(node.walk(), MOST + 1))) > MOST:
        return None
    column = node.find(exp.Column)
    if column is None or node is column:
        return None
    for (unit, dated, _), way in zip(WAYS, _trees(), strict=True):
        if type(node) is type(way) and _bare(node) == _with(way, column):
            return _begun(column, unit, dated)
    for way in _sundays():
        if type(node) is type(way) and _bare(node) == _with(way, column):
            day = exp.Interval(this=exp.Literal.string("1"), unit=exp.Var(this="DAY"))
            monday = _begun(exp.Add(this=column.copy(), expression=day), "week", False)
            return exp.cast(exp.Sub(this=monday, expression=day.copy()), exp.DType.DATE)
    return None


def _begun(value: exp.Expr, unit: str, dated: bool) -> exp.Expr:
    of = {"this": value.copy(), "unit": exp.Literal.string(unit)}
    begun = exp.DateTrunc(**of)  # type: ignore[no-untyped-call]
    return exp.cast(begun, exp.DType.DATE) if dated else begun


_LAYOUT = re.compile(
    r"%Y-(?P<month>%m|%q|01)-(?P<day>%d|01)"
    r"(?: (?P<hour>%H|00)(?::(?P<minute>%M|00)(?::(?P<second>%S|00))?)?)?"
)
_SHORT, _WHOLE = "%Y-%m-%d", "%Y-%m-%d %H:%M:%S"
"""What a text without a format is read as."""


def _read_back(node: exp.Expr) -> exp.Expr | None:
    """The beginning of a unit that a text of a column is, once it is read as a moment."""
    form: str | None = None
    if isinstance(node, exp.StrToDate | exp.StrToTime):
        text, written = node.this, node.args.get("format")
        form = written.name.replace("%T", "%H:%M:%S") if isinstance(written, exp.Literal) else "?"
        dated = "%H" not in form
    elif isinstance(node, exp.Timestamp):
        text, dated = node.this, False
    elif isinstance(node, exp.TsOrDsToDate) and node.args.get("format") is None:
        text, dated = node.this, True
    elif isinstance(node, exp.Cast) and node.to.this in (exp.DType.DATE, exp.DType.DATETIME):
        text, dated = node.this, node.to.this == exp.DType.DATE
    else:
        text, dated = _not_later(node), False
    if not isinstance(text, exp.Concat | exp.ToChar | exp.TimeToStr):
        return None
    columns: list[exp.Expr] = []
    found = _LAYOUT.fullmatch(_layout(text, columns))
    if found is None or any(column != columns[0] for column in columns):
        return None
    parts = {name: value for name, value in found.groupdict().items() if value is not None}
    whole = _WHOLE[: len("%Y-%m-%d") if len(parts) == 2 else 3 * (len(parts) + 1) - 1]
    if (form or (_SHORT if len(parts) == 2 else _WHOLE)) != whole:
        return None
    varying = [name for name, value in parts.items() if value.startswith("%")]
    if varying != list(parts)[: len(varying)]:
        return None
    unit = varying[-1] if varying else "year"
    if parts["month"] == "%q":
        if unit != "month":
            return None
        unit = "quarter"
    return _begun(columns[0], unit, dated)


def _not_later(node: exp.Expr) -> exp.Expr | None:
    """The text to which ADDDATE adds nothing, as it makes a moment of it."""
    if isinstance(node, exp.DateAdd):
        return node.this if node.expression.name == "0" else None
    if isinstance(node, exp.Anonymous) and node.name.upper() == "ADDDATE":
        text, *more = node.expressions or [None]
        none = len(more) == 1 and isinstance(more[0], exp.Interval) and more[0].this.name == "0"
        return text if none else None
    return None


_QUARTER = "%q"
_LETTERS = {"i": "%M", "s": "%S", "T": "%H:%M:%S"}


def _layout(text: exp.Expr, columns: list[exp.Expr]) -> str:
    """The text with the parts of columns, which are added to `columns`; ? for any other."""
    text = text.unnest()
    if isinstance(text, exp.Concat):
        return "".join(_layout(part, columns) for part in text.expressions)
    if isinstance(text, exp.Literal) and text.is_string and "%" not in text.name:
        return str(text.name)
    if isinstance(text, exp.ToChar | exp.TimeToStr):
        columns.append(_column(text.this))
        form = str(text.args["format"].name)
        if isinstance(text, exp.TimeToStr):  # strftime's
            return form.replace("%T", _LETTERS["T"])
        if "%M" in form:  # the name of a month
            return "?"
        return re.sub("%([isT])", lambda found: _LETTERS[found[1]], form)
    if isinstance(text, exp.Year):
        columns.append(_column(text.this))
        return "%Y"
    quarter = text.find(exp.Quarter)
    if quarter is not None and _bare(text) == _with(_month(), _column(quarter.this)):
        columns.append(_column(quarter.this))
        return _QUARTER
    return "?"


def _column(node: exp.Expr) -> exp.Expr:
    wrappers = (exp.TsOrDsToDate, exp.TsOrDsToTimestamp)
    return node.this if isinstance(node, wrappers) else node


def _with(way: exp.Expr, column: exp.Expr) -> exp.Expr:
    return way.transform(lambda n: column.copy() if isinstance(n, exp.Column) else n)


@cache
def _sundays() -> tuple[exp.Expr, ...]:
    return tuple(_bare(parse_one(text, dialect="mysql")) for text in SUNDAYS)


@cache
def _month() -> exp.Expr:
    return _bare(parse_one("QUARTER(x) * 3 - 2", dialect="mysql"))


@cache
def _trees() -> tuple[exp.Expr, ...]:
    return tuple(_bare(parse_one(text, dialect="mysql")) for _, _, text in WAYS)


def _bare(node: exp.Expr) -> exp.Expr:
    """The same without parentheses, of which a tree has no need."""
    return node.transform(lambda n: n.unnest() if isinstance(n, exp.Paren) else n)
