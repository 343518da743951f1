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
from dpsql.types import NULL


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


def equal_is_same(path: UnitPath | None) -> bool:
    """Whether units are equal in a join just where they are the same, so that some can be told
    before. 0 and -0 are equal, as are an INTERVAL of a month and one of 30 days.
    """
    kind = NULL if path is None else path.unit.type
    known = kind.is_exact or kind.is_boolean or kind.is_string or kind.is_temporal
    return known or kind.name in ("TIME", "UUID", "BLOB")


OVER, KEPT = "over", "kept_over"
"""The WITH query of units that may have more rows: of those that are read, or of all in a table."""


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


def kept_queries(query: exp.Query) -> list[exp.Expr]:
    """What an engine may keep, in a query that was made for one that does."""
    found = query.args.get("with_")
    return [cte.this for cte in (found.expressions if found else ()) if cte.alias == KEPT]


def _more(select: exp.Select, unit: Sql, cells: Cells) -> exp.Select:
    """The units of which there are more than R rows."""
    many = op(exp.GT, exp.Count(this=exp.Star(), big_int=True), exp.Literal.number(cells.quota))
    select = select.select(aliased(unit, "u"), copy=False).group_by(unit, copy=False)
    return select.having(many, copy=False)


def labelled_cells(
    cells: Cells, source: Source, over: exp.Select | None
) -> list[tuple[str, exp.Select]]:
    """The WITH queries up to "cells": the sums of each group k0, k1, … for each unit u in `over`
    and, where u is NULL, for all others.
    """
    ctes, select, unit, parts, values = _of_units(cells, source, first=over is not None)
    keys = [f"k{i}" for i in range(len(cells.keys))]
    items = [aliased(unit, "u"), *(aliased(v, k) for v, k in zip(parts, keys, strict=True))]
    items += [aliased(value, f"x{i}") for i, value in values.items()]
    name = OVER if over is None else KEPT
    if over is None:
        rows = exp.Select().from_(sql_table("base"), copy=False)
        over = _more(rows, column("base", "u"), cells)
    label = column(name, "u")
    groups = [label, *(column("base", k) for k in keys)]
    found = exp.Select().from_(sql_table("base"), copy=False)
    same = op(exp.EQ, column("base", "u"), label)
    found = found.join(exp.Join(this=sql_table(name), side="LEFT"), on=same, copy=False)
    sums = aggregates(cells, {i: column("base", f"x{i}") for i in values})
    found = found.select(*groups, *sums, copy=False).group_by(*groups, copy=False)
    return [*ctes, ("base", select.select(*items, copy=False)), (name, over), ("cells", found)]


def unit_cells(cells: Cells, source: Source) -> list[tuple[str, exp.Select]]:
    """The WITH queries up to "cells": the sums of each unit u in each group k0, k1, …"""
    ctes, select, unit, parts, values = _of_units(cells, source, first=True)
    items = [aliased(unit, "u"), *(aliased(part, f"k{i}") for i, part in enumerate(parts))]
    select = select.select(*items, *aggregates(cells, values), copy=False)
    return [*ctes, ("cells", select.group_by(unit, *parts, copy=False))]


def _of_units(
    cells: Cells, source: Source, *, first: bool
) -> tuple[list[tuple[str, exp.Select]], exp.Select, Sql, list[Sql], dict[int, Sql]]:
    """FROM and WHERE of the rows with their unit; the unit, the keys, the inputs. Where the unit is
    found along a path, the rows are made `first`, so that the join meets only those that pass.
    """
    assert cells.path is not None
    inputs = read(cells.inputs)
    if cells.path.steps and first:
        ctes = [("rows", _rows(cells, source))]
        select = exp.Select().from_(sql_table("rows", alias="r"), copy=False)
        names: dict[int, Sql] = {cells.path.steps[0].column.id: column("r", "fk")}
        select, unit = located(cells.path, cells.unit_not_null, select, names, source)
        parts: list[Sql] = [column("r", f"k{i}") for i in range(len(cells.keys))]
        values: dict[int, Sql] = {i: column("r", f"x{i}") for i in inputs}
    else:
        ctes = []
        select, names = joined(cells.plan, source)
        select, unit = located(cells.path, cells.unit_not_null, select, names, source)
        parts = [key_value(e, names) for _, e in cells.keys]
        values = {i: scalar(cells.inputs[i].expr, names) for i in inputs}
    assert unit is not None
    return ctes, select, unit, parts, values


def _rows(cells: Cells, source: Source) -> exp.Select:
    assert cells.path is not None
    select, names = joined(cells.plan, source)
    items = [aliased(names[cells.path.steps[0].column.id].copy(), "fk")]
    items += [aliased(scalar(e, names), f"k{i}") for i, (_, e) in enumerate(cells.keys)]
    items += [aliased(scalar(cells.inputs[i].expr, names), f"x{i}") for i in read(cells.inputs)]
    return select.select(*items, copy=False)
