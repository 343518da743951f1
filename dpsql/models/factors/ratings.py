"""What is public of ratings: their columns, bounds and items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpsql.models.columns import Supervised
from dpsql.models.factors.specification import MatrixFactorization
from dpsql.types import Scalar

Array = NDArray[np.float64]

CROSS = 4.0
"""How much the accuracy of Σ f matters beside that of Σ f·f."""


MORE = 2
"""So many more directions than factors has a look."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """What is public of the ratings.

    Attributes:
        sql: the analyst's query.
        model: what is wanted.
        columns: of the rating.
        items: which there are.
    """

    sql: str
    model: MatrixFactorization
    columns: Supervised
    items: tuple[Scalar, ...]

    @property
    def half(self) -> float:
        """Half of the range of a rating."""
        return float(self.columns.target.half)

    @property
    def box(self) -> float:
        """Of users' factors in sums."""
        return self.model.reach * self.half

    @property
    def levels(self) -> Array:
        """The rating − middle of each level."""
        return np.linspace(-self.half, self.half, self.model.levels)

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The i ≤ j of f_i·f_j."""
        wide = self.model.rank
        return [(i, j) for i in range(1, wide + 1) for j in range(i, wide + 1)]

    @property
    def sums(self) -> dict[str, str]:
        """What a round adds up: names, and SQL."""
        each = range(1, self.model.rank + 1)
        found = {f"f{i}": f"SUM(DISTINCT f{i})" for i in each}
        return found | {f"f{i}f{j}": f"SUM(DISTINCT f{i} * f{j})" for i, j in self.pairs}

    @property
    def looks(self) -> range:
        """The numbers of the directions of a look, from 1."""
        return range(1, self.model.rank + MORE + 1)

    @property
    def looked(self) -> dict[str, str]:
        """What a look adds up: names, and SQL."""
        return {f"f{k}": f"SUM(DISTINCT f{k})" for k in self.looks}

    @property
    def weights(self) -> Mapping[str, float]:
        """How much the accuracy of these matters."""
        return {f"f{i}": CROSS for i in range(1, self.model.rank + 1)}
