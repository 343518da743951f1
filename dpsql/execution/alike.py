"""Groups that noise cannot tell apart, as if they were alike.

The largest of ten noisy counts that are about the same is above the largest true one, and noisy
numbers are further apart than true ones are: drawn again around them, noise moves ranks, MAX and
what passes a condition by less than it did. Here is the other end of what may be true: in order,
the numbers within `REACH` standard deviations of noise above the least of them are set next to
their mean, in the opposite order. Nothing but noisy numbers and public scales is read
(post-processing).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from dpsql.core.noise.integer_noise import Noise
from dpsql.core.release.decode import Noisy
from dpsql.execution.noise import NoisyRelease
from dpsql.execution.summed import Summed
from dpsql.execution.widths import terms

REACH = 6
"""Of ten alike groups, in one answer of twenty the largest is above the least by more than 4.5
standard deviations of Gaussian noise, and 5.4 of Laplace noise.
"""
SPREAD = 16
"""What all that are taken together spread over is at most this part of their reach."""


def alike(noisy: NoisyRelease) -> NoisyRelease | None:
    """The groups as alike as noise allows; None where it tells all of them apart."""
    if not noisy.groups:
        return None
    columns = list(zip(*(row.measures for row in noisy.noisy), strict=True))
    found = [
        _merged(column, REACH * _deviation(noise) * float(part))
        for column, (noise, part) in zip(columns, noisy.noises, strict=True)
    ]
    if all(list(column) == merged for column, merged in zip(columns, found, strict=True)):
        return None
    rows = zip(*found, strict=True)
    return replace(
        noisy,
        noisy=[Noisy(list(m), n.picks) for m, n in zip(rows, noisy.noisy, strict=True)],
    )


def _deviation(noise: Noise | Summed) -> float:
    parts = terms(noise)
    return math.sqrt(sum(n.scale**2 * (2 if n.kind == "laplace" else 1) for n in parts))


def _merged(column: Sequence[int | Fraction], reach: float) -> list[int | Fraction]:
    """Each number, or one next to the mean of those that it is taken with."""
    order = sorted(range(len(column)), key=column.__getitem__)
    made = list(column)
    while order:
        least = column[order[0]]
        near = [i for i in order if column[i] - least <= reach]
        if len(near) > 1 and reach:
            mean = sum(Fraction(column[i]) for i in near) / len(near)
            step = min(Fraction(1), Fraction(reach) / (SPREAD * len(near)))
            for place, i in enumerate(near):
                made[i] = round(mean + step * (len(near) // 2 - place))
        order = order[len(near) :]
    return made
