"""The first row of a subquery for each outer row, where more than an equality ties them.

    SELECT (SELECT h.name FROM holidays AS h WHERE h.day <= o.day ORDER BY h.day DESC LIMIT 1)
    FROM orders AS o
    SELECT f.name FROM orders AS o LEFT JOIN (
      SELECT o.customer, o.day, FIRST(h.name ORDER BY h.day DESC) AS name
      FROM orders AS o JOIN holidays AS h ON h.day <= o.day GROUP BY o.customer, o.day
    ) AS f ON f.customer = o.customer AND f.day = o.day

Claim: the values are the same. Why: the subquery's value is a function of the outer columns that it
reads, so outer rows that are alike in them, and in those that lead to their unit, have one value,
and the joined rows of their group are the subquery's rows, each as often as there are such outer
rows. A NULL in one of them makes a condition NULL, so that there is no row; where it does not,
this is left to other rules. Groups are of one unit where these columns lead to it, and are refused
where they do not: what is proven is proven of the second query.
Source: Seshadri, Pirahesh, Leung (ICDE 1996), magic decorrelation.
"""

from __future__ import annotations

from dataclasses import replace

from dpsql.core.functions.build import make
from dpsql.core.infer.exclusive import null_with
from dpsql.core.infer.tracking import kind_of
from dpsql.core.plan.expr import Call, Expr, Ref, columns_of, conjunction, substitute
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import (
    Aggregate,
    AggregateCall,
    Apply,
    Filter,
    Join,
    Limit,
    Plan,
    Project,
    Scan,
    Sort,
    SortKey,
    Window,
)
from dpsql.front.resolve.decorrelate import Scalar, free_columns, pull
from dpsql.front.resolve.fresh_copy import fresh_copy
from dpsql.front.resolve.state import Resolution


def first_row(state: Resolution, apply: Apply) -> Scalar | None:
    """A scalar subquery of this kind over resolved private rows; None for others."""
    limited = _limited(apply.subquery)
    if limited is None or kind_of(apply.input) is not Kind.TRACKED:
        return None
    rows, keys, above = limited
    outer = {c.id: c for c in apply.input.columns}
    if not free_columns(rows) & outer.keys():
        return None
    pulled = pull(rows, state.ids, apply.span)
    values = pulled.values
    order = tuple(replace(k, expr=substitute(k.expr, values)) for k in keys)
    for project in reversed(above):
        values = {c.id: substitute(e, values) for c, e in project.items}
    value = values[apply.subquery.columns[0].id]
    plain = all(isinstance(t, Call) and t.function == "eq" for t in pulled.terms)
    if pulled.grouped or columns_of(value) & outer.keys():
        return None
    read = frozenset[int]().union(*map(columns_of, [*pulled.terms, *(k.expr for k in order)]))
    parts = (part for term in pulled.terms for part in null_with(term))
    if not read & outer.keys() <= {part.column.id for part in parts if isinstance(part, Ref)}:
        return None
    if plain and not any(columns_of(k.expr) & outer.keys() for k in order):
        return None  # by windows, see `decorrelate`
    owners = _owners(apply.input)
    if not owners & outer.keys():
        return None
    message = "the query is too large: rows of subqueries with LIMIT are written out twice"
    state.count_copy(apply.input, message, apply.span)
    told = [c for i, c in outer.items() if i in read | owners]
    copy, names = fresh_copy(apply.input, lambda c: state.ids.column(c.name, c.type))
    here: dict[int, Expr] = {i: Ref(c) for i, c in names.items()}
    terms = conjunction([substitute(t, here) for t in pulled.terms])
    joined = Join(copy, pulled.plan, terms, apply.span)
    groups = tuple((state.ids.column(c.name, c.type), here[c.id]) for c in told)
    sorted_by = tuple(SortKey(substitute(k.expr, here), k.descending, k.nulls_first) for k in order)
    first = state.ids.column("first", value.type)
    call = AggregateCall("first", value, apply.span, order=sorted_by)
    return Scalar(
        Aggregate(joined, groups, ((first, call),), apply.span),
        tuple(
            make("eq", (Ref(own), Ref(c)), None) for (own, _), c in zip(groups, told, strict=True)
        ),
        Ref(first),
        None,
        False,
    )


def _limited(plan: Plan) -> tuple[Plan, tuple[SortKey, ...], list[Project]] | None:
    """The rows of which the first is taken, in which order, and what is computed of it, outermost
    first; None where it is not one row.
    """
    above: list[Project] = []
    limited = False
    while isinstance(plan, Project | Limit):
        if isinstance(plan, Project):
            above.append(plan)
        elif limited or plan.count != 1 or plan.offset:
            return None
        else:
            limited = True
        plan = plan.input
    if not limited:
        return None
    return (plan.input, plan.keys, above) if isinstance(plan, Sort) else (plan, (), above)


def _owners(plan: Plan) -> frozenset[int]:
    """The columns that lead to the unit of a row, and are there in each that has one."""
    if isinstance(plan, Scan):
        owner = (plan.table.owner or "").lower()
        named = zip(plan.fields, plan.columns, strict=True)
        return frozenset(column.id for field, column in named if field.lower() == owner)
    if isinstance(plan, Join):
        found = _owners(plan.left) if plan.kind != "full" else frozenset[int]()
        return found | _owners(plan.right) if plan.kind == "inner" else found
    return _owners(plan.input) if isinstance(plan, Filter | Project | Window) else frozenset()
