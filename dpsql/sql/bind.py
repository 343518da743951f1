"""Syntax tree -> plan. Names end here; what comes out knows only plan columns.

    SELECT d.x + 1 AS y FROM t AS d WHERE d.z > 3
    Project(y := x#1 + 1; Filter(z#2 > 3; Scan(t)))

The order of the clauses is SQL's: FROM, WHERE, GROUP BY, HAVING, SELECT, DISTINCT, ORDER BY, LIMIT.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from dpsql.plan.expr import Expr, Literal, Ref
from dpsql.plan.nodes import (
    Distinct,
    Filter,
    Join,
    Limit,
    OneRow,
    Plan,
    Project,
    Scan,
    Sort,
    SortKey,
)
from dpsql.policy.schema import Schema
from dpsql.sql.bind_aggregate import Grouping, GroupingBinder, has_aggregate
from dpsql.sql.bind_expr import ExpressionBinder
from dpsql.sql.build import make
from dpsql.sql.ids import Ids
from dpsql.sql.parse import only, reject, span_of
from dpsql.sql.scope import Relation, Scope, fold, suggestion

MAX_STAR = 2_000
MAX_TABLES = 200
"""How many tables one query may read, a WITH query counted as often as it is used: each use is
bound anew, and `a AS (… FROM b, b), b AS (… FROM c, c)` doubles with each line.
"""

_SELECT_PARTS = (
    "with_",
    "expressions",
    "distinct",
    "from_",
    "joins",
    "where",
    "group",
    "having",
    "order",
    "limit",
    "offset",
)


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound query: its plan and what its output columns are called, in order."""

    plan: Plan
    names: tuple[str, ...]

    def relation(self, alias: str, names: tuple[str, ...] | None = None) -> Relation:
        """The query as a FROM item."""
        pairs = tuple(zip(names or self.names, self.plan.columns, strict=True))
        return Relation(alias, self.plan, pairs)


Ctes = tuple[tuple[str, exp.CTE, int], ...]
"""The WITH queries in scope, each with how many of those before it it sees."""


class QueryBinder:
    """Binds one query and those inside it. `schema` says which tables there are."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.ids = Ids()
        self.items = 0

    def bind(self, query: exp.Expr, ctes: Ctes = ()) -> Bound:
        """The plan of a query.

        Raises:
            Rejected: DP1xx and DP2xx.
        """
        if isinstance(query, exp.Subquery):
            only(query, "this")
            return self.bind(query.this, ctes)
        if isinstance(query, exp.SetOperation):
            raise reject("DP104", "UNION, INTERSECT and EXCEPT are not supported yet", query)
        if not isinstance(query, exp.Select):
            raise reject("DP104", f"{type(query).__name__.upper()} is not supported", query)
        only(query, *_SELECT_PARTS)
        ctes = self._with(query, ctes)
        scope, plan = self._from(query, ctes)
        return SelectBinder(self, query, scope, plan).bind()

    def _with(self, query: exp.Select, ctes: Ctes) -> Ctes:
        clause = query.args.get("with_")
        if clause is None:
            return ctes
        only(clause, "expressions")
        seen: set[str] = set()
        for cte in clause.expressions:
            only(cte, "this", "alias")
            name = fold(cte.alias)
            if name in seen:
                raise reject("DP203", f"two WITH queries are called {cte.alias}", cte.args["alias"])
            seen.add(name)
            # A CTE sees those before it, so it remembers how many there were.
            ctes = (*ctes, (name, cte, len(ctes)))
        return ctes

    # --- FROM ---

    def _from(self, query: exp.Select, ctes: Ctes) -> tuple[Scope, Plan]:
        source = query.args.get("from_")
        if source is None:
            if query.args.get("joins"):
                raise reject("DP104", "a join without FROM", query)
            return Scope(), OneRow()
        only(source, "this")
        first = self._item(source.this, ctes)
        scope, plan = Scope((first,)), first.plan
        nested = source.this.args.get("joins") if isinstance(source.this, exp.Table) else None
        for join in [*(nested or []), *(query.args.get("joins") or [])]:
            scope, plan = self._join(scope, plan, join, ctes)
        return scope, plan

    def _item(self, node: exp.Expr, ctes: Ctes) -> Relation:
        self.items += 1
        if self.items > MAX_TABLES:
            message = f"more than {MAX_TABLES} tables, each use of a WITH query counted"
            raise reject("DP103", message, node)
        if isinstance(node, exp.Table):
            return self._table(node, ctes)
        if isinstance(node, exp.Subquery):
            only(node, "this", "alias")
            alias, names = _alias(node)
            return _renamed(self.bind(node.this, ctes), alias, names, node)
        kind = type(node).__name__.upper()
        raise reject("DP206", f"{kind} is not a table that dpsql knows", node)

    def _table(self, node: exp.Table, ctes: Ctes) -> Relation:
        if not isinstance(node.this, exp.Identifier):
            raise reject("DP206", "table functions are not supported", node)
        only(node, "this", "alias", "db", "joins")
        alias, names = _alias(node)
        schema = node.args.get("db")
        if schema is not None and fold(schema.name) != "main":
            raise reject("DP201", f"no schema {schema.name}", node, f"write {node.name} alone")
        if schema is None:
            for name, cte, before in reversed(ctes):
                if name == fold(node.name):
                    inner = self.bind(cte.this, ctes[:before])
                    own = _alias(cte)[1]
                    relation = _renamed(inner, alias or cte.alias, own, cte)
                    return _renamed_relation(relation, names, node)
        table = self.schema.table(fold(node.name))
        if table is None:
            known = [*(t.name for t in self.schema.tables.values()), *(n for n, _, _ in ctes)]
            raise reject("DP201", f"no table {node.name}", node, suggestion(node.name, known))
        columns = tuple(self.ids.column(c.name, c.type) for c in table.columns)
        scan = Scan(table, columns, tuple(c.name for c in table.columns), span_of(node))
        pairs = tuple((c.name, column) for c, column in zip(table.columns, columns, strict=True))
        return _renamed_relation(Relation(alias or node.name, scan, pairs), names, node)

    def _join(self, scope: Scope, plan: Plan, node: exp.Join, ctes: Ctes) -> tuple[Scope, Plan]:
        side, kind = str(node.args.get("side") or ""), str(node.args.get("kind") or "")
        method = str(node.args.get("method") or "")
        if side or kind.upper() not in ("", "INNER", "CROSS") or method:
            words = " ".join(w for w in (method, side, kind) if w).upper()
            raise reject("DP104", f"{words} JOIN is not supported yet", node, "use an inner join")
        only(node, "this", "on", "using", "kind")
        right = self._item(node.this, ctes)
        if right.alias and any(fold(r.alias) == fold(right.alias) for r in scope.relations):
            raise reject(
                "DP203", f"two tables of this FROM are called {right.alias}", node.this, "use AS"
            )
        joined = Scope((*scope.relations, right), scope.merged)
        condition: Expr | None = None
        if node.args.get("on") is not None:
            condition = ExpressionBinder(joined).condition(node.args["on"])
        merged = set(scope.merged)
        for name in node.args.get("using") or []:
            column = exp.Column(this=name)
            left_column = scope.resolve(column)
            right_column = Scope((right,)).resolve(column)
            if left_column is None or right_column is None:
                raise reject("DP202", f"no column {name.name} on both sides", name)
            args = (Ref(left_column, span_of(name)), Ref(right_column, span_of(name)))
            term = make("eq", args, span_of(name))
            condition = term if condition is None else make("and", (condition, term), None)
            merged.add(right_column.id)
        extra = node.this.args.get("joins") if isinstance(node.this, exp.Table) else None
        if extra:
            raise reject("DP104", "a join inside parentheses is not supported yet", node)
        result = Join(plan, right.plan, condition, span_of(node))
        return Scope(joined.relations, frozenset(merged)), result


class SelectBinder:
    """Binds what comes after FROM in one SELECT."""

    def __init__(self, parent: QueryBinder, query: exp.Select, scope: Scope, plan: Plan) -> None:
        self.ids, self.query, self.scope, self.plan = parent.ids, query, scope, plan
        self.items = self._expand()
        self.aliases = {
            fold(item.alias): item.this
            for item in reversed(self.items)
            if isinstance(item, exp.Alias) and not Scope.is_mark(item.this)
        }

    def bind(self) -> Bound:
        """The plan of the SELECT."""
        where = self.query.args.get("where")
        if where is not None:
            only(where, "this")
            if has_aggregate(where.this):
                raise reject("DP207", "an aggregate cannot stand in WHERE", where, "use HAVING")
            predicate_of_rows = AliasBinder(self.scope, self.aliases).condition(where.this)
            self.plan = Filter(self.plan, predicate_of_rows)
        binder = self._grouping()
        having = self.query.args.get("having")
        predicate: Expr | None = None
        if having is not None:
            only(having, "this")
            predicate = binder.condition(having.this)
        outputs = [(self._name(item), self._output(item, binder)) for item in self.items]
        order = self._order(binder, outputs)
        if isinstance(binder, GroupingBinder):
            self.plan = binder.finish(self.plan)
        if predicate is not None:
            self.plan = Filter(self.plan, predicate)
        return self._finish(outputs, order)

    def _expand(self) -> list[exp.Expr]:
        items: list[exp.Expr] = []
        for item in self.query.expressions:
            inner = item
            if isinstance(inner, exp.Star) or (
                isinstance(inner, exp.Column) and isinstance(inner.this, exp.Star)
            ):
                items += self._star(inner)
            else:
                items.append(item)
        if not items:
            raise reject("DP104", "SELECT without columns", self.query)
        return items

    def _star(self, node: exp.Expr) -> list[exp.Expr]:
        star = node.this if isinstance(node, exp.Column) else node
        only(star)
        table = node.table if isinstance(node, exp.Column) else None
        found = self.scope.star(table or None)
        if not found:
            raise reject("DP202", "the star stands for no column", node)
        if len(found) > MAX_STAR:
            raise reject("DP103", f"the star stands for more than {MAX_STAR:,} columns", node)
        return [exp.alias_(exp.column(self.scope.mark(c)), name, quoted=True) for name, c in found]

    def _name(self, item: exp.Expr) -> str:
        if isinstance(item, exp.Alias):
            return item.alias
        if isinstance(item, exp.Column):
            return item.name
        return item.sql(dialect="duckdb", normalize_functions="lower").lower()[:60]

    def _output(self, item: exp.Expr, binder: ExpressionBinder) -> Expr:
        if isinstance(item, exp.Alias):
            only(item, "this", "alias")
            return binder.bind(item.this)
        return binder.bind(item)

    def _grouping(self) -> ExpressionBinder:
        group = self.query.args.get("group")
        parts = [self.query.args.get("having"), self.query.args.get("order"), *self.items]
        aggregated = any(p is not None and has_aggregate(p) for p in parts)
        if group is None and not aggregated and self.query.args.get("having") is None:
            return AliasBinder(self.scope, {})
        keys: list[tuple[exp.Expr, Expr]] = []
        if group is not None:
            only(group, "expressions", "all")
            nodes = list(group.expressions)
            if group.args.get("all"):
                nodes = [_unaliased(i) for i in self.items if not has_aggregate(i)]
            for node in nodes:
                target = self._ordinal(node, "GROUP BY")
                if has_aggregate(target):
                    raise reject("DP207", "an aggregate cannot stand in GROUP BY", node)
                keys.append((node, AliasBinder(self.scope, self.aliases).bind(target)))
        grouping = Grouping(self.ids, self.scope, span_of(self.query))
        return GroupingBinder(grouping, [key for _, key in keys], self.aliases)

    def _ordinal(self, node: exp.Expr, clause: str) -> exp.Expr:
        """`GROUP BY 2` means the second output column."""
        if isinstance(node, exp.Literal) and not node.is_string and str(node.this).isdigit():
            position = _position(str(node.this))
            if not 1 <= position <= len(self.items):
                raise reject("DP202", f"{clause} {position}: there is no such column", node)
            return _unaliased(self.items[position - 1])
        return node

    def _order(self, binder: ExpressionBinder, outputs: list[tuple[str, Expr]]) -> list[SortKey]:
        clause = self.query.args.get("order")
        if clause is None:
            return []
        only(clause, "expressions")
        keys: list[SortKey] = []
        for part in clause.expressions:
            only(part, "this", "desc", "nulls_first")
            node, descending = part.this, bool(part.args.get("desc"))
            # DuckDB: NULLS LAST unless written otherwise, whatever the direction.
            first = bool(part.args.get("nulls_first"))
            if isinstance(node, exp.Column) and fold(node.name) == "all" and not node.table:
                keys += [SortKey(e, descending, first) for _, e in outputs]
                continue
            keys.append(SortKey(self._order_key(node, binder, outputs), descending, first))
        return keys

    def _order_key(
        self, node: exp.Expr, binder: ExpressionBinder, outputs: list[tuple[str, Expr]]
    ) -> Expr:
        if isinstance(node, exp.Literal) and not node.is_string and str(node.this).isdigit():
            position = _position(str(node.this))
            if not 1 <= position <= len(outputs):
                raise reject("DP202", f"ORDER BY {position}: there is no such column", node)
            return outputs[position - 1][1]
        if isinstance(node, exp.Column) and not node.table:
            named = [e for name, e in outputs if fold(name) == fold(node.name)]
            if named:
                return named[0]
        return binder.bind(node)

    def _finish(self, outputs: list[tuple[str, Expr]], order: list[SortKey]) -> Bound:
        distinct = self.query.args.get("distinct")
        if distinct is not None:
            only(distinct)
        items = tuple((self.ids.column(name, e.type), e) for name, e in outputs)
        hidden = [(self.ids.column("order", k.expr.type), k.expr) for k in order]
        by_expr = {expr: column for column, expr in items}
        if distinct is not None and any(k.expr not in by_expr for k in order):
            raise reject("DP104", "ORDER BY of SELECT DISTINCT must use selected columns", distinct)
        extra = tuple((c, e) for c, e in hidden if e not in by_expr)
        by_expr.update({e: c for c, e in extra})
        plan: Plan = Project(self.plan, items + extra)
        span = span_of(self.query)
        if distinct is not None:
            plan = Distinct(plan, span)
        if order:
            keys = tuple(
                SortKey(Ref(by_expr[k.expr], k.expr.span), k.descending, k.nulls_first)
                for k in order
            )
            plan = Sort(plan, keys, span_of(self.query.args["order"]) or span)
        count = self._count("limit")
        offset = self._count("offset")
        if count is not None or offset is not None:
            clauses = (self.query.args.get("limit"), self.query.args.get("offset"))
            place = next((span_of(c) for c in clauses if c is not None), None)
            plan = Limit(plan, count, offset or 0, place or span)
        if extra:
            kept = tuple((self.ids.column(c.name, c.type), Ref(c)) for c, _ in items)
            plan = Project(plan, kept)
        return Bound(plan, tuple(name for name, _ in outputs))

    def _count(self, key: str) -> int | None:
        clause = self.query.args.get(key)
        if clause is None:
            return None
        only(clause, "expression")
        bound = ExpressionBinder(Scope()).bind(clause.expression)
        ok = isinstance(bound, Literal) and isinstance(bound.value, int)
        if not ok or not isinstance(bound, Literal) or not isinstance(bound.value, int):
            raise reject("DP104", f"{key.upper()} takes a constant", clause)
        if bound.value < 0 or bound.value > 2**31:
            raise reject("DP104", f"{key.upper()} is out of range", clause)
        return bound.value


class AliasBinder(ExpressionBinder):
    """A name that is no column may be an alias of the SELECT list, as DuckDB allows."""

    def __init__(self, scope: Scope, aliases: Mapping[str, exp.Expr]) -> None:
        super().__init__(scope)
        self.aliases = aliases

    def unresolved(self, node: exp.Column) -> Expr:
        """The aliased expression, bound where it does not use aliases itself."""
        target = self.aliases.get(fold(node.name)) if not node.table else None
        if target is None:
            raise self.scope.unknown(node)
        return AliasBinder(self.scope, {}).bind(target)


def _position(digits: str) -> int:
    """The number, or 0 where it is longer than any position."""
    return int(digits) if len(digits) < 10 and digits.isascii() else 0


def _unaliased(item: exp.Expr) -> exp.Expr:
    return item.this if isinstance(item, exp.Alias) else item


def _alias(node: exp.Expr) -> tuple[str, tuple[str, ...] | None]:
    alias = node.args.get("alias")
    if alias is None:
        return "", None
    only(alias, "this", "columns")
    columns = tuple(c.name for c in alias.args.get("columns") or [])
    return alias.name, columns or None


def _renamed(bound: Bound, alias: str, names: tuple[str, ...] | None, node: exp.Expr) -> Relation:
    return _renamed_relation(bound.relation(alias), names, node)


def _renamed_relation(
    relation: Relation, names: tuple[str, ...] | None, node: exp.Expr
) -> Relation:
    if names is None:
        return relation
    if len(names) > len(relation.columns):
        raise reject("DP205", f"{len(names)} names for {len(relation.columns)} columns", node)
    renamed = tuple(
        (names[i] if i < len(names) else name, column)
        for i, (name, column) in enumerate(relation.columns)
    )
    return Relation(relation.alias, relation.plan, renamed)


def bind(query: exp.Expr, schema: Schema) -> tuple[Bound, Ids]:
    """Bind a parsed query: the plan, and the counter from which later passes take new columns."""
    binder = QueryBinder(schema)
    return binder.bind(query), binder.ids
