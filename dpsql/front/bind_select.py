"""What comes after FROM in one SELECT.

The order of the clauses is SQL's: WHERE, GROUP BY, HAVING, windows, QUALIFY, SELECT, DISTINCT,
ORDER BY, LIMIT. Each clause and each item is bound by itself, so that all problems are reported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from sqlglot import exp

from dpsql.core.functions.build import make
from dpsql.core.plan.expr import Expr, Literal, Ref
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import (
    Aggregate,
    Filter,
    Plan,
    Project,
    Sort,
    SortKey,
    Window,
    WindowCall,
)
from dpsql.errors import Problems, Span
from dpsql.front import structs
from dpsql.front.bind_aggregate import Grouping, GroupingBinder, has_aggregate, has_query
from dpsql.front.bind_expr import ExpressionBinder
from dpsql.front.bind_order import limited, order_key, order_keys, position_of
from dpsql.front.bind_window import named_windows
from dpsql.front.build_sets import grouping_sets
from dpsql.front.parse import only, reject, span_of
from dpsql.front.place import Inner, Outer, Place
from dpsql.front.scope import Scope, fold, marked, suggestion
from dpsql.front.written import unnamed
from dpsql.types import BIGINT

MAX_STAR = 2_000

T = TypeVar("T")


class SelectBinder:
    """Binds what comes after FROM in one SELECT."""

    def __init__(
        self,
        ids: Ids,
        query: exp.Select,
        scope: Scope,
        plan: Plan,
        inner: Inner,
        outer: Outer | None,
    ) -> None:
        self.ids, self.query, self.scope, self.plan = ids, query, scope, plan
        self.problems = Problems()
        self.below = Place(ids, inner, outer)
        self.above = Place(ids, inner, outer, windows=True, named=named_windows(query))
        self.items = self._expand()
        # A field has a name of its own; that of what has none is made where it is an output.
        known = (exp.Alias, exp.Column)
        self.names = [i.alias_or_name if isinstance(i, known) else "" for i in self.items]
        self.aliases = {
            fold(structs.meant(item.alias)): item.this
            for item in (*reversed(query.expressions), *reversed(self.items))
            if isinstance(item, exp.Alias) and not Scope.is_mark(item.this)
        }

    def bind(self) -> tuple[Plan, tuple[str, ...]]:
        """The plan of the SELECT, and the names of its columns.

        Raises:
            Rejected: every problem that was found.
        """
        self._where()
        binder = self._grouping()
        having = self._having(binder)
        outputs: list[tuple[str, Expr]] = []
        for item in self.items:
            bound = self.problems.attempt(lambda i=item: self._output(i, binder))  # type: ignore[misc]
            if bound is not None:
                outputs.append((self._name(item), bound))
        qualify = self._qualify(binder)
        self.problems.check()  # what names in ORDER BY mean depends on the rest
        order = order_keys(self.query, outputs, binder.bind)
        on = self._distinct_on(outputs, binder)
        if isinstance(binder, GroupingBinder):
            self.plan = binder.finish(self.below.wrapped(self.plan))
        self.plan = self.above.wrapped(self.plan)
        if having is not None:
            self.plan = Filter(self.plan, having)
        self.plan = self.above.windowed(self.plan)
        if qualify is not None:
            self.plan = Filter(self.plan, qualify)
        return self._finish(outputs, order, on)

    # --- SELECT list ---

    def _expand(self) -> list[exp.Expr]:
        items: list[exp.Expr] = []
        for item in self.query.expressions:
            inner = item
            if isinstance(inner, exp.Star) or (
                isinstance(inner, exp.Column) and isinstance(inner.this, exp.Star)
            ):
                items += self._star(inner, len(items))
            else:
                items += self._fields(item, len(items))
        if not items:
            raise reject("DP104", "SELECT without columns", self.query)
        return items

    def _fields(self, item: exp.Expr, place: int) -> list[exp.Expr]:
        """The item; of a struct, its fields."""
        fields = structs.flat(_unaliased(item), self.scope.fields)
        if fields is None:
            return [item]
        if place > MAX_STAR:
            raise reject("DP103", f"a struct after more than {MAX_STAR:,} columns", item)
        name = self._name(item)
        names = [structs.name_of_field(name, place, path) for path, _ in fields]
        return [structs.called(part, name) for (_, part), name in zip(fields, names, strict=True)]

    def _star(self, node: exp.Expr, place: int) -> list[exp.Expr]:
        star = node.this if isinstance(node, exp.Column) else node
        only(star, "except_", "replace")
        table = node.table if isinstance(node, exp.Column) else None
        if table and not any(r.folded == fold(table) for r in self.scope.relations):
            return self._fields_of(table, node, place)
        found = self.scope.star(table or None)
        dropped = {fold(c.name) for c in star.args.get("except_") or []}
        changed = {fold(a.alias): a for a in star.args.get("replace") or []}
        heads = {fold(structs.head(name)) for name, _ in found}
        unknown = (dropped - heads) | (changed.keys() - {fold(name) for name, _ in found})
        if unknown:
            hint = suggestion(min(unknown), [name for name, _ in found])
            raise reject("DP202", f"the star has no column {min(unknown)}", node, hint)
        found = [(name, c) for name, c in found if fold(structs.head(name)) not in dropped]
        if not found:
            raise reject("DP202", "the star stands for no column", node)
        if len(found) > MAX_STAR:
            raise reject("DP103", f"the star stands for more than {MAX_STAR:,} columns", node)
        for group in structs.whole([name for name, _ in found]):
            for i in group:  # of the same name in several tables, each is one of its own
                found[i] = (structs.moved(found[i][0], place + i), found[i][1])
        return [
            changed[fold(name)]
            if fold(name) in changed
            else exp.alias_(marked(c, span_of(node)), name, quoted=True)
            for name, c in found
        ]

    def _fields_of(self, name: str, node: exp.Expr, place: int) -> list[exp.Expr]:
        """`s.*`, the fields of a struct as columns."""
        struct = exp.column(name, quoted=True)
        paths = self.scope.fields(struct)
        if paths is None:
            raise reject("DP201", f"no table {name} in this FROM", node)
        only(node.this)
        return [
            structs.called(structs.below(struct, path, node), structs.own(path, place))
            for path in paths
        ]

    def _name(self, item: exp.Expr) -> str:
        if isinstance(item, exp.Alias):
            return item.alias
        if isinstance(item, exp.Column):
            return item.name
        return unnamed(item)

    def _output(self, item: exp.Expr, binder: ExpressionBinder) -> Expr:
        if isinstance(item, exp.Alias):
            only(item, "this", "alias")
            return binder.bind(item.this)
        return binder.bind(item)

    # --- WHERE, GROUP BY, HAVING, QUALIFY ---

    def _where(self) -> None:
        where = self.query.args.get("where")
        if where is None:
            return
        only(where, "this")
        binder = AliasBinder(self.scope, self.aliases, self.below)
        plain: list[Expr] = []
        rest: list[tuple[Expr, Callable[[Plan], Plan]]] = []
        for part in conjunction_of(where.this):
            if has_aggregate(part):
                problem = reject("DP207", "an aggregate cannot stand in WHERE", part, "use HAVING")
                self.problems.add(problem)
                continue
            term = self.problems.attempt(lambda p=part: binder.predicate(p))  # type: ignore[misc]
            applied = self.below.taken()
            if term is not None and applied is None:
                plain.append(term)
            elif term is not None and applied is not None:
                rest.append((term, applied))
        if plain:
            one = len(plain) == 1
            predicate = plain[0] if one else make("and", tuple(plain), span_of(where.this))
            self.plan = Filter(self.plan, predicate)
        # Subqueries see the rows that the conditions before them let through.
        for term, applied in rest:
            self.plan = Filter(applied(self.plan), term)

    def _grouping(self) -> ExpressionBinder:
        group = self.query.args.get("group")
        qualify = self.query.args.get("qualify")
        parts = [self.query.args.get("having"), self.query.args.get("order"), qualify, *self.items]
        aggregated = any(p is not None and has_aggregate(p) for p in parts)
        if group is None and not aggregated and self.query.args.get("having") is None:
            return AliasBinder(self.scope, {}, self.above)
        found: list[list[exp.Expr]] | None = [[]]
        if group is not None:
            found = self.problems.attempt(lambda: self._sets(group))
        sets = [[]] if found is None else found
        keys: dict[exp.Expr, Expr] = {}
        aliased = AliasBinder(self.scope, self.aliases, self.below)
        listed = dict.fromkeys(n for one in sets for n in one)
        for node in listed:
            bound = self.problems.attempt(lambda n=node: self._key(n, aliased))  # type: ignore[misc]
            if bound is not None:
                keys[node] = bound
        if len(sets) > 1 and len({*keys.values()}) < len(keys):
            message = "a key that is written twice is one key here, and two in these sets"
            raise reject("DP104", message, group, "write the key once")
        written = {self._meant(n): key for n, key in keys.items() if has_query(self._meant(n))}
        partial = found is None or len(keys) < len(listed)
        grouping = Grouping(self.ids, self.scope, span_of(self.query), written, partial)
        chosen = [[keys[n] for n in one if n in keys] for one in sets]
        return GroupingBinder(grouping, chosen, self.aliases, self.below, self.above)

    def _sets(self, group: exp.Group) -> list[list[exp.Expr]]:
        if group.args.get("all"):
            only(group, "all")
            rows = [n for n, i in zip(self.names, self.items, strict=True) if not has_aggregate(i)]
            structs.refuse(rows, "and no group key", self.query)
            keys = [_unaliased(i) for i in self.items if not has_aggregate(i)]
            # Constants are no keys: of no row they are shown beside what is aggregated.
            varying = [key for key in keys if key.find(exp.Column, exp.Query)]
            return [varying if varying or len(keys) < len(self.items) else keys]
        return grouping_sets(group)

    def _key(self, node: exp.Expr, binder: ExpressionBinder) -> Expr:
        target = self._ordinal(node)
        if has_aggregate(target):
            raise reject("DP207", "an aggregate cannot stand in GROUP BY", node)
        return binder.bind(target)

    def _meant(self, node: exp.Expr) -> exp.Expr:
        """The expression that a key is, where the text has its number or alias."""
        target = self._ordinal(node)
        if not isinstance(target, exp.Column) or target.table:
            return target
        if self.scope.knows(target) and self.scope.resolve(target) is not None:
            return target
        meant: exp.Expr = self.aliases.get(fold(target.name), target)
        return meant

    def _ordinal(self, node: exp.Expr) -> exp.Expr:
        """`GROUP BY 2` means the second output column."""
        position = position_of(node)
        if position is None:
            return node
        places = structs.at(self.names, position)
        if places is None:
            raise reject("DP202", f"GROUP BY {position}: there is no such column", node)
        structs.refuse(self.names[places.start : places.stop], "and no group key", self.query)
        return _unaliased(self.items[places.start])

    def _having(self, binder: ExpressionBinder) -> Expr | None:
        clause = self.query.args.get("having")
        if clause is None:
            return None
        only(clause, "this")
        self.above.windows = False
        found = self.problems.attempt(lambda: binder.predicate(clause.this))
        self.above.windows = True
        return found

    def _qualify(self, binder: ExpressionBinder) -> Expr | None:
        clause = self.query.args.get("qualify")
        if clause is None:
            return None
        only(clause, "this")
        if isinstance(binder, AliasBinder):
            binder.aliases = self.aliases
        found = self.problems.attempt(lambda: binder.predicate(clause.this))
        if isinstance(binder, AliasBinder):
            binder.aliases = {}
        if found is not None and not self.above.has_windows:
            problem = reject(
                "DP207", "QUALIFY without a window function", clause, "use HAVING or WHERE"
            )
            self.problems.add(problem)
        return found

    # --- DISTINCT, ORDER BY, LIMIT ---

    def _distinct_on(
        self, outputs: list[tuple[str, Expr]], binder: ExpressionBinder
    ) -> tuple[Expr, ...]:
        """The expressions of DISTINCT ON, which names and numbers of columns stand for as they do
        in ORDER BY.
        """
        clause = self.query.args.get("distinct")
        if clause is None:
            return ()
        only(clause, "on")
        listed = clause.args.get("on")
        if listed is None:
            return ()
        parts = listed.expressions if isinstance(listed, exp.Tuple) else [listed]
        return tuple(order_key(part, outputs, binder.bind) for part in parts)

    def _finish(
        self, outputs: list[tuple[str, Expr]], order: list[SortKey], on: tuple[Expr, ...]
    ) -> tuple[Plan, tuple[str, ...]]:
        clause = None if on else self.query.args.get("distinct")
        if clause is not None:
            structs.refuse(self.names, "and its rows are not told apart", self.query)
        items = tuple((self.ids.column(structs.plain(name), e.type), e) for name, e in outputs)
        used = [*(k.expr for k in order), *on]
        hidden = [(self.ids.column("order", expr.type), expr) for expr in used]
        by_expr = {expr: column for column, expr in items}
        if clause is not None and any(k.expr not in by_expr for k in order):
            raise reject("DP104", "ORDER BY of SELECT DISTINCT must use selected columns", clause)
        extra = tuple((c, e) for c, e in hidden if e not in by_expr)
        by_expr.update({e: c for c, e in extra})
        plan: Plan = Project(self.plan, items + extra)
        span = span_of(self.query)
        if clause is not None:
            plan = distinct(self.ids, plan, span)
            now = dict(zip((c for c, _ in items), plan.columns, strict=True))
            by_expr = {expr: now[column] for expr, column in by_expr.items()}
            items = tuple((column, Ref(column)) for column in plan.columns)
        keys = tuple(
            SortKey(Ref(by_expr[k.expr], k.expr.span), k.descending, k.nulls_first) for k in order
        )
        if on:
            plan = self._first(plan, tuple(Ref(by_expr[e], e.span) for e in on), keys)
        if order:
            plan = Sort(plan, keys, span_of(self.query.args["order"]) or span)
        plan = limited(self.query, plan)
        if extra or on:
            kept = tuple((self.ids.column(c.name, c.type), Ref(c)) for c, _ in items)
            plan = Project(plan, kept)
        return plan, tuple(name for name, _ in outputs)

    def _first(self, plan: Plan, on: tuple[Expr, ...], order: tuple[SortKey, ...]) -> Plan:
        """DISTINCT ON: of the rows that are equal there, the first one; QUALIFY with ROW_NUMBER."""
        clause = self.query.args["distinct"]
        if not order:
            message = "DISTINCT ON without ORDER BY: which row it keeps depends on chance"
            raise reject("DP405", message, clause, "add ORDER BY")
        column, span = self.ids.column("row_number", BIGINT), span_of(clause)
        call = WindowCall("row_number", (), on, order, None, span)
        first = make("eq", (Ref(column, span), Literal(1, BIGINT, span)), span)
        return Filter(Window(plan, ((column, call),), span), first)


def distinct(ids: Ids, plan: Plan, span: Span | None) -> Plan:
    """The distinct rows: the groups of all columns."""
    keys = tuple((ids.column(c.name, c.type), Ref(c)) for c in plan.columns)
    return Aggregate(plan, keys, (), span)


def conjunction_of(node: exp.Expr) -> list[exp.Expr]:
    """The terms of AND, left to right; without recursion, since chains may be long."""
    terms: list[exp.Expr] = []
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, exp.And):
            only(part, "this", "expression")
            stack += [part.expression, part.this]
        elif isinstance(part, exp.Paren) and isinstance(part.this, exp.And):
            stack.append(part.this)
        else:
            terms.append(part)
    return terms


class AliasBinder(ExpressionBinder):
    """A name that is no column may be an alias of the SELECT list, as DuckDB allows."""

    def __init__(
        self, scope: Scope, aliases: Mapping[str, exp.Expr], place: Place | None = None
    ) -> None:
        super().__init__(scope, place)
        self.aliases = aliases

    def unresolved(self, node: exp.Column) -> Expr:
        """The aliased expression, bound where it does not use aliases itself."""
        target = self.aliases.get(fold(node.name)) if not node.table else None
        if target is None:
            return super().unresolved(node)
        return AliasBinder(self.scope, {}, self.place).bind(target)


def _unaliased(item: exp.Expr) -> exp.Expr:
    return item.this if isinstance(item, exp.Alias) else item
