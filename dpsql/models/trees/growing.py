"""To grow a tree, level by level: from noisy cells of its leaves to splits of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpsql.models.trees.bins import Binned, Split
from dpsql.models.trees.splits import Best, Channels, best, splits_of

Array = NDArray[np.float64]


@dataclass(slots=True)
class Branch:
    """A leaf, or a question and what follows from it.

    Attributes:
        within: the bins that its rows may be in.
        depth: how many questions come before.
        split: the question; None of a leaf.
        sides: where its answer is yes, and no.
        gain: of the split.
        hidden: of a leaf that was looked at: the best split, which may be noise.
    """

    within: frozenset[int]
    depth: int = 0
    split: Split | None = None
    sides: tuple[Branch, ...] = ()
    gain: float = 0.0
    hidden: Best | None = None
    _cells: Array | None = None
    _noise: Array | None = None
    _looks: int = 0

    def leaves(self) -> Iterator[Branch]:
        """Those below it, or itself: where the answer is yes first."""
        if not self.sides:
            yield self
        for side in self.sides:
            yield from side.leaves()

    def look(
        self, cells: Array, noise: Array, features: Sequence[Binned], channels: Channels
    ) -> None:
        """Split it, if that is seen.

        What noise hides is asked again with the next level: the leaves of a level have no row in
        common, so that one more of them costs nothing. All looks have the same noise, and their
        average has less.
        """
        self._cells = cells if self._cells is None else self._cells + cells
        self._noise = noise if self._noise is None else self._noise + noise
        self._looks += 1
        splits = splits_of(features, self.within)
        found = best(self._cells / self._looks, self._noise / self._looks, splits, channels)
        if found is not None and found.gain > found.least:
            self.split, self.gain, self.hidden = found.split, found.gain, None
            self.sides = tuple(Branch(bins, self.depth + 1) for bins in found.sides)
            self._cells = self._noise = None
        else:
            self.hidden = found

    def halve(self, features: Sequence[Binned]) -> None:
        """Split it where its bins are parted most evenly, if it can be split at all."""
        most = 0
        for one in features:
            own = self.within & frozenset(range(one.first, one.first + one.size))
            for split, bins in one.splits:
                yes = own & frozenset(one.first + i for i in bins)
                even = min(len(yes), len(own - yes))
                if even > most:
                    most, self.split = even, split
                    sides = (self.within - (own - yes), self.within - yes)
                    self.sides = tuple(Branch(bins, self.depth + 1) for bins in sides)

    def sql(self, leaves: Iterator[str]) -> str:
        """An expression of rows: what is given for each leaf, in order."""
        if self.split is None:
            return next(leaves)
        yes, no = (side.sql(leaves) for side in self.sides)
        return f"CASE WHEN {self.split.sql} THEN {yes} ELSE {no} END"
