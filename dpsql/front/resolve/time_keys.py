"""Groups by times of day that are made of their parts, as groups by these parts.

    SELECT MAKE_TIME(HOUR(t) % 24, 0, 0) AS h, COUNT(*) FROM r GROUP BY h
    SELECT MAKE_TIME(n, 0, 0) AS h, c FROM (SELECT HOUR(t) % 24 AS n, COUNT(*) AS c … GROUP BY n)

Also CAST(DATE_TRUNC('hour', t) AS TIME), whose parts are those of the moment.

Claim: the groups are the same. Why: a time is told by its hour, minute and second, and the number
that is made of them, 60 of each to one of the next, tells them; parts that are constant tell
nothing. It is done of parts that are in their ranges, from 0 to 23 and to 59: the hour of a time
may be 24, that of a moment not.
"""

from __future__ import annotations

from dataclasses import replace

from dpsql.core.functions.build import make
from dpsql.core.plan.expr import Call, Column, Expr, Literal, Ref
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import Aggregate, Filter, Plan, Project, Sort, inputs, with_inputs
from dpsql.front.resolve.rising import plain
from dpsql.types import BIGINT, TIME

_UNITS = ("hour", "minute", "second")


def with_parts(plan: Plan, ids: Ids) -> Plan:
    """The plan with such groups; a WITH query that is used twice stays one."""
    made: dict[int, Plan] = {}

    def visit(node: Plan) -> Plan:
        if id(node) not in made:
            new = with_inputs(node, tuple(visit(i) for i in inputs(node)))
            made[id(node)] = _grouped(new, ids) if isinstance(new, Aggregate) else new
        return made[id(node)]

    return visit(plan)


def _grouped(plan: Aggregate, ids: Ids) -> Plan:
    rows, keys, items = plan.input, list(plan.keys), [(c, _of(c)) for c in plan.columns]
    for i, (column, key) in enumerate(plan.keys):
        told = _told(rows, key, ids) if key.type == TIME else None
        if told is not None:
            rows, parts, number = told
            own = ids.column("time", BIGINT)
            keys[i], items[i] = (own, number), (column, _time(parts, Ref(own)))
    if rows is plan.input and keys == list(plan.keys):
        return plan
    return Project(replace(plan, input=rows, keys=tuple(keys)), tuple(items))


def _of(column: Column) -> Expr:
    return Ref(column)


def _told(rows: Plan, key: Expr, ids: Ids) -> tuple[Plan, tuple[Expr, ...], Expr] | None:
    """The rows, the parts of a time of theirs, and the number that tells it: of a time that a
    SELECT below makes, that SELECT makes the number, too.
    """
    parts = _parts(key)
    if parts is not None:
        return rows, parts, _number(parts)
    if not isinstance(key, Ref) or not isinstance(rows, Project | Filter | Sort):
        return None
    made = dict(rows.items).get(key.column) if isinstance(rows, Project) else key
    below = None if made is None else _told(rows.input, made, ids)
    if below is None or not isinstance(rows, Project):
        return None if below is None else (with_inputs(rows, (below[0],)), *below[1:])
    own = ids.column("time", BIGINT)
    return Project(below[0], (*rows.items, (own, below[2]))), below[1], Ref(own)


def _parts(key: Expr) -> tuple[Expr, ...] | None:
    """Hour, minute and second in their ranges; the last ones may be constants."""
    if isinstance(key, Call) and key.function == "time_of_day":
        (moment,) = key.args
        cut = moment.args[0] if isinstance(moment, Call) and moment.args else None
        if not isinstance(cut, Literal) or cut.value not in _UNITS:
            return None
        kept = _UNITS[: _UNITS.index(str(cut.value)) + 1]
        none = Literal(0, BIGINT, key.span)
        return tuple(make(u, (moment,), key.span) if u in kept else none for u in _UNITS)
    parts = key.args if isinstance(key, Call) and key.function == "make_time" else ()
    fine = all(_is_part(part, unit) for part, unit in zip(parts, _UNITS, strict=False))
    return parts if parts and fine else None


def _is_part(part: Expr, unit: str) -> bool:
    part, days = plain(part), False
    if unit == "hour" and isinstance(part, Call) and part.function == "mod":
        part, day = map(plain, part.args)
        days = isinstance(day, Literal) and day.value == 24
    if isinstance(part, Literal):
        return unit != "hour" and isinstance(part.value, int) and 0 <= part.value <= 59
    if not isinstance(part, Call) or part.function != unit:
        return False
    return days or unit != "hour" or part.args[0].type != TIME


def _kept(parts: tuple[Expr, ...]) -> int:
    """How many parts are told: those after them are constants."""
    return max((i + 1 for i, part in enumerate(parts) if not isinstance(part, Literal)), default=1)


def _number(parts: tuple[Expr, ...]) -> Expr:
    found = parts[0]
    for part in parts[1 : _kept(parts)]:
        found = make("add", (make("mul", (found, Literal(60, BIGINT)), part.span), part), part.span)
    return found


def _time(parts: tuple[Expr, ...], number: Expr) -> Expr:
    kept, sixty = _kept(parts), Literal(60, BIGINT)
    made = list(parts[kept:])
    for _ in range(kept - 1):
        made.insert(0, make("mod", (number, sixty), number.span))
        number = make("intdiv", (number, sixty), number.span)
    return make("make_time", (number, *made), number.span)
