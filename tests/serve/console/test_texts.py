"""The console: names, values and what is typed are texts."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from dpsql.serve.console.html import Html, escaped, joined, tag
from tests.serve.console.browsing import COUNT, Browser
from tests.support.console import IMAGE, SCRIPT, Served


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
