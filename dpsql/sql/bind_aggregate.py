"""SELECT with GROUP BY or aggregates: which parts are keys, which are aggregates, which neither.

    SELECT year(d), COUNT(*) * 2 FROM t GROUP BY 1
    Project(y#5, n#6 * 2; Aggregate(keys y#5 := year(d#1), calls n#6 := COUNT(*); Scan(t)))

A part of the SELECT list is a key if it is built from the same plan columns in the same way as a
key; spelling does not matter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from dpsql.errors import Rejected, Span
from dpsql.plan.expr import Column, Expr, Literal, Ref
from dpsql.plan.nodes import Aggregate, AggregateCall, Plan
from dpsql.sql.bind_expr import ExpressionBinder, unknown_function
from dpsql.sql.functions.typing import sum_type
from dpsql.sql.ids import Ids
from dpsql.sql.parse import only, reject, span_of
from dpsql.sql.scope import Scope, fold
from dpsql.types import BIGINT, DOUBLE, Type

MAX_CALLS = 500
"""How many different aggregates one SELECT may have: each needs a part of ε."""


def has_aggregate(node: exp.Expr) -> bool:
    """Whether an aggregate stands in the expression (a subquery's own do not count)."""
    stack: list[exp.Expr] = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, exp.Query) and part is not node:
            continue
        if isinstance(part, exp.AggFunc):
            return True
        stack.extend(part.iter_expressions())
    return False


@dataclass(frozen=True, slots=True)
class Grouping:
    """Where the grouping stands."""

    ids: Ids
    scope: Scope
    span: Span | None


class GroupingBinder(ExpressionBinder):
    """Binds the expressions above an Aggregate and collects what it must compute."""

    def __init__(
        self, grouping: Grouping, keys: list[Expr], aliases: Mapping[str, exp.Expr]
    ) -> None:
        super().__init__(grouping.scope)
        self.grouping, self.aliases = grouping, aliases
        self.keys: dict[Expr, Column] = {}
        for key in keys:
            if key not in self.keys:
                name = key.column.name if isinstance(key, Ref) else "key"
                self.keys[key] = grouping.ids.column(name, key.type)
        self.calls: dict[tuple[str, Expr | None], tuple[Column, AggregateCall]] = {}

    def finish(self, plan: Plan) -> Plan:
        """The Aggregate over `plan` that the bound expressions read."""
        keys = tuple((column, key) for key, column in self.keys.items())
        return Aggregate(plan, keys, tuple(self.calls.values()), self.grouping.span)

    def special(self, node: exp.Expr) -> Expr | None:
        """An aggregate, or a part that is a key."""
        if isinstance(node, exp.AggFunc):
            return self._aggregate(node)
        if isinstance(node, exp.Literal | exp.Boolean | exp.Null) or has_aggregate(node):
            return None
        if isinstance(node, exp.Column | exp.Func | exp.Binary | exp.Unary | exp.Paren | exp.Case):
            try:
                inner = _PlainBinder(self.scope, self.aliases).bind(node)
            except Rejected:
                if isinstance(node, exp.Column):
                    return None
                inner = None
            if inner is not None and inner in self.keys:
                return Ref(self.keys[inner], span_of(node))
            if isinstance(inner, Literal):
                return inner
            if isinstance(node, exp.Column) and inner is not None:
                return self._key_column(inner, node)
        return None

    def _key_column(self, inner: Expr, node: exp.Expr) -> Expr:
        if inner in self.keys:
            return Ref(self.keys[inner], span_of(node))
        name = node.name or "the column"
        raise reject(
            "DP208",
            f"{name} is neither grouped nor aggregated",
            node,
            f"add {name} to GROUP BY, or aggregate it",
        )

    def unresolved(self, node: exp.Column) -> Expr:
        """HAVING may use an alias of the SELECT list."""
        target = self.aliases.get(fold(node.name)) if not node.table else None
        if target is None:
            raise self.scope.unknown(node)
        return self.bind(target)

    def _aggregate(self, node: exp.AggFunc) -> Expr:
        if isinstance(node, exp.Count):
            only(node, "this", "big_int")
            inner = node.this
            if isinstance(inner, exp.Star):
                only(inner)
                return self._call("count", None, BIGINT, node)
            if isinstance(inner, exp.Distinct):
                raise reject("DP204", "COUNT(DISTINCT …) is not supported yet", node)
            return self._call("count", self._argument(inner), BIGINT, node)
        if isinstance(node, exp.Sum | exp.Avg):
            only(node, "this")
            if isinstance(node.this, exp.Distinct):
                raise reject("DP204", "DISTINCT in an aggregate is not supported yet", node)
            argument = self._argument(node.this)
            if not argument.type.is_numeric:
                raise reject("DP205", f"needs a number, not {argument.type}", node.this)
            if isinstance(node, exp.Avg):
                return self._call("avg", argument, DOUBLE, node)
            return self._call("sum", argument, sum_type(argument.type), node)
        raise unknown_function(node)

    def _argument(self, node: exp.Expr) -> Expr:
        if has_aggregate(node):
            raise reject("DP207", "an aggregate inside an aggregate", node)
        if isinstance(node, exp.Star):
            raise reject("DP205", "a star can stand only in COUNT(*)", node)
        return _PlainBinder(self.scope, {}).bind(node)

    def _call(self, function: str, argument: Expr | None, kind: Type, node: exp.Expr) -> Expr:
        if isinstance(argument, Literal) and function == "count" and argument.value is not None:
            argument = None  # COUNT(1) is COUNT(*)
        key = (function, argument)
        if key not in self.calls:
            if len(self.calls) == MAX_CALLS:
                raise reject("DP103", f"more than {MAX_CALLS} aggregates in one SELECT", node)
            column = self.grouping.ids.column(function, kind)
            self.calls[key] = (column, AggregateCall(function, argument, span_of(node)))
        return Ref(self.calls[key][0], span_of(node))


class _PlainBinder(ExpressionBinder):
    """Below the Aggregate: plain columns, and aliases where there is no such column."""

    def __init__(self, scope: Scope, aliases: Mapping[str, exp.Expr]) -> None:
        super().__init__(scope)
        self.aliases = aliases

    def unresolved(self, node: exp.Column) -> Expr:
        """An alias of an expression without aggregates."""
        target = self.aliases.get(fold(node.name)) if not node.table else None
        if target is None or has_aggregate(target):
            raise self.scope.unknown(node)
        return _PlainBinder(self.scope, {}).bind(target)
