"""What a whole workload would cost, before anything is read."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal

from dpsql.compile import Compiled, ReleasedQuery
from dpsql.core.account.account import Account
from dpsql.core.account.events import Event
from dpsql.core.account.loss import NOTHING, Loss
from dpsql.errors import Rejected
from dpsql.once import Once
from dpsql.report.document import ColumnHead, Document, Drawing, Heading, Listing, Said
from dpsql.report.explanation import sentences
from dpsql.report.explanation.outlook import Outlook, outlook
from dpsql.report.explanation.totals import Totals, totals
from dpsql.report.figures import QueryCost, shortened
from dpsql.report.forms import Documented, Plain, plain
from dpsql.report.workloads.batch_charge import charge
from dpsql.report.workloads.expected import ExpectedColumn, Sizes, expected
from dpsql.report.workloads.workload import Query
from dpsql.visible import one_line

BARS = 20
"""Of the picture, at most."""

DAYS = 30
"""Of a month."""

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
    _columns: Once[tuple[ExpectedColumn, ...]] = field(
        default=Once(tuple), repr=False, compare=False
    )

    @property
    def columns(self) -> tuple[ExpectedColumn, ...]:
        """How far its noisy columns will be off; found when it is first asked for."""
        return self._columns()

    def to_dict(self) -> dict[str, object]:
        """As plain data."""
        return Plain.to_dict(self) | {"columns": plain(self.columns)}


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
        month: the same for the queries run one after the other on each of 30 days, on other data
            each time, or where answers are not kept.
    """

    entries: tuple[PricedQuery, ...]
    totals: Totals
    apart: Outlook
    batch: Outlook
    month: Outlook

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
            "daily_for_a_month": self.month.to_dict(),
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
    size: Sizes = None,
) -> Estimate:
    """The estimate of a workload. Equal queries are compiled once, and equal mechanisms counted.

    Args:
        queries: in order.
        eps: of each query that does not name its own.
        compiled: proves a query at an ε, or raises `Rejected`.
        account: the budget.
        spent: of it.
        size: public guesses of the sizes of columns, for relative half-widths.

    Raises:
        InvalidBudget, UnknownDialect: what `compiled` raises.
    """
    known: dict[tuple[str, Fraction], Compiled | Rejected] = {}
    asked: Counter[tuple[str, Fraction]] = Counter()
    entries: list[PricedQuery] = []
    columns: dict[tuple[str, Fraction], Once[tuple[ExpectedColumn, ...]]] = {}
    for query in queries:
        key = query.text, eps if query.eps is None else query.eps
        if key not in known:
            try:
                known[key] = made_of = compiled(*key)
                columns[key] = Once(expected, made_of, size)
            except Rejected as rejected:
                known[key], columns[key] = rejected, Once(tuple)
        asked[key] += 1
        entries.append(replace(_entry(query, key[1], known[key]), _columns=columns[key]))
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
    month = outlook(account, spent, times(loss, DAYS))
    return Estimate(tuple(entries), made, apart, batch, month)


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
    rows = tuple(
        (e.place, f"{times:,}", _verdict(e), e.text, "\n".join(map(str, e.columns)), _cut(e))
        for e, times in first
    )
    lines: list[Said] = []
    for entry, times in first:
        more = f" and {times - 1:,} like it" if times > 1 else ""
        lines.append(Said(f"{entry.place}{more}: {_verdict(entry)}", 1))
        lines.append(Said(shortened(" ".join(entry.text.split()), WIDTH), 2))
        lines += [Said(str(column), 2) for column in entry.columns]
        lines += [Said(f"cut: {_cut(entry)}", 2)] if _cut(entry) else []
    in_line = (Said(sentences.totals(found.totals)),)
    return Document(
        "dpsql: what a workload costs",
        (
            Said(_summary(found)),
            Listing(
                ("where", ColumnHead("times", number=True), "verdict", "query", "off by", "cut"),
                rows,
                tuple(lines),
            ),
            *_picture(found, first),
            Heading("Total"),
            sentences.totals_table(found.totals, None if found.totals.delta else in_line),
            *map(Said, _charges(found)),
        ),
    )


def _cut(entry: PricedQuery) -> str:
    """What the enforced bounds of a query can hide."""
    return "; ".join(dict.fromkeys(words for c in entry.columns for words in c.cut))


def _picture(found: Estimate, first: list[tuple[PricedQuery, int]]) -> Iterator[Drawing]:
    """A bar for what each different query costs, beside what is left."""
    left = float(found.apart.left.exact.eps) + (found.basic.eps if found.apart.fits else 0)
    costs = [(e.place, times * e.cost.eps) for e, times in first if e.cost is not None]
    costs = sorted((one for one in costs if one[1]), key=lambda one: -one[1])[:BARS]
    if not costs:
        return
    most = max(left, *(eps for _, eps in costs))
    parts = []
    for row, (name, eps) in enumerate([("left", left), *costs]):
        y, opacity = row * 22, 0.35 if row == 0 else 0.8
        label = html.escape(one_line(f"{name}: ε = {eps:.4g}"))
        parts.append(
            f'<rect x="0" y="{y}" width="{max(1, round(400 * eps / most))}" height="16" '
            f'fill="currentColor" fill-opacity="{opacity}"/>'
            f'<text x="410" y="{y + 13}">{label}</text>'
        )
    tall = 22 * (len(costs) + 1)
    yield Drawing(f'<svg viewBox="0 0 800 {tall}" width="800">{"".join(parts)}</svg>')


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
    month = sentences.ledger(found.month, "month", "months")
    yield f"daily for {DAYS} days, on other data each day, {month}"
