"""One measurement of a query, as it is explained."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from dpsql.report.figures import Number
from dpsql.report.forms import Plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Release(Plain):
    """One measurement that gets noise, per group; or one value that a mechanism picks.

    Attributes:
        name: the output column where it is one, else what is measured.
        l0: how many groups one unit can change.
        l1, l2, linf: how far one unit can move the vector over all groups, in the released unit;
            for a pick, how far it moves the numbers of rows at all points together.
        mechanism: "laplace" or "gaussian" noise; "exponential" for quantiles, "noisy max" for a
            mode; "constant" where all neighbours agree and no noise is needed.
        scale: of the noise, in the released unit: P(z) ∝ exp(-|z|/scale), or exp(-z²/2·scale²), on
            multiples of `step`; for a pick, P ∝ exp(-(rows from the best)/scale).
        step: the lattice on which the number and its noise lie, or the grid of a pick (0: a list).
        shared: whether its ε is that of several measurements together: a row counts in one of them
            alone, or in all of them by no more than it could in one.
        clipping: "adaptive" where a sum is clipped when the query is run, "matched" where it is
            found then for how many distinct values a unit counts: l0 to linf and scale are known
            only then (None).
        clip_eps: the part of `eps` that finds it; the rest is the noise's.
        eps, delta: this measurement's part of the cost; all Gaussian noise of a query, and the bins
            of a histogram, share theirs.
        rho: of zero-concentrated privacy, rounded up; of Gaussian noise, its own.
        groups: how many groups are output; None where that depends on public tables, or on noise.
        reasons: why the sensitivity is what it is.
        threshold: for the units of private groups, the least noisy number of a group that is shown,
            or the least that they weigh together.
    """

    name: str
    l0: int | None = None
    l1: Number | None = None
    l2: Number | None = None
    linf: Number | None = None
    mechanism: str
    scale: float | None = None
    step: Number
    eps: float
    delta: float = 0.0
    rho: float
    groups: int | None
    reasons: tuple[str, ...]
    threshold: Number | None = None
    clipping: str | None = None
    clip_eps: float = 0.0
    shared: bool = False
    _cut: tuple[str, ...] = field(default=(), repr=False, compare=False)
    _of_one: tuple[str, ...] = field(default=(), repr=False, compare=False)
    _tells_empty: bool = field(default=False, repr=False, compare=False)
    _interval: Callable[[float], float] = field(repr=False, compare=False)
    _mass: Callable[[int], float] | None = field(default=None, repr=False, compare=False)

    def interval(self, confidence: float = 0.95) -> float:
        """The half-width within which the noise stays with that probability, in the released unit;
        for a pick, how many rows it is from the best, at most.

        Exact for the discrete noise used: the smallest t with P(|noise| <= t) >= confidence.

        Raises:
            ValueError: `confidence` is not in [0, 1), or the clip is not known before it is run.
        """
        return self._interval(confidence)

    def mass(self, steps: int) -> float:
        """The probability that the noise is `steps` times `step`.

        Raises:
            ValueError: no noise is added, or it is known only when the query has run.
        """
        if self._mass is None:
            raise ValueError(f"{self.name} has no noise that is known beforehand")
        return self._mass(steps)

    @property
    def cut(self) -> tuple[str, ...]:
        """What is cut of a unit whatever its rows are: the bounds that the query enforces."""
        return self._cut

    @property
    def of_one(self) -> tuple[str, ...]:
        """What to do where each private group is one unit's, which its keys look like: so none is
        shown.
        """
        return self._of_one

    @property
    def tells_empty(self) -> bool:
        """Whether groups in which it is no more than noise are left out."""
        return self._tells_empty

    @property
    def noisy(self) -> bool:
        """Whether noise is added, and known beforehand: not for a pick, a constant, or a clip that
        the data gives.
        """
        return self._mass is not None

    def to_dict(self) -> dict[str, object]:
        """As plain data."""
        return Plain.to_dict(self) | {"interval95": None if self.clipping else self.interval()}
