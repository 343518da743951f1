"""An estimate as HTML: self-contained, without scripts, every text escaped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpsql.explanation.html import totals_table
from dpsql.explanation.page import document, fragment, heading, paragraph, table
from dpsql.workloads import text as words

if TYPE_CHECKING:
    from dpsql.workloads.estimate import Estimate


def page(found: Estimate) -> str:
    """A document."""
    return document("dpsql: what a workload costs", body(found))


def body(found: Estimate) -> str:
    """A part of a document."""
    rows = [
        (entry.place, f"{equal:,}", words.verdict(entry), entry.text)
        for entry, equal in words.grouped(found)
    ]
    return fragment(
        paragraph(words.summary(found)),
        table(("where", "times", "verdict", "query"), rows),
        heading("Total"),
        totals_table(found.totals),
        *map(paragraph, words.charges(found)),
    )
