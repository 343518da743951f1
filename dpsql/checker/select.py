"""A statement, from its tables to its last GROUP BY."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import combinations, count
from math import ceil
from typing import Any

from dpsql.checker.facts import Facts, Feed
from dpsql.checker.groups import (
    AGGREGATES,
    MANY_ROWS,
    distinct,
    grouped,
    projected,
    union,
    windowed,
)
from dpsql.checker.joins import (
    classes,
    crossing,
    equal_columns,
    fixed_by,
    full_join,
    inner,
    left_join,
    looked_up,
    meets,
    met,
    same_unit,
    whole,
)
from dpsql.checker.proof import ODD, Refused, Step, at_most
from dpsql.checker.quotas import added_up, meant, over, told_apart
from dpsql.checker.relation import (
    Numbers,
    Relation,
    filtered,
    least,
    renumbered,
    resolved,
    scan,
    settled,
)
from dpsql.checker.scalars import World, assumed, constant, value
from dpsql.checker.tree import (
    Expr,
    Node,
    columns,
    conjuncts,
    expression,
    fields,
    parsed,
    parts,
    placeless,
    replaced,
    walk,
)
from dpsql.checker.values import Value, hull, keeps, of_type

Ctes = Mapping[str, Relation]
TRUE: Expr = ("literal", "BOOLEAN", "true")
SELECT = (
    *("cte_map", "select_list", "from_table", "where_clause", "group_expressions"),
    *("group_sets", "having", "modifiers"),
)


@dataclass(frozen=True, slots=True)
class Select:
    """The parts of a SELECT.

    Attributes:
        rows: of FROM and WHERE.
        names, items: what is shown, over the rows; with aggregates and windows.
        keys, having, calls: what is grouped by, what groups must be, the aggregates of all that.
        modifiers: DISTINCT, ORDER BY, LIMIT.
    """

    rows: Relation
    names: tuple[str, ...]
    items: tuple[Expr, ...]
    keys: tuple[Expr, ...]
    having: Expr
    calls: tuple[Expr, ...]
    modifiers: tuple[Node, ...]


class Reader:
    """Reads one statement."""

    def __init__(self, facts: Facts, feeds: Sequence[Feed], fed: Numbers | None = None) -> None:
        self.facts, self.feeds = facts, {f.name: f for f in feeds}
        self.numbers: Numbers = fed or count(1)
        self.tokens, self.sure = 0, fed is None  # what is fed is told, in whatever order

    def answers(self, node: Node) -> list[Select]:
        """The branches of the statement, but for those that are never a row."""
        ctes = self.with_(node, {})
        branches = self.branches(node)
        found = [self.answer(b, self.with_(b, ctes) if b is not node else ctes) for b in branches]
        return [a for a in found if a is not None]

    def query(self, node: Node, ctes: Ctes) -> Relation:
        """The rows of a query.

        Raises:
            Refused: it is not followed.
        """
        ctes = self.with_(node, ctes)
        if node["type"] == "SET_OPERATION_NODE":
            made = [self.query(b, ctes) for b in self.branches(node)]
            _unmixed(made)
            return union(made, self.numbers, self.facts)
        return self._select(self._read(node, ctes))

    def branches(self, node: Node) -> list[Node]:
        """The parts of a UNION ALL; a node that is none is its only one."""
        if node["type"] != "SET_OPERATION_NODE":
            return [node]
        kind, every, children, _ = fields(node, "setop_type", "setop_all", "children", "cte_map")
        if kind != "UNION" or not every:
            raise Refused("a set operation other than UNION ALL is not followed")
        found: list[Node] = []
        for child in children:
            inner_union = child["type"] == "SET_OPERATION_NODE" and not child["cte_map"]["map"]
            found += self.branches(child) if inner_union else [child]
        return found

    def with_(self, node: Node, ctes: Ctes) -> Ctes:
        """The WITH queries of a node, beside those around it."""
        found = dict(ctes)
        for entry in (node.get("cte_map") or {}).get("map") or ():
            (below,) = fields(entry["value"], "query_node", "materialized")[:1]
            name = entry["key"].lower()
            self.tokens += 1
            made = self._feed(name, below) or self.query(below, found)
            token = f"{name}:{self.tokens}"
            names = tuple(("", n, i) for _, n, i in made.names)
            within = made.within | {token}
            found[name] = replace(made, names=names, origin=token, part_of=token, within=within)
        return found

    def _feed(self, name: str, node: Node) -> Relation | None:
        """Released rows, each column a list of parameters."""
        feed = self.feeds.get(name)
        if feed is None:
            return None
        items, table, _ = fields(node, "select_list", "from_table", "cte_map")
        fields(table)
        names: list[tuple[str, str, int]] = []
        known: dict[Expr, Value] = {}
        made = self._made(feed)
        for item in items:
            expr = expression(item, self._none)
            inner: Expr = expr[3] if expr[:3] == ("call", "unnest", False) else ()
            kind = ""
            while inner[:1] == ("cast",):
                kind = kind or inner[1].removesuffix("[]")
                inner = inner[3]
            if inner[:1] != ("parameter",):
                raise Refused("released rows that are no parameters are not followed")
            own = next(self.numbers)
            names.append(("", item["alias"].lower(), own))
            known[("column", own)] = of_type(kind)
        if made is None:
            return Relation(False, tuple(names), known, Step("released", f"rows of {name}"))
        at = dict(zip((c for _, _, c in made.names), (i for _, _, i in names), strict=True))
        per = {frozenset(at[c] for c in of): n for of, n in made.per.items() if of <= at.keys()}
        step = Step("released", f"{at_most(made.rows, 'rows')} of {name}", (made.step,))
        return Relation(False, tuple(names), known, step, made.rows, per)

    def _made(self, feed: Feed) -> Relation | None:
        """How released rows are made of earlier ones; None where that is not followed: then there
        are many. Their number does not hang on an order, and their values are parameters.
        """
        public = (table for table in self.facts.tables if not table.private)
        found = {table.name: scan(table, self.facts, self.numbers) for table in public}
        for told in feed.tables:
            own = [next(self.numbers) for _ in told.columns]
            names = tuple(("", n, i) for (n, _), i in zip(told.columns, own, strict=True))
            known = {("column", i): of_type(t) for (_, t), i in zip(told.columns, own, strict=True)}
            per, step = {frozenset(own[: told.keys]): 1}, Step("released", told.name)
            found[told.name] = Relation(False, names, known, step, told.rows, per)
        try:
            made = Reader(self.facts, (), self.numbers).query(parsed(feed.text), found)
        except (Refused, *ODD):
            return None
        return None if made.private else made

    def _none(self, node: Node) -> Expr:
        raise Refused("a subquery is not followed here")

    def _source(self, node: Node, ctes: Ctes) -> tuple[list[Relation], list[Any]]:
        """The relations of a FROM, and the conditions of its inner joins, not resolved."""
        kind = node["type"]
        if kind == "JOIN":
            sort, form, condition = node["join_type"], node["ref_type"], node.get("condition")
            fields(node, "join_type", "ref_type", "condition", "left", "right")
            left, terms = self._source(node["left"], ctes)
            right, more = self._source(node["right"], ctes)
            _unmixed([*left, *right])
            if sort == "INNER" and form in ("CROSS", "REGULAR"):
                return [*left, *right], [*terms, *more, *([condition] if condition else [])]
            if form == "REGULAR" and sort in ("LEFT", "FULL"):
                a, b = self._joined(left, terms, ctes), self._joined(right, more, ctes)
                on = self._resolved(condition, [a, b], ctes)
                if sort == "FULL":
                    return [full_join(a, b, on)], []
                return [left_join(a, b, on, self.facts)], []
            raise Refused(f"a {sort} {form} join is not followed")
        return [self._relation(node, ctes)], []

    def _relation(self, node: Node, ctes: Ctes) -> Relation:
        kind, alias = node["type"], (node.get("alias") or "").lower()
        if kind == "EMPTY":
            return NOTHING
        if kind == "BASE_TABLE":
            path = fields(node, "catalog_name", "schema_name", "table_name", "column_name_alias")
            parts = tuple(p.lower() for p in path[:3] if p)
            renamed = [c.lower() for c in path[3] or ()]
            if len(parts) == 1 and parts[0] in ctes:
                made = renumbered(ctes[parts[0]], self.numbers)
                return made.called(alias or parts[0], renamed)
            table = self.facts.read(parts)
            if table is None:
                raise Refused(f"the table {'.'.join(parts)} is not known")
            return scan(table, self.facts, self.numbers).called(alias or parts[-1], renamed)
        if kind == "SUBQUERY":
            below, new = fields(node, "subquery", "column_name_alias")
            made = self.query(below["node"], ctes)
            return made.called(alias, [c.lower() for c in new or ()])
        if kind == "EXPRESSION_LIST":
            rows, new = fields(node, "values", "column_name_alias", "expected_names")[:2]
            return self._values(rows, alias)
        raise Refused(f"{kind} is not followed")

    def _values(self, rows: list[list[Node]], alias: str) -> Relation:
        exprs = [[expression(e, self._none) for e in row] for row in rows]
        names, known, per = [], {}, {}
        for i in range(len(exprs[0])):
            own = next(self.numbers)
            names.append((alias, f"col{i}", own))
            found = [value(row[i], {}) for row in exprs]
            made = known[("column", own)] = hull(found)
            once = {constant(row[i]) for row in exprs} - {None}
            if len(once) == len(rows) and all(keeps(v, made) for v in found):
                per[frozenset([own])] = 1
        step = Step("public", f"{len(rows)} rows that are written down")
        return Relation(False, tuple(names), known, step, len(rows), per)

    def _joined(self, parts: list[Relation], terms: list[Any], ctes: Ctes) -> Relation:
        found = [p for t in terms for p in conjuncts(self._resolved(t, parts, ctes))]
        return self._combined(parts, found)

    def _combined(self, parts: list[Relation], terms: list[Expr]) -> Relation:
        """The inner join of all, under all conditions: step by step, the surest first."""
        every = replace(NOTHING, known={e: v for part in parts for e, v in part.known.items()})
        same = crossing(terms, every, every)
        equal = classes(same + looked_up(same, parts))
        left, rank = list(parts), cache(lambda a, b: self._rank(a, b, equal, terms))
        while len(left) > 1:
            ranks = [(rank(left[i], left[j]), i, j) for i, j in combinations(range(len(left)), 2)]
            _, i, j = min((r for r in ranks if r[0] is not None), default=(None, 0, 0))
            if not j:
                raise Refused("two private relations are joined, and nothing makes them one unit's")
            a, b = left[i], left.pop(j)
            left[i] = inner(a, b, equal_columns(equal, a, b), self.facts, terms)
        made = self._filtered(left[0], terms)
        return replace(made, origin=made.origin or whole(parts, terms, made))

    def _rank(self, a: Relation, b: Relation, equal: dict[int, int], terms: Sequence[Expr]) -> Any:
        """How good it is to join two next: None where they cannot be."""
        pairs = equal_columns(equal, a, b)
        if a.private and b.private and not same_unit(a, b, pairs):
            return None
        most, tied = least(*meets(a, b, pairs, terms)), pairs or met(terms, a, b)
        return (not (tied or met(terms, b, a)), most is None, most or 0)

    def _filtered(self, made: Relation, terms: list[Expr]) -> Relation:
        condition = terms[0] if len(terms) == 1 else ("and", *terms) if terms else TRUE
        if condition == TRUE:
            return made
        after = told_apart(condition, made, filtered(made, condition, self.facts))
        return settled(fixed_by(terms, after), self.facts)

    def _resolved(
        self,
        node: Any,
        parts: Sequence[Relation],
        ctes: Ctes,
        aliases: Mapping[str, Expr] | None = None,
    ) -> Expr:
        """The expression of a JSON node, its names being columns of these relations."""
        if node is None:
            return TRUE
        expr = expression(node, lambda inner: self._exists(inner, parts, ctes))
        return resolved(expr, parts, aliases or {})

    def _exists(self, node: Node, outer: Sequence[Relation], ctes: Ctes) -> Expr:
        """EXISTS of a query: a function of the row, of its unit's own rows, and of public ones.

        The rows of a private query must be of the unit of the row that asks: as in a join. With IS
        NOT DISTINCT FROM, NULL meets NULL: then the row that asks is nobody's, if its column is a
        home.
        """
        ctes = self.with_(node, ctes)
        if node["type"] != "SELECT_NODE":
            raise Refused("EXISTS of a union is not followed")
        _, items, table, where = fields(
            node, "cte_map", "select_list", "from_table", "where_clause"
        )
        parts, more = self._source(table, ctes)
        _unmixed(both := [*parts, *outer])
        every = (p for t in (*more, where) for p in conjuncts(self._resolved(t, both, ctes)))
        terms = [p for p in every if p != TRUE]
        mine = frozenset(e[1] for p in parts for e in p.known if e[0] == "column")
        asks = {t for t in terms if any(e[0] == "exists" for e in walk(t))}
        own = [t for t in terms if columns(t) <= mine and t not in asks]
        made = self._combined(parts, own)
        known = {e: v for part in (made, *outer) for e, v in part.known.items()}
        for expr in (*terms, *(self._resolved(i, both, ctes) for i in items)):
            value(expr, known)
        if made.private:
            askers = [p for p in outer if p.private]
            same = [("=", *t[1:]) for t in terms if t[0] == "is"]
            good = any(
                same_unit(p, made, crossing([t for t in terms if t[0] == "="], p, made))
                or same_unit(p, made, [q for q in crossing(same, p, made) if q[0] in p.homes])
                for p in askers
            )
            if not good:
                raise Refused("EXISTS asks for rows of another unit")
        read = frozenset().union(*(columns(t) for t in terms)) - mine
        return ("exists", repr(placeless(node)), *(("column", c) for c in sorted(read)))

    def _read(self, node: Node, ctes: Ctes) -> Select:
        """The parts of a SELECT."""
        if node["type"] != "SELECT_NODE":
            raise Refused(f"{node['type']} is not followed")
        _, shown, table, where, groups, sets, having, modifiers = fields(node, *SELECT)
        if sets not in ([], [list(range(len(groups or ())))]):
            raise Refused("grouping sets are not followed")
        parts, terms = self._source(table, ctes)
        rows = self._joined(parts, [*terms, *([where] if where else [])], ctes)
        listed = self._items(rows, shown, ctes)
        names, items = tuple(n for n, _ in listed), tuple(e for _, e in listed)
        keys = tuple(self._resolved(g, [rows], ctes) for g in groups or ())
        condition = self._resolved(having, [rows], ctes)
        calls = tuple(_aggregates([*items, condition]))
        return Select(rows, names, items, keys, condition, calls, tuple(modifiers or ()))

    def _items(self, made: Relation, nodes: Sequence[Node], ctes: Ctes) -> list[tuple[str, Expr]]:
        items: list[tuple[str, Expr]] = []
        aliases: dict[str, Expr] = {}
        for node in nodes:
            if node["class"] == "STAR":
                (of,) = fields(node, "relation_name")
                items += [(n, ("column", i)) for a, n, i in made.names if not of or a == of.lower()]
                continue
            expr = self._resolved(node, [made], ctes, aliases)
            name = (node.get("alias") or "").lower()
            if not name and expr[0] == "column":
                name = node["column_names"][-1].lower()
            items.append((name, expr))
            if name:
                aliases[name] = expr
        return items

    def _select(self, read: Select) -> Relation:
        made, items = read.rows, read.items
        if read.keys or read.calls:
            made, items = self._grouped(read)
        elif read.having != TRUE:
            raise Refused("HAVING without groups is not followed")
        made, items = self._windowed(made, items)
        made = self._projected(made, read.names, items)
        for modifier in read.modifiers:
            made = self._modified(made, modifier)
        return made

    def _modified(self, made: Relation, modifier: Node) -> Relation:
        """DISTINCT; and of public rows also an order and a limit."""
        if modifier["type"] == "DISTINCT_MODIFIER":
            fields(modifier)
            return distinct(made, self.facts)
        if made.private:
            raise Refused("private rows are put in order")
        if modifier["type"] == "LIMIT_MODIFIER":
            count, _ = fields(modifier, "limit", "offset")
            most = None if count is None else value(expression(count, self._none), {})
            if most is None or most.null or most.kind == "text" or most.high is None:
                return made
            return replace(made, rows=least(made.rows, ceil(most.high)))
        if modifier["type"] != "ORDER_MODIFIER":
            raise Refused(f"{modifier['type']} is not followed")
        return made

    def _grouped(self, read: Select) -> tuple[Relation, tuple[Expr, ...]]:
        made = read.rows
        keys = [(k[1] if k[0] == "column" else next(self.numbers), k) for k in read.keys]
        calls = [(next(self.numbers), c) for c in read.calls]
        new: dict[Expr, Expr] = {c: ("column", n) for n, c in (*calls, *keys)}
        if not keys and made.private:
            raise Refused("private rows of all units are one group before the last step")
        result = grouped(made, keys, calls, self.facts, self.sure)
        terms = conjuncts(replaced(read.having, new))
        named = over(made, keys, terms, result)
        result = self._filtered(result, terms)
        listed = tuple(replaced(e, new) for e in read.items)
        if not all(columns(expr) <= {n for n, _ in (*keys, *calls)} for expr in listed):
            raise Refused("a column is neither grouped nor aggregated")
        return replace(result, over=named), listed

    def _windowed(
        self, made: Relation, items: tuple[Expr, ...]
    ) -> tuple[Relation, tuple[Expr, ...]]:
        numbered = [(next(self.numbers), c) for c in windows(items)]
        if not numbered:
            return made, items
        new: dict[Expr, Expr] = {c: ("column", n) for n, c in numbered}
        items = tuple(replaced(e, new) for e in items)
        used = frozenset().union(*map(columns, items)) - (own := {n for n, _ in numbered})
        if made.mixed is None:
            return windowed(made, numbered, used, self.sure), items
        (label,) = (("column", c) for c, m in made.meaning.items() if m[0] == "label")
        named = windowed(self._filtered(made, [("notnull", label)]), numbered, used, self.sure)
        told = {n: named.meaning[n] for n in own & named.meaning.keys()}
        return replace(  # the label is the only home of rows that have one
            made,
            known=World({**made.known, **{("column", n): named.at(n) for n in own}}),
            meaning={**made.meaning, **told},
            mixed=made.mixed | own,
            step=named.step,
            fixed=made.fixed | (named.fixed & own),
            origin="",
            part_of="",
        ), items

    def _projected(self, made: Relation, names: Sequence[str], items: Sequence[Expr]) -> Relation:
        numbered = [
            (n, e[1] if e[0] == "column" else next(self.numbers), e)
            for n, e in zip(names, items, strict=True)
        ]
        meaning, after = meant(numbered, made)
        return replace(projected(after, numbered, self.facts), meaning=meaning)

    def answer(self, node: Node, ctes: Ctes) -> Select | None:
        """The last step of a branch; None where it is never a row."""
        read = self._read(node, ctes)
        if read.modifiers:
            raise Refused("a statement that ends with more than its groups is not followed")
        if read.having != TRUE:
            if read.keys or not self._never(read.having, read.calls):
                raise Refused("groups are left out at the last step")
            return None
        if not windows(read.items) and not read.calls and not read.keys:
            raise Refused("rows are shown as they are")
        if read.rows.mixed is not None:
            added_up(read.rows, read.keys, read.items)
        return read

    def _never(self, having: Expr, calls: Sequence[Expr]) -> bool:
        """Whether a condition on counts of all rows is TRUE for no number of rows."""
        if any(c[1] not in ("count", "count_star") for c in calls):
            return False
        new: dict[Expr, Expr] = {c: ("column", next(self.numbers)) for c in calls}
        return assumed(replaced(having, new), dict.fromkeys(new.values(), COUNTED)) is None


def _unmixed(parts: Sequence[Relation]) -> None:
    if any(part.mixed is not None for part in parts):
        raise Refused("more than sums is made of rows of several units")


NOTHING = Relation(False, (), {}, Step("public", "one row"), 1, {frozenset(): 1})
COUNTED = Value(Fraction(0), Fraction(MANY_ROWS), False, "whole")


def windows(items: Sequence[Expr]) -> list[Expr]:
    """The window functions among expressions."""
    return list(dict.fromkeys(w for e in items for w in walk(e) if w[0] == "window"))


def _aggregates(exprs: Sequence[Expr]) -> list[Expr]:
    """The aggregates in expressions, not those of windows."""
    found: list[Expr] = []
    for expr in exprs:
        if expr[0] == "call" and expr[1] in AGGREGATES:
            found.append(expr)
        elif expr[0] != "window":
            found += _aggregates(parts(expr))
    return list(dict.fromkeys(found))
