"""An estimate as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dpsql.explanation import text as words
from dpsql.explanation.figures import most
from dpsql.visible import one_line

if TYPE_CHECKING:
    from dpsql.workloads.estimate import Entry, Estimate

WIDTH = 60
"""Characters of a query that are shown."""


def text(found: Estimate) -> str:
    """All but the whole texts of the queries."""
    return "\n".join(_lines(found))


def _lines(found: Estimate) -> Iterator[str]:
    yield summary(found)
    for entry, equal in grouped(found):
        more = f" and {equal - 1:,} like it" if equal > 1 else ""
        yield f"  {entry.place}{more}: {verdict(entry)}"
        yield f"    {short(entry.text)}"
    yield from totals(found)
    yield from charges(found)


def summary(found: Estimate) -> str:
    """How many queries there are of each kind."""
    kinds = [entry.verdict for entry in found.entries]
    counts = ", ".join(f"{kinds.count(k):,} {k}" for k in ("released", "public", "rejected"))
    used, different = sum(found.totals.events.values()), len(found.totals.events)
    many = "1 query" if len(kinds) == 1 else f"{len(kinds):,} queries"
    return f"{many}: {counts}; {used:,} mechanisms, {different:,} different"


def grouped(found: Estimate) -> Iterator[tuple[Entry, int]]:
    """The first of equal queries, and how many there are."""
    equal: dict[tuple[str, float], list[Entry]] = {}
    for entry in found.entries:
        equal.setdefault((entry.text, entry.eps), []).append(entry)
    yield from ((entries[0], len(entries)) for entries in equal.values())


def verdict(entry: Entry) -> str:
    """What becomes of a query."""
    if entry.verdict == "rejected":
        return f"rejected {entry.code} at {entry.problem}: {entry.message}"
    return f"released, {entry.cost}" if entry.verdict == "released" else "public, exact and free"


def short(text: str) -> str:
    """A query in one line."""
    line = one_line(" ".join(text.split()))
    return line if len(line) <= WIDTH else f"{line[: WIDTH - 1]}…"


def totals(found: Estimate) -> Iterator[str]:
    """The total by each way of adding up."""
    made = found.totals
    if not made.delta:
        rho = most(made.loss.rho)
        yield f"total ε {most(made.basic.exact.eps)} by basic composition, ρ {rho} by zCDP;"
        yield "  ε by zCDP, RDP and PLD needs a δ, and there is none"
        return
    yield f"total, at δ {most(made.delta)}:"
    yield f"  basic composition  ε {most(made.basic.exact.eps)}"
    for name, cost in (("zCDP", made.zcdp), ("RDP", made.rdp), ("PLD", made.pld)):
        shown = "" if cost is None else most(cost.exact.eps)
        rho = f"  (ρ {most(made.loss.rho)})" if name == "zCDP" else ""
        yield f"  {name:<17}  ε {shown}{rho}"


def charges(found: Estimate) -> Iterator[str]:
    """What a ledger would charge, and how often."""
    yield f"one by one, {words.ledger(found.apart, 'workload', 'workloads')}"
    if found.batch == found.apart:
        yield "as one declared batch, the same"
    else:
        yield f"as one declared batch, {words.ledger(found.batch, 'batch', 'batches')}"
