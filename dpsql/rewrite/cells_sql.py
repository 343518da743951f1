"""Cells -> SQL. The per-unit form:

    WITH cells AS (SELECT unit AS u, key AS k0, COUNT(*) AS n, SUM(x) AS s0 … GROUP BY u, k0),
         heavy AS (SELECT u, SUM(n) AS total FROM cells GROUP BY u HAVING SUM(n) > R),
         shares AS (SELECT k0, <n kept>, s0 FROM cells LEFT JOIN heavy ON cells.u = heavy.u),
         kept  AS (SELECT k0, n, <s0 inside n·[low, high]> FROM shares)
    SELECT k0, SUM(n), SUM(s0) FROM kept GROUP BY k0

`heavy` is empty where the declared bound is true, and then costs one pass over the cells.
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from dpsql.plan.expr import Literal
from dpsql.plan.nodes import Plan, Released, nodes
from dpsql.rewrite.attach_unit import UnitPath
from dpsql.rewrite.cells import Cells, Input
from dpsql.rewrite.lattice import OnLattice
from dpsql.rewrite.staged import staged, with_stages
from dpsql.sql.emit import (
    Source,
    aliased,
    column,
    cross,
    identifier,
    joined,
    key_value,
    literal,
    scalar,
    with_alias,
)
from dpsql.sql.emit import table as sql_table
from dpsql.sql.functions.spec import case_when, cast, data_type, not_null, op
from dpsql.types import BIGINT, HUGEINT, INTEGER, VARCHAR, Type, decimal

Sql = exp.Expr


def cells_sql(cells: Cells, source: Source) -> exp.Query:
    """The SELECT of the cells; see `Cells` for its columns. Released rows that it reads are a WITH
    query over its named parameters, a list for each column.
    """
    plan, stages = staged(cells.plan)
    below = replace(cells, plan=plan)
    select = _plain(below, source) if cells.quota is None else _bounded(below, source)
    return with_feeds(with_stages(select, stages, source), cells.plan)


def with_feeds(query: exp.Query, plan: Plan) -> exp.Query:
    """The statement after the WITH queries of the released rows that `plan` reads."""
    fed = feeds_of(plan)
    before = [] if query.args.get("with_") is None else list(query.args["with_"].expressions)
    if fed:
        query.set("with_", exp.With(expressions=[*map(_feed, fed), *before]))
    return query


def feeds_of(plan: Plan) -> list[Released]:
    """The released rows that a release's rows are made from, each once."""
    found = {node.name: node for node in nodes(plan) if isinstance(node, Released)}
    return list(found.values())


def parameter(feed: str, field: str) -> str:
    """The name of the parameter that holds a column of a feed."""
    return f"{feed}_{field}"


def feed_sql(node: Released) -> exp.Select:
    """The rows of a feed from its parameters; every column of exactly the type that the plan says,
    so that nothing around it is cast by the engine in a way that the plan does not know.

    A type of which a value may change on its way through Python (a date beyond the year 9999, a
    DECIMAL beside one of other digits) travels as its text, which the engine reads back exactly.
    """
    items: list[Sql] = []
    for plan_column, field in zip(node.columns, node.fields, strict=True):
        kind = loaded_type(plan_column.type)
        values: Sql = exp.Placeholder(this=parameter(node.name, field))
        if not travels(kind):
            values = _listed(values, VARCHAR)  # read from text
        items.append(
            aliased(exp.Anonymous(this="unnest", expressions=[_listed(values, kind)]), field)
        )
    return exp.Select(expressions=items)


def loaded_type(kind: Type) -> Type:
    """The type of a feed's column. What functions do with an ENUM they do with its text, and of an
    opaque value nothing is used but whether it is NULL.
    """
    if kind.name == "NULL":
        return INTEGER  # a NULL of any type
    return VARCHAR if kind.name == "ENUM" or kind.is_opaque else kind


def travels(kind: Type) -> bool:
    """Whether every value of a type is the same after it was a Python object among others."""
    short = kind.is_integer and kind.name != "HUGEINT"
    return short or kind.is_boolean or kind.is_float or kind.name == "VARCHAR"


def _listed(values: Sql, kind: Type) -> Sql:
    """CAST(values AS kind[])"""
    array = exp.DataType(this=exp.DataType.Type.ARRAY, expressions=[data_type(kind)], nested=True)
    return exp.Cast(this=values, to=array)


def _feed(node: Released) -> exp.CTE:
    alias = exp.TableAlias(this=identifier(node.name))
    return exp.CTE(this=feed_sql(node), alias=alias, materialized=True)


def _measured(inputs: tuple[Input, ...]) -> list[tuple[str, str, int]]:
    """What is aggregated beside COUNT(*): a name, COUNT or SUM, and of which input."""
    found: list[tuple[str, str, int]] = []
    for i, item in enumerate(inputs):
        found += [(f"n{i}", "count", i)] if item.counted else []
        found += [(f"s{i}", "sum", i)] if item.total is not None else []
    return found


def _read(inputs: tuple[Input, ...]) -> list[int]:
    """The inputs of which something is aggregated."""
    return sorted({i for _, _, i in _measured(inputs)})


def _aggregates(cells: Cells, values: dict[int, Sql]) -> list[Sql]:
    """COUNT(*) AS n, COUNT(x) AS n0, SUM(x) AS s0, …; `values` are those of the inputs."""
    items: list[Sql] = [aliased(_call("count", exp.Star()), "n")]
    for name, function, i in _measured(cells.inputs):
        items.append(aliased(_call(function, values[i]), name))
    return items


def _call(name: str, argument: Sql) -> Sql:
    return exp.Anonymous(this=name, expressions=[argument])


def located(
    path: UnitPath | None,
    unit_not_null: bool,
    select: exp.Select,
    names: dict[int, Sql],
    source: Source,
) -> tuple[exp.Select, Sql | None]:
    """The path's tables joined to `select`, and the unit's column."""
    if path is None:
        return select, None
    for number, step in enumerate(path.steps, 1):
        alias = f"p{number}"
        select = cross(select, with_alias(source(step.scan.table), alias))
        for field, plan_column in zip(step.scan.fields, step.scan.columns, strict=True):
            names[plan_column.id] = column(alias, field)
        on = op(exp.EQ, names[step.column.id], names[step.key.id])
        select = select.where(on, copy=False)
    unit = names[path.unit.id]
    if unit_not_null:
        select = select.where(not_null(unit), copy=False)
    return select, unit


def _plain(cells: Cells, source: Source) -> exp.Select:
    select, names = joined(cells.plan, source)
    select, _ = located(cells.path, cells.unit_not_null, select, names, source)
    keys = [key_value(e, names) for _, e in cells.keys]
    here: dict[int, Sql] = {c.id: k for k, (c, _) in zip(keys, cells.keys, strict=True)}
    for member in cells.members:
        select = select.where(scalar(member, here), copy=False)
    values = {i: scalar(cells.inputs[i].expr, names) for i in _read(cells.inputs)}
    items = [aliased(k, f"k{i}") for i, k in enumerate(keys)]
    select = select.select(*items, *_aggregates(cells, values), copy=False)
    return select.group_by(*keys, copy=False) if keys else select


def unit_cells(cells: Cells, source: Source) -> list[tuple[str, exp.Select]]:
    """The WITH queries up to "cells": the sums of each unit u in each group k0, k1, …"""
    assert cells.path is not None
    ctes: list[tuple[str, exp.Select]] = []
    keys = [f"k{i}" for i in range(len(cells.keys))]
    if cells.path.steps:
        # The rows first, then their unit: the join meets only the rows that pass the filters.
        ctes.append(("rows", _rows(cells, source)))
        select = exp.Select().from_(sql_table("rows", alias="r"), copy=False)
        names: dict[int, Sql] = {cells.path.steps[0].column.id: column("r", "fk")}
        select, unit = located(cells.path, cells.unit_not_null, select, names, source)
        key_values: list[Sql] = [column("r", k) for k in keys]
        values: dict[int, Sql] = {i: column("r", f"x{i}") for i in _read(cells.inputs)}
    else:
        select, names = joined(cells.plan, source)
        select, unit = located(cells.path, cells.unit_not_null, select, names, source)
        key_values = [key_value(e, names) for _, e in cells.keys]
        values = {i: scalar(cells.inputs[i].expr, names) for i in _read(cells.inputs)}
    assert unit is not None
    items = [aliased(unit, "u")]
    items += [aliased(v, k) for v, k in zip(key_values, keys, strict=True)]
    select = select.select(*items, *_aggregates(cells, values), copy=False)
    groups = [unit, *key_values]
    ctes.append(("cells", select.group_by(*groups, copy=False)))
    return ctes


def _bounded(cells: Cells, source: Source) -> exp.Select:
    assert cells.quota is not None
    ctes = unit_cells(cells, source)
    keys = [f"k{i}" for i in range(len(cells.keys))]
    if keys and not cells.per_group:
        ctes.append(("heavy", _heavy(cells.quota)))
    ctes.append(("shares", _shares(cells, keys)))
    ctes.append(("kept", _kept(cells, keys)))
    result = exp.Select().from_(sql_table("kept"), copy=False)
    stored = ("rows", "cells", "heavy")
    for name, query in ctes:
        result = result.with_(
            identifier(name), as_=query, materialized=name in stored or None, copy=False
        )
    sums = [_call("sum", column("kept", name)) for name in _columns(cells.inputs)]
    outputs = [column("kept", k) for k in keys]
    result = result.select(*outputs, *sums, copy=False)
    return result.group_by(*outputs, copy=False) if keys else result


def _columns(inputs: tuple[Input, ...]) -> list[str]:
    return ["n", *(name for name, _, _ in _measured(inputs))]


def _rows(cells: Cells, source: Source) -> exp.Select:
    assert cells.path is not None
    select, names = joined(cells.plan, source)
    items = [aliased(names[cells.path.steps[0].column.id].copy(), "fk")]
    items += [aliased(scalar(e, names), f"k{i}") for i, (_, e) in enumerate(cells.keys)]
    items += [aliased(scalar(cells.inputs[i].expr, names), f"x{i}") for i in _read(cells.inputs)]
    return select.select(*items, copy=False)


def _heavy(quota: int) -> exp.Select:
    total = _call("sum", column("cells", "n"))
    select = exp.Select().from_(sql_table("cells"), copy=False)
    items = [column("cells", "u"), aliased(cast(total, BIGINT), "total")]
    select = select.select(*items, copy=False).group_by(column("cells", "u"), copy=False)
    return select.having(op(exp.GT, total, _whole(quota)), copy=False)


def _whole(value: int) -> Sql:
    return literal(Literal(value, BIGINT))


def _shares(cells: Cells, keys: list[str]) -> exp.Select:
    """Each unit's counts, cut down where the unit has more than its quota of rows."""
    assert cells.quota is not None
    quota = _whole(cells.quota)
    select = exp.Select().from_(sql_table("cells"), copy=False)
    if keys and not cells.per_group:
        same = op(exp.EQ, column("cells", "u"), column("heavy", "u"))
        select = select.join(sql_table("heavy"), on=same, join_type="left", copy=False)
        total: Sql = column("heavy", "total")
        light: Sql = exp.Paren(this=exp.Is(this=total, expression=exp.Null()))
    else:
        total = column("cells", "n")
        light = op(exp.LTE, total, quota)
    here: dict[int, Sql] = {
        c.id: column("cells", k) for k, (c, _) in zip(keys, cells.keys, strict=True)
    }
    for member in cells.members:
        select = select.where(scalar(member, here), copy=False)
    items: list[Sql] = [aliased(column("cells", k), k) for k in keys]
    for name in _columns(cells.inputs):
        value: Sql = column("cells", name)
        if name.startswith("n"):
            wide = op(exp.Mul, cast(value, HUGEINT), quota)
            share = cast(op(exp.IntDiv, wide, total), BIGINT)
            value = case_when([(light, value)], share)
        items.append(aliased(value, name))
    return select.select(*items, copy=False)


def _kept(cells: Cells, keys: list[str]) -> exp.Select:
    """Each unit's sums inside what its counts allow; a unit within its quota is not changed."""
    items: list[Sql] = [column("shares", k) for k in keys]
    items.append(column("shares", "n"))
    for i, item in enumerate(cells.inputs):
        count = column("shares", f"n{i}" if item.counted else "n")
        if item.counted:
            items.append(count)
        if item.total is not None:
            clamped = _clamped(item.total, column("shares", f"s{i}"), count)
            items.append(aliased(clamped, f"s{i}"))
    select = exp.Select().from_(sql_table("shares"), copy=False)
    return select.select(*items, copy=False)


def _clamped(lattice: OnLattice, value: Sql, kept: Sql) -> Sql:
    """The sum inside kept·[low, high], in the sum's own type: a mixed CASE would round it."""
    kind = lattice.expr.type

    def times(steps: int) -> Sql:
        if kind.is_decimal:
            assert kind.scale is not None
            bound = literal(Literal(steps * lattice.step, decimal(18, kind.scale)))
            return cast(op(exp.Mul, kept, bound), decimal(38, kind.scale))
        return op(exp.Mul, cast(kept, HUGEINT), _whole(steps))

    low = (op(exp.LT, value, times(lattice.low)), times(lattice.low))
    high = (op(exp.GT, value, times(lattice.high)), times(lattice.high))
    return case_when([low, high], value)
