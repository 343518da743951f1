"""Quantiles that are written with ROW_NUMBER, as the quantiles that they are.

    SELECT MIN(CASE WHEN place >= 0.25 * total THEN x END)           QUANTILE_DISC(x, 0.25)
    FROM (SELECT x, ROW_NUMBER() OVER (ORDER BY x) AS place, COUNT(*) OVER () AS total FROM t)

    MIN(CASE WHEN place < 0.25 * total THEN 9999 ELSE x END)         LEAST(…, 9999)

Claim: both are the same where x is never NULL. Why: of n rows, those from p·n on begin with the one
at ⌈p·n⌉, at least 1, which has the least x of them; QUANTILE_DISC is that x. Before p·n there is a
row, and 9999 with it, unless p·n <= 1: only then, and of an x above 9999, they differ.

The rows that are aggregated must be those that are numbered, each once, and the groups the
partitions; the total must count just these: COUNT(*) over the same partition, or of the same WITH
query, or of the same tables under the same conditions. Of groups of one key that is never NULL it
may also be the COUNT(DISTINCT key) of what is grouped: there is a group for each value. What is
anything else stays as it is, a window over rows of several units.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from dpsql.core import schema
from dpsql.core.functions.build import make
from dpsql.core.functions.spec import coerce
from dpsql.core.infer.ranges import Environment, infer, narrow
from dpsql.core.plan.expr import Call, Case, Column, Expr, Literal, Ref, columns_of, substitute
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import (
    Aggregate,
    AggregateCall,
    Apply,
    Filter,
    Join,
    Named,
    Plan,
    Project,
    Scan,
    Window,
    WindowCall,
    inputs,
    with_inputs,
)
from dpsql.core.plan.values import of_type


def by_place(plan: Plan, ids: Ids) -> Plan:
    """The plan with such quantiles; what a WITH query is used for several times stays one."""
    made: dict[int, Plan] = {}

    def visit(node: Plan) -> Plan:
        if id(node) not in made:
            new = with_inputs(node, tuple(visit(i) for i in inputs(node)))
            made[id(node)] = _quantiles(new, ids) if isinstance(new, Aggregate) else new
        return made[id(node)]

    return visit(plan)


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows below an aggregate.

    Attributes:
        base: the rows, before they are numbered.
        defined: each column, over those of the base and of `windows` and `totals`.
        windows: the functions of the rows.
        totals: what a single number counts.
    """

    base: Plan
    defined: Mapping[int, Expr]
    windows: Mapping[int, WindowCall]
    totals: Mapping[int, _Total]


@dataclass(frozen=True, slots=True)
class _Total:
    """The number of some rows, or of the values that `values` has in them."""

    of: Plan
    values: Expr | None


def _rows(plan: Plan) -> _Rows:
    """What the rows are; from a node on that takes or adds some they are a base."""
    if isinstance(plan, Project):
        below = _rows(plan.input)
        return replace(below, defined={c.id: substitute(e, below.defined) for c, e in plan.items})
    if isinstance(plan, Named):
        below = _rows(plan.query)
        pairs = zip(plan.columns, plan.query.columns, strict=True)
        return replace(below, defined={new.id: below.defined[old.id] for new, old in pairs})
    if isinstance(plan, Window):
        below = _rows(plan.input)
        own: dict[int, Expr] = {c.id: Ref(c) for c, _ in plan.calls}
        calls = {c.id: _inlined(call, below.defined) for c, call in plan.calls}
        return replace(below, defined={**below.defined, **own}, windows={**below.windows, **calls})
    side = _single(plan)
    if side is not None:
        rest, columns, totals = side
        below, own = _rows(rest), {c.id: Ref(c) for c in columns}
        return replace(below, defined={**below.defined, **own}, totals={**below.totals, **totals})
    return _Rows(plan, {c.id: Ref(c) for c in plan.columns}, {}, {})


def _single(plan: Plan) -> tuple[Plan, tuple[Column, ...], Mapping[int, _Total]] | None:
    """Rows to which one row of counts is joined: the rows, its columns, and what each counts."""
    if isinstance(plan, Apply) and plan.kind == "scalar" and plan.column is not None:
        counted = _counts(plan.subquery)
        found = None if counted is None else counted.get(plan.subquery.columns[0].id)
        return None if found is None else (plan.input, (plan.column,), {plan.column.id: found})
    if isinstance(plan, Join) and plan.kind == "inner" and _is_true(plan.condition):
        for rest, side in ((plan.left, plan.right), (plan.right, plan.left)):
            counted = _counts(side)
            if counted is not None:
                return rest, side.columns, counted
    return None


def _is_true(condition: Expr | None) -> bool:
    return condition is None or (isinstance(condition, Literal) and condition.value is True)


def _counts(plan: Plan) -> dict[int, _Total] | None:
    """What each column of a single row counts; None for other plans."""
    if isinstance(plan, Aggregate) and not plan.keys:
        rows, found = _rows(plan.input), dict[int, _Total]()
        for c, call in plan.calls:
            if call.function == "count" and _all(call):
                found[c.id] = _Total(rows.base, None)
            elif call.function == "count" and call.distinct and call.argument is not None:
                found[c.id] = _Total(rows.base, substitute(call.argument, rows.defined))
        return found
    below = (
        _counts(plan.input if isinstance(plan, Project) else plan.query)
        if isinstance(plan, Project | Named)
        else None
    )
    if below is None:
        return None
    if isinstance(plan, Named):
        pairs = zip(plan.columns, plan.query.columns, strict=True)
        return {new.id: below[old.id] for new, old in pairs if old.id in below}
    assert isinstance(plan, Project)
    return {
        c.id: below[e.column.id]
        for c, e in plan.items
        if isinstance(e, Ref) and e.column.id in below
    }


def _all(call: AggregateCall) -> bool:
    return not call.distinct and (call.argument is None or _is_constant(call.argument))


def _is_constant(expr: Expr) -> bool:
    return isinstance(expr, Literal) and expr.value is not None


def _inlined(call: WindowCall, defined: Mapping[int, Expr]) -> WindowCall:
    return replace(
        call,
        arguments=tuple(substitute(a, defined) for a in call.arguments),
        partition=tuple(substitute(p, defined) for p in call.partition),
        order=tuple(replace(k, expr=substitute(k.expr, defined)) for k in call.order),
    )


# --- the quantiles -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Place:
    """MIN(CASE WHEN place >= fraction * total THEN value ELSE below END); `below` None for NULL."""

    place: Ref
    total: Ref
    fraction: Fraction
    value: Expr
    below: Expr | None


def _quantiles(plan: Aggregate, ids: Ids) -> Plan:
    found = {c.id: p for c, call in plan.calls if (p := _place(call)) is not None}
    if not found:
        return plan
    rows = _rows(plan.input)
    groups = {substitute(e, rows.defined) for _, e in plan.keys}
    found = {c: p for c, p in found.items() if _is_quantile(p, rows, groups)}
    gone = {
        inner.column.id
        for p in found.values()
        for ref in (p.place, p.total)
        if isinstance(inner := rows.defined[ref.column.id], Ref)
    }
    stripped, dead = _without(plan.input, gone)
    calls: list[tuple[Column, AggregateCall]] = []
    items: list[tuple[Column, Expr]] = [(c, Ref(c)) for c, _ in plan.keys]
    for column, call in plan.calls:
        place = found.get(column.id)
        if place is None:
            calls.append((column, call))
            items.append((column, Ref(column)))
            continue
        own = ids.column(column.name, place.value.type)
        value, fraction = place.value, (place.fraction,)
        calls.append((own, AggregateCall("quantile_disc", value, call.span, parameters=fraction)))
        result: Expr = Ref(own)
        if place.below is not None:
            result = make("least", (result, place.below), call.span)
        items.append((column, coerce(result, column.type)))
    read = [*(e for _, e in plan.keys), *(a for _, call in calls for a in call.arguments)]
    if not found or any(columns_of(e) & dead for e in read):
        return plan
    return Project(replace(plan, input=stripped, calls=tuple(calls)), tuple(items))


def _plain(expr: Expr) -> Expr:
    """Without conversions that the binder inserted."""
    while isinstance(expr, Call) and expr.function == "coerce":
        expr = expr.args[0]
    return expr


def _place(call: AggregateCall) -> _Place | None:
    case = None if call.argument is None else _plain(call.argument)
    if call.function != "min" or not isinstance(case, Case) or len(case.branches) != 1:
        return None
    ((condition, value),) = case.branches
    if not isinstance(condition, Call) or condition.function not in ("lt", "le", "gt", "ge"):
        return None
    function, (left, right) = condition.function, map(_plain, condition.args)
    if function in ("le", "gt"):  # 0.25 * total <= place
        function, left, right = "ge" if function == "le" else "lt", right, left
    below: Expr | None = None
    if function == "lt":
        value, below = case.default, value
        if not _is_constant(_plain(below)):
            return None
    elif not (isinstance(case.default, Literal) and case.default.value is None):
        return None
    scaled = _scaled(right)
    if scaled is None or not isinstance(left, Ref) or not 0 <= scaled[0] <= 1:
        return None
    return _Place(left, scaled[1], scaled[0], _plain(value), below)


def _scaled(expr: Expr) -> tuple[Fraction, Ref] | None:
    """A fraction of a column."""
    if isinstance(expr, Call) and expr.function in ("mul", "div"):
        one, other = map(_plain, expr.args)
        if isinstance(one, Literal) and expr.function == "mul":
            one, other = other, one
        number = other.value if isinstance(other, Literal) else None
        if isinstance(one, Ref) and isinstance(number, int | Fraction) and number > 0:
            return Fraction(number) if expr.function == "mul" else 1 / Fraction(number), one
    return None


def _is_quantile(found: _Place, rows: _Rows, groups: set[Expr]) -> bool:
    place, total = (rows.defined[ref.column.id] for ref in (found.place, found.total))
    if not isinstance(place, Ref) or not isinstance(total, Ref):
        return False
    number, value = rows.windows.get(place.column.id), substitute(found.value, rows.defined)
    if number is None or number.function != "row_number" or set(number.partition) != groups:
        return False
    if len(number.order) != 1 or number.order[0].descending or number.order[0].expr != value:
        return False
    if not columns_of(value) <= {c.id for c in rows.base.columns}:
        return False
    count = rows.windows.get(total.column.id)
    if count is not None:
        same = (
            count.function == "count"
            and not count.order
            and all(map(_is_constant, count.arguments))
        )
        same = same and set(count.partition) == groups
    else:
        counted = rows.totals.get(total.column.id)
        same = counted is not None and not groups and _counted(counted, rows.base)
    return same and not infer(value, _known(rows.base)).nullable


def _counted(total: _Total, rows: Plan) -> bool:
    """Whether a total is the number of the rows."""
    if total.values is None:
        return _same(total.of, rows) is not None
    if not isinstance(rows, Aggregate) or len(rows.keys) != 1:
        return False
    below, ((_, key),) = _rows(rows.input), rows.keys
    columns, key = _same(total.of, below.base), substitute(key, below.defined)
    if columns is None or substitute(total.values, columns) != key:
        return False
    return not infer(key, _known(below.base)).nullable


def _same(a: Plan, b: Plan) -> dict[int, Expr] | None:
    """The columns of `a` as those of `b` where both are the same rows: of one WITH query, or of the
    same table under the same conditions; None of others.
    """
    if a is b:
        return {c.id: Ref(c) for c in b.columns}
    if isinstance(a, Scan) and isinstance(b, Scan) and a.table == b.table:
        theirs = dict(zip(b.fields, b.columns, strict=True))
        pairs = zip(a.fields, a.columns, strict=True)
        return {c.id: Ref(theirs[f]) for f, c in pairs if f in theirs}
    if isinstance(a, Filter) and isinstance(b, Filter):
        found = _same(a.input, b.input)
        if found is not None and substitute(a.predicate, found) == b.predicate:
            return found
    return None


def _known(plan: Plan) -> Environment:
    """Of which columns NULL is excluded: declared, asked for, or by what computes them."""
    if isinstance(plan, Scan):
        said = ((c, plan.table.column(f)) for c, f in zip(plan.columns, plan.fields, strict=True))
        return {c.id: of_type(c.type, nullable=s is None or _nullable(s)) for c, s in said}
    if isinstance(plan, Filter):
        return narrow(plan.predicate, _known(plan.input))
    if isinstance(plan, Project):
        below = _known(plan.input)
        return {c.id: infer(e, below) for c, e in plan.items}
    if isinstance(plan, Named):
        below = _known(plan.query)
        pairs = zip(plan.columns, plan.query.columns, strict=True)
        return {new.id: below[old.id] for new, old in pairs}
    if isinstance(plan, Join) and plan.kind == "inner":
        both = {**_known(plan.left), **_known(plan.right)}
        return both if plan.condition is None else narrow(plan.condition, both)
    env = {c.id: of_type(c.type) for c in plan.columns}
    if isinstance(plan, Aggregate):
        below = _known(plan.input)
        env |= {c.id: infer(e, below) for c, e in plan.keys}
        for c, call in plan.calls:
            kept = call.function in ("min", "max", "sum", "avg") and bool(plan.keys)
            if call.function == "count" or (
                kept and call.argument is not None and not infer(call.argument, below).nullable
            ):
                env[c.id] = of_type(c.type, nullable=False)
    return env


def _nullable(column: schema.Column) -> bool:
    return column.nullable and column.declared_nullable is not False


def _without(plan: Plan, gone: set[int]) -> tuple[Plan, set[int]]:
    """The rows without some windows and totals, and the columns that are not there any more."""
    if isinstance(plan, Project):
        below, dead = _without(plan.input, gone)
        kept = tuple((c, e) for c, e in plan.items if not columns_of(e) & dead)
        return Project(below, kept), {c.id for c, _ in plan.items} - {c.id for c, _ in kept}
    if isinstance(plan, Named):
        query, dead = _without(plan.query, gone)
        pairs = list(zip(plan.columns, plan.query.columns, strict=True))
        kept_columns = tuple(new for new, old in pairs if old.id not in dead)
        lost = {new.id for new, old in pairs if old.id in dead}
        return replace(plan, query=query, columns=kept_columns), lost
    if isinstance(plan, Window):
        below, dead = _without(plan.input, gone)
        calls = tuple((c, call) for c, call in plan.calls if c.id not in gone)
        dead |= {c.id for c, _ in plan.calls} & gone
        return (replace(plan, input=below, calls=calls) if calls else below), dead
    side = _single(plan)
    if side is not None:
        rest, columns, totals = side
        below, dead = _without(rest, gone)
        if totals.keys() & gone:
            return below, dead | {c.id for c in columns}
        return with_inputs(plan, tuple(below if i is rest else i for i in inputs(plan))), dead
    return plan, set()
