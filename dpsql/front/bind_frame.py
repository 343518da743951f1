"""ROWS, RANGE and GROUPS of a window.

    ORDER BY x RANGE BETWEEN 3 PRECEDING AND CURRENT ROW        by x as a HUGEINT
    ORDER BY d RANGE BETWEEN INTERVAL 7 DAY PRECEDING AND …     by the number of the day d
    ORDER BY t RANGE BETWEEN INTERVAL 2 HOUR PRECEDING AND …    by the microseconds of t
    ORDER BY m RANGE BETWEEN INTERVAL 2 MONTH PRECEDING AND …   by m itself, as the engine counts
    ORDER BY a, b GROUPS BETWEEN 2 PRECEDING AND …              by DENSE_RANK() OVER (ORDER BY a, b)

A RANGE with an offset is by whole numbers in the order of what is written, and these are HUGEINTs,
so that the end of no frame is beyond their type: x - 3 of the least BIGINT would be, and by such a
row of one unit the engine would fail. Months are as long as the month is, so no number counts them:
of private rows they are refused (`enforce.per_unit`).

GROUPS counts the groups of rows that ORDER BY leaves equal, as DENSE_RANK numbers them: two groups
before is a rank of two less, and so a RANGE with an offset of these whole numbers.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from sqlglot import exp

from dpsql.core.functions.build import make
from dpsql.core.functions.elapsed import EPOCH
from dpsql.core.functions.spec import coerce
from dpsql.core.functions.temporal import amounts, is_interval
from dpsql.core.plan.expr import Call, Expr, Literal, Ref
from dpsql.core.plan.nodes import USUAL, Frame, SortKey, WindowCall
from dpsql.front.parse import only, reject, span_of
from dpsql.types import DATE, HUGEINT, TIMESTAMP, VARCHAR

if TYPE_CHECKING:
    from dpsql.front.bind_expr import ExpressionBinder
    from dpsql.front.place import Place

NONE = exp.Literal.number(0)
DIGITS = 7
"""Of an offset in rows, days or units of a number, at most."""

PLACED = frozenset({"row_number", "ntile", "lag", "lead", "first_value", "last_value", "nth_value"})
"""What hangs on the order of rows that one number may not tell apart: more keys would be needed."""


def by_groups(place: Place, call: WindowCall, spec: exp.Expr | None) -> WindowCall:
    """The call of GROUPS in the order of the groups' numbers; another call as it is.

    Raises:
        Rejected: there is no order, or which row of a group is meant hangs on more.
    """
    if spec is None or str(spec.args.get("kind") or "").upper() != "GROUPS":
        return call
    if not call.order:
        raise reject("DP205", "GROUPS needs ORDER BY", spec.parent or spec)
    if call.function in PLACED:
        message = f"{call.function.upper()} in GROUPS is not supported"
        help = "use ROWS, or an aggregate such as MIN"
        raise reject("DP104", message, spec.parent or spec, help)
    rank = WindowCall("dense_rank", (), call.partition, call.order, None, call.span)
    return replace(call, order=(SortKey(Ref(place.rank(rank), call.span), False, False),))


def framed(binder: ExpressionBinder, call: WindowCall, spec: exp.Expr | None) -> WindowCall:
    """The call with the frame that is written.

    Raises:
        Rejected: it is none of a kind above.
    """
    if spec is None:
        return call
    only(spec, "kind", "start", "start_side", "end", "end_side")
    unit = str(spec.args.get("kind") or "").lower()
    unit = "range" if unit == "groups" else unit  # of their numbers: see `by_groups`
    if unit not in ("rows", "range"):
        raise reject("DP104", f"a {unit.upper()} frame is not supported", spec, "use ROWS")
    place = spec if span_of(spec) is not None else spec.parent or spec
    ends = (spec.args.get("start"), spec.args.get("end"))
    key: SortKey | None = None
    if unit == "range" and any(isinstance(e, exp.Expr) and e != NONE for e in ends):
        key = _by_numbers(call, place)

    months = [_months(binder, e) for e in ends if isinstance(e, exp.Interval)]
    if any(months) and not all(months):
        raise reject("DP104", "the ends of a frame are both in months or both in days", place)
    if key is not None and any(months) and key.expr.type in (DATE, TIMESTAMP):
        key = replace(key, expr=Call("in_calendar", (key.expr,), key.expr.type, key.expr.span))

    def end(which: str) -> tuple[int | None, str]:
        value, side = spec.args.get(which), str(spec.args.get(f"{which}_side") or "").lower()
        if value is None or value == "CURRENT ROW":
            return USUAL.end
        if value == "UNBOUNDED":
            return None, side
        offset = _offset(binder, value, None if key is None else key.expr, place)
        return (offset, side) if offset or unit == "rows" else USUAL.end

    start, stop = end("start"), end("end")
    if unit == "rows":
        return replace(call, frame=Frame("rows", start, stop))
    found = Frame("months" if any(months) else "range", start, stop)
    if key is not None and any(months):
        return replace(call, order=(key,), frame=found)
    if key is None:
        return replace(call, frame=None if found == USUAL else found)
    return replace(call, order=(replace(key, expr=_number(key.expr)),), frame=found)


def _by_numbers(call: WindowCall, place: exp.Expr) -> SortKey:
    """The key of a RANGE with an offset."""
    if len(call.order) != 1:
        raise reject("DP205", "RANGE with an offset needs one key in ORDER BY", place)
    if call.function in PLACED:
        message = f"{call.function.upper()} in a RANGE with an offset is not supported"
        raise reject("DP104", message, place, "use ROWS, or an aggregate such as MIN")
    (key,) = call.order
    if not (key.expr.type.is_integer or key.expr.type in (DATE, TIMESTAMP)):
        help = "use ROWS, or order by a whole number, such as CAST(FLOOR(x * 100) AS BIGINT)"
        message = "RANGE with an offset is by whole numbers, dates or timestamps, not {}"
        raise reject("DP104", message.format(key.expr.type), place, help)
    return key


def _number(value: Expr) -> Expr:
    """The whole number by which rows are compared."""
    if value.type == DATE:
        value = _passed("day", Literal(date(1970, 1, 1), DATE), value)
    elif value.type == TIMESTAMP:
        value = _passed("microsecond", EPOCH, value)
    return coerce(value, HUGEINT)


def _passed(unit: str, since: Literal, value: Expr) -> Expr:
    return make("date_diff", (Literal(unit, VARCHAR), since, value), value.span)


def _offset(binder: ExpressionBinder, value: exp.Expr, key: Expr | None, place: exp.Expr) -> int:
    """An offset in rows, in what a number counts, or in the days or microseconds of a key."""
    if isinstance(value, exp.Interval) and key is not None:
        return _interval(binder.bind(value), key, place)
    if not isinstance(value, exp.Literal) or value.is_string or not str(value.this).isdigit():
        raise reject("DP104", "a frame's ends are constants", place)
    if key is not None and key.type == TIMESTAMP:
        help = "write it as INTERVAL 1 HOUR"
        raise reject("DP205", "the offset of a timestamp is an interval", place, help)
    if len(str(value.this)) > DIGITS:
        raise reject("DP104", f"the end of a frame is of more than {DIGITS} digits", place)
    return int(str(value.this))


def _months(binder: ExpressionBinder, value: exp.Interval) -> int:
    found = binder.bind(value)
    return amounts(found)[0] if isinstance(found, Call) and is_interval(found) else 0


def _interval(found: Expr, key: Expr, place: exp.Expr) -> int:
    """An interval in days or microseconds, whichever the key is counted in."""
    if key.type.is_integer:
        raise reject("DP205", f"the offset of a key of type {key.type} is a number", place)
    if not (isinstance(found, Call) and is_interval(found)):
        raise reject("DP104", "a frame's ends are constants", place)
    months, days, seconds = amounts(found)
    if min(months, days, seconds) < 0:
        raise reject("DP205", "the offset of a frame is not negative", place)
    if months:
        if days or seconds:
            raise reject("DP104", "the offset of a frame is in months or in days, not both", place)
        return months
    if key.type == DATE and seconds % 86400:
        raise reject("DP104", "the offset of a date is in whole days", place)
    seconds += 86400 * days
    return seconds // 86400 if key.type == DATE else seconds * 1_000_000
