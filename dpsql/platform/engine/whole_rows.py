"""Many rows of whole numbers, by their columns: a tenth of the memory and of the time of tuples.

Claim: they are the rows that the engine made. Why: numpy has the types of `WHOLE` bit by bit, and a
column is held in no more bytes than its least and its greatest number need. Any other type (sums
are HUGEINT) would come out as a float, and is left to tuples.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    import duckdb
    from numpy.typing import NDArray

Row = tuple[object, ...]

WHOLE = frozenset({"TINYINT", "SMALLINT", "INTEGER", "BIGINT"})

AT_ONCE = 1_000
"""Rows that are fetched as tuples: they may have long texts."""
FEW = 20_000
"""Rows that are not worth the import of numpy."""
MANY = 1 << 16
"""Numbers of a part."""
CODES = "bhiq"
"""Arrays of whole numbers with a sign, of 8, 16, 32 and 64 bits; as letters, too, in this order."""


class WholeRows(Sequence[Row]):
    """Rows of whole numbers of at most 64 bits.

    Args:
        columns: at least one, of one length, each an array of one of `CODES`.
    """

    __slots__ = ("columns",)

    def __init__(self, columns: Sequence[array[int]]) -> None:
        self.columns = columns

    def taken(self) -> list[array[int]]:
        """Its columns, which it has no more: so they take no memory when they are no more used."""
        columns, self.columns = [*self.columns], [array(CODES[0])]
        return columns

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
    if any(getattr(column, "mask", False) is not False for column in columns):  # there are NULLs
        for start in range(0, len(columns[0]), size):
            part = (column[start : start + size].tolist() for column in columns)
            yield from _tuples(zip(*part, strict=True))
        return
    for start in range(0, len(columns[0]), size):
        yield WholeRows([narrowest(column[start : start + size]) for column in columns])


def narrowest(numbers: NDArray[Any]) -> array[int]:
    """At least one number, as the narrowest array with room for all."""
    import numpy

    code = _code(int(numbers.min()), int(numbers.max()))
    found = array(code, [0]) * len(numbers)
    numpy.frombuffer(found, code)[:] = numbers
    return found


def _code(least: int, most: int) -> str:
    """That of the narrowest array with room for both, and all between."""
    bits = 1 + max(least, ~least, most, ~most).bit_length()  # one is the sign
    return next(code for code in CODES if bits <= 8 * array(code).itemsize)


def _tuples(rows: Iterator[Row]) -> Iterator[Sequence[Row]]:
    return iter(lambda: list(islice(rows, AT_ONCE)), [])


def joined(found: Iterable[Sequence[Row]]) -> Sequence[Row]:
    """The rows of all parts; by columns where all but the first are, and no NULL is among them."""
    rows: list[Row] = []
    columns: list[array[int]] = []
    for part in found:
        if isinstance(part, WholeRows) and not columns and not any(None in row for row in rows):
            columns = [*_whole(rows)] or [array(CODES[0]) for _ in part.columns]
        if not columns:
            rows.extend(part)
        elif isinstance(part, WholeRows):
            columns = [*map(_longer, columns, part.columns)]
        else:
            raise ValueError("columns are not followed by tuples")
    return WholeRows(columns) if columns else rows


def _whole(rows: Sequence[Row]) -> Iterator[array[int]]:
    for numbers in zip(*rows, strict=True):
        whole = array("q", numbers)  # or TypeError
        yield array(_code(min(whole), max(whole)), whole)


def _longer(column: array[int], more: array[int]) -> array[int]:
    """Both as one array, as wide as the wider one; the first of them may be made longer."""
    code = max(column.typecode, more.typecode)
    found = column if column.typecode == code else array(code, column)
    found.extend(more if more.typecode == code else array(code, more))
    return found
