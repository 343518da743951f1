"""What is kept of what was asked: each principal's own, of which the others have no part."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

import httpx
import pytest

from dpsql.serve import asked as module
from dpsql.serve.asked import MOST_BYTES, MOST_KEPT, Asked, AskedQueries
from tests.support.serving import Served


def ended(name: str, analyst: str = "anna", at: float = 0.0, size: int = 0) -> Asked:
    future: Future[Any] = Future()
    future.set_result(None)
    return Asked(name, analyst, "shop", name, size=size, future=future, ended=at)


def test_whoever_asks_much_forgets_his_own_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "monotonic", lambda: 1e6)
    kept = AskedQueries(1e9)
    kept.add(ended("b", "bob", 1.0))
    for n in range(MOST_KEPT + 100):
        kept.add(ended(str(n), at=2.0 + n))
    assert kept.find("bob", "shop", "b") is not None
    assert kept.find("anna", "shop", "99") is None and kept.find("anna", "shop", "100") is not None


def test_what_ended_last_is_kept_though_it_was_asked_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "monotonic", lambda: 1e6)
    kept = AskedQueries(1e9)
    kept.add(ended("long", at=9e5))
    for n in range(MOST_KEPT):
        kept.add(ended(str(n), at=2.0 + n))
    assert kept.find("anna", "shop", "long") is not None


def test_large_answers_are_not_heaped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "monotonic", lambda: 1e6)
    kept = AskedQueries(1e9)
    kept.add(ended("b", "bob", 1.0, MOST_BYTES // 2))
    for n in range(5):
        kept.add(ended(str(n), at=2.0 + n, size=MOST_BYTES - 1))
    assert [a.id for a in kept.of("anna", "shop")] == ["4"]
    assert kept.find("bob", "shop", "b") is not None


def test_the_size_of_an_answer_is_known(server: Served) -> None:
    headers = server.headers("large")
    sql = f"SELECT a.name || '{'x' * 5000}' AS z FROM towns a, towns b, towns c, towns d"
    asked = {"sql": sql, "eps": 1, "id": "e" * 32}
    assert httpx.post(f"{server.url}/v1/data/shop/run", headers=headers, json=asked).is_success
    [found] = server.service.asked.of("large", "shop")
    assert 81 * 5000 < found.size < 81 * 6000 and len(found.text) == 64
