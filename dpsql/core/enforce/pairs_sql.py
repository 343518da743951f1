"""Pairs -> SQL; see `Pairs` for its form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from dpsql.core.emit.plans import (
    Source,
    Sql,
    aliased,
    beside,
    column,
    identifier,
    joined,
    key_value,
    rereads,
    scalar,
    selected,
    where,
    with_queries,
)
from dpsql.core.enforce.cells_sql import with_feeds
from dpsql.core.enforce.pairs import Pairs
from dpsql.core.enforce.staged import staged, with_stages
from dpsql.core.enforce.unit_rows import equal_is_same, located
from dpsql.core.enforce.weights import weights_of
from dpsql.core.functions.spec import cast, fn, not_null, op
from dpsql.types import BIGINT

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
    rows = rows.select(*items, copy=False).distinct(copy=False)
    rows = rows.where(not_null(value), copy=False)
    ctes: list[tuple[str, exp.Query]] = [("pairs", rows)]
    if pairs.quota is not None:
        ctes += _cut(keys, pairs.quota, rereads(source) or not equal_is_same(pairs.path))
    kept = ctes[-1][0]
    if pairs.capacities is not None:
        ctes.append(("offers", _offers(keys, kept)))
        return with_queries(_offered(keys), ctes, {"pairs", "heavy"})
    outputs, x = [column(kept, k) for k in keys], column(kept, "x")
    counted: list[Sql] = [*outputs, aliased(exp.Count(this=_distinct_of(x)), "n")]
    if pairs.total is not None:
        counted.append(aliased(exp.Sum(this=_distinct_of(x)), "s"))
    twice = {"pairs", "heavy"}
    if pairs.norm is not None:
        ctes.append(("weights", weights_of(kept, "x", pairs.norm)))
        counted.append(aliased(exp.Sum(this=column("weights", "w")), "s"))
        twice.add(kept)
    select = selected(kept, counted, outputs)
    if pairs.norm is not None:
        select = beside(select, "weights", op(exp.EQ, x, column("weights", "x")))
    return with_queries(select, ctes, twice)


def _rows(pairs: Pairs, source: Source) -> tuple[exp.Select, list[Sql], Sql, Sql | None]:
    """The rows of the groups: FROM and WHERE, the keys, the value, the unit."""
    select, names = joined(pairs.plan, source)
    select, unit = located(pairs.path, pairs.unit_not_null, select, names, source)
    keys = [key_value(e, names) for _, e in pairs.keys]
    select = where(select, pairs.members, (c for c, _ in pairs.keys), keys)
    if pairs.value is None:
        assert unit is not None
        return select, keys, unit, unit
    return select, keys, scalar(pairs.value, names), unit


def _distinct(pairs: Pairs, value: Sql) -> list[Sql]:
    totals = () if pairs.total is None else (("sum", "s"),)
    names = (("count", "n"), *totals)
    return [aliased(fn(name, _distinct_of(value)), output) for name, output in names]


def _distinct_of(value: Sql) -> Sql:
    return exp.Distinct(expressions=[value])


def _cut(keys: list[str], quota: int, rereading: bool) -> list[tuple[str, exp.Query]]:
    """The pairs of heavy units by their places in the order of the hash, and what is kept; of all
    units, where the pairs would be made three times for that.
    """
    names, most = ("u", *keys, "x"), cast(exp.Literal.number(quota), BIGINT)
    pairs, ranked = ([column(name, n) for n in names] for name in ("pairs", "ranked"))
    unit = pairs[0]
    count = exp.Count(this=exp.Star(), big_int=True)
    heavy = selected("pairs", [unit], [unit]).having(op(exp.GT, count, most), copy=False)
    same = op(exp.EQ, unit, column("heavy", "u"))
    placed = selected("pairs", [*pairs, aliased(_place("pairs", names), "place")])
    within = op(exp.LTE, column("ranked", "place"), most)
    light = beside(selected("pairs", pairs), "heavy", same, side="LEFT")
    light = light.where(exp.Is(this=column("heavy", "u"), expression=exp.Null()), copy=False)
    first = selected("ranked", ranked).where(within, copy=False)
    if rereading:
        return [("ranked", placed), ("kept", first)]
    kept = exp.union(first, light, distinct=False, copy=False)
    return [("heavy", heavy), ("ranked", beside(placed, "heavy", same)), ("kept", kept)]


def _place(name: str, names: Sequence[str]) -> Sql:
    """The number of a unit's row, the unit being the first part, in the order of a hash of all."""
    parts = [column(name, part) for part in names]
    return _numbered(exp.RowNumber(), [_hash(parts), *parts[1:]], parts[:1])


def _numbered(number: Sql, order: Sequence[Sql], within: Sequence[Sql] = ()) -> Sql:
    terms = [exp.Ordered(this=term, nulls_first=False) for term in order]
    order_by = exp.Order(expressions=terms)
    return exp.Window(this=number, partition_by=list(within), order=order_by, over="OVER")


def _hash(parts: Sequence[Sql]) -> Sql:
    return fn("HASH", *parts, exp.Literal.string(SALT))


def _offers(keys: list[str], kept: str) -> exp.Select:
    """The hashes of the values that each unit has in each group."""
    outputs = [column(kept, name) for name in ("u", *keys)]
    each, zero = exp.Column(this=identifier("v")), exp.Literal.string("0")
    digits = fn("LPAD", fn("HEX", each), exp.Literal.number(DIGITS), zero)
    hashes = fn("LIST_SORT", fn("LIST", _hash([column(kept, "x")])))
    texts = exp.Comprehension(this=digits, expression=identifier("v"), iterator=hashes)
    offered = fn("ARRAY_TO_STRING", exp.Array(expressions=[texts]), exp.Literal.string(""))
    return selected(kept, [*outputs, aliased(offered, "offered")], outputs)


def _offered(keys: list[str]) -> exp.Select:
    """What the units have, in no order of its own: each unit's number, and its row's among them."""
    unit = column("offers", "u")
    number = aliased(_numbered(fn("DENSE_RANK"), [_hash([unit]), unit]), "number")
    place = aliased(_place("offers", ("u", *keys)), "place")
    shown = [column("offers", name) for name in (*keys, "offered")]
    return selected("offers", [*shown, number, place])
