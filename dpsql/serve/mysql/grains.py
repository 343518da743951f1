"""The beginning of a month, of a year, which tools write as arithmetic, since MySQL's language has
no word for it -> DATE_TRUNC, whose groups dpsql knows.
"""

from __future__ import annotations

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
)
"""(unit, whether a date is meant, the text for a column x), as Superset and others write them."""

MOST = 60
"""Parts of an expression that is looked at."""


def truncated(tree: exp.Query) -> exp.Query:
    """The tree with DATE_TRUNC for each of these ways, and with dates for what STR_TO_DATE reads of
    constants; it is changed.
    """
    for node in list(tree.walk(bfs=True)):
        made = _of(node)
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
    if isinstance(node, exp.StrToDate | exp.StrToTime):
        return _constant(node)
    if len(list(islice(node.walk(), MOST + 1))) > MOST:
        return None
    column = node.find(exp.Column)
    if column is None or node is column:
        return None
    for (unit, dated, _), way in zip(WAYS, _trees(), strict=True):
        if type(node) is type(way) and _bare(node) == _with(way, column):
            of = {"this": column.copy(), "unit": exp.Literal.string(unit)}
            begun = exp.DateTrunc(**of)  # type: ignore[no-untyped-call]
            return exp.cast(begun, exp.DType.DATE) if dated else begun
    return None


def _with(way: exp.Expr, column: exp.Column) -> exp.Expr:
    return way.transform(lambda n: column.copy() if isinstance(n, exp.Column) else n)


@cache
def _trees() -> tuple[exp.Expr, ...]:
    return tuple(_bare(parse_one(text, dialect="mysql")) for _, _, text in WAYS)


def _bare(node: exp.Expr) -> exp.Expr:
    """The same without parentheses, of which a tree has no need."""
    return node.transform(lambda n: n.unnest() if isinstance(n, exp.Paren) else n)
