"""Subqueries in expressions -> columns that an Apply below makes.

    EXISTS (Q)            mark
    x IN (Q)              mark under x = y, y the column of Q
    x NOT IN (Q)          NOT of a mark under (x = y) IS NOT FALSE: true where NULL leaves it open
    x < ANY (Q)           mark under x < y
    x < ALL (Q)           NOT of a mark under (x < y) IS NOT TRUE
    (Q)                   scalar

A condition is only ever asked whether it is TRUE, and NOT IN and ALL above are TRUE exactly when
SQL's are: x NOT IN (Q) is TRUE when x = y is FALSE for all y. Where the difference between FALSE
and NULL could show (under NOT, as a value), a second mark tells them apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from dpsql.core.functions.build import make
from dpsql.core.plan.expr import Call, Case, Expr, Literal, Ref
from dpsql.core.plan.nodes import Apply, ApplyKind
from dpsql.front.parse import only, reject, span_of
from dpsql.front.place import NOTHING, BoundQuery
from dpsql.types import BOOLEAN

if TYPE_CHECKING:
    from dpsql.front.bind_expr import ExpressionBinder

_COMPARISONS: dict[type[exp.Expr], str] = {
    exp.EQ: "eq",
    exp.NEQ: "ne",
    exp.LT: "lt",
    exp.LTE: "le",
    exp.GT: "gt",
    exp.GTE: "ge",
}


def exists(binder: ExpressionBinder, node: exp.Exists) -> Expr:
    """EXISTS (Q)."""
    only(node, "this", "expression")
    query = node.this
    bound = _bound(binder, query, node)
    return _mark(binder, bound, None, node)


def searched(node: exp.In) -> exp.Expr | None:
    """The Q of x IN (Q), which may be VALUES; None for a list."""
    listed = node.expressions
    if len(listed) == 1 and isinstance(listed[0], exp.Values):
        return listed[0]
    query: exp.Expr | None = node.args.get("query")
    return query


def membership(binder: ExpressionBinder, node: exp.In, negated: bool) -> Expr:
    """x [NOT] IN (Q); x may be a tuple."""
    only(node, "this", "query", "expressions")
    query = searched(node)
    assert query is not None

    def mark(*, unless: bool | None) -> Expr:
        return _test(binder, query, node.this, "eq", unless, node)

    if not binder.positive:
        found = Literal(not negated, BOOLEAN)
        return _three(mark(unless=None), found, mark(unless=False), node)
    return _not(mark(unless=False)) if negated else mark(unless=None)


def quantified(binder: ExpressionBinder, node: exp.Expr) -> Expr | None:
    """x < ANY (Q) and x < ALL (Q); None for any other comparison."""
    function = _COMPARISONS.get(type(node))
    if function is None or not isinstance(node.expression, exp.Any | exp.All):
        return None
    right = node.expression
    query = right.this
    while isinstance(query, exp.Paren):
        query = query.this
    if not isinstance(query, exp.Query):
        return None

    def mark(*, unless: bool | None, of: str = function) -> Expr:
        return _test(binder, query, node.this, of, unless, node)

    if isinstance(right, exp.Any):
        if binder.positive:
            return mark(unless=None)
        return _three(mark(unless=None), Literal(True, BOOLEAN), mark(unless=False), node)
    if binder.positive:
        return _not(mark(unless=True))
    failed = mark(unless=None, of=_OPPOSITE[function])
    return _three(failed, Literal(False, BOOLEAN), mark(unless=True), node)


_OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}


def _three(decided: Expr, value: Literal, unknown: Expr, node: exp.Expr) -> Expr:
    """`value` where decided, NULL where unknown, else the opposite."""
    null = Literal(None, BOOLEAN)
    other = Literal(not value.value, BOOLEAN)
    return Case(((decided, value), (unknown, null)), other, BOOLEAN, span_of(node))


def _test(
    binder: ExpressionBinder,
    query: exp.Expr,
    left: exp.Expr,
    function: str,
    unless: bool | None,
    node: exp.Expr,
) -> Expr:
    """A mark: the comparison is TRUE for some row; or anything `unless` that value."""
    bound = _bound(binder, query, node)
    test = _compared(binder, left, function, bound, node)
    return _mark(binder, bound, test if unless is None else _unless(test, unless), node)


def scalar(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    """(Q), one value."""
    bound = _bound(binder, node, node)
    if len(bound.names) != 1:
        raise reject("DP205", "a subquery used as a value needs exactly one column", node)
    (column,) = bound.plan.columns[:1]
    assert binder.place is not None
    made = binder.place.ids.column(bound.names[0], column.type)
    binder.place.attach(Apply(NOTHING, bound.plan, "scalar", made, None, span_of(node)))
    return Ref(made, span_of(node))


def _bound(binder: ExpressionBinder, query: exp.Expr, node: exp.Expr) -> BoundQuery:
    if binder.place is None or binder.place.inner is None:
        raise reject("DP104", "a subquery cannot stand here", node, "move it to WHERE")
    return binder.place.inner(query, binder.outward)


def _compared(
    binder: ExpressionBinder, left: exp.Expr, function: str, bound: BoundQuery, node: exp.Expr
) -> Expr:
    """left `function` the columns of the subquery."""
    inner = left.this if isinstance(left, exp.Paren) else left
    parts = inner.expressions if isinstance(inner, exp.Tuple) else [left]
    if len(parts) != len(bound.names):
        values = "one value" if len(parts) == 1 else f"{len(parts)} values"
        message = f"{values} against {len(bound.names)} columns of the subquery"
        raise reject("DP205", message, node)
    if len(parts) > 1 and function != "eq":
        raise reject("DP104", "tuples can only be tested with IN", node, "compare each part")
    terms = tuple(
        make(function, (binder.bind(part), Ref(column)), span_of(node))
        for part, column in zip(parts, bound.plan.columns, strict=False)
    )
    return terms[0] if len(terms) == 1 else make("and", terms, span_of(node))


def _unless(test: Expr, value: bool) -> Expr:
    """Whether `test` is anything but `value`."""
    same = make("is_not_distinct", (test, Literal(value, BOOLEAN)), test.span)
    return make("not", (same,), test.span)


def _not(mark: Expr) -> Expr:
    return Call("not", (mark,), BOOLEAN, mark.span)


def _mark(
    binder: ExpressionBinder, bound: BoundQuery, condition: Expr | None, node: exp.Expr
) -> Expr:
    assert binder.place is not None
    kind: ApplyKind = "mark"
    made = binder.place.ids.column("found", BOOLEAN)
    binder.place.attach(Apply(NOTHING, bound.plan, kind, made, condition, span_of(node)))
    return Ref(made, span_of(node))
