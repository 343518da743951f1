"""What is to be known of a fitted model, beside its numbers: functions of noisy and public ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from dpsql.models.estimates import Estimate
from dpsql.models.linear.least_squares import Hidden, Hold

Array = NDArray[np.float64]

SHARE = 0.4
"""A term is named as one of a direction where it has so much of the largest part of it."""

EVEN = 1 / 3
"""The mean square of a number that is spread evenly over [−1, 1]."""

INTERCEPT = "the intercept"

HELD = "what noise hides is held back towards 0, and intervals are of what is held back"

FREELY = "if the features vary freely"

SURE = 2.0
"""How many times the least a direction has that is seen nearly always. Noise takes away as much as
it makes: λ(G + E) ≥ λ(G) − |E| (Weyl), and |E| is that least, or less, 95 times in 100."""

LIKELY = 1.5
"""So many times where an ε counts as enough, before anything is read: the ε that is advised for
`SURE` is one, though Gaussian noise falls by less than in proportion."""

USUAL_ROWS = 1000
"""So many rows are spoken of where noise hides how many there are."""


def enough(at: Hold, features: Array, two: Sequence[bool], eps: float) -> float:
    """About the ε at which nothing would be hidden of one row, of features that are spread evenly
    and have nothing to do with one another; of more rows it is as much less. Noise is in
    proportion to 1/ε, nearly so where it is Gaussian.

    Args:
        at: where directions are held up at `eps`.
        features: see `units.Units`.
        two: of each term whether it is at an end always.
        eps: of the noise.
    """
    usual = features @ np.diag([1.0, *(1.0 if t else EVEN for t in two)]) @ features.T
    return eps * SURE * at.least / float(np.linalg.eigvalsh(at.root @ usual @ at.root)[0])


def hidden(
    found: Sequence[Hidden], names: Sequence[str], rows: Estimate, one: float, eps: float
) -> Iterator[str]:
    """What is said of directions that noise hides.

    Args:
        found: these.
        names: of the places of a direction.
        rows: how many there are, with noise.
        one: see `enough`.
        eps: that was paid.
    """
    if not found:
        return
    assert rows.noise is not None
    if rows.value <= 2 * rows.noise:
        yield (
            f"ε = {eps:.3g} is too small: noise hides even how many rows there are; about ε = "
            f"{up(one / USUAL_ROWS)} would do for {USUAL_ROWS:,} of them, {FREELY}"
        )
        return
    needed = one / (rows.value - rows.noise)
    if needed > eps:
        yield (
            f"ε = {eps:.3g} is too small for {len(names)} parameters of about {rows.value:,.0f} "
            f"rows: {HELD}; about ε = {up(needed)} would do, {FREELY}"
        )
        return
    least = [SURE * one.least / one.found for one in found if one.found > one.least / 2]
    would = f"; about ε = {up(eps * max(least))} would do" if len(least) == len(found) else ""
    if len(found) > 1:
        every = dict.fromkeys(name for one in found for name in _of(one.direction, names))
        hard = f"{len(found)} of {len(names)} directions, of {', '.join(every)}"
        yield f"noise hides {hard}: {HELD}{would}"
        return
    terms = _of(found[0].direction, names)
    why = f"{' and '.join(terms)} can hardly be told apart"
    if len(terms) == 1:
        why = f"{terms[0]} hardly varies, or is rare, or follows from the others"
    yield f"{why}: {HELD}{would}"


def _of(direction: Array, names: Sequence[str]) -> list[str]:
    """The terms that are most of a direction."""
    parts = np.abs(direction)
    most = parts.max()
    found = [n for n, part in zip(names, parts, strict=True) if part >= SHARE * most]
    others = [name for name in found if name != INTERCEPT]
    return others or found


def up(eps: float) -> str:
    """About that, in two digits, and not less."""
    return f"{eps * 1.05:.2g}"
