"""Syntax of dates, timestamps and intervals -> typed expressions: every spelling of DuckDB's that
the parser gives, brought to one function each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime
from fractions import Fraction
from typing import Protocol

import duckdb
from sqlglot import exp

from dpsql.core.functions.build import cast, make
from dpsql.core.functions.calculator import calculator
from dpsql.core.functions.constants import number
from dpsql.core.functions.date_arithmetic import DAY_ORIGIN, MONTH_ORIGIN
from dpsql.core.functions.date_parts import part_name
from dpsql.core.functions.elapsed import ELAPSED_PARTS, EPOCH, microseconds
from dpsql.core.functions.moments import MONTHS, as_moment, canonical, month_index
from dpsql.core.functions.spec import coerce
from dpsql.core.functions.temporal import amounts, is_interval
from dpsql.core.functions.times import number as time_number
from dpsql.core.plan.expr import Call, Expr, Literal
from dpsql.errors import Span
from dpsql.front.counted_days import is_whole, of_that_day
from dpsql.front.parse import only, reject, set_span, span_of
from dpsql.types import BIGINT, DATE, DOUBLE, INTEGER, INTERVAL, NULL, TIME, TIMESTAMP, VARCHAR


class Binder(Protocol):
    """What binds the operands."""

    def bind(self, node: exp.Expr) -> Expr:
        """The typed expression of a syntax node."""


Method = Callable[[Binder, exp.Expr], Expr]

# --- arithmetic ---


def arithmetic(args: tuple[Expr, Expr], negative: bool, span: Span | None) -> Expr | None:
    """left + right, or left - right, where one is a date, a timestamp or an interval; else None."""
    left, right = args
    sign = -1 if negative else 1
    if isinstance(left, Call) and is_interval(left):
        if isinstance(right, Call) and is_interval(right):
            pairs = zip(amounts(left), amounts(right), strict=True)
            return _interval([a + sign * b for a, b in pairs], span)
        if not negative:
            left, right = right, left
    if isinstance(right, Call) and is_interval(right):
        return _plus(left, [sign * n for n in amounts(right)], span)
    if not negative and _many(left) is not None:
        left, right = right, left
    many = _many(right)
    if many is not None:  # an interval makes a TIMESTAMP of a date
        plus, (count,) = _MANY[many.function], many.args
        return coerce(_later(plus, left, count, negative, span), TIMESTAMP)
    if left.type == right.type == INTERVAL:
        name = "sub" if negative else "add"
        passed = make(name, (microseconds(left), microseconds(right)), span)
        return make("elapsed", (make("make_timestamp", (passed,), span), EPOCH), span)
    if negative and left.type == right.type == DATE:
        return make("days_between", (left, right), span)
    if negative and left.type.is_temporal and right.type.is_temporal:
        return make("elapsed", (left, right), span)
    if right.type == DATE and not negative:
        left, right = right, left
    if left.type == DATE and right.type.is_integer:
        if isinstance(right, Literal) and isinstance(right.value, int):
            return cast("cast", _plus(left, [0, sign * right.value, 0], span), DATE, span)
        return _later("plus_days", left, right, negative, span)
    return None


_MANY = {"to_months": "plus_months", "to_days": "plus_days", "to_seconds": "plus_seconds"}
"""An interval of a number that is no constant: how it is added to a moment."""


def _many(expr: Expr) -> Call | None:
    """An interval that is so many of a unit; None for any other."""
    return expr if isinstance(expr, Call) and expr.function in _MANY else None


def _later(plus: str, moment: Expr, count: Expr, negative: bool, span: Span | None) -> Expr:
    count = of_that_day(moment, count)
    count = make("sub", (number_of(0), count), span) if negative else count
    return make(plus, (moment, count), span)


def multiplied(args: tuple[Expr, Expr], span: Span | None) -> Expr | None:
    """n * INTERVAL 2 DAY, where one is an interval of one unit, and n is whole; else None."""
    for many, interval in (args, args[::-1]):
        if isinstance(interval, Call) and is_interval(interval):
            by, count = amounts(interval), many
            if is_whole(count) and not count.type.is_integer:
                count = cast("cast", count, BIGINT, count.span)
            # A fraction of a day or of an hour is some time, and one of a month some days.
            if sum(map(bool, by)) <= 1 and (count.type.is_integer or not (by[0] or by[2])):
                return _so_many(count, by, span)
    return None


def _so_many(count: Expr, by: Sequence[int], span: Span | None) -> Expr:
    """So many times some months, days or seconds, of which there is one kind."""
    if isinstance(count, Literal) and isinstance(count.value, int):
        return _interval([count.value * n for n in by], span)
    name, each = next((p for p in zip(_MANY, by, strict=True) if p[1]), ("to_days", 0))
    total = count if each == 1 else make("mul", (count, number_of(each)), span)
    return make(name, (total,), span)


def _plus(moment: Expr, by: list[int], span: Span | None) -> Expr:
    return make("plus_interval", (moment, *(number_of(n) for n in by)), span)


def number_of(value: int) -> Literal:
    """A whole number as a constant."""
    literal = number(str(abs(value)), None)
    return Literal(value, literal.type)


def _interval(by: list[int], span: Span | None) -> Expr:
    return make("interval", tuple(number_of(n) for n in by), span)


def _date_add(binder: Binder, node: exp.Expr) -> Expr:
    only(node, "this", "expression")
    args, span = (binder.bind(node.this), binder.bind(node.expression)), span_of(node)
    found = arithmetic(args, False, span) if args[0].type.is_temporal else None
    if found is None:
        message = "date_add takes a date and an interval"
        raise reject("DP205", message, node)
    return found


# --- constant intervals ---

_DAYS = {"day": 1, "week": 7}
_SECONDS = {"hour": 3600, "minute": 60, "second": 1}
_AMOUNT = re.compile(r"\s*([+-]?[0-9]{1,12})\s*([a-z]+)", re.IGNORECASE)
_EXAMPLE = "an interval must be a constant such as INTERVAL '3' MONTH"


def _added(by: list[int], count: int, unit: str, node: exp.Expr) -> None:
    """Add so many of a unit."""
    name = canonical(unit)
    if name in MONTHS:
        by[0] += count * MONTHS[name]
    elif name in _DAYS:
        by[1] += count * _DAYS[name]
    elif name in _SECONDS:
        by[2] += count * _SECONDS[name]
    else:
        raise reject("DP104", f"intervals of {unit[:30].upper()} are not supported", node)


def _varies(amount: exp.Expr) -> bool:
    return any(amount.find_all(exp.Column, exp.Func, exp.Subquery))


def _whole(count: Expr) -> Expr:
    """A number as the parser of the engine has it between INTERVAL ( and ): cut off."""
    if count.type.is_integer or not count.type.is_numeric:
        return count
    return cast("cast", make("trunc", (count,), count.span), INTEGER, count.span)


def _of_a_number(count: Expr, unit: str, node: exp.Expr) -> Expr:
    """INTERVAL (n) HOUR: what has a fraction is cut off, but seconds are not."""
    by = [0, 0, 0]
    _added(by, 1, unit, node)
    if canonical(unit) == "second" and not count.type.is_integer:
        message = f"needs a whole number of seconds, not {count.type}"
        raise reject("DP205", message, count.span or node)
    return _so_many(_whole(count), by, span_of(node))


def _bind_interval(binder: Binder, node: exp.Expr) -> Expr:
    only(node, "this", "unit")
    amount, unit, by, sign = node.this, node.args.get("unit"), [0, 0, 0], 1
    if isinstance(unit, exp.Var) and _varies(amount):
        return _of_a_number(binder.bind(amount), unit.name, node)
    while isinstance(amount, exp.Paren | exp.Neg):
        only(amount, "this")
        sign, amount = -sign if isinstance(amount, exp.Neg) else sign, amount.this
    text = str(amount.this).strip() if isinstance(amount, exp.Literal) else ""
    if isinstance(unit, exp.Var):
        if not re.fullmatch(r"[+-]?[0-9]{1,12}", text):
            raise reject("DP104", _EXAMPLE, node, "write INTERVAL '3' DAY")
        _added(by, sign * int(text), unit.name, node)
    else:  # '1 day 2 hours'
        place = 0
        while match := _AMOUNT.match(text, place):
            _added(by, sign * int(match[1]), match[2], node)
            place = match.end()
        if unit is not None or not text or place != len(text):
            raise reject("DP104", _EXAMPLE, node, "write INTERVAL '3' DAY")
    return _interval(by, span_of(node))


def _to_unit(unit: str) -> Callable[[Binder, exp.Expr, list[exp.Expr]], Expr]:
    """TO_DAYS(3) and its like."""

    def bind(binder: Binder, node: exp.Expr, args: list[exp.Expr]) -> Expr:
        count = binder.bind(args[0]) if len(args) == 1 else None
        value = count.value if isinstance(count, Literal) else None
        by = [0, 0, 0]
        _added(by, 1, unit, node)
        if count is None or (isinstance(count, Literal) and type(value) is not int):
            raise reject("DP104", f"to_{unit} takes a whole number", node)
        return _so_many(count, by, span_of(node))

    return bind


def _to_days(binder: Binder, node: exp.Expr) -> Expr:
    only(node, "this")
    return _to_unit("days")(binder, node, [node.this])


# --- parts, truncation, differences ---


def _part(name: str, moment: Expr, node: exp.Expr) -> Expr:
    span = span_of(node)
    if isinstance(moment, Call) and moment.function == "age":
        return make("age_part", (Literal(name.lower(), VARCHAR, span), *moment.args), span)
    if moment.type == INTERVAL:
        return _elapsed_part(canonical(name), moment, node)
    found = part_name(name)
    if found == "epoch" and moment.type == TIME:
        return _seconds(time_number(moment), span)
    if found is None:
        raise reject("DP204", f"the date part {name[:30]} is not supported", node)
    return make(found, (moment,), span)


def _seconds(number: Expr, span: Span | None) -> Expr:
    return make("div", (number, Literal(Fraction(10**6), DOUBLE)), span)


def _elapsed_part(name: str, interval: Expr, node: exp.Expr) -> Expr:
    """A part of a difference. Its epoch are the microseconds that passed, as seconds."""
    if name == "epoch":
        return _seconds(microseconds(interval), span_of(node))
    if name not in ELAPSED_PARTS:
        message = f"the part {name[:30].upper()} of a difference of timestamps is not supported"
        raise reject("DP104", message, node, "use EXTRACT(epoch FROM a - b), or DATE_DIFF")
    return make("elapsed_part", (Literal(name, VARCHAR), interval), span_of(node))


def _extract(binder: Binder, node: exp.Expr) -> Expr:
    only(node, "this", "expression")
    return _part(node.name, binder.bind(node.expression), node)


def _date_part(binder: Binder, node: exp.Expr, args: list[exp.Expr]) -> Expr:
    if len(args) != 2 or not isinstance(args[0], exp.Literal) or not args[0].is_string:
        raise reject("DP205", "date_part takes a constant part, and a date", node)
    return _part(str(args[0].this), binder.bind(args[1]), node)


def _unit(node: exp.Expr) -> Literal:
    unit = node.args.get("unit")
    plain = isinstance(unit, exp.Var) or (isinstance(unit, exp.Literal) and unit.is_string)
    return Literal(unit.name.lower() if plain and unit else "", VARCHAR, span_of(node))


def _truncate(binder: Binder, node: exp.Expr) -> Expr:
    only(node, "this", "unit")
    return make("date_trunc", (_unit(node), binder.bind(node.this)), span_of(node))


def _bucket(binder: Binder, node: exp.Expr) -> Expr:
    """TIME_BUCKET(width, x), and with an origin or an offset: the buckets of what is as much before
    x as that is after a start of usual ones, moved by as much.
    """
    only(node, "this", "expression", "unit")
    width, value, span = binder.bind(node.this), binder.bind(node.expression), span_of(node)
    start = node.args.get("unit")
    if start is None:
        return make("time_bucket", (width, value), span)
    if isinstance(start, exp.Var):  # as the parser has a column there
        raise reject("DP205", ORIGIN, node)
    origin = binder.bind(start)
    months, seconds = _after(origin, width, start)
    of_days = value.type == DATE and origin.type != TIMESTAMP
    unit, many = ("MONTH", months) if months else ("SECOND", seconds)
    by: exp.Expr = exp.Interval(this=exp.Literal.string(str(many)), unit=exp.Var(this=unit))
    if of_days and not months and seconds % 86_400 == 0:
        by = exp.Literal.number(seconds // 86_400)
    of = node.expression.copy()
    if value.type == DATE and not of_days:  # then it is a moment
        of = exp.cast(of, "TIMESTAMP")
    back = exp.Sub(this=of, expression=by)
    usual = exp.DateBin(this=node.this.copy(), expression=exp.Paren(this=back))
    moved: exp.Expr = exp.Add(this=usual, expression=by.copy())
    if of_days:
        moved = exp.cast(exp.Paren(this=moved), "DATE")
    return binder.bind(_placed(moved, span))


def _placed(node: exp.Expr, span: Span | None) -> exp.Expr:
    """The node, whose new parts stand for the text at `span`."""
    for made in node.walk():
        if span is not None and span_of(made) is None:
            set_span(made, span)
    return node


def _after(start: Expr, width: Expr, node: exp.Expr) -> tuple[int, int]:
    """How many months, or seconds, a constant origin or offset is after a start of a bucket."""
    if isinstance(width, Call) and is_interval(width):
        months, days, seconds = amounts(width)
        size = days * 86_400 + seconds
        if isinstance(start, Call) and is_interval(start):
            by = amounts(start)
            if months and not by[1] and not by[2]:
                return by[0] % months, 0
            if size and not by[0]:
                return 0, (by[1] * 86_400 + by[2]) % size
        if isinstance(start, Literal) and isinstance(start.value, date):
            moment = as_moment(start.value)
            if months and moment == datetime(moment.year, moment.month, 1):
                return (month_index(moment) - month_index(MONTH_ORIGIN)) % months, 0
            if size and not moment.microsecond:
                return 0, int((moment - DAY_ORIGIN).total_seconds()) % size
    raise reject("DP205", ORIGIN, node)


ORIGIN = "needs a constant origin, of months the first of one, or an offset such as 2 days"


def _difference(binder: Binder, node: exp.Expr) -> Expr:
    """The parser turns DATE_DIFF(unit, a, b) around, to b less a."""
    only(node, "this", "expression", "unit", "date_part_boundary")
    args = (_unit(node), binder.bind(node.expression), binder.bind(node.this))
    return make("date_diff", args, span_of(node))


def _date(binder: Binder, node: exp.Expr) -> Expr:
    """DATE(x) is CAST(x AS DATE)."""
    only(node, "this")
    return binder.bind(_placed(exp.cast(node.this.copy(), "DATE"), span_of(node)))


def _epoch(binder: Binder, node: exp.Expr) -> Expr:
    only(node, "this")
    return _part("epoch", binder.bind(node.this), node)


def _epoch_ms(binder: Binder, node: exp.Expr) -> Expr:
    """EPOCH_MS(moment), which the parser takes for EPOCH_MS(number), and that; MAKE_TIMESTAMP(µs)
    and TO_TIMESTAMP(s), which it takes for the same of another scale: a moment of UTC, of which the
    clock's are, too.
    """
    only(node, "this", "scale")
    value, scale, span = binder.bind(node.this), node.args.get("scale"), span_of(node)
    digits = {"3": 3, "6": 6}.get(scale.name, 0) if isinstance(scale, exp.Literal) else 0
    if digits == 3 and value.type.is_temporal:
        return make("epoch_ms", (value,), span)
    if scale is None:  # TO_TIMESTAMP(seconds), rounded to microseconds
        many = exp.Mul(this=exp.Paren(this=node.this.copy()), expression=exp.Literal.number(10**6))
        count = exp.TryCast(this=many, to=exp.DataType.build("BIGINT"))  # NULL beyond what there is
        made = exp.UnixToTime(this=count, scale=exp.Literal.number(6))
        return binder.bind(_placed(made, span))
    if digits not in (3, 6):
        raise reject("DP104", "a moment of a number of another scale", node)
    if not (value.type.is_integer or value.type == NULL):
        raise reject("DP205", f"needs a whole number, not {value.type}", node)
    if digits == 3:
        value = make("mul", (value, Literal(1000, BIGINT)), span)
    return make("make_timestamp", (value,), span)


def _age(binder: Binder, node: exp.Expr, args: list[exp.Expr]) -> Expr:
    if len(args) == 1:
        return _now(binder, node)
    return make("age", tuple(binder.bind(a) for a in args), span_of(node))


# --- constants ---


def _parsed(binder: Binder, node: exp.Expr, args: list[exp.Expr], must: bool) -> Expr:
    """STRPTIME of constants, as the engine reads it, without any data."""
    name = "strptime" if must else "try_strptime"
    constants = [a for a in args if isinstance(a, exp.Literal) and a.is_string]
    if len(constants) != len(args) or len(args) != 2:
        help = "use TRY_CAST(… AS DATE), which gives NULL where the text is no date"
        raise reject("DP104", f"{name} takes two constant strings", node, help)
    found: tuple[object, ...] | None = None
    try:
        with calculator() as connection:
            texts = [str(a.this) for a in constants]
            found = connection.execute(f"SELECT {name}($1, $2)", texts).fetchone()
    except duckdb.Error:
        pass
    value = None if found is None else found[0]
    if isinstance(value, datetime) and value.tzinfo is None:
        return Literal(value, TIMESTAMP, span_of(node))
    if found is None or value is not None or must:
        raise reject("DP205", "the constant cannot be read in that format", node)
    return Literal(None, TIMESTAMP, span_of(node))


def _strptime(binder: Binder, node: exp.Expr) -> Expr:
    only(node, "this", "format")
    return _parsed(binder, node, [node.this, node.args["format"]], True)


def _try_strptime(binder: Binder, node: exp.Expr, args: list[exp.Expr]) -> Expr:
    return _parsed(binder, node, args, False)


def _now(binder: Binder, node: exp.Expr) -> Expr:
    """What changes from run to run makes of one query many."""
    message = "the answer would depend on when it is asked"
    raise reject("DP204", message, node, "write a constant, such as DATE '2024-12-31'")


def _now_call(binder: Binder, node: exp.Expr, args: list[exp.Expr]) -> Expr:
    return _now(binder, node)


FUNCTIONS: dict[type[exp.Expr], tuple[str, tuple[str, ...]]] = {
    exp.Year: ("year", ("this",)),
    exp.Quarter: ("quarter", ("this",)),
    exp.Month: ("month", ("this",)),
    exp.Week: ("week", ("this",)),
    exp.WeekOfYear: ("week", ("this",)),
    exp.Day: ("day", ("this",)),
    exp.DayOfMonth: ("day", ("this",)),
    exp.DayOfWeek: ("dayofweek", ("this",)),
    exp.DayOfWeekIso: ("isodow", ("this",)),
    exp.DayOfYear: ("dayofyear", ("this",)),
    exp.Hour: ("hour", ("this",)),
    exp.Minute: ("minute", ("this",)),
    exp.Second: ("second", ("this",)),
    exp.LastDay: ("last_day", ("this",)),
    exp.Dayname: ("dayname", ("this",)),
    exp.Monthname: ("monthname", ("this",)),
    exp.TimeToStr: ("strftime", ("this", "format")),
    exp.DateFromParts: ("make_date", ("year", "month", "day")),
    exp.TimeFromParts: ("make_time", ("hour", "min", "sec")),
}
"""Nodes that are calls: the function, and the parts that are its arguments, in order."""

CALLS: dict[str, Callable[[Binder, exp.Expr, list[exp.Expr]], Expr]] = {
    "date_part": _date_part,
    "datepart": _date_part,
    "age": _age,
    "try_strptime": _try_strptime,
    **{
        f"to_{unit}": _to_unit(unit)
        for unit in ("millennia", "centuries", "decades", "years", "quarters", "months", "weeks")
    },
    **{f"to_{unit}": _to_unit(unit) for unit in ("hours", "minutes", "seconds")},
    **dict.fromkeys(("now", "get_current_timestamp", "transaction_timestamp"), _now_call),
    **dict.fromkeys(("get_current_time", "current_localtimestamp", "current_localtime"), _now_call),
}
"""Calls that the parser leaves as they are, by name."""

METHODS: dict[type[exp.Expr], Method] = {
    exp.Interval: _bind_interval,
    exp.ToDays: _to_days,
    exp.DateAdd: _date_add,
    exp.Extract: _extract,
    exp.TimestampTrunc: _truncate,
    exp.DateTrunc: _truncate,
    exp.DateBin: _bucket,
    exp.DateDiff: _difference,
    exp.Date: _date,
    exp.TimeToUnix: _epoch,
    exp.UnixToTime: _epoch_ms,
    exp.StrToTime: _strptime,
    exp.CurrentDate: _now,
    exp.CurrentTime: _now,
    exp.CurrentTimestamp: _now,
    exp.Localtime: _now,
    exp.Localtimestamp: _now,
}
"""Other nodes that are about dates."""
