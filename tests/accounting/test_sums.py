"""A million charges of a tenth: exact, whatever adds them up."""

from __future__ import annotations

import sqlite3
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsql.core.account.amount import ZERO, Cost, parse_eps
from dpsql.core.account.loss import FINE, NOTHING, ORDERS, Loss, approximate
from dpsql.errors import BudgetExceeded
from dpsql.platform.ledger import selects
from dpsql.platform.ledger.ledger import Entry
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from dpsql.platform.ledger.recount import amounts
from tests.support.effort import tries
from tests.support.ledgers import durable

TENTH = approximate(Cost(parse_eps(0.1))).rounded_up()
ENTRY = Entry("SELECT 1")


def times(loss: Loss, count: int) -> Loss:
    """The sum of so many, by doubling: additions are exact, so their order does not matter."""
    if count == 0:
        return NOTHING
    half = times(loss, count // 2)
    return half + half + (loss if count % 2 else NOTHING)


def test_a_million_tenths_add_up_exactly() -> None:
    million = times(TENTH, 10**6)
    assert million.cost == Cost(Fraction(100_000))
    assert million.rho == 10**6 * Fraction(1, 200)
    assert million.renyi == tuple(10**6 * part for part in TENTH.renyi)
    assert Loss.parse(million.text()) == million == million.rounded_up()


def test_the_last_of_a_million_tenths_is_granted_and_no_more(tmp_path: Path) -> None:
    ledger = durable(tmp_path / "ledger", Cost(Fraction(100_000)))
    ledger.reserve(times(TENTH, 999_997), ENTRY)
    for _ in range(3):
        ledger.reserve(TENTH, ENTRY)
    assert ledger.loss == times(TENTH, 10**6)
    assert ledger.remaining == ZERO
    with pytest.raises(BudgetExceeded):
        ledger.reserve(Cost(Fraction(1, 10**50)), ENTRY)


def test_thousands_of_lines_add_up_exactly() -> None:
    count = tries(500, 2000)
    ledger = MemoryLedger(Cost(Fraction(count, 10)))
    for number in range(1, count + 1):
        assert ledger.reserve(Cost(parse_eps(0.1)), ENTRY) == number
    assert ledger.loss == times(TENTH, count)
    assert ledger.spent == ledger.total
    with pytest.raises(BudgetExceeded):
        ledger.reserve(Cost(parse_eps(1e-9)), ENTRY)


parts = st.fractions(min_value=0, max_value=100, max_denominator=10**30)
losses = st.builds(
    lambda eps, delta, rho, renyi: Loss(Cost(eps, delta), rho, delta / 2, tuple(renyi)),
    *(parts, parts, parts),
    st.lists(parts, min_size=len(ORDERS), max_size=len(ORDERS)),
)


@settings(deadline=None, max_examples=tries(25, 100))
@given(losses, losses)
def test_whole_numbers_add_up_as_losses_do(a: Loss, b: Loss) -> None:
    a, b = a.rounded_up(), b.rounded_up()
    found = [x + y for x, y in zip(amounts(a.text()), amounts(b.text()), strict=True)]
    assert tuple(found) == amounts((a + b).text())


def test_whole_numbers_say_each_part() -> None:
    part = Fraction(1, FINE)
    loss = Loss(
        Cost(Fraction(1, 3), Fraction(1, 7)), part, part, (2 * part, *(part,) * (len(ORDERS) - 1))
    )
    whole = amounts(loss.text())
    assert whole[0] * 3 == whole[1] * 7 == whole[2] * FINE
    assert whole[3:5] == (1, 2)


@pytest.mark.parametrize("text", ["", "[]", "1", '["1"]', '["1/3.5"]', "{}"])
def test_what_is_no_loss_has_no_amounts(text: str) -> None:
    with pytest.raises(ValueError, match=r"privacy|Expecting|invalid literal"):
        amounts(text)


def test_an_amount_off_the_grid_is_none_of_ours() -> None:
    text = NOTHING.text().replace('"0"', '"1/101"', 1)
    with pytest.raises(ValueError, match=r"no privacy loss of the ledger's"):
        amounts(text)


BY_NUMBER = "sqlite_autoindex_charge_1 (account=?"
INDEXES = {
    "ACCOUNT": "SEARCH account USING INTEGER PRIMARY KEY (rowid=?)",
    "ACCOUNT_LOCKED": "SEARCH account USING INTEGER PRIMARY KEY (rowid=?)",
    "NAMED": (
        "SEARCH account USING INTEGER PRIMARY KEY (rowid=?)",
        "SCALAR",
        "sqlite_autoindex_identity_1",
    ),
    "LAST": BY_NUMBER,
    "SEALED": BY_NUMBER,
    "ONE": f"{BY_NUMBER} AND number=?)",
    "HASH": f"{BY_NUMBER} AND number=?)",
    "KIND": f"{BY_NUMBER} AND number=?)",
    "LAST_OF": "charge_analyst (account=? AND analyst=?)",
    "ACCEPTED": "charge_accepted (account=?)",
    "REQUEST": "charge_request_of (account=? AND analyst=? AND request=?)",
    "WHOSE": f"{BY_NUMBER} AND number=?)",
    "NEWEST": BY_NUMBER,
    "EVENTS": "charge_event (account=? AND analyst=? AND number>?)",
    "OPEN": (
        "charge_pending (account=? AND analyst=? AND number>?)",
        "CORRELATED",
        "sqlite_autoindex_seal_2 (account=? AND number=?)",
    ),
    "NTH": "charge_pending (account=? AND analyst=?)",
    "ANALYSTS": "charge_pending (account=?)",
    "LAST_SEAL": "sqlite_autoindex_seal_1 (account=?)",
    "SEAL_OF": "sqlite_autoindex_seal_2 (account=? AND number=?)",
    "ANSWER_OF": "sqlite_autoindex_answer_1 (account=? AND number=?)",
    "ANSWER_BY_KEY": "answer_key (account=? AND key=?)",
    "ANSWER_BY_FAMILY": "answer_family (account=? AND family=?)",
}


def test_every_call_uses_an_index(tmp_path: Path) -> None:
    """Whatever is asked of a hundred thousand lines, they are not all read."""
    from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite

    path = tmp_path / "ledger"
    durable(path, Cost(Fraction(1)))
    connection = sqlite3.connect(path)
    everything = {"LINES", "ANSWERED", "SOME", "MANY"}
    for name, query in vars(selects).items():
        if not name.isupper() or name.startswith(("ADD", "_")) or name in everything:
            continue
        text = str(query.compile(dialect=SQLiteDialect_pysqlite()))
        plan = connection.execute(f"EXPLAIN QUERY PLAN {text}", (0,) * text.count("?")).fetchall()
        steps = [step for *_, step in plan]
        assert not any("SCAN" in step for step in steps), (name, steps)
        # Of the few that are found, answers are sorted.
        sorting = "USE TEMP B-TREE FOR" if name.startswith("ANSWER_BY") else "nothing"
        found = [step.split(" INDEX ")[-1] for step in steps if not step.startswith(sorting)]
        assert all(step.startswith(INDEXES[name]) for step in found), (name, steps)
    connection.close()
