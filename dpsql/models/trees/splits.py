"""Which split of a leaf is the best, as far as noise lets it be seen.

The gain of a split is the sum of squares around the mean that it takes away; where the target is a
class, that of one 0 or 1 for each, which is rows times the Gini impurity (Breiman, Friedman, Olshen
and Stone 1984). With n rows and a sum s, of which a side has n' and s',

    d = s' − n'·s/n,    gain = |d|²·(1/n' + 1/(n − n')),

so that it needs no more than counts and sums of both sides. Both are linear in the noisy cells of a
leaf, and there are better functions than a sum over bins: each feature has all rows of the leaf, so
all features together tell the leaf's totals, and what the bins of a feature are off by in
sum is taken off each of them in equal parts (Hay, Rastogi, Miklau and Suciu 2010).

Noise makes a gain where there is none. Where d is 0 without it, the gain is that of its noise e,
|e|²·(1/n' + 1/(n − n')), of which the law is public. Its mean is taken off each gain, since it is
larger where a side is small; and a leaf is split only where what is left is more than the largest
of all splits would be of noise alone in `SURE` of its draws. A split that noise makes foretells
nothing, takes a level, and leaves fewer rows to what is below; one that is missed takes a level,
too. So it is half: surer trees foretell worse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpsql.models.trees.bins import Binned, Split

Array = NDArray[np.float64]

SURE = 0.5
"""How often noise alone makes no split."""
LEAST = 0.5
"""Of rows of a side: they are whole."""
CLEAR = 2.0
"""So many standard deviations of its noise a side has rows, or it is no side."""


@dataclass(frozen=True, slots=True)
class Splits:
    """All splits, as functions of the cells of a leaf.

    Attributes:
        every: of them.
        yes: of each (first) what it takes of each bin (second) for the side where it holds.
        total: what the totals of the leaf take of each bin.
        sides: the bins that rows of both sides may be in.
    """

    every: tuple[Split, ...]
    yes: Array
    total: Array
    sides: tuple[tuple[frozenset[int], frozenset[int]], ...]


@dataclass(frozen=True, slots=True)
class Channels:
    """What the numbers of a cell are.

    Attributes:
        rows: how much of each is counted as rows.
        sums: of which squares are gained (first), how much of each they are (second).
    """

    rows: Array
    sums: Array


@dataclass(frozen=True, slots=True)
class Best:
    """The best split of a leaf.

    Attributes:
        split: of it.
        sides: the bins that rows of both sides may be in.
        gain: with noise, of which the mean is taken off.
        least: what noise would make of nothing.
    """

    split: Split
    sides: tuple[frozenset[int], frozenset[int]]
    gain: float
    least: float


def splits_of(features: Sequence[Binned], within: frozenset[int]) -> Splits:
    """All splits of a leaf.

    Args:
        features: in bins.
        within: the bins that its rows may be in, by the questions before: all others are empty.
    """
    size = sum(one.size for one in features)
    owns = [within & frozenset(range(one.first, one.first + one.size)) for one in features]
    total = sum((_marked(own, size) / len(own) for own in owns), np.zeros(size))
    total /= sum(1 / len(own) for own in owns)
    every: list[Split] = []
    rows: list[Array] = []
    sides: list[tuple[frozenset[int], frozenset[int]]] = []
    for one, own in zip(features, owns, strict=True):
        for split, bins in one.splits:
            yes = own & frozenset(one.first + i for i in bins)
            if yes and yes != own:
                every.append(split)
                part = len(yes) / len(own)
                rows.append(_marked(yes, size) + part * (total - _marked(own, size)))
                sides.append((within - (own - yes), within - yes))
    return Splits(tuple(every), np.array(rows).reshape(len(rows), size), total, tuple(sides))


def _marked(bins: frozenset[int], size: int) -> Array:
    found = np.zeros(size)
    found[list(bins)] = 1
    return found


def best(cells: Array, noise: Array, splits: Splits, channels: Channels) -> Best | None:
    """The best split of a leaf; None where it has none with rows on both sides.

    Args:
        cells: of each bin (first) the numbers (second).
        noise: draws (first) of what they may be off.
        splits, channels: see there.
    """
    total, yes = splits.total @ cells, splits.yes @ cells
    n, ns = float(total @ channels.rows), yes @ channels.rows
    drawn = noise @ channels.rows
    floor = np.maximum(CLEAR * (drawn @ splits.yes.T).std(axis=0), LEAST)
    open_ = (ns >= floor) & (n - ns >= floor)
    if not open_.any():
        return None
    ns, yes, taken = ns[open_], yes[open_], splits.yes[open_]
    mean = channels.sums @ total / n
    weight = 1 / ns + 1 / (n - ns)
    gain = ((yes @ channels.sums.T - np.outer(ns, mean)) ** 2).sum(axis=1) * weight
    off = noise @ channels.sums.T - drawn[..., None] * mean
    moved = np.einsum("kb,rbs->rks", taken - np.outer(ns / n, splits.total), off, optimize=True)
    alone = (moved**2).sum(axis=2) * weight
    usual = alone.mean(axis=0)
    place = int(np.argmax(gain - usual))
    least = float(np.quantile((alone - usual).max(axis=1), SURE))
    own = int(np.flatnonzero(open_)[place])
    return Best(splits.every[own], splits.sides[own], float(gain[place] - usual[place]), least)
