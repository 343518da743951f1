"""What is known about a query before anything is read, for analysts and for privacy reviewers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal

from dpsql.errors import NotCalibrated
from dpsql.explanation import html, text
from dpsql.explanation.figures import Number, QueryCost
from dpsql.explanation.totals import Totals
from dpsql.target import Target

__all__ = ["Explanation", "Ledger", "Number", "QueryCost", "Release", "Saved", "Wanted"]


@dataclass(frozen=True, slots=True)
class Release:
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
        shared: whether its ε is that of several measurements together, of which one row counts in
            one alone.
        clipping: "adaptive" where a sum is clipped when the query is run: l0 to linf and scale
            are known only then (None).
        eps, delta: this measurement's part of the cost; all Gaussian noise of a query, and the bins
            of a histogram, share theirs.
        rho: of zero-concentrated privacy, rounded up; of Gaussian noise, its own.
        groups: how many groups are output; None where that depends on public tables, or on noise.
        reasons: why the sensitivity is what it is.
        threshold: for the units of private groups, the least noisy number of a group that is shown.
    """

    name: str
    l0: int | None
    l1: Number | None
    l2: Number | None
    linf: Number | None
    mechanism: str
    scale: float | None
    step: Number
    eps: float
    delta: float
    rho: float
    groups: int | None
    reasons: tuple[str, ...]
    threshold: int | None
    clipping: str | None
    shared: bool
    _interval: Callable[[float], float] = field(repr=False, compare=False)

    def interval(self, confidence: float = 0.95) -> float:
        """The half-width within which the noise stays with that probability, in the released unit;
        for a pick, how many rows it is from the best, at most.

        Exact for the discrete noise used: the smallest t with P(|noise| <= t) >= confidence.

        Raises:
            ValueError: `confidence` is not in [0, 1), or the clip is not known before it is run.
        """
        return self._interval(confidence)

    def to_dict(self) -> dict[str, object]:
        """As plain data."""
        return {
            "name": self.name,
            "l0": self.l0,
            "l1": self.l1,
            "l2": self.l2,
            "linf": self.linf,
            "mechanism": self.mechanism,
            "scale": self.scale,
            "step": self.step,
            "eps": self.eps,
            "delta": self.delta,
            "rho": self.rho,
            "groups": self.groups,
            "interval95": None if self.clipping else self.interval(0.95),
            "clipping": self.clipping,
            "threshold": self.threshold,
            "shared": self.shared,
            "reasons": list(self.reasons),
        }


@dataclass(frozen=True, slots=True)
class Saved:
    """What it saves to ask for all at once.

    That is the ε which the same noise would cost if each group, and each aggregate with its own
    measurements, were asked for apart and added up by basic composition, minus the ε charged; see
    ``savings``.

    Attributes:
        groups: by parallel composition over the groups, in ε; None where only the run tells how
            many there are.
        shared: by measurements that several aggregates share, in ε.
    """

    groups: Fraction | None
    shared: Fraction

    @property
    def any(self) -> bool:
        """Whether anything is saved."""
        return bool(self.groups or self.shared)

    def to_dict(self) -> dict[str, object]:
        """As plain data."""
        groups = None if self.groups is None else float(self.groups)
        return {"groups": groups, "shared": float(self.shared), "meaning": html.MEANING}


@dataclass(frozen=True, slots=True)
class Ledger:
    """What a ledger would do.

    Attributes:
        accountant: its rule.
        charge: what it would charge, in the rule's own terms.
        fits: whether that much is left.
        left: what is left afterwards; what is left now, where it does not fit.
        more: how many more such queries fit afterwards; None for any number.
    """

    accountant: str
    charge: str
    fits: bool
    left: QueryCost
    more: int | None

    def to_dict(self) -> dict[str, object]:
        """As plain data."""
        return {
            "accountant": self.accountant,
            "charge": self.charge,
            "fits": self.fits,
            "left": self.left.to_dict(),
            "more": self.more,
        }


@dataclass(frozen=True, slots=True)
class Wanted:
    """The smallest ε for a wanted accuracy.

    Attributes:
        error: the half-width that no noisy column may pass; relative to `size` where that is given.
        confidence: of the half-width.
        size: public guesses of the columns' sizes.
        eps: the smallest ε, up to a part in a thousand; None where it is not known beforehand.
        why: it is not known.
    """

    error: float
    confidence: float
    size: Mapping[str, float] | float | None
    eps: float | None
    why: str | None

    def to_dict(self) -> dict[str, object]:
        """As plain data."""
        size = dict(self.size) if isinstance(self.size, Mapping) else self.size
        return {
            "error": self.error,
            "confidence": self.confidence,
            "size": size,
            "eps": self.eps,
            "why": self.why,
        }


@dataclass(frozen=True, slots=True)
class Explanation:
    """A query's verdict, before any private row is read.

    Attributes:
        kind: "released" (noise is added), or "public" (exact and free).
        cost: of the whole query.
        releases: the measurements, in order.
        neighbours: the policy's relation.
        unit: the privacy unit.
        totals: the cost by each way of adding up.
        saved: what it saves to ask for all at once; None for a public query.
        ledger: what a ledger would charge, and what is left then; None in an answer, which was
            charged.
        wanted: the smallest ε for an accuracy, where one was asked for (`within`).
    """

    kind: Literal["released", "public"]
    cost: QueryCost
    releases: tuple[Release, ...]
    neighbours: str
    unit: str
    totals: Totals
    saved: Saved | None
    ledger: Ledger | None
    wanted: Wanted | None
    _statements: Callable[[], tuple[str, ...]] = field(repr=False, compare=False)
    _smallest: Callable[[Target], float] = field(repr=False, compare=False)

    @property
    def sql(self) -> str:
        """The SQL that the engine will run, one statement after the other; printed when asked."""
        return ";\n".join(self._statements())

    def within(
        self,
        error: float,
        confidence: float = 0.95,
        *,
        size: Mapping[str, float] | float | None = None,
    ) -> Explanation:
        """The same with the smallest ε for an accuracy (`wanted`); see `Database.calibrate`.

        Args:
            error: the half-width that each noisy column may have, in the column's unit; with
                `size`, as a part of it.
            confidence: of the half-width.
            size: a public guess of the columns' sizes, one for all or by column.

        Raises:
            ValueError, TypeError: an error, a confidence or a size that is none.
        """
        target = Target(error, confidence, size)
        eps, why = None, None
        try:
            eps = self._smallest(target)
        except NotCalibrated as unknown:
            why = str(unknown)
        return replace(self, wanted=Wanted(error, confidence, size, eps, why))

    def to_dict(self) -> dict[str, object]:
        """As plain data."""
        return {
            "kind": self.kind,
            "cost": self.cost.to_dict(),
            "neighbours": self.neighbours,
            "unit": self.unit,
            "releases": [r.to_dict() for r in self.releases],
            "totals": self.totals.to_dict(),
            "saved": None if self.saved is None else self.saved.to_dict(),
            "ledger": None if self.ledger is None else self.ledger.to_dict(),
            "wanted": None if self.wanted is None else self.wanted.to_dict(),
            "sql": self.sql,
        }

    def to_json(self) -> str:
        """As a JSON document."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)

    def to_html(self) -> str:
        """As a page of its own, without scripts."""
        return html.page(self)

    def _repr_html_(self) -> str:
        """For notebooks; every text is escaped."""
        return html.body(self)

    def __str__(self) -> str:
        return text.text(self)
