"""Pairs -> SQL; see `Pairs` for its form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from sqlglot import exp

from dpsql.core.emit.plans import (
    Source,
    aliased,
    joined,
    key_value,
    own_top,
    read_once,
    scalar,
    where,
    with_queries,
)
from dpsql.core.enforce.cells_sql import Sql, located, with_feeds
from dpsql.core.enforce.pairs import Pairs
from dpsql.core.enforce.staged import staged, with_stages
from dpsql.core.enforce.weights import weights_of
from dpsql.core.functions.spec import not_null

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
        ctes += [(name, _quoted(text)) for name, text in _cut(keys, pairs.quota)]
    kept = ctes[-1][0]
    if pairs.capacities is not None:
        ctes.append(("offers", _quoted(_offers(keys, kept))))
        return with_queries(_quoted(_offered(keys)), ctes, {"pairs", "heavy"})
    outputs = [f"{kept}.{k}" for k in keys]
    counted = [*outputs, f"COUNT(DISTINCT {kept}.x) AS n"]
    counted += [f"SUM(DISTINCT {kept}.x) AS s"] if pairs.total is not None else []
    read, twice = kept, {"pairs", "heavy"}
    if pairs.norm is not None:
        ctes.append(("weights", weights_of(kept, "x", pairs.norm)))
        counted.append("SUM(weights.w) AS s")
        read, twice = f"{kept} JOIN weights ON ({kept}.x = weights.x)", {"pairs", "heavy", kept}
    grouped = f" GROUP BY {', '.join(outputs)}" if keys else ""
    return with_queries(_quoted(f"SELECT {', '.join(counted)} FROM {read}{grouped}"), ctes, twice)


def _quoted(text: str) -> exp.Select:
    """A query of our own as a tree, with every name quoted; see `parsed`."""
    return own_top(_quoted_once(text))


@lru_cache(maxsize=256)
def _quoted_once(text: str) -> exp.Select:
    found = read_once(text).copy()
    for name in found.find_all(exp.Identifier):
        name.set("quoted", True)
    for listed in found.find_all(exp.ArrayAgg):  # as the engine calls it
        listed.replace(exp.Anonymous(this="list", expressions=[listed.this]))
    return found  # type: ignore[return-value]


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
    items: list[Sql] = [aliased(_aggregate("count", value), "n")]
    if pairs.total is not None:
        items.append(aliased(_aggregate("sum", value), "s"))
    return items


def _aggregate(name: str, value: Sql) -> Sql:
    return exp.Anonymous(this=name, expressions=[exp.Distinct(expressions=[value])])


def _cut(keys: list[str], quota: int) -> list[tuple[str, str]]:
    """The pairs of heavy units by their places in the order of the hash, and what is kept."""
    names, most = ("u", *keys, "x"), f"CAST({quota} AS BIGINT)"
    pairs, ranked = (", ".join(f"{table}.{n}" for n in names) for table in ("pairs", "ranked"))
    return [
        ("heavy", f"SELECT pairs.u FROM pairs GROUP BY pairs.u HAVING (COUNT(*) > {most})"),
        (
            "ranked",
            f"SELECT {pairs}, {_place('pairs', names)} AS place "
            "FROM pairs JOIN heavy ON (pairs.u = heavy.u)",
        ),
        (
            "kept",
            f"SELECT {ranked} FROM ranked WHERE (ranked.place <= {most}) UNION ALL "
            f"SELECT {pairs} FROM pairs ANTI JOIN heavy ON (pairs.u = heavy.u)",
        ),
    ]


def _place(table: str, names: Sequence[str]) -> str:
    """The number of a unit's row, the unit being the first part, in the order of a hash of all."""
    parts = [f"{table}.{name}" for name in names]
    order = ", ".join((_hash(parts), *parts[1:]))
    return f"ROW_NUMBER() OVER (PARTITION BY {parts[0]} ORDER BY {order})"


def _hash(parts: Sequence[str]) -> str:
    return f"HASH({', '.join(parts)}, '{SALT}')"


def _offers(keys: list[str], kept: str) -> str:
    """The hashes of the values that each unit has in each group."""
    outputs = ", ".join(f"{kept}.{name}" for name in ("u", *keys))
    hashes = f"LIST_SORT(LIST({_hash([f'{kept}.x'])}))"
    offered = f"ARRAY_TO_STRING([LPAD(HEX(v), {DIGITS}, '0') FOR v IN {hashes}], '')"
    return f"SELECT {outputs}, {offered} AS offered FROM {kept} GROUP BY {outputs}"


def _offered(keys: list[str]) -> str:
    """What the units have, in no order of its own: each unit's number, and its row's among them."""
    listed = "".join(f"offers.{k}, " for k in keys)
    number = f"DENSE_RANK() OVER (ORDER BY {_hash(['offers.u'])}, offers.u) AS number"
    place = f"{_place('offers', ('u', *keys))} AS place"
    return f"SELECT {listed}offers.offered, {number}, {place} FROM offers"
