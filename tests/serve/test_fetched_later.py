"""What was asked is fetched by its id from a server that was started anew, and by nobody else."""

from __future__ import annotations

import random
import signal
import sqlite3
import threading
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
import pytest

import dpsql
from dpsql.core.calibrate.options import Question
from dpsql.errors import EngineError, InvalidArgument
from dpsql.platform.ledger.sql_ledger import SqlLedger
from dpsql.serve import remembered
from dpsql.serve.asked import ANOTHER, How
from dpsql.serve.data_sets import opened
from dpsql.serve.principals import Principals
from dpsql.serve.refusals import PAUSED
from dpsql.serve.remembered import LOST, UNCHARGED, Remembered, RememberedQueries
from dpsql.serve.service import GONE, Service
from tests.serve.test_process import prepared, running
from tests.support.effort import tries
from tests.support.serving import Served, config, served

COUNT = "SELECT COUNT(*) AS n FROM people WHERE age > 30"
WORDS = ("--config", "server.yaml")
Headers = dict[str, str]


def bearer(token: str) -> Headers:
    return {"Authorization": f"Bearer {token}"}


def asked(url: str, who: Headers, **said: Any) -> httpx.Response:
    kind = "batch" if "queries" in said else "run"
    return httpx.post(f"{url}/v1/data/shop/{kind}", headers=who, json=said, timeout=60)


def fetched(url: str, who: Headers, name: str) -> httpx.Response:
    at = f"{url}/v1/data/shop/queries/{name}"
    return httpx.get(at, params={"wait": 30}, headers=who, timeout=60)


def listed(url: str, who: Headers) -> dict[str, str]:
    found = httpx.get(f"{url}/v1/data/shop/queries", headers=who).json()
    return {one["id"]: one["state"] for one in found}


def spent(url: str, token: str) -> Fraction:
    with dpsql.connect(f"{url}/shop", token=token) as db:
        return db.budget.spent.exact.eps


def rows(found: httpx.Response) -> Any:
    assert found.status_code == 200, found.text
    answer = found.json()["answer"]
    return [one["rows"] for one in answer] if isinstance(answer, list) else answer["rows"]


def text(found: httpx.Response) -> str:
    return str(found.json()["error"]["text"])


ASKED: dict[str, dict[str, Any]] = {
    "1" * 32: {"sql": COUNT, "eps": 1},
    "2" * 32: {"sql": COUNT, "eps": 1, "fresh": True, "idempotency_key": "report"},
    "3" * 32: {"sql": "SELECT town, SUM(age) AS s FROM people GROUP BY town", "eps": "1/3"},
    "4" * 32: {"queries": {"a": COUNT, "b": "-- eps: 0.25\nSELECT SUM(age) FROM people"}, "eps": 2},
    "5" * 32: {"sql": "SELECT COUNT(*) FROM towns", "eps": 1},
    "6" * 32: {"sql": COUNT, "eps": 1, "wait": 0, "weights": {"n": 2}, "dialect": "postgres"},
    "7" * 32: {"sql": f"{COUNT} AND id < 100", "eps": 1, "wait": 0},
}
"""A count, again with new noise under a key, groups, a batch, a public query, the first count once
more, and one that nobody waits for."""
FREE = {"5" * 32, "6" * 32}


def test_answers_are_fetched_after_a_kill(tmp_path: Path) -> None:
    """The same rows, for nothing, and for nobody else; and what is asked again is not charged."""
    token = prepared(tmp_path)
    people = Principals(tmp_path / "state")
    for name, role in (("bob", "analyst"), ("owner", "owner")):
        people.add(name, role=role)
    anna = bearer(token)
    others = [bearer(people.new_token(name)) for name in ("bob", "owner")]
    with running(tmp_path, *WORDS) as made:
        for name, said in ASKED.items():
            asked(made.url, anna, **said, id=name)
        before = {name: rows(fetched(made.url, anna, name)) for name in ASKED}
        paid = spent(made.url, token)
        assert paid == Fraction(67, 12)
        made.end(signal.SIGKILL)
    with running(tmp_path, *WORDS) as made:
        assert listed(made.url, anna) == {name: "earlier" for name in ASKED if name not in FREE}
        for other in others:
            assert listed(made.url, other) == {}
            for name in ASKED:
                refused = fetched(made.url, other, name)
                assert refused.status_code == 403 and text(refused) == GONE
        for name, said in ASKED.items():
            if name in FREE:  # as it costs nothing, it is not on the disk
                assert text(fetched(made.url, anna, name)) == GONE
            else:
                assert rows(fetched(made.url, anna, name)) == before[name]
            assert rows(asked(made.url, anna, **said | {"wait": 30}, id=name)) == before[name]
        assert set(listed(made.url, anna).values()) == {"done"}
        again = asked(made.url, anna, **ASKED["2" * 32], id="8" * 32)
        assert rows(again) == before["2" * 32]  # under the same key, and another id
        wrong = asked(made.url, anna, sql=COUNT, eps=2, id="1" * 32)
        assert wrong.status_code == 400 and text(wrong) == ANOTHER
        assert spent(made.url, token) == paid
        assert asked(made.url, others[0], sql=COUNT, eps=1, id="1" * 32).status_code == 200


def test_kills_and_ids(tmp_path: Path) -> None:
    """Killed at any moment: each id has its answer, the one that was told if one was; or was
    charged at most once, and says so; or was not charged, and is then asked under it, once.
    """
    token, draw = prepared(tmp_path), random.Random(7)
    anna, told, every = bearer(token), dict[str, Any](), dict[str, dict[str, Any]]()
    before = set[str]()
    look = ["budget", str(tmp_path / "shop.duckdb"), "--policy", str(tmp_path / "shop.yaml")]

    def ask(url: str) -> None:
        for _ in range(1000):
            name = f"{draw.getrandbits(128):032x}"
            age = draw.randrange(70)
            sql = f"SELECT COUNT(*) FROM people WHERE age > {age}"
            every[name] = {"sql": sql, "eps": 1, "fresh": True, "id": name}
            try:
                told[name] = rows(asked(url, anna, **every[name]))
            except httpx.HTTPError:
                return

    kills = tries(1, 20)
    for number in range(kills + 1):
        with running(tmp_path, *WORDS) as made:
            with dpsql.connect(f"{made.url}/shop", token=token) as db:
                lines = [line for line in db.budget.history if line.kind == "charge"]
            charged = [line.charge.entry.request for line in lines]
            assert len(set(charged)) == len(charged)
            for name, said in every.items():
                found = fetched(made.url, anna, name)
                if found.status_code == 200:
                    assert f"id-{name}" in charged
                    assert rows(found) == told.setdefault(name, rows(found))
                    continue
                assert name not in told
                if f"id-{name}" in charged:
                    assert found.status_code == 409 and text(found) == LOST
                    continue
                assert text(found) in (UNCHARGED, GONE)
                told[name] = rows(asked(made.url, anna, **said))
                charged.append(f"id-{name}")
            assert spent(made.url, token) == len(charged)
            assert set(charged) <= {f"id-{name}" for name in before | every.keys()}
            before |= every.keys()
            every = {name: every[name] for name in list(every)[-5:] if number < kills}
            if number < kills:
                threads = [threading.Thread(target=ask, args=(made.url,)) for _ in range(2)]
                for thread in threads:
                    thread.start()
                so_far, until = len(told), monotonic() + 30
                while len(told) == so_far and monotonic() < until:
                    sleep(0.01)
                sleep(draw.random() * 0.3)
                made.end(signal.SIGKILL)
                for thread in threads:
                    thread.join(60)
        dpsql.cli.main([*look, "unlock", "--analyst", "anna"])
    assert len(told) >= kills


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    with served(config(tmp_path)) as made:
        yield made


def test_it_is_on_the_disk_before_it_is_charged(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By another connection: not in a transaction that would still be lost."""
    seen: list[int] = []
    whole = SqlLedger.reserve

    def reserve(self: SqlLedger, *args: Any, **more: Any) -> int:
        with sqlite3.connect(server.folder / "state" / remembered.FILE) as connection:
            seen.append(connection.execute("SELECT COUNT(*) FROM asked").fetchone()[0])
        return whole(self, *args, **more)

    monkeypatch.setattr(SqlLedger, "reserve", reserve)
    rows(asked(server.url, server.headers("anna"), sql=COUNT, eps=1))
    assert seen == [1]


def test_what_cannot_be_noted_is_not_charged(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = server.headers("anna")

    def full(*_: object) -> None:
        raise EngineError(remembered.BROKEN)

    with monkeypatch.context() as broken:
        broken.setattr(server.service.remembered, "add", full)
        failed = asked(server.url, anna, sql=COUNT, eps=1, id="1" * 32)
        assert failed.status_code == 500 and text(failed) == remembered.BROKEN
    assert not server.service.data["shop"].db.budget.spent.exact.eps
    assert rows(asked(server.url, anna, sql=COUNT, eps=1, id="2" * 32))


def test_an_empty_key_is_none_and_not_left_out(server: Served) -> None:
    """Who thinks that a retry is free, and whose key is empty by a mistake, is told."""
    found = asked(server.url, server.headers("anna"), sql=COUNT, eps=1, idempotency_key="")
    assert found.status_code == 400 and "idempotency key" in text(found)


def forgotten(server: Served) -> None:
    """As after a kill: what is in memory is gone."""
    server.service.asked._kept.clear()


def test_another_query_under_an_id_is_refused(server: Served) -> None:
    """At once, and not once a worker has it: else who asked would fetch the first one's answer."""
    anna = server.headers("anna")
    before = rows(asked(server.url, anna, sql=COUNT, eps=1, id="1" * 32))
    forgotten(server)
    wrong = asked(server.url, anna, sql=COUNT, eps=2, id="1" * 32, wait=0)
    assert wrong.status_code == 400 and text(wrong) == ANOTHER
    assert rows(fetched(server.url, anna, "1" * 32)) == before
    assert server.service.data["shop"].db.budget.spent.exact.eps == 1


def test_what_was_lost_and_what_was_not_charged(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = server.token("anna")
    anna = bearer(token)

    def lost(*_: object, **__: object) -> None:
        raise EngineError("as if it were killed")

    for where, told, paid in (("reserve", UNCHARGED, 0), ("commit", LOST, 1)):
        name = {"reserve": "1", "commit": "2"}[where] * 32
        with monkeypatch.context() as broken:
            broken.setattr(SqlLedger, where, lost)
            broken.setattr(SqlLedger, "failed", lambda *_, **__: None)  # a kill notes nothing
            assert asked(server.url, anna, sql=COUNT, eps=1, id=name).status_code == 500
        forgotten(server)
        for _ in range(2):
            found = fetched(server.url, anna, name)
            assert text(found) == told and found.status_code == {0: 400, 1: 409}[paid]
        assert server.service.data["shop"].db.budget.spent.exact.eps == paid
    assert rows(asked(server.url, anna, sql=COUNT, eps=1, id="1" * 32))
    assert asked(server.url, anna, sql=COUNT, eps=1, id="2" * 32).status_code in (200, 409)
    assert server.service.data["shop"].db.budget.spent.exact.eps == 2


def test_a_model_of_several_queries_is_fetched(server: Served) -> None:
    anna = server.headers("anna")
    model = "dp_poisson_regression(cost, [age], steps := 2)"
    sql = f"SELECT {model} FROM visits JOIN people ON id = person"
    first = asked(server.url, anna, sql=sql, eps=3, fresh=True, id="1" * 32)
    paid = server.service.data["shop"].db.budget.spent.exact.eps
    assert rows(first) and paid > 2.9
    for _ in range(2):
        forgotten(server)
        assert rows(fetched(server.url, anna, "1" * 32)) == rows(first)
    assert server.service.data["shop"].db.budget.spent.exact.eps == paid


def test_who_is_paused_or_revoked_meanwhile(server: Served) -> None:
    """Own answers that were charged may be looked at; nothing else is asked."""
    token = server.token("anna")
    anna = bearer(token)
    before = rows(asked(server.url, anna, sql=COUNT, eps=1, id="1" * 32))
    uncharged = Remembered.of(How("2" * 32), Question(COUNT, Fraction(1), None, {}))
    server.service.remembered.add("anna", "shop", uncharged)
    forgotten(server)
    assert rows(fetched(server.url, anna, "2" * 32)) == before  # as to ask it would be
    forgotten(server)
    server.service.principals.pause("anna", True)
    assert rows(fetched(server.url, anna, "1" * 32)) == before
    assert text(fetched(server.url, anna, "2" * 32)) == PAUSED
    forgotten(server)
    server.service.principals.revoke(token)
    assert fetched(server.url, anna, "1" * 32).status_code == 401


def test_the_audit_log_says_that_it_was_fetched(server: Served) -> None:
    anna = server.headers("anna")
    rows(asked(server.url, anna, sql=COUNT, eps=1, id="1" * 32))
    forgotten(server)
    rows(fetched(server.url, anna, "1" * 32))
    last = server.service.audit.lines(1)[0]
    assert (last["action"], last["verdict"], last["principal"]) == ("fetch", "reused", "anna")
    assert last["id"] == "1" * 32 and last["sql"] == COUNT


def test_what_is_fetched_is_in_the_history_of_the_console(server: Served) -> None:
    who = server.service.principals.known(server.token("anna"))
    assert who is not None
    rows(asked(server.url, server.headers("anna"), sql=COUNT, eps=1, id="1" * 32))
    forgotten(server)
    [found] = server.service.recent(who, "shop")
    assert (found.id, found.state, found.shown) == ("1" * 32, "earlier", COUNT)


def test_a_second_server_of_the_state(tmp_path: Path) -> None:
    """What was asked of one is fetched from the other."""
    made = config(tmp_path)
    with served(made) as one:
        anna = one.headers("anna")
        before = rows(asked(one.url, anna, sql=COUNT, eps=1, id="1" * 32))
        other = Service(made, opened(made))
        try:
            who = other.principals.known(anna["Authorization"].removeprefix("Bearer "))
            assert who is not None
            found = other.found(who, "shop", "1" * 32).future.result(30)[0]
            assert [list(row) for row in found.rows] == before and found.reused is not None
            with pytest.raises(InvalidArgument, match=ANOTHER):
                other.run(who, "shop", Question(COUNT, 2, None, {}), How("1" * 32))
        finally:
            other.close(5)


# --- what is kept, and how long ---


def question(name: str, sql: str = COUNT, **more: Any) -> Remembered:
    return Remembered.of(How(name, **more), Question(sql, Fraction(1, 3), 1e-7, {"noise": "auto"}))


def test_it_is_read_as_it_was_written(tmp_path: Path) -> None:
    kept, whole = (
        RememberedQueries(tmp_path, 60),
        question("a", fresh=True, typed="SELECT 'é\x00🙂'"),
    )
    kept.add("anna", "shop", whole)
    assert RememberedQueries(tmp_path, 60).find("anna", "shop", "a") == whole
    assert (tmp_path / remembered.FILE).stat().st_mode & 0o777 == 0o600
    for who, data, name in (("bob", "shop", "a"), ("anna", "other", "a"), ("anna", "shop", "b")):
        assert kept.find(who, data, name) is None
    assert kept.of("bob", "shop") == ()


def test_whoever_asks_much_forgets_his_own_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remembered, "MOST_KEPT", 3)
    kept = RememberedQueries(tmp_path, 60)
    kept.add("bob", "shop", question("b"))
    for n in range(5):
        kept.add("anna", "shop", question(str(n)))
    assert [one.id for one in kept.of("anna", "shop")] == ["2", "3", "4"]
    assert kept.find("bob", "shop", "b") is not None


def test_long_questions_are_not_heaped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembered, "MOST_BYTES", 3000)
    kept = RememberedQueries(tmp_path, 60)
    for n in range(5):
        kept.add("anna", "shop", question(str(n), "x" * 1000))
    assert [one.id for one in kept.of("anna", "shop")] == ["2", "3", "4"]


def test_it_is_kept_for_so_long(tmp_path: Path) -> None:
    now = [1000.0]
    kept = RememberedQueries(tmp_path, 60, clock=lambda: now[0])
    kept.add("anna", "shop", question("a"))
    now[0] = 1060.0
    assert kept.find("anna", "shop", "a") is not None
    now[0] = 1060.5
    assert kept.find("anna", "shop", "a") is None
    other = question("a", "SELECT 1")  # the id is free again
    kept.add("anna", "shop", other)
    assert kept.find("anna", "shop", "a") == other
    kept.add("bob", "shop", question("b"))
    with sqlite3.connect(tmp_path / remembered.FILE) as connection:
        assert connection.execute("SELECT COUNT(*) FROM asked").fetchone()[0] == 2


def test_what_another_version_wrote_is_not_there(tmp_path: Path) -> None:
    kept = RememberedQueries(tmp_path, 60)
    kept.add("anna", "shop", question("a"))
    with sqlite3.connect(tmp_path / remembered.FILE) as connection:
        connection.execute("UPDATE asked SET said = '[1, 2]'")
    assert kept.find("anna", "shop", "a") is None and kept.of("anna", "shop") == ()


def test_a_file_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / remembered.FILE).write_bytes(b"no database" * 1000)
    with pytest.raises(EngineError, match="cannot be noted"):
        RememberedQueries(tmp_path, 60)
