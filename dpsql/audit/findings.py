"""An audit in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpsql.audit.histogram import LEGEND, picture
from dpsql.report.document import (
    ColumnHead,
    Document,
    Drawing,
    Folded,
    Heading,
    Listing,
    Part,
    Remark,
    Said,
)
from dpsql.report.figures import figure

if TYPE_CHECKING:
    from dpsql.audit.report import Checked, Report

PUBLIC = "public: the query reads public tables alone; there is nothing private to audit"

HEAD: tuple[ColumnHead | str, ...] = (
    "release",
    "what",
    *(ColumnHead(n, number=True) for n in ("claimed", "your data", "generated")),
    "",
)

PRIVATE = (
    "For the owner alone: what is observed on the data is exact and private, and so are the "
    "answers, which were drawn of two worlds and charged to no budget."
)


def document(found: Report) -> Document:
    """All of it."""
    title = "dpsql: an audit"
    sql = Folded("The query", lambda: found.sql)
    if not found.released:
        return Document(title, (Said(PUBLIC), sql))
    parts: list[Part] = [
        Heading("Every claim held" if found.holds else "A claim does not hold"),
        Remark(PRIVATE),
        sql,
        Heading("How far one unit moves what is released"),
        Listing(HEAD, tuple(map(_row, found.checked))),
        Said(""),
        *map(Said, summary(found)),
    ]
    if found.estimate is not None:
        parts += [Heading("Answers of both worlds"), Remark(LEGEND)]
        parts += [Drawing(picture(histogram)) for histogram in found.estimate.histograms]
    parts.append(Heading("What was not audited"))
    parts += [Said(f"note: {note}") for note in found.notes]
    if found.example:
        parts += [Heading("Neighbours that break a claim"), Said("neighbours that break a claim:")]
        parts += [Said(line, 1) for line in found.example]
    parts += [Said(""), *map(Said, verdict(found))]
    return Document(title, tuple(parts))


def verdict(found: Report) -> tuple[str, ...]:
    """The last lines."""
    if found.holds:
        return ("every claim held; that contradicts none of them, and proves none",)
    return ("A CLAIM DOES NOT HOLD", *(f"  {line}" for line in found.broken))


def summary(found: Report) -> list[str]:
    """What was done, and what the answers show."""
    done = "swapped" if found.neighbours == "replace" else "removed"
    lines = [
        f"{done} {found.removed:,} of the {found.units:,} units of your data; "
        f"{found.databases:,} databases generated"
    ]
    estimate = found.estimate
    if estimate is not None:
        sure = f"{100 * estimate.confidence:g} %"
        lines.append(
            f"ε: claimed {estimate.claimed_eps:g}; the answers show {estimate.eps:.4g} or more, "
            f"with {sure} confidence; endless ones would show about {estimate.guess:.4g}, were the "
            f"noise as claimed"
        )
        if estimate.claimed_delta:
            lines.append(
                f"δ: claimed {estimate.claimed_delta:g}; the answers show "
                f"{max(0.0, estimate.delta):.3g} or more"
            )
        seen = estimate.event if estimate.eps else "no event tells them apart"
        lines.append(
            f"{estimate.samples:,} answers of each of two worlds ({estimate.where}), of which the "
            f"second half is counted: {seen}"
        )
    return lines


def _row(claim: Checked) -> tuple[str, ...]:
    """Claimed, observed on the data, observed on generated databases."""
    seen = ("–" if number is None else figure(number) for number in (claim.data, claim.generated))
    broken = "" if claim.holds else "MORE THAN CLAIMED"
    return (claim.name, claim.what, figure(claim.claimed), *seen, broken)
