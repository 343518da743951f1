"""The picture of a budget: what it shows, and that it needs neither a display nor luck."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest

from dpsql.core.account.account import Account, Accountant
from dpsql.core.account.amount import Cost
from dpsql.core.account.loss import NOTHING, approximate
from dpsql.platform.ledger.ledger import Charge, Entry
from dpsql.report.budget import Budget, LedgerLine
from dpsql.report.budget import spending_picture as plot

TOTAL = Cost(Fraction(10), Fraction(1, 10**6))
START = datetime(2026, 3, 2, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
PNG = b"\x89PNG\r\n\x1a\n"


def charges(
    amount: int, eps: str = "1/10", delta: str = "0", queries: tuple[str, ...] = ("SELECT 1",)
) -> tuple[Charge, ...]:
    """Equal charges, an hour apart, in no window."""
    loss, spent = approximate(Cost(Fraction(eps), Fraction(delta))).rounded_up(), NOTHING
    made: list[Charge] = []
    for n in range(amount):
        spent = spent + loss
        entry = Entry(queries[n % len(queries)], time=START + n * HOUR)
        made.append(Charge(n + 1, entry, loss, spent, spent))
    return tuple(made)


def budget(lines: tuple[Charge, ...], kind: Accountant = "approx") -> Budget:
    spent = lines[-1].spent if lines else NOTHING
    return Budget(Account(TOTAL, kind), spent, lambda: lines)


@pytest.mark.deep
@pytest.mark.parametrize("amount", [0, 1, 2, 61, 10_000])
@pytest.mark.parametrize("delta", ["0", "1e-11"])
def test_any_number_of_lines(amount: int, delta: str, tmp_path: Path) -> None:
    queries = tuple(f"SELECT COUNT(*) FROM t{n}" for n in range(40))
    file = tmp_path / "picture.png"
    made = budget(charges(amount, "1/1000", delta, queries)).plot(file)
    assert file.read_bytes().startswith(PNG)
    assert made.get_figwidth() == 9


@pytest.mark.parametrize("kind", ["pure", "approx", "zcdp", "rdp", "pld"])
@pytest.mark.one_in(2)
def test_any_rule(kind: Accountant, tmp_path: Path) -> None:
    state = budget(charges(30), kind)
    state.plot(tmp_path / "picture.svg")
    title, texts = str(state), (tmp_path / "picture.svg").read_text(encoding="utf-8")
    assert "<svg" in texts
    assert state.plot().axes[0].get_title(loc="left") == title


@pytest.mark.parametrize(
    "text",
    ["SELECT '$x_{$'", "SELECT '$'", "SELECT 你好, '🙂' \\a", "a\n\tb\x1b\x00", "<b>&", "%"],
)
def test_any_text(text: str, tmp_path: Path) -> None:
    # Warnings are errors here: a letter that the font lacks would be one.
    made = budget(charges(2, queries=(text, "$a$"))).plot(tmp_path / "picture.png")
    words = [t.get_text() for t in made.axes[1].texts]
    assert "$a$" in words
    assert all(word.isprintable() for word in words)


def test_steps_are_what_was_spent() -> None:
    points = plot.steps(Account(TOTAL), charges(3, "1/2", "1e-7"))
    assert [(p.eps, p.delta, p.line) for p in points] == [
        (0, 0, False),
        (0.5, 1e-7, True),
        (1, 2e-7, True),
        (1.5, 3e-7, True),
        (1.5, 3e-7, False),
    ]
    times = [p.time for p in points]
    assert times[1:4] == [START, START + HOUR, START + 2 * HOUR]
    assert times[0] < times[1] and times[4] > times[3]


def test_steps_never_go_back_in_time() -> None:
    first, second = charges(2)
    late = replace(second, entry=replace(second.entry, time=START - HOUR))
    times = [p.time for p in plot.steps(Account(TOTAL), (first, late))]
    assert times == sorted(times)


def test_steps_fall_where_a_window_begins() -> None:
    first, second = charges(2)
    renewed = START + HOUR / 2
    lines = (
        replace(first, window=START),
        replace(second, window=renewed, spent=second.loss),
    )
    points = plot.steps(Account(TOTAL, window=HOUR / 2), lines)[1:-1]
    assert [(p.time, p.eps) for p in points] == [(START, 0.1), (renewed, 0), (START + HOUR, 0.1)]


def test_the_guarantee_of_many_lines_is_drawn_at_some_of_them() -> None:
    lines = charges(2_000, "1/1000")
    points = plot.steps(Account(TOTAL, "rdp"), lines)
    assert len(points) <= plot.POINTS + 3
    last = budget(lines, "rdp").guarantee.eps
    assert (points[-1].eps, points[-2].eps) == (last, last)
    assert [p.eps for p in points] == sorted(p.eps for p in points)


def test_what_each_query_took() -> None:
    lines = tuple(map(LedgerLine, charges(7, queries=("a", "b", "a", "a"))))
    assert plot.taken(lines) == (
        plot.Taken("a", 5, Fraction(1, 2)),
        plot.Taken("b", 2, Fraction(1, 5)),
    )
    # An act of the owner is no query.
    other = LedgerLine(replace(lines[0].charge, kind="acknowledged"))
    assert plot.taken((other,)) == ()


def test_the_rest_is_one_bar() -> None:
    queries = tuple(f"q{n:02}" for n in range(plot.BARS + 1))
    bars = plot.taken(tuple(map(LedgerLine, charges(2 * len(queries), queries=queries))))
    assert len(bars) == plot.BARS
    assert (bars[-1].times, bars[-1].eps) == (4, Fraction(2, 5))
    assert [plot.name(bar) for bar in bars[-2:]] == [queries[plot.BARS - 2], "all other queries"]
    assert len(plot.taken(tuple(map(LedgerLine, charges(plot.BARS, queries=queries))))) == plot.BARS
    whole = sum((bar.eps for bar in bars), Fraction(0))
    assert whole == Fraction(2 * len(queries), 10)


def test_a_long_query_is_named_by_its_first_words() -> None:
    named = partial(plot.Taken, times=1, eps=Fraction(1))
    assert plot.name(named("SELECT\n  1")) == "SELECT 1"
    assert plot.name(named("x" * plot.WORDS)) == "x" * plot.WORDS
    assert plot.name(named("x" * (plot.WORDS + 1))) == "x" * (plot.WORDS - 1) + "…"


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.style", None)
    with pytest.raises(ImportError, match=r'plot needs matplotlib: pip install "dpsql\[plot\]"'):
        budget(()).plot()


def test_pyplot_and_displays_are_not_touched() -> None:
    code = """
import sys
from dpsql.core.account.account import Account
from dpsql.core.account.amount import Cost
from dpsql.core.account.loss import NOTHING
from dpsql.report.budget import Budget
from fractions import Fraction

assert "matplotlib" not in sys.modules
Budget(Account(Cost(Fraction(1))), NOTHING, tuple).plot()
assert "matplotlib.pyplot" not in sys.modules
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], check=False)
    assert done.returncode == 0
