"""One of Lloyd's steps by a query: each centre goes to the mean of the rows that are nearest to it.

With centres o, a row is of the cluster whose score s = o·z − |o|²/2 is the largest (the first of
several), which is the nearest. Within it y = (z − o)/r, clamped to [−1, 1], is added up, so that

    o' = o + r·Σy/n.

r is how far the rows of this cluster are from its centre, as those cells of the grid show that are
seen: it is made of noisy counts, so it is public. Noise on Σy moves o' by r/n times as much, and
that on n only as far as o moves. The paper adds up z itself: r = 1 and o = 0, whose noise is
as wide as the bounds, however narrow clusters are. Rows beyond r count as at r.

|z − o|² is |z|² − 2·s of the largest s. It is added up, too, for the inertia: around the half of
`furthest`, which is the largest Σr² of a cluster and bounds it, so that a row adds half as much.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpsql.core.calibrate.options import Wishes
from dpsql.models.clusters.grid import Cells, rows_of
from dpsql.models.clusters.packing import distances
from dpsql.models.columns import Columns
from dpsql.models.literals import double, exact
from dpsql.models.spread import half_width
from dpsql.models.wanted import How
from dpsql.types import decimal

Array = NDArray[np.float64]

DIGITS = 6
"""After the point, of what is added up."""
NARROWEST = 0.05
"""r is that at least."""
FINEST = 0.75
"""A centre stays where noise would move it by more than so much of half a cell, on average."""
SURE = 2.0
"""How many times as many rows as noise hides a cluster has that is seen nearly always: noise takes
away as much as it makes, and the least cluster may have half as many as usual."""
ROWS = 0.3
"""How much the accuracy of n and Σq matters beside that of Σy."""


@dataclass(frozen=True, slots=True)
class Around:
    """Centres, and how far their rows are from them.

    Attributes:
        centres: o, a row a cluster.
        reach: r likewise.
    """

    centres: Array
    reach: Array

    @property
    def furthest(self) -> float:
        """The square of how far from its centre a row counts as at most."""
        return round(float((self.reach**2).sum(axis=1).max()) / 2, DIGITS) * 2


@dataclass(frozen=True, slots=True)
class Moved:
    """What a step made of centres.

    Attributes:
        centres: o'.
        noise: the half-widths of theirs; NaN where a centre was kept.
        counts, counts_noise: n of each cluster, and its half-width.
        hidden: the clusters whose centre was kept, since noise hides where it goes.
        inertia, inertia_noise: the sum of the squares of the distances to o', and its half-width.
        off: the root mean square of the noise of a sum of moves, of the widest cluster.
        furthest: the square of how far from its centre a row counts as at most.
        cells: of the grid, if there was one.
    """

    centres: Array
    noise: Array
    counts: Array
    counts_noise: float
    hidden: tuple[int, ...]
    inertia: float
    inertia_noise: float
    off: float
    furthest: float
    cells: Cells | None = None

    def enough(self, rows: float) -> float:
        """How many times as much ε would let each centre move nearly always, if all clusters had as
        many of so many rows; 1 for what there was. Noise is in proportion to 1/ε, and a finer grid
        asks for less of it.
        """
        times, each = 1.0, rows / len(self.centres)
        while True:
            fine = 0.5 if self.cells is None else self.cells.finer(rows, times)
            if SURE * max(self.off / (FINEST * fine), self.counts_noise) <= each * times:
                return times
            times *= 1.05


def around(centres: Array, cells: Cells | None) -> Around:
    """How far rows may be, as cells show; or anywhere."""
    reach = whole = 1 + np.abs(centres)
    seen = np.zeros((0, centres.shape[1])) if cells is None else cells.middles[cells.seen]
    if cells is not None and len(seen):
        near = distances(seen, centres).argmin(axis=1)
        reach = whole.copy()
        for number in np.unique(near):
            far = np.abs(seen[near == number] - centres[number]).max(axis=0) + cells.halves
            # Of a truth rows are at both ends, however few: unseen cells would hide these.
            far = np.where(cells.halves > 0, far, np.inf)
            reach[number] = np.clip(far, NARROWEST, whole[number])
    return Around(centres, reach)


def anywhere(clusters: int, wide: int) -> Around:
    """Where rows are as far from centres as they can be: no other step adds up numbers with wider
    bounds.
    """
    return Around(np.ones((clusters, wide)), np.full((clusters, wide), 2.0))


def scores(columns: Columns, centres: Array) -> list[str]:
    """Of each centre, over the terms x0, x1, …"""
    halves = np.array([float(term.half) for term in columns.terms])
    made = []
    for centre in centres:
        parts = [f"{double(slope)} * x{i}" for i, slope in enumerate(centre / halves)]
        made.append(" + ".join([double(-float(centre @ centre) / 2), *parts]))
    return made


def squared(columns: Columns, scored: Sequence[str], most: float) -> str:
    """|z − o|² of the nearest centre, `most` at most, less the half of that."""
    parts = [f"{double(1 / term.half)} * x{i}" for i, term in enumerate(columns.terms)]
    whole = " + ".join(f"ABS({part}) * ABS({part})" for part in parts)
    far = f"{whole} - 2e0 * GREATEST({', '.join(scored)})"
    half = round(Fraction(most / 2), DIGITS)
    return f"{_fine(f'LEAST(GREATEST({far}, 0e0), {double(2 * half)})', 2 * most)} - {exact(half)}"


def _fine(sql: str, most: float) -> str:
    """A DOUBLE in few digits: its sum is exact, and any noise has room beside it."""
    return f"CAST({sql} AS {decimal(len(str(int(most))) + DIGITS, DIGITS)})"


def statement(relation: str, columns: Columns, at: Around) -> str:
    """The query: a row of sums for each cluster. The cluster's number is a CASE of constants, of
    which the values are public. It is written out for each sum, since expressions are proven with
    all that is in them, and grow with the square of what stands in one another.
    """
    clusters, places = range(len(at.centres)), range(len(columns.terms))
    names = [f"s{number}" for number in clusters]
    beats = [f"{names[j]} >= {_greatest(names[j + 1 :])}" for j in clusters[:-1]]

    def chosen(made: Sequence[str]) -> str:
        cases = " ".join(f"WHEN {beat} THEN {one}" for beat, one in zip(beats, made, strict=False))
        return f"CASE {cases} ELSE {made[-1]} END"

    def moved(i: int) -> str:
        slopes = 1 / (float(columns.terms[i].half) * at.reach[:, i])
        firsts = -at.centres[:, i] / at.reach[:, i]
        lines = [f"{double(a)} * x{i} + {double(b)}" for a, b in zip(slopes, firsts, strict=True)]
        return f"{_fine(f'LEAST(GREATEST({chosen(lines)}, -1e0), 1e0)', 1)} AS y{i}"

    made = zip(scores(columns, at.centres), names, strict=True)
    shown = ", ".join([*(f"x{i}" for i in places), *(f"{sql} AS {name}" for sql, name in made)])
    sums = ", ".join(f"SUM(y{i}) AS y{i}" for i in places)
    number = chosen([str(number) for number in clusters])
    return (
        f"SELECT c, COUNT(*) AS n, {sums}, SUM(q) AS q\n"
        f"FROM (SELECT {number} AS c, {', '.join(map(moved, places))}, "
        f"{squared(columns, names, at.furthest)} AS q\n"
        f"FROM (SELECT {shown}\nFROM ({rows_of(relation, columns)}) AS terms) AS scores) AS moved\n"
        "GROUP BY c"
    )


def _greatest(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"GREATEST({', '.join(names)})"


def wishes(how: How) -> Wishes:
    """How it is asked."""
    return {**how.wishes, "weights": {"n": ROWS, "q": ROWS}}


def move(at: Around, sums: Array, noise: Array, fine: float) -> Moved:
    """The centres after the step.

    Args:
        at: the centres before it.
        sums: n, Σy and Σq of each cluster, a row a cluster.
        noise: draws of that of a row.
        fine: half of a cell.
    """
    counts, every = sums[:, 0], noise[:, 1:-1]
    hides, widest = half_width(noise[:, 0]), 0.0
    centres, off, hidden = at.centres.copy(), np.full(at.centres.shape, np.nan), []
    inertia, spread = 0.0, np.zeros(len(noise))
    for number, (n, reach) in enumerate(zip(counts, at.reach, strict=True)):
        root = float(np.sqrt(np.mean((every * reach).var(axis=0))))
        widest = max(widest, root)
        if n <= hides or root / n > FINEST * fine:
            hidden.append(number)
        else:
            shift = sums[number, 1:-1] / n
            centres[number] = np.clip(at.centres[number] + reach * shift, -1, 1)
            moves = (every - noise[:, :1] * shift) * reach / n
            off[number] = [half_width(column) for column in moves.T]
        by = centres[number] - at.centres[number]
        # Σ|z − o − by|² is Σ|z − o|² − 2·by·Σ(z − o) + n·|by|².
        parts = np.array([at.furthest / 2 + float(by @ by), *(-2 * by * reach), 1.0])
        inertia += float(sums[number] @ parts)
        spread += np.roll(noise, number, axis=0) @ parts  # clusters have noise of their own
    return Moved(
        centres=centres,
        noise=off,
        counts=counts,
        counts_noise=hides,
        hidden=tuple(hidden),
        inertia=inertia,
        inertia_noise=half_width(spread),
        off=widest,
        furthest=at.furthest,
    )
