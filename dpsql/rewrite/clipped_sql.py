"""Units between thresholds -> SQL; see `Clipping`.

    WITH cells AS (SELECT unit AS u, key AS k0, COUNT(*) AS n, SUM(x) AS s0 … GROUP BY u, k0),
         v0 AS (SELECT u, k0, <what is clipped> AS n, <a measure> AS v0 … FROM cells),
         m0 AS (SELECT u, SUM(ABS(n)) AS m FROM v0 GROUP BY u HAVING SUM(ABS(n)) > 0),
         p0 AS (SELECT u, m, <about its threshold's number> AS b, [1, 2, …] AS t FROM m0)
         b0 AS (SELECT u, m, <the number of a threshold that is not below m> AS b FROM p0)
    SELECT 0, b, COUNT(*), 0, NULL FROM b0 GROUP BY b             units between thresholds
    UNION ALL
    SELECT 0, b, SUM(v0), SUM(v0 * Q // m), k0 FROM v0 JOIN b0 … GROUP BY b, k0

The number of the threshold is found by a logarithm, which may be off by rounding, and put right
where it is too low: what matters is that no unit is above its own threshold, or else it counts as
above them all. A number that is too high makes a unit count as a little heavier, no more.
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp, parse_one

from dpsql.plan.expr import Expr
from dpsql.rewrite.cells_sql import Sql, unit_cells, with_feeds
from dpsql.rewrite.clipped import OCTAVE, Clipping, Terms, Value
from dpsql.rewrite.staged import staged, with_stages
from dpsql.sql.emit import Source, column, identifier, scalar
from dpsql.sql.functions.spec import data_type


def clipped_sql(clipping: Clipping, source: Source) -> exp.Query:
    """The query of the clipped sums: the measure's number, the threshold's, two sums, the keys.

    The rows with NULL in the second sum count units.
    """
    plan, stages = staged(clipping.cells.plan)
    cells = replace(clipping.cells, plan=plan)
    keys = [f"k{i}" for i in range(len(cells.keys))]
    ctes: list[tuple[str, exp.Expr]] = [*unit_cells(cells, source)]
    parts: list[str] = []
    for value in clipping.values:
        ctes += _value(value, keys, cells.members, clipping)
        parts += [_units(value, clipping), *_sums(value, keys)]
    result = parse_one(" UNION ALL ".join(parts), dialect="duckdb")
    assert isinstance(result, exp.Query)
    for name, query in ctes:
        stored = name in ("rows", "cells") or name.startswith("b") or None
        result = result.with_(identifier(name), as_=query, materialized=stored, copy=False)
    return with_feeds(with_stages(result, stages, source), clipping.cells.plan)


def _value(
    value: Value, keys: list[str], members: tuple[Expr, ...], clipping: Clipping
) -> list[tuple[str, exp.Expr]]:
    i = value.number
    found = [f"{_sum(value.size)} AS n"] + [f"{_sum(terms)} AS v{n}" for n, terms in value.measures]
    listed = "".join(f", cells.{k}" for k in keys)
    rows = parse_one(f"SELECT cells.u{listed}, {', '.join(found)} FROM cells", dialect="duckdb")
    assert isinstance(rows, exp.Select)
    here: dict[int, Sql] = {
        c.id: column("cells", k) for k, c in zip(keys, clipping.columns, strict=True)
    }
    for member in members:
        rows = rows.where(scalar(member, here), copy=False)
    sizes = f"SELECT u, SUM(ABS(n)) AS m FROM v{i} GROUP BY u HAVING SUM(ABS(n)) > 0"
    thresholds = value.grid.thresholds
    last = len(thresholds)
    logarithm = f"CAST(CEIL({OCTAVE} * LOG2(CAST(m AS DOUBLE))) AS BIGINT)"
    placed = (
        f"SELECT u, m, GREATEST(LEAST({logarithm}, {last - 1}), 0) AS b, "
        f"CAST([{', '.join(map(str, thresholds))}] AS HUGEINT[]) AS t FROM m{i}"
    )
    numbered = (
        f"SELECT u, m, CASE WHEN m <= t[b + 1] THEN b WHEN m <= t[b + 2] THEN b + 1 "
        f"ELSE {last} END AS b FROM p{i}"
    )
    texts = ((f"m{i}", sizes), (f"p{i}", placed), (f"b{i}", numbered))
    made = [(name, parse_one(text, dialect="duckdb")) for name, text in texts]
    return [(f"v{i}", rows), *made]


def _sum(terms: Terms) -> str:
    return " + ".join(f"CAST({weight} AS HUGEINT) * cells.{name}" for name, weight in terms)


def _units(value: Value, clipping: Clipping) -> str:
    i = value.number
    nulls = "".join(f", CAST(NULL AS {data_type(c.type).sql('duckdb')})" for c in clipping.columns)
    return (
        f"SELECT {i} AS i, b, CAST(COUNT(*) AS HUGEINT) AS a, CAST(NULL AS HUGEINT) AS f{nulls} "
        f"FROM b{i} GROUP BY b"
    )


def _sums(value: Value, keys: list[str]) -> list[str]:
    i, cut = value.number, value.grid.cut
    listed = "".join(f", v{i}.{k}" for k in keys)
    return [
        f"SELECT {n} AS i, b{i}.b, SUM(v{i}.v{n}) AS a, "
        f"SUM(v{i}.v{n} * {cut} // b{i}.m) AS f{listed} "
        f"FROM v{i} JOIN b{i} ON v{i}.u = b{i}.u GROUP BY b{i}.b{listed}"
        for n, _ in value.measures
    ]
