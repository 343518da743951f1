"""Accounts: rules, caps, requests, stored answers, several in one store."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from dpsql.core.account.account import OTHERS, Account, Cap
from dpsql.core.account.amount import ZERO, Cost
from dpsql.core.account.gaussian_loss import rho_for
from dpsql.core.account.loss import NOTHING, ORDERS, Loss, approximate
from dpsql.errors import (
    BudgetExceeded,
    EngineError,
    InvalidArgument,
    InvalidBudget,
    RequestExists,
)
from dpsql.platform.ledger import stored_answers
from dpsql.platform.ledger.ledger import Entry, Stored
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from dpsql.platform.ledger.opening import open_ledger
from dpsql.platform.ledger.sql_ledger import LONGEST
from tests.accounting.conftest import Make, opened

ONE = Cost(Fraction(1))
TEN = Cost(Fraction(10))
HALF = Cost(Fraction(1, 2))
QUARTER = Cost(Fraction(1, 4))
ENTRY = Entry("SELECT 1")


def by(analyst: str) -> Entry:
    return Entry("SELECT 1", analyst=analyst)


def test_a_bare_cost_is_a_total_and_nothing_else(make: Make) -> None:
    assert make(ONE).account == Account(ONE)


def test_a_loss_is_kept_by_every_rule(make: Make) -> None:
    ledger = make(TEN)
    loss = Loss(HALF, Fraction(1, 3), Fraction(1, 10**9), (Fraction(1, 7),) * len(ORDERS))
    ledger.reserve(loss, ENTRY)
    ledger.reserve(loss, ENTRY)
    exact = loss.rounded_up()
    assert exact != loss
    assert [line.loss for line in ledger.entries()] == [exact, exact]
    assert ledger.loss == ledger.entries()[1].spent == exact + exact


def test_by_zcdp_more_is_granted(make: Make) -> None:
    total = Cost(Fraction(1), Fraction(1, 10**6))
    tenth = approximate(Cost(Fraction(1, 10)))  # ρ = 1/200
    ledger = make(Account(total, "zcdp"))
    for _ in range(4):
        ledger.reserve(tenth, ENTRY)
    with pytest.raises(BudgetExceeded) as caught:
        ledger.reserve(tenth, ENTRY)
    assert rho_for(Fraction(1), Fraction(1, 2 * 10**6)) // Fraction(1, 200) == 4
    assert caught.value.requested == (Fraction(1, 10), 0)
    assert ledger.loss.rho == Fraction(4, 200)


def test_a_declared_batch_is_what_pld_is_for(make: Make) -> None:
    ledger = make(Account(ONE, "pld"))
    with pytest.raises(BudgetExceeded, match="for batches that are declared beforehand"):
        ledger.reserve(HALF, ENTRY)
    assert ledger.reserve(HALF, Entry("SELECT 1", batch=True)) == 1


def test_another_rule_is_an_owners_act(make: Make) -> None:
    total = Cost(Fraction(1), Fraction(1, 10**6))
    ledger = make(Account(total))
    ledger.reserve(QUARTER, by("ann"))
    before = ledger.loss
    with pytest.raises(InvalidBudget):
        make(ONE).change_accountant("zcdp")  # no δ
    ledger.change_accountant("zcdp")
    ledger.change_accountant("zcdp")  # it is that already
    line = ledger.entries()[-1]
    assert (line.number, line.kind, json.loads(line.note)) == (
        2,
        "accountant",
        {"accountant": "zcdp"},
    )
    assert (line.loss, line.spent, ledger.loss) == (NOTHING, before, before)
    assert ledger.account.accountant == "zcdp"
    with pytest.raises(BudgetExceeded):
        ledger.reserve(QUARTER, by("ann"))  # ρ is used up already


def test_the_rule_is_that_of_the_ledger(where: str) -> None:
    total = Cost(Fraction(1), Fraction(1, 10**6))
    old = opened(where, total)
    message = (
        "^the ledger adds up by approx, not zcdp; the owner may change that: "
        "dpsql budget DATA accountant zcdp; refused$"
    )
    with pytest.raises(EngineError, match=message):
        opened(where, Account(total, "zcdp"))
    open_ledger(where, Account(total, "zcdp"), rule=False).change_accountant("zcdp")
    assert opened(where, Account(total, "zcdp")).entries()[-1].kind == "accountant"
    for work in (lambda: opened(where, total), lambda: old.reserve(HALF, ENTRY)):
        with pytest.raises(EngineError, match="adds up by zcdp, not approx"):
            work()
    open_ledger(where, Account(total), rule=False).change_accountant("approx")
    assert old.reserve(HALF, ENTRY) == 3


def test_an_analyst_may_have_a_cap(make: Make) -> None:
    ledger = make(Account(ONE, caps=(Cap("ann", HALF), Cap(OTHERS, QUARTER))))
    ledger.reserve(QUARTER, by("ann"))
    with pytest.raises(BudgetExceeded) as caught:
        ledger.reserve(HALF, by("ann"))
    assert str(caught.value) == (
        "the query asks for ε = 0.5; ε = 0.25 is left of ε = 0.5, the cap of ann"
    )
    assert caught.value.remaining == (Fraction(1, 4), 0)
    ledger.reserve(QUARTER, by("ann"))
    ledger.reserve(QUARTER, by("bob"))
    with pytest.raises(BudgetExceeded, match=r"the cap of \*$"):
        ledger.reserve(QUARTER, by("bob"))
    ledger.reserve(QUARTER, by("eve"))
    with pytest.raises(BudgetExceeded, match=r"ε = 0 is left of ε = 1$"):  # the total
        ledger.reserve(QUARTER, by("dan"))
    assert [line.spent_by.cost for line in ledger.entries()] == [QUARTER, HALF, QUARTER, QUARTER]


def test_a_group_may_have_a_cap(make: Make) -> None:
    group = Cap("interns", HALF, frozenset({"bob", "eve"}))
    ledger = make(Account(TEN, caps=(group, Cap("eve", QUARTER))))
    ledger.reserve(QUARTER, by("bob"))
    ledger.reserve(QUARTER, by("eve"))
    for name, cap in (("bob", "interns"), ("eve", "eve")):
        with pytest.raises(BudgetExceeded, match=f"the cap of {cap}$"):
            ledger.reserve(Cost(Fraction(1, 10**50)), by(name))
    ledger.reserve(ONE, by("ann"))  # is bound by none


def test_a_cap_is_by_the_accounts_rule(make: Make) -> None:
    total, most = Cost(TEN.eps, Fraction(1, 10**6)), Cost(Fraction(1), Fraction(1, 10**6))
    ledger = make(Account(total, "zcdp", caps=(Cap("ann", most),)))
    for _ in range(4):
        ledger.reserve(Cost(Fraction(1, 10)), by("ann"))
    with pytest.raises(BudgetExceeded, match="the cap of ann"):
        ledger.reserve(Cost(Fraction(1, 10)), by("ann"))


def test_a_request_is_charged_once(make: Make) -> None:
    ledger = make(ONE)
    assert ledger.request("k") is None and ledger.request("") is None
    ledger.reserve(HALF, Entry("SELECT 1", request="k"))
    with pytest.raises(RequestExists):
        ledger.reserve(TEN, Entry("SELECT 2", request="k"))
    for _ in range(2):  # nobody's keys are not the same key
        ledger.reserve(QUARTER, ENTRY)
    found = ledger.request("k")
    assert found is not None
    assert (found.number, found.cost, found.entry.sql, found.answered) == (
        1,
        HALF,
        "SELECT 1",
        False,
    )
    ledger.commit(1, (Stored("a", "", "[]"),))
    again = ledger.request("k")
    assert again is not None and again.answered
    assert ledger.spent == ONE


def test_answers_are_kept_beside_their_charge(make: Make) -> None:
    ledger = make(TEN)
    first = ledger.reserve(ONE, ENTRY)
    second = ledger.reserve(ONE, ENTRY)
    ledger.commit(second, (Stored("total", "rows", "[7]"), Stored("ä𝄞", "", '{"é": 1}')))
    ledger.commit(first, (Stored("total", "rows", "[8]"),))
    seven, other = Stored("total", "rows", "[7]", 2, 0), Stored("ä𝄞", "", '{"é": 1}', 2, 1)
    eight = Stored("total", "rows", "[8]", 1, 0)
    assert ledger.answers(2) == (seven, other)
    assert ledger.answers(1) == (eight,)
    assert ledger.answers(3) == ()
    assert ledger.find(key="total") == (seven, eight)  # the latest line first
    assert ledger.find(family="rows") == (seven, eight)
    assert ledger.find(key="ä𝄞") == (other,)
    assert ledger.find(key="total", family="other") == ()
    assert ledger.find(key="none") == ledger.find() == ledger.find(family="none") == ()
    assert [line.answered for line in ledger.entries()] == [True, True]
    assert ledger.reserve(ONE, ENTRY) == 3
    assert ledger.entries()[2].answered is False


def test_an_answer_is_kept_once_and_of_a_charge_only(make: Make) -> None:
    ledger = make(TEN)
    ledger.reserve(ONE, ENTRY)
    answer = (Stored("k", "", "[]"),)
    ledger.commit(1, answer)
    with pytest.raises(EngineError, match=r"has an answer of charge 1 already; refused$"):
        ledger.commit(1, answer)
    with pytest.raises(EngineError, match=r"no charge 2; refused$"):
        ledger.commit(2, answer)
    total = Cost(Fraction(10), Fraction(1, 10**6))
    owner = MemoryLedger(total)
    owner.change_accountant("zcdp")
    with pytest.raises(EngineError, match=r"no charge 1; refused$"):
        owner.commit(1, answer)
    assert ledger.answers(1) == (Stored("k", "", "[]", 1, 0),)


def test_what_is_too_long_is_not_kept(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_answers, "KEPT", 100)
    ledger = make(TEN)
    for _ in range(2):
        ledger.reserve(ONE, ENTRY)
    ledger.commit(1, (Stored("k", "", "x" * 60), Stored("k", "", "x" * 41)))
    ledger.commit(2, (Stored("k", "", "x" * 60), Stored("k", "", "x" * 40)))
    assert ledger.answers(1) == ()
    assert len(ledger.answers(2)) == 2
    with pytest.raises(EngineError, match="has an answer of charge 1 already"):
        ledger.commit(1, ())
    assert [line.answered for line in ledger.entries()] == [False, True]
    for entry in (by("a" * (LONGEST + 1)), Entry("SELECT 1", request="ä" * (LONGEST + 1))):
        with pytest.raises(InvalidArgument, match="a key have 500 characters at most"):
            ledger.reserve(ONE, entry)
    ledger.reserve(ONE, Entry("SELECT 1", analyst="𝄞" * LONGEST, request="𝄞" * LONGEST))


def test_text_that_is_no_text_is_refused(make: Make) -> None:
    ledger = make(TEN)
    ledger.reserve(ONE, ENTRY)
    for work in (
        lambda: ledger.reserve(ONE, Entry("\ud800")),
        lambda: ledger.commit(1, (Stored("k", "", "\ud800"),)),
    ):
        with pytest.raises(EngineError, match=r"^the ledger cannot hold this text; refused$"):
            work()
    assert (ledger.spent, ledger.answers(1)) == (ONE, ())


def test_many_data_sets_share_a_server(database: str) -> None:
    first = opened(database, Account(ONE, identity="a"))
    second = opened(database, Account(TEN, identity="b"))
    first.reserve(ONE, Entry("SELECT 1", request="k"))
    assert second.reserve(ONE, Entry("SELECT 1", request="k")) == 1
    second.commit(1, (Stored("key", "family", "[]"),))
    assert (first.remaining, second.spent) == (ZERO, ONE)
    assert first.find(key="key") == first.answers(1) == ()
    assert [len(opened(database, Account(TEN, identity=i)).entries()) for i in "abc"] == [1, 1, 0]


# --- what would be refused -----------------------------------------------------------------------

LIMITS = Account(
    TEN,
    caps=(
        Cap("ann", ONE),
        Cap(OTHERS, HALF),
        Cap("two", Cost(Fraction(3, 2)), frozenset({"ann", "bob"})),
    ),
    min_eps=Fraction(1, 5),
)


@pytest.mark.parametrize("analyst", ["ann", "bob", "cec"])
@pytest.mark.parametrize("least", [Fraction(0), Fraction(2, 5)])
@pytest.mark.parametrize(
    "losses", [["1/10"], ["1/4"], ["2/5"], ["4/5"], ["2"], ["11"], ["1/4", "2/5"], ["1/2", "1/10"]]
)
@pytest.mark.one_in(3)
def test_a_refusal_is_what_a_charge_would_say(
    make: Make, analyst: str, least: Fraction, losses: list[str]
) -> None:
    """In the same words, and where it would be made None; and nothing is charged for it."""
    ledger = make(LIMITS)
    for name in ("ann", "bob"):
        ledger.reserve(QUARTER, by(name))
    first, *rest = (approximate(Cost(Fraction(eps))) for eps in losses)
    before = len(ledger.entries())
    foreseen = ledger.refusal([first, *rest], analyst, least)
    assert len(ledger.entries()) == before
    ways = (tuple(rest),) if rest else ()
    entry = Entry("SELECT 1", analyst=analyst, then=ways, least=least)
    said = None
    try:
        ledger.reserve(first, entry)
    except (BudgetExceeded, InvalidBudget) as refused:
        said = str(refused)
    assert foreseen == said
