"""FROM -> a scope and a plan: tables, WITH queries, subqueries and every kind of join."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sqlglot import exp

from dpsql.core.functions.build import make
from dpsql.core.plan.expr import Call, Column, Expr, Ref, conjunction
from dpsql.core.plan.nodes import Apply, Filter, Join, OneRow, Plan, Project, Scan
from dpsql.errors import Problems
from dpsql.front import structs
from dpsql.front.bind_expr import ExpressionBinder
from dpsql.front.bind_select import conjunction_of
from dpsql.front.parse import only, reject, set_span, span_of
from dpsql.front.pivot import pivoted
from dpsql.front.place import Outer, Place
from dpsql.front.scope import Relation, Scope, fold, suggestion
from dpsql.types import BOOLEAN

if TYPE_CHECKING:
    from dpsql.front.bind import Bound, Ctes, QueryBinder


@dataclass(frozen=True, slots=True)
class _On:
    """The conditions of a join, those above it with their subqueries, and both sides."""

    terms: list[Expr]
    above: list[tuple[Expr, Callable[[Plan], Plan]]]
    left: Plan
    right: Plan


@dataclass(frozen=True, slots=True)
class Item:
    """One FROM item: usually one relation; several for a join in parentheses.

    `lateral` says that its plan reads columns of the items before it.
    """

    relations: tuple[Relation, ...]
    plan: Plan
    lateral: bool = False
    merged: frozenset[int] = frozenset()
    replaced: Mapping[int, Column] = field(default_factory=dict)

    @property
    def scope(self) -> Scope:
        """The item as a FROM of its own."""
        return Scope(self.relations, self.merged, self.replaced)


class FromBinder:
    """Binds the FROM clause of one SELECT."""

    def __init__(self, parent: QueryBinder, ctes: Ctes, outer: Outer | None) -> None:
        self.parent, self.ctes, self.outer = parent, ctes, outer
        self.ids = parent.ids

    def bind(self, query: exp.Select) -> tuple[Scope, Plan]:
        """The scope and the plan of FROM; all its problems at once."""
        source = query.args.get("from_")
        joins = list(query.args.get("joins") or [])
        if source is None:
            if joins:
                raise reject("DP104", "a join without FROM", query)
            return Scope(), OneRow()
        only(source, "this")
        return self._chain(source.this, joins)

    def _chain(self, first: exp.Expr, joins: list[exp.Join]) -> tuple[Scope, Plan]:
        problems = Problems()

        def start() -> tuple[Scope, Plan]:
            item = self._single(_bare(first), Scope())
            return item.scope, item.plan

        state = problems.attempt(start)
        for run in _runs([*(first.args.get("joins") or []), *joins]):
            if state is None:  # look at the other tables all the same
                for join in run:
                    problems.attempt(lambda j=join: self._look(j))  # type: ignore[misc]
                continue
            scope, plan = state
            state = problems.attempt(lambda r=run, s=scope, p=plan: self._run(s, p, r))  # type: ignore[misc]
        problems.check()
        assert state is not None
        return state

    def _run(self, scope: Scope, plan: Plan, run: list[exp.Join]) -> tuple[Scope, Plan]:
        """One join; or a comma and the joins after it, which are made before it."""
        first, *rest = run
        if not rest:
            return self._join(scope, plan, first)
        item = self._item(first.this, scope)
        if item.lateral:
            raise reject("DP104", "LATERAL goes with CROSS, INNER and LEFT JOIN … ON", first)
        own, right = item.scope, item.plan
        for join in rest:
            own, right = self._join(own, right, join)
        _check_aliases(scope, own.relations, first)
        both = Scope(
            (*scope.relations, *own.relations),
            scope.merged | own.merged,
            {**scope.replaced, **own.replaced},
        )
        return both, Join(plan, right, None, span_of(first))

    def _look(self, join: exp.Join) -> tuple[Scope, Plan]:
        item = self._item(join.this, Scope())
        return Scope(item.relations), item.plan

    # --- items ---

    def _item(self, node: exp.Expr, before: Scope) -> Item:
        """One item; the b of `a JOIN b JOIN c ON … ON …` is the join of b and c."""
        if not node.args.get("joins"):
            return self._single(node, before)
        scope, plan = self._chain(node, [])
        return Item(scope.relations, plan, merged=scope.merged, replaced=scope.replaced)

    def _single(self, node: exp.Expr, before: Scope) -> Item:
        self.parent.count(node)
        if node.args.get("pivots"):
            return self._pivoted(node, before)
        if isinstance(node, exp.Table):
            relation = self._table(node)
            return Item((relation,), relation.plan)
        if isinstance(node, exp.Subquery) and _joins(node.this):
            return self._parenthesised(node)
        if isinstance(node, exp.Lateral):
            only(node, "this", "alias", "view", "outer")
            return self._subquery(node.this, node, before)
        if isinstance(node, exp.Subquery):
            only(node, "this", "alias", "with_", "order", "limit", "offset")
            return self._subquery(node, node, before)
        if isinstance(node, exp.Values):
            alias, names = alias_of(node)
            relation = renamed(self.parent.bind(node).relation(alias), names, node)
            return Item((relation,), relation.plan)
        kind = type(node).__name__.upper()
        raise reject("DP206", f"{kind} is not a table that dpsql knows", node)

    def _pivoted(self, node: exp.Expr, before: Scope) -> Item:
        """t PIVOT (…) AS p, of which the last is the outermost."""
        source = node.copy()
        *inner, last = node.args["pivots"]
        source.set("pivots", [pivot.copy() for pivot in inner])
        item = self._single(source, before)
        alias, names = alias_of(last)
        made = pivoted(self.ids, last, item.scope, item.plan)
        found = renamed(replace(made, alias=alias), names, last)
        return Item((found,), found.plan, item.lateral)

    def _parenthesised(self, node: exp.Subquery) -> Item:
        """(a JOIN b …), whose tables keep their names; (a JOIN b …) AS j is one table."""
        only(node, "this", "alias")
        scope, plan = self._chain(node.this, [])
        alias, names = alias_of(node)
        if alias:
            relation = Relation(alias, plan, tuple(scope.star(None)))
            return Item((renamed(relation, names, node),), plan)
        return Item(scope.relations, plan, merged=scope.merged, replaced=scope.replaced)

    def _subquery(self, query: exp.Expr, node: exp.Expr, before: Scope) -> Item:
        alias, names = alias_of(node)
        used: list[exp.Column] = []
        here = ExpressionBinder(before)

        def around(column: exp.Column) -> Expr | None:
            found = here.outward(column)
            if found is not None:
                used.append(column)
                return found
            return None if self.outer is None else self.outer(column)

        inner = query.this if isinstance(query, exp.Subquery) and query is not node else query
        bound = self.parent.bind(inner, self.ctes, around)
        relation = renamed(bound.relation(alias), names, node)
        return Item((relation,), relation.plan, lateral=bool(used))

    def _table(self, node: exp.Table) -> Relation:
        if not isinstance(node.this, exp.Identifier):
            help = "name a table of the policy"
            if _of_catalog(node):
                help = "ask information_schema.tables or .columns"
            raise reject("DP206", "table functions are not supported", node, help)
        if node.args.get("sample"):
            message = "a sample of a table: which rows it has is random"
            raise reject("DP405", message, node, "remove TABLESAMPLE")
        only(node, "this", "alias", "db")
        alias, names = alias_of(node)
        schema = node.args.get("db")
        if schema is not None and fold(schema.name) != "main":
            raise reject("DP201", f"no schema {schema.name}", node, f"write {node.name} alone")
        if schema is None:
            for cte in reversed(self.ctes):
                if cte.name == fold(node.name):
                    bound: Bound = self.parent.use(cte)
                    own = alias_of(cte.node)[1]
                    relation = renamed(bound.relation(alias or cte.node.alias), own, cte.node)
                    return renamed(relation, names, node)
        table = self.parent.schema.table(fold(node.name))
        if table is None:
            known = [t.name for t in self.parent.schema.tables.values()]
            known += [cte.name for cte in self.ctes]
            raise reject("DP201", f"no table {node.name}", node, suggestion(node.name, known))
        columns = tuple(self.ids.column(c.name, c.type) for c in table.columns)
        fields = tuple(c.name for c in table.columns)
        scan = Scan(table, columns, fields, span_of(node), alias or node.name)
        pairs = tuple((c.name, column) for c, column in zip(table.columns, columns, strict=True))
        return renamed(Relation(alias or node.name, scan, pairs), names, node)

    # --- joins ---

    def _join(self, scope: Scope, plan: Plan, node: exp.Join) -> tuple[Scope, Plan]:
        if node.args.get("pivots"):
            place, help = node.args["pivots"][0], "put the join in parentheses"
            raise reject("DP104", "PIVOT of a join without parentheses", place, help)
        only(node, "this", "on", "using", "kind", "side", "method")
        side, kind = _words(node)
        method = str(node.args.get("method") or "").upper()
        if method not in ("", "NATURAL") or kind not in ("", "INNER", "OUTER", "CROSS", *_MARKED):
            words = " ".join(w for w in (method, side, kind) if w)
            message = f"{words} JOIN is not supported: which rows it joins depends on an order"
            raise reject("DP405", message, node, "use a join with ON")
        if side and kind in _MARKED:
            raise reject("DP101", f"{side} {kind} JOIN", node, f"write {kind} JOIN")
        item = self._item(node.this, scope)
        _check_aliases(scope, item.relations, node)
        right = item.scope
        joined = Scope(
            (*scope.relations, *right.relations),
            scope.merged | right.merged,
            {**scope.replaced, **right.replaced},
        )
        inner = not side and kind not in _MARKED
        on = _On([], [], plan, item.plan)
        if node.args.get("on") is not None:
            on = self._on(joined, on, node.args["on"], inner=inner)
        condition, plan, item = conjunction(on.terms), on.left, replace(item, plan=on.right)
        names = list(node.args.get("using") or [])
        if method == "NATURAL":
            names = _common(scope, right, node)
        pairs = [_pair(name, scope, right) for name in names]
        for name, (a, b) in zip(names, pairs, strict=True):
            place = span_of(name) or span_of(node)
            term = make("eq", (Ref(a, place), Ref(b, place)), place)
            condition = term if condition is None else make("and", (condition, term), None)
        scope, result = self._joined(scope, joined, pairs, plan, item, condition, node)
        for term, above in on.above:
            result = Filter(above(result), term)
        return scope, result

    def _joined(
        self,
        scope: Scope,
        joined: Scope,
        pairs: list[tuple[Column, Column]],
        plan: Plan,
        item: Item,
        condition: Expr | None,
        node: exp.Join,
    ) -> tuple[Scope, Plan]:
        side, kind = _words(node)
        if item.lateral:
            return self._lateral(joined, plan, item, condition, side, node)
        place = span_of(node)
        if kind in _MARKED:
            mark = self.ids.column("found", BOOLEAN)
            found: Expr = Ref(mark, place)
            found = Call("not", (found,), BOOLEAN, place) if kind == "ANTI" else found
            marked = Join(plan, item.plan, condition, place, "mark", mark)
            return scope, Filter(marked, found)
        if side == "RIGHT":
            result: Plan = Join(item.plan, plan, condition, place, "left")
            return _merged(joined, pairs, dict(pairs)), result
        if side == "FULL":
            return self._full(joined, Join(plan, item.plan, condition, place, "full"), pairs)
        how = "left" if side == "LEFT" else "inner"
        result = Join(plan, item.plan, condition, place, "left" if how == "left" else "inner")
        return _merged(joined, pairs, {}), result

    def _on(self, scope: Scope, on: _On, node: exp.Expr, *, inner: bool) -> _On:
        """ON. A subquery in it is asked of the rows of the side that it reads, below the join; of
        an inner join, whose ON is a WHERE, of the joined rows.
        """

        def inside(query: exp.Expr, around: Outer) -> Bound:
            return self.parent.bind(query, self.ctes, around)

        place = Place(self.ids, inside, self.outer)
        binder = ExpressionBinder(scope, place)
        here = {c.id for c in (*on.left.columns, *on.right.columns)}
        for part in conjunction_of(node) if node.find(exp.Query) else [node]:
            term = binder.predicate(part)
            read = here & place.read()
            above = place.taken()
            if above is None:
                on.terms.append(term)
            elif inner:
                on.above.append((term, above))
            elif read <= {c.id for c in on.right.columns}:
                on = replace(on, right=above(on.right), terms=[*on.terms, term])
            elif read <= {c.id for c in on.left.columns}:
                on = replace(on, left=above(on.left), terms=[*on.terms, term])
            else:
                message = "a subquery in the ON of an outer join reads both sides of it"
                raise reject("DP104", message, part, "join in a subquery of FROM first")
        return on

    def _full(
        self, scope: Scope, join: Join, pairs: list[tuple[Column, Column]]
    ) -> tuple[Scope, Plan]:
        """After a FULL JOIN … USING (k), k is whichever side's there is."""
        if not pairs:
            return scope, join
        items: list[tuple[Column, Expr]] = [(c, Ref(c)) for c in join.columns]
        found: dict[Column, Column] = {}
        for a, b in pairs:
            either = make("coalesce", (Ref(a), Ref(b)), None)
            found[a] = self.ids.column(a.name, either.type)
            items.append((found[a], either))
        return _merged(scope, pairs, found), Project(join, tuple(items))

    def _lateral(
        self,
        scope: Scope,
        plan: Plan,
        item: Item,
        condition: Expr | None,
        side: str,
        node: exp.Join,
    ) -> tuple[Scope, Plan]:
        if side not in ("", "LEFT") or node.args.get("using") or node.args.get("method"):
            raise reject("DP104", "LATERAL goes with CROSS, INNER and LEFT JOIN … ON", node)
        kind = "left" if side == "LEFT" else "inner"
        place = span_of(node)
        if kind == "left":
            return scope, Apply(plan, item.plan, "left", None, condition, place)
        return scope, Apply(plan, item.plan, "inner", None, condition, place)


def _bare(node: exp.Expr) -> exp.Expr:
    """An item without what is joined to it."""
    if not node.args.get("joins"):
        return node
    bare = node.copy()
    bare.set("joins", None)
    return bare


def _of_catalog(node: exp.Table) -> bool:
    """Whether a table function tells of the engine's catalog."""
    name = str(node.this.this).lower() if isinstance(node.this, exp.Anonymous) else ""
    return name.startswith(("duckdb_", "pragma_"))


def _joins(node: exp.Expr) -> bool:
    """Whether what stands in parentheses is a table or a join, and no query."""
    joined = isinstance(node, exp.Subquery | exp.Values) and bool(node.args.get("joins"))
    return joined or isinstance(node, exp.Table)


def _words(node: exp.Join) -> tuple[str, str]:
    """LEFT, RIGHT, FULL or nothing; and INNER, CROSS and the like."""
    side, kind = (str(node.args.get(key) or "").upper() for key in ("side", "kind"))
    return side or ("FULL" if kind == "FULL" else ""), kind


_MARKED = ("SEMI", "ANTI")


def _runs(joins: list[exp.Join]) -> list[list[exp.Join]]:
    """The joins one by one, but a comma together with the joins after it where that matters: it
    binds less than they do, so `a, b RIGHT JOIN c` is a, and (b RIGHT JOIN c).
    """
    parts: list[list[exp.Join]] = []
    for join in joins:
        if not parts or not any(join.args.get(key) for key in _JOINING):
            parts.append([])
        parts[-1].append(join)
    runs: list[list[exp.Join]] = []
    for part in parts:
        comma = not any(part[0].args.get(key) for key in _JOINING)
        matters = any(_by_side(join) for join in part)
        runs += [part] if comma and matters else [[join] for join in part]
    return runs


_JOINING = ("on", "using", "kind", "side", "method")


def _by_side(join: exp.Join) -> bool:
    """Whether the result depends on what exactly is on the left."""
    words = (str(join.args.get(key) or "").upper() for key in ("side", "kind"))
    named = join.args.get("using") or join.args.get("method")
    return bool(named) or any(word in ("RIGHT", "FULL") for word in words)


def _check_aliases(scope: Scope, relations: tuple[Relation, ...], node: exp.Join) -> None:
    for relation in relations:
        if relation.alias and any(r.folded == relation.folded for r in scope.relations):
            message = f"two tables of this FROM are called {relation.alias}"
            raise reject("DP203", message, node.this, "use AS")


def _merged(
    scope: Scope, pairs: list[tuple[Column, Column]], instead: Mapping[Column, Column]
) -> Scope:
    """After USING: the right columns go by the left ones' names, which mean what is `instead`. A
    column may be one that a join before has put instead of others; then these are meant.
    """
    stands = {b.id for _, b in pairs}
    hidden = {old for old, new in scope.replaced.items() if new.id in stands}
    said = {a.id: new for a, new in instead.items()}
    replaced = {old: said.get(new.id, new) for old, new in scope.replaced.items()}
    return replace(scope, merged=scope.merged | stands | hidden, replaced=said | replaced)


def _pair(name: exp.Expr, left: Scope, right: Scope) -> tuple[Column, Column]:
    node = exp.Column(this=name.copy())
    place = span_of(name)
    if place is not None:
        set_span(node, place)
    a, b = left.resolve(node), right.resolve(node)
    if a is None or b is None:
        for side in (left, right):
            if side.has_struct(node):
                raise side.unknown(node)
        known = [n for n, _ in (right if b is None else left).star(None)]
        hint = suggestion(name.name, known)
        raise reject("DP202", f"no column {name.name} on both sides", name, hint)
    return a, b


def _common(left: Scope, right: Scope, node: exp.Join) -> list[exp.Expr]:
    """The names that NATURAL joins on."""
    for side in (left, right):
        structs.refuse((name for name, _ in side.star(None)), "and no value to join on", node)
    ours = {fold(name) for name, _ in left.star(None)}
    names = [n for n in dict.fromkeys(fold(name) for name, _ in right.star(None)) if n in ours]
    if not names:
        raise reject("DP202", "NATURAL JOIN: the sides have no column in common", node)
    return [exp.to_identifier(name, quoted=True) for name in names]


def alias_of(node: exp.Expr) -> tuple[str, tuple[str, ...] | None]:
    """The alias of a FROM item and the names that it gives to columns."""
    alias = node.args.get("alias")
    if alias is None:
        return "", None
    only(alias, "this", "columns")
    columns = tuple(c.name for c in alias.args.get("columns") or [])
    return alias.name, columns or None


def renamed(relation: Relation, names: tuple[str, ...] | None, node: exp.Expr) -> Relation:
    """The relation with its first columns renamed."""
    if names is None:
        return relation
    places = structs.whole([name for name, _ in relation.columns])
    if len(names) > len(places):
        raise reject("DP205", f"{len(names)} names for {len(places)} columns", node)
    new = {i: name for name, place in zip(names, places, strict=False) for i in place}
    pairs = tuple(
        (structs.renamed(name, new[i]) if i in new else name, column)
        for i, (name, column) in enumerate(relation.columns)
    )
    return Relation(relation.alias, relation.plan, pairs)
