"""What happened: frozen records of the noise that was added.

A record says which mechanism ran, with which parameters; how such records add up is the business
of the accountants (`compose`). It holds nothing that depends on the data. This module imports no
mechanism, so that mechanisms can make events and accountants can read them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from operator import or_
from typing import Protocol

from dpsql.core.account import divergences, gaussian_loss
from dpsql.core.account.amount import ZERO, Cost
from dpsql.core.account.continuous import several_delta
from dpsql.core.account.divergences import Divergences
from dpsql.core.account.loss import NOTHING, Loss


class Event(Protocol):
    """Something that an accountant can add up."""

    @property
    def cost(self) -> Cost:
        """The smallest (ε, δ) that the event alone is known to satisfy, exact."""

    @property
    def loss(self) -> Loss:
        """The same, by every way of adding up; see `divergences`."""


@dataclass(frozen=True, slots=True)
class DiscreteLaplaceEvent:
    """Integer noise P(z) ∝ exp(−|z| / scale) on a vector whose L1 sensitivity is `l1`.

    Attributes:
        scale: in lattice units; 0 only where `l1` is 0 (a public constant).
        l1: in lattice units.

    Raises:
        ValueError: a sensitivity without noise.
    """

    scale: float
    l1: int

    def __post_init__(self) -> None:
        if self.l1 < 0 or not self.scale >= 0 or (self.scale == 0 and self.l1 > 0):
            raise ValueError("discrete Laplace noise needs l1 ≥ 0 and a positive scale")

    @property
    def cost(self) -> Cost:
        """ε = l1 / scale, δ = 0 (Ghosh, Roughgarden and Sundararajan 2009)."""
        return Cost(Fraction(self.l1) / Fraction(self.scale)) if self.l1 else ZERO

    @property
    def loss(self) -> Loss:
        """By claims 1 and 3 of `divergences`."""
        found = divergences.laplace(1 / Fraction(self.scale), self.l1) if self.l1 else None
        return NOTHING if found is None else _loss(self.cost, found)


@dataclass(frozen=True, slots=True)
class SharedLaplaceEvent:
    """Discrete Laplace noise on several vectors that share what a neighbour can move: vector i by
    vᵢ, with Σ |vᵢ|₁/l1ᵢ ≤ 1 (``release.shared``).

    Attributes:
        members: of each vector by itself, at least one.
    """

    members: tuple[DiscreteLaplaceEvent, ...]

    @property
    def cost(self) -> Cost:
        """The largest ε of a member, δ = 0."""
        return max((member.cost for member in self.members), key=lambda cost: cost.eps)

    @property
    def loss(self) -> Loss:
        """The largest of each part, by claim 2 of `divergences`."""
        return reduce(or_, (member.loss for member in self.members))


@dataclass(frozen=True, slots=True)
class GaussianEvent:
    """Integer noise P(z) ∝ exp(−z²/2σ²) on all the vectors that one query measures.

    Attributes:
        parts: (σ, the square of the L2 sensitivity) of each vector, in its lattice units (squared);
            σ is 0 only where the sensitivity is (a public constant).
        eps: what the query may cost.
        delta: what the query may cost.
        one_number: a neighbour moves at most one number of one vector, all others being public.
        shared: a vector stands for several that share what a neighbour can move, of other σ with
            the same l2²/σ² (``release.shared``).

    Raises:
        ValueError: the noise is not proven to be (eps, delta)-private.
    """

    parts: tuple[tuple[float, int], ...]
    eps: Fraction
    delta: Fraction
    one_number: bool = False
    shared: bool = False

    def __post_init__(self) -> None:
        if any(l2 < 0 or not s >= 0 or (s == 0 and l2 > 0) for s, l2 in self.parts):
            raise ValueError("discrete Gaussian noise needs l2² ≥ 0 and a positive σ")
        proven = self.rho <= gaussian_loss.rho_for(self.eps, self.delta)
        if not (proven or self._proven_alone() or self._proven_together()):
            raise ValueError("this noise is not proven to be (ε, δ)-private")

    @property
    def rho(self) -> Fraction:
        """Σ l2² / (2σ²), of zero-concentrated privacy, exact."""
        return gaussian_loss.rho(self.parts)

    @property
    def cost(self) -> Cost:
        """(eps, delta), by theorem B or C in ``account.gaussian_loss`` or D in
        ``account.continuous``; nothing if all is public.
        """
        return Cost(self.eps, self.delta) if self.rho else ZERO

    @property
    def loss(self) -> Loss:
        """By theorem A in ``account.gaussian_loss``, without slack."""
        return _loss(self.cost, divergences.gaussian(self.rho))

    def _proven_alone(self) -> bool:
        """Whether the one number that moves has enough noise by the exact condition."""
        private = [(sigma, l2) for sigma, l2 in self.parts if l2]
        if not self.one_number or len(private) != 1:
            return False
        ((sigma, l2),) = private
        shift = math.isqrt(l2 - 1) + 1  # the least integer that the move cannot pass
        return gaussian_loss.shift_delta(sigma, shift, self.eps) <= self.delta

    def _proven_together(self) -> bool:
        """Whether all vectors have enough noise, as if it were continuous."""
        return not self.shared and several_delta(self.parts, self.eps) <= self.delta


@dataclass(frozen=True, slots=True)
class RareEvent:
    """Private groups, whose noisy numbers of units are an event of their own.

    Attributes:
        delta: the probability, at most, that one comes out that exists because of one unit.
    """

    delta: Fraction

    @property
    def cost(self) -> Cost:
        """ε = 0, δ."""
        return Cost(Fraction(0), self.delta)

    @property
    def loss(self) -> Loss:
        """Slack alone. Why: no other group than those that exist in both comes out with a
        probability of 1 − δ or more, whatever comes out of those.
        """
        return replace(NOTHING, cost=self.cost, slack=self.delta)


@dataclass(frozen=True, slots=True)
class PureEvent:
    """Anything that is ε-private, and of which no more is known.

    Attributes:
        eps: ≥ 0, exact.
    """

    eps: Fraction

    @property
    def cost(self) -> Cost:
        """ε, δ = 0."""
        return Cost(self.eps)

    @property
    def loss(self) -> Loss:
        """By claim 4 of `divergences`."""
        return _loss(self.cost, divergences.pure(self.eps))


@dataclass(frozen=True, slots=True)
class ExponentialEvent:
    """Choices by the exponential mechanism, one after the other, each of bounded range `eps`.

    Attributes:
        eps: rate · range of the scores' change, of each choice, ≥ 0, exact.
        rounds: how many choices, ≥ 1; a round may be several choices over disjoint parts of the
            data whose ranges add up to `eps`.
    """

    eps: Fraction
    rounds: int = 1

    @property
    def cost(self) -> Cost:
        """ε = rounds · eps, δ = 0 (McSherry and Talwar 2007)."""
        return Cost(self.eps * self.rounds)

    @property
    def loss(self) -> Loss:
        """Of each round by claim 5 of `divergences`.

        Choices over disjoint parts, of ranges εⱼ, cost no more than one of range Σ εⱼ: ε²/8 is
        convex, and together they are Σ εⱼ-private.
        """
        rho, renyi = divergences.bounded_range(self.eps)
        every = (self.rounds * part for part in renyi)
        return _loss(self.cost, Divergences(self.rounds * rho, tuple(every)))


def _loss(cost: Cost, found: Divergences) -> Loss:
    return Loss(cost, found.rho, Fraction(0), found.renyi)
