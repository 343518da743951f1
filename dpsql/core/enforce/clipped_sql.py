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

from dpsql.core.emit.plans import (
    Source,
    Sql,
    aliased,
    beside,
    column,
    selected,
    where,
    with_queries,
)
from dpsql.core.enforce.cells_sql import with_feeds
from dpsql.core.enforce.clipped import OCTAVE, Clipping, Terms, Value
from dpsql.core.enforce.staged import staged, with_stages
from dpsql.core.enforce.unit_rows import unit_cells
from dpsql.core.functions.spec import case_when, cast, fn, op
from dpsql.core.plan.expr import Expr
from dpsql.types import BIGINT, DOUBLE, HUGEINT, Type

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
    cells = [column("cells", name) for name in ("u", *keys)]
    named = [(value.size, "n"), *((terms, f"v{n}") for n, terms in value.measures)]
    rows = selected("cells", [*cells, *(aliased(_sum(terms), name) for terms, name in named)])
    rows = where(rows, members, clipping.columns, cells[1:])
    u, size = column(f"v{i}", "u"), exp.Sum(this=exp.Abs(this=column(f"v{i}", "n")))
    measured = selected(f"v{i}", [u, aliased(size, "m")], [u])
    placed = [column(f"m{i}", "u"), column(f"m{i}", "m")]
    numbers = exp.Array(expressions=[exp.Literal.number(t) for t in thresholds])
    listed = cast(numbers, Type("LIST", of=HUGEINT))
    about = _about(placed[1], len(thresholds) - 1)
    found = [column(f"p{i}", "u"), column(f"p{i}", "m"), aliased(_number(i, len(thresholds)), "b")]
    return [
        (f"v{i}", rows),
        (f"m{i}", measured.having(op(exp.GT, size, _whole(0)), copy=False)),
        (f"p{i}", selected(f"m{i}", [*placed, aliased(about, "b"), aliased(listed, "t")])),
        (f"b{i}", selected(f"p{i}", found)),
    ]


def _about(size: Sql, most: int) -> Sql:
    """The number of a threshold about a size, by a logarithm."""
    octaves = fn("LOG", _whole(2), cast(size, DOUBLE))
    nearest = cast(exp.Ceil(this=op(exp.Mul, _whole(OCTAVE), octaves)), BIGINT)
    return fn("GREATEST", fn("LEAST", nearest, _whole(most)), _whole(0))


def _number(i: int, many: int) -> Sql:
    """That of a threshold which is not below the size: one of two, or `many`, above them all."""
    m, b, t = (column(f"p{i}", name) for name in "mbt")
    after = op(exp.Add, b, _whole(1))
    branches = [
        (op(exp.LTE, m, exp.Bracket(this=t, expressions=[op(exp.Add, b, _whole(n + 1))])), found)
        for n, found in enumerate((b, after))
    ]
    return case_when(branches, _whole(many))


def _units(value: Value, clipping: Clipping) -> exp.Query:
    i = value.number
    b, count = column(f"b{i}", "b"), exp.Count(this=exp.Star(), big_int=True)
    nothing = [cast(exp.Null(), kind) for kind in (HUGEINT, *(c.type for c in clipping.columns))]
    counted = [aliased(cast(count, HUGEINT), "a"), aliased(nothing[0], "f"), *nothing[1:]]
    return selected(f"b{i}", [aliased(_whole(i), "i"), b, *counted], [b])


def _sums(value: Value, keys: list[str]) -> list[exp.Query]:
    v, b = f"v{value.number}", f"b{value.number}"
    place, size, of_keys = column(b, "b"), column(b, "m"), [column(v, k) for k in keys]
    same = op(exp.EQ, column(v, "u"), column(b, "u"))
    found: list[exp.Query] = []
    for n, _ in value.measures:
        whole = column(v, f"v{n}")
        part = op(exp.IntDiv, op(exp.Mul, whole, _whole(value.grid.cut)), size)
        sums = [aliased(exp.Sum(this=each), name) for each, name in ((whole, "a"), (part, "f"))]
        items = [aliased(_whole(n), "i"), place, *sums, *of_keys]
        found.append(beside(selected(v, items, [place, *of_keys]), b, same))
    return found


def _sum(terms: Terms) -> Sql:
    """What the cells' columns come to with their weights."""
    weighted = (
        op(exp.Mul, cast(_whole(weight), HUGEINT), column("cells", name)) for name, weight in terms
    )
    return reduce(lambda a, b: op(exp.Add, a, b), weighted)


def _whole(number: int) -> Sql:
    return exp.Literal.number(number)
