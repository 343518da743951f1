"""Dates and times of other dialects: see `dialects`. Units, the numbers of days and weeks, and the
order of arguments differ; what hangs on a setting of the session (the first day of the week) is
rejected.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from sqlglot import exp

from dpsql.front.dialects.column_types import type_of
from dpsql.front.dialects.moment_functions import moment
from dpsql.front.dialects.words import (
    OF_DATE_PART,
    OF_DATEDIFF,
    OF_MOMENTS,
    Rule,
    copied,
    operand,
    place,
    refuse,
)

WRAPPERS = (
    *(exp.TsOrDsToDate, exp.TimeStrToTime),
    *(exp.TsOrDsToTimestamp, exp.TsOrDsToDatetime),  # of BigQuery's FORMAT_TIMESTAMP and its like
)
"""What sqlglot's parsers put around arguments that may be texts."""

PARTS = (
    *(exp.Year, exp.Quarter, exp.Month, exp.Day, exp.DayOfMonth, exp.DayOfYear),
    *(exp.DayOfWeek, exp.DayOfWeekIso, exp.WeekOfYear, exp.Hour, exp.Minute, exp.Second),
)
"""Functions for parts of dates."""

_TRUNCATIONS = (exp.DateTrunc, exp.TimestampTrunc, exp.DatetimeTrunc)

READ: dict[type[exp.Expr], tuple[str, ...]] = {
    exp.Interval: ("this", "unit"),
    exp.Extract: ("this", "expression"),
    exp.WeekStart: ("this",),
    exp.TimeTrunc: ("this", "unit"),
    **dict.fromkeys(PARTS, ("this",)),
    **dict.fromkeys(_TRUNCATIONS, ("this", "unit", "input_type_preserved", "zone")),
    **dict.fromkeys((exp.DateAdd, exp.DateSub, exp.TsOrDsAdd), ("this", "expression", "unit")),
    exp.AddMonths: ("this", "expression"),
    exp.DateDiff: ("this", "expression", "unit", "date_part_boundary", "big_int"),
    **dict.fromkeys((exp.TimestampAdd, exp.TimestampDiff), ("this", "expression", "unit")),
    exp.DateFromParts: ("year", "month", "day", "allow_overflow"),
    exp.Date: ("this",),
    exp.TimeStrToTime: ("this",),
}

_UNITS = ("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND")
_OF_DAYS = ("DAY", "WEEK")
_FIXED = (*_OF_DAYS, "HOUR", "MINUTE", "SECOND")
_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Between)
_SINGULAR = {**{u: u for u in _UNITS}, **{f"{u}S": u for u in _UNITS}}

_SAME = {part: part for part in ("YEAR", "QUARTER", "MONTH", "DAY", "HOUR", "MINUTE")}
_SECOND = {"SECOND": "SECOND"}
_EXTRACT: dict[str, dict[str, str]] = {
    # Sunday is 0 in DOW; SECOND has a fraction. WEEK is that of ISO 8601, as in DuckDB.
    "postgres": {
        **_SAME,
        "EPOCH": "EPOCH",
        "DOW": "DAYOFWEEK",
        "ISODOW": "ISODOW",
        "DOY": "DAYOFYEAR",
        "WEEK": "WEEK",
    },
    # Names are those that `redshift_rules` makes of all; Sunday is 0; what WEEK is it does not say.
    "redshift": {**_SAME, **_SECOND, "DAYOFWEEK": "DAYOFWEEK", "DAYOFYEAR": "DAYOFYEAR"},
    # Sunday is 1 in DAYOFWEEK; the weeks of WEEK are others.
    "bigquery": {
        **_SAME,
        **_SECOND,
        "DAYOFWEEK": "DAYOFWEEK + 1",
        "DAYOFYEAR": "DAYOFYEAR",
        "ISOWEEK": "WEEK",
    },
    # DAYOFWEEK and WEEK hang on WEEK_START and WEEK_OF_YEAR_POLICY.
    "snowflake": {
        **_SAME,
        **_SECOND,
        "DAYOFWEEKISO": "ISODOW",
        "DAYOFWEEK_ISO": "ISODOW",
        "WEEKISO": "WEEK",
        "WEEK_ISO": "WEEK",
        "DAYOFYEAR": "DAYOFYEAR",
    },
    # Sunday is 1 in DAYOFWEEK; WEEK is that of ISO 8601; SECOND has a fraction.
    "spark": {
        **_SAME,
        "DAYOFWEEK": "DAYOFWEEK + 1",
        "DOW": "DAYOFWEEK + 1",
        "DAYOFWEEK_ISO": "ISODOW",
        "DOW_ISO": "ISODOW",
        "DOY": "DAYOFYEAR",
        "WEEK": "WEEK",
    },
    # WEEK hangs on default_week_format.
    "mysql": {**_SAME, **_SECOND},
    # WEEKDAY and WEEK hang on DATEFIRST.
    "tsql": {**_SAME, **_SECOND, "DAYOFYEAR": "DAYOFYEAR", "WEEKISO": "WEEK"},
}
"""What a part is called in DuckDB, for each dialect."""

_WEEKS = {
    # Weeks start on Monday, as in DuckDB. Snowflake's hang on WEEK_START, T-SQL's on DATEFIRST.
    "postgres": ("WEEK",),
    "redshift": ("WEEK",),
    "spark": ("WEEK",),
    "bigquery": ("ISOWEEK", "WEEK(MONDAY)"),
    "mysql": ("WEEK",),  # as `grains` writes it: it has no DATE_TRUNC
    "snowflake": (),
    "tsql": ("ISO_WEEK", "ISOWK", "ISOWW"),
}
_DAYS = ("SUNDAY", "SATURDAY", "FRIDAY", "THURSDAY", "WEDNESDAY", "TUESDAY")
_TO_MONDAY = {f"WEEK({day})": before for before, day in enumerate(_DAYS, 1)}
"""BigQuery's other weeks: how many days before a Monday they start. Its WEEK alone is the first."""
_STARTS = {*_SAME, "WEEK", "SECOND"}
"""What DuckDB truncates to as the others do; their decades and centuries start elsewhere."""
_DAY_UNITS = {"MM": "MONTH", "MON": "MONTH", "YY": "YEAR", "YYYY": "YEAR"}
"""Further units of Spark's TRUNC."""
_OF_DATES = {"YEAR", "QUARTER", "MONTH", "WEEK"}
"""All units of Spark's TRUNC: of any other it is NULL."""


def _named(node: exp.Expr | None) -> str:
    """A unit in capitals: a word, a string, or WEEK(MONDAY)."""
    if isinstance(node, exp.WeekStart):
        return f"WEEK({node.this.name.upper()})"
    return node.name.upper() if isinstance(node, exp.Expr) else ""


def _extract(node: exp.Expr, dialect: str) -> exp.Expr:
    name = _named(node.this)
    if dialect == "postgres":
        name = _SINGULAR.get(name, name)  # EXTRACT(days FROM x)
    known = _EXTRACT[dialect].get(name)
    if dialect == "bigquery" and isinstance(node.expression.unnest(), exp.Sub):
        help = "use TIMESTAMP_DIFF"  # its intervals have hours, where DuckDB's have days
        raise refuse(node, dialect, "a part of a difference", help)
    if known is None:
        raise refuse(node, dialect, f"the date part {name}", _part_help(name, dialect))
    part, _, one = known.partition(" + ")
    made = exp.Extract(this=exp.Var(this=part), expression=node.expression)
    made.meta[OF_DATE_PART] = bool(node.meta.get(OF_DATE_PART))
    return _plus_one(made) if one else made


def _part_help(name: str, dialect: str) -> str | None:
    week = {"bigquery": "ISOWEEK", "snowflake": "WEEKISO", "tsql": "ISO_WEEK"}
    if name == "WEEK":
        if dialect == "redshift":
            return "use TO_CHAR(x, 'IW')"
        return f"use {week[dialect]}" if dialect in week else None
    return "use DAYOFWEEKISO" if dialect == "snowflake" and name == "DAYOFWEEK" else None


def _plus_one(node: exp.Expr) -> exp.Expr:
    return exp.Paren(this=exp.Add(this=node, expression=exp.Literal.number(1)))


def _part(node: exp.Expr, dialect: str) -> exp.Expr:
    """YEAR(x) and the like: the argument is a date or a timestamp, or else the types do not fit."""
    made = type(node)(this=unwrapped(node.this))
    if isinstance(node, exp.DayOfWeek):
        if dialect not in ("mysql", "spark"):  # Sunday is 1
            raise refuse(node, dialect, "the date part DAYOFWEEK", _part_help("DAYOFWEEK", dialect))
        return _plus_one(made)
    return made


def unwrapped(node: exp.Expr) -> exp.Expr:
    """The argument inside what sqlglot's parsers put around it."""
    return node.this if isinstance(node, WRAPPERS) else node


def _truncate(node: exp.Expr, dialect: str) -> exp.Expr:
    """DATE_TRUNC, whichever argument comes first: the start of the year, …, the second. The type is
    another one where a DATE is truncated, the moment is the same. So many days later a week that
    starts so many days before Monday is one that starts on Monday.
    """
    name, zone = _named(node.args.get("unit")), node.args.get("zone")
    if zone is not None and not (isinstance(zone, exp.Literal) and zone.name == "UTC"):
        raise refuse(zone, dialect, "truncation in a time zone")
    if dialect == "bigquery" and name in _TO_MONDAY:
        return _week(node, _TO_MONDAY[name])
    to_date = dialect == "spark" and isinstance(node, exp.DateTrunc)  # TRUNC gives a DATE
    unit = _DAY_UNITS.get(name, name) if to_date else name
    if unit in _WEEKS[dialect]:
        unit = "WEEK"
    elif unit == "ISOYEAR" and dialect == "bigquery":
        pass  # the year of the week's number, as DuckDB has it
    elif unit == "WEEK" or unit not in (_OF_DATES if to_date else _STARTS):
        raise refuse(node, dialect, f"truncation to {name or 'this unit'}")
    value = node.this
    made: exp.Expr = exp.TimestampTrunc(this=value, unit=exp.Var(this=unit))
    if isinstance(value, exp.Cast) and value.args["to"].this == exp.DType.DATE:
        # As sqlglot reads DuckDB's text of it.
        made = exp.DateTrunc(this=value, unit=exp.Literal.string(unit))  # type: ignore[no-untyped-call]
    return _as_date(made) if to_date else made


def _truncate_time(node: exp.Expr, dialect: str) -> exp.Expr:
    """BigQuery's TIME_TRUNC: the time of the parts down to a unit. It has no 24:00:00, which is
    midnight in what has one.
    """
    units = ("HOUR", "MINUTE", "SECOND")
    name, value = _named(node.args.get("unit")), node.this
    if dialect != "bigquery" or name not in units:
        raise refuse(node, dialect, f"truncation of a time to {name or 'this unit'}")
    day = exp.Literal.number(24)
    parts = [exp.Mod(this=exp.Hour(this=value), expression=day), exp.Minute(this=value.copy())]
    parts += [exp.Second(this=value.copy())]
    kept = units.index(name) + 1
    parts[kept:] = [exp.Literal.number(0) for _ in units[kept:]]
    return exp.TimeFromParts(hour=parts[0], min=parts[1], sec=parts[2])


def _week(node: exp.Expr, days: int) -> exp.Expr:
    def shift(kind: type[exp.Binary], moment: exp.Expr) -> exp.Expr:
        interval = exp.Interval(this=exp.Literal.string(str(days)), unit=exp.Var(this="DAY"))
        return kind(this=moment, expression=interval)

    later = shift(exp.Add, operand(node.this))
    monday = exp.TimestampTrunc(this=place(later, node), unit=exp.Var(this="WEEK"))
    return place(exp.Paren(this=shift(exp.Sub, place(monday, node))), node)


def _as_date(node: exp.Expr) -> exp.Expr:
    if isinstance(node, exp.Cast) and node.args["to"].this == exp.DType.DATE:
        return node
    return exp.Cast(this=node, to=exp.DataType.build("DATE", dialect="duckdb"))


def _date(node: exp.Expr, dialect: str) -> exp.Expr:
    """DATE(x) is CAST(x AS DATE)."""
    return _as_date(node.this)


def _amount(node: exp.Expr | None) -> int | None:
    """A constant number of units, or None."""
    if isinstance(node, exp.Paren):
        return _amount(node.this)
    if isinstance(node, exp.Neg):
        inner = _amount(node.this)
        return None if inner is None else -inner
    text = str(node.this) if isinstance(node, exp.Literal) else ""
    return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else None


def _shift(node: exp.Expr, dialect: str) -> exp.Expr:
    """DATEADD and its kin: a moment plus an interval. Where the day of the month does not exist it
    is the last one, in all of them.
    """
    unit, amount = _SINGULAR.get(_named(node.args.get("unit"))), _amount(node.expression)
    if unit is None:
        help = "the parts are year, quarter, month or mon, week, day, hour, minute or m, second"
        what = "a shift that is no number of years, …, seconds"
        raise refuse(node, dialect, what, help if dialect == "redshift" else None)
    negative = isinstance(node, exp.DateSub) != (amount is not None and amount < 0)
    kind = exp.Sub if negative else exp.Add
    count: exp.Expr = exp.Paren(this=node.expression)
    if amount is not None:
        count = exp.Literal.string(str(abs(amount)))
    interval = exp.Interval(this=count, unit=exp.Var(this=unit))
    moment = operand(_day_zero(node.this, dialect))
    return exp.Paren(this=kind(this=moment, expression=interval))


def _add_months(node: exp.Expr, dialect: str) -> exp.Expr:
    """Spark's ADD_MONTHS, a date; Snowflake's goes from the last day of a month to the last."""
    if dialect != "spark":
        raise refuse(node, dialect, "ADD_MONTHS", "use DATEADD(month, n, x)")
    unit = exp.Var(this="MONTH")
    moved = exp.DateAdd(this=node.this, expression=node.expression, unit=unit)
    return exp.Cast(this=_shift(moved, dialect), to=exp.DataType.build("DATE", dialect="duckdb"))


def _day_zero(node: exp.Expr, dialect: str) -> exp.Expr:
    """The moment that DATEADD and DATEDIFF take: in T-SQL a whole number is so many days after
    1900-01-01; in the others it is none.
    """
    days = _amount(node)
    if days is None:
        return node
    if dialect != "tsql":
        raise refuse(node, dialect, "a number as a date", "write DATE '2024-12-31'")
    try:
        day = date(1900, 1, 1) + timedelta(days)
    except OverflowError:
        raise refuse(node, dialect, "a number of days as a date beyond the year 9999") from None
    kind = exp.DataType.build("TIMESTAMP", dialect="duckdb")
    return place(exp.Cast(this=exp.Literal.string(day.isoformat()), to=kind), node)


def _days(node: exp.Expr, dialect: str) -> exp.Expr:
    """Spark's DATE_ADD(d, n) and DATE_SUB: a DATE plus n days."""
    expression = node.expression
    negative = isinstance(expression, exp.Mul)  # DATE_SUB comes as n * -1
    amount = _amount(expression.this if negative else expression)
    if _named(node.args.get("unit")) != "DAY":
        raise refuse(node, dialect, "a shift that is no number of days")
    if amount is None:
        days = operand(expression.this if negative else expression)
    else:
        negative = negative != (amount < 0)
        days = exp.Literal.number(str(abs(amount)))
    kind = exp.Sub if negative else exp.Add
    return exp.Paren(this=kind(this=_as_date(unwrapped(node.this)), expression=days))


def _difference(node: exp.Expr, dialect: str) -> exp.Expr:
    """The midnights between two moments: the later argument is the first here, whatever the order
    in the text. Of months, quarters and years it is how many begin between them, as DuckDB's
    DATE_DIFF counts. Spark's form with a unit counts periods of 24 hours instead, and whole months.
    Of hours, minutes and seconds Redshift's counts how many begin between two moments, too.
    """
    unit = _SINGULAR.get(_named(node.args.get("unit")) or "DAY")
    if unit in ("HOUR", "MINUTE", "SECOND") and node.meta.get(OF_MOMENTS):
        kind = exp.DataType.build("TIMESTAMP", dialect="duckdb")
        ends = {k: exp.Cast(this=node.args[k], to=kind.copy()) for k in ("this", "expression")}
        return exp.DateDiff(**ends, unit=exp.Var(this=unit), date_part_boundary=True)
    named = node.args.get("unit") is not None
    if unit in ("HOUR", "MINUTE", "SECOND") and dialect in ("snowflake", "tsql"):
        return _begun(node, unit, dialect)
    if unit not in ("DAY", "MONTH", "QUARTER", "YEAR") or (named and dialect == "spark"):
        what = f"DATEDIFF in {_named(node.args.get('unit'))}"
        what = "DATEDIFF with a unit" if dialect == "spark" else what
        raise refuse(node, dialect, what, "only days, months, quarters and years can be counted")
    sides = (unwrapped(n) for n in (node.this, node.expression))
    later, earlier = (_as_date(_day_zero(side, dialect)) for side in sides)
    if unit != "DAY":
        parts = {"this": later, "expression": earlier, "unit": exp.Var(this=unit)}
        return exp.DateDiff(**parts, date_part_boundary=True)
    days = exp.Sub(this=later, expression=earlier)
    days.meta[OF_DATEDIFF] = True
    return exp.Paren(this=days)


def _begun(node: exp.Expr, unit: str, dialect: str) -> exp.Expr:
    """How many hours, minutes or seconds begin between two moments: not how many passed."""
    sides: list[exp.Expr] = []
    for part in (node.this, node.expression):
        side = _day_zero(unwrapped(part), dialect)
        if isinstance(side, exp.Literal):
            made = moment(side)
            if made is None:
                raise refuse(node, dialect, "this text as a moment", "write '2024-12-31'")
            side = place(made, part)
        sides.append(side)
    of = {"this": sides[0], "expression": sides[1], "unit": exp.Var(this=unit)}
    return exp.DateDiff(**of, date_part_boundary=True)


def _is_date(node: exp.Expr) -> bool:
    """Whether it is surely a DATE."""
    if isinstance(node, exp.Column):
        found = type_of(node)
        return found is not None and found.name == "DATE"
    cast = isinstance(node, exp.Cast) and node.args["to"].this == exp.DType.DATE
    return cast or isinstance(node, exp.CurrentDate)


_MONTHS = {"MONTH": 1, "QUARTER": 3, "YEAR": 12}


def _passed(node: exp.Expr, dialect: str) -> exp.Expr:
    """MySQL's TIMESTAMPDIFF(unit, a, b): the whole units from a to b, cut off toward zero. Of fixed
    lengths DuckDB's DATE_SUB counts them. A month is whole when its day comes again; for DATE_SUB
    so is one to the last day of a shorter month, so that the days of two DATEs are compared here.
    """
    unit = _SINGULAR.get(_named(node.args.get("unit")))
    if unit is None or dialect != "mysql":
        raise refuse(node, dialect, f"TIMESTAMPDIFF in {unit or 'this unit'}")
    start, end = unwrapped(node.expression), unwrapped(node.this)
    if unit not in _MONTHS:
        unit_name = exp.Literal.string(unit.lower())
        return exp.Anonymous(this="DATE_SUB", expressions=[unit_name, start, end])
    if not (_is_date(start) and _is_date(end)):
        what = "TIMESTAMPDIFF in months of what may be no date"
        raise refuse(node, dialect, what, "write TIMESTAMPDIFF(YEAR, DATE(a), DATE(b))")
    if sum(1 for n in (start, end) for _ in n.walk()) > 200:  # each is there four times
        raise refuse(node, dialect, "TIMESTAMPDIFF of so long expressions")
    parts = {"this": copied(end), "expression": copied(start), "unit": exp.Var(this="MONTH")}
    begun = exp.DateDiff(**parts, date_part_boundary=True)

    def whole(order: type[exp.Binary], day: type[exp.Binary], step: type[exp.Binary]) -> exp.If:
        moments = order(this=operand(copied(start)), expression=operand(copied(end)))
        of_days = [exp.Day(this=copied(n)) for n in (end, start)]
        later = exp.And(this=moments, expression=day(this=of_days[0], expression=of_days[1]))
        counted = step(this=copied(begun), expression=exp.Literal.number(1))
        return exp.If(this=later, true=counted)

    branches = [whole(exp.LTE, exp.LT, exp.Sub), whole(exp.GT, exp.GT, exp.Add)]
    months = exp.Case(ifs=branches, default=begun)
    if unit == "MONTH":
        return months
    return exp.IntDiv(this=months, expression=exp.Literal.number(_MONTHS[unit]))


def _interval(node: exp.Expr, dialect: str) -> exp.Expr:
    """A constant of one unit, or a number of days, beside + or −; in PostgreSQL of several units,
    and the step of a series; the end of a window's frame. PostgreSQL compares a difference with a
    number of days or parts of one as DuckDB does: by their seconds.
    """
    unit, amount = _SINGULAR.get(_named(node.args.get("unit"))), _amount(node.this)
    above, parent = node, node.parent
    alone = isinstance(parent, exp.ExplodingGenerateSeries | exp.WindowSpec | exp.DateBin)
    alone |= dialect == "postgres" and isinstance(parent, _COMPARISONS) and unit in _FIXED
    if alone and unit is not None and amount is not None:
        return _of_unit(node, amount, unit)
    counted = dialect == "postgres" or unit in _OF_DAYS
    while isinstance(parent, exp.Paren) or (isinstance(parent, exp.Mul) and counted):
        above, parent = parent, parent.parent
    other = None
    if isinstance(parent, exp.Add):
        other = parent.expression if parent.this is above else parent.this
    elif isinstance(parent, exp.Sub) and parent.expression is above:
        other = parent.this
    several = _several(node) if dialect == "postgres" and unit is None else ()
    if several and parent is not None and other is not None and not isinstance(other, exp.Interval):
        return _one_by_one(node, other, type(parent), several)
    if unit is None or amount is None or other is None or isinstance(other, exp.Interval):
        raise refuse(node, dialect, "an interval that is no constant of one unit beside a date")
    return _of_unit(node, amount, unit)


def _of_unit(node: exp.Expr, amount: int, unit: str) -> exp.Expr:
    node.set("this", exp.Literal.string(str(amount)))
    node.set("unit", exp.Var(this=unit))
    return node


_IN_UNITS = {"YEAR": 12, "QUARTER": 3, "MONTH": 1, "WEEK": 7, "DAY": 1}
_SEVERAL = re.compile(r"(?:\s*[+-]?\d{1,6}\s*[A-Za-z]+)+\s*")
_EACH = re.compile(r"([+-]?\d{1,6})\s*([A-Za-z]+)")


def _several(node: exp.Expr) -> tuple[tuple[int, str], ...]:
    """The months, days and parts of a day of INTERVAL '1 month 2 days', in the order in which
    PostgreSQL adds, or subtracts, them; none of any other text.
    """
    text = node.this.name if isinstance(node.this, exp.Literal) and node.this.is_string else ""
    if not _SEVERAL.fullmatch(text):
        return ()
    found = {"MONTH": 0, "DAY": 0, "HOUR": 0, "MINUTE": 0, "SECOND": 0}
    for count, word in _EACH.findall(text):
        unit = _SINGULAR.get(word.upper())
        if unit is None:
            return ()
        whole = "MONTH" if unit in ("YEAR", "QUARTER") else "DAY" if unit == "WEEK" else unit
        found[whole] += int(count) * _IN_UNITS.get(unit, 1)
    return tuple((count, unit) for unit, count in found.items() if count)


def _one_by_one(
    node: exp.Expr, other: exp.Expr, kind: type[exp.Expr], several: tuple[tuple[int, str], ...]
) -> exp.Expr:
    """The last of several intervals, once the others stand beside the moment."""
    *before, (last, unit) = several
    parent, key, moment = other.parent, other.arg_key, other
    for count, name in before:
        step = exp.Interval(this=exp.Literal.string(str(count)), unit=exp.Var(this=name))
        shifted = kind(this=operand(moment), expression=place(step, node))
        moment = place(exp.Paren(this=place(shifted, node)), node)
    if parent is not None and key is not None and moment is not other:
        parent.set(key, moment)
    return _of_unit(node, last, unit)


RULES: dict[type[exp.Expr], Rule] = {
    exp.Interval: _interval,
    exp.Extract: _extract,
    **dict.fromkeys(PARTS, _part),
    **dict.fromkeys(_TRUNCATIONS, _truncate),
    exp.TimeTrunc: _truncate_time,
    exp.AddMonths: _add_months,
    exp.DateAdd: _shift,
    exp.DateSub: _shift,
    exp.TsOrDsAdd: _days,
    exp.DateDiff: _difference,
    exp.TimestampAdd: _shift,
    exp.TimestampDiff: _passed,
    exp.Date: _date,
}
