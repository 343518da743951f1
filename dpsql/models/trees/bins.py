"""The features of a tree as bins with public edges, and the splits between them.

A row is in one bin of each feature. Bins have numbers, those of a feature after those of the one
before, so that one column of a query holds them all.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpsql.models.columns import Columns
from dpsql.models.estimates import where
from dpsql.models.literals import cases, constant, double, exact, places, quoted
from dpsql.models.terms import Term
from dpsql.types import Scalar

MOST_DIGITS = 6
"""After the point, of a number that is written as it is; others are DOUBLEs."""


@dataclass(frozen=True, slots=True)
class Split:
    """A question about a row.

    Attributes:
        column: of it.
        below: whether the column is less than this number; None where it is compared for equality.
        value: whether it is this value; None where it is compared with a number.
    """

    column: str
    below: Fraction | None = None
    value: Scalar | None = None

    @property
    def sql(self) -> str:
        """The question, of rows where the column is not NULL."""
        return f"{quoted(self.column)} {'<' if self.value is None else '='} {self._other}"

    @property
    def otherwise(self) -> str:
        """The question whose answer is yes where that of this one is no; NULL where it is NULL."""
        return f"{quoted(self.column)} {'>=' if self.value is None else '<>'} {self._other}"

    @property
    def _other(self) -> str:
        """What the column is compared with."""
        if self.value is not None:
            return constant(self.value)
        assert self.below is not None
        return number(self.below)

    def holds(self, values: NDArray[Any]) -> NDArray[np.bool_]:
        """Of which values of the column the answer is yes."""
        if self.below is None:
            return where(values, self.value)
        return np.asarray(values.astype(float) < float(self.below), dtype=bool)

    def __str__(self) -> str:
        if self.below is None:
            return f"{self.column} = {self.value}"
        return f"{self.column} < {float(self.below):.6g}"


@dataclass(frozen=True, slots=True)
class Binned:
    """A feature.

    Attributes:
        column: of it.
        first: the number of its first bin.
        edges: of a number, between its bins.
        values: of a feature with levels all of them, a bin each.
    """

    column: str
    first: int
    edges: tuple[Fraction, ...]
    values: tuple[Scalar, ...]

    @property
    def size(self) -> int:
        """How many bins."""
        return len(self.values) or len(self.edges) + 1

    @property
    def sql(self) -> str:
        """The bin of a row."""
        name = quoted(self.column)
        if self.values:
            return cases(name, [(v, str(self.first + i)) for i, v in enumerate(self.values)])
        found = [
            f"WHEN {name} < {number(edge)} THEN {self.first + i}"
            for i, edge in enumerate(self.edges)
        ]
        return f"CASE {' '.join(found)} ELSE {self.first + len(self.edges)} END"

    @property
    def splits(self) -> tuple[tuple[Split, tuple[int, ...]], ...]:
        """Each with its bins whose answer is yes, from 0. Of two values one question will do."""
        if self.values:
            some = list(enumerate(self.values))[1 if len(self.values) == 2 else 0 :]
            return tuple((Split(self.column, value=value), (i,)) for i, value in some)
        return tuple(
            (Split(self.column, edge), tuple(range(i + 1))) for i, edge in enumerate(self.edges)
        )


def binned(columns: Columns, bins: int) -> tuple[Binned, ...]:
    """The features, in order."""
    made: list[Binned] = []
    for column, terms in columns.by_column.items():
        first = made[-1].first + made[-1].size if made else 0
        values = columns.values.get(column, ())
        made.append(Binned(column, first, () if values else edges(terms[0], bins), values))
    return tuple(made)


def edges(term: Term, bins: int) -> tuple[Fraction, ...]:
    """Between even parts of a number's bounds; of one with steps at those, and at all of them where
    they are few.
    """
    low, wide = term.centre - term.half, 2 * term.half
    if term.grain is None:
        even = [Fraction(float(low + wide * i / bins)) for i in range(1, bins)]
        return tuple(dict.fromkeys(even))
    steps = int(wide / term.grain)
    many = min(bins, steps + 1)
    at = [math.ceil(Fraction((steps + 1) * i, many)) for i in range(1, many)]
    return tuple(low + term.grain * step for step in dict.fromkeys(at))


def number(value: Fraction) -> str:
    """A constant: as exact as it is."""
    digits = places(value)
    return double(value) if digits is None or digits > MOST_DIGITS else exact(value)
