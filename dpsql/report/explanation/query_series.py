"""Queries that are asked one after the other, and of whose answers one is made, as one verdict.

It costs no more than is said: losses add up, also where what is asked depends on what
was answered before (Dwork, McSherry, Nissim and Smith 2006); the amounts were fixed beforehand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NoReturn

from dpsql.core.account.events import Event
from dpsql.core.account.loss import total
from dpsql.errors import NotCalibrated
from dpsql.once import Once
from dpsql.report.explanation.explanation import Explanation
from dpsql.report.explanation.totals import totals
from dpsql.report.figures import QueryCost
from dpsql.report.steps import TreeStep

Part = tuple[Explanation, int]
"""A query, and how often it is asked."""


def several(parts: Sequence[Part]) -> Explanation:
    """The verdict of all; that of the query itself, where there is one that is asked once.

    Args:
        parts: in order; at least one, of which the first tells the unit, and whose rows they are.
    """
    first = parts[0][0]
    if [times for _, times in parts] == [1]:
        return first
    losses = [one.totals.loss for one, times in parts for _ in range(times)]
    events: Counter[Event] = Counter()
    for one, times in parts:
        for event, count in one.totals.events.items():
            events[event] += times * count
    loss = total(losses)
    return replace(
        first,
        cost=QueryCost(loss.cost),
        releases=tuple(
            release if times == 1 else replace(release, name=f"{release.name}, {times} times")
            for one, times in parts
            for release in one.releases
        ),
        computed=tuple(column for one, _ in parts for column in one.computed),
        totals=totals(events, loss, first.totals.delta),
        ledger=None,
        wanted=None,
        _statements=Once(_statements, parts),
        _tree=Once(_tree, parts),
        _certificate=Once(_certificate, parts),
        _noted=Once(_noted, parts),
        _again=_unknown,
        _ahead=_unknown,
        _parts=tuple(parts),
    )


def _statements(parts: Sequence[Part]) -> tuple[str, ...]:
    return tuple(sql for one, _ in parts for sql in one._statements())


def _certificate(parts: Sequence[Part]) -> str:
    return "\n\n".join(one.certificate for one, _ in parts)


def _noted(parts: Sequence[Part]) -> tuple[dict[str, object], ...]:
    return tuple(line for one, times in parts for line in times * one._noted())


def _tree(parts: Sequence[Part]) -> TreeStep:
    made = []
    for number, (one, times) in enumerate(parts, 1):
        often = "once" if times == 1 else f"{times} times"
        made.append(TreeStep("released", f"query {number}, {often}", (), (one.tree,)))
    return TreeStep("released", "made of what several queries answer", (), tuple(made))


def _unknown(eps: Fraction) -> NoReturn:
    raise NotCalibrated("of several queries, each has a share of ε of its own")
