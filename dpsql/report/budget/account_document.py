"""An account in words: what is left, the last lines, the caps."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from dpsql.core.account.account import OTHERS
from dpsql.report.budget.caps import CapState
from dpsql.report.document import Document, Listing, NamedRows, Part, Said
from dpsql.report.figures import shortened

if TYPE_CHECKING:
    from dpsql.report.budget.balance import Budget, BudgetWindow

LIMIT = 20
"""How many lines of the history are shown, if nobody says."""

WIDTH = 80
"""How much of a query is shown on one line."""


def document(state: Budget) -> Document:
    """What is left and who may spend it, and the last lines; for a page."""
    lines = state.history
    parts: list[Part] = [summary(state)]
    parts += [listing(state, newest_first=True)] if lines else []
    if len(lines) > LIMIT:
        parts.append(Said(f"the last {LIMIT} of {len(lines):,} lines", aside=True))
    return Document("dpsql: a budget", tuple(parts))


def summary(state: Budget, caps: Sequence[CapState] | None = None) -> NamedRows:
    """What is left, by which rule, and who may spend it; of all caps, or of some."""
    charges = [line for line in state.history if line.kind == "charge"]
    last = f"{len(charges):,}, the last at {moment(charges[-1].time)}" if charges else "none"
    rows = [("budget", str(state)), ("accountant", state.accountant), ("charges", last)]
    if (window := state.window) is not None:
        rows.append(("window", window_words(window)))
    found = state.caps if caps is None else caps
    rows += [("cap", f"{whose(cap)}: {cap.left} left of {cap.most}") for cap in found]
    for analyst, count in state.failures.items():
        most = state.account.failures
        locked = ", locked" if most is not None and count >= most else ""
        rows.append(("failures", f"{analyst or 'nobody in particular'}: {count}{locked}"))
    return NamedRows(tuple(rows))


def listing(state: Budget, limit: int = LIMIT, *, newest_first: bool = False) -> Listing | Said:
    """The last lines.

    Args:
        state: whose lines.
        limit: how many.
        newest_first: instead of last.
    """
    lines = state.history[-limit:]
    if not lines:
        return Said("nothing was charged yet")
    rows = tuple(
        (
            str(line.number),
            moment(line.time),
            line.analyst,
            str(line.cost),
            shortened(line.words, WIDTH),
        )
        for line in (reversed(lines) if newest_first else lines)
    )
    return Listing(("line", "time", "analyst", "cost", "query"), rows)


def caps_listing(state: Budget) -> Listing | Said:
    """Every cap and what is left of it."""
    found = state.caps
    if not found:
        return Said("no caps: whoever asks may spend all that is left")
    rows = tuple(
        (whose(cap), str(cap.most), str(cap.spent), str(cap.left), ", ".join(cap.members))
        for cap in found
    )
    return Listing(("who", "cap", "spent", "left", "members"), rows)


def whose(cap: CapState) -> str:
    """Who may spend it."""
    if cap.analyst is not None:
        return f"{cap.name} ({cap.analyst or 'nobody in particular'})"
    return "* (each other analyst)" if cap.name == OTHERS else cap.name


def window_words(window: BudgetWindow) -> str:
    """From when to when the present budget is."""
    if window.begun is None or window.ends is None:
        return "begins with the next charge"
    return f"from {moment(window.begun)} to {moment(window.ends)}; then the whole budget again"


def moment(time: datetime) -> str:
    """A time to the minute."""
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
