"""Requests with a key: retried, at the same time, or dead; an answer is kept before it is shown."""

from __future__ import annotations

import threading

import duckdb
import pytest

import dpsql
from dpsql.errors import EngineError, RequestExists
from tests.execution.repeated import GROUPS, POLICY, TABLES, Data, broken, served


def test_a_retry_gets_the_first_answer(data: Data) -> None:
    first = data.ask(GROUPS, 1, key="k", fresh=True)
    again = served(data, GROUPS, 1, key="k", fresh=True)
    assert again is not None and again.reused is not None
    assert again.reused.kind == "retry" and again.rows == first.rows
    again = served(data, f"{GROUPS} ORDER BY n", 0.5, key="k")
    assert again is not None and sorted(again.rows, key=str) == sorted(first.rows, key=str)


def test_a_retry_needs_no_version() -> None:
    connection = duckdb.connect()
    connection.execute(TABLES)
    with dpsql.connect(connection, POLICY) as db:
        data = object.__new__(Data)
        data.db = db
        first = data.ask(GROUPS, 1, key="k")
        connection.execute("UPDATE customer SET region = 'w'")
        again = served(data, GROUPS, 1, key="k")
        assert again is not None and again.rows == first.rows
        assert served(data, GROUPS, 1) is None


@pytest.mark.parametrize(("sql", "eps"), [("SELECT COUNT(*) AS n FROM orders", 1), (GROUPS, 2)])
def test_a_key_of_another_request_is_refused(data: Data, sql: str, eps: float) -> None:
    data.ask(GROUPS, 1, key="k")
    with pytest.raises(RequestExists, match="another query"):
        data.ask(sql, eps, key="k")
    assert data.lines == 1


def test_a_request_that_died_is_not_answered_again(data: Data) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dpsql.execution.run.add_noise", broken)
        with pytest.raises(EngineError):
            data.ask(GROUPS, 1, key="k")
    for _ in range(2):
        with pytest.raises(RequestExists, match="no answer"):
            data.ask(GROUPS, 1, key="k")
    assert data.lines == 2  # the charge, and that it failed
    assert data.ask(GROUPS, 1).reused is None


def test_requests_at_the_same_time_are_one_charge(data: Data) -> None:
    """Whoever is slower gets the answer, or is told that it is on its way."""
    gate, found = threading.Barrier(4), []

    def work() -> None:
        gate.wait()
        try:
            found.append(tuple(data.ask(GROUPS, 1, key="k", fresh=True).rows))
        except RequestExists:
            found.append(None)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    answers = {rows for rows in found if rows is not None}
    assert len(found) == 4 and len(answers) == 1 and data.lines == 1


def test_an_answer_that_is_not_kept_is_not_shown(data: Data) -> None:
    def refused(*_: object) -> None:
        raise EngineError("the ledger cannot be written")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(data.db._ledger), "commit", refused)
        with pytest.raises(EngineError, match="cannot be written"):
            data.ask(GROUPS)
    assert [line.kind for line in data.db._ledger.entries()] == ["charge", "failed"]
    assert not data.db._ledger.answers(1)


def test_an_answer_is_kept_before_it_is_shown(data: Data) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dpsql.execution.run.post_process", broken)
        with pytest.raises(EngineError):
            data.ask(GROUPS)
    assert len(data.db._ledger.answers(1)) == 1
    assert served(data, GROUPS) is not None
