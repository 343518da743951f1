"""What no one thought of is an `InternalError` that tells nothing."""

from __future__ import annotations

import copy
import logging
from collections.abc import Callable, Iterator
from contextlib import suppress

import duckdb
import pytest

import dpsql
from dpsql.execution import boundary
from dpsql.execution import run as running
from dpsql.session.database import Database
from tests.adversarial.raw_world import (
    POLICY,
    TABLE,
)

SECRET = "the value of a private row: 4711"


class Broken(Exception):  # noqa: N818
    """A bug, whose text and whose frames show what they must not."""


def broken(*_: object, **__: object) -> object:
    private = SECRET
    try:
        raise KeyError(private)
    except KeyError as error:
        raise Broken(private) from error


@pytest.fixture
def log() -> Iterator[list[str]]:
    lines: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(record.getMessage())

    handler = Kept()
    logging.getLogger("dpsql.owner").addHandler(handler)
    yield lines
    logging.getLogger("dpsql.owner").removeHandler(handler)


def tells_nothing(error: BaseException) -> None:
    assert SECRET not in str(error) and SECRET not in repr(error) and SECRET not in str(vars(error))
    assert error.__cause__ is None and error.__context__ is None
    trace = error.__traceback__
    while trace is not None:
        assert "private" not in trace.tb_frame.f_locals
        assert trace.tb_frame.f_code.co_name != "broken"
        trace = trace.tb_next


ASKED = "SELECT COUNT(*) AS n FROM people"


@pytest.mark.parametrize(
    ("place", "ask"),
    [
        ("dpsql.session.analysis.compile_query", lambda db: db.run(ASKED, 1)),
        ("dpsql.session.analysis.compile_query", lambda db: db.explain(ASKED)),
        ("dpsql.session.database.smallest", lambda db: db.calibrate(ASKED, 5)),
        ("dpsql.session.database.estimate", lambda db: db.estimate(ASKED)),
        ("dpsql.session.together.composed", lambda db: db.run_batch(ASKED, 1)),
        ("dpsql.session.database.execute", lambda db: db.run(ASKED, 1)),
        ("dpsql.session.costs.resolve", lambda db: dpsql.explain(ASKED, policy=POLICY)),
        ("dpsql.session.connect.load_policy", lambda db: dpsql.connect("x", POLICY)),
    ],
)
def test_a_bug_before_the_charge(
    log: list[str],
    monkeypatch: pytest.MonkeyPatch,
    place: str,
    ask: Callable[[Database], object],
) -> None:
    with duckdb.connect() as owner:
        owner.execute(TABLE)
        with dpsql.connect(owner, POLICY) as db:
            monkeypatch.setattr(place, broken)
            with pytest.raises(dpsql.InternalError, match="nothing was charged") as caught:
                ask(db)
            tells_nothing(caught.value)
            assert caught.value.report in str(caught.value)
            assert db.budget.spent.eps == 0
            [line] = log
            assert caught.value.report in line
            assert "in broken" in line and "Broken" in line
            # The owner sees the text of an error, as of the engine's own; but no variable.
            assert "private = " not in line.replace("private = SECRET", "")
    monkeypatch.undo()


@pytest.mark.parametrize(
    ("place", "ask"),
    [
        ("dpsql.report.explanation.answer_tree.aggregate_step", lambda found: found.tree),
        ("dpsql.compile.statements", lambda found: found.sql),
        ("dpsql.compile.statements", lambda found: found.to_json()),
        ("dpsql.report.explanation.explanation.smallest", lambda found: found.within(5)),
        ("dpsql.report.explanation.noise_picture.panels", lambda found: found.plot()),
        ("dpsql.report.plaintext.text", str),
        ("dpsql.report.page.page", lambda found: found.to_html()),
        ("dpsql.report.page.fragment", lambda found: found._repr_html_()),
    ],
)
def test_a_bug_in_what_an_explanation_makes_later(
    log: list[str],
    monkeypatch: pytest.MonkeyPatch,
    place: str,
    ask: Callable[[dpsql.Explanation], object],
) -> None:
    with duckdb.connect() as owner:
        owner.execute(TABLE)
        with dpsql.connect(owner, POLICY) as db:
            found = db.explain(ASKED)
            monkeypatch.setattr(place, broken)
            with pytest.raises(dpsql.InternalError, match="nothing was charged") as caught:
                ask(found)
            tells_nothing(caught.value)
            assert caught.value.report in log[0]
    monkeypatch.undo()


def test_a_bug_after_the_charge_is_a_failure_like_every_other(
    log: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with duckdb.connect() as owner:
        owner.execute(TABLE)
        with dpsql.connect(owner, POLICY) as db:
            told = []
            for place in ("dpsql.execution.run.add_noise", "dpsql.session.database.answer_of"):
                with monkeypatch.context() as patched:
                    patched.setattr(place, broken)
                    with pytest.raises(dpsql.EngineError) as caught:
                        db.run(ASKED, 1)
                tells_nothing(caught.value)
                told.append((type(caught.value), str(caught.value)))
            assert told[0] == told[1]
            assert db.budget.spent.eps == 2


def test_a_bug_while_it_is_charged_does_not_say_that_nothing_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with duckdb.connect() as owner:
        owner.execute(TABLE)
        with dpsql.connect(owner, POLICY) as db:
            monkeypatch.setattr(type(db._ledger), "reserve", broken)
            with pytest.raises(dpsql.InternalError, match="what was charged stays charged"):
                db.run(ASKED, 1)


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_what_is_no_error_passes_without_frames(kind: type[BaseException]) -> None:
    def stopped() -> None:
        private = SECRET
        raise kind from KeyError(private)

    with pytest.raises(kind) as caught:
        boundary.typed(stopped)()
    tells_nothing(caught.value)


@pytest.mark.parametrize("kind", [MemoryError, RecursionError, AssertionError, StopIteration])
def test_every_other_exception_is_internal(kind: type[Exception]) -> None:
    def failing() -> None:
        private = SECRET
        raise kind(private)

    with pytest.raises(dpsql.InternalError) as caught:
        boundary.typed(failing)()
    tells_nothing(caught.value)


def test_nested_calls_know_of_one_charge(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call inside of another one does not say that nothing was charged, if it was."""

    @boundary.typed
    def outer() -> None:
        boundary.charging()
        boundary.charged(True)
        with suppress(ZeroDivisionError):
            inner()

    @boundary.typed
    def inner() -> None:
        raise Broken(SECRET)

    with pytest.raises(dpsql.EngineError):
        outer()
    with pytest.raises(dpsql.InternalError, match="nothing was charged"):
        inner()


def test_the_frames_of_an_error_do_not_hold_the_database(db: Database) -> None:
    """A caught error leaves no cycle behind, by which a database would stay open."""
    with pytest.raises(dpsql.Rejected) as caught:
        db.explain("SELECT id FROM people")
    trace = caught.value.__traceback__
    while trace is not None:
        assert "problem" not in trace.tb_frame.f_locals or trace.tb_frame.f_back is None
        trace = trace.tb_next
    assert copy.copy(caught.value).diagnostics == caught.value.diagnostics


def test_execution_tells_the_boundary_of_its_charge() -> None:
    assert running.boundary is boundary
