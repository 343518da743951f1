"""Before you spend: what would become of a query, while it is still being typed.

Nothing is charged for it and no row is read: a verdict is a function of the text, the policy, the
settings and what the ledger has left.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Literal, Protocol, Unpack, cast

from sqlglot import exp
from sqlglot.errors import SqlglotError

from dpsql.core.account.loss import NOTHING
from dpsql.core.calibrate.options import Amount, Wishes
from dpsql.errors import DpsqlError, Rejected
from dpsql.front.dialects import dialect_of
from dpsql.repl import commands
from dpsql.repl.commands import choices
from dpsql.repl.settings import ShellSettings
from dpsql.repl.splitting import Statement, apart, split
from dpsql.report.budget import Budget
from dpsql.report.explanation import Explanation, Release
from dpsql.report.explanation.outlook import outlook
from dpsql.report.figures import QueryCost, figure
from dpsql.session.database import Database
from dpsql.visible import one_line

if TYPE_CHECKING:
    from dpsql.repl.shell import Shell

Kind = Literal[
    "idle", "unfinished", "accepted", "stored", "public", "rejected", "too little", "unknown"
]

MAX_CHARACTERS = 20_000
"""Longer queries are not looked at while they are typed."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known of a query so far; texts of one line each, "" for what there is none of.

    Attributes:
        kind: "too little" is an accepted query that would not be charged: it costs more than is
            left, or who asks would be refused it; "stored" one whose answer was paid for.
        code: of what is wrong, such as DP402.
        message: what is wrong, or what there is to say.
        help: the smallest fix.
        cost: what it would be charged.
        width: the half-width at 95 % that its first aggregate would have.
        left: what would be left; for "idle" and "too little", what is left now.
        more: how many more such queries that allows.
        together: what all queries that are run with it cost.
    """

    kind: Kind
    code: str = ""
    message: str = ""
    help: str = ""
    cost: str = ""
    width: str = ""
    left: str = ""
    more: str = ""
    together: str = ""


UNFINISHED = Verdict("unfinished")


class LookedAt(Protocol):
    """What a verdict needs of a database."""

    @property
    def budget(self) -> Budget:
        """See `Database.budget`."""

    def explain(
        self, sql: str, eps: Amount, delta: Amount, /, **wishes: Unpack[Wishes]
    ) -> Explanation:
        """See `Database.explain`."""

    def stored(self, sql: str, eps: Amount, delta: Amount, /, **wishes: Unpack[Wishes]) -> bool:
        """See `Database.stored`."""


def verdict(
    database: LookedAt, text: str, settings: ShellSettings, cursor: int | None = None
) -> Verdict:
    """What would become of a query.

    Args:
        database: its schema and its ledger are looked at.
        text: the query so far, without `;`; a comment above it may say its ε.
        settings: else its ε; its δ and the wishes for it.
        cursor: where more is being typed: what is only unfinished there is not called wrong. None
            for a query that has its `;`; more than the text's length where a space is before it.
    """
    try:
        if not text.strip():
            return Verdict("idle", left=one_line(str(database.budget)))
        if len(text) > MAX_CHARACTERS:
            return Verdict("unknown", message="too long to look at while it is typed")
        eps, _ = apart(text, settings.dialect)
        settings = settings if eps is None else replace(settings, eps=eps)
        asked = text, settings.eps, settings.delta
        found = database.explain(*asked, **settings.wishes)
        if found.kind != "public" and database.stored(*asked, **settings.wishes):
            return Verdict("stored")
    except Rejected as rejected:
        if cursor is not None and _unfinished(rejected, text, cursor):
            return UNFINISHED
        first = rejected.diagnostics[0]
        said = one_line(first.message), one_line(first.help or "")
        return Verdict("rejected", first.code, *said)
    except DpsqlError as error:
        return Verdict("unknown", message=one_line(str(error)))
    except Exception as error:  # its text may show anything
        return Verdict("unknown", message=f"no verdict ({type(error).__name__})")
    if found.kind == "public":
        return UNFINISHED if cursor is not None and _early(text) else Verdict("public")
    return _accepted(found, text, settings.dialect)


def together(database: Database, text: str, settings: ShellSettings) -> str:
    """What several queries cost, run one after the other; "" where that cannot be said.

    Args:
        database: its schema and its ledger are looked at.
        text: all of them; comments above them, and commands between them, may say their ε.
        settings: else their ε; their δ and the wishes for them.
    """
    if len(text) > MAX_CHARACTERS:
        return ""
    asked: set[tuple[object, ...]] = set()
    loss, stored, wrong, count = NOTHING, 0, "", 0
    try:
        for one in split(text, settings.dialect):
            if one.command:
                held = chosen(one, settings)
                if held is None:  # it may do anything
                    return ""
                settings = held
                continue
            count += 1
            if wrong:  # a run stops at the first that is rejected
                continue
            eps = settings.eps if one.eps is None else one.eps
            at = one.query, eps, settings.delta
            try:
                found = database.explain(*at, **settings.wishes)
            except Rejected as rejected:
                wrong = f", then {rejected.code}"
                continue
            if found.kind == "public":
                continue
            same = *at, *settings.wishes.values()
            again = same in asked and database.keeps_answers
            if again or database.stored(*at, **settings.wishes):
                stored += 1
                continue
            asked.add(same)
            loss += found.totals.loss.rounded_up()
    except Exception:  # the verdict of the query at the cursor says what there is to say
        return ""
    # What one of them tells may answer another one, which then is free.
    cost = f"{'at most ' if len(asked) > 1 else ''}{QueryCost(loss.cost)}" if asked else "free"
    known = f", {stored} stored" if stored else ""
    budget = database.budget
    less = "" if outlook(budget.account, budget.loss, loss).fits else ", more than is left"
    return f"{count} queries: {cost}{known}{wrong}{less}"


def chosen(command: Statement, settings: ShellSettings) -> ShellSettings | None:
    r"""The settings after a command that chooses some, such as `\eps`; None for another one.

    Raises:
        UsageError, InvalidBudget: it is written wrongly.
    """
    named = commands.find(command.command)
    if named not in choices.COMMANDS or command.query:
        return None
    shell = SimpleNamespace(settings=settings, say=lambda _: None)
    named.run(cast("Shell", shell), command.argument)
    return cast(ShellSettings, shell.settings)


def _early(text: str) -> bool:
    """Whether FROM is still to come."""
    return re.search(r"\bfrom\b", text, re.IGNORECASE) is None


def _unfinished(rejected: Rejected, text: str, cursor: int) -> bool:
    """Whether a query is rejected only because more is to come."""
    found, written = rejected.diagnostics[0], text.rstrip()
    if text[:cursor][-1:].isalnum() and cursor <= len(text):  # within a word
        touched = found.span is None or found.span.start <= cursor <= found.span.end
        return touched or not text[cursor:].strip()
    if _early(text):
        return found.code != "DP102"
    word = max(written.rfind(" "), written.rfind("\n")) + 1  # where the last one begins
    return found.code == "DP101" and (found.span is None or found.span.end >= word)


def _accepted(found: Explanation, text: str, dialect: str) -> Verdict:
    ledger, cost = found.ledger, str(found.cost)
    if ledger is not None and ledger.refused is not None:
        return Verdict("too little", message=one_line(ledger.refused), cost=cost)
    if ledger is not None and not ledger.fits:
        return Verdict("too little", cost=cost, left=f"{ledger.left} is left")
    made = Verdict("accepted", cost=cost, width=_width(found, text, dialect))
    if ledger is None:
        return made
    more = "any number of" if ledger.more is None else f"{ledger.more:,}"
    return replace(made, left=f"{ledger.left} left then", more=f"{more} more such")


def _width(found: Explanation, text: str, dialect: str) -> str:
    """How far the first aggregate would be off."""
    shown = [r for r in found.releases if r.threshold is None] or list(found.releases)
    named = _first(text, dialect)
    if named is None or not shown:
        return _wide(shown[0]) if shown else ""
    direct = [r for r in shown if r.name.lower() == named.lower()]
    made = [c for c in found.computed if c.name.lower() == named.lower()]
    if made and not direct:
        half = figure(made[0].interval())
        if made[0].per_row:  # an average's width depends on how many rows there are
            return f"{one_line(named)} = (sum ± {half}) / rows at 95 %"
        return f"{one_line(named)} ± {half} at 95 %"
    return _wide((direct or shown)[0])


def _first(text: str, dialect: str) -> str | None:
    """The name of the first column that is an aggregate."""
    try:
        tree = dialect_of(dialect).parse(text)[0]
    except SqlglotError:
        return None
    if not isinstance(tree, exp.Select):
        return None
    for column in tree.expressions:
        if column.find(exp.AggFunc) is not None:
            return str(column.alias or column.sql(dialect="duckdb").lower())
    return None


def _wide(release: Release) -> str:
    name = one_line(release.name)
    if release.mechanism == "constant":
        return f"{name} exact"
    if release.clipping is not None:
        return f"{name} ± known when it is run"
    half = figure(release.interval())
    if release.mechanism in ("exponential", "noisy max"):
        return f"{name} within {half} {'rows' if release.l1 else 'of the best'} at 95 %"
    return f"{name} ± {half} at 95 %"
