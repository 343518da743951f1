"""What a whole workload would cost, before anything is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from dpsql.compile import Compiled, ReleasedQuery
from dpsql.core.account.account import Account
from dpsql.core.account.events import Event
from dpsql.core.account.loss import NOTHING, Loss
from dpsql.errors import Rejected
from dpsql.report.document import ColumnHead, Document, Heading, Listing, Said
from dpsql.report.explanation import sentences
from dpsql.report.explanation.outlook import Outlook, outlook
from dpsql.report.explanation.totals import Totals, totals
from dpsql.report.figures import QueryCost, shortened
from dpsql.report.forms import Documented, Plain
from dpsql.report.workloads.batch_charge import charge
from dpsql.report.workloads.workload import Query

WIDTH = 60
"""Characters of a query that are shown."""


@dataclass(frozen=True, slots=True)
class PricedQuery(Plain):
    """One query of a workload.

    Attributes:
        text: as it is written.
        place: where it starts: file, line and column.
        eps: the ε that it is asked at.
        verdict: "released" (noise is added), "public" (exact and free), or "rejected".
        cost: None where it is rejected.
        code: of its first problem, where it is rejected.
        message: of the same.
        problem: where that is.
    """

    text: str
    place: str
    eps: float
    verdict: Literal["released", "public", "rejected"]
    cost: QueryCost | None
    code: str | None = None
    message: str | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Estimate(Documented):
    """What a workload costs; what is rejected is in none of the figures.

    Attributes:
        entries: its queries, in order.
        totals: of all of them, by each way of adding up.
        apart: what a ledger would charge for the queries run one after the other, and how many more
            such workloads fit then.
        batch: the same where all are declared beforehand as one batch, at the budget's δ; it
            differs from `apart` for the accountants "approx" and "pld".
    """

    entries: tuple[PricedQuery, ...]
    totals: Totals
    apart: Outlook
    batch: Outlook

    @property
    def loss(self) -> Loss:
        """What a ledger is charged, by each way of adding up."""
        return self.totals.loss

    @property
    def basic(self) -> QueryCost:
        """(Σε, Σδ)."""
        return self.totals.basic

    @property
    def zcdp(self) -> QueryCost | None:
        """By zero-concentrated privacy; None without a δ."""
        return self.totals.zcdp

    @property
    def rdp(self) -> QueryCost | None:
        """By Rényi divergences; None without a δ."""
        return self.totals.rdp

    @property
    def pld(self) -> QueryCost | None:
        """By privacy loss distributions; None without a δ."""
        return self.totals.pld

    @property
    def rejected(self) -> tuple[PricedQuery, ...]:
        """The queries that are not accepted."""
        return tuple(entry for entry in self.entries if entry.verdict == "rejected")

    @property
    def fits(self) -> int | None:
        """How many times the workload fits into what is left, run query by query; None for any
        number.
        """
        if not self.apart.fits:
            return 0
        return None if self.apart.more is None else self.apart.more + 1

    def to_dict(self) -> dict[str, object]:
        """As plain data."""
        return {
            "queries": [entry.to_dict() for entry in self.entries],
            "mechanisms": {
                "count": sum(self.totals.events.values()),
                "different": len(self.totals.events),
            },
            "totals": self.totals.to_dict(),
            "one_by_one": self.apart.to_dict(),
            "as_a_batch": self.batch.to_dict(),
            "fits": self.fits,
        }

    def _document(self) -> Document:
        """What is told, in order."""
        return _document(self)


def estimate(
    queries: Iterable[Query],
    eps: Fraction,
    compiled: Callable[[str, Fraction], Compiled],
    account: Account,
    spent: Loss,
) -> Estimate:
    """The estimate of a workload. Equal queries are compiled once, and equal mechanisms counted.

    Args:
        queries: in order.
        eps: of each query that does not name its own.
        compiled: proves a query at an ε, or raises `Rejected`.
        account: the budget.
        spent: of it.

    Raises:
        InvalidBudget, UnknownDialect: what `compiled` raises.
    """
    known: dict[tuple[str, Fraction], Compiled | Rejected] = {}
    asked: Counter[tuple[str, Fraction]] = Counter()
    entries: list[PricedQuery] = []
    for query in queries:
        key = query.text, eps if query.eps is None else query.eps
        if key not in known:
            try:
                known[key] = compiled(*key)
            except Rejected as rejected:
                known[key] = rejected
        asked[key] += 1
        entries.append(_entry(query, key[1], known[key]))
    events: Counter[Event] = Counter()
    loss = NOTHING
    for key, count in asked.items():
        found = known[key]
        if isinstance(found, Compiled):
            loss += times(found.loss.rounded_up(), count)
            for event, uses in Counter(found.events).items():
                events[event] += uses * count
    made = totals(events, loss, account.total.delta)
    apart = outlook(account, spent, loss)
    declared = charge(account.accountant, loss, made.delta, lambda _: made.least)
    batch = outlook(account, spent, declared.rounded_up())
    return Estimate(tuple(entries), made, apart, batch)


def times(loss: Loss, count: int) -> Loss:
    """`count` times the same loss, by doubling."""
    total = NOTHING
    while count:
        if count & 1:
            total += loss
        loss += loss
        count >>= 1
    return total


def _entry(query: Query, eps: Fraction, found: Compiled | Rejected) -> PricedQuery:
    if isinstance(found, Rejected):
        start = 0 if found.span is None else found.span.start
        problem = found.code, found.message, query.at(start)
        return PricedQuery(query.text, query.place, float(eps), "rejected", None, *problem)
    released = isinstance(found.query, ReleasedQuery) and bool(found.query.releases)
    verdict: Literal["released", "public"] = "released" if released else "public"
    return PricedQuery(query.text, query.place, float(eps), verdict, QueryCost(found.cost))


def _document(found: Estimate) -> Document:
    """What each query costs, and all of them."""
    equal: dict[tuple[str, float], list[PricedQuery]] = {}
    for entry in found.entries:
        equal.setdefault((entry.text, entry.eps), []).append(entry)
    first = [(entries[0], len(entries)) for entries in equal.values()]
    rows = tuple((e.place, f"{times:,}", _verdict(e), e.text) for e, times in first)
    lines: list[Said] = []
    for entry, times in first:
        more = f" and {times - 1:,} like it" if times > 1 else ""
        lines.append(Said(f"{entry.place}{more}: {_verdict(entry)}", 1))
        lines.append(Said(shortened(" ".join(entry.text.split()), WIDTH), 2))
    in_line = (Said(sentences.totals(found.totals)),)
    return Document(
        "dpsql: what a workload costs",
        (
            Said(_summary(found)),
            Listing(
                ("where", ColumnHead("times", number=True), "verdict", "query"), rows, tuple(lines)
            ),
            Heading("Total"),
            sentences.totals_table(found.totals, None if found.totals.delta else in_line),
            *map(Said, _charges(found)),
        ),
    )


def _summary(found: Estimate) -> str:
    """How many queries there are of each kind."""
    kinds = [entry.verdict for entry in found.entries]
    counts = ", ".join(f"{kinds.count(k):,} {k}" for k in ("released", "public", "rejected"))
    used, different = sum(found.totals.events.values()), len(found.totals.events)
    many = "1 query" if len(kinds) == 1 else f"{len(kinds):,} queries"
    return f"{many}: {counts}; {used:,} mechanisms, {different:,} different"


def _verdict(entry: PricedQuery) -> str:
    """What becomes of a query."""
    if entry.verdict == "rejected":
        return f"rejected {entry.code} at {entry.problem}: {entry.message}"
    return f"released, {entry.cost}" if entry.verdict == "released" else "public, exact and free"


def _charges(found: Estimate) -> Iterator[str]:
    """What a ledger would charge, and how often."""
    yield f"one by one, {sentences.ledger(found.apart, 'workload', 'workloads')}"
    if found.batch == found.apart:
        yield "as one declared batch, the same"
    else:
        yield f"as one declared batch, {sentences.ledger(found.batch, 'batch', 'batches')}"
