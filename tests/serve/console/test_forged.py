"""The console: requests of other sites and forms that are none."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.serve.console.browsing import (
    ANALYSTS,
    COUNT,
    HERE,
    OWNERS,
    OWNERS_OF_ALL,
    POSTS,
    Browser,
)
from tests.support.console import Served

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
@pytest.mark.one_in(3)
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
