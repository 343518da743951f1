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

from dpsql.core.plan.expr import Column, Expr, Literal, Ref
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import Aggregate, AggregateCall, Plan
from dpsql.errors import Rejected, Span
from dpsql.front.bind_calls import aggregate, is_aggregate
from dpsql.front.bind_expr import ExpressionBinder
from dpsql.front.build_sets import several
from dpsql.front.parse import only, reject, span_of
from dpsql.front.place import Place
from dpsql.front.scope import Scope, fold
from dpsql.front.written import words
from dpsql.types import BIGINT, Type

_AROUND = (exp.Filter, exp.WithinGroup, exp.IgnoreNulls, exp.RespectNulls)
"""What may stand between a window and its function."""

MAX_CALLS = 500
"""How many different aggregates one SELECT may have: each needs a part of ε."""


def has_aggregate(node: exp.Expr) -> bool:
    """Whether an aggregate stands in the expression. A subquery's own do not count, nor does a
    window function itself, which is one of another kind; what is inside it does.
    """
    stack: list[exp.Expr] = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, exp.Query):
            continue
        if isinstance(part, exp.Window):
            function = part.this
            while isinstance(function, _AROUND):
                stack += [e for e in function.iter_expressions() if e is not function.this]
                function = function.this
            stack += list(function.iter_expressions())
            stack += [e for e in part.iter_expressions() if e is not part.this]
            continue
        if isinstance(part, exp.Grouping | exp.GroupingId) or is_aggregate(part):
            return True
        stack.extend(part.iter_expressions())
    return False


def has_query(node: exp.Expr) -> bool:
    """Whether a subquery or a window function stands in the expression."""
    return any(isinstance(part, exp.Query | exp.Window) for part in node.walk())


@dataclass(frozen=True, slots=True)
class Grouping:
    """Where the grouping stands.

    Attributes:
        ids: new columns.
        scope: the names of its FROM.
        span: of the SELECT.
        written: keys with subqueries, as the text has them: bound twice they would be two.
        partial: whether a key is missing here, since it was rejected.
    """

    ids: Ids
    scope: Scope
    span: Span | None
    written: Mapping[exp.Expr, Expr]
    partial: bool = False


_KEYS = (exp.Column, exp.Func, exp.Binary, exp.Unary, exp.Predicate, exp.Bracket)
"""Expressions that may be a key as a whole."""


class GroupingBinder(ExpressionBinder):
    """Binds the expressions above an Aggregate and collects what it must compute."""

    def __init__(
        self,
        grouping: Grouping,
        sets: list[list[Expr]],
        aliases: Mapping[str, exp.Expr],
        below: Place,
        above: Place,
    ) -> None:
        super().__init__(grouping.scope, above)
        self.grouping, self.aliases, self.below = grouping, aliases, below
        self.keys: dict[Expr, Column] = {}
        for key in (key for one in sets for key in one):
            if key not in self.keys:
                name = key.column.name if isinstance(key, Ref) else "key"
                self.keys[key] = grouping.ids.column(name, key.type)
        self.sets = [tuple(dict.fromkeys(self.keys[key] for key in one)) for one in sets]
        # By the type too: of one fraction, a list of it is another aggregate.
        self.calls: dict[tuple[AggregateCall, Type], Column] = {}
        self.groupings: dict[tuple[Column, ...], Column] = {}

    def finish(self, plan: Plan) -> Plan:
        """The Aggregate over `plan` that the bound expressions read."""
        keys = tuple((column, key) for key, column in self.keys.items())
        calls = tuple((column, call) for (call, _), column in self.calls.items())
        if len(self.sets) == 1:
            return Aggregate(plan, keys, calls, self.grouping.span)
        ids, span = self.grouping.ids, self.grouping.span
        return several(plan, self.sets, keys, calls, self.groupings, ids, span)

    def special(self, node: exp.Expr) -> Expr | None:
        """An aggregate, or a part that is a key."""
        if isinstance(node, exp.Filter):
            only(node, "this", "expression")
            condition = _PlainBinder(self.scope, self.aliases, self.below)
            where = node.expression
            only(where, "this")
            if has_aggregate(where.this):
                help = "compare with a subquery: FILTER (WHERE x > (SELECT AVG(x) FROM t))"
                raise reject("DP207", "an aggregate cannot stand in FILTER", where, help)
            return self._aggregate(node.this, condition.predicate(where.this))
        if isinstance(node, exp.Grouping | exp.GroupingId):
            return self._grouping(node)
        if is_aggregate(node):
            return self._aggregate(node, None)
        if self.grouping.written and node in self.grouping.written:
            return Ref(self.keys[self.grouping.written[node]], span_of(node))
        if isinstance(node, exp.Literal | exp.Boolean | exp.Null):
            key = self.keys.get(_PlainBinder(self.scope, self.aliases).bind(node))
            # A constant that is a key is NULL in the sets that lack it.
            return None if key is None or len(self.sets) == 1 else Ref(key, span_of(node))
        if has_aggregate(node):
            return None
        if isinstance(node, exp.Window | exp.Query | exp.Exists):
            return None
        if not isinstance(node, exp.Column) and has_query(node):
            return None
        if isinstance(node, _KEYS):
            if isinstance(node, exp.Column) and not self._known(node):
                return None
            try:
                inner = _PlainBinder(self.scope, self.aliases).bind(node)
            except Rejected:
                if isinstance(node, exp.Column):
                    return None
                inner = None
            if inner is not None and inner in self.keys:
                return Ref(self.keys[inner], span_of(node))
            if isinstance(inner, Literal):  # it may be made of a constant that is a key
                varies = len(self.sets) > 1 and any(isinstance(key, Literal) for key in self.keys)
                return None if varies and not isinstance(node, exp.Column) else inner
            if isinstance(node, exp.Column) and inner is not None:
                return self._key_column(inner, node)
        return None

    def _known(self, node: exp.Column) -> bool:
        """Whether the name is a column or an alias here, not one of a query around this one."""
        alias = not node.table and fold(node.name) in self.aliases
        return alias or (self.scope.knows(node) and self.scope.resolve(node) is not None)

    def outward(self, node: exp.Column) -> Expr | None:
        """To a subquery above the grouping, a name is a group key."""
        if self.scope.knows(node) and self.scope.resolve(node) is not None:
            return self.special(node)
        outer = None if self.place is None else self.place.outer
        return None if outer is None else outer(node)

    def _key_column(self, inner: Expr, node: exp.Expr) -> Expr:
        if inner in self.keys:
            return Ref(self.keys[inner], span_of(node))
        if self.grouping.partial:
            raise Rejected(())  # perhaps it is the missing key, of which the problem is told
        if self.scope.is_mark(node):
            message = "columns of * are neither grouped nor aggregated"
            raise reject("DP208", message, node, "name the columns of GROUP BY instead of *")
        name = self.scope.called(node) or "the column"
        help = f"add {name} to GROUP BY, or aggregate it"
        alias = self.aliases.get(fold(node.name))
        if alias is not None and alias.find(exp.AggFunc) is not None:  # the column goes before it
            help = f"rename the alias, or write {words(alias, name)}"
        raise reject("DP208", f"{name} is neither grouped nor aggregated", node, help)

    def unresolved(self, node: exp.Column) -> Expr:
        """HAVING may use an alias of the SELECT list."""
        name = fold(node.name)
        target = self.aliases.get(name) if not node.table else None
        if target is None:
            return super().unresolved(node)
        around = self.aliases
        self.aliases = {k: v for k, v in around.items() if k != name}  # not within itself
        try:
            return self.bind(target)
        finally:
            self.aliases = around

    def _grouping(self, node: exp.Grouping | exp.GroupingId) -> Expr:
        """GROUPING(a, b): bit by bit, whether the set of the row lacks the key; of none, of all."""
        only(node, "expressions", "this")
        parts = [*([node.this] if node.this else []), *node.expressions]
        columns: list[Column] = []
        for part in parts:
            key = self.special(part)
            if not isinstance(key, Ref) or key.column not in self.keys.values():
                raise reject("DP205", "GROUPING takes group keys", part)
            columns.append(key.column)
        columns = columns or list(self.keys.values())
        made = self.grouping.ids.column("grouping", BIGINT)
        if len(self.sets) == 1:
            return Literal(0, BIGINT, span_of(node))
        return Ref(self.groupings.setdefault(tuple(columns), made), span_of(node))

    def _aggregate(self, node: exp.Expr, condition: Expr | None) -> Expr:
        call, kind = aggregate(node, self._plain, condition)
        known = self.calls.get((call, kind))
        if known is None:
            if len(self.calls) == MAX_CALLS:
                raise reject("DP103", f"more than {MAX_CALLS} aggregates in one SELECT", node)
            known = self.calls[call, kind] = self.grouping.ids.column(call.function, kind)
        return Ref(known, span_of(node))

    def _plain(self, node: exp.Expr) -> Expr:
        if has_aggregate(node):
            help = "aggregate in a subquery of FROM first"
            raise reject("DP207", "an aggregate inside an aggregate", node, help)
        if isinstance(node, exp.Star):
            raise reject("DP205", "a star can stand only in COUNT(*)", node)
        return _PlainBinder(self.scope, {}, self.below).bind(node)


class _PlainBinder(ExpressionBinder):
    """Below the Aggregate: plain columns, and aliases where there is no such column."""

    def __init__(
        self, scope: Scope, aliases: Mapping[str, exp.Expr], place: Place | None = None
    ) -> None:
        super().__init__(scope, place)
        self.aliases = aliases

    def unresolved(self, node: exp.Column) -> Expr:
        """An alias of an expression without aggregates."""
        target = self.aliases.get(fold(node.name)) if not node.table else None
        if target is None or has_aggregate(target):
            return super().unresolved(node)
        return _PlainBinder(self.scope, {}, self.place).bind(target)
