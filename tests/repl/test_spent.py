r"""The commands that look at what was spent: `\budget`, `\history`."""

from __future__ import annotations

import io
import re
import sys
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import cast

import pytest

from dpsql.core.account.account import Account, Accountant, Cap
from dpsql.core.account.amount import Cost
from dpsql.platform.ledger.ledger import Entry
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from dpsql.repl.command import UsageError
from dpsql.repl.commands.spending import PLAIN, WIDTH, budget_text
from dpsql.report.budget import Budget
from dpsql.session.database import Database
from tests.repl.looker import Looker

TOTAL = Cost(Fraction(10), Fraction(1, 10**6))
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
QUERY = "SELECT COUNT(*) FROM orders"


class Ledgered:
    """What the commands ask of a database."""

    def __init__(
        self,
        kind: Accountant = "approx",
        caps: tuple[Cap, ...] = (),
        *,
        total: Cost = TOTAL,
        window: timedelta | None = None,
        analyst: str = "",
    ) -> None:
        self.ledger = MemoryLedger(Account(total, kind, "shop", caps, window))
        self.analyst = analyst

    def ask(
        self, eps: str, delta: str = "0", *, sql: str = QUERY, analyst: str = "", hours: int = 0
    ) -> None:
        time = NOON + timedelta(hours=hours)
        cost = Cost(Fraction(eps), Fraction(delta))
        self.ledger.reserve(cost, Entry(sql, "[]", time, analyst, version="1.0"))

    @property
    def budget(self) -> Budget:
        return Budget.of(self.ledger)


def looker(ledgered: Ledgered) -> Looker:
    return Looker(cast(Database, ledgered))


def bar(filled: int) -> str:
    return "█" * filled + "░" * (WIDTH - filled)


# --- \budget -------------------------------------------------------------------------------------


def test_the_budget() -> None:
    asked = Ledgered()
    assert (
        looker(asked)(r"\budget")
        == f"""\
ε  {bar(0)}  0 % spent: 0 of 10
δ  {bar(0)}  0 % spent: 0 of 1e-6

budget      ε = 10, δ = 1e-6 left of ε = 10, δ = 1e-6
accountant  approx
charges     none"""
    )
    asked.ask("3.5", "1e-7")
    assert (
        looker(asked)(r"\budget ;")
        == f"""\
ε  {bar(10)}  35 % spent: 3.5 of 10
δ  {bar(3)}  10 % spent: 1e-7 of 1e-6

budget      ε = 6.5, δ = 9e-7 left of ε = 10, δ = 1e-6
accountant  approx
charges     1, the last at 2026-03-02 12:00 UTC"""
    )


@pytest.mark.parametrize(
    ("eps", "filled", "percent"),
    [("0.001", 1, "under 1 %"), ("0.1", 1, "1 %"), ("9.9999", 29, "99 %"), ("10", 30, "100 %")],
)
def test_a_bar_is_empty_or_full_only_where_the_budget_is(
    eps: str, filled: int, percent: str
) -> None:
    asked = Ledgered()
    asked.ask(eps)
    first = looker(asked)(r"\budget").splitlines()[0]
    assert first == f"ε  {bar(filled)}  {percent} spent: {eps.removesuffix('.0')} of 10"


def test_without_a_delta_there_is_no_bar_of_it() -> None:
    asked = Ledgered("pure", total=Cost(Fraction(1)))
    assert looker(asked)(r"\budget").splitlines()[:2] == [f"ε  {bar(0)}  0 % spent: 0 of 1", ""]


@pytest.mark.parametrize("kind", ["zcdp", "rdp"])
def test_by_an_accountant_of_another_kind(kind: Accountant) -> None:
    asked = Ledgered(kind)
    asked.ask("1")
    state = asked.budget
    used = float(state.guarantee.eps)
    lines = looker(asked)(r"\budget").splitlines()
    found = re.fullmatch(r"ε  (█+)(░+)  (\d+) % spent: ([0-9.]+) of 10", lines[0])
    assert found is not None
    assert len(found[1]) == int(used * 3) and int(found[3]) == int(used * 10)
    assert float(found[4]) == pytest.approx(used, rel=1e-3) and float(found[4]) >= used
    assert lines[1:4] == ["", f"budget      {state}", f"accountant  {kind}"]


CAPS = (
    Cap("ann", Cost(Fraction(2), Fraction(1, 10**6))),
    Cap("desk", Cost(Fraction(4), Fraction(1, 10**6)), frozenset({"ann", "bob"})),
    Cap("*", Cost(Fraction(1), Fraction(1, 10**6))),
)


@pytest.mark.parametrize(
    ("analyst", "caps"),
    [
        ("ann", ["ann: ε = 1.5, δ = 1e-6 left of ε = 2", "desk: ε = 3.25, δ = 1e-6 left of ε = 4"]),
        (
            "bob",
            [
                "desk: ε = 3.25, δ = 1e-6 left of ε = 4",
                "* (bob): ε = 0.75, δ = 1e-6 left of ε = 1",
            ],
        ),
        ("cy", ["* (each other analyst): ε = 1, δ = 1e-6 left of ε = 1"]),
        ("", ["* (nobody in particular): ε = 0.9, δ = 1e-6 left of ε = 1"]),
    ],
)
def test_the_caps_of_whoever_asks(analyst: str, caps: list[str]) -> None:
    asked = Ledgered(caps=CAPS, analyst=analyst)
    asked.ask("0.5", analyst="ann")
    asked.ask("0.25", analyst="bob")
    asked.ask("0.1", analyst="")
    bars, _, rest = looker(asked)(r"\budget").partition("\n\n")
    told = [line.removeprefix("cap         ") for line in rest.splitlines() if line[:4] == "cap "]
    assert told == [f"{cap}, δ = 1e-6" for cap in caps]
    names = [line.partition("  ")[0].strip() for line in bars.splitlines()]
    assert names == ["ε", "δ", *(f"ε of {cap.partition(':')[0]}" for cap in caps)]
    starts = {re.search("[█░]", line).start() for line in bars.splitlines()}  # type: ignore[union-attr]
    assert len(starts) == 1


def test_a_window() -> None:
    asked = Ledgered(window=timedelta(days=30))
    last = looker(asked)(r"\budget").splitlines()[-1]
    assert last == "window      begins with the next charge"
    hours = (datetime.now(UTC) - NOON) // timedelta(hours=1)
    asked.ask("1", hours=hours)
    first, *_, last = looker(asked)(r"\budget").splitlines()
    assert first == f"ε  {bar(3)}  10 % spent: 1 of 10"
    start, end = (NOON + timedelta(hours=hours + more) for more in (0, 30 * 24))
    assert last == (
        f"window      from {start:%Y-%m-%d %H:%M} UTC to {end:%Y-%m-%d %H:%M} UTC; "
        "then the whole budget again"
    )


def test_bars_without_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Ledgered()
    asked.ask("3.5")
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="latin-1"))
    told = looker(asked)(r"\budget")
    assert told == budget_text(asked.budget, (), PLAIN)
    assert told.splitlines()[0] == f"ε  {'#' * 10}{'.' * 20}  35 % spent: 3.5 of 10"
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
    assert f"  {bar(10)}  " in looker(asked)(r"\budget")


# --- \history ------------------------------------------------------------------------------------


def test_nothing_was_charged() -> None:
    look = looker(Ledgered())
    assert look(r"\history") == "nothing was charged yet"
    assert look.said == []


def test_history_is_newest_first() -> None:
    asked = Ledgered()
    asked.ask("0.5", analyst="ann")
    asked.ask("1", "1e-7", sql="SELECT 1\n\tFROM\x1b[2J t", analyst="b\nob", hours=1)
    asked.ask("2", sql=f"SELECT {'x' * 100}", hours=26)
    look = looker(asked)
    assert (
        look(r"\history")
        == f"""\
line  time                  analyst  cost             query
----  --------------------  -------  ---------------  {"-" * 80}
3     2026-03-03 14:00 UTC           ε = 2            SELECT {"x" * 72}…
2     2026-03-02 13:00 UTC  b\\nob    ε = 1, δ = 1e-7  SELECT 1 FROM\\x1b[2J t
1     2026-03-02 12:00 UTC  ann      ε = 0.5          SELECT COUNT(*) FROM orders"""
    )
    assert look.said == []


def test_how_many_lines() -> None:
    asked = Ledgered()
    for number in range(25):
        asked.ask("0.01", hours=number)
    look = looker(asked)

    def numbers(line: str) -> list[int]:
        return [int(row.split()[0]) for row in look(line).splitlines()[2:]]

    assert numbers(r"\history") == list(range(25, 5, -1))
    assert look.said == [r"the last 20 of 25 lines; \history 25 shows all"]
    assert numbers(r"\history 2;") == [25, 24]
    assert look.said == [r"the last 2 of 25 lines; \history 25 shows all"]
    for many in ("25", "50", "999999999999999999999"):
        assert numbers(rf"\history {many}") == list(range(25, 0, -1))
        assert look.said == []


@pytest.mark.parametrize("number", ["0", "-1", "x", "1.5", "٣", "000000000", "5 6"])
def test_how_many_lines_written_wrongly(number: str) -> None:
    with pytest.raises(UsageError) as refused:
        looker(Ledgered())(rf"\history {number}")
    assert str(refused.value) == r"how many lines? Write \history 50"


def test_budget_takes_nothing() -> None:
    with pytest.raises(UsageError) as refused:
        looker(Ledgered())(r"\budget 5")
    assert str(refused.value) == r"\budget takes nothing; \history 50 shows the last 50 lines"
