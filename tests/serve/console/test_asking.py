"""The console: asking, its cost, and stopping."""

from __future__ import annotations

import threading
from typing import Any

from starlette.testclient import TestClient

from dpsql.serve.console import query_page
from tests.serve.console.browsing import COUNT, Browser
from tests.serve.console.test_texts import harmless
from tests.support.console import Served


def test_a_verdict_while_it_is_typed(there: Served) -> None:
    browser = Browser(there, "boss")

    def verdict(sql: str, eps: str = "0.5", cursor: int | None = None) -> Any:
        at = str(len(sql) if cursor is None else cursor)
        return browser.post("/ask/shop/verdict", sql=sql, eps=eps, cursor=at).json()

    found = verdict(COUNT)
    assert found["kind"] == "accepted" and found["words"][0] == "costs ε = 0.5"
    assert found["words"][1].startswith("n ± ")
    assert verdict(f"-- eps: 0.25\n{COUNT}")["words"][0] == "costs ε = 0.25"
    assert verdict("SELECT COUNT(*) FROM ord")["kind"] == "unfinished"
    assert verdict("")["kind"] == "idle"
    assert verdict("SELECT * FROM regions")["kind"] == "public"
    assert verdict(COUNT, "1000")["kind"] == "too little"
    assert verdict(COUNT, "x")["kind"] == "unknown"
    wrong = verdict(f"{COUNT} WHERE '😀' = nope;")
    assert wrong["kind"] == "rejected" and wrong["words"][0].startswith("DP")
    mark = wrong["marks"][0]
    text = f"{COUNT} WHERE '😀' = nope".encode("utf-16-le")
    assert text[2 * mark["from"] : 2 * mark["to"]].decode("utf-16-le") == "nope"


def test_places_are_counted_as_browsers_do() -> None:
    text = "a😀b"
    assert [query_page._letters(text, str(n)) for n in (0, 1, 3, 4, 9)] == [0, 1, 2, 3, 3]
    assert query_page._letters(text, "x") == query_page._letters(text, "") == 3
    assert query_page._units(text) == 4


def test_what_can_come_next(there: Served) -> None:
    browser = Browser(there, "anna")
    sql = "SELECT '😀', COUNT(*) FROM ord"
    found = browser.post("/ask/shop/proposals", sql=sql, cursor=str(len(sql) + 1)).json()
    assert [one["label"] for one in found] == ["orders", "order_lines"]
    assert found[0]["from"] == len(sql) + 1 - 3


def test_an_answer_its_cost_and_its_history(there: Served) -> None:
    browser = Browser(there, "anna")
    sql = "SELECT channel, COUNT(*) AS n FROM orders GROUP BY channel ORDER BY channel"
    told = browser.answer(sql, "0.2").json()
    assert told["state"] == "done" and "±" in told["html"]
    assert told["html"].count('class="series-0"') == 4 and 'class="reach"' in told["html"]
    again = browser.answer(sql, "0.2").json()
    assert "free: the answer of charge" in again["html"]
    page = browser.get("/history/shop").text
    assert page.count("free: the answer of charge") == 1 and "GROUP BY channel" in page
    assert "0.2 of ε = 1, δ = 1e-6 used" in browser.get("/budget/shop").text
    browser.run(sql, "0.2", fresh="true")
    told = browser.post("/ask/shop/answer", id=browser.last).json()
    assert told["state"] == "done" and "free" not in told["html"]
    harmless(told["html"])


def test_the_comment_above_a_query_is_what_is_charged(there: Served) -> None:
    browser = Browser(there, "boss")
    told = browser.answer(f"-- eps: 0.03\n{COUNT} WHERE gift;", "0.5").json()
    assert "ε = 0.03" in told["html"]
    last = there.service.history(there.service.principals.named("boss"), "shop").lines[-1]
    assert float(last.cost.eps) == 0.03 and last.entry.analyst == "boss"


def test_more_than_the_cap(there: Served) -> None:
    browser = Browser(there, "anna")
    found = browser.post("/ask/shop/verdict", sql=COUNT, eps="3", cursor="0").json()
    assert found["kind"] == "too little" and "the cap of anna" in found["words"][1]
    told = browser.answer(COUNT, "3")
    assert told.status_code == 402 and "the cap of anna" in told.json()["error"]["text"]
    assert browser.answer("SELECT email FROM customers").status_code == 422


def test_stopping(there: Served) -> None:
    browser, other = Browser(there, "anna"), Browser(there, "boss")
    gate = threading.Event()
    held = [there.service.queue.ask(f"other{n}", gate.wait) for n in range(2)]
    try:
        assert browser.run(COUNT, "0.011").json() == {"state": "waiting"}
        again = browser.post("/ask/shop/run", sql=COUNT, eps="0.011", id=browser.last)
        assert again.status_code == 200 and there.service.queue.length == 1  # once
        for path in ("stop", "answer"):  # it is nobody else's
            assert other.post(f"/ask/shop/{path}", id=browser.last).status_code == 403
        assert browser.post("/ask/shop/stop", id=browser.last).json() == {"state": "stopping"}
        told = browser.post("/ask/shop/answer", id=browser.last)
        assert told.status_code == 400 and "nothing was charged" in told.json()["error"]["text"]
    finally:
        gate.set()
        for future in held:
            future.result(10)


def test_a_batch_has_no_page_but_a_line(there: Served) -> None:
    bearer = {"authorization": f"Bearer {there.tokens['boss']}"}
    name = "a" * 32
    body = {"queries": ["SELECT COUNT(*) FROM orders"], "eps": 0.01, "id": name}
    made = TestClient(there.app).post("/v1/data/shop/batch", headers=bearer, json=body)
    assert made.status_code == 200
    browser = Browser(there, "boss")
    assert browser.post("/ask/shop/answer", id=name).status_code == 400
    assert "SELECT COUNT(*) FROM orders" in browser.get("/history/shop").text
