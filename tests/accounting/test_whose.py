"""One account for each data set: connections to one database, names, and copies of data."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest

import dpsql
from dpsql.cli import main
from dpsql.core.account.account import Account, Rate
from dpsql.core.account.amount import Cost
from dpsql.errors import BudgetExceeded, InvalidBudget, LedgerTampered, RateExceeded
from dpsql.platform.ledger.ledger import Entry
from dpsql.platform.ledger.opening import acknowledge, open_ledger
from dpsql.platform.policy import resolve
from dpsql.platform.policy.data_identity import PERIODS
from dpsql.session.policies import account, load_policy

from .conftest import Make

POLICY = """
unit: t.id
budget: {eps: 1}
tables:
  t: {access: private, columns: {id: {type: BIGINT}, v: {type: BIGINT, bounds: [0, 9]}}}
"""
COUNT = "SELECT COUNT(*) AS n FROM t"
ONE = Cost(Fraction(1))


def made(path: str = ":memory:", rows: int = 9) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(path)
    connection.execute(f"CREATE TABLE t AS SELECT i AS id, i % 9 AS v FROM range({rows}) r(i)")
    return connection


# --- data in memory -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "again",
    [lambda c: c, lambda c: c.cursor(), lambda c: c.duplicate()],
    ids=["same", "cursor", "duplicate"],
)
def test_connecting_again_is_no_new_budget(
    again: Callable[[duckdb.DuckDBPyConnection], duckdb.DuckDBPyConnection],
) -> None:
    connection = made()
    with dpsql.connect(connection, POLICY) as db:
        db.run(COUNT, eps=1)
    with dpsql.connect(again(connection), POLICY) as db:
        assert db.budget.spent.exact.eps == 1
        with pytest.raises(BudgetExceeded):
            db.run(COUNT, eps=0.001)


def test_another_database_is_another_one() -> None:
    first, second = made(), made()
    for connection in (first, second):
        with dpsql.connect(connection, POLICY) as db:
            db.run(COUNT, eps=1)


def test_a_larger_total_is_what_is_left_of_it_and_other_neighbours_are_refused() -> None:
    connection = made()
    with dpsql.connect(connection, POLICY) as db:
        db.run(COUNT, eps=1)
    with dpsql.connect(connection, POLICY.replace("eps: 1", "eps: 3")) as db:
        assert db.budget.remaining.exact.eps == 2
    replaced = POLICY.replace("columns", "key: [id], rows: 9, columns")
    with pytest.raises(LedgerTampered, match="another data set"):
        dpsql.connect(connection, f"neighbours: replace\n{replaced}")


def test_nothing_of_the_owners_is_changed() -> None:
    connection = made()
    before = connection.execute("FROM duckdb_tables()").fetchall()
    for _ in range(3):
        dpsql.connect(connection, POLICY).close()
    assert connection.execute("FROM duckdb_tables()").fetchall() == before
    names = [name for (name,) in connection.execute("SHOW DATABASES").fetchall()]
    assert len(names) == 2 and names[0].startswith("dpsql_account_")


# --- names on a server ----------------------------------------------------------------------------


def named(neighbours: str, name: str | None = "shop") -> Account:
    text = f"neighbours: {neighbours}\n" + POLICY
    if name is not None:
        text = text.replace("eps: 1}", f"eps: 1, account: {name}}}")
    if neighbours == "replace":
        text = text.replace("columns", "key: [id], rows: 9, columns")
    policy = load_policy(text)
    return account(policy, resolve(policy, None, None))


@pytest.mark.parametrize("before", ["add_remove", "replace"])
def test_other_neighbours_are_no_new_budget(where: str, before: str) -> None:
    after = {"add_remove": "replace", "replace": "add_remove"}[before]
    open_ledger(where, named(before)).reserve(ONE, Entry("1"))
    with pytest.raises(LedgerTampered, match="its account is there under other neighbours"):
        open_ledger(where, named(after))
    line = acknowledge(where, named(after))
    assert line is not None and line.kind == "acknowledged"
    for again in (after, before, after):
        ledger = open_ledger(where, named(again))
        assert ledger.spent == ONE
        with pytest.raises(BudgetExceeded):
            ledger.reserve(ONE, Entry("2"))


def test_another_name_on_a_server_is_another_budget(database: str) -> None:
    open_ledger(database, named("add_remove")).reserve(ONE, Entry("1"))
    open_ledger(database, named("replace", "town")).reserve(ONE, Entry("1"))


def test_rivals_are_the_same_name_with_other_neighbours_or_periods() -> None:
    for neighbours, other in (("add_remove", "replace"), ("replace", "add_remove")):
        own, another = named(neighbours), named(other)
        assert another.identity in own.rivals and own.identity not in own.rivals
        # And units in time with either: a day, a week, a month, a quarter, a year.
        assert len(set(own.rivals)) == 1 + 2 * len(PERIODS)
        assert {*own.rivals, own.identity} == {*another.rivals, another.identity}
        assert named(neighbours, None).rivals == ()


# --- data without its ledger ----------------------------------------------------------------------


def run(path: Path, policy: Path) -> None:
    with dpsql.connect(path, policy) as db:
        db.run(COUNT, eps=0.5, fresh=True)


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    monkeypatch.setenv("DPSQL_STATE", str(tmp_path / "state"))
    policy = tmp_path / "policy.yaml"
    policy.write_text(POLICY)
    made(str(tmp_path / "shop.duckdb")).close()
    return tmp_path / "shop.duckdb", policy


@pytest.mark.parametrize("how", [shutil.move, shutil.copy])
def test_data_renamed_or_copied_without_their_ledger_do_not_begin_anew(
    shop: tuple[Path, Path], how: Callable[[Path, Path], object]
) -> None:
    path, policy = shop
    run(path, policy)
    other = path.with_name("renamed.duckdb")
    how(path, other)
    with pytest.raises(LedgerTampered, match="another ledger was charged for this data"):
        run(other, policy)
    words = ["budget", str(other), "--policy", str(policy)]
    assert main([*words, "acknowledge"]) == 0
    with dpsql.connect(other, policy) as db:
        assert db.budget.spent.exact.eps == Fraction(1, 2)
        db.run(COUNT, eps=0.5, fresh=True)
        with pytest.raises(BudgetExceeded):
            db.run(COUNT, eps=0.5, fresh=True)
    assert main([*words, "acknowledge"]) == 0  # there is nothing to accept any more


def test_data_renamed_with_their_ledger_go_on(shop: tuple[Path, Path]) -> None:
    path, policy = shop
    run(path, policy)
    other = path.with_name("renamed.duckdb")
    shutil.move(path, other)
    shutil.move(f"{path}.dpsql-ledger", f"{other}.dpsql-ledger")
    with dpsql.connect(other, policy) as db:
        assert db.budget.spent.exact.eps == Fraction(1, 2)


def test_other_data_begin_anew(shop: tuple[Path, Path]) -> None:
    path, policy = shop
    run(path, policy)
    other = path.with_name("other.duckdb")
    made(str(other), 10).close()
    run(other, policy)


# --- floods ---------------------------------------------------------------------------------------


def test_a_charge_below_the_least_is_refused(make: Make) -> None:
    ledger = make(Account(Cost(Fraction(9)), identity="x", min_eps=Fraction(1, 10)))
    with pytest.raises(InvalidBudget, match=r"the query costs ε = 0.099; the least .* is ε = 0.1"):
        ledger.reserve(Cost(Fraction(99, 1000)), Entry("1"))
    assert ledger.entries() == ()
    assert ledger.reserve(Cost(Fraction(1, 10)), Entry("1")) == 1


def test_the_rate_is_an_analysts_own_and_exact(make: Make) -> None:
    ledger = make(Account(Cost(Fraction(9)), identity="x", rate=Rate(2, timedelta(hours=1))))
    start = datetime.now(UTC) + timedelta(hours=1)

    def ask(seconds: int, analyst: str = "ann") -> int:
        time = start + timedelta(seconds=seconds)
        return ledger.reserve(Cost(Fraction(1, 10)), Entry("1", time=time, analyst=analyst))

    ask(0)
    ask(10)
    ledger.failed(2, interrupted=True)  # events are no charges
    ask(10, "bob")
    with pytest.raises(RateExceeded, match=r"^at most 2 per hour: .* in 1 s$") as caught:
        ask(3599)
    assert caught.value.seconds == 1
    assert ask(3600) == 5
    with pytest.raises(RateExceeded):
        ask(3609)
    with pytest.raises(RateExceeded):
        ask(0)  # a clock that goes back
    assert ask(3610) == 6


def test_both_come_from_the_policy(tmp_path: Path) -> None:
    connection = made()
    text = POLICY.replace("eps: 1}", "eps: 1, min_eps: 0.25, rate: 2 per day}")
    with dpsql.connect(connection, text) as db:
        with pytest.raises(InvalidBudget):
            db.run(COUNT, eps=0.2)
        db.run(COUNT, eps=0.25)
        db.run(COUNT, eps=0.25)
        with pytest.raises(RateExceeded, match="2 per day"):
            db.run(COUNT, eps=0.25)
