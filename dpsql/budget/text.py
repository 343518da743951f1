"""An account as lines of text, for a command line and for a shell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from dpsql.accounting.account import OTHERS
from dpsql.budget.caps import CapState
from dpsql.budget.line import Line
from dpsql.budget.state import Budget, Window
from dpsql.visible import one_line

LIMIT = 20
"""How many lines of the history are shown, if nobody says."""

WIDTH = 80
"""How much of a query is shown on one line."""


def summary(state: Budget, caps: Sequence[CapState] | None = None) -> Iterator[str]:
    """What is left, by which rule, and who may spend it; of all caps, or of some."""
    charges = [line for line in state.history if line.kind == "charge"]
    rows = [("budget", str(state)), ("accountant", state.accountant)]
    rows += [("charges", _charges(charges))]
    if (window := state.window) is not None:
        rows.append(("window", window_words(window)))
    found = state.caps if caps is None else caps
    rows += [("cap", f"{whose(cap)}: {cap.left} left of {cap.most}") for cap in found]
    rows += [("failures", _failures(*of, state.account.failures)) for of in state.failures.items()]
    return pairs(rows)


def history(state: Budget, limit: int = LIMIT, *, newest_first: bool = False) -> Iterator[str]:
    """The last lines.

    Args:
        state: whose lines.
        limit: how many.
        newest_first: instead of last.
    """
    lines = state.history[-limit:]
    if not lines:
        yield "nothing was charged yet"
        return
    rows = [
        [str(line.number), moment(line.time), line.analyst, str(line.cost), _what(line)]
        for line in (reversed(lines) if newest_first else lines)
    ]
    yield from aligned(["line", "time", "analyst", "cost", "query"], rows)


def caps_table(state: Budget) -> Iterator[str]:
    """Every cap and what is left of it."""
    found = state.caps
    if not found:
        yield "no caps: whoever asks may spend all that is left"
        return
    rows = [
        [whose(cap), str(cap.most), str(cap.spent), str(cap.left), ", ".join(cap.members)]
        for cap in found
    ]
    yield from aligned(["who", "cap", "spent", "left", "members"], rows)


def whose(cap: CapState) -> str:
    """Who may spend it."""
    if cap.analyst is not None:
        return f"{cap.name} ({cap.analyst or 'nobody in particular'})"
    return "* (each other analyst)" if cap.name == OTHERS else cap.name


def window_words(window: Window) -> str:
    """From when to when the present budget is."""
    if window.begun is None or window.ends is None:
        return "begins with the next charge"
    return f"from {moment(window.begun)} to {moment(window.ends)}; then the whole budget again"


def moment(time: datetime) -> str:
    """A time to the minute."""
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def pairs(rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    """What something is called, and what it is; a text cannot break a line."""
    return (f"{one_line(name):<10}  {one_line(text)}" for name, text in rows)


def aligned(names: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table of text; a cell cannot break a line."""
    lines = [[one_line(cell) for cell in row] for row in (names, *rows)]
    sizes = [max(map(len, column)) for column in zip(*lines, strict=True)]
    lines.insert(1, ["-" * size for size in sizes])
    for line in lines:
        yield "  ".join(cell.ljust(n) for cell, n in zip(line, sizes, strict=True)).rstrip()


def _failures(analyst: str, count: int, most: int | None) -> str:
    locked = most is not None and count >= most
    return f"{analyst or 'nobody in particular'}: {count}" + (", locked" if locked else "")


def _charges(charges: Sequence[Line]) -> str:
    if not charges:
        return "none"
    return f"{len(charges):,}, the last at {moment(charges[-1].time)}"


def _what(line: Line) -> str:
    """The query's first words, or what the owner did."""
    return line.words if len(line.words) <= WIDTH else line.words[: WIDTH - 1].rstrip() + "…"
