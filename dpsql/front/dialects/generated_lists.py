"""BigQuery's GENERATE_ARRAY and GENERATE_DATE_ARRAY of constants, as the lists that they make: see
`dialects`.

    UNNEST(GENERATE_ARRAY(1, 7, 3))                           UNNEST([1, 4, 7])
    GENERATE_DATE_ARRAY('2024-01-01', '2024-03-31', INTERVAL 1 MONTH)

The end is an element where a whole step leads to it. Months are added to the first day.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import count, islice, takewhile

from sqlglot import exp

from dpsql.front.tables import MAX_ROWS


def elements(node: exp.Expr) -> list[exp.Expr]:
    """The elements; none where it is no such call, they are no constants, or too many."""
    if isinstance(node, exp.GenerateSeries):
        made = _numbers(node)
    else:
        made = _dates(node) if isinstance(node, exp.GenerateDateArray) else None
    try:
        found = [] if made is None else list(islice(made, MAX_ROWS + 1))
    except (OverflowError, ValueError):  # a day after the year 9999
        return []
    return found if len(found) <= MAX_ROWS else []


def _numbers(series: exp.Expr) -> Iterator[exp.Expr] | None:
    start, end, step = (_whole(series.args.get(key)) for key in ("start", "end", "step"))
    step = 1 if series.args.get("step") is None else step
    if start is None or end is None or not step:
        return None
    stop = end + (1 if step > 0 else -1)
    return (exp.Literal.number(number) for number in range(start, stop, step))


def _dates(series: exp.Expr) -> Iterator[exp.Expr] | None:
    start, end = _date(series.args.get("start")), _date(series.args.get("end"))
    step = series.args.get("step")
    if start is None or end is None or not isinstance(step, exp.Interval):
        return None
    amount, unit = _whole(step.this), str(step.args.get("unit")).upper()
    if not amount or amount < 0 or (unit not in _DAYS and (unit not in _MONTHS or start.day > 28)):
        return None

    def at(number: int) -> date:
        if unit in _DAYS:
            return start + timedelta(_DAYS[unit] * amount * number)
        months = start.year * 12 + start.month - 1 + _MONTHS[unit] * amount * number
        return date(months // 12, months % 12 + 1, start.day)

    days = takewhile(lambda day: day <= end, map(at, count()))
    return (exp.cast(exp.Literal.string(day.isoformat()), "DATE") for day in days)


_DAYS = {"DAY": 1, "WEEK": 7}
_MONTHS = {"MONTH": 1, "QUARTER": 3, "YEAR": 12}


def _whole(node: exp.Expr | None) -> int | None:
    """A constant whole number, also as the text that an interval has it as."""
    if isinstance(node, exp.Neg):
        inner = _whole(node.this)
        return None if inner is None else -inner
    text = node.name if isinstance(node, exp.Literal) else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None


def _date(node: exp.Expr | None) -> date | None:
    inner = node
    if isinstance(node, exp.Cast) and node.args["to"].this == exp.DType.DATE:
        inner = node.this
    try:
        return date.fromisoformat(inner.name) if isinstance(inner, exp.Literal) else None
    except ValueError:
        return None
