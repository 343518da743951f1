"""The console: what owners see and change, and analysts do not."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from dpsql import demo
from tests.serve.console.browsing import COUNT, OWNERS, OWNERS_OF_ALL, POSTS, Browser, _proof
from tests.support.console import Served


def test_pages_of_owners_are_refused_to_analysts(there: Served) -> None:
    anna, ben, boss = (Browser(there, name) for name in ("anna", "ben", "boss"))
    for path in (*OWNERS, *OWNERS_OF_ALL):
        made = anna.get(path)
        assert made.status_code == 403 and "for owners alone" in made.text
        assert "Principals" not in made.text
        assert boss.get(path).status_code == 200
    for path in OWNERS_OF_ALL:  # ben would give himself the other data
        assert ben.get(path).status_code == 403
    assert [ben.get(path).status_code for path in OWNERS] == [200, 200]
    assert ben.get("/policy/odd").status_code == 403
    assert ben.get("/ask/odd").status_code == 403
    before = there.service.principals.all()
    for browser in (anna, ben):
        for path in POSTS[-4:]:
            form = {"name": "anna", "role": "owner", "which": "anna", "paused": "yes"}
            assert browser.post(path, **form).status_code == 403, path
    assert there.service.principals.all() == before


def test_principals(there: Served) -> None:
    boss, people = Browser(there, "boss"), there.service.principals
    form = {"name": "eve", "role": "analyst", "data": "shop", "min_eps": "0.05"}
    made = boss.post("/principals/change", **form, cap="2", cap_on="shop")
    assert (made.status_code, made.headers["location"]) == (303, "/principals")
    boss.post("/principals/change", name="eve", cap="1/3", cap_on="*")
    assert {k: str(v[0]) for k, v in people.given("eve").items()} == {"shop": "2", "*": "1/3"}
    boss.post("/principals/change", name="eve", cap="none", cap_on="shop")
    assert list(people.given("eve")) == ["*"]
    found = people.named("eve")
    assert found is not None and found.data == {"shop"} and float(found.min_eps) == 0.05
    for said, usual in (("1/4", 0.25), ("", 0.25), ("0", None)):
        boss.post("/principals/change", name="eve", default_eps=said)
        assert people.named("eve").default_eps == usual  # type: ignore[union-attr]
        assert ("<td>0.25</td>" in boss.get("/principals").text) == (usual is not None)
    token = boss.post("/principals/token", name="eve", days="30").json()["token"]
    assert people.known(token) is not None
    page = boss.get("/principals").text
    assert token not in page and token.split("_", 2)[2] not in page
    assert token.split("_")[1] in page  # its id
    eve = Browser(there)
    eve.login(token)
    boss.post("/principals/pause", name="eve", paused="yes")
    assert "eve (paused)" in boss.get("/principals").text
    eve.proof = _proof(eve.get("/budget/shop").text)
    assert "has paused this principal" in eve.run(COUNT, "1").text
    boss.post("/principals/pause", name="eve", paused="no")
    low = eve.run(COUNT, "0.01")
    assert low.status_code == 400 and "least ε" in low.text
    boss.post("/principals/revoke", which=token.split("_")[1])
    assert eve.get("/ask/shop").status_code == 303
    log = boss.get("/audit?last=1000&all").text
    for action in ("login", "change", "token", "pause", "resume", "revoke"):
        assert f"<td>{action}</td>" in log, action
    assert (
        token.split("_", 2)[2] not in (Path(there.service.config.state) / "audit.jsonl").read_text()
    )


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("change", {"name": "a b"}),
        ("change", {"name": "eve2", "role": "king"}),
        ("change", {"name": "eve2", "cap": "x"}),
        ("change", {"name": "eve2", "default_eps": "-1"}),
        ("change", {"name": "eve2", "cap": "1", "cap_on": "none"}),
        ("change", {"name": "eve2", "data": "none"}),
        ("pause", {"name": "nobody"}),
        ("revoke", {"which": "nobody"}),
        ("revoke", {"which": "dpsql_0123456789abcdef_" + "x" * 43}),
        ("token", {"name": "nobody"}),
        ("token", {"name": "anna", "days": "0"}),
        ("token", {"name": "anna", "days": "²"}),
        ("token", {"name": "anna", "days": "99999999"}),
    ],
)
def test_changes_that_are_none(there: Served, path: str, form: dict[str, str]) -> None:
    before = there.service.principals.all(), there.service.principals.tokens()
    assert Browser(there, "boss").post(f"/principals/{path}", **form).status_code == 400
    assert (there.service.principals.all(), there.service.principals.tokens()) == before


def test_estimate_policy_and_check(there: Served) -> None:
    boss = Browser(there, "boss")
    page = boss.post("/estimate/shop", sql=f"{COUNT};\n-- eps: 0.2\n{demo.QUERY}", eps="0.1").text
    assert "2 queries: 2 released" in page and "one by one" in page
    many = boss.post("/estimate/shop", sql=";".join([COUNT] * 201), eps="0.1").text
    assert "a batch has at most 200 queries here" in many
    assert "unit: customers.customer_id" in boss.get("/policy/shop").text
    assert (
        "remark" in boss.get("/check/shop").text or "nothing is odd" in boss.get("/check/shop").text
    )


def test_other_addresses_are_still_the_interfaces(there: Served) -> None:
    client = TestClient(there.app)
    assert client.get("/v1/none").json()["error"]["type"] == "Refused"
    assert client.get("/health").json() == {"status": "ok"}
    paths = client.get("/openapi.json").json()["paths"]
    assert all(path.startswith(("/v1/", "/health", "/metrics")) for path in paths)
