"""An explanation as a few lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from dpsql.explanation.figures import figure, least, most
from dpsql.visible import one_line

if TYPE_CHECKING:
    from dpsql.explanation.computed import Computed
    from dpsql.explanation.explanation import Explanation, Ledger, Release, Saved, Wanted
    from dpsql.explanation.totals import Totals

PICKING = frozenset({"exponential", "noisy max"})
"""Mechanisms that pick a value; their error is in rows."""

PUBLIC = "public: reads public tables alone; answered exactly, free"


def text(found: Explanation) -> str:
    """All that is known, but for the SQL."""
    return "\n".join(map(one_line, _lines(found)))


def _lines(found: Explanation) -> Iterator[str]:
    if found.kind == "public":
        yield PUBLIC
        return
    yield f"released: costs {found.cost}; unit {found.unit}, neighbours {found.neighbours}"
    common = _common(found)
    yield from (f"  because {why}" for why in common if not why.startswith("neighbours"))
    for release in found.releases:
        yield f"  {release.name}, {groups(release.groups)}"
        yield from (f"    {line}" for line in noise(release))
        own = [why for why in release.reasons if why not in common]
        own = [why for why in own if not why.startswith("neighbours")]
        yield from (f"    because {why}" for why in own)
    yield from (f"  {computed(column)}" for column in found.computed)
    yield f"  {totals(found.totals)}"
    if found.saved is not None and found.saved.any:
        yield f"  {savings(found.saved)}"
    if found.ledger is not None:
        yield f"  {ledger(found.ledger)}"
    if found.wanted is not None:
        yield f"  {wanted(found.wanted)}"


def noise(release: Release) -> Iterator[str]:
    """How far one unit moves it, and what covers that."""
    if release.l1 is None and release.clipping is None:
        yield f"one unit moves a score by at most {figure(release.linf)}"
    elif release.clipping is None:
        l1, l2, linf = figure(release.l1), figure(release.l2), figure(release.linf)
        yield f"sensitivity L0 {release.l0}, L1 {l1}, L2 {l2}, L∞ {linf}"
    cost = f"ε {release.eps:g}{f', δ {release.delta:g}' if release.delta else ''}"
    cost += f", ρ {most(Fraction(release.rho))}"
    if release.mechanism == "constant":
        yield "no noise: the same on all neighbours"
    elif release.clipping is not None:
        together = ", shared" if release.shared else ""
        yield f"{found(release)} that the data gives, then laplace noise; {cost}{together}"
    elif release.mechanism in PICKING:
        unit = "rows" if release.l1 else "of the best"
        width = figure(release.interval())
        yield f"{release.mechanism} mechanism, {cost}: within {width} {unit} at 95 %"
    else:
        together = ", shared" if release.shared else ""
        together = ", all Gaussian together" if release.mechanism == "gaussian" else together
        yield (
            f"{release.mechanism} noise, scale {figure(release.scale)}, {cost}"
            f"{together}: ± {figure(release.interval())} at 95 %"
        )
    if release.threshold is not None:
        yield f"groups of {figure(release.threshold)} or more, with noise, are shown"


def found(release: Release) -> str:
    """What a part of ε finds out, before there is noise."""
    return "how many values a unit counts for" if release.clipping == "matched" else "a clip"


def computed(found: Computed) -> str:
    """How far off a column is that is made of several measurements."""
    *others, last = found.measurements
    start = f"{found.name}, from {', '.join(others)} and {last}: ± {figure(found.interval())}"
    if not found.per_row:
        return f"{start} at 95 %"
    return f"{start} / values at 95 %, ± {figure(found.widest())} / values at an end of its range"


def totals(found: Totals) -> str:
    """The query's total by each way of adding up."""
    basic, rho = most(found.basic.exact.eps), most(found.loss.rho)
    if not found.delta:
        return f"total ε {basic} by basic composition, ρ {rho} by zCDP; ε by it, or PLD, needs a δ"
    zcdp, pld = (most(by.exact.eps) for by in (found.zcdp, found.pld) if by is not None)
    return (
        f"total ε {basic} by basic composition, {zcdp} by zCDP (ρ {rho}), {pld} by PLD, "
        f"at δ {most(found.delta)}"
    )


def savings(found: Saved) -> str:
    """What asking for all at once saved; nothing where it is nothing."""
    parts = [] if not found.groups else [f"ε {least(found.groups)} by parallel composition"]
    parts += [] if not found.shared else [f"ε {least(found.shared)} by shared measurements"]
    return f"saved {', '.join(parts)}, over asking apart" if parts else ""


def ledger(found: Ledger, one: str = "query", many: str = "queries") -> str:
    """What will be charged, and what is left then."""
    name = f"the ledger ({found.accountant})"
    if not found.fits:
        return f"{name} has too little for {found.charge}: {found.left} is left"
    times = f"{found.more:,} more such {many}" if found.more else f"no more such {one}"
    times = f"1 more such {one}" if found.more == 1 else times
    times = f"any number of such {many} more" if found.more is None else times
    return f"{name} charges {found.charge}; then {found.left} is left, {times}"


def wanted(found: Wanted) -> str:
    """The smallest ε for an accuracy."""
    share = found.size is not None
    error = f"{found.error * 100:g} % of its size" if share else f"{found.error:g}"
    start = f"each number within ± {error} at {found.confidence * 100:g} %"
    if found.eps is None:
        return f"{start}: {found.why}"
    return f"{start} needs ε {most(Fraction(found.eps))}"


def groups(count: int | None) -> str:
    """How many groups."""
    if count is None:
        return "groups that only the run tells"
    return "1 group" if count == 1 else f"{count:,} groups"


def _common(found: Explanation) -> list[str]:
    """The reasons that hold for all of several releases, and so are said once."""
    if len(found.releases) < 2:
        return []
    shared = frozenset.intersection(*(frozenset(r.reasons) for r in found.releases))
    return [why for why in found.releases[0].reasons if why in shared]
