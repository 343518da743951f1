"""What an agent's session may spend."""

from __future__ import annotations

import threading
from fractions import Fraction
from typing import Any

import anyio
import pytest
from mcp import Client

from dpsql.errors import BudgetExceeded, EngineError, InvalidBudget
from dpsql.serve.mcp.main import mcp_server
from dpsql.serve.mcp.purse import Purse
from dpsql.session.database import Database
from dpsql.session.remote.client import NOT_REACHED
from tests.serve.mcp.agents import ORDERS, calls, person, run, spent


def test_a_session_spends_no_more_than_it_may(db: Database, mode: str) -> None:
    server = mcp_server(db, Fraction(1), Fraction(1))
    results = calls(server, mode, *(run(f"{ORDERS} WHERE rating = {n}", 0.3) for n in range(1, 6)))
    assert [r.is_error for r in results] == [False, False, False, True, True]
    error = results[-1].structured_content["error"]
    assert error["type"] == "BudgetExceeded" and "ε = 0.1 is left" in error["text"]
    assert spent(db) == pytest.approx(0.9)


def test_calls_at_the_same_time_spend_no_more(db: Database) -> None:
    server = mcp_server(db, Fraction(1), Fraction(1))

    async def work() -> list[bool]:
        failed: list[bool] = []

        async def one(client: Client, n: int) -> None:
            found = await client.call_tool(*run(f"{ORDERS} WHERE rating <> {n}", 0.3))
            failed.append(bool(found.is_error))

        async with Client(server) as client, anyio.create_task_group() as group:
            for n in range(12):
                group.start_soon(one, client, n)
        return failed

    assert sorted(anyio.run(work)) == [False] * 3 + [True] * 9
    assert spent(db) == pytest.approx(0.9)


def test_what_failed_before_a_charge_is_given_back(db: Database, mode: str) -> None:
    server = mcp_server(db, Fraction(100), Fraction(100))
    results = calls(
        server,
        mode,
        run(ORDERS, 11),  # more than the data's whole budget
        run("SELECT * FROM customers", 1),
        run(ORDERS, -1),
        run(ORDERS, "1/0"),
        run(ORDERS, 1),
    )
    kinds = [(r.structured_content.get("error") or {}).get("type") for r in results]
    assert kinds == ["BudgetExceeded", "Rejected", "InvalidBudget", "InvalidBudget", None]
    assert server.purse.left == 99


def test_what_failed_after_a_charge_is_not_given_back(db: Database) -> None:
    purse = Purse(Fraction(1))

    class Charged:
        def __init__(self, found: object) -> None:
            self.found = found

        def charged(self, key: str) -> object:
            if isinstance(self.found, Exception):
                raise self.found
            return self.found

    def fail(_: str) -> Any:
        raise EngineError("failed")

    for found, left in ((None, 1), ("a line", 0.75), (EngineError("unknown"), 0.5)):
        with pytest.raises(EngineError, match="failed"):
            purse.pay(Charged(found), Fraction(1, 4), fail)  # type: ignore[arg-type]
        assert purse.left == left

    def stopped(_: str) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        purse.pay(Charged(None), Fraction(1, 4), stopped)  # type: ignore[arg-type]
    assert purse.left == Fraction(1, 4)
    with pytest.raises(BudgetExceeded):
        purse.pay(Charged(None), Fraction(1, 2), fail)  # type: ignore[arg-type]


def test_what_a_server_may_still_do_is_not_given_back(db: Database) -> None:
    """The query waits there, perhaps, and is charged when its turn comes."""
    purse = Purse(Fraction(1))

    def lost(_: str) -> Any:
        raise EngineError(NOT_REACHED)

    with pytest.raises(EngineError):
        purse.pay(db, Fraction(1, 4), lost)
    assert purse.left == Fraction(3, 4)


def test_nobody_is_passed_over_when_the_purse_fills_meanwhile(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A call that costs more than is left asks nobody; another's failure gives back what it took
    before this one is paid.
    """
    server, pay = mcp_server(db, Fraction(1, 2), Fraction(1)), Purse.pay
    server.purse._taken = Fraction(1, 2)

    def late(self: Purse, *given: Any) -> Any:
        self._taken = Fraction(0)
        return pay(self, *given)

    monkeypatch.setattr(Purse, "pay", late)
    reply, asked = person("accept")
    (found,) = calls(server, "auto", run(ORDERS, 0.6), reply=reply)
    assert found.is_error and asked == []
    assert found.structured_content["error"]["type"] == "BudgetExceeded"
    assert spent(db) == 0


def test_what_was_free_is_free_or_not_answered(db: Database, mode: str) -> None:
    """As if the epoch ended between the look and the run."""
    server = mcp_server(db, Fraction(0), Fraction(1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Database, "stored", lambda *_, **__: True)
        (found,) = calls(server, mode, run(ORDERS, 0.6))
    assert found.is_error and "nothing was charged" in found.structured_content["error"]["text"]
    assert spent(db) == 0 and server.purse.left == 1


def test_who_takes_a_call_back_stops_the_query(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    began, stopped = threading.Event(), threading.Event()

    def slow(self: Database, sql: str, eps: object, **given: Any) -> Any:
        began.set()
        assert given["stop"].wait(30)
        stopped.set()
        raise KeyboardInterrupt

    monkeypatch.setattr(Database, "run", slow)
    server = mcp_server(db, Fraction(1), Fraction(1))

    async def work() -> None:
        async with Client(server) as client:
            with anyio.move_on_after(60) as scope:
                async with anyio.create_task_group() as group:
                    group.start_soon(client.call_tool, *run(ORDERS, 0.5))
                    await anyio.to_thread.run_sync(began.wait)
                    scope.cancel()

    anyio.run(work)
    assert stopped.wait(30)
    assert server.purse.left <= Fraction(1)


def test_amounts_that_are_none(db: Database) -> None:
    for above, most in ((-1, 1), (1, 0), (1, -1)):
        with pytest.raises(InvalidBudget):
            mcp_server(db, Fraction(above), Fraction(most))


def test_true_is_no_amount(db: Database, mode: str) -> None:
    server = mcp_server(db, Fraction(2), Fraction(2))
    for name in ("run", "explain"):
        asked = {"sql": "SELECT COUNT(*) FROM customers", "eps": True}
        (found,) = calls(server, mode, (name, asked))
        assert found.is_error and "eps" in found.content[0].text
    assert server.purse.left == Fraction(2)
