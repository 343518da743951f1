"""Answers at an ε at which there is no noise, for each way in which their numbers are measured.

There, nothing is gained by what is measured together, and it would never be read: which measures
there are is decided as at ε = 1, or by a test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from fractions import Fraction
from functools import partial
from typing import Any
from unittest.mock import patch

from dpsql.compile import Compiled, ReleasedQuery
from dpsql.core.calibrate import choosing
from dpsql.core.calibrate.calibration import Calibrated, calibrated
from dpsql.core.release.release import Release

NO_NOISE = 10**14
"""An ε at which the noise is below 1e-9 of what one unit can add."""

Releases = tuple[Release, ...]
Way = Callable[[Releases], Releases]
"""Releases whose numbers are measured apart, as they are measured."""


@contextmanager
def noiseless(way: Way | None = None) -> Iterator[None]:
    """Queries are answered at such an ε.

    Args:
        way: how numbers are measured; none for what is best there.
    """

    def measured(releases: Releases, *wishes: Any) -> Calibrated:
        return calibrated(releases if way is None else way(releases), *wishes)

    with (
        patch("dpsql.core.noise.quantiles.MOST", 10**15),
        patch("dpsql.core.account.amount.MAX_EPS", Fraction(10**15)),
        nullcontext() if way is None else patch("dpsql.compile.chosen", measured),
    ):
        yield


def ways(compiled: Compiled) -> Iterator[tuple[int, Way | None]]:
    """Each way in which a query's numbers may be measured: apart, and with each of the joint
    measures that are tried; and an ε of its own, since what is known of a query is kept for an ε.
    """
    yield NO_NOISE, None
    releases = compiled.query.releases if isinstance(compiled.query, ReleasedQuery) else ()
    tried = [
        (place, number)
        for place, point in enumerate(releases)
        for number, _ in enumerate(choosing._tried(point.pairable))
    ]
    for further, (place, number) in enumerate(tried, 1):
        yield NO_NOISE + further, partial(_with, place=place, number=number)


def _with(releases: Releases, place: int, number: int) -> Releases:
    """With one of the joint measures that are tried of a release; as they are, where what is public
    in the database leaves fewer.
    """
    point = releases[place]
    tried = [*choosing._tried(point.pairable)]
    if number >= len(tried):
        return releases
    return choosing._with(releases, place, choosing._made(point, tried[number]))
