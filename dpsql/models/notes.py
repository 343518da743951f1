"""What is to be known of a fitted model, beside its numbers: functions of noisy and public ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from dpsql.models.solving import Hidden, Hold

Array = NDArray[np.float64]

SHARE = 0.4
"""A term is named as one of a direction where it has so much of the largest part of it."""

EVEN = 1 / 3
"""The mean square of a number that is spread evenly over [−1, 1]."""

INTERCEPT = "the intercept"


def enough(rows: float, at: Hold, features: Array, two: Sequence[bool], eps: float) -> float | None:
    """About the ε at which nothing would be hidden, for so many rows of features that are spread
    evenly and have nothing to do with one another; None where there are no rows. Noise is in
    proportion to 1/ε, nearly so where it is Gaussian.

    Args:
        rows: how many.
        at: where directions are held up at `eps`.
        features: see `units.Units`.
        two: of each term whether it is at an end always.
        eps: of the noise.
    """
    usual = features @ np.diag([1.0, *(1.0 if t else EVEN for t in two)]) @ features.T
    least = rows * float(np.linalg.eigvalsh(at.root @ usual @ at.root)[0])
    return eps * at.least / least if least > 0 else None


def hidden(
    found: Sequence[Hidden], names: Sequence[str], rows: float, needed: float | None, eps: float
) -> Iterator[str]:
    """What is said of directions that noise hides.

    Args:
        found: these.
        names: of the places of a direction.
        rows: how many there are, with noise.
        needed: see `enough`.
        eps: that was paid.
    """
    if not found:
        return
    if needed is None:
        yield f"there are no more rows ({rows:.0f}) than noise makes: nothing is known"
        return
    if needed > eps:
        yield (
            f"ε = {eps:.3g} is too small for {len(names)} parameters of about {rows:,.0f} rows: "
            "what noise hides is held back towards 0, and intervals are of what is held back; "
            f"about ε = {_up(needed)} would do, if the features vary freely"
        )
        return
    for one in found:
        terms = _of(one.direction, names)
        if len(terms) == 1:
            said = f"{terms[0]} hardly varies, or is rare, or follows from the others"
        else:
            said = f"{' and '.join(terms)} can hardly be told apart"
        would = f"; about ε = {_up(eps * one.least / one.found)} would do" if _told(one) else ""
        yield f"{said}: noise hides it, and it is held back towards 0{would}"


def _told(one: Hidden) -> bool:
    """Whether it is more than noise usually is there."""
    return one.found > one.least / 2


def _of(direction: Array, names: Sequence[str]) -> list[str]:
    parts = np.abs(direction)
    most = parts.max()
    found = [n for n, part in zip(names, parts, strict=True) if part >= SHARE * most]
    others = [name for name in found if name != INTERCEPT]
    return others or found


def _up(eps: float) -> str:
    """About that, in two digits, and not less."""
    return f"{eps * 1.05:.2g}"
