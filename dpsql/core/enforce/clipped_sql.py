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
from functools import reduce

from sqlglot import exp

from dpsql.core.emit.plans import Source, column, parsed, where, with_queries
from dpsql.core.enforce.cells_sql import unit_cells, with_feeds
from dpsql.core.enforce.clipped import OCTAVE, Clipping, Terms, Value
from dpsql.core.enforce.staged import staged, with_stages
from dpsql.core.functions.spec import cast
from dpsql.core.plan.expr import Expr
from dpsql.types import HUGEINT, Type

_WITH = list[tuple[str, exp.Expr]]


def clipped_sql(clipping: Clipping, source: Source) -> exp.Query:
    """The query of the clipped sums: the measure's number, the threshold's, two sums, the keys.

    The rows with NULL in the second sum count units.
    """
    plan, stages = staged(clipping.cells.plan)
    cells = replace(clipping.cells, plan=plan)
    keys = [f"k{i}" for i in range(len(cells.keys))]
    ctes: _WITH = [*unit_cells(cells, source)]
    parts: list[exp.Query] = []
    for value in clipping.values:
        ctes += _value(value, keys, cells.members, clipping)
        parts += [_units(value, clipping), *_sums(value, keys)]
    result = reduce(lambda a, b: exp.union(a, b, distinct=False, copy=False), parts)
    stored = {"rows", "cells", *(f"b{value.number}" for value in clipping.values)}
    result = with_queries(result, ctes, stored)
    return with_feeds(with_stages(result, stages, source), clipping.cells.plan)


def _value(value: Value, keys: list[str], members: tuple[Expr, ...], clipping: Clipping) -> _WITH:
    i, thresholds = value.number, value.grid.thresholds
    last = len(thresholds)
    named = [(value.size, "n"), *((terms, f"v{n}") for n, terms in value.measures)]
    items = [f"cells.{name}" for name in ("u", *keys)]
    items += [f"{_sum(terms)} AS {name}" for terms, name in named]
    rows = parsed(f"SELECT {', '.join(items)} FROM cells")
    assert isinstance(rows, exp.Select)
    rows = where(rows, members, clipping.columns, (column("cells", k) for k in keys))
    size = "SUM(ABS(n))"
    about = f"LEAST(CAST(CEIL({OCTAVE} * LOG(2, CAST(m AS DOUBLE))) AS BIGINT), {last - 1})"
    # Built, not read: some hundred numbers take the parser as long as all else.
    numbers = exp.Array(expressions=[exp.Literal.number(t) for t in thresholds])
    listed = exp.alias_(cast(numbers, Type("LIST", of=HUGEINT)), "t")
    placed = parsed(f"SELECT u, m, GREATEST({about}, 0) AS b FROM m{i}")
    assert isinstance(placed, exp.Select)
    number = f"CASE WHEN m <= t[b + 1] THEN b WHEN m <= t[b + 2] THEN b + 1 ELSE {last} END"
    return [
        (f"v{i}", rows),
        (f"m{i}", parsed(f"SELECT u, {size} AS m FROM v{i} GROUP BY u HAVING {size} > 0")),
        (f"p{i}", placed.select(listed, copy=False)),
        (f"b{i}", parsed(f"SELECT u, m, {number} AS b FROM p{i}")),
    ]


def _units(value: Value, clipping: Clipping) -> exp.Query:
    i = value.number
    counted = "CAST(COUNT(*) AS HUGEINT) AS a, CAST(NULL AS HUGEINT) AS f"
    found = parsed(f"SELECT {i} AS i, b, {counted} FROM b{i} GROUP BY b")
    assert isinstance(found, exp.Select)
    return found.select(*(cast(exp.Null(), c.type) for c in clipping.columns), copy=False)


def _sums(value: Value, keys: list[str]) -> list[exp.Query]:
    v, b = f"v{value.number}", f"b{value.number}"
    of_keys = "".join(f", {v}.{k}" for k in keys)
    return [
        parsed(
            f"SELECT {n} AS i, {b}.b, SUM({v}.v{n}) AS a, "
            f"SUM({v}.v{n} * {value.grid.cut} // {b}.m) AS f{of_keys} "
            f"FROM {v} JOIN {b} ON {v}.u = {b}.u GROUP BY {b}.b{of_keys}"
        )
        for n, _ in value.measures
    ]


def _sum(terms: Terms) -> str:
    """What the cells' columns come to with their weights."""
    return " + ".join(f"CAST({weight} AS HUGEINT) * cells.{name}" for name, weight in terms)
