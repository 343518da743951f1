"""Groups that surely have a row: those of public rows that an outer join keeps.

    SELECT AVG(n) FROM (SELECT c.day, COUNT(t.x) AS n FROM cal AS c LEFT JOIN t ON t.day = c.day
        GROUP BY c.day)
    each day of cal is a group, whatever t has

Where groups may be empty, what is made from them asks for their presence with noise
(`presence`). Here it is a public fact, and nothing is asked, nor charged.

Claim: for each row of `sure_rows(plan)` the plan has, in every database, a row that agrees with it
on its columns; so the groups by these columns are there, and no others. By cases:
- public rows, and released ones that are read: themselves.
- LEFT JOIN: a row of the left side meets a row, or is kept with NULLs; the right side's columns
  may be those NULLs, and are not told.
- inner joins: of a sure row of each side, where the condition holds of what is told. Private rows
  on a side may be none.
- WHERE: likewise. One that reads a column that is not told may take any row away.
- a Project, a window, a mark, an order: each row is kept, with what is computed from what is told.
- all else (groups, unions, limits): nothing is claimed.
No others: a row of the plan has on each side a row of it, of which the same holds; the rules above
leave no side out that the columns are of.

It is a matter of the answer, not of privacy: which groups there are is told by public rows, or by
noisy ones, and less is asked of the private rows.
"""

from __future__ import annotations

from dpsql.core.functions.aggregates import COUNTS
from dpsql.core.functions.build import make
from dpsql.core.infer.domain import Domain
from dpsql.core.infer.exclusive import NULL_OF_NULL
from dpsql.core.infer.public_parts import public_parts
from dpsql.core.infer.ranges import Environment, infer
from dpsql.core.infer.tracking import kind_of
from dpsql.core.plan.expr import (
    Call,
    Column,
    Expr,
    Literal,
    Ref,
    columns_of,
    conjunction,
    conjuncts,
    substitute,
    transform,
)
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import (
    Aggregate,
    AggregateCall,
    Apply,
    Filter,
    Join,
    Limit,
    Named,
    OneRow,
    Plan,
    Project,
    Released,
    Scan,
    Sort,
    Union,
    Window,
    expressions,
    inputs,
    nodes,
    with_inputs,
)
from dpsql.core.plan.values import of_type
from dpsql.front.resolve.fresh_copy import fresh_copy
from dpsql.front.resolve.state import Resolution
from dpsql.types import BOOLEAN

Keys = tuple[tuple[Column, Expr], ...]


def sure_groups(state: Resolution, plan: Aggregate) -> Plan | None:
    """Rows whose groups are those that the resolved aggregate has; None where private rows decide
    which it has.
    """
    rows = None if state.schema.kinds else sure_rows(plan.input)
    if rows is None or not _tells(rows, *(e for _, e in plan.keys)):
        return None
    read = [node for node in nodes(rows) if isinstance(node, Scan | Released)]
    private = any(isinstance(n, Scan) and n.table.hidden for n in read)
    unread = any(isinstance(n, Released) and n.name not in state.feeds for n in read)
    return None if private or unread else rows


def sure_rows(plan: Plan) -> Plan | None:
    """Rows that a resolved plan has whatever private rows there are, by the columns that are told
    of them; None where none are known.
    """
    if kind_of(plan) is not Kind.TRACKED:
        return plan
    match plan:
        case Filter():
            rows = sure_rows(plan.input)
            told = rows is not None and _tells(rows, plan.predicate)
            return Filter(rows, plan.predicate) if rows is not None and told else None
        case Project():
            rows = sure_rows(plan.input)
            if rows is None:
                return None
            return Project(rows, tuple((c, e) for c, e in plan.items if _tells(rows, e)))
        case Join(kind="left" | "matched" | "mark"):
            return sure_rows(plan.left)
        case Join(kind="inner"):
            left, right = sure_rows(plan.left), sure_rows(plan.right)
            if left is None or right is None:
                return None
            both = Join(left, right, plan.condition, plan.span)
            return both if plan.condition is None or _tells(both, plan.condition) else None
        case Window() | Sort():
            return sure_rows(plan.input)
        case Join() | Aggregate() | Union() | Limit() | Apply() | Named():
            return None
        case Scan() | OneRow() | Released():
            return None


def _tells(rows: Plan, *exprs: Expr) -> bool:
    return frozenset().union(*map(columns_of, exprs)) <= {c.id for c in rows.columns}


def is_null(call: AggregateCall, rows: Plan) -> bool:
    """Whether SQL gives NULL for a group that has its sure rows alone: anything but a count, and
    but a sum of what is not NULL there, as of CASE WHEN … ELSE 0 END.
    """
    if call.function in COUNTS:
        return False
    if call.function != "sum" or call.argument is None:
        return True
    return _is_null(call.argument, {c.id: of_type(c.type) for c in rows.columns})


def _is_null(expr: Expr, told: Environment) -> bool:
    """Whether an expression is surely NULL where the columns that are not told are."""
    if isinstance(expr, Call) and expr.function in NULL_OF_NULL:
        return any(_is_null(arg, told) for arg in expr.args)

    def kept(node: Expr) -> Expr:
        gone = isinstance(node, Ref) and node.column.id not in told
        return Literal(None, node.type) if gone else node

    return infer(transform(expr, kept), told).finite == ()


def sure_keys(state: Resolution, keys: Keys, rows: Plan) -> Aggregate:
    """The groups of the sure rows, of which nothing else is asked."""
    copy, names = copied(state, rows)
    return Aggregate(copy, tuple((c, substitute(e, names)) for c, e in keys), ())


def among_sure(state: Resolution, released: Plan, keys: Keys, rows: Plan, domain: Domain) -> Plan:
    """The released groups that the sure rows have: all, or those found there."""
    if domain.private or _lists(domain, keys, rows):
        return released
    own = tuple((state.ids.column(c.name, e.type), e) for c, e in keys)
    groups = sure_keys(state, own, rows)
    here = {c.id: c for c in released.columns}
    same = [
        make("is_not_distinct", (Ref(here[c.id]), Ref(other)), None)
        for (c, _), other in zip(keys, groups.columns, strict=True)
    ]
    mark = state.ids.column("there", BOOLEAN)
    marked = Join(released, groups, conjunction(same), kind="mark", mark=mark)
    return Project(Filter(marked, Ref(mark)), tuple((c, Ref(c)) for c in released.columns))


def _lists(domain: Domain, keys: Keys, rows: Plan) -> bool:
    """Whether the domain is the groups of the sure rows, and no others.

    Claim: it is if all is public, public tables list all keys, each part of the rows has a key,
    and each condition a column. Why: the rows are then the product of their parts, and the domain
    that of the parts' keys. A part without one may be empty, and there is no row then; a condition
    without a column is in no part.
    """
    conditions = [
        term
        for node in nodes(rows)
        if isinstance(node, Filter | Join)
        for expr in expressions(node)
        for term in conjuncts(expr)
    ]
    read = [columns_of(e) for _, e in keys]
    return (
        kind_of(rows) is Kind.PUBLIC
        and not domain.listed
        and all(map(columns_of, conditions))
        and all(any(ids & used for used in read) for ids, _ in public_parts(rows))
    )


def copied(state: Resolution, rows: Plan) -> tuple[Plan, dict[int, Expr]]:
    """The rows once more, where noisy answers are read, and what their columns are there."""
    copy, names = fresh_copy(rows, lambda c: state.ids.column(c.name, c.type))
    return _unfed(state, copy), {i: Ref(c) for i, c in names.items()}


def _unfed(state: Resolution, plan: Plan) -> Plan:
    """The plan with the rows that a feed is made of, in its place."""
    if isinstance(plan, Released):
        feed = state.feeds[plan.name]
        copy, names = fresh_copy(feed.plan, lambda c: state.ids.column(c.name, c.type))
        items = zip(plan.columns, feed.columns, strict=True)
        return Project(copy, tuple((c, Ref(names[made.id])) for c, made in items))
    return with_inputs(plan, tuple(_unfed(state, below) for below in inputs(plan)))
