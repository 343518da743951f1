"""Rows of two units -> SQL; see `Truncation`.

    WITH rows AS (SELECT unit AS a, other unit AS b, key AS k0, x AS x0 …),
         s0 AS (SELECT a, b, k0, x0 < 0 AS side, ABS(x0) AS w FROM rows WHERE x0 <> 0),
         p0 AS (SELECT a AS u, its number AS id, k0, side, SUM(w) AS v,
                       how many thresholds are below v AS p …)
         q0 AS (the same of b)
         h0 AS (SELECT 0 AS kind, k0, side, p, COUNT(*) AS n, SUM(v) AS v FROM p0 … and 1 of q0)
         o0 AS (SELECT k0, side, i, t, l and r: what is above the threshold of number i, t)
         c0 AS (SELECT k0, side, how many thresholds are too low AS p FROM o0 …)
    SELECT 0, kind, side, p, n, v, … FROM h0
    UNION ALL SELECT 0, 2, side, LEAST(p, q), SUM(w), p0.v, q0.v, p0.id, q0.id
              FROM s0 JOIN p0 … JOIN q0 … WHERE both are above c0.p GROUP BY p0.id, q0.id

Units are numbered by the engine, and do not leave it: which of their values are one is its to say.

What is negative is truncated by itself: `side` tells it. Thresholds are compared in whole numbers.
"""

from __future__ import annotations

from sqlglot import exp

from dpsql.core.emit.plans import (
    Source,
    aliased,
    column,
    joined,
    key_value,
    parsed,
    scalar,
    where,
    with_queries,
)
from dpsql.core.enforce.staged import staged, with_stages
from dpsql.core.enforce.truncation import Truncation, Weighed
from dpsql.core.functions.spec import not_null


def truncation_sql(truncation: Truncation, source: Source) -> exp.Query:
    """The query: a measure's number, what the row is, its side, four numbers, two units, keys."""
    plan, stages = staged(truncation.plan)
    keys = [f"k{i}" for i in range(len(truncation.keys))]
    select, names = joined(plan, source)
    units = [names[unit.id] for unit in truncation.units]
    for unit in units:
        select = select.where(not_null(unit.copy()), copy=False)
    items = [aliased(unit.copy(), name) for unit, name in zip(units, "ab", strict=True)]
    items += [
        aliased(key_value(e, names), k) for k, (_, e) in zip(keys, truncation.keys, strict=True)
    ]
    for value in truncation.values:
        if value.expr is not None:
            items.append(aliased(scalar(value.expr, names), f"x{value.measure}"))
    ctes: list[tuple[str, exp.Expr]] = [("rows", select.select(*items, copy=False))]
    parts: list[str] = []
    for value in truncation.values:
        ctes += _value(value, keys, truncation)
        parts += _parts(value, keys)
    result = parsed(" UNION ALL ".join(parts))
    # Single rows are stored once.
    stored = {name for name, _ in ctes if name == "rows" or name[0] not in "rs"}
    return with_stages(with_queries(result, ctes, stored), stages, source)


def _value(value: Weighed, keys: list[str], truncation: Truncation) -> list[tuple[str, exp.Expr]]:
    i = value.measure
    x = f"CAST(x{i} AS BIGINT)"
    if value.expr is None:
        x = "CAST(1 AS BIGINT)"
    elif value.counted:
        x = f"CASE WHEN x{i} IS NULL THEN CAST(0 AS BIGINT) ELSE CAST(1 AS BIGINT) END"
    listed = "".join(f", {k}" for k in keys)
    rows = parsed(f"SELECT a, b{listed}, {x} AS x FROM rows")
    assert isinstance(rows, exp.Select)
    columns = (c for c, _ in truncation.keys)
    rows = where(rows, truncation.members, columns, (column("rows", k) for k in keys))
    sided = f"SELECT a, b{listed}, FALSE AS side, x AS w FROM r{i} WHERE x > 0"
    if value.signed:
        sided = f"SELECT a, b{listed}, x < 0 AS side, ABS(x) AS w FROM r{i} WHERE x <> 0"
    above = " + ".join(f"CAST(v > {end} AS INTEGER)" for end in value.grid.ends)
    texts = [(f"s{i}", sided)]
    for unit, name in (("a", "p"), ("b", "q")):
        summed = f"SELECT {unit} AS u, side{listed}, SUM(w) AS v FROM s{i} GROUP BY u, side{listed}"
        numbered = f"SELECT *, ROW_NUMBER() OVER () AS id, {above} AS p FROM ({summed}) AS t"
        texts.append((f"{name}{i}", numbered))
    counted = [
        f"SELECT {kind} AS kind, side{listed}, p, CAST(COUNT(*) AS HUGEINT) AS n, "
        f"CAST(SUM(v) AS HUGEINT) AS v FROM {name}{i} GROUP BY side{listed}, p"
        for kind, name in ((0, "p"), (1, "q"))
    ]
    texts.append((f"h{i}", " UNION ALL ".join(counted)))
    if value.neglected is not None:
        texts += _cut(value, *value.neglected, keys)
    made: list[tuple[str, exp.Expr]] = [(f"r{i}", rows)]
    return made + [(name, parsed(text)) for name, text in texts]


def _cut(value: Weighed, most: int, count: int, keys: list[str]) -> list[tuple[str, str]]:
    """The weight that is above each threshold, and above how many a row with two heavy units is
    asked for. The last that can be chosen is always looked at.
    """
    i, ends = value.measure, value.grid.ends
    of_groups = "".join(f", h.{k}" for k in keys)
    over = [
        f"SUM(CASE WHEN h.kind = {kind} AND h.p > e.i THEN h.v - h.n * e.t "
        f"ELSE CAST(0 AS HUGEINT) END) AS {name}"
        for kind, name in ((0, "l"), (1, "r"))
    ]
    numbers = f"SELECT UNNEST(RANGE({len(ends)})) AS i, UNNEST([{', '.join(map(str, ends))}]) AS t"
    weights = (
        f"SELECT e.i, CAST(e.t AS HUGEINT) AS t, h.side{of_groups}, {', '.join(over)} "
        f"FROM h{i} AS h, ({numbers}) AS e GROUP BY e.i, e.t, h.side{of_groups}"
    )
    same = "".join(f" AND o.{k} IS NOT DISTINCT FROM f.{k}" for k in keys)
    of_low = "".join(f", o.{k}" for k in keys)
    least = (
        f"SELECT MAX(o.i) + 1 AS p, o.side{of_low} FROM o{i} AS o JOIN o{i} AS f "
        f"ON f.i - o.i IN (2, 4, 8, 16) AND o.side = f.side{same} WHERE o.i < {count - 1} "
        f"AND GREATEST(o.l, o.r) - f.l - f.r >= {most} * (f.t - o.t) GROUP BY o.side{of_low}"
    )
    return [(f"o{i}", weights), (f"c{i}", least)]


def _parts(value: Weighed, keys: list[str]) -> list[str]:
    i = value.measure
    no_units = ", CAST(NULL AS BIGINT), CAST(NULL AS BIGINT)"
    listed = "".join(f", {k}" for k in keys)

    def same(one: str, other: str) -> str:
        return f"{one}.side = {other}.side" + "".join(
            f" AND {one}.{k} IS NOT DISTINCT FROM {other}.{k}" for k in keys
        )

    joined = f"s{i} AS s JOIN p{i} AS p ON s.a = p.u AND {same('s', 'p')} "
    joined += f"JOIN q{i} AS q ON s.b = q.u AND {same('s', 'q')}"
    least = "0"
    if value.neglected is not None:
        joined += f" LEFT JOIN c{i} AS c ON {same('s', 'c')}"
        least = "COALESCE(c.p, 0)"
    of_rows = "".join(f", s.{k}" for k in keys)
    return [
        f"SELECT {i} AS i, kind AS what, side, p, n, v, CAST(NULL AS HUGEINT) AS o"
        f"{no_units}{listed} FROM h{i}",
        f"SELECT {i}, 2, s.side, LEAST(p.p, q.p), CAST(SUM(s.w) AS HUGEINT), "
        f"CAST(p.v AS HUGEINT), CAST(q.v AS HUGEINT), p.id, q.id{of_rows} FROM {joined} "
        f"WHERE p.p > {least} AND q.p > {least} "
        f"GROUP BY p.id, q.id, s.side, p.p, q.p, p.v, q.v{of_rows}",
    ]
