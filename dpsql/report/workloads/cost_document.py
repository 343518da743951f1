"""An estimate in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dpsql.report.document import Document, Head, Heading, Listing, Said
from dpsql.report.explanation import sentences
from dpsql.report.rounding import shortened

if TYPE_CHECKING:
    from dpsql.report.workloads.estimate import Entry, Estimate

WIDTH = 60
"""Characters of a query that are shown."""


def document(found: Estimate) -> Document:
    """What each query costs, and all of them."""
    equal: dict[tuple[str, float], list[Entry]] = {}
    for entry in found.entries:
        equal.setdefault((entry.text, entry.eps), []).append(entry)
    first = [(entries[0], len(entries)) for entries in equal.values()]
    rows = tuple((e.place, f"{times:,}", verdict(e), e.text) for e, times in first)
    lines = tuple(line for entry, times in first for line in _lines(entry, times))
    in_line = (Said(sentences.totals(found.totals)),)
    return Document(
        "dpsql: what a workload costs",
        (
            Said(summary(found)),
            Listing(("where", Head("times", number=True), "verdict", "query"), rows, lines),
            Heading("Total"),
            sentences.totals_table(found.totals, None if found.totals.delta else in_line),
            *map(Said, charges(found)),
        ),
    )


def _lines(entry: Entry, equal: int) -> tuple[Said, Said]:
    more = f" and {equal - 1:,} like it" if equal > 1 else ""
    short = shortened(" ".join(entry.text.split()), WIDTH)
    return Said(f"{entry.place}{more}: {verdict(entry)}", 1), Said(short, 2)


def summary(found: Estimate) -> str:
    """How many queries there are of each kind."""
    kinds = [entry.verdict for entry in found.entries]
    counts = ", ".join(f"{kinds.count(k):,} {k}" for k in ("released", "public", "rejected"))
    used, different = sum(found.totals.events.values()), len(found.totals.events)
    many = "1 query" if len(kinds) == 1 else f"{len(kinds):,} queries"
    return f"{many}: {counts}; {used:,} mechanisms, {different:,} different"


def verdict(entry: Entry) -> str:
    """What becomes of a query."""
    if entry.verdict == "rejected":
        return f"rejected {entry.code} at {entry.problem}: {entry.message}"
    return f"released, {entry.cost}" if entry.verdict == "released" else "public, exact and free"


def charges(found: Estimate) -> Iterator[str]:
    """What a ledger would charge, and how often."""
    yield f"one by one, {sentences.ledger(found.apart, 'workload', 'workloads')}"
    if found.batch == found.apart:
        yield "as one declared batch, the same"
    else:
        yield f"as one declared batch, {sentences.ledger(found.batch, 'batch', 'batches')}"
