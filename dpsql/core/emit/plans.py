"""Plan -> SQL. Everything that the engine runs on private data is printed here, from the plan:
fully parenthesised, every name quoted and qualified, every type explicit where it matters.

A tree is built once and printed, and never changed: its parts may stand at several places of it,
and are not copied for that. Whoever looks at a node's parent, or changes one, copies it first.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from functools import lru_cache
from typing import TypeVar

from sqlglot import exp, parse_one

from dpsql.core.emit.windows import called, frame_sql
from dpsql.core.functions import BY_NAME
from dpsql.core.functions.aggregates import SHOWING
from dpsql.core.functions.constants import exactly
from dpsql.core.functions.spec import case_when, cast
from dpsql.core.functions.typing import MAX_DIGITS, literal_type
from dpsql.core.plan.expr import Case, Column, Expr, Literal, Ref, columns_of
from dpsql.core.plan.nodes import (
    Aggregate,
    AggregateCall,
    Filter,
    Join,
    Limit,
    OneRow,
    Plan,
    Project,
    Released,
    Scan,
    Sort,
    SortKey,
    Union,
    Window,
    nodes,
)
from dpsql.core.schema import Table
from dpsql.types import VARCHAR, Type

Sql = exp.Expr
Names = Mapping[int, Sql]
"""How each plan column is written at one place."""

Source = Callable[[Table], Sql]
"""How a declared table is written after FROM: an exp.Table, or an exp.Subquery without alias."""


@dataclass(frozen=True, slots=True)
class _Special:
    of: Source

    def __call__(self, table: Table) -> Sql:
        """See `Source`."""
        return self.of(table)


@dataclass(frozen=True, slots=True)
class Rereading(_Special):
    """The same of an engine that computes a WITH query as often as it is read."""


@dataclass(frozen=True, slots=True)
class Keeping(_Special):
    """The same of an engine that keeps what a query of its tables alone has found, as long as its
    data stay.
    """


def rereads(source: Source) -> bool:
    """Whether it is of an engine that computes a WITH query as often as it is read."""
    return isinstance(source, Rereading) or (isinstance(source, Keeping) and rereads(source.of))


def identifier(name: str) -> exp.Identifier:
    """A quoted identifier."""
    return exp.Identifier(this=name, quoted=True)


def column(table: str, name: str) -> exp.Column:
    """A qualified column."""
    return exp.Column(this=identifier(name), table=identifier(table))


def aliased(value: Sql, name: str) -> exp.Alias:
    """value AS "name"."""
    return exp.Alias(this=value, alias=identifier(name))


def table(*parts: str, alias: str | None = None) -> exp.Table:
    """A table by its qualified name."""
    keys = ("this", "db", "catalog")
    args: dict[str, object] = dict(zip(keys, map(identifier, reversed(parts)), strict=False))
    if alias is not None:
        args["alias"] = exp.TableAlias(this=identifier(alias))
    return exp.Table(**args)


def literal(node: Literal) -> Sql:
    """A constant. Numbers are written so that the engine reads exactly this value and type."""
    value, kind = node.value, node.type
    if value is None:
        return exp.Null() if kind.name == "NULL" else cast(exp.Null(), kind)
    if isinstance(value, bool):
        return exp.Boolean(this=value)
    if isinstance(value, str):
        return exp.Literal.string(value)
    if isinstance(value, datetime):
        return cast(exp.Literal.string(value.isoformat(sep=" ")), kind)
    if isinstance(value, date):
        return cast(exp.Literal.string(value.isoformat()), kind)
    return _number(value, kind)


def _number(value: int | Fraction, kind: Type) -> Sql:
    if kind.is_float:
        return cast(exp.Literal.string(repr(float(value))), kind)
    if kind.is_decimal:
        scale = kind.scale or 0
        digits = str(abs(round(Fraction(value) * 10**scale))).rjust(scale + 1, "0")
        text = f"{digits[:-scale]}.{digits[-scale:]}" if scale else digits
        if len(digits) > MAX_DIGITS or kind.precision == scale:  # 0. and all digits: another type
            return cast(exp.Literal.string("-" * (value < 0) + text), kind)
        number: Sql = exp.Literal.number(text)
        return cast(exp.Paren(this=exp.Neg(this=number)) if value < 0 else number, kind)
    whole_value = int(value)
    number = exp.Literal.number(abs(whole_value))
    if whole_value < 0:
        number = exp.Paren(this=exp.Neg(this=number))
    return number if literal_type(whole_value) == kind else cast(number, kind)


def scalar(expr: Expr, names: Names) -> Sql:
    """An expression over columns that are written as `names` says."""
    if isinstance(expr, Ref):
        return names[expr.column.id]
    if isinstance(expr, Literal):
        return literal(expr)
    if isinstance(expr, Case):
        branches = [(scalar(c, names), scalar(v, names)) for c, v in expr.branches]
        return case_when(branches, scalar(expr.default, names))
    return BY_NAME[expr.function].sql([scalar(a, names) for a in expr.args], expr)


def rows_of(declared: Table, source: Source) -> Sql:
    """The rows of a table after FROM; where their owner is looked up, those that find one, with it.
    The rest are nobody's, and nothing that is asked reads them.
    """
    found = declared.lookup
    if found is None:
        return source(declared)
    rows, there = with_alias(source(declared), "r"), with_alias(source(found.table), "o")
    same = [
        exp.EQ(this=column("r", own), expression=column("o", key))
        for own, key in zip(found.columns, found.key, strict=True)
    ]
    items = [aliased(column("r", c.name), c.name) for c in declared.stored]
    items.append(aliased(column("o", found.owner), declared.owner or ""))
    select = exp.Select().from_(rows, copy=False).select(*items, copy=False)
    return cross(select, there).where(*same, copy=False).subquery(copy=False)


def cross(select: exp.Select, item: Sql) -> exp.Select:
    """… CROSS JOIN item."""
    return select.join(exp.Join(this=item, kind="CROSS"), copy=False)


def with_alias(item: Sql, alias: str) -> Sql:
    """item AS "alias"."""
    item = item.copy()
    item.set("alias", exp.TableAlias(this=identifier(alias)))
    return item


def where(
    select: exp.Select, conditions: Iterable[Expr], columns: Iterable[Column], values: Iterable[Sql]
) -> exp.Select:
    """… WHERE each of the conditions over some columns, which are written as these values."""
    names: dict[int, Sql] = {c.id: v for c, v in zip(columns, values, strict=True)}
    for condition in conditions:
        select = select.where(scalar(condition, names), copy=False)
    return select


Q = TypeVar("Q", bound=exp.Query)


def with_queries(
    query: Q,
    ctes: Iterable[tuple[str, exp.Expr]],
    stored: Container[str],
    never: Container[str] = (),
) -> Q:
    """WITH these queries, of which those are stored that are read twice; others never."""
    for name, below in ctes:
        read = True if name in stored else False if name in never else None
        query = query.with_(identifier(name), as_=below, materialized=read, copy=False)
    return query


def selected(name: str, items: Iterable[Sql], by: Sequence[Sql] = ()) -> exp.Select:
    """SELECT items FROM one of the WITH queries, by groups."""
    select = exp.Select().select(*items, copy=False).from_(table(name), copy=False)
    return select.group_by(*by, copy=False) if by else select


def beside(select: exp.Select, name: str, on: Sql, side: str | None = None) -> exp.Select:
    """JOIN one of the WITH queries."""
    return select.join(exp.Join(this=table(name), side=side, on=on), copy=False)


def parsed(text: str) -> exp.Query:
    """A query of our own as a tree, whose top is the caller's; what is below it is others', too."""
    tree = _read_once(text)
    top = tree.__class__()
    top.args = dict(tree.args)  # more can be added to it: its builders make new lists
    return top


@lru_cache(maxsize=1024)
def _read_once(text: str) -> exp.Query:
    found = parse_one(text, dialect="duckdb")
    assert isinstance(found, exp.Query)
    return found


# --- plans ---------------------------------------------------------------------------------------


def joined(plan: Plan, source: Source) -> tuple[exp.Select, dict[int, Sql]]:
    """SELECT without columns yet, FROM and WHERE of a plan's rows; and how its columns are written.

    Every predicate of inner joins goes to WHERE: that is the same, and reads best.
    """
    return StatementPrinter(source).rows(plan)


def nested(plan: Plan, source: Source) -> exp.Select:
    """A whole plan; its output columns are called c<id>."""
    return StatementPrinter(source).query(plan)


def output_name(plan_column_id: int) -> str:
    """What `nested` calls a column."""
    return f"c{plan_column_id}"


class StatementPrinter:
    """Prints one statement; tables get the aliases t1, t2, …, and subqueries q1, q2, …"""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.tables = self.queries = 0

    def rows(self, plan: Plan) -> tuple[exp.Select, dict[int, Sql]]:
        """SELECT … FROM … WHERE for the rows of `plan`, without columns yet."""
        items: list[Sql] = []
        predicates: list[Sql] = []
        names = self._collect(plan, items, predicates)
        select = exp.Select()
        for number, item in enumerate(items):
            select = select.from_(item, copy=False) if number == 0 else cross(select, item)
        for predicate in predicates:
            select = select.where(predicate, copy=False)
        return select, names

    def query(self, plan: Plan) -> exp.Select:
        """One SELECT for `plan`; Project, Limit and Sort above one another share it."""
        project, limit, sort, below = None, None, None, plan
        if isinstance(below, Project):
            project, below = below, below.input
        if isinstance(below, Limit):
            limit, below = below, below.input
        if isinstance(below, Sort):
            sort, below = below, below.input
        alone = project is None and sort is None and limit is None
        if isinstance(below, Aggregate) and alone:
            return self._aggregate(below)
        if isinstance(below, Window) and alone:
            return self._window(below)
        select, names = self.rows(below)
        if project is not None:
            items = [aliased(scalar(e, names), output_name(c.id)) for c, e in project.items]
        else:
            items = [aliased(names[c.id], output_name(c.id)) for c in plan.columns]
        select = select.select(*_some(items), copy=False)
        if sort is not None:
            select = select.order_by(*_sorted(sort.keys, names), copy=False)
        if limit is not None:
            if limit.count is not None:
                select = select.limit(limit.count, copy=False)
            if limit.offset:
                select = select.offset(limit.offset, copy=False)
        return select

    def _collect(self, plan: Plan, items: list[Sql], predicates: list[Sql]) -> dict[int, Sql]:
        """FROM items and predicates of a tree of inner joins; how its columns are written."""
        if isinstance(plan, OneRow):
            return {}
        if isinstance(plan, Filter):
            names = self._collect(plan.input, items, predicates)
            predicates.append(scalar(plan.predicate, names))
            return names
        if isinstance(plan, Join) and plan.kind in ("inner", "matched"):
            names = self._collect(plan.left, items, predicates)
            names |= self._collect(plan.right, items, predicates)
            if plan.condition is not None:
                predicates.append(scalar(plan.condition, names))
            return names
        if isinstance(plan, Join) and plan.mark is not None:
            names = self._collect(plan.left, items, predicates)
            names[plan.mark.id] = self._exists(plan, names)
            return names
        item, names = self._item(plan)
        items.append(item)
        return names

    def _exists(self, plan: Join, names: dict[int, Sql]) -> Sql:
        select, inner = self.rows(plan.right)
        select = select.select(exp.Literal.number(1), copy=False)
        if plan.condition is not None:
            condition = scalar(plan.condition, {**names, **inner})
            select = select.where(condition, copy=False)
        return exp.Exists(this=select)

    def _item(self, plan: Plan) -> tuple[Sql, dict[int, Sql]]:
        """A table or a subquery after FROM."""
        if isinstance(plan, Scan):
            self.tables += 1
            alias = f"t{self.tables}"
            names: dict[int, Sql] = {
                c.id: column(alias, f) for f, c in zip(plan.fields, plan.columns, strict=True)
            }
            return with_alias(rows_of(plan.table, self.source), alias), names
        self.queries += 1
        alias = f"q{self.queries}"
        if isinstance(plan, Released):
            fields = {
                c.id: column(alias, f) for f, c in zip(plan.fields, plan.columns, strict=True)
            }
            return table(plan.name, alias=alias), dict(fields)
        names = {c.id: column(alias, output_name(c.id)) for c in plan.columns}
        if isinstance(plan, Union) and _constant(plan):
            return self._values(plan, alias), names
        if isinstance(plan, Union):
            query: exp.Query = self._union(plan)
        elif isinstance(plan, Join) and plan.kind in ("left", "full"):
            query = self._outer(plan)
        else:
            query = self.query(plan)
        return query.subquery(alias=identifier(alias), copy=False), names

    def _outer(self, plan: Join) -> exp.Select:
        """LEFT and FULL JOIN."""
        left, names = self._item(plan.left)
        right, right_names = self._item(plan.right)
        names |= right_names
        on = exp.Boolean(this=True) if plan.condition is None else scalar(plan.condition, names)
        select = exp.Select().from_(left, copy=False)
        select = select.join(exp.Join(this=right, side=plan.kind.upper()), on=on, copy=False)
        items = [aliased(names[c.id], output_name(c.id)) for c in plan.columns]
        return select.select(*_some(items), copy=False)

    def _values(self, plan: Union, alias: str) -> Sql:
        """Rows of constants as one list: the engine's time for a UNION grows with its square. Types
        are the same, since both have the widest type of their rows, which are of one.
        """
        rows = [
            exp.Tuple(expressions=[scalar(e, {}) for _, e in branch.items])
            for branch in plan.branches
            if isinstance(branch, Project)
        ]
        columns = [identifier(output_name(c.id)) for c in plan.columns]
        named = exp.TableAlias(this=identifier(alias), columns=columns)
        return exp.Values(expressions=rows, alias=named)

    def _union(self, plan: Union) -> exp.Query:
        result: exp.Query | None = None
        for branch in plan.branches:
            select, names = self.rows(branch)
            items = [
                aliased(names[mine.id], output_name(out.id))
                for mine, out in zip(branch.columns, plan.columns, strict=True)
            ]
            select = select.select(*_some(items), copy=False)
            if result is None:
                result = select
            else:  # a copy of all that is there already, for each branch, would be quadratic
                result = exp.union(result, select, distinct=False, copy=False)
        assert result is not None
        return result

    def _aggregate(self, plan: Aggregate) -> exp.Select:
        select, names = self.rows(plan.input)
        keys = [key_value(e, names) for _, e in plan.keys]
        items = [aliased(k, output_name(c.id)) for k, (c, _) in zip(keys, plan.keys, strict=True)]
        stored = any(isinstance(node, Scan) for node in nodes(plan.input))
        for out, call in plan.calls:
            made = _arguments(call, out.type, names, stored)
            value: Sql = exp.Anonymous(this=call.function, expressions=made)
            if call.where is not None:
                where = exp.Where(this=scalar(call.where, names))
                value = exp.Filter(this=value, expression=where)
            items.append(aliased(_as(value, out.type), output_name(out.id)))
        if not items:  # an aggregate of which nothing is read is one row all the same
            items.append(aliased(exp.Anonymous(this="count", expressions=[exp.Star()]), "n"))
        select = select.select(*items, copy=False)
        return select.group_by(*keys, copy=False) if keys else select

    def _window(self, plan: Window) -> exp.Select:
        select, names = self.rows(plan.input)
        items = [aliased(names[c.id], output_name(c.id)) for c in plan.input.columns]
        for out, call in plan.calls:
            arguments = [scalar(a, names) for a in call.arguments]
            if call.distinct:
                arguments[0] = exp.Distinct(expressions=[arguments[0]])
            if call.within:
                within = _sorted(call.within, names)
                arguments[-1] = exp.Order(this=arguments[-1], expressions=within)
            value: Sql = exp.Window(
                this=called(call, arguments),
                partition_by=[scalar(p, names) for p in call.partition],
                order=exp.Order(expressions=_sorted(call.order, names)) if call.order else None,
                spec=None if call.frame is None else frame_sql(call.frame),
                over="OVER",
            )
            items.append(aliased(_as(value, out.type), output_name(out.id)))
        return select.select(*items, copy=False)


def _constant(plan: Union) -> bool:
    """Whether all branches are rows of constants."""
    return bool(plan.columns) and all(
        isinstance(b, Project)
        and isinstance(b.input, OneRow)
        and all(isinstance(e, Literal) for _, e in b.items)
        for b in plan.branches
    )


def _arguments(call: AggregateCall, kind: Type, names: Names, stored: bool) -> list[Sql]:
    """What stands in an aggregate's parentheses, if its value is of type `kind`; `stored`: whether
    it is of rows of tables, which the engine may read in another order each time.
    """
    inner: Sql = exp.Star() if call.argument is None else scalar(call.argument, names)
    if call.distinct:
        inner = exp.Distinct(expressions=[inner])
    # MODE takes of values that are equally frequent the least. What is made of no column is one
    # value, which DuckDB would take for the fraction of a PERCENTILE if it were ordered.
    if call.function == "mode" and call.argument is not None and columns_of(call.argument):
        first = exp.Ordered(this=inner, desc=False, nulls_first=False)
        inner = exp.Order(this=inner, expressions=[first])
    arguments = [inner] if call.second is None else [inner, scalar(call.second, names)]
    if call.function == "histogram" and call.parameters:
        assert kind.of is not None
        ends = [literal(Literal(end, kind.of)) for end in call.parameters]
        arguments.append(exp.Array(expressions=ends))
    elif call.function == "string_agg":
        arguments += [literal(Literal(between, VARCHAR)) for between in call.parameters]
    elif call.parameters:
        parts = [literal(exactly(q)) for q in call.parameters]
        arguments.append(exp.Array(expressions=parts) if kind.name == "LIST" else parts[0])
    ordered = _sorted(call.order, names)
    if call.function in SHOWING and (ordered or stored) and not call.distinct:
        assert call.argument is not None
        ordered += _sorted((SortKey(call.argument, False, False),), names)
    if ordered:
        arguments[-1] = exp.Order(this=arguments[-1], expressions=ordered)
    return arguments


def _as(value: Sql, kind: Type) -> Sql:
    """The value of an aggregate as the type that the plan says; of an ENUM it is one already."""
    return value if kind.name == "ENUM" or kind.is_opaque else cast(value, kind)


def _some(items: Sequence[Sql]) -> Sequence[Sql]:
    """The items, or a constant where there is none: SELECT needs one."""
    return items or [exp.Literal.number(1)]


def _sorted(keys: tuple[SortKey, ...], names: Names) -> list[exp.Ordered]:
    return [
        exp.Ordered(this=key_value(k.expr, names), desc=k.descending, nulls_first=k.nulls_first)
        for k in keys
    ]


def key_value(expr: Expr, names: Names) -> Sql:
    """What is grouped or ordered by. A constant with its type, whatever function it is of: to the
    engine a number there means a column's position, and some functions are printed as one.
    """
    value = scalar(expr, names)
    return value if columns_of(expr) else cast(value, expr.type)
