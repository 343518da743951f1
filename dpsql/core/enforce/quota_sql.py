"""Units with more rows than their quota R, cut down to it: from the sums of each unit and group.

    WITH cells   AS (SELECT unit AS u, key AS k0, COUNT(*) AS n, SUM(x) AS s0 … GROUP BY u, k0),
         totals  AS (the cells of a unit with its rows, and the rows up to their end, by the keys),
         placed  AS (the same with a hash of the unit),
         cut     AS (SELECT k0, n AS m, <n'> AS n, s0 FROM placed),
         counted AS (the same with the counts of inputs cut down, too),
         kept    AS (SELECT k0, n, <s0 of n' rows> FROM counted)
    SELECT k0, SUM(n), SUM(s0) FROM kept GROUP BY k0

Let a unit have T > R rows. In the order of their groups' keys its rows have the places 1 … T, and
every (T/R)-th is kept, from a start h that is a hash of the unit: with C rows up to the end of a
cell, and n in it, n' = ⌊(C·R + h)/T⌋ − ⌊((C − n)·R + h)/T⌋ are kept (systematic sampling). Of what
is summed over the n rows of a cell, s, the part n'/n is kept, rounded by a hash of the unit, 0 <= g
< n: s' = ⌊(s·n' + g)/n⌋, and −⌊(−s·n' + g)/n⌋ where s < 0.

Claim: whatever the data, the kept counts of one unit add up to R exactly, and its kept sums are
sums of n' numbers in [low, high]; a unit with T <= R is not changed.
Why: the n' telescope to ⌊(T·R + h)/T⌋ − ⌊h/T⌋ = R, for 0 <= h < T. A row's value is in [low, high]
(see `secure`), whole numbers of steps, so that s is in [n·low, n·high]; and as g < n, s' is then
in [n'·low, n'·high]. What is kept is a function of the unit's own rows. Where R bounds the rows in
each group (`per_group`), a cell keeps R of its n.

Of a cell's n rows, let c have a value of an input. The same is done within the cell: it keeps
c' = ⌊((S + c)·n' + g)/n⌋ − ⌊(S·n' + g)/n⌋, S being the rows of the inputs that stand before
(`Chained`), and 0 <= g < n. Claim: the c' of inputs no two of which have a row in common (a
family, see `shared`) add up to n' at most. Why: the [S, S + c) of such a chain are disjoint parts
of [0, n), which keeps n' as a whole; and an input in no chain keeps ⌊c·n'/n⌋, which is no more than
any part of c places does.

Answers stay right: h and g are spread evenly, so that E[n'] = n·R/T, E[c'] = c·n'/n and E[s'] =
s·n'/n, for every cell. Averages, variances, shares and counts of rare groups are those of a sample
of R rows of each heavy unit. Groups of coarser keys keep the same counts, where these stand first.

Of a unit with T <= R rows n' = n. Claim: so a cell of which all is kept is not changed. Why: n' = n
makes c' = c, and s' = s by its CASE. Where R bounds the rows in each group, no unit's total is
asked for: n' = LEAST(n, R).

So units that cannot have more than R rows need no cell of their own: `unit_rows` tells the others
from them, and `kept` takes the sums of all of these beside what is kept of those. An engine that
computes a WITH query as often as it is read (`Rereading`) would read the rows twice for that: there
every unit has its cells, and where equal units may be others (`equal_is_same`).

Source: Madow, "On the theory of systematic sampling" (1949).
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from sqlglot import exp

from dpsql.core.emit.plans import Rereading, Source, column, parsed, where, with_queries
from dpsql.core.enforce.asked_cells import Cells, Chained, Input
from dpsql.core.enforce.lattice import OnLattice
from dpsql.core.enforce.unit_rows import (
    KEPT,
    OVER,
    equal_is_same,
    kept_over,
    labelled_cells,
    unit_cells,
)
from dpsql.core.enforce.weights import weights_of
from dpsql.core.plan.nodes import Filter, Join, OneRow, Project, Scan, nodes

READ_AGAIN = (Scan, Filter, Join, Project, OneRow)
"""What is faster read twice than stored with all columns that are added up."""


def within_quota(cells: Cells, source: Source) -> exp.Select:
    """The sums of what is kept, by group."""
    assert cells.quota is not None
    keys = [f"k{i}" for i in range(len(cells.keys))]
    across = bool(keys) and not cells.per_group
    told = equal_is_same(cells.path) and not isinstance(source, Rereading)
    over = kept_over(cells, source) if told and (across or not keys) else None
    label = ""
    every: list[tuple[str, exp.Query]] = []
    if over is not None or (told and across):
        label = "o" if cells.units else "u"
        every += labelled_cells(cells, source, over)
    else:
        every += unit_cells(cells, source)
    others = [*keys, *cells.sums[1:]]
    named = f" WHERE cells.{label} IS NOT NULL" if label else ""
    if across:
        every += _placed(keys, others, cells.quota, named)
    else:
        kept = f"LEAST(n, CAST({cells.quota} AS BIGINT))"
        every.append(("cut", parsed(_cut(kept, others, "cells") + named)))
    every.append(("counted", parsed(_counted(cells, keys))))
    every.append(("kept", _kept(cells, keys, label)))
    sums = [f"SUM({name}) AS {name}" for name in cells.sums]
    sums += ["COUNT(*) AS units"] if cells.units else []
    read = "kept"
    if cells.norm is not None:
        every.append(("weights", weights_of("kept", "u", cells.norm)))
        sums.append("SUM(w) AS weights")
        read = "kept JOIN weights ON kept.u = weights.u"
    grouped = f" GROUP BY {', '.join(keys)}" if keys else ""
    result = parsed(f"SELECT {', '.join([*keys, *sums])} FROM {read}{grouped}")
    stored = {*(("cells", OVER, KEPT) if label else ())}
    stored |= {"kept"} if cells.norm is not None else set()
    again = {"rows"}  # Q14 of TPC-H takes 47 ms so, and 88 where they are stored
    again |= {"base"} if all(isinstance(n, READ_AGAIN) for n in nodes(cells.plan)) else set()
    assert isinstance(result, exp.Select)
    return with_queries(result, every, stored, again)


def _placed(
    keys: list[str], others: list[str], quota: int, named: str
) -> list[tuple[str, exp.Query]]:
    """R rows of all groups together."""
    totals = (
        "SELECT cells.*, CAST(SUM(cells.n) OVER (PARTITION BY cells.u) AS BIGINT) AS total, "
        f"{_up_to(keys)} AS upto FROM cells{named}"
    )
    placed = f"SELECT totals.*, {_hashed('totals.u', 'cells', 'totals.total')} AS h FROM totals"
    size = f"CASE WHEN total <= CAST({quota} AS BIGINT) THEN n ELSE {_size(quota)} END"
    made = (("totals", totals), ("placed", placed), ("cut", _cut(size, others, "placed")))
    return [(name, parsed(text)) for name, text in made]


def _up_to(keys: list[str]) -> str:
    return (
        "CAST(SUM(cells.n) OVER (PARTITION BY cells.u ORDER BY "
        f"{', '.join(f'cells.{k}' for k in keys)} "
        "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS HUGEINT)"
    )


def _size(quota: int) -> str:
    r = f"CAST({quota} AS BIGINT)"
    return f"CAST((upto * {r} + h) // total - ((upto - n) * {r} + h) // total AS BIGINT)"


def _cut(kept: str, others: list[str], source: str) -> str:
    return f"SELECT {', '.join(['u', *others])}, n AS m, {kept} AS n FROM {source}"


def _hashed(unit: str, salt: str, size: str) -> str:
    """A whole number from 0 to `size` - 1, the same for all rows of a unit."""
    return f"CAST(hash({unit}, '{salt}') % CAST({size} AS UBIGINT) AS HUGEINT)"


def _counted(cells: Cells, keys: list[str]) -> str:
    """The cells that are cut, with the counts of each input before and after."""
    items = ["u", *keys, "m", "n"]
    for i in _in_order(cells.inputs):
        items += [f"n{i} AS m{i}", *_part(i, cells.inputs[i].chained)]
    items += [f"s{i}" for i, item in enumerate(cells.inputs) if item.total is not None]
    return f"SELECT {', '.join(items)} FROM cut WHERE n > 0"


def _in_order(inputs: tuple[Input, ...]) -> list[int]:
    """The counted inputs, each after the one that it stands after."""
    found: dict[int, None] = {}
    for number, item in enumerate(inputs):
        chain: list[int] = []
        here: int | None = number if item.counted else None
        while here is not None and here not in found:
            chain.append(here)
            here = inputs[here].chained.after
        found |= dict.fromkeys(reversed(chain))
    return list(found)


def _part(number: int, chained: Chained) -> list[str]:
    """Where the rows of an input end among those of the cell, and how many of them are kept."""
    wide = f"CAST(n{number} AS HUGEINT)"
    if chained.down:
        return [f"CAST({wide} * n // m AS BIGINT) AS n{number}"]
    g, end = _hashed("u", "rows", "m"), f"e{number}"
    if chained.after is None:
        return [f"{wide} AS {end}", f"CAST(({end} * n + {g}) // m AS BIGINT) AS n{number}"]
    start = f"e{chained.after}"
    kept = f"({end} * n + {g}) // m - ({start} * n + {g}) // m"
    return [f"{start} + {wide} AS {end}", f"CAST({kept} AS BIGINT) AS n{number}"]


def _kept(cells: Cells, keys: list[str], label: str) -> exp.Query:
    """What is kept of each cell that was cut, and all of those of other units beside it."""
    unit = ["u"] * (cells.norm is not None)
    parts = [f"counted.{k}" for k in [*unit, *keys, "n"]]
    for i, item in enumerate(cells.inputs):
        parts += [f"counted.n{i}"] if item.counted else []
        if item.total is not None:
            now, then = (f"n{i}", f"m{i}") if item.counted else ("n", "m")
            parts.append(_scaled(item.total, f"s{i}", now, then))
    columns = [c for c, _ in cells.keys]

    def of_groups(text: str, name: str) -> exp.Select:
        select = parsed(text)
        assert isinstance(select, exp.Select)
        return where(select, cells.members, columns, (column(name, k) for k in keys))

    part_of = of_groups(f"SELECT {', '.join(parts)} FROM counted", "counted")
    if not label:
        return part_of
    whole = ", ".join(f"cells.{n}" for n in [*unit, *keys, *cells.sums])
    light = of_groups(f"SELECT {whole} FROM cells WHERE cells.{label} IS NULL", "cells")
    return exp.union(light, part_of, distinct=False, copy=False)


def _scaled(lattice: OnLattice, name: str, now: str, then: str) -> str:
    """s·now/then in whole steps, of the sum's own type; s where both are the same.

    No product overflows: |s| <= 2^49·then steps, and 2^49·then² is below 2^127 for 2^39 rows.
    """
    kind = lattice.expr.type
    size = f"NULLIF(counted.{then}, 0)"  # the sum of no value is NULL
    g = _hashed("counted.u", "rows", size)
    steps, scale = f"counted.{name}", kind.scale or 0
    if kind.is_decimal:
        steps = f"CAST({steps} * {10**scale} AS HUGEINT)"
    product = f"CAST({steps} AS HUGEINT) * counted.{now}"
    up = f"({product} + {g}) // {size}"
    down = f"({product} - {g}) // {size}"
    result = f"CASE WHEN {steps} < 0 THEN {down} ELSE {up} END"
    if kind.is_decimal:
        assert lattice.step == Fraction(1, 10**scale)
        step = f"CAST('{Decimal(1).scaleb(-scale):f}' AS DECIMAL(18, {scale}))"
        result = f"CAST(CAST({result} AS DECIMAL(38, 0)) * {step} AS DECIMAL(38, {scale}))"
    return (
        f"CASE WHEN counted.{now} = counted.{then} THEN counted.{name} ELSE {result} END AS {name}"
    )
