"""Budgets that are renewed after a while: which window a moment is in.

Claim, of a total per window: windows follow each other without overlap, each spends at most the
total, and none ends earlier than it was promised to when something was spent in it. So whatever is
released in one window is private as the total says. Nothing is promised of two windows together
but what composition gives: a person who is in the data all the time loses the total in each.

Why. A line belongs to the window of the line before it, unless that window was over by then; its
sums go on from that line's, or begin at nothing. The end is kept in each line, and

- moments never go back: a line's is the later one of its clock's and of the line before, so that
  neither a clock that is set back nor a second machine whose clock is slow opens a window anew
  (one that is fast ends a window early: the owner's machines must tell the time);
- while a window runs, its end is only ever moved later. Another length that the owner chooses is
  that of the windows after it. If it is longer, the running one is as long as well; if it is
  shorter, the running one still lasts as long as promised. If there were no windows, everything so
  far is one that was promised no end; choosing a length is the owner's word that it may end, and it
  ends one whole window later, not in the past, so that what was spent yesterday counts for as long
  as what is spent today. If there shall be none, the running one never ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from dpsql.errors import InvalidBudget


@dataclass(frozen=True, slots=True)
class BudgetWindow:
    """From `since` until before `until`; without an end if that is None."""

    since: datetime
    until: datetime | None

    def over(self, moment: datetime) -> bool:
        """Whether it has ended by then."""
        return self.until is not None and moment >= self.until


def check(period: timedelta | None) -> None:
    """Refuse a length that is none.

    Raises:
        InvalidBudget: it is not positive, or longer than the calendar.
    """
    if period is not None and not timedelta(0) < period <= timedelta(days=366_000):
        raise InvalidBudget("a budget's window must be positive, and at most a thousand years")


def window_at(
    before: BudgetWindow | None, old: timedelta | None, period: timedelta | None, moment: datetime
) -> BudgetWindow:
    """The window of a line; a new object only where it is another one.

    Args:
        before: that of the line before it; None for the first line.
        old: how long windows were at that line.
        period: how long they shall be.
        moment: of the line; not before that of the line before.
    """
    if before is None:
        return BudgetWindow(moment, _after(moment, period))
    if before.until is not None and moment >= before.until:
        if period is None:
            return BudgetWindow(before.until, None)
        start = before.until + (moment - before.until) // period * period
        return BudgetWindow(start, _after(start, period))
    if period == old:
        return before
    if period is None:
        return BudgetWindow(before.since, None)
    if before.until is None:
        return BudgetWindow(before.since, _after(moment, period))
    end = _after(before.since, period)
    return BudgetWindow(before.since, None if end is None else max(before.until, end))


def _after(start: datetime, period: timedelta | None) -> datetime | None:
    try:
        return None if period is None else start + period
    except OverflowError:  # after the year 9999
        return None
