"""A histogram over a grid of the features: the first query of a k-means.

It is the method of Su, Cao, Li, Bertino and Jin 2016 ("Differentially private k-means clustering",
EUGkM): the noisy counts of a grid's cells are clustered as rows that stand in the middle of their
cell. A number's range is cut into equal parts, a text and a truth have a cell for each value. How
many parts: with n rows, noise of scale b and d numbers, (n/(c·b))^(2d/(d+2)) cells, which grows as
noise gets less. They take c = 10; here it is `COARSE`, and counts below the noise are left out
(docs/figures.md has how much that matters).

What is left out. Most cells of a fine grid are empty, and what noise makes of them is anywhere: it
pulls centres to the middle. So a count below b·`SEEN`·ln(cells) counts as none: of so many draws
of noise, few are above.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpsql.models.columns import Columns
from dpsql.models.literals import double
from dpsql.models.terms import Term

Array = NDArray[np.float64]

MOST_CELLS = 2500
MOST_PARTS = 50
"""Of a number: to prove a CASE takes time in proportion to the square."""
COARSE = 5.0
SEEN = 0.5


@dataclass(frozen=True, slots=True)
class Axis:
    """The cells of one column.

    Attributes:
        conditions: SQL over the terms x0, x1, …: a row is in the first cell whose condition holds,
            or in the last one, which has none.
        middles: z of the column's terms in the middle of each cell, a row a cell.
        halves: how far a row of the cell is from there at most, of each term.
    """

    conditions: tuple[str, ...]
    middles: Array
    halves: Array

    @property
    def sql(self) -> str:
        """The cell's number, from 0: a CASE of constants, of which the values are public."""
        made = " ".join(f"WHEN {c} THEN {number}" for number, c in enumerate(self.conditions))
        return f"CASE {made} ELSE {len(self.conditions)} END"


@dataclass(frozen=True, slots=True)
class Cells:
    """Cells of a grid with their counts.

    Attributes:
        middles: z of each, a row a cell.
        halves: how far a row of any cell is from its middle at most, of each term.
        counts: with noise.
        scale: of that noise.
        numbers, fixed: how many columns are cut into parts, and how many cells the others have.
    """

    middles: Array
    halves: Array
    counts: Array
    scale: float
    numbers: int
    fixed: int

    @property
    def seen(self) -> NDArray[np.bool_]:
        """The cells whose count is more than noise."""
        least = max(SEEN * math.log(max(len(self.counts), 1)), 1.0) * self.scale
        return np.asarray(self.counts > least)

    @property
    def fine(self) -> float:
        """How far a row is from the middle of its cell at most, in a usual number."""
        return float(self.halves.max()) or 1.0

    def finer(self, rows: float, times: float) -> float:
        """The same of a grid for so many rows, and so many times as little noise."""
        scale = self.scale / times
        return 1 / parts(self.numbers, self.fixed, rows, scale) if self.numbers else 1.0


def fewest(columns: Columns) -> int:
    """How many cells a grid has, with two parts of each number."""
    return math.prod(_own(terms) or 2 for terms in columns.by_column.values())


def axes(columns: Columns, rows: float, scale: float) -> tuple[Axis, ...]:
    """The grid for about so many rows, and noise of that scale."""
    every = list(columns.by_column.values())
    numbers = sum(_own(terms) is None for terms in every)
    fixed = math.prod(_own(terms) or 1 for terms in every)
    each = parts(numbers, fixed, rows, scale) if numbers else 2
    place, made = 0, []
    for terms in every:
        made.append(_axis(terms, place, each))
        place += len(terms)
    return tuple(made)


def parts(numbers: int, fixed: int, rows: float, scale: float) -> int:
    """Into how many parts a number is cut.

    Args:
        numbers: how many numbers there are, one at least.
        fixed: how many cells the other columns have together.
        rows, scale: see `axes`.
    """
    ratio = max(rows / (COARSE * scale), 1.0) if scale > 0 else math.inf
    cells = min(ratio ** (2 * numbers / (numbers + 2)), MOST_CELLS) / fixed
    return min(max(2, int(cells ** (1 / numbers) + 1e-9)), MOST_PARTS)


def statement(relation: str, columns: Columns, made: Sequence[Axis]) -> str:
    """The query: a row for each cell."""
    cells = ", ".join(f"{axis.sql} AS b{place}" for place, axis in enumerate(made))
    keys = ", ".join(f"b{place}" for place in range(len(made)))
    return (
        f"SELECT {keys}, COUNT(*) AS n\n"
        f"FROM (SELECT {cells} FROM ({rows_of(relation, columns)}) AS terms) AS cells\n"
        f"GROUP BY {keys}"
    )


def rows_of(relation: str, columns: Columns) -> str:
    """The rows that count, with their terms x0, x1, … around their middles."""
    terms = ", ".join(f"{term.centred} AS x{place}" for place, term in enumerate(columns.terms))
    return f"SELECT {terms} FROM (\n{relation}\n) AS r\nWHERE {' AND '.join(columns.conditions)}"


def cells_of(made: Sequence[Axis], counted: dict[tuple[int, ...], float], scale: float) -> Cells:
    """Of the answer, by the numbers of its cells. What is not in it cannot be."""
    keys = sorted(counted)
    middles = [np.concatenate([a.middles[n] for a, n in zip(made, k, strict=True)]) for k in keys]
    halves = np.concatenate([axis.halves for axis in made])
    fixed = [len(axis.middles) for axis in made if not axis.halves.any()]
    return Cells(
        middles=np.array(middles),
        halves=halves,
        counts=np.array([counted[key] for key in keys]),
        scale=scale,
        numbers=len(made) - len(fixed),
        fixed=math.prod(fixed),
    )


def evenly(made: Sequence[Axis], rows: float) -> dict[tuple[int, ...], float]:
    """The counts if so many rows were spread evenly."""
    keys = list(itertools.product(*(range(len(axis.middles)) for axis in made)))
    return dict.fromkeys(keys, rows / len(keys))


def _own(terms: Sequence[Term]) -> int | None:
    """How many cells a column has by itself; None for a number, which is cut into parts."""
    return len(terms) + 1 if terms[0].two else None


def _axis(terms: Sequence[Term], place: int, parts: int) -> Axis:
    if terms[0].two:
        conditions = tuple(f"x{place + number} > 0" for number in range(len(terms)))
        middles = np.vstack([2 * np.eye(len(terms)) - 1, -np.ones((1, len(terms)))])
        return Axis(conditions, middles, np.zeros(len(terms)))
    half = terms[0].half
    cuts = [half * (2 * number - parts) / parts for number in range(1, parts)]
    middles = (2 * np.arange(parts)[:, None] + 1 - parts) / parts
    conditions = tuple(f"x{place} < {double(cut)}" for cut in cuts)
    return Axis(conditions, middles, np.array([1 / parts]))
