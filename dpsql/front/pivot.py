"""PIVOT and UNPIVOT, as DuckDB has them, in terms of SELECT.

    t PIVOT (SUM(x) FOR c IN ('a', 'b') GROUP BY k)

    SELECT k, MAX(s) FILTER (WHERE cell = 0) AS a, MAX(s) FILTER (WHERE cell = 1) AS b
    FROM (SELECT k, CASE WHEN c = 'a' THEN 0 WHEN c = 'b' THEN 1 END AS cell, SUM(x) AS s
          FROM t GROUP BY k, cell)
    GROUP BY k

The cells are groups, so that over private rows all of them are one release: a row is in one cell
only, and counts once. UNPIVOT is a UNION ALL of its columns.
"""

from __future__ import annotations

import math
from datetime import date
from itertools import product

from sqlglot import exp

from dpsql.core.functions.build import make
from dpsql.core.functions.spec import TypeMismatch, coerce
from dpsql.core.functions.typing import common
from dpsql.core.plan.expr import Call, Column, Expr, Literal, Ref
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import (
    Aggregate,
    Filter,
    Join,
    Limit,
    Named,
    Plan,
    Project,
    Scan,
    Sort,
    Union,
)
from dpsql.core.plan.values import Values, enumerate_interval, of_type
from dpsql.front import structs
from dpsql.front.bind_calls import is_aggregate
from dpsql.front.bind_expr import ExpressionBinder
from dpsql.front.bind_select import SelectBinder
from dpsql.front.parse import only, reject, set_span, span_of
from dpsql.front.place import BoundQuery, Outer
from dpsql.front.scope import Relation, Scope, fold, marked
from dpsql.types import BOOLEAN, VARCHAR, Scalar

MAX_CELLS = 500
"""How many columns PIVOT makes at most, and from how many values."""

Cell = tuple[str, exp.Expr]
"""A value of PIVOT: what its column is called, and the condition that a row has it."""


def statement(node: exp.Pivot) -> exp.Select:
    """PIVOT t ON c IN (…) USING … GROUP BY k, and UNPIVOT t ON …, as SELECT * FROM t PIVOT (…)."""
    only(node, "this", "expressions", "using", "group", "unpivot", "into", "include_nulls", "with_")
    found = node.copy()
    pivot = exp.Pivot(unpivot=bool(found.args.get("unpivot")))
    if pivot.args["unpivot"]:
        into = found.args.get("into")
        value = into.expressions if into else [exp.to_identifier("value")]
        name = into.this if into else exp.to_identifier("name")
        pivot.set("expressions", value)
        pivot.set("fields", [exp.In(this=name, expressions=found.expressions)])
        pivot.set("include_nulls", found.args.get("include_nulls"))
    else:
        pivot.set("expressions", found.args.get("using") or [exp.Count(this=exp.Star())])
        pivot.set("fields", found.expressions)
        pivot.set("group", found.args.get("group"))
    source = found.this
    source.set("pivots", [*(source.args.get("pivots") or []), pivot])
    select = exp.Select(expressions=[exp.Star()], from_=exp.From(this=source))
    if found.args.get("with_"):
        select.set("with_", found.args["with_"])
    span = span_of(node)
    for made in (pivot, select):
        if span is not None:
            set_span(made, span)
    return select


def pivoted(ids: Ids, node: exp.Pivot, scope: Scope, plan: Plan) -> Relation:
    """The rows of a FROM item, pivoted; without an alias.

    Raises:
        Rejected: DP1xx and DP2xx, DP303 where no list of values is public.
    """
    if node.args.get("unpivot"):
        return _unpivoted(ids, node, scope, plan)
    only(node, *_ALLOWED)
    if not node.args.get("fields"):
        raise reject("DP205", "PIVOT needs the columns whose values become columns", node)
    fields = [_field(field, scope, plan) for field in node.args["fields"]]
    using = list(node.expressions)
    if max(1, len(using)) * math.prod(len(cells) for _, cells in fields) > MAX_CELLS:
        raise reject("DP103", f"PIVOT makes more than {MAX_CELLS} columns", node)
    cells = list(product(*(cells for _, cells in fields)))
    for item in using:
        function = _function(item)
        plain = is_aggregate(function) and not isinstance(function, exp.Grouping | exp.GroupingId)
        if not plain or item.find(exp.Query):
            raise reject("DP205", "PIVOT takes aggregates alone", item)
    keys = _keys(node, [column for column, _ in fields], scope)
    inner = _bound(ids, _groups(keys, cells, using), scope, plan)
    return _columns(ids, inner, len(keys), cells, using)


_ALLOWED = ("expressions", "fields", "group", "alias", "columns", "pivot_column_naming")


def _bound(ids: Ids, query: exp.Select, scope: Scope, plan: Plan) -> Relation:
    def inner(node: exp.Expr, around: Outer) -> BoundQuery:
        raise reject("DP104", "a subquery in PIVOT is not supported", node)

    found, names = SelectBinder(ids, query, scope, plan, inner, None).bind()
    return Relation("", found, tuple(zip(names, found.columns, strict=True)))


# --- the values ---


def _field(node: exp.Expr, scope: Scope, plan: Plan) -> tuple[exp.Column, list[Cell]]:
    """FOR c IN (…): the column, and its values."""
    place = node.this if isinstance(node, exp.In) else node
    if not isinstance(place, exp.Column):
        help = "name it in a subquery, and pivot by that name"
        raise reject("DP104", "PIVOT by an expression is not supported", node, help)
    column = scope.resolve(place)
    if column is None:
        raise scope.unknown(place)
    if not isinstance(node, exp.In):
        known = sorted(_declared(place, column, plan), key=_text)  # as DuckDB has them
        return place, [_cell(place, v, _text(v)) for v in known]
    only(node, "this", "expressions")
    cells = [_written(place, column, value) for value in node.expressions]
    names = [name for name, _ in cells]
    if not cells or len(set(names)) < len(names):
        raise reject("DP205", "PIVOT … IN needs different values", node)
    return place, cells


def _written(place: exp.Column, column: Column, node: exp.Expr) -> Cell:
    value = node.this if isinstance(node, exp.PivotAlias | exp.Alias) else node
    bound = ExpressionBinder(Scope()).bind(value)
    if not isinstance(bound, Literal):
        raise reject("DP104", "PIVOT … IN takes constants", value)
    constant, kind = bound.value, column.type
    # DuckDB compares texts here, so that 01 is not the number 1: only what is one text for sure.
    fits = (
        constant is None
        or (kind.is_integer and type(constant) is int)
        or (kind.is_boolean and isinstance(constant, bool))
        or (kind.name in ("VARCHAR", "ENUM") and isinstance(constant, str))
        or (kind.name == "DATE" and _text(_date(constant)) == _text(constant))
    )
    if not fits:
        raise reject("DP205", f"PIVOT … IN needs values of the column, which is {kind}", value)
    return _cell(
        place, constant, _text(constant) if value is node else str(node.args["alias"].name)
    )


def _date(value: Scalar | None) -> Scalar | None:
    if not isinstance(value, str):
        return value if type(value) is date else None
    try:
        return date.fromisoformat(value)
    except ValueError:
        return None


def _text(value: Scalar | None) -> str:
    """A value as DuckDB writes it in the name of its column."""
    if value is None:
        return "NULL"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _cell(place: exp.Column, value: Scalar | None, name: str) -> Cell:
    if value is None:
        return name, exp.Is(this=place.copy(), expression=exp.Null())
    constant: exp.Expr = exp.Literal.string(str(value))
    if isinstance(value, bool):
        constant = exp.Boolean(this=value)
    elif isinstance(value, int):
        number = exp.Literal.number(abs(value))
        constant = exp.Neg(this=number) if value < 0 else number
    return name, exp.EQ(this=place.copy(), expression=constant)


def _declared(place: exp.Column, column: Column, plan: Plan) -> tuple[Scalar, ...]:
    """The values of a column by its type or by the policy."""
    known = of_type(column.type).finite
    source = _source(plan, column)
    if source is not None:
        scan, position = source
        declared = scan.table.column(scan.fields[position])
        if declared is not None and declared.values is not None:
            known = declared.values
        elif declared is not None and declared.bounds is not None and known is None:
            known = enumerate_interval(Values(*declared.bounds), column.type)
    if not known:
        message = f"the values of {column.name} are private: no public list of columns is known"
        raise reject(
            "DP303", message, place, "list them: IN (…), or declare `values` in the policy"
        )
    if len(known) > MAX_CELLS:
        raise reject("DP103", f"PIVOT makes more than {MAX_CELLS} columns", place)
    return known


def _source(plan: Plan, column: Column) -> tuple[Scan, int] | None:
    """The table's column that a column is, unchanged."""
    if isinstance(plan, Project | Aggregate):
        made = plan.items if isinstance(plan, Project) else plan.keys
        found = next((e for c, e in made if c.id == column.id), None)
        return _source(plan.input, found.column) if isinstance(found, Ref) else None
    position = next((i for i, c in enumerate(plan.columns) if c.id == column.id), None)
    if position is None:
        return None
    if isinstance(plan, Scan):
        return plan, position
    if isinstance(plan, Named):
        return _source(plan.query, plan.query.columns[position])
    if isinstance(plan, Filter | Sort | Limit):
        return _source(plan.input, column)
    if isinstance(plan, Join):
        return _source(plan.left, column) or _source(plan.right, column)
    return None


# --- the aggregates ---


def _unaliased(item: exp.Expr) -> exp.Expr:
    return item.this if isinstance(item, exp.Alias) else item


def _function(item: exp.Expr) -> exp.Expr:
    """The aggregate, without a name and without its FILTER."""
    value = _unaliased(item)
    return value.this if isinstance(value, exp.Filter) else value


def _keys(node: exp.Pivot, pivoted: list[exp.Column], scope: Scope) -> list[exp.Expr]:
    """The columns of GROUP BY; without it, those that nothing else in PIVOT names."""
    group = node.args.get("group")
    if group is not None:
        only(group, "expressions")
        for key in group.expressions:
            if not isinstance(key, exp.Column):
                raise reject("DP104", "GROUP BY of PIVOT takes columns", key)
        return [exp.alias_(key.copy(), key.name, quoted=True) for key in group.expressions]
    named = [*pivoted, *(c for item in node.expressions for c in item.find_all(exp.Column))]
    used = {fold(c.name) for c in named}
    keys: list[exp.Expr] = []
    structs.refuse((name for name, _ in scope.star(None)), "and no key of PIVOT", node)
    for name, column in scope.star(None):
        if fold(name) not in used:
            keys.append(exp.alias_(marked(column, span_of(node)), name, quoted=True))
    return keys


def _groups(
    keys: list[exp.Expr], cells: list[tuple[Cell, ...]], using: list[exp.Expr]
) -> exp.Select:
    """The aggregates for each key and each cell; rows of no cell have a group of their own."""
    ifs = [
        exp.If(this=exp.and_(*(c for _, c in cell)), true=exp.Literal.number(number))
        for number, cell in enumerate(cells)
    ]
    items = [*keys, exp.alias_(exp.Case(ifs=ifs), "cell")]
    group = exp.Group(expressions=[exp.Literal.number(n) for n in range(1, len(items) + 1)])
    items += [exp.alias_(_unaliased(item).copy(), "part") for item in using]
    return exp.Select(expressions=items, group=group)


def _columns(
    ids: Ids, inner: Relation, width: int, cells: list[tuple[Cell, ...]], using: list[exp.Expr]
) -> Relation:
    """One column for each cell and each aggregate."""
    _, held = inner.columns[width]
    items: list[exp.Expr] = [
        exp.alias_(marked(column, None), name, quoted=True)
        for name, column in inner.columns[:width]
    ]
    for number, cell in enumerate(cells):
        prefix = "_".join(name for name, _ in cell)
        for item, (_, part) in zip(using, inner.columns[width + 1 :], strict=True):
            here = exp.EQ(this=marked(held, None), expression=exp.Literal.number(number))
            value: exp.Expr = exp.Max(this=marked(part, span_of(item)))
            value = exp.Filter(this=value, expression=exp.Where(this=here))
            if isinstance(_function(item), exp.Count | exp.CountIf):
                value = exp.Coalesce(this=value, expressions=[exp.Literal.number(0)])
            named = isinstance(item, exp.Alias) or len(using) > 1
            name = f"{prefix}_{_title(item)}" if named else prefix
            items.append(exp.alias_(value, name, quoted=True))
    group = exp.Group(expressions=[exp.Literal.number(n) for n in range(1, width + 1)])
    query = exp.Select(expressions=items, group=group if width else None)
    return _bound(ids, query, Scope((inner,)), inner.plan)


def _title(item: exp.Expr) -> str:
    """What DuckDB calls an aggregate: SUM(x) is sum(x)."""
    if isinstance(item, exp.Alias):
        return item.alias
    text = item.sql(dialect="duckdb", normalize_functions="lower")
    return text.replace("count(*)", "count_star()")


# --- UNPIVOT ---


def _unpivoted(ids: Ids, node: exp.Pivot, scope: Scope, plan: Plan) -> Relation:
    only(node, "expressions", "fields", "alias", "unpivot", "include_nulls")
    structs.refuse((name for name, _ in scope.star(None)), "and no value for UNPIVOT", node)
    fields = node.args["fields"]
    if len(node.expressions) != 1 or len(fields) != 1 or not fields[0].expressions:
        raise reject("DP104", "UNPIVOT into several columns is not supported", node)
    parts = [found for part in fields[0].expressions for found in _parts(part, scope)]
    try:
        kind = common(tuple(Ref(column) for _, column in parts), "values")
    except TypeMismatch as mismatch:
        raise reject("DP205", f"UNPIVOT: {mismatch.message}", node) from None
    chosen = {column.id for _, column in parts}
    rest = [(name, column) for name, column in scope.star(None) if column.id not in chosen]
    branches: list[Plan] = []
    for name, column in parts:
        own = tuple(ids.column(c.name, c.type) for c in plan.columns)
        here = {old.id: Ref(new) for old, new in zip(plan.columns, own, strict=True)}
        rows: Plan = Named(plan, own, span_of(node))
        if not node.args.get("include_nulls"):
            missing = make("is_null", (here[column.id],), span_of(node))
            rows = Filter(rows, Call("not", (missing,), BOOLEAN, span_of(node)))
        items: list[Expr] = [here[c.id] for _, c in rest]
        items += [Literal(name, VARCHAR), coerce(here[column.id], kind)]
        branches.append(Project(rows, tuple((ids.column("part", e.type), e) for e in items)))
    names = [*(name for name, _ in rest), fields[0].this.name, node.expressions[0].name]
    kinds = [*(c.type for _, c in rest), VARCHAR, kind]
    columns = tuple(ids.column(n, k) for n, k in zip(names, kinds, strict=True))
    union = Union(tuple(branches), columns, span_of(node))
    return Relation("", union, tuple(zip(names, columns, strict=True)))


def _parts(node: exp.Expr, scope: Scope) -> list[tuple[str, Column]]:
    """A column of UNPIVOT, or those that COLUMNS(* EXCLUDE …) means; with their names."""
    star = node.this if isinstance(node, exp.Columns) else node
    if isinstance(star, exp.Star):
        only(star, "except_")
        dropped = {fold(c.name) for c in star.args.get("except_") or []}
        return [(name, c) for name, c in scope.star(None) if fold(name) not in dropped]
    place = node.this if isinstance(node, exp.PivotAlias | exp.Alias) else node
    if not isinstance(place, exp.Column):
        raise reject("DP104", "UNPIVOT takes columns", node, "compute them in a subquery")
    column = scope.resolve(place)
    if column is None:
        raise scope.unknown(place)
    return [(place.name if place is node else str(node.args["alias"].name), column)]
