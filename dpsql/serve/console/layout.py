"""What is around each page, and the few forms that all pages are made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from dataclasses import field as attribute

from dpsql.serve.console.html import Html, escaped, joined, tag
from dpsql.serve.principals import Principal

PAGES = (("ask", "Ask"), ("history", "History"), ("budget", "Budget"), ("estimate", "Estimate"))
OWNERS = (("policy", "Policy"), ("check", "Check"))
OWNERS_OF_ALL = (("principals", "Principals"), ("audit", "Audit log"))


@dataclass(frozen=True, slots=True)
class Around:
    """For whom a page is.

    Attributes:
        who: the principal.
        proof: that forms hold.
        data: the data set that is looked at.
        every: those that may be.
    """

    who: Principal
    proof: str = attribute(repr=False)
    data: str
    every: Sequence[str]


def page(title: str, *inner: object, around: Around, script: str = "") -> Html:
    """A page of somebody who is logged in."""
    links = [(f"/{at}/{around.data}", name) for at, name in PAGES if around.data]
    if around.who.role == "owner":
        links += [(f"/{at}/{around.data}", name) for at, name in OWNERS if around.data]
        links += [(f"/{at}", name) for at, name in OWNERS_OF_ALL if around.who.data is None]
    named = dict(PAGES + OWNERS + OWNERS_OF_ALL)
    at = next((key for key, name in named.items() if name == title), "ask")
    others = [
        _link(f"/{at if (at, title) not in OWNERS_OF_ALL else 'ask'}/{name}", name, around.data)
        for name in around.every
    ]
    top = tag(
        "header",
        tag("strong", "dpsql"),
        tag("nav", *(_link(to, name, title) for to, name in links), aria_label="Pages"),
        tag("nav", *others, aria_label="Data sets") if len(others) > 1 else "",
        form("/logout", around.proof, tag("span", around.who.name), button("Log out")),
    )
    return _whole(
        f"{title}, {around.data}" if around.data else title,
        tag("a", "Skip to the page", href="#page", class_="skip"),
        top,
        tag("main", tag("h1", title), *inner, id="page", data_set=around.data),
        proof=around.proof,
        script=script,
    )


def entrance(proof: str, wrong: str) -> Html:
    """The page to log in."""
    return _whole(
        "Log in",
        tag(
            "main",
            tag("h1", "dpsql"),
            problem(wrong) if wrong else "",
            form(
                "/login",
                proof,
                labelled(
                    "Token",
                    tag(
                        "input",
                        name="token",
                        type="password",
                        autocomplete="current-password",
                        required=True,
                        autofocus=True,
                        spellcheck="false",
                    ),
                ),
                button("Log in"),
            ),
            tag("p", tag("a", "HTTP interface", href="/docs")),
            class_="entrance",
        ),
    )


def open_page(title: str, *inner: object) -> Html:
    """A page for anybody."""
    return _whole(title, *inner)


def refused(text: str) -> Html:
    """A page for who is not known."""
    return _whole("Not done", tag("main", problem(text), tag("a", "Log in", href="/")))


def problem(text: str) -> Html:
    """What went wrong."""
    return tag("p", text, class_="problem", role="alert")


def form(action: str, proof: str, *inner: object, **attributes: object) -> Html:
    """A form that is posted, with the proof of its session."""
    hidden = tag("input", type="hidden", name="proof", value=proof)
    return tag("form", hidden, *inner, method="post", action=action, **attributes)


def labelled(text: str, control: Html) -> Html:
    """A control with its name."""
    return tag("label", tag("span", text), control)


def button(text: str, **attributes: object) -> Html:
    """A button; of a form, if nothing else is said."""
    return tag("button", text, **attributes)


def field(name: str, **attributes: object) -> Html:
    """A line to be filled in."""
    return tag("input", name=name, **attributes)


def chosen(name: str, options: Iterable[tuple[str, str]], at: str = "") -> Html:
    """One of several: of each its value and its name."""
    every = (tag("option", text, value=value, selected=value == at) for value, text in options)
    return tag("select", *every, name=name)


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[object]]) -> Html:
    """A table, which can be scrolled where the page is narrow."""
    top = tag("tr", *(tag("th", head, scope="col") for head in heads))
    body = [tag("tr", *(tag("td", cell) for cell in row)) for row in rows]
    if not body:
        return tag("p", f"{caption}: nothing yet")
    inner = tag("table", tag("caption", caption), tag("thead", top), tag("tbody", *body))
    return tag("div", inner, class_="wide", tabindex="0", role="region", aria_label=caption)


def _link(to: str, name: str, current: str) -> Html:
    return tag("a", name, href=to, aria_current="page" if name == current else None)


def _whole(title: str, *inner: object, proof: str = "", script: str = "") -> Html:
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="dpsql-proof", content=proof) if proof else "",
        tag("title", f"{title} · dpsql"),
        tag("link", rel="icon", href="/static/icon.svg"),
        tag("link", rel="stylesheet", href="/static/report.css"),
        tag("link", rel="stylesheet", href="/static/console.css"),
        tag("script", type="module", src=f"/static/{script}") if script else "",
    )
    body = tag("html", head, tag("body", *inner), lang="en")
    return joined((Html("<!doctype html>"), body, escaped("\n")))
