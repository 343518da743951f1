"""An explanation in words."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from dpsql.report.document import ColumnHead, Document, Folded, Heading, Listing, Part, Remark, Said
from dpsql.report.explanation.savings import MEANING
from dpsql.report.figures import figure, least, most

if TYPE_CHECKING:
    from dpsql.report.explanation.computed import Computed
    from dpsql.report.explanation.explanation import Explanation, Wanted
    from dpsql.report.explanation.measurement import Release
    from dpsql.report.explanation.outlook import Outlook
    from dpsql.report.explanation.savings import Savings
    from dpsql.report.explanation.totals import Totals

PICKING = frozenset({"exponential", "noisy max"})
"""Mechanisms that pick a value; their error is in rows."""

TITLE = "dpsql: what a query costs"

TREE = "How the answer is made, and why each sensitivity holds"

NOISE = (
    "Noise is random, and drawn for each answer: “± at 95 %” is how far a number is from the exact "
    "one at most, 95 times in 100. L0, L1, L2 and L∞ say how far one unit can move the numbers of "
    "all groups together, which the noise covers."
)
"""What the numbers mean."""

HEAD: tuple[ColumnHead | str, ...] = (
    "measurement",
    *(ColumnHead(name, number=True) for name in ("groups", "L0", "L1", "L2", "L∞")),
    "mechanism",
    *(ColumnHead(name, number=True) for name in ("scale", "± at 95 %", "ε", "δ", "ρ")),
    "because",
)

ENFORCED = "bounds are enforced while it runs: on a copy that `dpsql prepare` writes it is faster"

PUBLIC = "public: reads public tables alone; answered exactly, free"


def document(found: Explanation) -> Document:
    """All that is known; the SQL and the tree where they can be opened."""
    folded = (Folded(TREE, lambda: found.tree), Folded("SQL", lambda: found.sql))
    if found.kind == "public":
        return Document(TITLE, (Said(PUBLIC), *folded))
    parts: list[Part] = [
        Said(f"released: costs {found.cost}; unit {found.unit}, neighbours {found.neighbours}"),
        Listing(HEAD, tuple(map(_row, found.releases)), tuple(_measured(found))),
        Remark(NOISE),
        *(Said(computed(column), 1) for column in found.computed),
        Heading("Total"),
        totals_table(found.totals, (Said(totals(found.totals), 1),)),
    ]
    if found.saved is not None and found.saved.any:
        parts += [Said(savings(found.saved), 1), Remark(f"Saved is {MEANING}.")]
    if any(release.cut for release in found.releases):
        parts.append(Said(ENFORCED, 1))
    if found.ledger is not None:
        parts.append(Said(ledger(found.ledger), 1))
    if found.wanted is not None:
        parts.append(Said(wanted(found.wanted), 1))
    return Document(TITLE, (*parts, *folded))


def _measured(found: Explanation) -> Iterator[Said]:
    """The measurements in lines; reasons that all of several have are said once."""
    common = list(found.releases[0].reasons) if len(found.releases) > 1 else []
    common = [why for why in common if all(why in r.reasons for r in found.releases)]
    yield from (Said(f"because {why}", 1) for why in common if not why.startswith("neighbours"))
    for release in found.releases:
        yield Said(f"{release.name}, {groups(release.groups)}", 1)
        yield from (Said(line, 2) for line in noise(release))
        own = (w for w in release.reasons if w not in common and not w.startswith("neighbours"))
        yield from (Said(f"because {why}", 2) for why in own)


def _row(release: Release) -> tuple[str, ...]:
    known = release.clipping is None
    moved = ("" if v is None else figure(v) for v in (release.l1, release.l2, release.linf))
    shared = ("shared",) if release.shared else ()
    return (
        release.name,
        "?" if release.groups is None else f"{release.groups:,}",
        "" if release.l0 is None else f"{release.l0:,}",
        *moved,
        release.mechanism if known else "a clip that the data gives, then laplace",
        "" if release.scale is None else figure(release.scale),
        figure(release.interval()) if known else "",
        f"{release.eps:.6g}",
        f"{release.delta:g}",
        most(Fraction(release.rho)),
        "\n".join((*release.reasons, *shared, *_threshold(release))),
    )


def totals_table(found: Totals, lines: tuple[Said, ...] | None) -> Listing:
    """The total by each way of adding up; `lines` are for where a table is too much."""
    delta = "–" if not found.delta else most(found.delta)
    rho = f"zCDP, ρ = {most(found.loss.rho)}"
    rows = [("basic composition", most(found.basic.exact.eps), most(found.basic.exact.delta))]
    for name, cost in ((rho, found.zcdp), ("RDP", found.rdp), ("PLD", found.pld)):
        rows.append((name, "needs a δ" if cost is None else most(cost.exact.eps), delta))
    return Listing(
        ("by", ColumnHead("ε", number=True), ColumnHead("δ", number=True)), tuple(rows), lines
    )


def _threshold(release: Release) -> Iterator[str]:
    if release.threshold is not None:
        yield f"groups of {figure(release.threshold)} or more, with noise, are shown"
    yield from release.of_one


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
        clip, rest = release.clip_eps, release.eps - release.clip_eps
        start = f"{found(release)} that the data gives, for ε {clip:g}, then laplace noise"
        yield f"{start}, for ε {rest:g}; {cost}{together}"
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
    yield from _threshold(release)


def found(release: Release) -> str:
    """What a part of ε finds out, before there is noise."""
    return "how many values a unit counts for" if release.clipping == "matched" else "a clip"


def computed(found: Computed) -> str:
    """How far off a column is that is made of several measurements."""
    *others, last = found.measurements
    made = f"{', '.join(others)} and {last}" if others else last
    start = f"{found.name}, from {made}: ± {figure(found.interval())}"
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


def savings(found: Savings) -> str:
    """What asking for all at once saved; nothing where it is nothing."""
    parts = [] if not found.groups else [f"ε {least(found.groups)} by parallel composition"]
    parts += [] if not found.shared else [f"ε {least(found.shared)} by shared measurements"]
    return f"saved {', '.join(parts)}, over asking apart" if parts else ""


def ledger(found: Outlook, one: str = "query", many: str = "queries") -> str:
    """What will be charged, and what is left then."""
    name = f"the ledger ({found.accountant})"
    if found.refused is not None:
        return f"it would be refused: {found.refused}"
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
