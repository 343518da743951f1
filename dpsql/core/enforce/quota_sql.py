"""Units with more rows than their quota R, cut down to it: from the sums of each unit and group.

    WITH cells   AS (SELECT unit AS u, key AS k0, COUNT(*) AS n, SUM(x) AS s0 … GROUP BY u, k0),
         totals  AS (the cells of a unit with its rows, and the rows up to their end, by the keys),
         placed  AS (the same with a hash of the unit),
         cut     AS (SELECT u, k0, n AS m, <n'> AS n, s0 FROM placed),
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
from them, and each of these numbers is CASE WHEN u IS NULL THEN <what it was> ELSE <what is kept>
END. Where nobody has told before who has more rows, an engine that computes a WITH query as often
as it is read (`Rereading`) would read all rows twice for that: there every unit has its cells, and
so it is where units are counted, or equal ones may be others (`equal_is_same`).

Source: Madow, "On the theory of systematic sampling" (1949).
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from sqlglot import exp

from dpsql.core.emit.plans import Source, column, parsed, rereads, where, with_queries
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
    told = equal_is_same(cells.path) and not cells.units
    over = kept_over(cells, source) if told and (across or not keys) else None
    labelled = over is not None or (told and across and not rereads(source))
    every: list[tuple[str, exp.Query]] = []
    every += labelled_cells(cells, source, over) if labelled else unit_cells(cells, source)
    others = [*keys, *cells.sums[1:]]
    least, read = f"LEAST(n, CAST({cells.quota} AS BIGINT))", "cells"
    if across:
        every += _placed(keys)
        least, read = _size(cells.quota), "placed"
    size = _or_all(labelled, "u", "n", least)
    every.append(
        ("cut", parsed(f"SELECT {', '.join(['u', *others])}, n AS m, {size} AS n FROM {read}"))
    )
    every.append(("counted", parsed(_counted(cells, keys, labelled))))
    every.append(("kept", _kept(cells, keys, labelled)))
    sums = [f"SUM({name}) AS {name}" for name in cells.sums]
    sums += ["COUNT(*) AS units"] if cells.units else []
    read = "kept"
    if cells.norm is not None:
        every.append(("weights", weights_of("kept", "u", cells.norm)))
        sums.append("SUM(w) AS weights")
        read = "kept JOIN weights ON kept.u = weights.u"
    grouped = f" GROUP BY {', '.join(keys)}" if keys else ""
    result = parsed(f"SELECT {', '.join([*keys, *sums])} FROM {read}{grouped}")
    stored = {OVER, KEPT} | ({"kept"} if cells.norm is not None else set())
    again = {"rows"}  # Q14 of TPC-H takes 47 ms so, and 88 where they are stored
    again |= {"base"} if all(isinstance(n, READ_AGAIN) for n in nodes(cells.plan)) else set()
    assert isinstance(result, exp.Select)
    return with_queries(result, every, stored, again)


def _or_all(labelled: bool, unit: str, before: str, kept: str) -> str:
    """What is kept of a cell; of one that is several units' all that it was."""
    return f"CASE WHEN {unit} IS NULL THEN {before} ELSE {kept} END" if labelled else kept


def _placed(keys: list[str]) -> list[tuple[str, exp.Query]]:
    """Where the rows of all groups are, among those of their unit."""
    totals = (
        "SELECT cells.*, CAST(SUM(cells.n) OVER (PARTITION BY cells.u) AS BIGINT) AS total, "
        f"{_up_to(keys)} AS upto FROM cells"
    )
    placed = f"SELECT totals.*, {_hashed('totals.u', 'cells', 'totals.total')} AS h FROM totals"
    return [(name, parsed(text)) for name, text in (("totals", totals), ("placed", placed))]


def _up_to(keys: list[str]) -> str:
    return (
        "CAST(SUM(cells.n) OVER (PARTITION BY cells.u ORDER BY "
        f"{', '.join(f'cells.{k}' for k in keys)} "
        "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS BIGINT)"
    )


def _size(quota: int) -> str:
    """R rows of all groups together."""
    r = f"CAST({quota} AS BIGINT)"
    wide = "CAST(upto AS HUGEINT)"
    cut = f"CAST(({wide} * {r} + h) // total - (({wide} - n) * {r} + h) // total AS BIGINT)"
    return f"CASE WHEN total <= {r} THEN n ELSE {cut} END"


def _hashed(unit: str, salt: str, size: str) -> str:
    """A whole number from 0 to `size` - 1, the same for all rows of a unit."""
    return f"CAST(hash({unit}, '{salt}') % CAST({size} AS UBIGINT) AS BIGINT)"


def _counted(cells: Cells, keys: list[str], labelled: bool) -> str:
    """The cells that are cut, with the counts of each input before and after."""
    items = ["u", *keys, "m", "n"]
    for i in _in_order(cells.inputs):
        end, kept = _part(i, cells.inputs[i].chained)
        items += [f"n{i} AS m{i}", *end, f"{_or_all(labelled, 'u', f'n{i}', kept)} AS n{i}"]
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


def _part(number: int, chained: Chained) -> tuple[list[str], str]:
    """Where the rows of an input end among those of the cell, and how many of them are kept."""
    wide = f"CAST(n{number} AS HUGEINT)"
    if chained.down:
        return [], f"CAST({wide} * n // m AS BIGINT)"
    g, end = _hashed("u", "rows", "m"), f"e{number}"
    if chained.after is None:
        return [f"{wide} AS {end}"], f"CAST(({end} * n + {g}) // m AS BIGINT)"
    start = f"e{chained.after}"
    kept = f"({end} * n + {g}) // m - ({start} * n + {g}) // m"
    return [f"{start} + {wide} AS {end}"], f"CAST({kept} AS BIGINT)"


def _kept(cells: Cells, keys: list[str], labelled: bool) -> exp.Query:
    """What is kept of each cell."""
    unit = ["u"] * (cells.norm is not None)
    parts = [f"counted.{k}" for k in [*unit, *keys, "n"]]
    for i, item in enumerate(cells.inputs):
        parts += [f"counted.n{i}"] if item.counted else []
        if item.total is not None:
            now, then = (f"n{i}", f"m{i}") if item.counted else ("n", "m")
            kept = _scaled(item.total, f"s{i}", now, then)
            parts.append(f"{_or_all(labelled, 'counted.u', f'counted.s{i}', kept)} AS s{i}")
    select = parsed(f"SELECT {', '.join(parts)} FROM counted")
    assert isinstance(select, exp.Select)
    values = (column("counted", k) for k in keys)
    return where(select, cells.members, [c for c, _ in cells.keys], values)


def _scaled(lattice: OnLattice, name: str, now: str, then: str) -> str:
    """s·now/then in whole steps, of the sum's own type; s where both are the same.

    No product overflows: |s| <= 2^49·then steps, and 2^49·then² is below 2^127 for 2^39 rows of one
    unit; of several units there is none, by a CASE.
    """
    kind = lattice.expr.type
    size = f"NULLIF(counted.{then}, 0)"  # the sum of no value is NULL
    g = _hashed("counted.u", "rows", size)
    steps, scale = f"counted.{name}", kind.scale or 0
    if kind.is_decimal:
        steps = f"CAST({steps} * {10**scale} AS HUGEINT)"
    product = f"CAST({steps} AS HUGEINT) * counted.{now}"
    result = f"({product} + CASE WHEN {steps} < 0 THEN -{g} ELSE {g} END) // {size}"
    if kind.is_decimal:
        assert lattice.step == Fraction(1, 10**scale)
        step = f"CAST('{Decimal(1).scaleb(-scale):f}' AS DECIMAL(18, {scale}))"
        result = f"CAST(CAST({result} AS DECIMAL(38, 0)) * {step} AS DECIMAL(38, {scale}))"
    return f"CASE WHEN counted.{now} = counted.{then} THEN counted.{name} ELSE {result} END"
