"""When queries end, and when their answers are given."""

from __future__ import annotations

import threading
from datetime import timedelta
from time import monotonic, sleep

import duckdb
import pytest

import dpsql
from dpsql.core.limits import Limits
from dpsql.errors import EngineError, LimitExceeded, Rejected
from dpsql.session.pace import Pace

PADDED = Limits(padding=timedelta(milliseconds=250), seconds=300)


def test_a_query_may_take_the_seconds_of_the_policy_or_less() -> None:
    assert Pace.of(Limits(seconds=7), None).seconds == 7
    assert Pace.of(Limits(seconds=7), 0.1).seconds == 0.1
    assert Pace.of(Limits(seconds=7), 1000).seconds == 7  # an analyst cannot ask for more


def test_a_timeout_does_not_tell_the_time_more_finely_than_the_padding() -> None:
    found = []
    for timeout in (0.001, 0.25, 0.26, 300):
        pace = Pace.of(PADDED, timeout)
        pace.begin()
        found.append(pytest.approx(pace.deadline.at - pace.since))
    assert found == [0.25, 0.25, 0.5, 300]


@pytest.mark.parametrize(("timeout", "multiples"), [(0.3, 1), (0.5, 1), (0.6, 2), (300, 1199)])
@pytest.mark.one_in(2)
def test_what_came_before_it_began_moves_no_multiple(timeout: float, multiples: int) -> None:
    """Else the analyst would lay one at any time of the engine, by a long query."""
    pace = Pace.of(PADDED, timeout)
    sleep(0.28)
    pace.begin()
    assert pace.since - pace.received >= 0.28
    assert pace.deadline.at - pace.since == pytest.approx(multiples * pace.padding)
    pace.settle()
    assert pace.padding <= monotonic() - pace.since < 2 * pace.padding


def test_of_what_is_not_padded_a_query_takes_its_own_time_alone() -> None:
    pace = Pace.of(Limits(seconds=7), None)
    pace.begin()
    assert pace.deadline.at == pace.received + 7


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), True, "1", 10**400])
def test_what_is_no_timeout(timeout: float) -> None:
    with pytest.raises(ValueError, match="a timeout is a number"):
        Pace.of(Limits(), timeout)


def released(work: float, error: type[Exception] | None = None) -> float:
    pace = Pace.of(Limits(padding=timedelta(milliseconds=200)), None)

    def working() -> int:
        sleep(work)
        if error is not None:
            raise error("failed") if error is not Rejected else Rejected(())
        return 5

    if error is None:
        assert pace.kept(working) == 5
    else:
        with pytest.raises(error):
            pace.kept(working)
    return monotonic() - pace.received


@pytest.mark.parametrize("error", [None, EngineError, ZeroDivisionError])
def test_answers_and_errors_are_given_at_multiples(error: type[Exception] | None) -> None:
    assert released(0.0, error) >= 0.2
    assert released(0.21, error) >= 0.4


def test_what_is_refused_before_anything_is_read_is_said_at_once() -> None:
    pace = Pace.of(Limits(padding=timedelta(hours=1)), None)  # or this test takes an hour
    with pytest.raises(Rejected):
        pace.kept(lambda: (_ for _ in ()).throw(Rejected(())))


def test_without_padding_nothing_waits() -> None:
    pace = Pace.of(Limits(), None)
    assert pace.padding == 0
    assert pace.kept(lambda: 5) == 5


POLICY = """
unit: people.pid
budget: {eps: 10}
limits: {padding: 0.3s}
tables:
  people:
    access: private
    key: [pid]
    columns:
      pid: {type: BIGINT}
      x: {type: BIGINT, bounds: [0, 6]}
  codes:
    access: public
    columns:
      code: {type: BIGINT}
"""


MODEL = "SELECT dp_kmeans([x, y], clusters := 2) FROM (SELECT x, 6 - x AS y FROM people)"


@pytest.fixture
def data() -> duckdb.DuckDBPyConnection:
    made = duckdb.connect()
    made.execute("CREATE TABLE people AS SELECT i AS pid, i % 7 AS x FROM range(50) r(i)")
    made.execute("CREATE TABLE codes AS SELECT i AS code FROM range(3) r(i)")
    return made


def test_every_way_to_ask_is_padded(data: duckdb.DuckDBPyConnection) -> None:
    with dpsql.connect(data, POLICY, version="1") as db:
        for work in (
            lambda: db.run("SELECT COUNT(*) FROM people", 1),
            lambda: db.run("SELECT COUNT(*) FROM people", 1),  # a stored answer
            lambda: db.run("SELECT COUNT(*) FROM codes", 1),
            lambda: db.run_batch("SELECT COUNT(*) FROM codes; SELECT COUNT(*) FROM people", 1),
        ):
            before = monotonic()
            work()
            assert monotonic() - before >= 0.3


def test_each_query_of_a_model_is_padded(
    data: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one is told by the ledger, too: it is read as often as somebody likes."""
    begun: list[float] = []
    said: list[float] = []
    begin = Pace.begin
    monkeypatch.setattr(Pace, "begin", lambda pace: (begin(pace), begun.append(pace.since)))
    with dpsql.connect(data, POLICY, version="1") as db:
        commit = db._ledger.commit

        def committing(*given: object, **more: object) -> None:
            said.append(monotonic())
            commit(*given, **more)  # type: ignore[arg-type]

        monkeypatch.setattr(db._ledger, "commit", committing)
        db.run(MODEL, 9)
    assert len(said) == len(begun) > 2
    assert all(0.3 <= b - a < 0.6 for a, b in zip(begun, said, strict=True))


def test_a_model_that_is_too_late_says_what_was_charged(
    data: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a clock that moves on an hour after the first charge."""
    with dpsql.connect(data, POLICY, version="1") as db:
        ready, clock = db._analysis.ready, [0.0]
        monkeypatch.setattr("dpsql.session.pace.monotonic", lambda: monotonic() + clock[0])

        def slow(*asked: object) -> object:
            clock[0] = 3600 if db.budget.spent.eps else 0
            return ready(*asked)  # type: ignore[arg-type]

        db._analysis.ready = slow  # type: ignore[method-assign, assignment]
        with pytest.raises(EngineError, match="earlier queries of this model were charged") as late:
            db.run(MODEL, 9, timeout=1800)
        assert not isinstance(late.value, LimitExceeded)
        assert 0 < db.budget.spent.eps < 9


def test_what_is_too_late_is_not_charged(data: duckdb.DuckDBPyConnection) -> None:
    """However long its analysis took."""
    with dpsql.connect(data, POLICY) as db:
        ready = db._analysis.ready

        def slow(*asked: object) -> object:
            sleep(0.7)
            return ready(*asked)  # type: ignore[arg-type]

        db._analysis.ready = slow  # type: ignore[method-assign, assignment]
        for ask in (db.run, db.run_batch):
            with pytest.raises(LimitExceeded, match=r"its time, .* was over before it was charged"):
                ask("SELECT COUNT(*) FROM people", 1, timeout=0.5)
        assert db.budget.spent.eps == 0


def test_the_ledger_tells_no_earlier_than_the_answer(data: duckdb.DuckDBPyConnection) -> None:
    """That a query was answered, or has failed, is not seen before the time of the answer."""
    with dpsql.connect(data, POLICY, version="1") as db:
        said: list[float] = []
        ledger = db._ledger
        commit, failed = ledger.commit, ledger.failed

        def committing(*given: object, **more: object) -> None:
            said.append(monotonic())
            commit(*given, **more)  # type: ignore[arg-type]

        def failing(*given: object, **more: object) -> None:
            said.append(monotonic())
            failed(*given, **more)  # type: ignore[arg-type]

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ledger, "commit", committing)
            patch.setattr(ledger, "failed", failing)
            before = monotonic()
            db.run("SELECT COUNT(*) FROM people", 1)
            data.execute("INSERT INTO people VALUES (1, 1)")  # no key any more
            again = monotonic()
            with pytest.raises(dpsql.PolicyError):
                db.run("SELECT COUNT(*) FROM people WHERE pid > 1", 1)
        assert len(said) == 2
        assert said[0] - before >= 0.3 and said[1] - again >= 0.3


def test_a_stop_does_not_tell_whether_it_had_ended() -> None:
    """Else each query would tell whether it took longer than any time of the analyst's choice."""
    for work in (0.0, 0.2):
        stop = threading.Event()
        pace = Pace.of(Limits(padding=timedelta(milliseconds=400)), None, stop)

        def charged(work: float = work, stop: threading.Event = stop, pace: Pace = pace) -> int:
            if stop.wait(work):  # as a worker is waited for
                pace.settle()
            pace.settle()
            return 5

        threading.Timer(0.1, stop.set).start()
        with pytest.raises(KeyboardInterrupt):
            pace.kept(charged)
        assert 0.4 <= monotonic() - pace.received < 0.8


def test_a_batch_is_stopped_between_its_queries(data: duckdb.DuckDBPyConnection) -> None:
    stop, db = threading.Event(), dpsql.connect(data, POLICY, version="1")
    ready, seen = db._analysis.ready, list[str]()

    def counted(asked: object, sql: str, *more: object) -> object:
        seen.append(sql)
        stop.set()
        return ready(asked, sql, *more)  # type: ignore[arg-type]

    db._analysis.ready = counted  # type: ignore[method-assign, assignment]
    with pytest.raises(KeyboardInterrupt):
        db.run_batch("SELECT COUNT(*) FROM codes; SELECT 2 FROM codes", 1, stop=stop)
    assert len(seen) == 1
