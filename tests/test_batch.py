"""Queries that are declared together: one charge, one line, all answers or none."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import duckdb
import pytest

import dpsql
from dpsql.core.account import pld
from dpsql.core.account.amount import Cost
from dpsql.core.account.events import DiscreteLaplaceEvent
from dpsql.core.account.loss import NOTHING, total
from dpsql.errors import EngineError, LimitExceeded
from dpsql.report.workloads.batch_charge import charge, composed

POLICY = """
unit: p.id
budget: {{eps: {eps}, delta: {delta}, accountant: {accountant}}}
tables:
  p:
    access: private
    key: [id]
    columns: {{id: {{type: BIGINT}}, age: {{type: BIGINT, bounds: [0, 99]}}}}
  town: {{access: public, columns: {{name: {{type: VARCHAR}}}}}}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "p.duckdb"
    with duckdb.connect(str(made)) as connection:
        connection.execute("CREATE TABLE p AS SELECT i AS id, i % 100 AS age FROM range(500) r(i)")
        connection.execute("CREATE TABLE town AS SELECT 'Linz' AS name")
    return made


def opened(
    file: Path, accountant: str = "approx", eps: object = 100, delta: object = "1e-6"
) -> dpsql.Database:
    text = POLICY.format(eps=eps, delta=delta, accountant=accountant)
    return dpsql.connect(file, dpsql.Policy.parse(text))


def counts(number: int) -> list[str]:
    return [f"SELECT COUNT(*) AS n FROM p WHERE age > {age}" for age in range(number)]


def test_a_hundred_counts_cost_what_their_distributions_say(file: Path) -> None:
    with opened(file, eps=5) as db:
        found = db.run_batch(counts(100), eps=0.1, delta=1e-6)
        events = [DiscreteLaplaceEvent(10.0, 1)] * 100
        exact = pld.epsilon(events, Fraction(1, 10**6))
        assert found.cost.exact == Cost(exact, Fraction(1, 10**6))
        assert round(found.cost.eps, 3) == 4.775
        assert db.budget.spent.exact == found.cost.exact.rounded_up()
        assert [answer.cost.eps for answer in found] == [0.1] * 100
        assert len(db.budget.history) == 1
        assert len(found) == 100 and abs(found[0].rows[0][0] - 499) < 400


def test_one_line_keeps_all_answers(file: Path) -> None:
    with opened(file) as db:
        first = db.run_batch(counts(3), eps=1)
        again = db.run_batch(counts(3), eps=1)
        single = db.run(counts(3)[1], eps=1)
        assert [a.rows for a in again] == [a.rows for a in first]
        assert again.cost.exact == Cost(Fraction(0)) == single.cost.exact
        assert single.rows == first[1].rows
        assert single.reused is not None and single.reused.number == 1
        assert len(db.budget.history) == 1
        fresh = db.run_batch(counts(3), eps=1, fresh=True)
        assert fresh.cost.exact == first.cost.exact
        assert len(db.budget.history) == 2


def test_one_more_query_is_another_batch(file: Path) -> None:
    with opened(file) as db:
        db.run_batch(counts(3), eps=1)
        more = db.run_batch(counts(4), eps=1)
        assert all(answer.reused is None for answer in more)
        assert len(db.budget.history) == 2


def test_a_retry_is_the_same_batch(file: Path) -> None:
    with opened(file) as db:
        first = db.run_batch(counts(2), eps=1, idempotency_key="monday")
        again = db.run_batch(counts(2), eps=1, idempotency_key="monday", fresh=True)
        assert [a.rows for a in again] == [a.rows for a in first]
        for other in (counts(1), counts(3)):
            with pytest.raises(dpsql.RequestExists):
                db.run_batch(other, eps=1, idempotency_key="monday")
        with pytest.raises(dpsql.RequestExists):
            db.run(counts(1)[0], eps=1, idempotency_key="monday")
        assert len(db.budget.history) == 1


def test_a_batch_that_is_to_be_free_is_free_or_not_answered(file: Path) -> None:
    with opened(file) as db:
        with pytest.raises(dpsql.BudgetExceeded, match="nothing was charged"):
            db.run_batch(counts(2), eps=1, free=True)
        assert db.budget.history == ()
        paid = db.run_batch(counts(2), eps=1)
        again = db.run_batch(counts(2), eps=1, free=True)
        assert [a.rows for a in again] == [a.rows for a in paid] and len(db.budget.history) == 1


def test_public_queries_are_free_and_in_their_place(file: Path) -> None:
    with opened(file) as db:
        found = db.run_batch([counts(1)[0], "SELECT name FROM town", counts(2)[1]], eps=1)
        assert found[1].rows == (("Linz",),)
        assert found[1].cost.eps == 0
        public = db.run_batch("SELECT name FROM town; SELECT 1 AS x", eps=1)
        assert [a.rows for a in public] == [(("Linz",),), ((1,),)]
        assert public.cost.eps == 0
        assert len(db.budget.history) == 1
        assert len(db.run_batch("", eps=1)) == 0


def test_a_rejected_query_stops_all_of_them(file: Path) -> None:
    with opened(file) as db:
        with pytest.raises(dpsql.Rejected, match="DP"):
            db.run_batch([*counts(3), "SELECT age FROM p"], eps=1)
        with pytest.raises(dpsql.InvalidBudget, match="-- eps"):
            db.run_batch(counts(3))
        assert db.budget.history == ()


def test_a_batch_that_does_not_fit_is_refused_whole(file: Path) -> None:
    with opened(file, eps=2, delta=0) as db:
        with pytest.raises(dpsql.BudgetExceeded):
            db.run_batch(counts(3), eps=1)
        assert db.run_batch(counts(2), eps=1).cost.eps == 2


def test_a_failure_in_the_middle_leaves_it_charged(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(file) as db:
        read, asked = dpsql.execution.cells.read, []

        def failing(*args: object) -> object:
            asked.append(1)
            if len(asked) == 2:
                raise EngineError("failed")
            return read(*args)  # type: ignore[arg-type]

        monkeypatch.setattr(dpsql.execution.cells, "read", failing)
        with pytest.raises(EngineError):
            db.run_batch(counts(3), eps=1)
        line, failed = db.budget.history
        assert (line.kind, failed.kind, failed.words) == ("charge", "failed", "[failed] charge 1")
        assert db.budget.spent.exact.eps > 0
        assert db._ledger.answers(line.number) == ()


def test_a_comment_is_the_epsilon_of_a_query(file: Path) -> None:
    with opened(file, delta=0) as db:
        found = db.run_batch(f"-- eps: 0.5\n{counts(1)[0]};\n{counts(2)[1]}", eps=2)
        assert [answer.cost.eps for answer in found] == [0.5, 2]
        assert found.cost.eps == 2.5


def test_the_accountant_pld_takes_batches_alone(file: Path) -> None:
    with opened(file, "pld", eps=5) as db:
        with pytest.raises(dpsql.BudgetExceeded, match="batches"):
            db.run(counts(1)[0], eps=1)
        found = db.run_batch(counts(100), eps=0.1)  # at all of the budget's δ
        assert round(found.cost.eps, 3) == 4.775
        assert found.cost.delta == 1e-6


@pytest.mark.parametrize("accountant", ["zcdp", "rdp"])
def test_sums_of_divergences_need_no_batch(file: Path, accountant: str) -> None:
    with opened(file, accountant) as db:
        found = db.run_batch(counts(10), eps=0.1)
        compiled = [db.explain(sql, 0.1).totals.loss for sql in counts(10)]
        assert found.cost.exact == Cost(Fraction(1))
        assert db._ledger.loss == total(one.rounded_up() for one in compiled)


def test_delta_is_not_spent_for_next_to_nothing() -> None:
    delta = Fraction(1, 10**6)
    event = DiscreteLaplaceEvent(1.0, 1)
    loss = event.loss + event.loss
    assert charge("approx", loss, delta, composed({event: 2})) == loss
    assert charge("pure", loss, delta, composed({event: 2})) == loss
    assert charge("approx", loss, Fraction(0), composed({event: 2})) == loss
    assert charge("approx", NOTHING, delta, composed({})) == NOTHING
    small = DiscreteLaplaceEvent(10.0, 1)
    many = total([small.loss] * 100)
    found = charge("approx", many, delta, composed({small: 100}))
    assert found.cost.eps < 5
    assert (found.rho, found.slack, found.renyi) == (many.rho, many.slack, many.renyi)


@pytest.mark.parametrize("accountant", ["approx", "pld"])
def test_a_delta_alone_is_a_charge_too(file: Path, accountant: str) -> None:
    small = counts(2), 1e-7, 1e-5  # together (0, 1e-5)-private
    with opened(file, accountant, delta="2e-5") as db:
        for spent in (1e-5, 2e-5):
            found = db.run_batch(*small, fresh=True, noise="laplace")
            assert (found.cost.eps, found.cost.delta) == (0, 1e-5)
            assert (db.budget.spent.eps, db.budget.spent.delta) == (0, spent)
        with pytest.raises(dpsql.BudgetExceeded):
            db.run_batch(*small, fresh=True, noise="laplace")
        assert len(db.budget.history) == 2
        assert [a.reused is not None for a in db.run_batch(*small, noise="laplace")] == [True, True]


def test_a_large_delta_is_refused(file: Path) -> None:
    with opened(file) as db:
        with pytest.raises(dpsql.BudgetExceeded):
            db.run_batch(counts(2), eps=0.4, delta=0.9)
        assert db.budget.history == ()


def test_shares_of_delta_have_few_digits(file: Path) -> None:
    with opened(file, eps=200) as db:
        found = db.run_batch(f"-- eps: 1/101\n{counts(1)[0]};\n{counts(2)[1]}", 1, 1e-7)
        assert len(found) == 2


def test_public_answers_have_together_as_many_rows_as_one_may_have(file: Path) -> None:
    """Or a short text fills the memory; and then nothing was charged."""
    policy = POLICY.format(eps=5, delta="1e-6", accountant="approx") + "limits: {public_rows: 100}"
    with dpsql.connect(file, dpsql.Policy.parse(policy)) as db:
        rows = "SELECT name FROM town, range(40)"
        found = db.run_batch([rows, counts(1)[0], rows], eps=1)
        assert [len(answer.rows) for answer in found] == [40, 1, 40]
        assert [answer.cost.eps for answer in found] == [0, 1, 0]
        with pytest.raises(LimitExceeded, match="more than the 100 rows") as caught:
            db.run_batch([*counts(2), rows, rows, rows], eps=1)
        assert caught.value.limit == "public_rows"
        assert db.budget.spent.eps == 1
