"""The interface for programs that are not this library: JSON, Arrow, counts."""

from __future__ import annotations

import io
import threading
from pathlib import Path
from typing import Any

import httpx
import pyarrow.ipc
import pytest

from dpsql.errors import EngineError
from dpsql.platform.ledger.sql_ledger import SqlLedger
from dpsql.serve.api import ARROW
from tests.support.serving import Served, config, served

COUNT = {"sql": "SELECT town, COUNT(*) AS n FROM people GROUP BY town ORDER BY town", "eps": 1}


@pytest.fixture
def http(server: Served) -> httpx.Client:
    return httpx.Client(base_url=server.url, headers=server.headers("anna"), timeout=60)


def test_a_query_as_json(http: httpx.Client) -> None:
    with http:
        told = http.post("/v1/data/shop/explain", json=COUNT).json()
        assert told["cost"] == {"eps": 1.0, "delta": 0.0} and told["releases"][0]["l1"] == 1
        found = http.post("/v1/data/shop/run", json=COUNT).json()
        assert set(found) == {"id", "state", "answer"} and found["state"] == "done"
        answer = found["answer"]
        assert answer["columns"] == ["town", "n"] and [r[0] for r in answer["rows"]] == list("abc")
        assert answer["intervals"][0] == [None, 3.0]
        again = http.post("/v1/data/shop/run", json=COUNT).json()["answer"]
        assert again["rows"] == answer["rows"] and again["cost"]["eps"] == 0
        assert http.post("/v1/data/shop/stored", json=COUNT).json() in (
            {"stored": True},
            {"stored": False},
        )


def test_how_far_off_it_will_be(server: Served, http: httpx.Client) -> None:
    """Each column as `estimate` says it, plain counts too; of a model there is none."""
    asked = {"sql": "SELECT AVG(age) AS a, COUNT(*) AS n, SUM(age) AS s FROM people", "eps": 1}
    (priced,) = server.service.data["shop"].db.estimate(asked["sql"], 1).entries
    fit = {"sql": "SELECT dp_linear_regression(cost, [cost * 2]) FROM visits", "eps": 1}
    with http:
        told = http.post("/v1/data/shop/explain", json=asked).json()
        assert told["columns"] == [column.to_dict() for column in priced.columns]
        assert [column["name"] for column in told["columns"]] == ["a", "n", "s"]
        assert http.post("/v1/data/shop/explain", json=fit).json()["columns"] == []


def test_arrow(http: httpx.Client) -> None:
    with http:
        response = http.post("/v1/data/shop/run", json=COUNT, headers={"Accept": ARROW})
        assert response.headers["content-type"] == ARROW
        table = pyarrow.ipc.open_stream(io.BytesIO(response.content)).read_all()
        assert table.column_names == ["town", "n", "n_low", "n_high"]
        error = http.post(
            "/v1/data/shop/run",
            json={"sql": "SELECT * FROM people", "eps": 1},
            headers={"Accept": ARROW},
        )
        assert error.status_code == 422 and error.json()["error"]["problems"][0]["code"] == "DP401"


def test_a_batch_and_the_account(http: httpx.Client) -> None:
    with http:
        asked = {
            "queries": ["SELECT COUNT(*) FROM people", "SELECT SUM(age) FROM people"],
            "eps": 0.5,
        }
        found = http.post("/v1/data/shop/batch", json=asked).json()
        assert len(found["answer"]) == 2
        budget = http.get("/v1/data/shop/budget").json()
        assert budget["total"]["eps"] == 1e6 and budget["spent"]["eps"] > 0
        history = http.get("/v1/data/shop/history").json()
        assert history and {line["analyst"] for line in history} == {"anna"}
        tables = http.get("/v1/data/shop/tables").json()
        assert tables["tables"]["people"]["columns"]["age"] == "INTEGER"
        assert tables["unit"] == "people.id"


def test_who_may_see_what(server: Served, http: httpx.Client) -> None:
    with http:
        assert http.get("/v1/about").json()["analyst"] == "anna"
        assert http.post("/v1/data/shop/run", json=COUNT).status_code == 200
        for path in ("/metrics", "/v1/audit"):
            refused = http.get(path)
            assert refused.status_code == 403 and "owners" in refused.json()["error"]["text"]
        owner = server.headers("boss", role="owner")
        text = http.get("/metrics", headers=owner).text
        assert 'dpsql_queries{data="shop"' in text and 'dpsql_budget_eps{data="shop"' in text
        assert http.get("/v1/audit", params={"last": 5}, headers=owner).json()
        some = server.headers("part", role="owner", data=frozenset({"shop"}))
        assert http.get("/v1/audit", headers=some).status_code == 403
        every = http.get("/v1/data/shop/history", headers=owner).json()
        assert {"anna"} <= {line["analyst"] for line in every}


def test_pages_without_a_login(server: Served) -> None:
    assert httpx.get(f"{server.url}/health").json() == {"status": "ok"}
    found = httpx.get(f"{server.url}/openapi.json").json()
    assert "/v1/data/{data}/run" in found["paths"]
    for route, methods in found["paths"].items():
        for method in methods:
            if route == "/health":
                continue
            path = route.replace("{data}", "shop").replace("{name}", "a").replace("{digest}", "a")
            refused = httpx.request(method, server.url + path)
            assert refused.status_code in (401, 422, 400), route
            assert refused.status_code == 401 or method == "post"


def test_health_is_that_of_the_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that cannot be read, or says nothing in time, is told; and nothing else of it is."""
    monkeypatch.setattr("dpsql.serve.health.FRESH", 0.0)
    monkeypatch.setattr("dpsql.serve.api.PATIENCE", 0.5)
    with served(config(tmp_path)) as made:
        url, there, asked = f"{made.url}/health", threading.Event(), [0]

        def broken(*_: object) -> None:
            raise EngineError("postgresql://owner:secret@ledger is not there")

        def hung(*_: object) -> None:
            asked[0] += 1
            there.wait(60)
            raise EngineError("too late")

        read = SqlLedger._read
        for how in (broken, hung):
            assert httpx.get(url).json() == {"status": "ok"}
            monkeypatch.setattr(SqlLedger, "_read", how)
            for _ in range(3):
                found = httpx.get(url, timeout=30)
                assert (found.status_code, found.json()) == (503, {"status": "unavailable"})
            monkeypatch.setattr(SqlLedger, "_read", read)
        assert asked == [1]  # those who came later waited for the first
        there.set()
        while httpx.get(url).status_code != 200:
            pass


def test_headers(server: Served) -> None:
    for path in ("/health", "/v1/about", "/nothing"):
        headers = httpx.get(server.url + path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert "server" not in headers


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({}, "sql: Field required"),
        ({"sql": "SELECT COUNT(*) FROM people"}, 'the query has no ε: give "eps"'),
        ({"sql": 3}, "sql: Input should be a valid string"),
        ({"sql": "x", "eps": 1, "epz": 1}, "epz: Extra inputs are not permitted"),
        ({"sql": "x", "eps": 1, "noise": "none"}, "noise: Input should be 'auto'"),
        ({"sql": "SELECT COUNT(*) FROM people", "eps": "1e999999999"}, "ε is out of range"),
        ({"sql": "SELECT COUNT(*) FROM people", "eps": "1e-400"}, "ε is out of range"),
        ({"sql": "SELECT COUNT(*) FROM people", "eps": "1/0"}, "'1/0' is no ε"),
        ({"sql": "SELECT COUNT(*) FROM people", "eps": "1.5/2"}, "'1.5/2' is no ε"),
        ({"sql": "SELECT COUNT(*) FROM people", "eps": "9" * 201}, "ε has too many digits"),
        ({"sql": "SELECT COUNT(*) FROM people", "eps": "NaN"}, "ε must be finite"),
        ({"sql": "SELECT COUNT(*) FROM people", "eps": True}, "eps"),
        ({"sql": "SELECT COUNT(*) FROM people", "eps": 1, "delta": False}, "delta"),
        (
            {"sql": "SELECT COUNT(*) FROM people", "eps": 1, "delta": "-1e-9"},
            "δ must be at least 0",
        ),
        ({"sql": "SELECT COUNT(*) FROM people", "eps": -1}, "ε must be positive"),
        ({"sql": "SELECT COUNT(*) FROM people", "eps": [1]}, "eps"),
        (
            {"sql": "SELECT COUNT(*) FROM people", "eps": 1, "id": "../../etc"},
            "id: String should match",
        ),
        ({"sql": "SELECT COUNT(*) FROM people", "eps": 1, "timeout": -1}, "a timeout is"),
        (
            {"sql": "SELECT COUNT(*) FROM people", "eps": 1, "wait": 1e9},
            "wait: Input should be less",
        ),
        (
            {"sql": "SELECT COUNT(*) FROM people", "eps": 1, "idempotency_key": "x" * 201},
            "idempotency_key",
        ),
        ({"sql": "SELECT COUNT(*) FROM people", "eps": 1, "dialect": "klingon"}, "klingon"),
        ({"sql": "x" * 1_000_001}, "large|at most 1000000"),
    ],
)
def test_bodies_that_are_none(http: httpx.Client, asked: dict[str, Any], told: str) -> None:
    import re

    with http:
        found = http.post("/v1/data/shop/run", json=asked)
        assert 400 <= found.status_code < 500
        assert re.search(told, found.json().get("error", {}).get("text", "")), found.text
        assert "Traceback" not in found.text


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("run", r'{"sql": "SELECT COUNT(*) FROM people", "eps": 1, "weights": {"\ud800": 1}}'),
        ("run", r'{"sql": "SELECT 1", "eps": 1, "\ud800": 1}'),
        ("run", r'{"sql": "SELECT 1", "eps": 1, "then": [[{"sql": "\udfff", "eps": 1}]]}'),
        ("explain", r'{"sql": "SELECT COUNT(*) FROM people", "weights": {"\ud800": 1}}'),
        ("batch", r'{"queries": ["\ud800"], "eps": 1}'),
        ("batch", r'{"queries": {"\ud800": "SELECT 1"}, "eps": 1}'),
        ("charged", r'{"idempotency_key": "\ud800"}'),
    ],
)
def test_half_a_character_is_refused(http: httpx.Client, path: str, body: str) -> None:
    """JSON can name it, and no line of a log."""
    with http:
        json = {"content-type": "application/json"}
        found = http.post(f"/v1/data/shop/{path}", content=body, headers=json)
        assert found.status_code in (400, 422), found.text


def test_exact_amounts(http: httpx.Client) -> None:
    with http:
        asked = {"sql": "SELECT COUNT(*) FROM people WHERE age > 44", "eps": "1/3"}
        assert http.post("/v1/data/shop/run", json=asked).status_code == 200
        last = http.get("/v1/data/shop/history").json()[-1]
        assert last["exact"]["eps"] == "1/3" if "exact" in last else last["cost"]["eps"] > 0.333


def test_metrics_of_data_that_one_may_not_see(server: Served) -> None:
    server.connect().explain("SELECT COUNT(*) FROM people")
    path = f"{server.url}/metrics"
    assert 'data="shop"' in httpx.get(path, headers=server.headers("all", role="owner")).text
    few = server.headers("few", role="service", data=frozenset({"other"}))
    found = httpx.get(path, headers=few)
    assert found.status_code == 200 and "shop" not in found.text
