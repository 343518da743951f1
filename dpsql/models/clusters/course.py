"""The queries of a k-means, one after the other: each is made of what was told before.

`course` asks for them, and is sent what was told: by a fit the noisy answers, by an explanation
those that there would be if rows were spread evenly. So both are of the same queries.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpsql.core.calibrate.options import Wishes
from dpsql.models.clusters import grid, moving
from dpsql.models.clusters.grid import Axis, Cells
from dpsql.models.clusters.moving import Moved
from dpsql.models.clusters.packing import clustered, packed
from dpsql.models.clusters.specification import KMeans
from dpsql.models.columns import Columns
from dpsql.models.wanted import How

Array = NDArray[np.float64]

COUNT, GRID, STEPS = 1, 10, 9
"""Shares of ε: of the number of rows, by which the grid is made; of the grid; of all steps."""
USUAL_STEPS, STEPS_ALONE = 1, 2
USUAL_ROWS = 10_000
"""How many rows are imagined where no size is given."""


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked.

    Attributes:
        name: what it is for.
        sql: the query.
        how, wishes: it is asked so.
        sums: what its columns are, after the keys.
        keys: how many of these there are.
        imagined: rows that may be answered.
    """

    name: str
    sql: str
    how: How
    wishes: Wishes
    sums: tuple[str, ...]
    keys: int
    imagined: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Heard:
    """What was told.

    Attributes:
        rows: the answer.
        noise: draws of that of a row's columns after the keys.
        scale: of that of the first of them, as Laplace noise with the same deviation. Not of the
            draws: another text of the same query has others, and would go on to another grid.
    """

    rows: Sequence[Sequence[Any]]
    noise: Array
    scale: float


Course = Generator[Query, Heard, Moved]


def course(
    relation: str, columns: Columns, model: KMeans, how: How, size: float = USUAL_ROWS
) -> Course:
    """The queries; returns what the last step made.

    Args:
        relation: the analyst's query.
        columns: what is public of it.
        model: what is wanted.
        how: all of it is asked so.
        size: how many rows are imagined.

    Raises:
        InvalidBudget: an ε too small to be shared.
    """
    wide = len(columns.terms)
    if grid.fewest(columns) > grid.MOST_CELLS:
        steps = model.steps or STEPS_ALONE
        shared = how.shared([1.0] * steps)
        return (
            yield from _steps(relation, columns, packed(model.clusters, wide), None, shared, size)
        )
    steps = model.steps or USUAL_STEPS
    shared = how.shared([COUNT * steps, GRID * steps, *[STEPS] * steps])
    counting = f"SELECT COUNT(*) AS n FROM ({grid.rows_of(relation, columns)}) AS terms"
    told = yield Query("rows", counting, shared[0], how.wishes, ("n",), 0, ((size,),))
    made = grid.axes(columns, float(told.rows[0][0] or 0), told.scale * COUNT / GRID)
    cells = yield from _cells(relation, columns, made, shared[1], size)
    kept = cells.seen if cells.seen.any() else np.full(len(cells.counts), True)
    weights = cells.counts[kept] if cells.seen.any() else np.ones(len(cells.counts))
    start = clustered(cells.middles[kept], weights, model.clusters)
    return (yield from _steps(relation, columns, start, cells, shared[2:], size))


def _cells(
    relation: str, columns: Columns, made: Sequence[Axis], how: How, size: float
) -> Generator[Query, Heard, Cells]:
    keys = len(made)
    even = tuple((*key, n) for key, n in grid.evenly(made, size).items())
    sql = grid.statement(relation, columns, made)
    told = yield Query("grid", sql, how, how.wishes, ("rows of a cell",), keys, even)
    counts = {tuple(map(int, row[:keys])): float(row[keys] or 0) for row in told.rows}
    return grid.cells_of(made, counts, told.scale)


def _steps(
    relation: str,
    columns: Columns,
    start: Array,
    cells: Cells | None,
    shared: Sequence[How],
    size: float,
) -> Course:
    clusters, wide = start.shape
    moves = (f"{term.name} from its centre" for term in columns.terms)
    sums = ("rows of a cluster", *moves, "squares of distances")
    even = (size / clusters, *[0.0] * wide, 0.0)
    imagined = tuple((float(number), *even) for number in range(clusters))
    found: Moved | None = None
    for how in shared:
        at = moving.around(start, cells)
        sql = moving.statement(relation, columns, at)
        told = yield Query("step", sql, how, moving.wishes(how), sums, 1, imagined)
        values = np.zeros((clusters, wide + 2))
        for row in told.rows:
            values[int(row[0])] = [float(value or 0) for value in row[1:]]
        found = moving.move(at, values, told.noise, cells.fine if cells else 0.5)
        start = found.centres
    assert found is not None
    return replace(found, cells=cells)
