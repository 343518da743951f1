"""Pairs -> SQL; see `Pairs` for its form."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from dpsql.plan.expr import Expr, Literal
from dpsql.rewrite.cells_sql import Sql, located, with_feeds
from dpsql.rewrite.pairs import Pairs
from dpsql.rewrite.staged import staged, with_stages
from dpsql.rewrite.weights import weights_of
from dpsql.sql.emit import (
    Source,
    aliased,
    column,
    identifier,
    joined,
    key_value,
    literal,
    scalar,
)
from dpsql.sql.emit import table as sql_table
from dpsql.sql.functions.spec import not_null, op
from dpsql.types import BIGINT, VARCHAR

SALT = "dpsql"
"""Makes the order of a unit's pairs another one than that of the same hash elsewhere."""


def pairs_sql(pairs: Pairs, source: Source) -> exp.Query:
    """The SELECT of the distinct values; see `Pairs` for its columns."""
    plan, stages = staged(pairs.plan)
    below = replace(pairs, plan=plan)
    plain = pairs.quota is None and pairs.norm is None
    select = _plain(below, source) if plain else _bounded(below, source)
    return with_feeds(with_stages(select, stages, source), pairs.plan)


def _plain(pairs: Pairs, source: Source) -> exp.Select:
    select, keys, value, _ = _rows(pairs, source)
    items = [aliased(k, f"k{i}") for i, k in enumerate(keys)]
    select = select.select(*items, *_distinct(pairs, value), copy=False)
    return select.group_by(*keys, copy=False) if keys else select


def _bounded(pairs: Pairs, source: Source) -> exp.Select:
    rows, values, value, unit = _rows(pairs, source)
    assert unit is not None
    keys = [f"k{i}" for i in range(len(values))]
    items = [aliased(unit, "u"), *(aliased(v, k) for v, k in zip(values, keys, strict=True))]
    items.append(aliased(value, "x"))
    rows = rows.select(*items, copy=False).distinct()
    rows = rows.where(not_null(value), copy=False)
    ctes: list[tuple[str, exp.Query]] = [("pairs", rows)]
    if pairs.quota is not None:
        ctes.append(("heavy", _heavy(pairs.quota)))
        ctes.append(("ranked", _ranked(keys)))
        ctes.append(("kept", _kept(keys, pairs.quota)))
    kept = ctes[-1][0]
    result = exp.Select().from_(sql_table(kept), copy=False)
    outputs = [column(kept, k) for k in keys]
    result = result.select(*outputs, *_distinct(pairs, column(kept, "x")), copy=False)
    if pairs.norm is not None:
        ctes.append(("weights", weights_of(kept, "x", pairs.norm)))
        same = op(exp.EQ, column(kept, "x"), column("weights", "x"))
        result = result.join(sql_table("weights"), on=same, copy=False)
        weight = exp.Anonymous(this="sum", expressions=[column("weights", "w")])
        result = result.select(aliased(weight, "s"), copy=False)
    for name, query in ctes:
        twice = name in ("pairs", "heavy") or (name == kept and pairs.norm is not None)
        result = result.with_(identifier(name), as_=query, materialized=twice or None, copy=False)
    return result.group_by(*outputs, copy=False) if keys else result


def _rows(pairs: Pairs, source: Source) -> tuple[exp.Select, list[Sql], Sql, Sql | None]:
    """The rows of the groups: FROM and WHERE, the keys, the value, the unit."""
    select, names = joined(pairs.plan, source)
    select, unit = located(pairs.path, pairs.unit_not_null, select, names, source)
    keys = [key_value(e, names) for _, e in pairs.keys]
    here: dict[int, Sql] = {c.id: k for k, (c, _) in zip(keys, pairs.keys, strict=True)}
    for member in pairs.members:
        select = select.where(scalar(member, here), copy=False)
    if pairs.value is None:
        assert unit is not None
        return select, keys, unit, unit
    return select, keys, _value(pairs.value, names), unit


def _value(expr: Expr, names: dict[int, Sql]) -> Sql:
    return scalar(expr, names)


def _distinct(pairs: Pairs, value: Sql) -> list[Sql]:
    items: list[Sql] = [aliased(_aggregate("count", value), "n")]
    if pairs.total is not None:
        items.append(aliased(_aggregate("sum", value), "s"))
    return items


def _aggregate(name: str, value: Sql) -> Sql:
    return exp.Anonymous(this=name, expressions=[exp.Distinct(expressions=[value])])


def _heavy(quota: int) -> exp.Select:
    select = exp.Select().from_(sql_table("pairs"), copy=False)
    unit = column("pairs", "u")
    select = select.select(unit, copy=False).group_by(unit, copy=False)
    count = exp.Anonymous(this="count", expressions=[exp.Star()])
    return select.having(op(exp.GT, count, literal(Literal(quota, BIGINT))), copy=False)


def _ranked(keys: list[str]) -> exp.Select:
    """The pairs of heavy units, each with its place in the order of the hash."""
    parts = [column("pairs", name) for name in ("u", *keys, "x")]
    salt = literal(Literal(SALT, VARCHAR))
    mixed = exp.Anonymous(this="hash", expressions=[*parts, salt])
    order = [exp.Ordered(this=item) for item in (mixed, *parts[1:])]
    place = exp.Window(
        this=exp.Anonymous(this="row_number", expressions=[]),
        partition_by=[parts[0]],
        order=exp.Order(expressions=order),
        over="OVER",
    )
    same = op(exp.EQ, column("pairs", "u"), column("heavy", "u"))
    select = exp.Select().from_(sql_table("pairs"), copy=False)
    select = select.join(sql_table("heavy"), on=same, copy=False)
    return select.select(*parts[1:], aliased(place, "place"), copy=False)


def _kept(keys: list[str], quota: int) -> exp.Query:
    names = (*keys, "x")
    first = exp.Select().from_(sql_table("ranked"), copy=False)
    first = first.select(*(column("ranked", n) for n in names), copy=False)
    limit = literal(Literal(quota, BIGINT))
    first = first.where(op(exp.LTE, column("ranked", "place"), limit), copy=False)
    others = exp.Select().from_(sql_table("pairs"), copy=False)
    others = others.select(*(column("pairs", n) for n in names), copy=False)
    same = op(exp.EQ, column("pairs", "u"), column("heavy", "u"))
    others = others.join(sql_table("heavy"), on=same, join_type="anti", copy=False)
    return exp.union(first, others, distinct=False, copy=False)
