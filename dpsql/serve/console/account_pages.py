"""History, budget and estimate: what was spent, what is left, and what more would cost."""

from __future__ import annotations

from collections.abc import Iterator

from dpsql.core.calibrate.options import Wishes
from dpsql.repl.settings import exact_eps
from dpsql.report import page
from dpsql.report.budget import Budget, LedgerLine
from dpsql.report.budget.account_document import moment, whose
from dpsql.report.figures import QueryCost
from dpsql.report.result import Answer
from dpsql.report.result.answer_document import price
from dpsql.serve.asked import Asked
from dpsql.serve.console.html import Html, joined, tag, verbatim
from dpsql.serve.console.layout import button, form, labelled, table
from dpsql.serve.console.web import Visit, Web

MOST_LINES = 500

WIDE = 400
"""Of a gauge."""


def add(web: Web) -> None:
    """Add the pages."""
    web.add("GET", "/history/{data}", _history)
    web.add("GET", "/budget/{data}", _budget)
    web.add("GET", "/estimate/{data}", _estimate)
    web.add("POST", "/estimate/{data}", _estimate, how="looked")


def _history(visit: Visit) -> object:
    told = visit.service.history(visit.who, visit.data)
    lines = [LedgerLine(charge) for charge in reversed(told.lines[-MOST_LINES:])]
    charged = [
        (str(x.number), moment(x.time), x.analyst, str(x.cost), tag("code", x.words), _again(x.sql))
        for x in lines
    ]
    own = visit.service.recent(visit.who, visit.data)
    recent = [(asked.state, _price(asked), tag("code", asked.shown)) for asked in reversed(own)]
    hidden = len(told.lines) - len(lines)
    return visit.page(
        "History",
        tag("h2", "Asked lately"),
        tag("p", "What you asked in the last hour or so; what was stored is free.", class_="faint"),
        table("Asked lately", ("state", "cost", "query"), recent),
        tag("h2", "Charged"),
        tag("p", f"{hidden:,} older lines are not shown", class_="faint") if hidden else "",
        table("Charged", ("line", "time", "analyst", "cost", "query", ""), charged),
        script="history.js",
    )


def _again(sql: str) -> Html | str:
    if not sql:
        return ""
    return button("Ask again", type="button", data_sql=verbatim(sql))


def _price(asked: Asked) -> str:
    if asked.state != "done":
        return ""
    made = asked.future.result()[0]
    return price(made) if isinstance(made, Answer) else str(made.cost)


def _budget(visit: Visit) -> object:
    found, _ = visit.service.budget(visit.who, visit.data)
    listed = tag("div", Html(page.body(found._document())), class_="dpsql wide", tabindex="0")
    return visit.page("Budget", *_gauges(found), tag("h2", "The account"), listed)


def _gauges(found: Budget) -> Iterator[Html]:
    """Of the account, and of each cap that is shown."""
    yield _gauge("all analysts", found.guarantee, found.total)
    for cap in found.caps:
        yield _gauge(whose(cap), cap.spent, cap.most)


def _gauge(name: str, spent: QueryCost, whole: QueryCost) -> Html:
    """How much of an ε is used; by zcdp and rdp, of what is guaranteed."""
    part = min(1.0, float(spent.exact.eps / whole.exact.eps)) if whole.exact.eps else 1.0
    words = f"{name}: {spent} of {whole} used"
    bars = joined(
        (
            tag("rect", width=WIDE, height=14, rx=3, class_="room"),
            tag("rect", width=round(WIDE * part, 1), height=14, rx=3, class_="used"),
        )
    )
    picture = tag("svg", bars, viewBox=f"0 0 {WIDE} 14", role="img", aria_label=f"{part:.0%} used")
    return tag("figure", tag("figcaption", words), picture, class_="gauge")


def _estimate(visit: Visit) -> object:
    visit.service.facts(visit.who, visit.data)  # or it is not there
    text, eps = visit.form.get("sql", ""), visit.form.get("eps", "0.5")
    asking = form(
        f"/estimate/{visit.data}",
        visit.proof,
        labelled(
            "Queries, with ; between them",
            tag(
                "textarea",
                "\n",
                verbatim(text),
                name="sql",
                rows="8",
                spellcheck="false",
                required=True,
            ),
        ),
        labelled(
            "ε of each that says no other, as -- eps: 0.1 above it does",
            tag("input", name="eps", value=eps, inputmode="decimal"),
        ),
        button("Estimate", class_="main"),
        class_="stacked",
    )
    found: Html | str = ""
    if text.strip():
        made = visit.service.estimate(visit.who, visit.data, text, exact_eps(eps), Wishes())
        inner = Html(page.body(made._document()))
        found = tag("div", inner, class_="dpsql wide", tabindex="0", role="region")
    return visit.page("Estimate", tag("p", "Free: no row is read."), asking, found)
