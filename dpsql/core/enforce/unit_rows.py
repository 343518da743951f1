"""The rows of units -> SQL: where a row's unit is, and the sums of each unit and group.

Units that may have more than R rows can be told before, which are few, so that nothing has to be
known of each other unit in each group:

    WITH base  AS (SELECT unit AS u, key AS k0, x AS x0 …),
         over  AS (SELECT u FROM base GROUP BY u HAVING COUNT(*) > R),
         cells AS (SELECT over.u AS u, k0, COUNT(*) AS n, SUM(x0) AS s0 …
                   FROM base LEFT JOIN over ON base.u = over.u GROUP BY over.u, k0)

Claim: the cells of a unit in `over` are its own, and the one with u NULL has in each group what the
others' come to together, of whom none has more than R rows. Why: each row of `base` meets one row
of `over` at most; SUM and COUNT of parts add up.

Where the rows are those of one table T, each once at most (`Cells.once`), `over` may as well be
told by all rows of T, whatever a query leaves of them:

         over  AS (SELECT unit AS u FROM T, <the path to its unit> GROUP BY u HAVING COUNT(*) > R)

Claim: a unit that is not in it has R rows at most. Why: it has no more rows here than in T. So it
is a query of the data and R alone, which an engine keeps as long as its data stay (`Keeping`).
"""

from __future__ import annotations

from sqlglot import exp

from dpsql.core.emit.plans import (
    Keeping,
    Source,
    Sql,
    aliased,
    column,
    cross,
    joined,
    key_value,
    rows_of,
    scalar,
    with_alias,
)
from dpsql.core.emit.plans import table as sql_table
from dpsql.core.enforce.asked_cells import Cells, Input, measured
from dpsql.core.functions.spec import not_null, op
from dpsql.core.shape.attach_unit import UnitPath


def read(inputs: tuple[Input, ...]) -> list[int]:
    """The inputs of which something is aggregated."""
    return sorted({i for _, _, i in measured(inputs)})


def aggregates(cells: Cells, values: dict[int, Sql]) -> list[Sql]:
    """COUNT(*) AS n, COUNT(x) AS n0, SUM(x) AS s0, …; `values` are those of the inputs."""
    items: list[Sql] = [aliased(_call("count", exp.Star()), "n")]
    for name, function, i in measured(cells.inputs):
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
        select = cross(select, with_alias(rows_of(step.scan.table, source), alias))
        for field, plan_column in zip(step.scan.fields, step.scan.columns, strict=True):
            names[plan_column.id] = column(alias, field)
        on = op(exp.EQ, names[step.column.id], names[step.key.id])
        select = select.where(on, copy=False)
    unit = names[path.unit.id]
    if unit_not_null:
        select = select.where(not_null(unit), copy=False)
    return select, unit


OVER = "over"


def kept_over(cells: Cells, source: Source) -> exp.Select | None:
    """The units with more than R rows in the table that the cells read; None where they read more,
    or the engine keeps none.
    """
    scan, path = cells.once, cells.path
    if scan is None or path is None or not isinstance(source, Keeping):
        return None
    first = path.steps[0].column if path.steps else path.unit
    names: dict[int, Sql] = {
        c.id: column("t", f) for f, c in zip(scan.fields, scan.columns, strict=True)
    }
    tables = [scan.table, *(step.scan.table for step in path.steps)]
    if first.id not in names or any(table.lookup is not None for table in tables):
        return None
    select = exp.Select().from_(with_alias(rows_of(scan.table, source), "t"), copy=False)
    select, unit = located(path, True, select, names, source)
    assert unit is not None
    return _more(select, unit, cells)


def _more(select: exp.Select, unit: Sql, cells: Cells) -> exp.Select:
    """The units of which there are more than R rows."""
    many = op(exp.GT, exp.Count(this=exp.Star(), big_int=True), exp.Literal.number(cells.quota))
    select = select.select(aliased(unit, "u"), copy=False).group_by(unit, copy=False)
    return select.having(many, copy=False)


def labelled_cells(
    cells: Cells, source: Source, over: exp.Select | None
) -> list[tuple[str, exp.Select]]:
    """The WITH queries up to "cells": the sums of each group k0, k1, … for each unit u in `over`
    and, where u is NULL, for all others; or, where units are counted, of each unit u, and o that is
    u or NULL.
    """
    select, names = joined(cells.plan, source)
    select, unit = located(cells.path, cells.unit_not_null, select, names, source)
    assert unit is not None
    keys, inputs = [f"k{i}" for i in range(len(cells.keys))], read(cells.inputs)
    items = [aliased(unit, "u")]
    items += [aliased(key_value(e, names), k) for k, (_, e) in zip(keys, cells.keys, strict=True)]
    items += [aliased(scalar(cells.inputs[i].expr, names), f"x{i}") for i in inputs]
    if over is None:
        rows = exp.Select().from_(sql_table("base"), copy=False)
        over = _more(rows, column("base", "u"), cells)
    label = column(OVER, "u")
    groups = [label, *(column("base", k) for k in (["u"] * cells.units + keys))]
    shown = [aliased(label, "o" if cells.units else "u"), *groups[1:]]
    found = exp.Select().from_(sql_table("base"), copy=False)
    same = op(exp.EQ, column("base", "u"), label)
    found = found.join(exp.Join(this=sql_table(OVER), side="LEFT"), on=same, copy=False)
    sums = aggregates(cells, {i: column("base", f"x{i}") for i in inputs})
    found = found.select(*shown, *sums, copy=False).group_by(*groups, copy=False)
    return [("base", select.select(*items, copy=False)), (OVER, over), ("cells", found)]


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
        values: dict[int, Sql] = {i: column("r", f"x{i}") for i in read(cells.inputs)}
    else:
        select, names = joined(cells.plan, source)
        select, unit = located(cells.path, cells.unit_not_null, select, names, source)
        key_values = [key_value(e, names) for _, e in cells.keys]
        values = {i: scalar(cells.inputs[i].expr, names) for i in read(cells.inputs)}
    assert unit is not None
    items = [aliased(unit, "u")]
    items += [aliased(v, k) for v, k in zip(key_values, keys, strict=True)]
    select = select.select(*items, *aggregates(cells, values), copy=False)
    groups = [unit, *key_values]
    ctes.append(("cells", select.group_by(*groups, copy=False)))
    return ctes


def _rows(cells: Cells, source: Source) -> exp.Select:
    assert cells.path is not None
    select, names = joined(cells.plan, source)
    items = [aliased(names[cells.path.steps[0].column.id].copy(), "fk")]
    items += [aliased(scalar(e, names), f"k{i}") for i, (_, e) in enumerate(cells.keys)]
    items += [aliased(scalar(cells.inputs[i].expr, names), f"x{i}") for i in read(cells.inputs)]
    return select.select(*items, copy=False)
