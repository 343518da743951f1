"""Subqueries in expressions -> columns that an Apply below makes.

    EXISTS (Q)            mark
    x < ANY (Q)           mark under x < y, y the column of Q; x IN (Q) is x = ANY (Q)
    x < ALL (Q)           NOT of a mark under (x >= y) IS NOT FALSE, which is where NULL leaves it
                          open, too; x NOT IN (Q) is x <> ALL (Q)
    NOT (x < ANY (Q))     x >= ALL (Q), and so on
    (Q)                   scalar

A condition is only ever asked whether it is TRUE, and ALL above is TRUE exactly when SQL's is:
x < ALL (Q) is TRUE when x < y is for all y, so x >= y is FALSE for all of them. Where the
difference of FALSE and NULL could show (under NOT, as a value), a second mark tells them apart.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlglot import exp

from dpsql.core.functions.build import make
from dpsql.core.plan.expr import Call, Case, Expr, Literal, Ref
from dpsql.core.plan.nodes import Apply, ApplyKind
from dpsql.front import structs
from dpsql.front.parse import bare, only, reject, span_of
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


@dataclass(frozen=True, slots=True)
class Searched:
    """A comparison with the rows of a subquery: x < ANY (Q), or x < ALL (Q).

    Attributes:
        left: x, which may be a tuple.
        function: of x and a column of Q.
        query: Q, which may be VALUES.
        every: ALL, not ANY.
        node: where.
    """

    left: exp.Expr
    function: str
    query: exp.Expr
    every: bool
    node: exp.Expr

    def opposite(self) -> Searched:
        """Its NOT: that not all are less is that some one is not."""
        function = _OPPOSITE[self.function]
        return replace(self, function=function, every=not self.every)


_OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}


def searched(node: exp.Expr) -> Searched | None:
    """What a comparison with ANY or ALL rows of a subquery says, IN being = ANY; else None."""
    if isinstance(node, exp.In):
        listed = node.expressions
        values = len(listed) == 1 and isinstance(listed[0], exp.Values)
        query: exp.Expr | None = listed[0] if values else node.args.get("query")
        if query is None:
            return None
        only(node, "this", "query", "expressions")
        return Searched(node.this, "eq", query, every=False, node=node)
    function = _COMPARISONS.get(type(node))
    if function is None or not isinstance(node.expression, exp.Any | exp.All):
        return None
    query = bare(node.expression.this)
    if not isinstance(query, exp.Query):
        return None
    every = isinstance(node.expression, exp.All)
    return Searched(node.this, function, query, every, node)


def quantified(binder: ExpressionBinder, found: Searched) -> Expr:
    """x < ANY (Q): some row is so; x < ALL (Q): of no row it is otherwise."""
    some = found.opposite() if found.every else found
    value = Literal(not found.every, BOOLEAN)
    positive, binder.positive = binder.positive, False  # x is a value

    def mark(*, open_too: bool) -> Expr:
        bound = _bound(binder, some.query, some.node)
        test = _compared(binder, some.left, some.function, bound, some.query, some.node)
        return _mark(binder, bound, _not_false(test) if open_too else test, some.node)

    if not positive:
        return _three(mark(open_too=False), value, mark(open_too=True), some.node)
    return _not(mark(open_too=True)) if found.every else mark(open_too=False)


def _three(decided: Expr, value: Literal, unknown: Expr, node: exp.Expr) -> Expr:
    """`value` where decided, NULL where unknown, else the opposite."""
    null = Literal(None, BOOLEAN)
    other = Literal(not value.value, BOOLEAN)
    return Case(((decided, value), (unknown, null)), other, BOOLEAN, span_of(node))


def scalar(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    """(Q), one value."""
    bound = _bound(binder, node, node)
    structs.refuse(bound.names, "which is no value", _select(node))
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


def _select(query: exp.Expr) -> exp.Expr:
    """The query in parentheses."""
    inner: exp.Expr = query.this if isinstance(query, exp.Subquery) else query
    return inner


def _compared(
    binder: ExpressionBinder,
    left: exp.Expr,
    function: str,
    bound: BoundQuery,
    query: exp.Expr,
    node: exp.Expr,
) -> Expr:
    """left `function` the columns of the subquery."""
    structs.refuse(bound.names, "which is not compared", _select(query))
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


def _not_false(test: Expr) -> Expr:
    same = make("is_not_distinct", (test, Literal(False, BOOLEAN)), test.span)
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
