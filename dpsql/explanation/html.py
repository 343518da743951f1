"""An explanation as HTML: self-contained, without scripts, every text escaped."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from dpsql.explanation import text as words
from dpsql.explanation.figures import figure, most
from dpsql.explanation.page import (
    document,
    folded,
    fragment,
    heading,
    item,
    listed,
    paragraph,
    table,
    unfolded,
)
from dpsql.explanation.steps import Step
from dpsql.visible import one_line

if TYPE_CHECKING:
    from dpsql.explanation.explanation import Explanation, Release
    from dpsql.explanation.totals import Totals

MEANING = (
    "the ε that the same noise would cost if each group (parallel composition), and each aggregate "
    "with its own measurements (shared measurements), were asked for apart and added up by basic "
    "composition, minus the ε charged; of Gaussian noise, each time at the δ of all of it"
)
"""What is counted as saved."""

NOISE = (
    "Noise is random, and drawn for each answer: “± at 95 %” is how far a number is from the exact "
    "one at most, 95 times in 100. L0, L1, L2 and L∞ say how far one unit can move the numbers of "
    "all groups together, which the noise covers."
)
"""What the numbers mean."""

HEAD = (
    *("measurement", "groups", "L0", "L1", "L2", "L∞", "mechanism", "scale", "± at 95 %"),
    *("ε", "δ", "ρ", "because"),
)


def page(found: Explanation) -> str:
    """A document."""
    return document("dpsql: what a query costs", body(found))


def body(found: Explanation) -> str:
    """A part of a document."""
    tree = unfolded("How the answer is made, and why each sensitivity holds", steps(found.tree))
    sql = folded("SQL", found.sql)
    if found.kind == "public":
        return fragment(paragraph(words.PUBLIC), tree, sql)
    said = f"released: costs {found.cost}; unit {found.unit}, neighbours {found.neighbours}"
    parts = [paragraph(said), table(HEAD, map(_row, found.releases)), paragraph(NOISE)]
    parts += [paragraph(words.computed(column)) for column in found.computed]
    parts.append(heading("Total"))
    parts.append(totals_table(found.totals))
    if found.ledger is not None:
        parts.append(paragraph(words.ledger(found.ledger)))
    if found.saved is not None and found.saved.any:
        parts.append(paragraph(f"{words.savings(found.saved)}: {MEANING}."))
    if found.wanted is not None:
        parts.append(paragraph(words.wanted(found.wanted)))
    return fragment(*parts, tree, sql)


def steps(root: Step) -> str:
    """A tree as nested lists."""
    made: dict[int, str] = {}
    for step in reversed(list(root.walk())):  # what a step reads comes before it: no recursion
        inner = [made[id(below)] for below in step.steps]
        made[id(step)] = item(one_line(step.text), [one_line(why) for why in step.why], inner)
    return listed([made[id(root)]])


def totals_table(found: Totals) -> str:
    """The total by each way of adding up."""
    delta = "–" if not found.delta else most(found.delta)
    rows = [("basic composition", most(found.basic.exact.eps), most(found.basic.exact.delta))]
    for name, cost in (("zCDP", found.zcdp), ("RDP", found.rdp), ("PLD", found.pld)):
        rows.append((name, "needs a δ" if cost is None else most(cost.exact.eps), delta))
    rows[1] = (f"zCDP, ρ = {most(found.loss.rho)}", *rows[1][1:])
    return table(("by", "ε", "δ"), rows)


def _row(release: Release) -> tuple[str, ...]:
    known = release.clipping is None
    moved = ("" if v is None else figure(v) for v in (release.l1, release.l2, release.linf))
    shown = release.threshold
    shared = ("shared",) if release.shared else ()
    said = () if shown is None else (f"groups of {figure(shown)} or more, with noise, are shown",)
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
        "\n".join((*release.reasons, *shared, *said)),
    )
