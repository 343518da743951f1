"""A charge whose query ended before its noise is taken up, once, by the same query; no other is."""

from __future__ import annotations

import os
import signal
import threading
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import pytest

import dpsql
from dpsql.errors import AnalystLocked, EngineError, RequestExists
from dpsql.execution import cells, run
from dpsql.platform.ledger.ledger import Stored

POLICY = """
unit: t.id
budget: {eps: 100, renews: 30 days}
limits: {failures: 3}
tables:
  t: {access: private, columns: {id: {type: BIGINT}, v: {type: BIGINT, bounds: [0, 9]}}}
"""
COUNT = "SELECT COUNT(*) AS n FROM t"


@pytest.fixture
def db() -> dpsql.Database:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t AS SELECT i AS id, i % 9 AS v FROM range(99) r(i)")
    return dpsql.connect(connection, POLICY, analyst="ann")


def failing(
    db: dpsql.Database,
    where: str = "cells",
    error: type[BaseException] = EngineError,
    sql: str = COUNT,
    **rest: Any,
) -> None:
    """Ask a query that fails before its noise, or after it."""

    def fail(*_: object) -> None:
        raise error("failed")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(*((cells, "read") if where == "cells" else (run, "add_noise")), fail)
        with pytest.raises((EngineError, KeyboardInterrupt)):
            db.run(sql, **{"eps": 1, **rest})


def kinds(db: dpsql.Database) -> list[str]:
    return [line.kind for line in db.budget.history]


@pytest.mark.parametrize("error", [EngineError, RuntimeError, KeyboardInterrupt])
def test_it_is_paid_once(db: dpsql.Database, error: type[BaseException]) -> None:
    failing(db, error=error)
    answer = db.run(COUNT, eps=1)
    assert answer.reused is not None and (answer.reused.number, answer.reused.kind) == (
        1,
        "resumed",
    )
    assert answer.cost.exact.eps == 0 and db.budget.spent.exact.eps == 1
    ended = "interrupted" if error is KeyboardInterrupt else "failed"
    assert kinds(db) == ["charge", ended, "resumed"]
    assert db.budget.failures == ({} if error is KeyboardInterrupt else {"ann": 1})
    assert db.run(COUNT, eps=1).reused is None  # it has its answer
    assert db.budget.spent.exact.eps == 2


def test_where_noise_may_have_been_drawn_it_is_paid_again(db: dpsql.Database) -> None:
    failing(db, "noise")
    assert db.run(COUNT, eps=1).reused is None
    assert db.budget.spent.exact.eps == 2


@pytest.mark.parametrize(
    ("sql", "eps"), [(COUNT, 2), (COUNT, 0.5), ("SELECT SUM(v) AS n FROM t", 1)]
)
def test_another_query_pays(db: dpsql.Database, sql: str, eps: float) -> None:
    failing(db)
    assert db.run(sql, eps=eps).reused is None
    assert db.budget.spent.exact.eps == 1 + Fraction(eps)


def test_another_analyst_pays(db: dpsql.Database) -> None:
    failing(db)
    db._analyst = "bob"
    assert db.run(COUNT, eps=1).reused is None


def test_one_that_is_taken_up_may_be_taken_up_again(db: dpsql.Database) -> None:
    failing(db)
    failing(db)
    answer = db.run(COUNT, eps=1)
    assert answer.reused is not None and answer.reused.number == 1
    assert kinds(db) == ["charge", "failed", "resumed", "failed", "resumed"]
    assert db.budget.spent.exact.eps == 1
    assert db.budget.failures == {"ann": 2}


def test_it_is_no_way_around_the_lock(db: dpsql.Database) -> None:
    for _ in range(3):
        failing(db)
    with pytest.raises(AnalystLocked):
        db.run(COUNT, eps=1)
    db._ledger.unlock("ann")  # type: ignore[attr-defined]
    assert db.run(COUNT, eps=1).reused is not None  # the owner gave it more memory


def test_interrupts_are_free_as_often_as_failures_lock(db: dpsql.Database) -> None:
    for spent in (1, 1, 1, 1, 2, 3):
        failing(db, error=KeyboardInterrupt)
        assert db.budget.spent.exact.eps == spent
    assert kinds(db).count("resumed") == 3
    db._ledger.unlock("ann")  # type: ignore[attr-defined]
    failing(db, error=KeyboardInterrupt)
    assert db.budget.spent.exact.eps == 3


def test_a_retry_with_its_key_takes_it_up(db: dpsql.Database) -> None:
    failing(db, idempotency_key="k")
    first = db.run(COUNT, eps=1, idempotency_key="k")
    again = db.run(COUNT, eps=1, idempotency_key="k")
    assert first.reused is not None and first.reused.kind == "resumed"
    assert again.reused is not None and again.reused.kind == "retry" and again.rows == first.rows
    assert db.budget.spent.exact.eps == 1
    failing(db, "noise", idempotency_key="l")
    with pytest.raises(RequestExists):
        db.run(COUNT, eps=1, idempotency_key="l")


def test_the_first_run_can_neither_commit_nor_show_its_answer(
    db: dpsql.Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It lives on while whoever waited for it has gone, and another run takes its charge up."""
    inside, gate, true = threading.Event(), threading.Event(), cells.read
    outcome: list[object] = []

    def slow(*args: Any) -> Any:
        if threading.current_thread().name == "first":
            inside.set()
            gate.wait(60)
        return true(*args)

    def first() -> None:
        try:
            outcome.append(db.run(COUNT, eps=1))
        except EngineError as error:
            outcome.append(error)

    monkeypatch.setattr(cells, "read", slow)
    thread = threading.Thread(target=first, name="first")
    thread.start()
    assert inside.wait(60)
    assert db.run(COUNT, eps=1).reused is None  # it runs: that is not taken up
    db._ledger.failed(1, interrupted=True, drawn=False)
    answer = db.run(COUNT, eps=1)
    assert answer.reused is not None and answer.reused.number == 1
    gate.set()
    thread.join()
    (found,) = outcome
    assert isinstance(found, EngineError) and "ended without an answer" in str(found)
    lines = {line.number: line.charge.answered for line in db.budget.history}
    assert not lines[1] and db.budget.spent.exact.eps == 2


def test_two_runs_that_find_it_at_once_do_not_both_take_it_up(db: dpsql.Database) -> None:
    failing(db)
    barrier, found = threading.Barrier(4), []

    def work() -> None:
        barrier.wait()
        found.append(db.run(COUNT, eps=1).reused is not None)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [False, False, False, True]
    assert db.budget.spent.exact.eps == 4


def test_in_a_later_window_it_is_paid_again(db: dpsql.Database) -> None:
    """Each window is promised what it spent itself."""
    from datetime import UTC, datetime, timedelta

    from dpsql.core.account.amount import Cost
    from dpsql.platform.ledger.ledger import Entry

    ledger, one = db._ledger, Cost(Fraction(1))
    now = datetime.now(UTC)
    ledger.failed(ledger.reserve(one, Entry("q", time=now)), drawn=False)
    number = ledger.reserve(one, Entry("q", time=now + timedelta(days=31)))
    assert ledger.paid_by(number) == number
    assert ledger.entries()[-1].kind == "charge"
    ledger.failed(number, drawn=False)
    number = ledger.reserve(one, Entry("q", time=now + timedelta(days=32)))
    assert ledger.paid_by(number) == 3
    ledger.commit(number, (Stored("k", "", "[]"),))


def test_a_killed_process_is_not_taken_up(tmp_path: Path) -> None:
    """It could not say how far it had come."""
    with duckdb.connect(str(tmp_path / "x.duckdb")) as connection:
        connection.execute("CREATE TABLE t AS SELECT i AS id, i % 9 AS v FROM range(99) r(i)")
    code = f"""
import os, dpsql
from dpsql.execution import cells
cells.read = lambda *_: os.kill(os.getpid(), 9)
dpsql.connect({str(tmp_path / "x.duckdb")!r}, {POLICY!r}).run({COUNT!r}, eps=1)
"""
    import subprocess
    import sys

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    with dpsql.connect(tmp_path / "x.duckdb", POLICY) as db:
        assert db.budget.failures == {"": 1}
        assert db.run(COUNT, eps=1).reused is None
        assert db.budget.spent.exact.eps == 2


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_is_refused_and_does_not_hang(tmp_path: Path) -> None:
    """It has the parent's locks as they were: of the database, and of its driver."""
    with duckdb.connect(str(tmp_path / "x.duckdb")) as connection:
        connection.execute("CREATE TABLE t AS SELECT i AS id, i % 9 AS v FROM range(99) r(i)")
    db, stop = dpsql.connect(tmp_path / "x.duckdb", POLICY), threading.Event()

    def busy() -> None:
        while not stop.is_set():
            db.run(COUNT, eps=0.001, fresh=True)

    thread = threading.Thread(target=busy)
    thread.start()
    codes = []
    for _ in range(8):
        child = os.fork()
        if child == 0:
            try:
                db.run(COUNT, eps=0.001, fresh=True)
            except EngineError as error:
                refused = "opened by another process" in str(error)
                os._exit(7 if refused and db.budget.spent.exact.eps >= 0 else 1)
            finally:
                os._exit(2)
        guard = threading.Timer(60, os.kill, (child, signal.SIGKILL))  # this test must not hang
        guard.start()
        codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        guard.cancel()
    stop.set()
    thread.join()
    assert codes == [7] * 8
