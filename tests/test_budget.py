"""The budget as its owner sees it: exact sums, caps, windows, and what is written out."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsql.core.account.account import Account, Accountant, Cap
from dpsql.core.account.amount import Cost
from dpsql.platform.ledger.ledger import Entry
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from dpsql.report.budget import Budget
from dpsql.report.budget.line import COLUMNS, FORMULA

TOTAL = Cost(Fraction(10), Fraction(1, 10**6))
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
QUERY = "SELECT COUNT(*) FROM orders"


def account(
    kind: Accountant = "approx",
    total: Cost = TOTAL,
    caps: Sequence[Cap] = (),
    window: timedelta | None = None,
) -> Account:
    return Account(total, kind, "shop", tuple(caps), window)


def ask(
    ledger: MemoryLedger,
    eps: Fraction | str | int,
    delta: Fraction | str | int = 0,
    *,
    sql: str = QUERY,
    analyst: str = "",
    time: datetime = NOON,
    mechanisms: Sequence[str] = ("laplace",),
) -> None:
    releases = json.dumps([{"name": "n", "mechanism": kind} for kind in mechanisms])
    entry = Entry(sql, releases, time, analyst, version="1.0")
    ledger.reserve(Cost(Fraction(eps), Fraction(delta)), entry)


def read(text: str) -> list[dict[str, str]]:
    """The rows of a CSV text, with its own marks taken off."""
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    return [{k: v.removeprefix("'") for k, v in row.items()} for row in rows]


# --- sums ----------------------------------------------------------------------------------------


def test_what_is_left() -> None:
    ledger = MemoryLedger(account())
    before = Budget.of(ledger)
    assert (before.spent.exact, before.remaining.exact) == (Cost(Fraction(0)), TOTAL)
    assert before.history == ()
    for _ in range(15):
        ask(ledger, "1/10")
    ask(ledger, "1/2", "3e-7")
    after = Budget.of(ledger)
    assert after.total.exact == TOTAL
    assert after.spent.exact == after.guarantee.exact == Cost(Fraction(2), Fraction("3e-7"))
    assert after.remaining.exact == Cost(Fraction(8), Fraction("7e-7"))
    assert str(after) == "ε = 8, δ = 7e-7 left of ε = 10, δ = 1e-6"
    assert repr(after) == f"<dpsql budget: {after}>"


def test_by_other_rules_the_sum_of_eps_is_not_the_guarantee() -> None:
    ledger = MemoryLedger(account("zcdp"))
    for _ in range(150):
        ask(ledger, "1/10")
    after = Budget.of(ledger)
    assert after.spent.exact == Cost(Fraction(15))
    # ρ = 150 · 0.1²/2; by Canonne, Kamath and Steinke that is less than ρ + 2·√(ρ·ln(1/δ)).
    assert after.loss.rho == Fraction(3, 4)
    assert 5 < after.guarantee.eps < 0.75 + 2 * (0.75 * 14.51) ** 0.5
    assert after.guarantee.exact.delta == TOTAL.delta / 2
    text = "ε = 6.748 of ε = 10, δ = 1e-6 used (accountant zcdp); one query of ε = 1.207 is left"
    assert str(after) == text


def test_history() -> None:
    ledger = MemoryLedger(account())
    ask(ledger, "1/10", "1e-8", analyst="ann", mechanisms=("laplace", "gaussian", "laplace"))
    ask(ledger, 1, sql="SELECT 1", time=NOON + timedelta(hours=1), mechanisms=())
    first, second = Budget.of(ledger).history
    assert (first.number, first.time, first.kind, first.analyst) == (1, NOON, "charge", "ann")
    assert (first.sql, first.mechanisms) == (QUERY, ("laplace", "gaussian"))
    assert first.cost.exact == Cost(Fraction(1, 10), Fraction("1e-8"))
    assert first.rho == 0.005
    assert (second.number, second.analyst, second.mechanisms) == (2, "", ())
    assert second.time - first.time == timedelta(hours=1)


def test_it_is_the_state_of_one_moment() -> None:
    ledger = MemoryLedger(account())
    ask(ledger, 1)
    now = Budget.of(ledger)
    ask(ledger, 2)
    assert now.spent.eps == sum(line.cost.eps for line in now.history) == 1
    assert Budget.of(ledger).spent.eps == 3


# --- caps ----------------------------------------------------------------------------------------


def test_caps() -> None:
    caps = [
        Cap("ann", Cost(Fraction(2))),
        Cap("team", Cost(Fraction(3)), frozenset({"ann", "bob"})),
        Cap("*", Cost(Fraction(1))),
    ]
    ledger = MemoryLedger(account(caps=caps))
    ask(ledger, "3/2", analyst="ann")
    ask(ledger, "1/4", analyst="bob")
    ask(ledger, "1/4", analyst="bob")
    found = Budget.of(ledger).caps
    assert [(c.name, c.analyst, c.spent.exact.eps, c.left.exact.eps) for c in found] == [
        ("ann", None, Fraction(3, 2), Fraction(1, 2)),
        ("team", None, 2, 1),
        ("*", "bob", Fraction(1, 2), Fraction(1, 2)),
        ("*", None, 0, 1),
    ]
    assert found[1].members == ("ann", "bob")
    # What is shown as left is what the ledger grants, and no more.
    with pytest.raises(Exception, match=r"ε = 1/2|ε = 0.5"):
        ask(ledger, "51/100", analyst="ann")
    ask(ledger, "1/2", analyst="ann")
    assert Budget.of(ledger).caps[1].left.exact.eps == Fraction(1, 2)


def test_caps_by_the_rule_of_the_account() -> None:
    cap = Cap("ann", Cost(Fraction(3), Fraction(1, 10**6)))
    ledger = MemoryLedger(account("zcdp", caps=[cap]))
    for _ in range(20):
        ask(ledger, "1/10", analyst="ann")
    (found,) = Budget.of(ledger).caps
    assert found.spent.exact.eps != 2
    assert 1 < found.spent.eps < 3
    for _ in range(15):
        ask(ledger, "1/10", analyst="ann")
    with pytest.raises(Exception, match="the cap of ann"):
        ask(ledger, "1/10", analyst="ann")
    left = Budget.of(ledger).caps[0].left.exact.eps
    assert 0 < left < Fraction(1, 10)


# --- windows -------------------------------------------------------------------------------------


def test_windows() -> None:
    now = datetime.now(UTC)
    month = timedelta(days=30)
    caps = [Cap("ann", Cost(Fraction(2)))]
    ledger = MemoryLedger(account(caps=caps, window=month))
    window = Budget.of(ledger).window
    assert window is not None and (window.begun, window.ends) == (None, None)
    ask(ledger, 2, analyst="ann", time=now - timedelta(days=40))
    over = Budget.of(ledger)
    assert (over.spent.eps, over.remaining.eps, over.caps[0].spent.eps) == (0, 10, 0)
    assert over.window is not None and over.window.begun is None
    assert [line.cost.eps for line in over.history] == [2]
    ask(ledger, 1, analyst="ann", time=now - timedelta(days=1))
    running = Budget.of(ledger)
    assert (running.spent.eps, running.caps[0].spent.eps, len(running.history)) == (1, 1, 2)
    assert running.window is not None
    assert running.window.begun == now - timedelta(days=10)
    assert running.window.ends == now + timedelta(days=20)
    assert Budget.of(MemoryLedger(account())).window is None


# --- written out ---------------------------------------------------------------------------------

TEXTS = [
    'a,"b";\tc\n\r\nd',
    "ε 你好 \x1b[0m",
    "",
    "'",
    "''=",
    "plain",
    *(f"{mark}cmd|' /C calc'!A0" for mark in FORMULA),
]


@pytest.mark.parametrize("text", TEXTS)
def test_csv_has_what_the_ledger_has(text: str) -> None:
    ledger = MemoryLedger(account())
    ask(ledger, "1/10", "1e-9", sql=text, analyst=text)
    ask(ledger, 2)
    budget = Budget.of(ledger)
    written = budget.to_csv()
    rows = read(written)
    assert written.splitlines()[0] == ",".join(COLUMNS)
    for row, line in zip(rows, budget.history, strict=True):
        spent = line.charge.spent
        assert (row["number"], row["time"]) == (str(line.number), line.time.isoformat())
        assert (row["sql"], row["analyst"], row["version"]) == (line.sql, line.analyst, "1.0")
        assert (row["kind"], row["mechanisms"], row["window"]) == ("charge", "laplace", "")
        assert row["hash"] == line.charge.hash
        assert Cost(Fraction(row["eps"]), Fraction(row["delta"])) == line.cost.exact
        assert Fraction(row["rho"]) == line.charge.loss.rho
        assert Cost(Fraction(row["spent_eps"]), Fraction(row["spent_delta"])) == spent.cost
        assert Fraction(row["spent_rho"]) == spent.rho
    # No cell is a formula.
    cells = [c for row in csv.reader(io.StringIO(written, newline="")) for c in row]
    assert not [c for c in cells if c.startswith(tuple(set(FORMULA) - {"'"}))]


@given(st.fractions(min_value=Fraction(1, 10**9), max_value=5, max_denominator=10**9))
def test_amounts_that_are_no_decimal_are_rounded_up(eps: Fraction) -> None:
    ledger = MemoryLedger(account())
    ask(ledger, eps)
    (line,) = Budget.of(ledger).history
    (row,) = read(Budget.of(ledger).to_csv())
    exact, written = line.cost.exact.eps, Fraction(row["eps"])
    assert exact <= written <= exact * (1 + Fraction(1, 10**19))


def test_json_has_everything() -> None:
    caps = [Cap("ann", Cost(Fraction(2), TOTAL.delta))]
    caps += [Cap("team", Cost(Fraction(3), TOTAL.delta), frozenset({"ann"}))]
    ledger = MemoryLedger(account(caps=caps))
    ask(ledger, "1/3", "1e-9", sql='SELECT "ü"\n', analyst="ann")
    budget = Budget.of(ledger)
    found = json.loads(budget.to_json())
    assert found == budget.to_dict()
    assert set(found) == {
        *("account", "accountant", "total", "spent", "remaining", "guarantee", "window"),
        *("caps", "history"),
    }
    assert found["account"] == "shop"
    assert found["total"] == {"eps": 10.0, "delta": 1e-6}
    assert found["window"] is None
    (line,) = found["history"]
    assert (line["sql"], line["analyst"], line["mechanisms"]) == (
        'SELECT "ü"\n',
        "ann",
        ["laplace"],
    )
    exact = budget.history[0].charge.loss
    assert {k: Fraction(v) for k, v in line["exact"].items()} == {
        "eps": exact.cost.eps,
        "delta": exact.cost.delta,
        "rho": exact.rho,
    }
    assert [cap["left"]["eps"] for cap in found["caps"]] == [2 - 1 / 3, 3 - 1 / 3]
    assert "ü" in budget.to_json()


def test_html_is_escaped() -> None:
    ledger = MemoryLedger(account())
    for n in range(21):
        ask(ledger, "1/10", sql=f"SELECT '<script>{n}'", analyst="<b>")
    page = Budget.of(ledger)._repr_html_()
    assert "<script>" not in page and "<b>" not in page
    assert "SELECT &#x27;&lt;script&gt;20&#x27;" in page
    # The last twenty: not the first one.
    assert "&lt;script&gt;0&#x27;" not in page
    assert "the last 20 of 21 lines" in page
    assert "ε = 7.9, δ = 1e-6 left of ε = 10, δ = 1e-6" in page
