"""Subqueries -> joins.

    mark, inner, left   the conditions that read outer columns are pulled up, out of the subquery,
                        and become the join's
    scalar              a keyless aggregate under `inner.k = outer.k AND …` is grouped by k, and
                        LEFT JOINed on k; an outer row without a group gets what the aggregate of
                        no rows is: NULL, or 0 for a count. x IN (SELECT COUNT(*) …) compares with
                        such a value; a HAVING that may keep the row of no rows is rejected
    LIMIT               under `inner.k = outer.k AND …` the rows of each k are numbered in the order
                        that is said, and those of the first numbers are kept

Sound: a condition of a subquery's FROM and WHERE may as well be asked of its rows later, one by
one, as long as no aggregate, limit or set operation stands between; an aggregate of the rows with
inner.k = v is the group v of the aggregate grouped by k, and its first rows are those of the
partition v. What has no such form is rejected.
Source: Seshadri, Pirahesh, Leung (ICDE 1996); Neumann and Kemper (BTW 2015).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from dpsql.core.emit.evaluate import Undefined, evaluate
from dpsql.core.functions.aggregates import COUNTS
from dpsql.core.functions.build import make
from dpsql.core.functions.spec import coerce
from dpsql.core.plan.expr import (
    Call,
    Case,
    Column,
    Expr,
    Literal,
    Ref,
    columns_of,
    conjunction,
    conjuncts,
    substitute,
)
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import (
    Aggregate,
    Apply,
    Filter,
    Join,
    Limit,
    Named,
    OneRow,
    Plan,
    Project,
    Sort,
    Window,
    WindowCall,
    defined,
    expressions,
    inputs,
    nodes,
)
from dpsql.errors import Diagnostic, Rejected, Span
from dpsql.front.resolve.fresh_copy import fresh_copy
from dpsql.types import BIGINT, BOOLEAN


@dataclass(frozen=True, slots=True)
class Pulled:
    """A subquery without references to the outside.

    Attributes:
        plan: uncorrelated; it has the columns that `terms` and `values` read.
        terms: the conditions that tie it to the outer row.
        values: the subquery's columns over the plan's and the outer row's.
        grouped: the keys that were added to an aggregate without keys: one per term.
    """

    plan: Plan
    terms: tuple[Expr, ...]
    values: dict[int, Expr]
    grouped: bool = False


def free_columns(plan: Plan) -> frozenset[int]:
    """The columns that a plan reads and does not make itself."""
    made: set[int] = set()
    read: set[int] = set()
    stack: list[Plan] = [plan]
    while stack:
        node = stack.pop()
        made.update(c.id for c in defined(node))
        for expr in expressions(node):
            read |= columns_of(expr)
        if not isinstance(node, Named):  # a WITH query reads nothing from outside
            stack.extend(inputs(node))
    return frozenset(read - made)


def pull(plan: Plan, ids: Ids, span: Span | None) -> Pulled:
    """A subquery's plan and what ties it to the outer row.

    Raises:
        Rejected: DP104 where a condition on an outer column cannot be pulled out.
    """
    outer = free_columns(plan)
    if not outer:
        return Pulled(plan, (), {c.id: Ref(c) for c in plan.columns})
    return _pull(plan, outer, ids, span)


def _pull(plan: Plan, outer: frozenset[int], ids: Ids, span: Span | None) -> Pulled:
    if not free_columns(plan) & outer:
        return Pulled(plan, (), {c.id: Ref(c) for c in plan.columns})
    if isinstance(plan, Filter):
        below = _pull(plan.input, outer, ids, span)
        terms = conjuncts(substitute(plan.predicate, below.values))
        tied = tuple(t for t in terms if columns_of(t) & outer)
        own = conjunction([t for t in terms if not columns_of(t) & outer])
        inner = below.plan if own is None else Filter(below.plan, own)
        if below.grouped and tied:
            raise _stuck(span)
        return replace(below, plan=inner, terms=below.terms + tied)
    if isinstance(plan, Project):
        below = _pull(plan.input, outer, ids, span)
        values = {c.id: substitute(e, below.values) for c, e in plan.items}
        return replace(below, values=values)
    if isinstance(plan, Sort):
        return _pull(plan.input, outer, ids, span)
    if isinstance(plan, Apply):
        return _pull(_inner_join(plan, ids), outer, ids, span)
    if isinstance(plan, Join) and plan.kind == "inner":
        left, right = (_pull(side, outer, ids, span) for side in (plan.left, plan.right))
        if left.grouped or right.grouped:
            raise _stuck(span)
        values = {**left.values, **right.values}
        parts = [] if plan.condition is None else conjuncts(substitute(plan.condition, values))
        tied = tuple(t for t in parts if columns_of(t) & outer)
        own = conjunction([t for t in parts if not columns_of(t) & outer])
        joined = replace(plan, left=left.plan, right=right.plan, condition=own)
        return Pulled(joined, left.terms + right.terms + tied, values)
    if isinstance(plan, Join) and plan.kind in ("left", "mark"):
        if free_columns(plan.right) & outer or (
            plan.condition is not None and columns_of(plan.condition) & outer
        ):
            raise _stuck(span)
        below = _pull(plan.left, outer, ids, span)
        condition = None if plan.condition is None else substitute(plan.condition, below.values)
        values = {
            **below.values,
            **{c.id: Ref(c) for c in plan.columns if c.id not in below.values},
        }
        joined = replace(plan, left=below.plan, condition=condition)
        return replace(below, plan=joined, values=values)
    if isinstance(plan, Limit):
        return _pull_limit(plan, outer, ids, span)
    if isinstance(plan, Aggregate):
        return _pull_aggregate(plan, outer, ids, span)
    raise _stuck(span)


def _inner_join(apply: Apply, ids: Ids) -> Plan:
    """A subquery of a subquery as a join."""
    values = as_values(apply, ids) if apply.kind == "mark" else None
    if values is not None:
        return values
    if apply.kind != "scalar":
        return apply_join(apply, ids)
    found = scalar(apply, ids)
    grouped = isinstance(found.plan, Aggregate) and len(found.plan.keys) == len(found.terms)
    if not found.always and not grouped:  # it could have several rows
        raise _stuck(apply.span)
    return scalar_join(apply, found, found.plan, found.terms, ids)


def _pull_aggregate(plan: Aggregate, outer: frozenset[int], ids: Ids, span: Span | None) -> Pulled:
    below = _pull(plan.input, outer, ids, span)
    if below.grouped:
        raise _stuck(span)
    keys = tuple((c, substitute(e, below.values)) for c, e in plan.keys)
    calls = tuple((c, call.mapped(lambda e: substitute(e, below.values))) for c, call in plan.calls)
    read = [e for _, e in keys] + [argument for _, call in calls for argument in call.arguments]
    if any(columns_of(e) & outer for e in read):
        raise _stuck(span)
    aggregate = replace(plan, input=below.plan, keys=keys, calls=calls)
    found = _tied_keys(aggregate, below, outer, ids, span)
    values: dict[int, Expr] = {c.id: Ref(c) for c in plan.columns}
    return replace(found, values=values, grouped=not plan.keys)


def _pull_limit(plan: Limit, outer: frozenset[int], ids: Ids, span: Span | None) -> Pulled:
    """The first rows of each combination of the inner sides, as their numbers say."""
    if isinstance(plan.input, Project):  # it keeps the rows and their order
        within = replace(plan, input=plan.input.input)
        return _pull(replace(plan.input, input=within), outer, ids, span)
    below = _pull(plan.input, outer, ids, span)
    if below.grouped:  # one row, before what is asked of it above
        raise _stuck(plan.span or span)
    keys = plan.input.keys if isinstance(plan.input, Sort) else ()
    order = tuple(replace(k, expr=substitute(k.expr, below.values)) for k in keys)
    if any(columns_of(k.expr) & outer for k in order):
        raise _stuck(plan.span or span)
    partition = tuple(_sides(t, outer, plan.span or span)[0] for t in below.terms)
    number = ids.column("number", BIGINT)
    call = WindowCall("row_number", (), partition, order, None, plan.span)
    last = None if plan.count is None else plan.offset + plan.count
    bounds = [("eq", last)] if plan.count == 1 else [("gt", plan.offset), ("le", last)]
    terms = [make(f, (Ref(number), Literal(n, BIGINT)), None) for f, n in bounds if n is not None]
    kept = conjunction(terms)
    assert kept is not None
    return replace(below, plan=Filter(Window(below.plan, ((number, call),), plan.span), kept))


def _sides(term: Expr, outer: frozenset[int], span: Span | None) -> tuple[Expr, Expr]:
    """The inner and the outer side of `inner = outer`."""
    if not (isinstance(term, Call) and term.function == "eq"):
        raise _no_equality(term, outer, span)
    a, b = term.args
    if columns_of(a) & outer:
        a, b = b, a
    if columns_of(a) & outer or not columns_of(b) <= outer:
        raise _stuck(term.span or span)
    return a, b


def _tied_keys(
    plan: Aggregate, below: Pulled, outer: frozenset[int], ids: Ids, span: Span | None
) -> Pulled:
    """The aggregate with the inner side of each `inner = outer` among its keys."""
    there = {e: c for c, e in plan.keys}
    keys: list[tuple[Column, Expr]] = []
    terms: list[Expr] = []
    for term in below.terms:
        a, b = _sides(term, outer, span)
        if a in there:
            terms.append(make("eq", (Ref(there[a]), b), term.span))
            continue
        name = a.column.name if isinstance(a, Ref) else "key"
        column = ids.column(name, a.type)
        keys.append((column, a))
        terms.append(make("eq", (Ref(column), b), term.span))
    return Pulled(replace(plan, keys=(*keys, *plan.keys)), tuple(terms), {})


_TIE = "tie it to the outer query by inner.column = outer.column in its WHERE"


def _no_equality(term: Expr, outer: frozenset[int], span: Span | None) -> Rejected:
    """For each outer row the rows below, or above, it would be counted anew: a running total."""
    compared = isinstance(term, Call) and term.function in ("lt", "le", "gt", "ge", "ne")
    if not compared or not columns_of(term) - outer:
        return _stuck(term.span or span)
    message = "the subquery is tied to the outer row by a comparison, which gives each row a group"
    message += " of its own rows"
    return Rejected(Diagnostic("DP104", message, term.span or span, _RUNNING))


_RUNNING = (
    "tie it by an equality, inner.column = outer.column; of what is before a row write a window of "
    "one unit: AVG(x) OVER (PARTITION BY unit ORDER BY …)"
)


def _stuck(span: Span | None, help: str = _TIE) -> Rejected:
    message = "the subquery uses a column of the query around it in a way that is no join"
    return Rejected(Diagnostic("DP104", message, span, help))


# --- joins ---------------------------------------------------------------------------------------


def as_values(apply: Apply, ids: Ids) -> Plan | None:
    """LATERAL (SELECT COUNT(*), SUM(y) FROM … WHERE inner.k = outer.k): each outer row has exactly
    one row of it, so its columns are as many scalar subqueries; x IN (SELECT COUNT(*) …) compares
    with one. None for any other.
    """
    condition = apply.condition
    told = condition is None or condition == Literal(True, BOOLEAN)
    if apply.kind not in (("inner", "left") if told else ("inner", "mark")):
        return None
    plan = apply.subquery
    while isinstance(plan, Project | Sort):
        plan = plan.input
    whole = isinstance(plan, Aggregate) and not plan.keys
    if not whole or not free_columns(apply.subquery):
        return None
    within = (node.kind for node in nodes(apply.subquery) if isinstance(node, Apply))
    if any(kind in ("inner", "left") for kind in within):
        return None  # each column has a copy: of one in another there would be products of them
    plan = apply.input
    for column in apply.subquery.columns:
        copy, names = fresh_copy(apply.subquery, lambda c: ids.column(c.name, c.type))
        made = ids.column(column.name, column.type)
        alone = Project(copy, ((made, Ref(names.get(column.id, column))),))
        plan = Apply(plan, alone, "scalar", column, None, apply.span)
    if told or condition is None:
        return plan
    if apply.column is None:
        return Filter(plan, condition)
    found = make("is_not_distinct", (condition, Literal(True, BOOLEAN)), apply.span)
    items = [(c, Ref(c)) for c in apply.input.columns]
    return Project(plan, (*items, (apply.column, found)))


def apply_join(apply: Apply, ids: Ids) -> Plan:
    """A mark, inner or left Apply as a join."""
    assert apply.kind != "scalar"
    if apply.kind == "mark":
        _check_existence(apply)
    pulled = pull(_unlimited(apply), ids, apply.span)
    if pulled.grouped and apply.kind == "mark" and _has_rows_of_none(pulled.plan):
        raise _stuck(apply.span)
    terms = list(pulled.terms)
    if apply.condition is not None:
        terms += conjuncts(substitute(apply.condition, pulled.values))
    condition = conjunction(terms)
    if apply.kind == "mark":
        return Join(apply.input, pulled.plan, condition, apply.span, "mark", apply.column)
    if pulled.grouped:
        help = "write it as a scalar subquery, or add GROUP BY that column and LEFT JOIN it"
        raise _stuck(apply.span, help)
    outside = frozenset(c.id for c in apply.input.columns)
    if apply.kind == "left" and any(columns_of(e) & outside for e in pulled.values.values()):
        raise _stuck(apply.span)
    right, renamed = _computed(pulled, ids) if apply.kind == "left" else (pulled.plan, {})
    values = {**pulled.values, **renamed}
    if apply.condition is not None or renamed:
        terms = [substitute(t, {}) for t in pulled.terms]
        if apply.condition is not None:
            terms += conjuncts(substitute(apply.condition, values))
        condition = conjunction(terms)
    joined = Join(
        apply.input, right, condition, apply.span, "left" if apply.kind == "left" else "inner"
    )
    items: list[tuple[Column, Expr]] = [(c, Ref(c)) for c in apply.input.columns]
    items += [(c, values[c.id]) for c in apply.subquery.columns]
    return Project(joined, tuple(items))


def _computed(pulled: Pulled, ids: Ids) -> tuple[Plan, dict[int, Expr]]:
    """The subquery's computed columns made below the join, where they become NULL with the rest."""
    items: list[tuple[Column, Expr]] = [(c, Ref(c)) for c in pulled.plan.columns]
    renamed: dict[int, Expr] = {}
    for i, value in pulled.values.items():
        if not isinstance(value, Ref):
            column = ids.column("value", value.type)
            items.append((column, value))
            renamed[i] = Ref(column)
    if not renamed:
        return pulled.plan, {}
    return Project(pulled.plan, tuple(items)), renamed


def _unlimited(apply: Apply) -> Plan:
    """EXISTS (… LIMIT 1) asks no less without the limit."""
    plan = apply.subquery
    if apply.kind == "mark" and apply.condition is None:
        while isinstance(plan, Limit) and plan.offset == 0 and plan.count != 0:
            plan = plan.input
    return plan


def _check_existence(apply: Apply) -> None:
    """EXISTS over an aggregate without keys is always true: there is one row."""
    plan = apply.subquery
    while isinstance(plan, Project | Sort):
        plan = plan.input
    if apply.condition is None and isinstance(plan, Aggregate) and not plan.keys:
        message = "an aggregate without GROUP BY always has one row: EXISTS is always true"
        raise Rejected(Diagnostic("DP104", message, apply.span, "compare its value instead"))


@dataclass(frozen=True, slots=True)
class Scalar:
    """A scalar subquery without references to the outside.

    Attributes:
        plan: at most one row for each combination of the terms' inner sides.
        terms: what ties it to the outer row.
        value: the subquery's value over `plan`, for an outer row that has a row there.
        empty: the value for one that has none.
        always: whether there is a row for every outer row.
    """

    plan: Plan
    terms: tuple[Expr, ...]
    value: Expr
    empty: Expr | None
    always: bool


def scalar(apply: Apply, ids: Ids) -> Scalar:
    """A scalar Apply, ready to be joined."""
    pulled = pull(apply.subquery, ids, apply.span)
    (column,) = apply.subquery.columns[:1]
    value = pulled.values[column.id]
    if columns_of(value) & {c.id for c in apply.input.columns}:
        raise _stuck(apply.span)
    if not pulled.terms:
        return Scalar(pulled.plan, (), value, None, _one_row(pulled.plan))
    empty = None
    if pulled.grouped:
        if isinstance(pulled.plan, Aggregate):
            empty = _of_no_rows(pulled.plan, value)
        elif _has_rows_of_none(pulled.plan):
            raise _stuck(apply.span)
    return Scalar(pulled.plan, pulled.terms, value, empty, False)


def _one_row(plan: Plan) -> bool:
    """Whether there is exactly one row, always."""
    if isinstance(plan, Aggregate):
        return not plan.keys
    if isinstance(plan, Project | Sort | Window):
        return _one_row(plan.input)
    return isinstance(plan, OneRow)


def _has_rows_of_none(plan: Plan) -> bool:
    """Whether an aggregate may have a row where there is no row to aggregate: it has, unless a
    condition of its HAVING is not TRUE then.
    """
    conditions: list[Expr] = []
    while isinstance(plan, Filter):
        conditions.append(plan.predicate)
        plan = plan.input
    if not isinstance(plan, Aggregate):
        return True
    for condition in conditions:
        try:
            if _without_rows(plan, condition) is not True:
                return False
        except Undefined:
            pass
    return True


def _without_rows(plan: Aggregate, value: Expr) -> object:
    """A value over the aggregate where it has no row to aggregate.

    Raises:
        Undefined: it is not known.
    """
    read = _nothing(plan, value)
    (found,) = evaluate(value, [tuple(read.values())], tuple(read))
    return found


def _nothing(plan: Aggregate, value: Expr) -> dict[Column, int | None]:
    """What the calls that a value reads are of no rows."""
    read = columns_of(value)
    return {c: 0 if a.function in COUNTS else None for c, a in plan.calls if c.id in read}


def _of_no_rows(plan: Aggregate, value: Expr) -> Expr | None:
    """The value where the aggregate has no row to aggregate; None where that is NULL."""
    try:
        found = _without_rows(plan, value)
    except Undefined:
        found = None
    if found is None:
        return None
    nothing = _nothing(plan, value)
    return substitute(value, {c.id: Literal(v, c.type) for c, v in nothing.items()})


def scalar_join(
    apply: Apply, found: Scalar, right: Plan, terms: tuple[Expr, ...], ids: Ids
) -> Plan:
    """The outer plan with the scalar's value, given its plan and terms as they are now."""
    assert apply.column is not None
    made = apply.column
    value = found.value
    if found.always and not terms:
        joined = Join(apply.input, right, None, apply.span)
    else:
        joined = Join(apply.input, right, conjunction(list(terms)), apply.span, "left")
        if not isinstance(value, Ref) or found.empty is not None:
            here = ids.column("here", made.type)
            below = Project(right, (*((c, Ref(c)) for c in right.columns), (here, value)))
            joined = replace(joined, right=below)
            value = Ref(here)
    if found.empty is not None and isinstance(found.value, Ref):  # a count, which is never NULL
        value = make("coalesce", (value, coerce(found.empty, value.type)), value.span)
    elif found.empty is not None:
        # The groups have no NULL where they count, so NULL says that there is no group; a value
        # that is NULL in a group would be taken for that, so a key tells.
        key = next(c for t in terms for c in _inner(t, right))
        missing = Call("is_null", (Ref(key),), BOOLEAN)
        value = Case(((missing, coerce(found.empty, value.type)),), value, value.type, value.span)
    items: list[tuple[Column, Expr]] = [(c, Ref(c)) for c in apply.input.columns]
    return Project(joined, (*items, (made, value)))


def _inner(term: Expr, right: Plan) -> list[Column]:
    ids = {c.id: c for c in right.columns}
    return [ids[c] for c in columns_of(term) if c in ids]
