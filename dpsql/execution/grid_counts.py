"""How many rows of each group are at each point of a grid."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from dpsql.core.release.picks import Grid, Pick
from dpsql.execution.exact import Exact, Key, normal
from dpsql.platform.engine.whole_rows import WholeRows, narrowest

Points = Mapping[int, int]
"""The rows at each point that has any."""


class Spread(Exact, Mapping[int, int]):
    """Rows over many points, which are held as two columns.

    Args:
        places: points, ascending.
        counts: the rows at each.
    """

    __slots__ = ("counts", "places")

    def __init__(self, places: Sequence[int], counts: Sequence[int]) -> None:
        self.places, self.counts = places, counts

    def __len__(self) -> int:
        return len(self.places)

    def __iter__(self) -> Iterator[int]:
        return iter(self.places)

    def __getitem__(self, place: int) -> int:
        found = bisect_left(self.places, place)
        if found == len(self.places) or self.places[found] != place:
            raise KeyError
        return self.counts[found]


def ascending(points: Points) -> tuple[Sequence[int], Sequence[int]]:
    """The points with rows in order, and the rows at each."""
    if isinstance(points, Spread):
        return points.places, points.counts
    places = sorted(points)
    return places, [points[place] for place in places]


def by_group(pick: Pick, rows: Sequence[tuple[object, ...]]) -> dict[Key, Points]:
    """The points of each group that has rows.

    Args:
        rows: the keys of a group, a point as the engine has it, how many rows are there.
    """
    width = len(pick.cells.keys) - 1
    if not width and isinstance(rows, WholeRows) and pick.grid.options is None:
        return {(): _spread(pick.grid, rows.taken())}
    found: dict[Key, dict[int, int]] = {}
    for row in rows:
        count, value = row[width + 1], row[width]
        place = None if value is None else pick.grid.place(normal(value))
        if place is None or not count:
            continue
        assert isinstance(count, int)
        points = found.setdefault(tuple(normal(v) for v in row[:width]), {})
        points[place] = points.get(place, 0) + count
    return {**found}


def _spread(grid: Grid, columns: list[array[int]]) -> Spread:
    """The same as `Grid.place` of each: what is beyond an end is at the end.

    Args:
        columns: values and counts, of millions; both go as soon as they are read.
    """
    import numpy

    counts, values = columns.pop(), columns.pop()
    places = numpy.frombuffer(values, values.typecode).astype("int64")
    del values
    numpy.clip(places, grid.first, grid.first + grid.size - 1, out=places)
    places -= grid.first
    rows = numpy.frombuffer(counts, counts.typecode)
    most = int(rows.max()) + 1
    if rows.min() >= 0 and grid.size * most <= 1 << 63:  # a place and its rows are one number
        places *= most
        places += rows
        places.sort()
        rows = numpy.empty(len(places), counts.typecode)
        numpy.remainder(places, most, out=rows, casting="unsafe")  # it fits
        places //= most
    else:
        order = numpy.argsort(places)
        places, rows = places[order], rows[order]
    new = numpy.ones(len(places), bool)
    numpy.not_equal(places[1:], places[:-1], out=new[1:])
    if not new.all():
        rows = numpy.add.reduceat(rows, numpy.flatnonzero(new), dtype="int64")
        places = places[new]
    return Spread(narrowest(places), narrowest(rows))
