"""Pairs -> SQL; see `Pairs` for its form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from dpsql.core.emit.plans import (
    Source,
    aliased,
    column,
    identifier,
    joined,
    key_value,
    literal,
    scalar,
)
from dpsql.core.emit.plans import table as sql_table
from dpsql.core.enforce.cells_sql import Sql, located, with_feeds
from dpsql.core.enforce.pairs import Pairs
from dpsql.core.enforce.staged import staged, with_stages
from dpsql.core.enforce.weights import weights_of
from dpsql.core.functions.spec import not_null, op
from dpsql.core.plan.expr import Expr, Literal
from dpsql.types import BIGINT, INTEGER, VARCHAR

SALT = "dpsql"
"""Makes the order of a unit's pairs another one than that of the same hash elsewhere."""

DIGITS = 16
"""Of a hash of 64 bits."""


def pairs_sql(pairs: Pairs, source: Source) -> exp.Query:
    """The SELECT of the distinct values; see `Pairs` for its columns."""
    plan, stages = staged(pairs.plan)
    below = replace(pairs, plan=plan)
    plain = pairs.quota is None and pairs.norm is None and pairs.capacities is None
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
    if pairs.capacities is not None:
        ctes.append(("offers", _offers(keys, kept)))
        return _with(_offered(keys), ctes, {"pairs", "heavy"})
    result = exp.Select().from_(sql_table(kept), copy=False)
    outputs = [column(kept, k) for k in keys]
    result = result.select(*outputs, *_distinct(pairs, column(kept, "x")), copy=False)
    if pairs.norm is not None:
        ctes.append(("weights", weights_of(kept, "x", pairs.norm)))
        same = op(exp.EQ, column(kept, "x"), column("weights", "x"))
        result = result.join(sql_table("weights"), on=same, copy=False)
        weight = exp.Anonymous(this="sum", expressions=[column("weights", "w")])
        result = result.select(aliased(weight, "s"), copy=False)
    twice = {"pairs", "heavy"} if pairs.norm is None else {"pairs", "heavy", kept}
    result = result.group_by(*outputs, copy=False) if keys else result
    return _with(result, ctes, twice)


def _with(query: exp.Select, ctes: list[tuple[str, exp.Query]], twice: set[str]) -> exp.Select:
    """The query with those below it, of which some are read twice."""
    for name, below in ctes:
        read = True if name in twice else None
        query = query.with_(identifier(name), as_=below, materialized=read, copy=False)
    return query


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
    place = _place(parts)
    same = op(exp.EQ, column("pairs", "u"), column("heavy", "u"))
    select = exp.Select().from_(sql_table("pairs"), copy=False)
    select = select.join(sql_table("heavy"), on=same, copy=False)
    return select.select(*parts, aliased(place, "place"), copy=False)


def _place(parts: Sequence[Sql]) -> Sql:
    """The number of a unit's row, the unit being the first part, in the order of a hash of all."""
    order = [exp.Ordered(this=item) for item in (_hash(parts), *parts[1:])]
    return exp.Window(
        this=exp.Anonymous(this="row_number", expressions=[]),
        partition_by=[parts[0]],
        order=exp.Order(expressions=order),
        over="OVER",
    )


def _hash(parts: Sequence[Sql]) -> Sql:
    return exp.Anonymous(this="hash", expressions=[*parts, literal(Literal(SALT, VARCHAR))])


def _kept(keys: list[str], quota: int) -> exp.Query:
    names = ("u", *keys, "x")
    first = exp.Select().from_(sql_table("ranked"), copy=False)
    first = first.select(*(column("ranked", n) for n in names), copy=False)
    limit = literal(Literal(quota, BIGINT))
    first = first.where(op(exp.LTE, column("ranked", "place"), limit), copy=False)
    others = exp.Select().from_(sql_table("pairs"), copy=False)
    others = others.select(*(column("pairs", n) for n in names), copy=False)
    same = op(exp.EQ, column("pairs", "u"), column("heavy", "u"))
    others = others.join(sql_table("heavy"), on=same, join_type="anti", copy=False)
    return exp.union(first, others, distinct=False, copy=False)


def _offers(keys: list[str], kept: str) -> exp.Select:
    """The hashes of the values that each unit has in each group."""
    hashes = exp.Anonymous(this="list", expressions=[_hash([column(kept, "x")])])
    ordered = exp.Anonymous(this="list_sort", expressions=[hashes])
    one = exp.Column(this=identifier("v"))
    digits = exp.Anonymous(this="hex", expressions=[one])
    padded = [digits, literal(Literal(DIGITS, INTEGER)), literal(Literal("0", VARCHAR))]
    each = exp.Comprehension(
        this=exp.Anonymous(this="lpad", expressions=padded),
        expression=identifier("v"),
        iterator=ordered,
    )
    parts = [exp.Array(expressions=[each]), literal(Literal("", VARCHAR))]
    offered = exp.Anonymous(this="array_to_string", expressions=parts)
    outputs = [column(kept, name) for name in ("u", *keys)]
    select = exp.Select().from_(sql_table(kept), copy=False)
    select = select.select(*outputs, aliased(offered, "offered"), copy=False)
    return select.group_by(*outputs, copy=False)


def _offered(keys: list[str]) -> exp.Select:
    """What the units have, in no order of its own: each unit's number, and its row's among them."""
    parts = [column("offers", name) for name in ("u", *keys)]
    number = exp.Window(
        this=exp.Anonymous(this="dense_rank", expressions=[]),
        order=exp.Order(expressions=[exp.Ordered(this=i) for i in (_hash(parts[:1]), parts[0])]),
        over="OVER",
    )
    numbers = aliased(number, "number"), aliased(_place(parts), "place")
    select = exp.Select().from_(sql_table("offers"), copy=False)
    return select.select(*parts[1:], column("offers", "offered"), *numbers, copy=False)
