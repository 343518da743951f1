"""The console in a real browser: what its scripts do, with the keyboard alone, under its policy."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from dpsql.serve.config import LimitsConfig
from tests.support import browsers
from tests.support.console import IMAGE, Served, listening, served
from tests.support.effort import chosen

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.skipif(bool(browsers.missing()), reason=browsers.missing() or "-")

COUNT = "SELECT channel, COUNT(*) AS n FROM orders GROUP BY channel"
SLOW = 20_000
"""Milliseconds for what is no question of speed."""


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, str]]:
    limits = LimitsConfig(running=1)
    with (
        served(tmp_path_factory.mktemp("browser"), limits=limits) as made,
        listening(made.app) as address,
    ):
        yield made, address


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browsers.chromium() as made:
        yield made


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A page in which nothing went wrong, was blocked, or was fetched from elsewhere."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(SLOW)
    wrong: list[str] = []
    # Of text that is typed over, Chromium itself makes a style, which is refused.
    context.add_init_script(
        "document.addEventListener('securitypolicyviolation', (e) => e.target?.id === 'editor' || "
        "window.meant || console.log('VIOLATION ' + e.violatedDirective + ' ' + e.blockedURI))"
    )
    made = context.new_page()
    made.on("pageerror", lambda error: wrong.append(str(error)))
    made.on("console", lambda said: wrong.append(said.text) if "VIOLATION" in said.text else None)
    made.on("dialog", lambda dialog: wrong.append(dialog.message))
    made.on(
        "request", lambda asked: wrong.append(asked.url) if "127.0.0.1" not in asked.url else None
    )
    yield made
    context.close()
    assert wrong == []


def enter(page: Page, there: tuple[Served, str], who: str) -> None:
    """Log in with keys alone."""
    page.goto(there[1])
    page.locator("input[name=token]:focus").wait_for()
    page.keyboard.insert_text(there[0].tokens[who])
    page.keyboard.press("Enter")
    page.wait_for_url("**/ask/shop")
    page.locator(".cm-content").wait_for()


def typed(page: Page, text: str) -> None:
    """Write another query, in the editor, which has the focus."""
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(text)


def verdict(page: Page, kind: str) -> str:
    page.locator(f'#verdict[data-kind="{kind}"]').wait_for()
    return page.locator("#verdict").inner_text()


def until(page: Page, text: str) -> None:
    page.locator("#state", has_text=text).wait_for()


def tab_to(page: Page, selector: str) -> None:
    for _ in range(40):
        if page.evaluate("(s) => document.activeElement.matches(s)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no Tab leads to {selector}")


def test_a_query_from_the_first_key_to_the_answer_by_keyboard(
    page: Page, there: tuple[Served, str]
) -> None:
    enter(page, there, "boss")
    page.keyboard.type("SELECT COUNT(*) AS n FROM ord", delay=20)
    page.locator(".cm-tooltip-autocomplete", has_text="order_lines").wait_for()
    page.wait_for_timeout(150)  # a key that comes sooner is meant for the text
    page.keyboard.press("Enter")  # the first that is offered
    assert "± " in verdict(page, "accepted")
    assert page.locator(".cm-line").inner_text() == "SELECT COUNT(*) AS n FROM orders"
    page.keyboard.type(" WHERE nope > 1 ")
    assert "nope" in verdict(page, "rejected")
    assert page.locator(".cm-lintRange-error").count() == 1
    page.keyboard.press("Escape")
    typed(page, COUNT)
    assert "ε = 0.5" in verdict(page, "accepted")
    tab_to(page, "#eps")
    page.keyboard.press("Control+a")
    page.keyboard.type("0.25")
    page.locator("#verdict", has_text="costs ε = 0.25").wait_for()
    tab_to(page, "#slider")
    page.keyboard.press("ArrowRight")
    page.locator("#verdict", has_text="costs ε = 0.28").wait_for()
    page.keyboard.press("Control+Enter")
    until(page, "answered")
    rows = page.locator("#answer tbody tr")
    assert rows.count() == 4 and "±" in rows.first.inner_text()
    assert page.locator("#answer svg .reach").count() == 4
    assert page.locator("#answer svg rect").count() == 4
    tab_to(page, "#reasons summary")
    page.keyboard.press("Enter")
    page.locator("#reasons-inner", has_text="because").wait_for()
    page.locator("#reasons-inner summary").first.click()
    assert page.locator("#reasons-inner li").first.is_visible()
    tab_to(page, "#noise summary")
    page.keyboard.press("Enter")
    page.locator("#noise-inner svg path.own").first.wait_for()
    assert page.locator("#noise-inner li").count() == 3
    page.goto(f"{there[1]}/history/shop")
    page.get_by_role("button", name="Ask again").first.click()
    page.wait_for_url("**/ask/shop")
    page.locator(".cm-content", has_text="channel").wait_for()


def test_what_has_the_focus_can_be_seen(page: Page, there: tuple[Served, str]) -> None:
    enter(page, there, "anna")
    for selector in ("#eps", "#slider", "#fresh", "#run", "#reasons summary"):
        tab_to(page, selector)
        style = "getComputedStyle(document.activeElement).outlineStyle"
        assert page.evaluate(style) != "none", selector
    assert page.evaluate("document.querySelectorAll('input:not([type=hidden])').length") == 3
    nameless = """() => [...document.querySelectorAll('input:not([type=hidden]),button,select')]
        .filter((e) => !(e.labels?.length || e.ariaLabel || e.textContent.trim())).length"""
    assert page.evaluate(nameless) == 0


def test_a_query_that_waits_and_one_that_runs_are_cancelled(
    page: Page, there: tuple[Served, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    served_here, _ = there
    enter(page, there, "boss")
    gate = threading.Event()
    held = served_here.service.queue.ask("other", gate.wait)
    try:
        typed(page, "SELECT COUNT(*) FROM customers")
        page.keyboard.press("Control+Enter")
        until(page, "waiting for its turn")
        page.keyboard.press("Escape")
        until(page, "nothing was charged")
    finally:
        gate.set()
        held.result(10)

    def run(*_: object, stop: threading.Event, **__: object) -> Any:
        assert stop.wait(30)
        raise KeyboardInterrupt

    monkeypatch.setattr("dpsql.session.database.Database.run", run)
    page.keyboard.press("Control+Enter")
    until(page, "running")
    page.locator("#cancel").click()
    until(page, "the query was stopped")
    assert page.locator("#run").is_enabled() and page.locator("#cancel").is_disabled()


def test_the_budget_runs_out_and_logging_out_is_the_end(
    page: Page, there: tuple[Served, str]
) -> None:
    enter(page, there, "anna")
    page.fill("#eps", "0.9")
    page.locator(".cm-content").click()
    typed(page, "SELECT COUNT(*) AS n FROM customers WHERE newsletter")
    verdict(page, "accepted")
    page.keyboard.press("Control+Enter")
    until(page, "answered")
    assert "free" in verdict(page, "stored")
    typed(page, "SELECT COUNT(*) AS n FROM customers WHERE NOT newsletter")
    assert "the cap of anna" in verdict(page, "too little")
    page.keyboard.press("Control+Enter")
    until(page, "the cap of anna")
    page.goto(f"{there[1]}/budget/shop")
    assert "anna: ε = 0.9 of ε = 1" in page.locator("main").inner_text()
    page.get_by_role("button", name="Log out").click()
    page.get_by_label("Token").wait_for()
    page.go_back()
    page.reload()
    page.get_by_label("Token").wait_for()


def test_nothing_in_a_name_runs(page: Page, there: tuple[Served, str]) -> None:
    enter(page, there, "boss")
    page.goto(f"{there[1]}/ask/odd")
    page.locator(".cm-content").wait_for()
    typed(page, f'SELECT t.name, SUM(p."{IMAGE}") AS "{IMAGE}" FROM people p JOIN towns t ')
    page.keyboard.insert_text("USING (town) GROUP BY t.name")
    verdict(page, "accepted")
    page.keyboard.press("Control+Enter")
    until(page, "answered")
    assert IMAGE in page.locator("#answer thead").inner_text()
    for path in ("policy/odd", "history/odd", "audit?all"):
        page.goto(f"{there[1]}/{path}")
        assert page.locator("img").count() == 0
    # And if one were let through all the same, the page's policy would still hold.
    page.goto(f"{there[1]}/ask/odd")
    page.evaluate("window.meant = true")
    blocked = """() => { try { document.body.innerHTML = '<img src=x onerror=alert(3)>' }
        catch (e) { return e.name } }"""
    assert page.evaluate(blocked) == "TypeError"


def test_owners_make_a_principal_and_see_its_token_once(
    page: Page, there: tuple[Served, str]
) -> None:
    enter(page, there, "boss")
    page.goto(f"{there[1]}/principals")
    page.get_by_label("Name", exact=True).fill("cleo")
    page.get_by_label("Cap, as ε").fill("2")
    with page.expect_navigation():  # its script, too, is there
        page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="New token of cleo").click()
    token = page.get_by_label("The token of cleo").input_value()
    found = there[0].service.principals.known(token)
    assert found is not None and found.name == "cleo"
    page.reload()
    assert token not in page.content()
    page.get_by_role("button", name="Revoke all tokens of cleo").click()
    page.wait_for_load_state()
    assert there[0].service.principals.known(token) is None


WINDOWS = tuple(product((360, 800, 1280), (False, True)))


@pytest.mark.parametrize(("width", "dark"), chosen(WINDOWS, (360, True), (1280, False)))
def test_pages_fit_and_are_read_easily(
    page: Page, there: tuple[Served, str], width: int, dark: bool
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme="dark" if dark else "light")
    enter(page, there, "boss")
    typed(page, COUNT)
    page.keyboard.press("Control+Enter")
    until(page, "answered")
    paths = ("history/shop", "budget/shop", "estimate/shop", "policy/shop", "check/shop", "audit")
    for path in ("", *paths, "principals"):
        if path:
            page.goto(f"{there[1]}/{path}")
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, path
        assert page.evaluate(CONTRAST) == [], path


CONTRAST = """() => {
  const light = (c) => {
    const [r, g, b] = c.match(/[\\d.]+/g).map((v) => v / 255)
      .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const c = getComputedStyle(e).backgroundColor;
      if (!/, 0\\)$/.test(c)) return c;
    }
    return "rgb(255, 255, 255)";
  };
  const poor = [];
  for (const e of document.querySelectorAll("main *, header *")) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || e.closest("svg") || e.disabled || !e.checkVisibility()) continue;
    const [a, b] = [light(getComputedStyle(e).color), light(behind(e))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) poor.push(e.tagName + " " + e.textContent.slice(0, 40));
  }
  return poor;
}"""
"""Texts whose contrast is below that of WCAG AA."""


EVIL = """<!doctype html><title>evil</title><body><script>
const console_ = "TARGET", found = {};
async function tried(name, work) {
  try { found[name] = String(await work()) } catch (e) { found[name] = e.name }
}
const form = new URLSearchParams({name: "anna", paused: "yes", proof: "0".repeat(64)});
const post = (mode) => fetch(console_ + "/principals/pause",
  {method: "POST", body: form, mode, credentials: "include"});
addEventListener("load", async () => {
  await tried("read", async () =>
    (await fetch(console_ + "/audit", {credentials: "include"})).text());
  await tried("opaque", async () => (await post("no-cors")).type);
  await tried("post", async () => (await post("cors")).status);
  await tried("script", () => new Promise((is, not) => {
    const s = document.createElement("script");
    s.onload = is; s.onerror = () => not({name: "refused"}); s.src = console_ + "/static/http.js";
    document.body.append(s);
  }));
  const frame = document.createElement("iframe");
  frame.src = console_ + "/audit"; document.body.append(frame);
  const own = document.createElement("form");
  own.method = "post"; own.action = console_ + "/principals/pause"; own.target = "other";
  for (const [name, value] of form) {
    const field = document.createElement("input");
    field.name = name; field.value = value; own.append(field);
  }
  document.body.append(own); own.submit();
  window.found = found;
});
</script>"""


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_page_of_another_site_can_neither_read_nor_do_anything(
    chromium: Browser, there: tuple[Served, str], host: str
) -> None:
    """Of the same host its cookie is even sent; of another one not."""
    context = chromium.new_context()
    page = context.new_page()
    enter(page, there, "boss")
    evil = HTTPServer(("127.0.0.1", 0), _evil(EVIL.replace("TARGET", there[1])))
    thread = threading.Thread(target=evil.serve_forever, daemon=True)
    thread.start()
    other = context.new_page()
    opened: list[Page] = []
    context.on("page", lambda one: opened.append(one))
    framed: list[str] = []
    other.on("requestfailed", lambda asked: framed.append(f"{asked.url} {asked.failure}"))
    try:
        other.goto(f"http://{host}:{evil.server_port}/")
        other.wait_for_function("window.found", timeout=SLOW)
        found = other.evaluate("window.found")
        assert found["read"] == found["post"] == "TypeError"
        assert found["script"] == "refused"
        for _ in range(SLOW // 20):
            if opened and any("/audit" in one for one in framed):
                break
            other.wait_for_timeout(20)
        [form] = opened
        form.wait_for_load_state()
        assert any("/audit" in one for one in framed)
        assert "did not come from a page" in form.content() or form.get_by_label("Token").count()
        anna = there[0].service.principals.named("anna")
        assert anna is not None and not anna.paused
    finally:
        evil.shutdown()
        evil.server_close()
        thread.join(5)
        context.close()


def _evil(text: str) -> type[BaseHTTPRequestHandler]:
    class Evil(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            pass

    return Evil
