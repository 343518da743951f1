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

from dpsql.core.emit.plans import Source, identifier, scalar
from dpsql.core.emit.plans import column as quoted
from dpsql.core.enforce.cells_sql import Sql, unit_cells, with_feeds
from dpsql.core.enforce.clipped import OCTAVE, Clipping, Terms, Value
from dpsql.core.enforce.staged import staged, with_stages
from dpsql.core.functions.spec import cast, fn
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
    for name, query in ctes:
        stored = name in ("rows", "cells") or name.startswith("b") or None
        result = result.with_(identifier(name), as_=query, materialized=stored, copy=False)
    return with_feeds(with_stages(result, stages, source), clipping.cells.plan)


def _value(value: Value, keys: list[str], members: tuple[Expr, ...], clipping: Clipping) -> _WITH:
    i = value.number
    found = [(_sum(value.size), "n"), *((_sum(terms), f"v{n}") for n, terms in value.measures)]
    cells = [_column(name, "cells") for name in ("u", *keys)]
    rows = _select([*cells, *(_as(v, name) for v, name in found)], "cells")
    here: dict[int, Sql] = {
        c.id: quoted("cells", k) for k, c in zip(keys, clipping.columns, strict=True)
    }
    for member in members:
        rows = rows.where(scalar(member, here), copy=False)
    u, m, b, size = _column("u"), _column("m"), _column("b"), fn("SUM", fn("ABS", _column("n")))
    sizes = _select([u, _as(size, "m")], f"v{i}").group_by(u, copy=False)
    sizes = sizes.having(exp.GT(this=size, expression=_number(0)), copy=False)
    thresholds = value.grid.thresholds
    last = len(thresholds)
    octaves = exp.Mul(this=_number(OCTAVE), expression=fn("LOG", _number(2), cast(m, DOUBLE)))
    logarithm = cast(fn("CEIL", octaves), BIGINT)
    about = fn("GREATEST", fn("LEAST", logarithm, _number(last - 1)), _number(0))
    listed = cast(exp.Array(expressions=[_number(t) for t in thresholds]), Type("LIST", of=HUGEINT))
    placed = _select([u, m, _as(about, "b"), _as(listed, "t")], f"m{i}")
    next_one, after_it = (exp.Add(this=b, expression=_number(n)) for n in (1, 2))
    branches = [
        exp.If(this=exp.LTE(this=m, expression=_at("t", end)), true=number)
        for end, number in ((next_one, b), (after_it, next_one))
    ]
    number = exp.Case(ifs=branches, default=_number(last))
    numbered = _select([u, m, _as(number, "b")], f"p{i}")
    return [(f"v{i}", rows), (f"m{i}", sizes), (f"p{i}", placed), (f"b{i}", numbered)]


def _units(value: Value, clipping: Clipping) -> exp.Query:
    b = _column("b")
    nulls = [cast(exp.Null(), c.type) for c in clipping.columns]
    count = cast(fn("COUNT", exp.Star()), HUGEINT)
    items = [
        _as(_number(value.number), "i"),
        b,
        _as(count, "a"),
        _as(cast(exp.Null(), HUGEINT), "f"),
    ]
    return _select([*items, *nulls], f"b{value.number}").group_by(b, copy=False)


def _sums(value: Value, keys: list[str]) -> list[exp.Query]:
    v, b = f"v{value.number}", f"b{value.number}"
    groups = [_column("b", b), *(_column(k, v) for k in keys)]
    same = exp.EQ(this=_column("u", v), expression=_column("u", b))
    queries: list[exp.Query] = []
    for n, _ in value.measures:
        whole = _column(f"v{n}", v)
        cut = exp.Mul(this=whole, expression=_number(value.grid.cut))
        part = exp.IntDiv(this=cut, expression=_column("m", b))
        sums = [_as(fn("SUM", whole), "a"), _as(fn("SUM", part), "f")]
        select = _select([_as(_number(n), "i"), groups[0], *sums, *groups[1:]], v)
        select = select.join(exp.Table(this=_name(b)), on=same, copy=False)
        queries.append(select.group_by(*groups, copy=False))
    return queries


def _sum(terms: Terms) -> Sql:
    """What the cells' columns come to with their weights."""
    products: list[Sql] = [
        exp.Mul(this=cast(_number(weight), HUGEINT), expression=_column(name, "cells"))
        for name, weight in terms
    ]
    return reduce(lambda a, b: exp.Add(this=a, expression=b), products)


# The names here are our own; unquoted they read best.


def _name(text: str) -> exp.Identifier:
    return exp.Identifier(this=text)


def _column(name: str, table: str | None = None) -> Sql:
    return exp.Column(this=_name(name), table=None if table is None else _name(table))


def _as(value: Sql, name: str) -> Sql:
    return exp.Alias(this=value, alias=_name(name))


def _number(value: int) -> Sql:
    number = exp.Literal.number(abs(value))
    return exp.Neg(this=number) if value < 0 else number


def _at(array: str, place: Sql) -> Sql:
    return exp.Bracket(this=_column(array), expressions=[place], offset=1)


def _select(items: list[Sql], source: str) -> exp.Select:
    select = exp.Select(expressions=items)
    return select.from_(exp.Table(this=_name(source)), copy=False)
