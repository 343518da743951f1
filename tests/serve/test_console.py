"""The console by its routes: sessions, forged forms, hostile texts, and who may what."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest
from starlette.testclient import TestClient

from dpsql import demo
from dpsql.errors import AccessDenied
from dpsql.report.result.chart import Chart, DrawnColumn, Point
from dpsql.serve.config import HttpConfig, TlsConfig
from dpsql.serve.console import asking, chart_svg
from dpsql.serve.console.html import Html, escaped, joined, tag
from dpsql.serve.console.scales import scale, ticks
from dpsql.serve.console.sessions import IDLE, LONGEST, MOST_EACH, Sessions
from dpsql.serve.login import Login
from tests.support.console import IMAGE, SCRIPT, Served, served

HERE = {"origin": "http://testserver", "sec-fetch-site": "same-origin"}
COUNT = "SELECT COUNT(*) AS n FROM orders"
ANALYSTS = ("/ask/shop", "/history/shop", "/budget/shop", "/estimate/shop")
OWNERS = ("/policy/shop", "/check/shop")
OWNERS_OF_ALL = ("/principals", "/audit")
POSTS = (
    *(f"/ask/shop/{name}" for name in ("verdict", "proposals", "reasons", "noise")),
    *("/ask/shop/run", "/ask/shop/stop", "/ask/shop/answer", "/estimate/shop", "/logout"),
    *(f"/principals/{name}" for name in ("change", "pause", "revoke", "token")),
)


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("console")) as made:
        yield made


class Browser:
    """Somebody's browser: its cookie, the proof that its pages hold, and what it asked last."""

    last = ""

    def __init__(self, there: Served, who: str | None = None) -> None:
        self.client = TestClient(there.app, follow_redirects=False)
        self.proof = ""
        if who is not None:
            made = self.login(there.tokens[who])
            assert (made.status_code, made.headers["location"]) == (303, "/")
            self.proof = _proof(self.client.get("/budget/shop").text)

    def login(self, token: str) -> Any:
        form = {"token": token, "proof": _proof(self.client.get("/").text)}
        return self.client.post("/login", data=form, headers=HERE)

    def get(self, path: str) -> Any:
        return self.client.get(path)

    def post(self, path: str, headers: dict[str, str] = HERE, **form: str) -> Any:
        return self.client.post(path, data={"proof": self.proof, **form}, headers=headers)

    def run(self, sql: str, eps: str = "0.1", data: str = "shop", **more: str) -> Any:
        self.last = token_hex(16)
        return self.post(f"/ask/{data}/run", sql=sql, eps=eps, id=self.last, **more)

    def answer(self, sql: str, eps: str = "0.1", data: str = "shop") -> Any:
        asked = self.run(sql, eps, data)
        if asked.status_code != 200:
            return asked
        while True:
            told = self.post(f"/ask/{data}/answer", id=self.last)
            if told.json().get("state") not in ("waiting", "running"):
                return told


def _proof(page: str) -> str:
    found = re.search(r'name="proof" value="([0-9a-f]{64})"', page)
    assert found is not None
    return found[1]


# --- sessions -------------------------------------------------------------------------------------


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


# --- forged requests ------------------------------------------------------------------------------


FORGED = (
    {"origin": "http://evil.example", "sec-fetch-site": "cross-site"},
    {"origin": "http://testserver", "sec-fetch-site": "same-site"},
    {"origin": "http://testserver:81"},
    {"origin": "null", "sec-fetch-site": "same-origin"},
    {"origin": "null"},
    {"origin": "http://["},
    {"origin": "http://testserver@evil.example"},
    {"sec-fetch-site": "none"},
    {},
)


@pytest.mark.parametrize("headers", FORGED)
@pytest.mark.parametrize("path", POSTS)
def test_a_form_of_another_site_does_nothing(
    there: Served, path: str, headers: dict[str, str]
) -> None:
    browser = Browser(there, "boss")
    made = browser.post(path, headers, sql=COUNT, eps="0.1", name="anna", paused="yes")
    assert made.status_code == 403 and "did not come from a page" in made.text
    assert browser.get("/ask/shop").status_code == 200


@pytest.mark.parametrize("path", [*POSTS, "/login"])
def test_a_form_without_the_proof_does_nothing(there: Served, path: str) -> None:
    browser, other = Browser(there, "boss"), Browser(there, "boss")
    right = browser.proof
    for proof in ("", "0" * 64, other.proof, right.upper(), "é", right[:-1]):
        browser.proof = proof
        assert browser.post(path, name="anna", paused="yes").status_code == 403
    assert not there.service.principals.named("anna").paused  # type: ignore[union-attr]


def test_a_proof_may_come_in_a_header(there: Served) -> None:
    browser = Browser(there, "anna")
    right, browser.proof = browser.proof, ""
    headers = {**HERE, "x-dpsql-proof": right}
    assert browser.post("/ask/shop/verdict", headers, sql=COUNT, eps="1").status_code == 200


def test_forms_that_are_none(there: Served) -> None:
    browser = Browser(there, "anna")
    headers = {**HERE, "x-dpsql-proof": browser.proof}
    for body in (b"sql=%ff&eps=1", b"\xff", b"&".join(b"a=1" for _ in range(60)), b"", b"&&="):
        made = browser.client.post("/ask/shop/run", content=body, headers=headers)
        assert made.status_code in (400, 403, 422), body
    long = browser.client.post("/ask/shop/run", content=b"sql=" + b"x" * 2_000_000, headers=headers)
    assert long.status_code == 413


def test_what_browsers_may_do_with_a_page(there: Served) -> None:
    browser = Browser(there, "boss")
    paths = (*ANALYSTS, *OWNERS, *OWNERS_OF_ALL, "/ask/none", "/", "/static/ask.js")
    for path in paths:
        headers = browser.get(path).headers
        policy = headers["content-security-policy"]
        assert "unsafe" not in policy and "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy and headers["x-frame-options"] == "DENY"
        assert headers["x-content-type-options"] == "nosniff"
        kept = "no-cache" if path.startswith("/static/") else "no-store"
        assert headers["cache-control"] == kept
        assert headers["referrer-policy"] == "same-origin"
    assert browser.post("/ask/shop/verdict", sql=COUNT).headers["cache-control"] == "no-store"


def test_static_files(there: Served) -> None:
    client = TestClient(there.app)
    for file in (files("dpsql.serve.console") / "static").iterdir():
        made = client.get(f"/static/{file.name}")
        assert made.status_code == 200 and made.content == file.read_bytes()
        again = client.get(f"/static/{file.name}", headers={"if-none-match": made.headers["etag"]})
        assert again.status_code == 304
    for name in ("..%2fweb.py", "%2e%2e/web.py", "web.py", "none.js"):
        assert client.get(f"/static/{name}").status_code == 404


def test_no_script_or_style_of_ours_stands_in_a_page_or_elsewhere() -> None:
    folder = Path(str(files("dpsql.serve.console") / "static"))
    for file in folder.glob("*.js"):
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"\beval\(|new Function|document\.write|setAttribute\(.style", text)
        assert file.name in ("http.js", "codemirror.js") or "innerHTML" not in text
        own = text.replace("http://www.w3.org/", "")
        assert not re.search(r"https?://", own), file.name
    pinned = json.loads(Path("tools/codemirror/package.json").read_text(encoding="utf-8"))
    banner = (folder / "codemirror.js").read_text(encoding="utf-8").partition("*/")[0]
    for name, version in pinned["dependencies"].items():
        assert f"{name.rpartition('/')[2]} {version}" in banner


# --- texts that are hostile -----------------------------------------------------------------------


class Tags(HTMLParser):
    """All elements of a page, and their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def harmless(page: str) -> str:
    """The page, in which nothing runs, looks otherwise, or comes from elsewhere."""
    for name, attributes in Tags(page).found:
        assert name not in ("img", "style", "iframe", "object", "base", "b"), page
        assert name != "script" or str(attributes["src"]).startswith("/static/")
        assert not [key for key in attributes if key.startswith("on") or key == "style"]
        for key in ("href", "src", "action"):
            assert str(attributes.get(key) or "/").startswith(("/", "#page"))
    return page


def test_names_and_values_are_texts(there: Served) -> None:
    browser = Browser(there, "boss")
    sql = f'SELECT t.name, SUM(p."{IMAGE}") AS "{IMAGE}" FROM people p JOIN towns t USING (town)'
    sql += " GROUP BY t.name"
    told = browser.answer(sql, data="odd").json()
    assert told["state"] == "done"
    shown = harmless(told["html"])
    assert escaped(IMAGE) in shown and escaped(SCRIPT) in shown and "<svg" in shown
    exact = browser.answer(f"SELECT name, '{IMAGE}' AS x FROM towns", data="odd").json()
    assert escaped(SCRIPT) in harmless(exact["html"])
    for name in ("reasons", "noise"):
        made = browser.post(f"/ask/odd/{name}", sql=sql, eps="0.1").json()
        assert escaped(IMAGE) in harmless(made["html"])
    for path in ("/policy/odd", "/check/odd", "/history/odd", "/budget/odd", "/audit?all"):
        harmless(browser.get(path).text)
    assert escaped(IMAGE) in browser.get("/policy/odd").text
    assert escaped(IMAGE) in browser.get("/history/odd").text
    assert "alert(1)" in browser.get("/audit?all").text


def test_what_is_typed_comes_back_as_it_was(there: Served) -> None:
    browser, text = Browser(there, "boss"), "SELECT COUNT(*) FROM\torders WHERE '\u202e' = ''"
    page = browser.post("/estimate/shop", sql=text, eps="0.1").text
    assert ">\n" + text.replace("'", "&#x27;") + "</textarea>" in page


@pytest.mark.parametrize("text", [IMAGE, SCRIPT, f"SELECT '{IMAGE}", f'SELECT "{IMAGE}" FROM t'])
def test_what_is_typed_is_a_text(there: Served, text: str) -> None:
    browser = Browser(there, "boss")
    page = browser.post("/estimate/shop", sql=text, eps="1")
    assert escaped(text) in harmless(page.text)
    harmless(browser.post("/estimate/shop", sql=COUNT, eps=text).text)
    harmless(browser.post("/principals/change", name=text).text)
    harmless(browser.post("/principals/pause", name=text).text)
    harmless(browser.get(f"/ask/{text.replace('/', '')}").text)
    harmless(browser.get(f"/audit?last={text}").text)
    for path in ("verdict", "proposals", "reasons", "run"):
        made = browser.post(f"/ask/shop/{path}", sql=text, eps="1", cursor="3")
        assert made.headers["content-type"] == "application/json"
    assert escaped(text)[:40] in harmless(browser.get("/audit?all").text)


def test_html_escapes_what_is_not_html() -> None:
    assert (
        tag("p", "<b>", Html("<i></i>"), class_='"x') == '<p class="&quot;x">&lt;b&gt;<i></i></p>'
    )
    assert tag("input", required=True, value=None, hidden=False) == "<input required>"
    assert joined(("<", Html("<br>"))) == "&lt;<br>"
    assert escaped(Html("<br>") + "<b>") == "&lt;br&gt;&lt;b&gt;"  # no HTML any more
    assert escaped("a\u202eb\nc") == "a\\u202eb\nc"


# --- asking ---------------------------------------------------------------------------------------


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
    assert [asking._letters(text, str(n)) for n in (0, 1, 3, 4, 9)] == [0, 1, 2, 3, 3]
    assert asking._letters(text, "x") == asking._letters(text, "") == 3
    assert asking._units(text) == 4


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
    assert found["kind"] == "too little" and "your cap of ε = 1" in found["words"][1]
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


# --- owners ---------------------------------------------------------------------------------------


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


# --- drawings -------------------------------------------------------------------------------------


def test_ticks_are_round() -> None:
    assert ticks(scale([0, 24_000], 0, 1)) == [0, 5000, 10_000, 15_000, 20_000]
    assert ticks(scale([7, 7], 0, 1))[0] == 6
    for values in ([0, 1e-300], [-1e299, 1e299], [1e15, 1e15 + 1], [5.0]):
        found = ticks(scale(values, 0, 1))
        assert len(found) <= 11 and found == sorted(found)


@pytest.mark.parametrize("labels", [None, ["a", None]])
@pytest.mark.parametrize("many", [1, 3, 12])
def test_charts_of_all_forms(labels: list[str | None] | None, many: int) -> None:
    from datetime import UTC, date, datetime

    for keys in (
        [1, 2, None],
        [date(2024, 1, 1), date(2024, 2, 1)],
        [datetime(2024, 1, 1, tzinfo=UTC)],
    ):
        if labels is not None:
            keys = [0, 1]
        points = [
            Point(key, value, width)
            for key, value, width in zip(keys, (3.0, -1.0, 2.0), (1.0, None, 0.5), strict=False)
        ]
        series = [(f"<{n}>" if many > 1 else "", points) for n in range(many)]
        chart = Chart(
            "<key>", "second" if many > 1 else "", labels, [DrawnColumn("<n>", series)], ["<said>"]
        )
        shown = harmless(chart_svg.drawn(chart))
        assert shown.count("<svg") == (many if many > 8 else 1)
        assert "nan" not in shown and "&lt;said&gt;" in shown
        assert shown.count("<title>") == many * len(points)
        one = replace(points[0], width=None)
        chart_svg.drawn(replace(chart, measures=[DrawnColumn("n", [("", [one])])]))


def test_a_chart_of_too_many_points_is_none() -> None:
    points = [Point(n, 1.0, None) for n in range(chart_svg.MOST)]
    chart = Chart("key", "", None, [DrawnColumn("n", [("", points)])], [])
    assert len(chart_svg.drawn(chart)) < 300_000
    more = DrawnColumn("n", [("", [*points, points[0]])])
    with pytest.raises(ValueError, match="too many"):
        chart_svg.drawn(replace(chart, measures=[more]))
