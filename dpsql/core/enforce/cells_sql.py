"""Cells -> SQL: sums of rows for each group, or for each unit and group. What is done with those
of a unit stands in `quota_sql`.
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from dpsql.core.emit.plans import (
    Source,
    aliased,
    identifier,
    joined,
    key_value,
    scalar,
    where,
)
from dpsql.core.enforce.asked_cells import Cells
from dpsql.core.enforce.quota_sql import within_quota
from dpsql.core.enforce.staged import staged, with_stages
from dpsql.core.enforce.unit_rows import aggregates, located, read
from dpsql.core.functions.spec import data_type
from dpsql.core.plan.nodes import Plan, Released, nodes
from dpsql.types import INTEGER, TIME, VARCHAR, Type

Sql = exp.Expr


def cells_sql(cells: Cells, source: Source) -> exp.Query:
    """The SELECT of the cells; see `Cells` for its columns. Released rows that it reads are a WITH
    query over its named parameters, a list for each column.
    """
    plan, stages = staged(cells.plan)
    below = replace(cells, plan=plan)
    if cells.quota is None:
        select = _plain(below, source)
    else:
        select = within_quota(below, source)
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
    """The type of a feed's column. What functions do with an ENUM they do with its text; and of an
    opaque value, but a time of day, nothing is used but whether it is NULL.
    """
    if kind.name == "NULL":
        return INTEGER  # a NULL of any type
    return VARCHAR if kind.name == "ENUM" or (kind.is_opaque and kind != TIME) else kind


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


def _plain(cells: Cells, source: Source) -> exp.Select:
    select, names = joined(cells.plan, source)
    select, _ = located(cells.path, cells.unit_not_null, select, names, source)
    keys = [key_value(e, names) for _, e in cells.keys]
    select = where(select, cells.members, (c for c, _ in cells.keys), keys)
    values = {i: scalar(cells.inputs[i].expr, names) for i in read(cells.inputs)}
    items = [aliased(k, f"k{i}") for i, k in enumerate(keys)]
    select = select.select(*items, *aggregates(cells, values), copy=False)
    return select.group_by(*keys, copy=False) if keys else select
