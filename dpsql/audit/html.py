"""An audit as a page: self-contained, without scripts, every text escaped."""

from __future__ import annotations

from dpsql.audit.histogram import LEGEND, STYLE, picture
from dpsql.audit.report import Report
from dpsql.audit.text import HEAD, PUBLIC, numbers, summary, verdict
from dpsql.explanation.page import document, folded, fragment, heading, paragraph, table

PRIVATE = (
    "For the owner alone: what is observed on the data is exact and private, and so are the "
    "answers, which were drawn of two worlds and charged to no budget."
)


def page(found: Report) -> str:
    """A document."""
    return document("dpsql: an audit", body(found))


def body(found: Report) -> str:
    """A part of a document."""
    if not found.released:
        return fragment(paragraph(PUBLIC), folded("The query", found.sql))
    rows = [(claim.name, claim.what, *numbers(claim)) for claim in found.checked]
    parts = [
        f"<style>{STYLE}</style>",
        heading("Every claim held" if found.holds else "A claim does not hold"),
        *map(paragraph, verdict(found).split("\n")),
        paragraph(PRIVATE),
        folded("The query", found.sql),
        heading("How far one unit moves what is released"),
        table(("release", *HEAD), rows),
        *map(paragraph, summary(found)),
    ]
    if found.example:
        parts.append(heading("Neighbours that break a claim"))
        parts.append(folded("As SQL", "\n".join(found.example)))
    if found.estimate is not None:
        parts.append(heading("Answers of both worlds"))
        parts.append(paragraph(LEGEND))
        parts += [picture(histogram) for histogram in found.estimate.histograms]
    parts.append(heading("What was not audited"))
    parts += map(paragraph, found.notes)
    return fragment(*parts)
