"""Rows of whole numbers, held by their columns: a tenth of the memory and of the time of tuples.

Claim: they are the rows that the engine made. Why: numpy has `WHOLE` as they are, bit by bit; any
other type (sums, which are HUGEINT; DECIMAL) would come out as a float, and is left to tuples.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from itertools import chain
from typing import overload

import duckdb

Row = tuple[object, ...]

WHOLE = frozenset({"TINYINT", "SMALLINT", "INTEGER", "BIGINT"})
MANY = 10_000
"""Rows that come as tuples, and at once."""
MOST = 1 << 20
"""Rows of a part of whole numbers."""


class WholeRows(Sequence[Row]):
    """Rows of whole numbers of 64 bits.

    Args:
        columns: at least one, of one length.
    """

    __slots__ = ("columns",)

    def __init__(self, columns: Sequence[array[int]]) -> None:
        self.columns = columns

    def __len__(self) -> int:
        return len(self.columns[0])

    @overload
    def __getitem__(self, place: int) -> Row: ...

    @overload
    def __getitem__(self, place: slice) -> WholeRows: ...

    def __getitem__(self, place: int | slice) -> Row | WholeRows:
        if isinstance(place, slice):
            return WholeRows([column[place] for column in self.columns])
        return tuple(column[place] for column in self.columns)

    def __iter__(self) -> Iterator[Row]:
        return zip(*self.columns, strict=True)


def parts(found: duckdb.DuckDBPyConnection) -> Iterator[Sequence[Row]]:
    """The rows of a result, in parts: the first as tuples, and many whole numbers by columns."""
    rows = found.fetchmany(MANY)
    kinds = {str(kind) for _, kind, *_ in found.description or ()}
    yield rows
    if len(rows) == MANY and kinds <= WHOLE and find_spec("numpy") is not None:
        columns = list(found.fetchnumpy().values())
        if any(getattr(column, "mask", False) is not False for column in columns):
            yield list(zip(*(column.tolist() for column in columns), strict=True))
            return
        for start in range(0, len(columns[0]), MOST):
            part = (column[start : start + MOST].astype("int64") for column in columns)
            yield WholeRows([array("q", column.tobytes()) for column in part])
        return
    while rows := found.fetchmany(MANY):
        yield rows


def joined(found: Iterable[Sequence[Row]]) -> Sequence[Row]:
    """The rows of all parts; by columns where a part is, which is then of whole numbers alone."""
    every = list(found)
    if not any(isinstance(part, WholeRows) for part in every):
        return list(chain.from_iterable(every))
    columns: list[array[int]] = [array("q") for _ in every[0][0]]
    for part in every:
        for column, more in zip(columns, by_columns(part), strict=True):
            column.extend(more)  # type: ignore[arg-type]
    return WholeRows(columns)


def by_columns(part: Sequence[Row]) -> Iterable[Iterable[object]]:
    """The columns of rows."""
    return part.columns if isinstance(part, WholeRows) else zip(*part, strict=True)
