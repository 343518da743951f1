"""Somebody's browser, and the paths that it may take."""

from __future__ import annotations

import re
from secrets import token_hex
from typing import Any

from starlette.testclient import TestClient

from tests.support.console import Served

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
