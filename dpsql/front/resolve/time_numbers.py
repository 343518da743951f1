"""Aggregates of moments, times of day and differences of them, as aggregates of microseconds.

    SELECT AVG(gone - came) FROM visits
    SELECT make_timestamp(round(n)) - TIMESTAMP '1970-01-01'
    FROM (SELECT AVG(date_diff('microsecond', came, gone)) AS n FROM visits)

Also MIN, MAX and quantiles of times of day and of differences; and the windows AVG, MIN and MAX. It
is done where private rows are below; DuckDB aggregates what is public by itself.

Claim: the answers are the same. Why: DuckDB keeps a moment, and a time, as its microseconds, orders
by them, and cuts their mean off toward 0; a difference is ordered by them, its mean rounded half
away from 0; and so is what lies between two of each. Three things differ: a mean of more than 2^53
of them is as exact as a DOUBLE; the last time of day, 24:00:00, is shown as the one before it; and
a difference that leads from 1970 out of the years 1 to 9999 is NULL, as no moment shows it.
"""

from __future__ import annotations

from dataclasses import replace

from dpsql.core.functions.build import make
from dpsql.core.functions.elapsed import EPOCH, microseconds, microseconds_between
from dpsql.core.functions.times import number as time_number
from dpsql.core.plan.expr import Call, Case, Column, Expr, Literal, Ref
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import Aggregate, Plan, Project, Scan, Window, inputs, with_inputs
from dpsql.errors import Diagnostic, Rejected
from dpsql.types import BIGINT, DOUBLE, INTERVAL, TIME, TIMESTAMP, Type

_ORDERED = frozenset({"min", "max", "median", "quantile_cont", "quantile_disc"})


def with_numbers(plan: Plan, ids: Ids) -> Plan:
    """The plan with such aggregates; a WITH query that is used twice stays one."""
    made: dict[int, tuple[Plan, bool]] = {}

    def visit(node: Plan) -> tuple[Plan, bool]:
        """The node, and whether private rows are below it."""
        if id(node) not in made:
            below = [visit(i) for i in inputs(node)]
            private = any(p for _, p in below) or (isinstance(node, Scan) and node.table.private)
            new = with_inputs(node, tuple(i for i, _ in below)) if below else node
            if private and isinstance(new, Aggregate):
                new = _counted(new, ids)
            elif private and isinstance(new, Window):
                new = _windowed(new, ids)
            made[id(node)] = new, private
        return made[id(node)]

    return visit(plan)[0]


def _counted(plan: Aggregate, ids: Ids) -> Plan:
    calls = list(plan.calls)
    items: list[tuple[Column, Expr]] = [(c, Ref(c)) for c in plan.columns]
    for i, (column, call) in enumerate(plan.calls):
        if call.function in _ORDERED and column.type.of == INTERVAL:
            message = "a list of quantiles of differences is not supported"
            help = "ask for one fraction at a time: QUANTILE_DISC(x, 0.25)"
            raise Rejected(Diagnostic("DP205", message, call.span, help))
        if call.argument is None or not _is_time(call.function, column.type):
            continue
        between = call.function in ("avg", "median", "quantile_cont")
        number = ids.column(column.name, DOUBLE if between else BIGINT)
        calls[i] = number, replace(call, argument=_number(call.argument))
        shown = _shown(Ref(number, call.span), column.type, call.function)
        items[len(plan.keys) + i] = column, shown
    if calls == list(plan.calls):
        return plan
    return Project(replace(plan, calls=tuple(calls)), tuple(items))


def _windowed(plan: Window, ids: Ids) -> Plan:
    calls = list(plan.calls)
    items: list[tuple[Column, Expr]] = [(c, Ref(c)) for c in plan.columns]
    for i, (column, call) in enumerate(plan.calls):
        if call.function in ("avg", "min", "max") and _is_time(call.function, column.type):
            number = ids.column(column.name, DOUBLE if call.function == "avg" else BIGINT)
            value, *others = call.arguments
            calls[i] = number, replace(call, arguments=(_number(value), *others))
            shown = _shown(Ref(number, call.span), column.type, call.function)
            items[len(plan.input.columns) + i] = column, shown
    if calls == list(plan.calls):
        return plan
    return Project(replace(plan, calls=tuple(calls)), tuple(items))


def _is_time(function: str, kind: Type) -> bool:
    """Whether an aggregate gives a time that it cannot as it is."""
    asked = (TIMESTAMP, TIME, INTERVAL) if function == "avg" else (TIME, INTERVAL)
    return kind in asked and (function == "avg" or function in _ORDERED)


def _number(value: Expr) -> Expr:
    """Its microseconds: since 1970, since midnight, or of the difference."""
    if isinstance(value, Literal) and value.value is None:
        return replace(value, type=BIGINT)
    if isinstance(value, Case):  # such as FILTER makes
        branches = tuple((c, _number(v)) for c, v in value.branches)
        return Case(branches, _number(value.default), BIGINT, value.span)
    if value.type == TIME:
        return time_number(value)
    if value.type == INTERVAL:
        return microseconds(value)
    return microseconds_between(value, EPOCH)


def _shown(number: Expr, kind: Type, function: str) -> Expr:
    span = number.span
    if number.type == DOUBLE:
        cut = function == "avg" and kind != INTERVAL
        whole = make("trunc" if cut else "round", (number,), span)
        number = Call("try_cast", (whole,), BIGINT, span)  # of a noisy one nobody knows its size
    if kind == TIME:
        return make("time_at", (number,), span)
    moment = make("make_timestamp", (number,), span)
    return moment if kind == TIMESTAMP else make("elapsed", (moment, EPOCH), span)
