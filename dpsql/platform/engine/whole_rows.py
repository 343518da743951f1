"""Many rows of whole numbers, by their columns: a tenth of the memory and of the time of tuples.

Claim: they are the rows that the engine made. Why: numpy has the types of `WHOLE` bit by bit. Any
other type (sums are HUGEINT) would come out as a float, and is left to tuples.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from itertools import chain, islice
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    import duckdb

Row = tuple[object, ...]

WHOLE = frozenset({"TINYINT", "SMALLINT", "INTEGER", "BIGINT"})

AT_ONCE = 1_000
"""Rows that are fetched as tuples: they may have long texts."""
FEW = 20_000
"""Rows that are not worth the import of numpy."""
MANY = 1 << 20
"""Numbers of a part."""


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
    """The rows of a result, in parts that fit a message."""
    tuples = iter(lambda: found.fetchmany(AT_ONCE), [])
    yield from islice(tuples, FEW // AT_ONCE)
    kinds = {str(kind) for _, kind, *_ in found.description or ()}
    if not kinds <= WHOLE or find_spec("numpy") is None:
        yield from tuples
        return
    columns = list(found.fetchnumpy().values())
    size = MANY // len(columns)
    for start in range(0, len(columns[0]), size):
        part = [column[start : start + size] for column in columns]
        if any(getattr(column, "mask", False) is not False for column in part):  # there are NULLs
            yield from _tuples(zip(*(column.tolist() for column in part), strict=True))
        else:
            yield WholeRows([array("q", column.astype("int64").tobytes()) for column in part])


def _tuples(rows: Iterator[Row]) -> Iterator[Sequence[Row]]:
    return iter(lambda: list(islice(rows, AT_ONCE)), [])


def joined(found: Iterable[Sequence[Row]]) -> Sequence[Row]:
    """The rows of all parts; by columns where all but the first are, and no NULL is among them."""
    every = list(found)
    if isinstance(every[-1] if every else (), WholeRows):
        columns = [array("q") for _ in every[-1][0]]
        try:
            for part in every:
                whole = part.columns if isinstance(part, WholeRows) else zip(*part, strict=True)
                for column, more in zip(columns, whole, strict=True):
                    column.extend(more)
        except TypeError:  # a NULL
            return list(chain.from_iterable(every))
        return WholeRows(columns)
    return list(chain.from_iterable(every))
