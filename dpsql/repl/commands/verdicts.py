r"""What a query would do, before it is paid for: `\explain`, `\cost`, `\sql`, `\why`."""

from __future__ import annotations

import re
import shutil

from dpsql.explanation import sentences
from dpsql.repl.command import Command, Host, UsageError
from dpsql.repl.commands import asked
from dpsql.repl.describe.pages import codes_text, page_text
from dpsql.sensitivity.steps import WIDTH
from dpsql.sql.codes import CODES

_CODE = re.compile(r"DP\d+", re.IGNORECASE)


def _explain(host: Host, argument: str) -> None:
    word = argument.strip().rstrip(";")
    if _CODE.fullmatch(word):
        if word.upper() not in CODES:
            raise UsageError(f"no error code {word}; these are:\n{codes_text()}")
        page = page_text(word.upper())
        host.write(page, whole=page.count("\n") + 1)  # a caret stays below its word
        return
    sql = asked.query(host, argument, r"\explain")
    host.write(str(asked.explained(host, sql)))


def _cost(host: Host, argument: str) -> None:
    sql = asked.query(host, argument, r"\cost")
    found = asked.explained(host, sql)
    if found.ledger is None:
        host.write(sentences.PUBLIC)
        return
    caps = host.database.budget.caps_of(host.database.analyst)
    own = [f"; the cap of {cap.name} has {cap.left} left now" for cap in caps]
    host.write("".join([sentences.ledger(found.ledger), *own]))


def _sql(host: Host, argument: str) -> None:
    sql = asked.query(host, argument, r"\sql")
    rewritten = asked.explained(host, sql).sql
    host.write(rewritten, whole=rewritten.count("\n") + 1)


def _why(host: Host, argument: str) -> None:
    sql = asked.query(host, argument, r"\why")
    screen = shutil.get_terminal_size().columns if host.interactive else WIDTH
    host.write(asked.explained(host, sql).tree.drawn(min(WIDTH, screen)))


COMMANDS: tuple[Command, ...] = (
    Command(
        r"\explain",
        r"\explain [SELECT … | CODE]",
        "what a query would release and cost, or what an error code means",
        _explain,
        lambda _: tuple(CODES),
    ),
    Command(r"\cost", r"\cost [SELECT …]", "what a query would cost, and what is left then", _cost),
    Command(r"\sql", r"\sql [SELECT …]", "the SQL that the engine would run", _sql),
    Command(
        r"\why", r"\why [SELECT …]", "why each sensitivity is what it is, as a tree of steps", _why
    ),
)
