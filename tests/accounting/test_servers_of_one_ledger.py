"""Servers of several machines, each with a state and a second place of its own, on one ledger."""

from __future__ import annotations

import signal
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

import dpsql
from dpsql.serve.principals import Principals
from tests.serve.test_process import running
from tests.support.serving import POLICY, files

MOST = 15
YAML = """
data:
  shop: {{data: shop.duckdb, policy: shop.yaml, ledger: '{ledger}', workers: 1}}
state: state-{name}
http: {{port: 0}}
"""


def test_they_charge_one_budget_exactly(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of forty queries that two servers are asked at once, as many are granted as there is ε for;
    and what one answered under an id, the other gives again.
    """
    files(tmp_path, POLICY.replace("eps: 1000000", f"account: shop, eps: {MOST}"))
    tokens: dict[str, str] = {}
    for name in "ab":
        (tmp_path / f"{name}.yaml").write_text(YAML.format(ledger=database, name=name))
        people = Principals(tmp_path / f"state-{name}")
        people.add("anna")
        tokens[name] = people.new_token("anna")

    def ask(number: int) -> str:
        name = "ab"[number % 2]
        said = {"sql": f"SELECT COUNT(*) FROM people WHERE age > {number}", "eps": 1}
        said["id"] = f"{number:032x}"
        at = f"{urls[name]}/v1/data/shop/run"
        who = {"Authorization": f"Bearer {tokens[name]}"}
        found = httpx.post(at, headers=who, json=said, timeout=120)
        if found.status_code == 200:
            answers[number] = found.json()["answer"]["rows"]
            return "answered"
        return str(found.json()["error"]["type"])

    urls: dict[str, str] = {}
    answers: dict[int, object] = {}
    monkeypatch.setenv("DPSQL_STATE", str(tmp_path / "second-a"))
    with running(tmp_path, "--config", "a.yaml") as one:
        monkeypatch.setenv("DPSQL_STATE", str(tmp_path / "second-b"))
        with running(tmp_path, "--config", "b.yaml") as other:
            urls |= {"a": one.url, "b": other.url}
            with ThreadPoolExecutor(6) as pool:
                assert Counter(pool.map(ask, range(40))) == {
                    "answered": MOST,
                    "BudgetExceeded": 40 - MOST,
                }
            one.end(signal.SIGKILL)
            urls["a"], tokens["a"] = other.url, tokens["b"]
            before = dict(answers)
            assert {ask(number) for number in before} == {"answered"} and answers == before
            with dpsql.connect(f"{other.url}/shop", token=tokens["b"]) as db:
                keys = [line.charge.entry.request for line in db.budget.history]
                assert sorted(keys) == sorted(f"id-{number:032x}" for number in before)
                assert db.budget.spent.exact.eps == MOST
