"""Syntax tree -> plan. Names end here; what comes out knows only plan columns.

    SELECT d.x + 1 AS y FROM t AS d WHERE d.z > 3
    Project(y := x#1 + 1; Filter(z#2 > 3; Scan(t)))

This file binds whole queries: SELECT (see `bind_select`), set operations, VALUES and WITH. A WITH
query is bound once, however often it is used.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot import exp

from dpsql.core.functions.build import make
from dpsql.core.functions.spec import TypeMismatch, coerce
from dpsql.core.functions.typing import common
from dpsql.core.plan.expr import Call, Column, Expr, Literal, Ref, conjunction
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import (
    Aggregate,
    Filter,
    Join,
    Named,
    OneRow,
    Plan,
    Project,
    Scan,
    Union,
    Window,
    WindowCall,
    nodes,
)
from dpsql.core.schema import Schema
from dpsql.errors import Problems, Rejected
from dpsql.front import structs
from dpsql.front.bind_expr import ExpressionBinder
from dpsql.front.bind_from import FromBinder
from dpsql.front.bind_order import ordered
from dpsql.front.bind_select import SelectBinder, distinct
from dpsql.front.parse import only, reject, span_of
from dpsql.front.pivot import statement
from dpsql.front.place import Outer
from dpsql.front.scope import Relation, Scope, fold
from dpsql.types import BIGINT, BOOLEAN

MAX_TABLES = 200
"""How many tables and uses of WITH queries one query may have."""

MAX_VALUES = 2_000
"""Rows of VALUES."""

_PARTS = (
    *("with_", "expressions", "distinct", "from_", "joins", "where", "group", "having"),
    *("order", "limit", "offset", "qualify", "windows"),
)


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound query: its plan and what its output columns are called, in order."""

    plan: Plan
    names: tuple[str, ...]

    def relation(self, alias: str) -> Relation:
        """The query as a FROM item."""
        return Relation(alias, self.plan, tuple(zip(self.names, self.plan.columns, strict=True)))


@dataclass(slots=True)
class Cte:
    """A WITH query, and those that it may use: the ones before it."""

    name: str
    node: exp.CTE
    before: Ctes
    bound: Bound | None = field(default=None)


Ctes = tuple[Cte, ...]


class QueryBinder:
    """Binds one query and those inside it. `schema` says which tables there are."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.ids = Ids()
        self.items = 0

    def bind(self, query: exp.Expr, ctes: Ctes = (), outer: Outer | None = None) -> Bound:
        """The plan of a query.

        Args:
            query: its syntax tree.
            ctes: the WITH queries that it may use.
            outer: what names of the queries around it mean.

        Raises:
            Rejected: DP1xx and DP2xx.
        """
        if isinstance(query, exp.Subquery):
            only(query, "this", "with_", "order", "limit", "offset", "alias")
            inner = self.bind(query.this, self._with(query, ctes), outer)
            plan = ordered(query, inner.plan, inner.names)
            return Bound(plan, inner.names)
        if isinstance(query, exp.SetOperation):
            return self._set_operation(query, ctes, outer)
        if isinstance(query, exp.Values):
            return self._values(query)
        if isinstance(query, exp.Pivot):
            return self.bind(statement(query), ctes, outer)
        if not isinstance(query, exp.Select):
            raise reject("DP104", f"{type(query).__name__.upper()} is not supported", query)
        only(query, *_PARTS)
        ctes = self._with(query, ctes)
        scope, plan = FromBinder(self, ctes, outer).bind(query)

        def inner_query(node: exp.Expr, around: Outer) -> Bound:
            return self.bind(node, ctes, around)

        select = SelectBinder(self.ids, query, scope, plan, inner_query, outer)
        return Bound(*select.bind())

    def count(self, node: exp.Expr) -> None:
        """Count one more table of the query.

        Raises:
            Rejected: DP103 where there are too many.
        """
        self.items += 1
        if self.items > MAX_TABLES:
            message = f"more than {MAX_TABLES} tables, each use of a WITH query counted"
            raise reject("DP103", message, node)

    # --- WITH ---

    def _with(self, query: exp.Expr, ctes: Ctes) -> Ctes:
        clause = query.args.get("with_")
        if clause is None:
            return ctes
        if clause.args.get("recursive"):
            raise reject("DP104", "WITH RECURSIVE is not supported: it need not end", clause)
        only(clause, "expressions")
        seen: set[str] = set()
        for cte in clause.expressions:
            only(cte, "this", "alias", "materialized")
            name = fold(cte.alias)
            if name in seen:
                raise reject("DP203", f"two WITH queries are called {cte.alias}", cte.args["alias"])
            seen.add(name)
            ctes = (*ctes, Cte(name, cte, ctes))
        return ctes

    def use(self, cte: Cte) -> Bound:
        """One use of a WITH query, with columns of its own."""
        if cte.bound is None:
            cte.bound = self.bind(cte.node.this, cte.before)
        plan = cte.bound.plan
        columns = tuple(self.ids.column(c.name, c.type) for c in plan.columns)
        return Bound(Named(plan, columns, span_of(cte.node)), cte.bound.names)

    # --- UNION, INTERSECT, EXCEPT ---

    def _set_operation(self, query: exp.SetOperation, ctes: Ctes, outer: Outer | None) -> Bound:
        allowed = ("this", "expression", "distinct", "with_", "order", "limit", "offset", "by_name")
        only(query, *allowed)
        ctes = self._with(query, ctes)
        if query.args.get("by_name"):
            raise reject("DP104", "UNION BY NAME is not supported", query, "list the columns")
        parts = [query.this, query.expression]
        if isinstance(query, exp.Union):
            # A long chain leans to the left; what is told apart at its end need not be before.
            while _plain_union(parts[0], distinct=bool(query.args.get("distinct"))):
                parts[:1] = [parts[0].this, parts[0].expression]
        sides: list[Bound] = []
        problems = Problems()
        for part in parts:
            try:
                sides.append(self.bind(part, ctes, outer))
            except Rejected as rejected:
                problems.add(rejected)
        problems.check()
        plans = self._aligned(sides, parts, query)
        if isinstance(query, exp.Union):
            if query.args.get("distinct"):
                plans = self._told_apart(plans, query)
            columns = tuple(self.ids.column(c.name, c.type) for c in plans[0].columns)
            plan: Plan = Union(tuple(plans), columns, span_of(query))
            if query.args.get("distinct"):
                plan = distinct(self.ids, plan, span_of(query))
        else:
            plan = self._matched(query, plans)
        names = sides[0].names
        return Bound(ordered(query, plan, names), names)

    def _told_apart(self, plans: list[Plan], query: exp.Expr) -> list[Plan]:
        """The sides of UNION; where some are of public rows, private rows of others are told apart
        before, so that these are released: the distinct rows of all are the same.
        """
        private = {id(p) for p in plans if any(_is_private(n) for n in nodes(p))}
        rows = {id(p) for p in plans if not any(isinstance(n, Aggregate) for n in nodes(p))}
        if len(private) == len(plans):
            return plans
        apart = private & rows
        return [distinct(self.ids, p, span_of(query)) if id(p) in apart else p for p in plans]

    def _aligned(self, sides: list[Bound], parts: list[exp.Expr], query: exp.Expr) -> list[Plan]:
        """The sides with columns of the same types."""
        for side, part in zip(sides, parts, strict=True):
            structs.refuse(side.names, f"and no value for {query.key.upper()}", part)
        width = len(sides[0].names)
        if any(len(side.names) != width for side in sides):
            raise reject("DP205", "the sides have different numbers of columns", query)
        items: list[list[tuple[Column, Expr]]] = [[] for _ in sides]
        for position in range(width):
            refs = tuple(Ref(side.plan.columns[position]) for side in sides)
            try:
                kind = common(refs, "values")
            except TypeMismatch as mismatch:
                message = f"column {position + 1}: {mismatch.message}"
                raise reject("DP205", message, query) from None
            for row, ref in zip(items, refs, strict=True):
                row.append((self.ids.column(ref.column.name, kind), coerce(ref, kind)))
        return [Project(side.plan, tuple(row)) for side, row in zip(sides, items, strict=True)]

    def _matched(self, query: exp.SetOperation, plans: list[Plan]) -> Plan:
        """INTERSECT and EXCEPT: the distinct rows of the left with, or without, an equal row. With
        ALL, equal rows are numbered first on both sides, so that the third one has a third one.
        """
        if query.args.get("distinct"):
            left, right = distinct(self.ids, plans[0], span_of(query)), plans[1]
        else:
            left, right = (self._numbered(query, plan) for plan in plans)
        same = [
            make("is_not_distinct", (Ref(a), Ref(b)), span_of(query))
            for a, b in zip(left.columns, right.columns, strict=True)
        ]
        mark = self.ids.column("found", BOOLEAN)
        joined = Join(left, right, conjunction(same), span_of(query), "mark", mark)
        found: Expr = Ref(mark, span_of(query))
        if isinstance(query, exp.Except):
            found = Call("not", (found,), BOOLEAN, span_of(query))
        width = len(plans[0].columns)
        kept = tuple((self.ids.column(c.name, c.type), Ref(c)) for c in left.columns[:width])
        return Project(Filter(joined, found), kept)

    def _numbered(self, query: exp.SetOperation, plan: Plan) -> Plan:
        """The rows, and of each the how manieth it is of its like."""
        name, span = query.key.upper(), span_of(query)
        help = f"write {name} without ALL, or count the rows of each side with GROUP BY"
        alike = tuple(Ref(column) for column in plan.columns)
        clause = f"{name} ALL"
        call = WindowCall("row_number", (), alike, (), None, span, help=help, clause=clause)
        return Window(plan, ((self.ids.column("number", BIGINT), call),), span)

    # --- VALUES ---

    def _values(self, query: exp.Values) -> Bound:
        only(query, "expressions", "alias")
        rows = query.expressions
        if len(rows) > MAX_VALUES:
            raise reject("DP103", f"more than {MAX_VALUES:,} rows of VALUES", query)
        binder = ExpressionBinder(Scope())
        bound = [
            tuple(_constant(binder.bind(e)) for e in (r.expressions if _is_row(r) else [r]))
            for r in rows
        ]
        width = len(bound[0])
        if any(len(row) != width for row in bound):
            raise reject("DP205", "the rows of VALUES have different numbers of columns", query)
        for row in bound:
            for value in row:
                if not isinstance(value, Literal):
                    raise reject("DP104", "VALUES takes constants", query)
        names = tuple(f"col{i}" for i in range(width))
        try:
            kinds = [common(tuple(row[i] for row in bound), "column") for i in range(width)]
        except TypeMismatch as mismatch:
            raise reject("DP205", mismatch.message, query) from None
        branches = tuple(
            Project(
                OneRow(),
                tuple(
                    (self.ids.column(n, k), coerce(v, k))
                    for n, k, v in zip(names, kinds, row, strict=True)
                ),
            )
            for row in bound
        )
        columns = tuple(self.ids.column(n, k) for n, k in zip(names, kinds, strict=True))
        return Bound(Union(branches, columns, span_of(query)), names)


def _is_private(node: Plan) -> bool:
    return isinstance(node, Scan) and node.table.private


def _constant(value: Expr) -> Expr:
    """CAST of a whole number to a type of whole numbers that holds it is one of that type."""
    match value:
        case Call("cast", (Literal(int() as number),), kind) if kind.is_integer:
            limits = kind.limits()
            if limits is not None and limits[0] <= number <= limits[1]:
                return Literal(int(number), kind, value.span)
    return value


def _is_row(node: exp.Expr) -> bool:
    return isinstance(node, exp.Tuple)


def _plain_union(node: exp.Expr, *, distinct: bool) -> bool:
    """UNION ALL, or UNION where that makes no difference, with nothing around it."""
    extras = ["with_", "order", "limit", "offset", "by_name", *(() if distinct else ("distinct",))]
    return isinstance(node, exp.Union) and not any(node.args.get(e) for e in extras)


def bind(query: exp.Expr, schema: Schema) -> tuple[Bound, Ids]:
    """Bind a parsed query: the plan, and the counter from which later passes take new columns."""
    binder = QueryBinder(schema)
    bound = binder.bind(query)
    structs.refuse(bound.names, "which is no column of an answer", query)
    return bound, binder.ids
