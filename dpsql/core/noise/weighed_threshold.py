"""The threshold of private groups whose units weigh less where they are in several.

Mechanism. As in `threshold`, but what gets noise and is compared with T is the sum of the weights
of a group's units: w(d) where a unit is in d groups, w falling, w(1) the most. A group exists if at
least m units have a row in it. Let neighbours move the vector of these sums, over the groups that
exist in both, so that its noise alone is (ε, δ′)-private.

Claim. The output, keys and noisy sums, is (ε, δ + δ′)-private under add_remove, where a unit is in
K groups at most, with
    δ = max over d <= K of 1 − (1 − p(d))^d,     p(d) = P((m − 1)·w(1) + w(d) + Z ≥ T),
and under replace with 2d in the place of d in the exponent.

Why. The argument is that of `threshold`, with other groups that come and go. Let the unit that is
in D only be in d groups. A group that exists in D only has exactly m units there, that one and
m − 1 others, which weigh w(1) each at most; so it comes out with a probability of at most p(d), and
there are d of them at most. That is all under add_remove: none comes out with a probability of
(1 − p(d))^d or more. Under replace there may be d′ groups of another unit in D′ only, and both
factors together are at least (1 − p)^(2d), at the worse of d and d′.

Not every d is looked at: those from a to b are bounded by p(a), since w falls, and by b groups. Up
to `SINGLE` each stands for itself; beyond, b is a·(1 + 1/`SINGLE`).

Source: Gopi et al., "Differentially private set union", ICML 2020, theorem 5.1, whose threshold is
the same maximum, for one unit and m = 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from dpsql.core.noise.gaussian import DiscreteGaussian
from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.core.noise.threshold import gaussian_threshold, threshold

SINGLE = 32
"""Numbers of groups that are looked at one by one."""


def weighed_threshold(
    noise: DiscreteLaplace | DiscreteGaussian,
    weight: Callable[[int], int],
    most: int,
    sides: int,
    delta: Fraction,
    minimum: int = 1,
) -> int:
    """A threshold on noisy sums of weights that keeps to `delta`.

    Args:
        noise: on each sum, discrete Laplace or discrete Gaussian.
        weight: w, in steps of the sums, of a unit in so many groups; falling.
        most: K ≥ 1, the groups that a unit is in at most.
        sides: units that neighbours differ in: 1 under add_remove, 2 under replace.
        delta: in (0, 1), exact.
        minimum: m ≥ 1, the least number of units with which a group exists.

    Raises:
        NoiseError: no noise, or no δ: private keys cannot be released.
        ValueError: `most`, `sides` or `minimum` is less than 1, or δ is 1 or more.
        TypeError: an argument is not exact.
    """
    if min(most, sides, minimum) < 1:
        raise ValueError("most, sides and minimum must be at least 1")
    least = gaussian_threshold if isinstance(noise, DiscreteGaussian) else threshold
    others = (minimum - 1) * weight(1)
    return max(
        least(noise.scale, sides * last, delta, others + max(1, weight(first)))
        for first, last in _ranges(most)
    )


def _ranges(most: int) -> Iterator[tuple[int, int]]:
    """Every number from 1 to `most`, in ranges."""
    first = 1
    while first <= most:
        last = min(most, first + first // SINGLE)
        yield first, last
        first = last + 1
