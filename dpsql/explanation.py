"""What is known about a query before anything is read, for analysts and for privacy reviewers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from dpsql.accounting.amount import Cost

Number = int | float


@dataclass(frozen=True, slots=True)
class QueryCost:
    """What a query costs.

    Attributes:
        eps, delta: as floats, for reading.
        exact: as fractions, as the ledger charges them.
    """

    exact: Cost

    @property
    def eps(self) -> float:
        """ε."""
        return float(self.exact.eps)

    @property
    def delta(self) -> float:
        """δ."""
        return float(self.exact.delta)

    def __str__(self) -> str:
        return str(self.exact)


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
            "groups": self.groups,
            "interval95": None if self.clipping else self.interval(0.95),
            "clipping": self.clipping,
            "threshold": self.threshold,
            "shared": self.shared,
            "reasons": list(self.reasons),
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
    """

    kind: Literal["released", "public"]
    cost: QueryCost
    releases: tuple[Release, ...]
    neighbours: str
    unit: str
    _statements: Callable[[], tuple[str, ...]] = field(repr=False, compare=False)

    @property
    def sql(self) -> str:
        """The SQL that the engine will run, one statement after the other; printed when asked."""
        return ";\n".join(self._statements())

    def to_dict(self) -> dict[str, object]:
        """As plain data."""
        return {
            "kind": self.kind,
            "cost": {"eps": self.cost.eps, "delta": self.cost.delta},
            "neighbours": self.neighbours,
            "unit": self.unit,
            "releases": [r.to_dict() for r in self.releases],
            "sql": self.sql,
        }

    def __str__(self) -> str:
        if self.kind == "public":
            return "public: reads public tables alone; answered exactly, free"
        lines = [f"released: costs {self.cost}; unit {self.unit}, neighbours {self.neighbours}"]
        common = [why for why in self.releases[0].reasons if self._common(why)]
        lines += [f"  because {why}" for why in common if not why.startswith("neighbours")]
        for r in self.releases:
            lines.append(f"  {r.name}, {_groups(r.groups)}")
            if r.l1 is None and r.clipping is None:
                lines.append(f"    one unit moves a score by at most {_figure(r.linf)}")
            elif r.clipping is None:
                l1, l2, linf = _figure(r.l1), _figure(r.l2), _figure(r.linf)
                lines.append(f"    sensitivity L0 {r.l0}, L1 {l1}, L2 {l2}, L∞ {linf}")
            if r.mechanism == "constant":
                lines.append("    no noise: the same on all neighbours")
            elif r.clipping is not None:
                lines.append(f"    a clip that the data gives, then laplace noise; ε {r.eps:g}")
            elif r.mechanism in PICKING:
                lines.append(
                    f"    {r.mechanism} mechanism, ε {r.eps:g}: "
                    f"within {_figure(r.interval())} {'rows' if r.l1 else 'of the best'} at 95 %"
                )
            else:
                together = ", shared" if r.shared else ""
                together = ", all Gaussian together" if r.mechanism == "gaussian" else together
                delta = f", δ {r.delta:g}" if r.delta else ""
                lines.append(
                    f"    {r.mechanism} noise, scale {_figure(r.scale)}, ε {r.eps:g}{delta}"
                    f"{together}: ± {_figure(r.interval())} at 95 %"
                )
            if r.threshold is not None:
                lines.append(f"    groups of {r.threshold} or more, with noise, are shown")
            lines += [f"    because {why}" for why in r.reasons if not self._common(why)]
        return "\n".join(lines)

    def _common(self, reason: str) -> bool:
        """Whether the reason holds for all of several releases, and so is said once."""
        several = len(self.releases) > 1
        return reason.startswith("neighbours") or (
            several and all(reason in r.reasons for r in self.releases)
        )


PICKING = frozenset({"exponential", "noisy max"})
"""Mechanisms that pick a value; their error is in rows."""


def _groups(count: int | None) -> str:
    if count is None:
        return "groups that only the run tells"
    return "1 group" if count == 1 else f"{count:,} groups"


def _figure(number: Number | None) -> str:
    """A number for reading: four significant digits, and no exponent where it can be helped."""
    if number is None:
        return "?"
    if isinstance(number, int) or abs(number) >= 1000:
        return f"{number:,.0f}"
    return f"{number:.4g}"
