"""The console's sessions: how they begin and end, and that nothing is told without one."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from dpsql.errors import AccessDenied
from dpsql.serve.config import HttpConfig, TlsConfig
from dpsql.serve.console.sessions import IDLE, LONGEST, MOST_EACH, Sessions
from dpsql.serve.login import Login
from tests.serve.console.browsing import (
    ANALYSTS,
    COUNT,
    HERE,
    OWNERS,
    OWNERS_OF_ALL,
    POSTS,
    Browser,
    _proof,
)
from tests.support.console import Served


def test_a_token_becomes_a_session_and_stands_nowhere(there: Served) -> None:
    browser = Browser(there)
    before = browser.get("/").headers["set-cookie"]
    made = browser.login(there.tokens["anna"])
    cookie = made.headers["set-cookie"]
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
    assert "Secure" not in cookie and cookie.split(";")[0] != before.split(";")[0]  # a new id
    secret = there.tokens["anna"].split("_", 2)[2]
    pages = [browser.get(path) for path in ANALYSTS]
    assert [page.status_code for page in pages] == [200] * 4
    for answer in (made, *pages):
        assert secret not in answer.text and secret not in str(answer.headers)


@pytest.mark.parametrize(
    "http", [HttpConfig(behind_proxy=True), HttpConfig(tls=TlsConfig(certificate="c", key="k"))]
)
def test_by_tls_the_cookie_is_secure(there: Served, http: HttpConfig) -> None:
    from fastapi import FastAPI

    from dpsql.serve.console.mount import mount

    app, service = FastAPI(), there.service
    before = service.config
    service.config = before.model_copy(update={"http": http})
    try:
        mount(app, service, Login(service.principals))
    finally:
        service.config = before
    client = TestClient(app, base_url="https://testserver", follow_redirects=False)
    page = client.get("/")
    name, *flags = page.headers["set-cookie"].split("; ")
    assert name.startswith("__Host-dpsql=") and "Secure" in flags
    form = {"token": there.tokens["anna"], "proof": _proof(page.text)}
    for origin, status in (("http://testserver", 403), ("https://testserver", 303)):
        made = client.post("/login", data=form, headers={**HERE, "origin": origin})
        assert made.status_code == status


def test_a_wrong_token_is_not_told_back(there: Served) -> None:
    made = Browser(there).login("dpsql_<b>guess")
    noted = there.service.audit.lines()[-1]
    assert (noted["action"], noted["protocol"]) == ("refused login", "console")
    assert "guess" not in str(noted)
    assert made.status_code == 401
    assert "guess" not in made.text and "does not know this token" in made.text


def test_logging_out_ends_it(there: Served) -> None:
    browser = Browser(there, "anna")
    cookies = dict(browser.client.cookies)
    made = browser.post("/logout")
    assert made.status_code == 303 and 'dpsql=""' in made.headers["set-cookie"]
    browser.client.cookies.update(cookies)  # who kept the cookie has nothing
    assert browser.get("/ask/shop").headers["location"] == "/"
    assert browser.post("/ask/shop/verdict", sql=COUNT, eps="1").status_code == 401


def test_a_revoked_token_ends_it_at_its_next_request(there: Served) -> None:
    people = there.service.principals
    browser = Browser(there)
    token = people.new_token("anna")
    browser.login(token)
    assert browser.get("/ask/shop").status_code == 200
    people.revoke(token)
    assert browser.get("/ask/shop").status_code == 303


def test_sessions_end_by_time(there: Served) -> None:
    now = 0.0
    sessions = Sessions(Login(there.service.principals), lambda: now)
    name, found = sessions.begin(there.tokens["anna"])
    assert found.name == "anna"
    for _ in range(int(LONGEST / IDLE) * 2 - 1):
        now += IDLE / 2
        assert sessions.principal(name) is not None
    now = LONGEST
    assert sessions.principal(name) is None  # whatever was done
    name, _ = sessions.begin(there.tokens["anna"])
    now += IDLE
    assert sessions.principal(name) is None


def test_sessions_of_one_are_few(there: Served) -> None:
    sessions = Sessions(Login(there.service.principals))
    names = [sessions.begin(there.tokens["anna"])[0] for _ in range(MOST_EACH + 1)]
    other, _ = sessions.begin(there.tokens["boss"])
    assert [sessions.principal(name) is None for name in names] == [True] + [False] * MOST_EACH
    assert sessions.principal(other) is not None
    with pytest.raises(AccessDenied):
        sessions.begin("dpsql_x")


def test_nothing_is_told_without_a_session(there: Served) -> None:
    browser = Browser(there)
    for path in (*ANALYSTS, *OWNERS, *OWNERS_OF_ALL):
        made = browser.get(path)
        assert (made.status_code, made.headers.get("location"), made.text) == (303, "/", "")
    for path in POSTS:
        assert browser.post(path).status_code in (303, 401)
    browser.client.cookies.set("dpsql", "guess")
    assert browser.get("/ask/shop").status_code == 303
    # A session is none of the interface's, and a token none of the console's.
    assert Browser(there, "anna").get("/v1/about").status_code == 401
    bearer = {"authorization": f"Bearer {there.tokens['anna']}"}
    assert TestClient(there.app, follow_redirects=False).get("/audit", headers=bearer).text == ""
