"""The pairs of distributions that dominate mechanisms; see `distributions`.

Discrete Laplace noise, P(z) ∝ a^|z|, on a vector with an L1 sensitivity of d: T = clamp(Y, 0, d) of
a noise Y, against d − T.
Why. One number that moves by d: the ratio of the probabilities of an output depends on T alone, it
is a^(2T−d). A vector that moves by d₁ + d₂ = d in two numbers: on S = T₁ + T₂ alone, and it is
a^(2S−d). For 0 < t < d, let weights be probabilities times (1 + a)·a^(−t). T has the weight 1 − a,
and 1 at 0 and d. S has 1/(1 + a) at both ends, and inside a sum over the pairs with t₁ + t₂ = t, of
which there are at least two; of the first and of the last, one factor is 1 and the other at least
1 − a: so at least 2(1 − a)/(1 + a), which is not below 1 − a. Hence P(T = t) − P(S = t) is positive
at both ends and nowhere between. The ratio has the mean 1 under the other distribution, for T and
for S, so that of T is larger in convex order, and T dominates. By induction for more numbers; and a
smaller move is a vector whose other numbers are not looked at.

What is known to be ε-private, and no more: the same with d = 1 and a = e^(−ε), which is randomized
response. Source: Kairouz, Oh, Viswanath, ICML 2015, theorem 2.4.

One number with discrete Gaussian noise that moves by d at most: the noise, against itself moved by
d, since that has the largest δ at each ε (theorem C of ``gaussian_loss``).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction

from dpsql.core.account.distributions import Losses, LossGrid, on_grid
from dpsql.core.account.events import (
    DiscreteLaplaceEvent,
    Event,
    ExponentialEvent,
    GaussianEvent,
)
from dpsql.core.account.gaussian_loss import least_sum
from dpsql.core.account.normal_law import fraction

MAX_SIGMA = 300
"""Above, the outputs of discrete Gaussian noise are too many to go through."""

Outputs = tuple[int, Decimal, Decimal]
"""Outputs of losses in (i − 1, i] steps: (i, their probabilities under both distributions)."""


@dataclass(frozen=True, slots=True)
class LaplacePair:
    """Discrete Laplace noise, clamped to what tells.

    Attributes:
        rate: −ln a, > 0, exact.
        shift: d ≥ 1.
    """

    rate: Fraction
    shift: int

    @property
    def spread(self) -> float:
        """At least the standard deviation of the loss, about."""
        return float(self.rate * self.shift)

    @property
    def most(self) -> float:
        """The largest loss, about."""
        return float(self.rate * self.shift)

    def losses(self, grid: LossGrid) -> Losses:
        """On that grid, from above."""
        with localcontext(grid.context):
            return on_grid(grid, self._pieces(grid.step))

    def _pieces(self, step: Fraction) -> Iterator[Outputs]:
        """T = 0 has the loss d·rate, T = t has (d − 2t)·rate, d has −d·rate."""
        d, rate = self.shift, self.rate
        one = 1 + (-fraction(rate)).exp()
        first, last = 1 / one, (-fraction(rate * d)).exp() / one
        yield math.ceil(rate * d / step), first, last
        t = 1
        while t < d:
            place = math.ceil((d - 2 * t) * rate / step)
            # The first t of the next piece: its loss is at most (place − 1) steps.
            after = min(d, math.ceil((d - (place - 1) * step / rate) / 2))
            # Σ c·a^t and Σ c·a^(d−t), c = (1 − a)/(1 + a).
            p = self._power(t) - self._power(after)
            q = self._power(d - after + 1) - self._power(d - t + 1)
            yield place, p / one, q / one
            t = after
        yield math.ceil(-rate * d / step), last, first

    def _power(self, n: int) -> Decimal:
        return (-fraction(self.rate * n)).exp()


@dataclass(frozen=True, slots=True)
class NormalPair:
    """Discrete Gaussian noise on one number.

    Attributes:
        sigma: > 0, at most `MAX_SIGMA`, in lattice units.
        shift: d ≥ 1.
    """

    sigma: float
    shift: int

    @property
    def spread(self) -> float:
        """The standard deviation of the loss, about."""
        return self.shift / self.sigma

    @property
    def most(self) -> float:
        """The largest loss that matters, about."""
        return self.spread * (self.spread / 2 + 12)

    def losses(self, grid: LossGrid) -> Losses:
        """On that grid, from above; what is not gone through has an infinite loss."""
        with localcontext(grid.context):
            return on_grid(grid, self._pieces(grid), beyond=2)

    def _pieces(self, grid: LossGrid) -> Iterator[Outputs]:
        """The loss of z is (d² − 2zd)/2σ². Each tail beyond `far` is less than a unit, since
        exp(−far²/2σ²) is at most a 10⁵th of one.
        """
        d, twice = self.shift, 2 * Fraction(self.sigma) ** 2
        far = 1 + math.ceil(self.sigma * math.sqrt(2 * math.log(10) * (grid.digits + 5)))
        whole = least_sum(Decimal(self.sigma))
        for z in range(-far, far + 1):
            p, q = (-fraction(x * x / twice) for x in (z, z - d))
            yield (
                math.ceil((d * d - 2 * z * d) / twice / grid.step),
                p.exp() / whole,
                q.exp() / whole,
            )


Pair = LaplacePair | NormalPair


def pairs(events: Mapping[Event, int]) -> tuple[Counter[Pair], Fraction]:
    """(pairs that dominate the events but for their slack, how often each; ρ of those without one).

    Args:
        events: how often each is.
    """
    found: Counter[Pair] = Counter()
    rho = Fraction(0)
    for event, n in events.items():
        eps = event.cost.eps
        match event:
            case DiscreteLaplaceEvent() if event.l1:
                found[LaplacePair(1 / Fraction(event.scale), event.l1)] += n
            case GaussianEvent():
                private = [(sigma, l2) for sigma, l2 in event.parts if l2]
                if event.one_number and len(private) == 1 and private[0][0] <= MAX_SIGMA:
                    ((sigma, l2),) = private
                    found[NormalPair(sigma, math.isqrt(l2 - 1) + 1)] += n
                else:
                    rho += n * event.rho
            case ExponentialEvent() if eps:
                found[LaplacePair(event.eps, 1)] += n * event.rounds
            case _ if eps:
                found[LaplacePair(eps, 1)] += n
            case _:
                pass
    return found, rho
