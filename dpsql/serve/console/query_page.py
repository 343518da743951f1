"""Ask: what a query would become while it is typed, and its answer. Scripts read JSON from here."""

from __future__ import annotations

import asyncio
import re
from typing import Any, Unpack

from anyio.to_thread import run_sync

from dpsql.core.calibrate.options import Amount, Question, Wishes
from dpsql.errors import DpsqlError, InvalidArgument, Rejected
from dpsql.repl.completion.suggest import proposals
from dpsql.repl.settings import ShellSettings, exact_eps
from dpsql.repl.splitting import apart
from dpsql.repl.verdict import Verdict, verdict
from dpsql.report import page
from dpsql.report.budget import Budget
from dpsql.report.explanation import Explanation, noise_picture
from dpsql.report.result import Answer
from dpsql.report.result.answer_document import COLUMNS, document, looked_at
from dpsql.report.result.chart import chart
from dpsql.serve.asked import How
from dpsql.serve.console import chart_svg, noise_svg
from dpsql.serve.console.html import Html, tag
from dpsql.serve.console.web import Visit, Web
from dpsql.serve.principals import Principal
from dpsql.serve.service import Service

LONGEST_WAIT = 2.0
"""Seconds in which a script is told nothing, while a query runs."""

ID = re.compile(r"[0-9a-f]{32}\Z")
MOST_PROPOSALS = 200
ASK = Html("""
<noscript><p class="problem">This page needs JavaScript.</p></noscript>
<div id="editor"></div>
<p id="verdict" role="status" aria-live="polite"></p>
<div class="controls">
  <label><span>ε</span><input id="eps" inputmode="decimal" autocomplete="off" value="0.5"></label>
  <input id="slider" aria-label="ε, by a slider"
    type="range" min="-3" max="1" step="0.05" value="-0.3">
  <label><span>new noise</span><input id="fresh" type="checkbox"></label>
  <button id="run" type="button" class="main" title="Ctrl-Enter">Run</button>
  <button id="cancel" type="button" title="Esc" disabled>Cancel</button>
</div>
<p id="state" role="status" aria-live="polite"></p>
<section id="answer" aria-label="Answer"></section>
<details id="reasons">
  <summary>Why this is private, and what it costs</summary><div id="reasons-inner"></div>
</details>
<details id="noise">
  <summary>The noise at half the ε, at it, and at twice</summary><div id="noise-inner"></div>
</details>
""")
"""What the page's script fills; nothing in it is of anybody."""

STOPPED = "stopped before it began; nothing was charged"


def add(web: Web) -> None:
    """Add the pages."""
    web.add("GET", "/ask/{data}", _ask)
    web.add("POST", "/ask/{data}/verdict", _verdict, how="looked", plain=True)
    web.add("POST", "/ask/{data}/proposals", _proposals, how="looked", plain=True)
    web.add("POST", "/ask/{data}/reasons", _reasons, how="looked", plain=True)
    web.add("POST", "/ask/{data}/noise", _noise, how="looked", plain=True)
    web.add("POST", "/ask/{data}/run", _run, plain=True)
    web.add("POST", "/ask/{data}/stop", _stop, plain=True)
    web.add("POST", "/ask/{data}/answer", _answer, how="waits", plain=True)


class Looked:
    """A data set as its verdicts look at it: by way of the service, as one principal.

    Attributes:
        found: the last explanation.
        wrong: the last rejection.
    """

    def __init__(self, service: Service, who: Principal, data: str) -> None:
        self._service, self._who, self._data = service, who, data
        self.found: Explanation | None = None
        self.wrong: Rejected | None = None

    def explain(
        self, sql: str, eps: Amount, delta: Amount, /, **wishes: Unpack[Wishes]
    ) -> Explanation:
        """See `Service.explain`."""
        asked = Question(sql, eps, delta, wishes)
        try:
            self.found = self._service.explain(self._who, self._data, asked)[1]
        except Rejected as wrong:
            self.wrong = wrong
            raise
        return self.found

    def stored(self, sql: str, eps: Amount, delta: Amount, /, **wishes: Unpack[Wishes]) -> bool:
        """See `Service.stored`."""
        return self._service.stored(self._who, self._data, Question(sql, eps, delta, wishes))

    @property
    def budget(self) -> Budget:
        """As this principal is shown it."""
        return self._service.budget(self._who, self._data)[0]


def _ask(visit: Visit) -> Any:
    visit.service.facts(visit.who, visit.data)  # or it is not there
    least = float(visit.who.min_eps)
    said = tag("p", f"You may ask with ε = {least:g} or more.", class_="faint") if least else ""
    return visit.page("Ask", said, ASK, script="ask.js")


def _question(visit: Visit) -> Question:
    """What is asked; as in files of queries, a comment above it may say its ε."""
    text = visit.form.get("sql", "").rstrip().removesuffix(";")
    own, _ = apart(text)
    return Question(text, own or exact_eps(visit.form.get("eps", "")), None, Wishes())


def _verdict(visit: Visit) -> object:
    text = visit.form.get("sql", "").rstrip()
    done, text = text.endswith(";"), text.removesuffix(";")
    at = visit.form.get("cursor", "")
    cursor = None if done or not at else _letters(visit.form.get("sql", ""), at)
    looked = Looked(visit.service, visit.who, visit.data)
    try:
        settings = ShellSettings(eps=exact_eps(visit.form.get("eps", "")))
    except DpsqlError as error:
        return {"kind": "unknown", "words": [str(error)], "marks": []}
    found = verdict(looked, text, settings, cursor)
    marks = _marks(looked.wrong, text) if found.kind == "rejected" and looked.wrong else []
    return {"kind": found.kind, "words": [word for word in _words(found) if word], "marks": marks}


def _words(found: Verdict) -> tuple[str, ...]:
    match found.kind:
        case "idle":
            return (found.left,)
        case "unfinished":
            return ("…",)
        case "public":
            return ("public: exact and free",)
        case "stored":
            return ("free: the answer that was paid for, again",)
        case "accepted":
            return (f"costs {found.cost}", found.width, found.left, found.more)
        case "too little":
            return (f"costs {found.cost}", found.message or f"only {found.left}")
        case "rejected":
            return (found.code, found.message, found.help)
    return (found.message,)


def _marks(wrong: Rejected, text: str) -> list[dict[str, object]]:
    """The places of what is wrong, as the browser counts letters."""
    return [
        {
            "from": _units(text[: d.span.start]),
            "to": _units(text[: d.span.end]),
            "message": d.message,
        }
        for d in wrong.diagnostics
        if d.span is not None
    ]


def _units(text: str) -> int:
    """How many letters a browser counts: those beyond 65,535 twice."""
    return len(text) + sum(ord(letter) > 0xFFFF for letter in text)


def _letters(text: str, units: str) -> int:
    """How many letters of a text are so many of a browser's."""
    if not units.isascii() or not units.isdecimal() or len(units) > 9:
        return len(text)
    before = text.encode("utf-16-le")[: 2 * int(units)]
    return len(before.decode("utf-16-le", errors="ignore"))


def _proposals(visit: Visit) -> object:
    text = visit.form.get("sql", "")
    cursor = _letters(text, visit.form.get("cursor", ""))
    schema = visit.service.facts(visit.who, visit.data)
    found = proposals(text, cursor, schema)[:MOST_PROPOSALS]
    return [
        {
            "label": one.display,
            "apply": one.text,
            "detail": one.meta,
            "from": _units(text[: one.start]),
        }
        for one in found
    ]


def _reasons(visit: Visit) -> object:
    _, found = visit.service.explain(visit.who, visit.data, _question(visit))
    return {"html": tag("div", Html(page.body(found._document())), class_="dpsql")}


def _noise(visit: Visit) -> object:
    _, found = visit.service.explain(visit.who, visit.data, _question(visit))
    panels, notes = noise_picture.panels(found, found._places(None), found._at)
    return {"html": tag("div", *map(noise_svg.drawn, panels), *(tag("p", n) for n in notes))}


def _run(visit: Visit) -> object:
    """Begin, under an id of the page's own: what a browser sends again is not asked again."""
    name = visit.form.get("id", "")
    if not ID.match(name):
        raise InvalidArgument("an id of 32 hex digits is missing")
    how = How(name, fresh=visit.form.get("fresh") == "true")
    made = visit.service.run(visit.who, visit.data, _question(visit), how)
    return {"state": made.state}


def _stop(visit: Visit) -> object:
    visit.service.stop(visit.who, visit.data, visit.form.get("id", ""))
    return {"state": "stopping"}


async def _answer(visit: Visit) -> object:
    """The answer; or, after a moment, how far it is."""
    name = visit.form.get("id", "")
    asked = await run_sync(visit.service.found, visit.who, visit.data, name)
    if not asked.future.done():
        ended = asyncio.wrap_future(asked.future)
        await asyncio.wait([ended], timeout=LONGEST_WAIT)
        if ended.done() and not ended.cancelled():
            ended.exception()  # it is asked of `asked.future`
    if not asked.future.done():
        return {"state": asked.state}
    if asked.future.cancelled():
        raise InvalidArgument(STOPPED)
    answer = asked.future.result()[0]
    if not isinstance(answer, Answer):
        raise InvalidArgument("that was a batch, of which no page is made")
    return {"state": "done", "html": await asyncio.to_thread(shown, answer)}


def shown(answer: Answer) -> Html:
    """An answer as a table, and as a chart where there is one."""
    listed = page.body(document(answer, looked_at(answer), COLUMNS))
    try:
        drawn = chart_svg.drawn(chart(answer))
    except ValueError as error:  # there is nothing to draw
        drawn = tag("p", str(error), class_="faint")
    inner = tag(
        "div", Html(listed), class_="dpsql wide", tabindex="0", role="region", aria_label="Table"
    )
    return tag("div", inner, drawn, class_="both")
