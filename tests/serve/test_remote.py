"""The same database over HTTP: what it says is what the one on the spot says, word for word."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import wait
from fractions import Fraction
from time import monotonic
from typing import Any

import httpx
import pytest

import dpsql
from dpsql import dbapi
from dpsql.errors import DpsqlError, EngineError
from dpsql.report.result.formats import FORMATS
from dpsql.session.database import Database
from dpsql.session.remote.client import TOO_OFTEN, Client, _error
from dpsql.session.remote.database import RemoteDatabase
from tests.support.serving import Served

GROUPED = "SELECT town, COUNT(*) AS n, AVG(age) AS a FROM people GROUP BY town ORDER BY town"
QUERIES = (
    "SELECT COUNT(*) FROM people",
    GROUPED,
    "SELECT SUM(cost), MEDIAN(cost) FROM visits JOIN people ON id = person WHERE age > 18",
    "SELECT town, VAR_POP(age), COUNT(DISTINCT age) FROM people GROUP BY town HAVING COUNT(*) > 5",
    "SELECT RANK() OVER (ORDER BY n DESC) AS r, n, SQRT(n) FROM (SELECT country, "
    "COUNT(*) AS n FROM people JOIN towns ON town = name GROUP BY country) ORDER BY r",
    "SELECT COUNT(*) FROM visits WHERE day < CURRENT_DATE - INTERVAL 30 DAY",
    "SELECT * FROM towns ORDER BY name",
    "EXPLAIN SELECT COUNT(*) FROM people",
    "SHOW TABLES",
)
WRONG = (
    "SELECT * FROM people",
    "SELECT COUNT(*) FROM nobody",
    "SELECT COUNT(* FROM people",
    "SELECT id, COUNT(*) FROM people GROUP BY id",
    "",
)


@pytest.fixture
def both(server: Served) -> Iterator[tuple[Database, Database]]:
    """(here, there)."""
    here = server.service.data["shop"].db.asked_by("anna")
    with server.connect("anna") as there:
        yield here, there


def outcome(work: Callable[[], Any]) -> object:
    try:
        return str(work())
    except DpsqlError as error:
        return type(error), str(error), {k: v for k, v in vars(error).items() if not callable(v)}


@pytest.mark.parametrize("sql", QUERIES + WRONG)
@pytest.mark.one_in(3)
def test_explanations(both: tuple[Database, Database], sql: str) -> None:
    here, there = both

    def told(db: Database) -> list[object]:
        def explained() -> dpsql.Explanation:
            return db.explain(sql, Fraction(1, 3))

        return [
            outcome(explained),
            *(outcome(lambda w=w: getattr(explained(), w)) for w in ("tree", "sql", "certificate")),  # type: ignore[misc]
            outcome(lambda: explained().to_json()),
            outcome(lambda: explained().within(10) if "EXPLAIN" not in sql else ""),
        ]

    assert told(there) == told(here)


def test_prices(both: tuple[Database, Database]) -> None:
    here, there = both
    many = [sql for sql in QUERIES if not sql.startswith("SHOW")]
    assert str(there.estimate(many, 0.1)) == str(here.estimate(many, 0.1))
    assert there.calibrate(QUERIES[0], 5) == here.calibrate(QUERIES[0], 5)
    assert there.keeps_answers is here.keeps_answers is True
    assert outcome(lambda: there.estimate(WRONG[:2])) == outcome(lambda: here.estimate(WRONG[:2]))


@pytest.mark.parametrize("sql", QUERIES)
@pytest.mark.one_in(2)
def test_answers(both: tuple[Database, Database], sql: str) -> None:
    """A stored answer is given again, so that both have the same noise."""
    here, there = both
    first = there.run(sql, 2)
    again = here.run(sql, 2)
    assert first.rows == again.rows and first.types == again.types
    assert [list(map(type, row)) for row in first.rows] == [
        list(map(type, row)) for row in again.rows
    ]
    assert (first.reused, again.cost.eps) in ((None, 0), (again.reused, 0))
    for name in FORMATS:
        if name == "json":
            continue
        mine, theirs = ("".join(FORMATS[name](a, True)) for a in (there.run(sql, 2), again))
        assert mine == theirs
    for number, column in enumerate(first.columns):
        if first.columns.index(column) == number:
            assert first.interval(column, 0.5) == again.interval(column, 0.5)
    assert first.noisy == again.noisy and first.reasons == again.reasons
    assert str(first.explanation) == str(again.explanation)
    assert first.to_arrow(intervals=True) == again.to_arrow(intervals=True)


@pytest.mark.parametrize("sql", WRONG)
def test_what_is_refused(both: tuple[Database, Database], sql: str) -> None:
    here, there = both
    here.run_batch([QUERIES[0]], 1)  # an empty text is none of a batch: the other one is free then
    spent = here.budget.spent.exact
    assert outcome(lambda: there.run(sql, 1)) == outcome(lambda: here.run(sql, 1))
    assert outcome(lambda: there.run_batch([sql, QUERIES[0]], 1)) == outcome(
        lambda: here.run_batch([sql, QUERIES[0]], 1)
    )
    assert here.budget.spent.exact == spent


@pytest.mark.parametrize("eps", [0, -1, float("nan"), float("inf"), "1", None, 1e30, 1e-30, 2e6])
def test_amounts_that_are_none(both: tuple[Database, Database], eps: Any) -> None:
    here, _ = both
    spent = here.budget.spent.exact
    asked, told = (outcome(lambda db=db: db.run(QUERIES[0], eps, fresh=True)) for db in both)  # type: ignore[misc]
    assert isinstance(told, tuple) and isinstance(asked, tuple) and told[0] is asked[0]
    assert here.budget.spent.exact == spent


@pytest.mark.parametrize("timeout", [float("nan"), float("inf"), 0, -1])
def test_a_timeout_that_is_none(both: tuple[Database, Database], timeout: float) -> None:
    here, there = both
    assert outcome(lambda: there.run(QUERIES[0], 1, timeout=timeout)) == outcome(
        lambda: here.run(QUERIES[0], 1, timeout=timeout)
    )


def test_a_closed_one_says_so(server: Served) -> None:
    db = server.connect("closer")
    db.close()
    with pytest.raises(EngineError, match=r"\Athe database is closed\Z"):
        db.run("SELECT COUNT(*) FROM people", 1)


@pytest.mark.parametrize(
    "wish",
    [
        {"noise": "gaussian", "delta": 1e-7},
        {"clipping": "adaptive"},
        {"weights": {"n": 3.0}},
        {"dialect": "bigquery"},
        {"noise": "none"},
        {"clipping": 3},
        {"weights": {"n": -1.0}},
        {"dialect": "klingon"},
        {"fresh": True},
    ],
)
def test_wishes(both: tuple[Database, Database], wish: dict[str, Any]) -> None:
    free = {k: v for k, v in wish.items() if k != "fresh"}
    first, second = (outcome(lambda db=db: db.explain(GROUPED, 0.7, **free)) for db in both)  # type: ignore[misc]
    if isinstance(first, tuple):
        assert isinstance(second, tuple) and first[0] is second[0]
    else:
        assert first == second
        assert both[1].run(GROUPED, 0.7, **{**wish, "fresh": True}).reused is None


def test_exact_amounts(both: tuple[Database, Database]) -> None:
    here, there = both
    before = here.budget.spent.exact.eps
    answer = there.run("SELECT SUM(age) FROM people", Fraction(1, 3), fresh=True)
    assert answer.cost.exact.eps == Fraction(1, 3)
    assert here.budget.spent.exact.eps - before >= Fraction(1, 3)


def test_batches(both: tuple[Database, Database]) -> None:
    here, there = both
    made = there.run_batch(f"-- eps: 0.5\n{QUERIES[0]};\n{GROUPED}", 0.25, fresh=True)
    assert [str(a.explanation.cost) for a in made] == ["ε = 0.5", "ε = 0.25"]
    assert made.cost.exact.eps == Fraction(3, 4)
    again = here.run_batch(f"-- eps: 0.5\n{QUERIES[0]};\n{GROUPED}", 0.25)
    assert [a.rows for a in again] == [a.rows for a in made]
    named = there.run_batch({"one": QUERIES[0]}, 0.1)
    assert len(named) == 1


def test_the_account(both: tuple[Database, Database]) -> None:
    here, there = both
    answer = there.run("SELECT COUNT(*) FROM visits WHERE cost > 1", 0.1, idempotency_key="mine")
    assert there.stored("SELECT COUNT(*) FROM visits WHERE cost > 1", 0.1)
    line, own = there.charged("mine"), here.charged("mine")
    assert line is not None and line == own and there.charged("nobody's") is None
    again = there.run("SELECT COUNT(*) FROM visits WHERE cost > 1", 0.1, idempotency_key="mine")
    assert again.rows == answer.rows and again.cost.eps == 0
    budget, seen = there.budget, here.budget.seen_by("anna")
    assert str(budget) == str(seen) and budget.to_json() == seen.to_json()
    assert budget.to_html() == seen.to_html() and budget.to_csv() == seen.to_csv()
    assert {x.analyst for x in budget.history} == {"anna"}


def test_other_clients(server: Served) -> None:
    """The DB-API, and a picture, as of any database."""
    with server.connect("anna") as there:
        with dbapi.connect(there, eps=0.5) as connection:
            cursor = connection.cursor()
            cursor.execute("SELECT town, COUNT(*) FROM people WHERE age > ? GROUP BY town", (3,))
            assert len(cursor.fetchall()) == 3
        there.explain(GROUPED, 1).plot()
        there.run(GROUPED, 1).plot()
        assert there.tables == server.service.data["shop"].db.tables
        assert there.analyst == "anna"


def test_the_db_api_opens_a_server(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its URL and a token, said or in the environment, as `dpsql.connect` does."""
    url, token = f"{server.url}/shop", server.token("cursory")
    sql = "SELECT COUNT(*) AS n FROM people WHERE age < 9"
    with dbapi.connect(url, token=token, eps=0.5) as connection:
        (row,) = connection.execute(sql).fetchall()
        (line,) = connection.database.budget.history
        assert len(row) == 1 and line.analyst == "cursory" and line.cost.eps == 0.5
    with pytest.raises(dbapi.Error, match="closed"):
        connection.execute(sql)
    monkeypatch.setenv("DPSQL_TOKEN", token)
    with dbapi.connect(url, eps=0.5) as connection:
        assert connection.execute(sql).fetchall() == [row]
    for wrong in ({"token": "nobody"}, {"policy": "shop.yaml"}, {"analyst": "anna"}):
        with pytest.raises(dbapi.Error, match="token"):
            dbapi.connect(url, eps=0.5, **wrong)
    with pytest.raises(dbapi.InterfaceError, match="belong to data to be opened"):
        dbapi.connect(server.service.data["shop"].db, eps=0.5, token=token)


def test_nothing_of_a_local_database_is_reached() -> None:
    """Each public name is this class's own, but for what is made of these alone."""
    of_base = {name for name, _ in inspect.getmembers(Database) if not name.startswith("_")}
    made = {"analyst", "tables", "explain_fit", "fit", "score"}
    assert of_base - set(vars(RemoteDatabase)) == made


def test_what_is_the_owners(both: tuple[Database, Database]) -> None:
    for work in (
        both[1].verify,
        lambda: both[1].prepare("x"),
        lambda: both[1].asked_by("boss"),
    ):
        with pytest.raises(dpsql.InvalidArgument):
            work()


def test_urls_and_tokens(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DPSQL_TOKEN", raising=False)
    with pytest.raises(dpsql.InvalidArgument, match="a server needs a token"):
        dpsql.connect(f"{server.url}/shop")
    token = server.token("anna")
    monkeypatch.setenv("DPSQL_TOKEN", token)
    with dpsql.connect(server.url) as db:  # the only data set
        assert db.run(QUERIES[0], 1).rows
    for url, told in (
        ("http://example.org/shop", "a token goes over https:// alone"),
        (server.url.replace("//", "//user:secret@"), "a token is no part of a URL"),
        ("https://", "a server is named by its URL|no part of a URL"),
    ):
        with pytest.raises(dpsql.InvalidArgument, match=told) as caught:
            dpsql.connect(url)
        assert "secret" not in str(caught.value)
    with pytest.raises(dpsql.EngineError, match="cannot be reached"):
        dpsql.connect("http://127.0.0.1:9/shop")
    with pytest.raises(dpsql.InvalidArgument, match="decides itself"):
        dpsql.connect(f"{server.url}/shop", "policy.yaml")
    with pytest.raises(dpsql.InvalidArgument, match="a token is for a dpsql server"):
        dpsql.connect("shop.duckdb", "policy.yaml", token=token)
    with pytest.raises(dpsql.AccessDenied, match="does not know this token"):
        dpsql.connect(server.url, token="dpsql_0123456789abcdef_" + "a" * 43)
    with pytest.raises(dpsql.AccessDenied, match="there is no such data set"):
        dpsql.connect(f"{server.url}/other")


def test_another_version(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpsql.session.remote.database.SOFTWARE", "0.0.1")
    with pytest.raises(dpsql.EngineError, match=r"the server is dpsql .*, and this is 0\.0\.1"):
        server.connect("anna")


@pytest.fixture
def slow(server: Served, monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Queries take until this is set, or they are stopped."""
    go, run = threading.Event(), Database.run

    def slowly(self: Database, *given: Any, **more: Any) -> Any:
        stop = more.get("stop")
        while not go.is_set():
            if stop is not None and stop.wait(0.01):
                raise KeyboardInterrupt
        return run(self, *given, **more)

    monkeypatch.setattr(Database, "run", slowly)
    return go


def test_a_query_that_is_stopped(server: Served, slow: threading.Event) -> None:
    with server.connect("anna") as there:
        stop = threading.Event()
        threading.Timer(0.3, stop.set).start()
        began = monotonic()
        with pytest.raises(KeyboardInterrupt):
            there.run("SELECT COUNT(*) FROM people WHERE age > 7", 1, stop=stop)
        assert monotonic() - began < 20
        [asked] = [a for a in server.service.asked.all() if a.stop.is_set()]
        with pytest.raises(dpsql.RequestExists, match="the query was stopped"):
            asked.future.result(20)
        slow.set()


def test_a_network_that_fails_once(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer was lost on its way: it is asked for again, and charged once."""
    said, lost = Client._said, []

    def failing(self: Client, method: str, path: str, *more: Any) -> Any:
        found = said(self, method, path, *more)
        if path.endswith("/run") and not lost:
            lost.append(found)
            raise dpsql.EngineError("the server cannot be reached, or does not answer")
        return found

    monkeypatch.setattr(Client, "_said", failing)
    with server.connect("anna") as there:
        before = there.budget.spent.exact.eps
        answer = there.run("SELECT COUNT(*) FROM people WHERE age > 8", 1)
        assert there.budget.spent.exact.eps - before == 1 and answer.cost.eps == 1
        assert lost


def test_what_waits_is_fetched(server: Served, slow: threading.Event) -> None:
    """By its id, by the one who asked; others see nothing."""
    mine, others = server.headers("anna"), server.headers("eve")
    where = f"{server.url}/v1/data/shop"
    name = "0" * 31 + "7"
    asked = {"sql": "SELECT COUNT(*) FROM people WHERE age > 9", "eps": 1, "id": name, "wait": 0}
    first = httpx.post(f"{where}/run", json=asked, headers=mine)
    assert first.status_code == 202 and first.json()["id"] == name
    assert httpx.get(f"{where}/queries/{name}", headers=mine).status_code == 202
    for method in ("GET", "DELETE"):
        found = httpx.request(method, f"{where}/queries/{name}", headers=others)
        assert found.status_code == 403 and "no query of yours" in found.text
    assert httpx.get(f"{where}/queries", headers=others).json() == []
    other = httpx.post(f"{where}/run", json={**asked, "eps": 2}, headers=mine)
    assert other.status_code == 400 and "another query was asked under this id" in other.text
    slow.set()
    done = httpx.get(f"{where}/queries/{name}", params={"wait": 30}, headers=mine)
    assert done.status_code == 200 and done.json()["state"] == "done"
    again = httpx.post(f"{where}/run", json=asked, headers=mine)
    assert again.json()["answer"] == done.json()["answer"]


def test_what_goes_wrong_here_does_not_say_that_nothing_was_charged_there(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = server.connect("astray")
    monkeypatch.setattr(db, "_post", lambda *_: {})
    with pytest.raises(dpsql.InternalError, match="what was charged stays charged"):
        db.run("SELECT COUNT(*) FROM people", 1)


def test_a_query_goes_on_while_its_asker_is_not_heard(
    server: Served, slow: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who asks too often is told so; what was asked before is neither lost nor asked again."""
    get, refused = Client.get, []

    def busy(self: Client, path: str, **asked: str) -> Any:
        if "/queries/" in path and len(refused) < 3:
            refused.append(path)
            slow.set()
            raise dpsql.RateExceeded(f"{TOO_OFTEN}the next is heard in 0 s", 0.01)
        return get(self, path, **asked)

    monkeypatch.setattr(Client, "get", busy)
    with server.connect("anna") as there:
        before = there.budget.spent.exact.eps
        there.run("SELECT COUNT(*) FROM people WHERE age > 11", 1, stop=threading.Event())
        assert len(refused) == 3 and there.budget.spent.exact.eps - before == 1


def test_a_charge_that_was_refused_ends_the_query(
    server: Served, slow: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That is said in the same class, and is no reason to ask on."""

    def refused(*_: Any, **__: Any) -> Any:
        raise dpsql.RateExceeded("too many charges in too short a time", 0.0)

    with server.connect("anna") as there:
        monkeypatch.setattr(Client, "get", refused)
        with pytest.raises(dpsql.RateExceeded, match="charges"):
            there.run("SELECT COUNT(*) FROM people WHERE age > 12", 1, stop=threading.Event())
    slow.set()
    over = wait((asked.future for asked in server.service.asked.all()), 30)
    assert not over.not_done  # or its charge falls into the next test


def test_what_is_to_be_free_is_free_or_not_answered(both: tuple[Database, Database]) -> None:
    sql = "SELECT COUNT(*) FROM people WHERE age > 13"
    for db in both:
        before = db.budget.spent.exact.eps
        with pytest.raises(dpsql.BudgetExceeded, match="nothing was charged"):
            db.run(sql, 1, free=True)
        with pytest.raises(dpsql.BudgetExceeded, match="nothing was charged"):
            db.run_batch([sql], 1, free=True)
        assert db.budget.spent.exact.eps == before
        assert db.run("SELECT * FROM towns", 1, free=True).cost.eps == 0
    paid = both[1].run(sql, 1)
    for db in both:
        assert db.run(sql, 1, free=True).rows == paid.rows


def test_a_server_does_not_steer_the_terminal() -> None:
    for kind in ("Rejected", "EngineError", "PolicyError"):
        told = {"raised": {"type": kind, "text": "no\x1b[2J\u202e", "state": None}}
        assert str(_error(told, 422)) == "no\\x1b[2J\\u202e"
