"""Plan -> SQL. Everything that the engine runs on private data is printed here, from the plan:
fully parenthesised, every name quoted and qualified, every type explicit where it matters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime
from fractions import Fraction

from sqlglot import exp

from dpsql.plan.expr import Case, Expr, Literal, Ref
from dpsql.plan.nodes import (
    Aggregate,
    Distinct,
    Filter,
    Join,
    Limit,
    OneRow,
    Plan,
    Project,
    Released,
    Scan,
    Sort,
)
from dpsql.policy.schema import Table
from dpsql.sql.functions import BY_NAME
from dpsql.sql.functions.spec import case_when, cast
from dpsql.sql.functions.typing import MAX_DIGITS, literal_type
from dpsql.types import Type

Sql = exp.Expr
Names = Mapping[int, Sql]
"""How each plan column is written at one place."""

Source = Callable[[Table], Sql]
"""How a declared table is written after FROM: an exp.Table, or an exp.Subquery without alias."""


def identifier(name: str) -> exp.Identifier:
    """A quoted identifier."""
    return exp.Identifier(this=name, quoted=True)


def column(table: str, name: str) -> exp.Column:
    """A qualified column."""
    return exp.Column(this=identifier(name), table=identifier(table))


def fresh(value: Sql) -> Sql:
    """The same SQL as a tree of its own: each part of a tree has one parent. Columns are made anew,
    which is much faster than copying them.
    """
    if isinstance(value, exp.Column) and value.table:
        return column(value.table, value.name)
    return value.copy()


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
        if len(digits) > MAX_DIGITS:  # 0. and 38 digits: as a plain number a DOUBLE
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
        return fresh(names[expr.column.id])
    if isinstance(expr, Literal):
        return literal(expr)
    if isinstance(expr, Case):
        branches = [(scalar(c, names), scalar(v, names)) for c, v in expr.branches]
        return case_when(branches, scalar(expr.default, names))
    return BY_NAME[expr.function].sql([scalar(a, names) for a in expr.args], expr)


def joined(plan: Plan, source: Source) -> tuple[exp.Select, dict[int, Sql]]:
    """SELECT without columns yet, FROM and WHERE of a tree of inner joins; and its columns' names.

    Every predicate goes to WHERE: for inner joins that is the same, and reads best.
    """
    names: dict[int, Sql] = {}
    scans: list[Scan] = []
    predicates: list[Expr] = []
    _collect(plan, scans, predicates)
    select = exp.Select()
    for number, scan in enumerate(scans, 1):
        alias = f"t{number}"
        for field, plan_column in zip(scan.fields, scan.columns, strict=True):
            names[plan_column.id] = column(alias, field)
        item = with_alias(source(scan.table), alias)
        select = select.from_(item, copy=False) if number == 1 else cross(select, item)
    for predicate in predicates:
        select = select.where(scalar(predicate, names), copy=False)
    return select, names


def cross(select: exp.Select, item: Sql) -> exp.Select:
    """… CROSS JOIN item."""
    return select.join(item, join_type="cross", copy=False)


def with_alias(item: Sql, alias: str) -> Sql:
    """item AS "alias"."""
    item = item.copy()
    item.set("alias", exp.TableAlias(this=identifier(alias)))
    return item


def _collect(plan: Plan, scans: list[Scan], predicates: list[Expr]) -> None:
    if isinstance(plan, Scan):
        scans.append(plan)
    elif isinstance(plan, Filter):
        _collect(plan.input, scans, predicates)
        predicates.append(plan.predicate)
    elif isinstance(plan, Join):
        _collect(plan.left, scans, predicates)
        _collect(plan.right, scans, predicates)
        if plan.condition is not None:
            predicates.append(plan.condition)
    elif not isinstance(plan, OneRow):
        raise AssertionError(f"{type(plan).__name__} in a tree of joins")


# --- any plan, as nested SELECTs: post-processing ------------------------------------------------


def nested(plan: Plan, source: Source) -> exp.Select:
    """A whole plan; its output columns are called c<id>."""
    return _Nested(source).query(plan)


def output_name(plan_column_id: int) -> str:
    """What `nested` calls a column."""
    return f"c{plan_column_id}"


class _Nested:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.aliases = 0

    def query(self, plan: Plan) -> exp.Select:
        """One SELECT for `plan`; Project, Limit and Sort above one another share it."""
        project, limit, sort, below = None, None, None, plan
        if isinstance(below, Project):
            project, below = below, below.input
        if isinstance(below, Limit):
            limit, below = below, below.input
        if isinstance(below, Sort):
            sort, below = below, below.input
        if isinstance(below, Aggregate) and project is None and sort is None and limit is None:
            return self._aggregate(below)
        select, names = self._from(below)
        if project is not None:
            items = [aliased(scalar(e, names), output_name(c.id)) for c, e in project.items]
        else:
            items = [aliased(names[c.id].copy(), output_name(c.id)) for c in plan.columns]
        select = select.select(*items, copy=False)
        if sort is not None:
            keys = [
                exp.Ordered(
                    this=scalar(k.expr, names), desc=k.descending, nulls_first=k.nulls_first
                )
                for k in sort.keys
            ]
            select = select.order_by(*keys, copy=False)
        if limit is not None:
            if limit.count is not None:
                select = select.limit(limit.count, copy=False)
            if limit.offset:
                select = select.offset(limit.offset, copy=False)
        return select

    def _from(self, plan: Plan) -> tuple[exp.Select, dict[int, Sql]]:
        """SELECT … FROM (and WHERE) for the rows of `plan`."""
        if isinstance(plan, OneRow):
            return exp.Select(), {}
        if isinstance(plan, Filter):
            select, names = self._from(plan.input)
            return select.where(scalar(plan.predicate, names), copy=False), names
        if isinstance(plan, Join):
            left, left_names = self._item(plan.left)
            right, right_names = self._item(plan.right)
            names = {**left_names, **right_names}
            select = cross(exp.Select().from_(left, copy=False), right)
            if plan.condition is not None:
                select = select.where(scalar(plan.condition, names), copy=False)
            return select, names
        item, names = self._item(plan)
        return exp.Select().from_(item, copy=False), names

    def _item(self, plan: Plan) -> tuple[Sql, dict[int, Sql]]:
        self.aliases += 1
        alias = f"q{self.aliases}"
        if isinstance(plan, Scan):
            names: dict[int, Sql] = {
                c.id: column(alias, f) for f, c in zip(plan.fields, plan.columns, strict=True)
            }
            return with_alias(self.source(plan.table), alias), names
        names = {c.id: column(alias, output_name(c.id)) for c in plan.columns}
        if isinstance(plan, Released):
            return table(plan.name, alias=alias), names
        if isinstance(plan, Distinct):
            inner = self.query(plan.input)
            return inner.distinct(copy=False).subquery(alias=identifier(alias), copy=False), names
        return self.query(plan).subquery(alias=identifier(alias), copy=False), names

    def _aggregate(self, plan: Aggregate) -> exp.Select:
        select, names = self._from(plan.input)
        # A constant with its type: GROUP BY 5 means the fifth column.
        keys = [
            cast(scalar(e, names), e.type)
            if isinstance(e, Literal) and e.type.is_numeric
            else scalar(e, names)
            for _, e in plan.keys
        ]
        items = [aliased(k, output_name(c.id)) for k, (c, _) in zip(keys, plan.keys, strict=True)]
        for out, call in plan.calls:
            inner = exp.Star() if call.argument is None else scalar(call.argument, names)
            value = exp.Anonymous(this=call.function, expressions=[inner])
            items.append(aliased(cast(value, out.type), output_name(out.id)))
        select = select.select(*items, copy=False)
        return select.group_by(*(k.copy() for k in keys), copy=False) if keys else select
