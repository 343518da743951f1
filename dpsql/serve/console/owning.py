"""For owners: the policy and what is odd about it, the principals, the audit log."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import get_args

from dpsql.core.account.amount import parse_eps
from dpsql.errors import AccessDenied, InvalidArgument
from dpsql.repl.settings import exact_eps
from dpsql.report import page
from dpsql.report.budget.account_document import moment
from dpsql.report.figures import shortened
from dpsql.report.policies import policy_document
from dpsql.serve.console.html import Html, tag
from dpsql.serve.console.layout import button, chosen, field, form, labelled, table
from dpsql.serve.console.web import Visit, Web, redirected
from dpsql.serve.principals import Principal, Principals, Role, Token, named
from dpsql.serve.service import OWNERS_ONLY

MOST_LINES, WIDTH = 1000, 300
MOST_DAYS, MOST_LETTERS = 3650, 64
EACH = "*"
"""A cap of each data set."""


def add(web: Web) -> None:
    """Add the pages."""
    web.add("GET", "/policy/{data}", _policy)
    web.add("GET", "/check/{data}", _check, how="looked")
    web.add("GET", "/audit", _audit)
    web.add("GET", "/principals", _principals)
    web.add("POST", "/principals/change", _change)
    web.add("POST", "/principals/pause", _pause)
    web.add("POST", "/principals/revoke", _revoke)
    web.add("POST", "/principals/token", _token, plain=True)


def _policy(visit: Visit) -> object:
    schema = visit.service.facts(visit.who, visit.data)
    if visit.who.role != "owner":
        raise AccessDenied(OWNERS_ONLY)
    return visit.page("Policy", _document(page.body(policy_document.picture(schema)._document())))


def _check(visit: Visit) -> object:
    found = visit.service.remarks(visit.who, visit.data)
    return visit.page("Check", _document(page.body(found._document())))


def _document(text: str) -> Html:
    return tag("div", Html(text), class_="dpsql wide", tabindex="0", role="region")


def _audit(visit: Visit) -> object:
    most = min(MOST_LINES, _number(visit.query.get("last", "")) or 100)
    asked = visit.query.get("all") is None
    lines = visit.service.audited(visit.who, most)
    heads = ("time", "principal", "action", "data", "verdict", "cost", "what")
    rows = [
        (*(str(line.get(name, "")) for name in heads[:-1]), tag("code", _rest(line, heads)))
        for line in reversed(lines)
        if not (asked and line.get("action") == "explain")
    ]
    links = ("last=100", "without explanations"), ("last=100&all", "with them")
    more = (("last=1000", "more without"), ("last=1000&all", "more with them"))
    shown = [tag("a", words, href=f"/audit?{to}") for to, words in (*links, *more)]
    return visit.page(
        "Audit log", tag("nav", *shown, class_="acts"), table("Audit log", heads, rows)
    )


def _rest(line: Mapping[str, object], shown: tuple[str, ...]) -> str:
    """What else a line says: the query first."""
    rest = {k: v for k, v in line.items() if k not in (*shown, "sql", "after")}
    words = [str(line["sql"])] if "sql" in line else []
    words += [json.dumps(rest, ensure_ascii=False)] if rest else []
    return shortened("  ".join(words), WIDTH)


def _principals(visit: Visit) -> object:
    people = visit.service.people(visit.who)
    tokens = people.tokens()
    heads = ("name", "role", "data", "least ε", "usual ε", "caps", "")
    rows = [_row(visit, people, one, tokens) for one in people.all()]
    tokens = tuple(t for t in reversed(tokens) if t.revoked is None)
    listed = [_token_row(visit, one) for one in tokens]
    return visit.page(
        "Principals",
        table("Principals", heads, rows),
        labelled(
            "New tokens end after so many days; never, if it is empty",
            tag("input", id="days", inputmode="numeric", value="90", size="4"),
        ),
        tag("div", id="told", role="status", aria_live="polite"),
        tag("h2", "Add, or change"),
        _changing(visit),
        tag("h2", "Tokens"),
        table("Tokens", ("id", "principal", "made", "ends", ""), listed),
        script="owner.js",
    )


def _row(
    visit: Visit, people: Principals, one: Principal, tokens: tuple[Token, ...]
) -> tuple[object, ...]:
    caps = [
        f"ε = {float(eps):g}{'' if delta is None else f', δ = {float(delta):g}'} on {_each(data)}"
        for data, (eps, delta) in people.given(one.name).items()
    ]
    word, paused = ("Resume", "no") if one.paused else ("Pause", "yes")
    acts = [
        _act(visit, "pause", word, one.name, name=one.name, paused=paused),
        button(
            "New token", type="button", data_name=one.name, aria_label=f"New token of {one.name}"
        ),
    ]
    if any(t.principal == one.name and t.revoked is None for t in tokens):
        acts.append(_act(visit, "revoke", "Revoke all tokens of", one.name, which=one.name))
    return (
        f"{one.name} (paused)" if one.paused else one.name,
        one.role,
        "all" if one.data is None else ", ".join(sorted(one.data)) or "none",
        f"{float(one.min_eps):g}" if one.min_eps else "",
        "" if one.default_eps is None else f"{float(one.default_eps):g}",
        "; ".join(caps),
        tag("div", *acts, class_="acts"),
    )


def _token_row(visit: Visit, one: Token) -> tuple[object, ...]:
    ends = "never" if one.expires is None else moment(one.expires)
    gone = one.expires is not None and one.expires <= datetime.now(UTC)
    return (
        tag("code", one.id),
        one.principal,
        moment(one.made),
        f"{ends} (over)" if gone else ends,
        _act(visit, "revoke", "Revoke", f"token {one.id}", which=one.id),
    )


def _act(visit: Visit, path: str, word: str, whom: str, **said: str) -> Html:
    """A button that does something to somebody."""
    fields = [field(name, type="hidden", value=value) for name, value in said.items()]
    named = button(word.partition(" tokens")[0], aria_label=f"{word} {whom}")
    return form(f"/principals/{path}", visit.proof, *fields, named)


def _each(data: str) -> str:
    return "each" if data == EACH else data


def _changing(visit: Visit) -> Html:
    """The form for a new principal, or for another role, cap or data of one that is there."""
    names = sorted(visit.service.data)
    every = [(EACH, "each data set"), *((name, name) for name in names)]
    roles = [("", "as it is"), *((role, role) for role in get_args(Role))]
    return form(
        "/principals/change",
        visit.proof,
        labelled("Name", field("name", required=True)),
        labelled("Role", chosen("role", roles)),
        labelled(
            f"Data sets, of {', '.join(names)}; empty: as it is, of a new one all", field("data")
        ),
        labelled("Least ε of a query", field("min_eps")),
        labelled("ε of a query that names none; 0 takes it away", field("default_eps")),
        labelled("Cap on", chosen("cap_on", every)),
        labelled("Cap, as ε; none takes it away", field("cap")),
        button("Save", class_="main"),
        class_="stacked",
    )


def _change(visit: Visit) -> object:
    said = {key: text.strip() for key, text in visit.form.items()}
    name, on, cap = said.get("name", ""), said.get("cap_on", EACH), said.get("cap", "")
    data = frozenset(filter(None, map(str.strip, said.get("data", "").split(","))))
    if unknown := (data | {on}) - {EACH, *visit.service.data}:
        raise InvalidArgument(f"there is no data set {', '.join(sorted(unknown))}")
    least = _eps(said["min_eps"]) if said.get("min_eps") else None
    own = said.get("default_eps", "")
    usual = Fraction(0) if own == "0" else _eps(own) if own else None
    most = _eps(cap) if cap not in ("", "none") else None

    def change(people: Principals) -> None:
        given = {on: None if most is None else (most, None)} if cap else None
        people.add(
            name,
            role=said.get("role") or None,
            data=data or None,
            min_eps=least,
            default_eps=usual,
            caps=given,
        )

    words = {key: said.get(key, "") for key in ("role", "min_eps", "default_eps", "cap_on", "cap")}
    of = ", ".join(sorted(data))
    visit.service.administer(visit.who, "change", change, whom=name, of=of, **words)
    return redirected("/principals")


def _number(text: str) -> int:
    """A whole number of a few digits; 0 for what is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 6 else 0


def _eps(text: str) -> Fraction:
    return parse_eps(exact_eps(text.strip()))


def _pause(visit: Visit) -> object:
    name, paused = visit.form.get("name", ""), visit.form.get("paused") == "yes"
    word = "pause" if paused else "resume"
    visit.service.administer(visit.who, word, lambda people: people.pause(name, paused), whom=name)
    return redirected("/principals")


def _revoke(visit: Visit) -> object:
    which = visit.form.get("which", "")
    if len(which) > MOST_LETTERS:  # of an id or a name; a token itself would stand in the log
        raise InvalidArgument("a token is named by its id here")
    visit.service.administer(
        visit.who, "revoke", lambda people: people.revoke(which), whom=named(which)
    )
    return redirected("/principals")


def _token(visit: Visit) -> object:
    """A new token, told to a script once: it is in no page, and in no address."""
    name, days = visit.form.get("name", ""), visit.form.get("days", "").strip()
    if days and not 1 <= _number(days) <= MOST_DAYS:
        raise InvalidArgument(f"a token ends after 1 to {MOST_DAYS:,} days, or never")
    ends = datetime.now(UTC) + timedelta(days=_number(days)) if days else None
    made = visit.service.administer(
        visit.who, "token", lambda people: people.new_token(name, ends), whom=name, days=days
    )
    return {"token": made}
