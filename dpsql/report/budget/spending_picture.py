"""The picture of a budget: what is spent over time, and what each query took.

matplotlib is imported inside functions alone; see `dpsql.report.pictures`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dpsql.core.account import accountants
from dpsql.core.account.account import Account
from dpsql.platform.ledger.ledger import Charge
from dpsql.report import pictures
from dpsql.report.budget.line import LedgerLine
from dpsql.report.figures import shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from dpsql.report.budget.balance import Budget

BARS = 12
"""At most so many bars; the last one is for all other queries together."""

POINTS = 250
"""At most so many points where the guarantee takes a while to compute."""

WORDS = 100
"""How many characters of a query are its name."""

FILTERS = frozenset({"zcdp", "rdp"})
"""Accountants by which ε is no sum."""


def picture(budget: Budget) -> Figure:
    """The picture.

    Raises:
        ImportError: matplotlib is missing (`pip install "dpsql[plot]"`).
        EngineError: the ledger cannot be read.
    """
    lines, bars = budget.history, taken(budget.history)
    with pictures.drawing():
        upper, lower = 3.6, 0.8 + 0.42 * max(len(bars), 1)
        made = pictures.blank(9, upper + lower)
        top, below = made.subplots(2, 1, height_ratios=[upper, lower])
        _spending(top, budget, lines)
        _queries(below, bars)
    return made


@dataclass(frozen=True, slots=True)
class Taken:
    """What one query took, all times it was asked together; exact."""

    sql: str
    times: int
    eps: Fraction


def taken(lines: Iterable[LedgerLine]) -> tuple[Taken, ...]:
    """The queries, the dearest first; those after `BARS` - 1 others are one, without a text."""
    found: dict[str, list[Fraction]] = {}
    for line in lines:
        if line.kind == "charge":
            found.setdefault(line.sql, []).append(line.charge.cost.eps)
    each = [Taken(sql, len(parts), sum(parts, Fraction(0))) for sql, parts in found.items()]
    each.sort(key=lambda item: -item.eps)
    if len(each) <= BARS:
        return tuple(each)
    rest = each[BARS - 1 :]
    others = Taken("", sum(t.times for t in rest), sum((t.eps for t in rest), Fraction(0)))
    return (*each[: BARS - 1], others)


def _spending(axes: Axes, budget: Budget, lines: Sequence[LedgerLine]) -> None:
    """Steps of ε under the line of the total; and of δ, on a scale of its own, where it is used."""
    total, points = budget.total, steps(budget.account, [line.charge for line in lines])
    axes.set_title(str(budget))
    guaranteed = budget.accountant in FILTERS
    axes.set_ylabel("ε that is guaranteed" if guaranteed else "ε spent", color=pictures.BLUE)
    room = 1.12 * max([total.eps, *(point.eps for point in points)])
    axes.set_ylim(0, room)
    axes.axhline(total.eps, color=pictures.RED, linewidth=1.4, zorder=3)
    axes.annotate(
        f"total {total}",
        (0.01, total.eps),
        xycoords=("axes fraction", "data"),
        xytext=(0, 4),
        textcoords="offset points",
        color=pictures.RED,
    )
    pictures.ruled(axes, "y")
    if not points:
        axes.set_xticks([])
        axes.text(
            0.5, 0.45, "nothing yet", transform=axes.transAxes, ha="center", color=pictures.FAINT
        )
        return
    times: list[Any] = [point.time for point in points]
    eps, delta = [point.eps for point in points], [point.delta for point in points]
    axes.fill_between(times, eps, step="post", color=pictures.PALE, linewidth=0)
    axes.step(times, eps, where="post", color=pictures.BLUE, linewidth=1.6)
    marks: list[Any] = [(point.time, point.eps) for point in points if point.line]
    if len(marks) <= 60:
        axes.plot(*zip(*marks, strict=True), "o", color=pictures.BLUE, markersize=4, clip_on=False)
    axes.set_xlim(times[0], times[-1])
    pictures.dated(axes, 8, UTC)
    axes.set_xlabel("time (UTC)", loc="left")
    if any(delta):
        _delta(axes, times, delta, total.delta, room / total.eps)


def _delta(
    axes: Axes, times: list[datetime], delta: list[float], total: float, room: float
) -> None:
    """δ on the right, so scaled that its total is the same line."""
    other = axes.twinx()
    other.spines["right"].set_visible(True)
    other.set_ylabel("δ", color=pictures.ORANGE)
    other.tick_params(axis="y", colors=pictures.ORANGE)
    other.ticklabel_format(axis="y", style="sci", scilimits=(0, 0))
    other.set_ylim(0, room * total if total else 1.12 * max(delta))
    other.step(times, delta, where="post", color=pictures.ORANGE, linewidth=1.4)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Spent:
    """What is spent from a time on. `line` says that a line of the ledger is the reason."""

    time: datetime
    eps: float
    delta: float
    line: bool = True


def steps(account: Account, charges: Sequence[Charge]) -> tuple[Spent, ...]:
    """What is spent, from a moment before the first line to one after the last.

    By zcdp and rdp ε is what is guaranteed. Where a window begins nothing is spent. Times never go
    back: a line whose clock was behind is drawn where the one before it is.
    """
    if not charges:
        return ()
    every = 1 if account.accountant not in FILTERS else -(-len(charges) // POINTS)
    found: list[Spent] = []
    for place, charge in enumerate(charges):
        time = max([charge.entry.time, *(step.time for step in found[-1:])])
        if place and charge.window is not None and charge.window != charges[place - 1].window:
            found.append(Spent(max(found[-1].time, min(charge.window, time)), 0, 0, line=False))
        if (place + 1) % every == 0 or place == len(charges) - 1:
            cost = accountants.guarantee(account.accountant, account.total, charge.spent)
            found.append(Spent(time, float(cost.eps), float(cost.delta)))
    first, last = found[0].time, found[-1]
    margin = (last.time - first) * 0.03 or timedelta(minutes=30)
    before, after = Spent(first - margin, 0, 0, line=False), replace(last, line=False)
    return (before, *found, replace(after, time=last.time + margin))


def _queries(axes: Axes, bars: Sequence[Taken]) -> None:
    """A bar a query, under its first words."""
    if bars:
        axes.set_title("What each query took, in ε")
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_ylim(max(len(bars), 1) - 0.3, -0.6)
    values = [float(bar.eps) for bar in bars]
    axes.set_xlim(0, 1.2 * max([*values, 0]) or 1)
    colors = [pictures.BLUE if bar.sql else pictures.FAINT for bar in bars]
    axes.barh([place + 0.12 for place in range(len(bars))], values, color=colors, height=0.3)
    for place, (bar, value) in enumerate(zip(bars, values, strict=True)):
        times = f"  ({bar.times:,} times)" if bar.times > 1 else ""
        shift: dict[str, Any] = {"textcoords": "offset points", "va": "center", "fontsize": 9}
        axes.annotate(f"{value:.4g}{times}", (value, place + 0.12), xytext=(4, 0), **shift)
        words = axes.annotate(
            pictures.drawable(name(bar)), (0, place - 0.24), xytext=(0, 0), **shift
        )
        words.set_parse_math(False)  # a $ is a letter


def name(bar: Taken) -> str:
    """The query's first words on one line, or what else the bar is."""
    if not bar.sql:
        return "all other queries"
    return shortened(" ".join(bar.sql.split()), WORDS)
