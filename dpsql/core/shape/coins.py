"""Which numbers of a debiased query depend on coins, and how much.

The coins of one randomized column decide how many rows of a set report yes, and how many no. Let a
number that is made from these two counts move by a with each row that reports yes, and by b with
each that reports no.

Claim: over the coins its variance is (a - b)²·Σ p·(1 - p), the sum over the rows, p being the
probability that the row reports yes; and with c(r) as in `Coin.spread`, c(TRUE)·yes + c(FALSE)·no
is an unbiased estimate of that sum.
Why: a row adds b + (a - b)·r for a report r of 0 or 1, whose variance is p·(1 - p); rows have coins
of their own, so variances add up. p is a function of the row's truth, and a sum of a function f of
truths has the unbiased estimate Σ over the rows of w(r, TRUE)·f(TRUE) + w(r, FALSE)·f(FALSE) (see
`shape.reported`).

That needs a row of the table to be one row of what is counted at most. For sums, whose variance
would take sums of squares, for classes of several columns, and for rows that a join multiplies, the
variance is not known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from dpsql.core.infer.keys import constants, covers, equalities
from dpsql.core.plan.expr import Column, conjunction
from dpsql.core.plan.nodes import Apply, Plan, Scan
from dpsql.core.schema import Randomized
from dpsql.core.shape.flatten import Block
from dpsql.core.shape.reported import Part, Reported


@dataclass(frozen=True, slots=True)
class Coin:
    """Two counts of rows that differ in what the rows report alone.

    Attributes:
        yes, no: the columns that count the rows that report TRUE, and FALSE; None for a count that
            the query does not need.
        cell: the randomized column's table and name: its coins are independent of others'.
        randomized: what the coins are.
    """

    yes: Column | None
    no: Column | None
    cell: tuple[str, str]
    randomized: Randomized

    def spread(self, reported: bool) -> Fraction:
        """c(r): what a row that reports r adds to the estimate of Σ p·(1 - p)."""
        coins = self.randomized
        yes = {truth: coins.reports_yes(truth) for truth in (False, True)}
        return sum(
            (coins.weight(reported, truth) * p * (1 - p) for truth, p in yes.items()), Fraction(0)
        )


@dataclass(frozen=True, slots=True)
class Coins:
    """The columns of a debiased plan's aggregates that depend on coins.

    Attributes:
        pairs: those for which it is known how much.
        unknown: the ids of the others.
    """

    pairs: tuple[Coin, ...] = ()
    unknown: frozenset[int] = frozenset()

    @property
    def columns(self) -> frozenset[int]:
        """The ids of all of them."""
        known = {c.id for pair in self.pairs for c in (pair.yes, pair.no) if c is not None}
        return self.unknown | known

    def __or__(self, other: Coins) -> Coins:
        """Those of two aggregates."""
        return Coins(self.pairs + other.pairs, self.unknown | other.unknown)


def coins_of(parts: Mapping[Part, Column], reported: Mapping[int, Reported], block: Block) -> Coins:
    """How the parts of an aggregate depend on coins.

    Args:
        parts: with their columns.
        reported: the randomized columns of the rows, by id.
        block: the rows that are aggregated.
    """
    once = _once(block)
    pairs: dict[Coin, None] = {}
    unknown: set[int] = set()
    for part, column in parts.items():
        if all(answer is None for answer in part.answers):
            continue  # who has said nothing has thrown no coin
        found = None
        if part.function == "count" and len(part.columns) == 1 and part.columns[0].id in once:
            found = _pair(part, parts, reported[part.columns[0].id])
        if found is None:
            unknown.add(column.id)
        else:
            pairs[found] = None
    return Coins(tuple(pairs), frozenset(unknown))


def _pair(part: Part, parts: Mapping[Part, Column], column: Reported) -> Coin | None:
    """The part with the one of the other answer; None where that is needed and not there."""
    yes = parts.get(replace(part, answers=(True,)))
    no = parts.get(replace(part, answers=(False,)))
    coin = Coin(yes, no, column.cell, column.coins)
    missing = (yes is None and coin.spread(True)) or (no is None and coin.spread(False))
    return None if missing else coin


def _once(block: Block) -> frozenset[int]:
    """The columns of tables of which each row is one row of the block at most.

    Claim: so it is for a table from which every other source is reached by its key. Why: a row of
    it, with those that it has met so far, meets one row of the next source at most.
    """
    pairs = equalities(block.terms)
    condition = conjunction(list(block.terms))
    fixed = frozenset[int]() if condition is None else constants(condition)
    found: set[int] = set()
    for start in block.sources:
        table = _base(start)
        if not isinstance(table, Scan):
            continue
        reached = {c.id for c in start.columns}
        waiting = [s for s in block.sources if s is not start]
        while waiting:
            tied = fixed | {c for pair in pairs if reached & set(pair) for c in pair}
            met = [s for s in waiting if covers(tied, _keys(s))]
            if not met:
                break
            reached |= {c.id for s in met for c in s.columns}
            waiting = [s for s in waiting if not any(s is m for m in met)]
        if not waiting:
            found |= {c.id for c in table.columns}
    return frozenset(found)


def _base(source: Plan) -> Plan:
    """The rows to which subqueries in expressions add columns alone."""
    while isinstance(source, Apply) and source.kind in ("mark", "scalar"):
        source = source.input
    return source


def _keys(source: Plan) -> tuple[frozenset[int], ...]:
    table = _base(source)
    if not isinstance(table, Scan) or not table.table.key:
        return ()
    by_name = {f.lower(): c.id for f, c in zip(table.fields, table.columns, strict=True)}
    names = [name.lower() for name in table.table.key]
    return (frozenset(by_name[n] for n in names),) if by_name.keys() >= set(names) else ()
