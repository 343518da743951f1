"""One query, run: asked about, timed, said what it cost; and Ctrl-C.

The engine stops (`engine.guard`), and what was charged is said exactly. What the ledger has
is what was charged, whatever had been done when the key was pressed, and whatever other processes
charge meanwhile. So each query is run with a key of its own, and the ledger is asked for its line.
"""

from __future__ import annotations

import secrets
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

from dpsql.errors import DpsqlError, EngineError, InternalError, PolicyError
from dpsql.repl.output import spinner
from dpsql.repl.settings import ShellSettings
from dpsql.report.result import Answer, footer, price, shortened
from dpsql.report.result.formats import FORMATS
from dpsql.session.database import Database


def new_key() -> str:
    """An idempotency key that nobody else has."""
    return f"repl-{secrets.token_hex(16)}"


def charged(database: Database | None, key: str | None) -> str:
    """What a run with that key was charged, in words; None for one that was not begun."""
    if database is None or key is None:
        return "nothing was charged"
    try:
        line = database.charged(key)
    except DpsqlError:
        return "the ledger cannot be read now: whether anything was charged is not known"
    if line is None:
        return "nothing was charged"
    kept = ", and its answer is kept" if line.charge.answered else ""
    return f"{line.cost} was charged (line {line.number}){kept}"


def undisturbed(work: Callable[[], object]) -> None:
    """Do `work`, which is short, without any further Ctrl-C."""
    main = threading.current_thread() is threading.main_thread()
    while True:
        try:
            before = signal.signal(signal.SIGINT, signal.SIG_IGN) if main else None
            try:
                work()
                return
            finally:
                if main:
                    signal.signal(signal.SIGINT, before)
        except KeyboardInterrupt:  # pressed just before or just after
            continue


UNSURE = EngineError | InternalError | PolicyError
"""What may come after the charge."""

WORDS = 60
"""How many characters of a query are its name in a question."""


@dataclass(frozen=True, slots=True)
class Shown:
    """An answer to show.

    Attributes:
        answer: as `dpsql` gives it.
        text: in the format of the settings.
        whole: how many of its lines are the answer itself, and no remark below it.
        note: what it cost, what is left, and how long it took.
    """

    answer: Answer
    text: str
    whole: int
    note: str


def run(database: Database, sql: str, settings: ShellSettings, key: str) -> Shown:
    """Answer a query.

    Args:
        database: charged for it.
        sql: one SELECT.
        settings: its ε, δ and format.
        key: by which its line of the ledger is found.

    Raises:
        DpsqlError: see `Database.run`.
        KeyboardInterrupt: Ctrl-C.
    """
    began = perf_counter()
    with spinner(settings.color):
        answer = database.run(
            sql, settings.eps, settings.delta, idempotency_key=key, **settings.wishes
        )
    took = perf_counter() - began
    paid = f"cost {answer.cost}" if answer.reused is None else price(answer)
    note = f"{paid}; {database.budget}"
    if settings.timing:
        note += f"\ntime {took:.3f} s"
    text = "".join(FORMATS[settings.format](answer, settings.intervals))
    remarks = len(footer(answer)) if settings.format in ("table", "vertical") else 0
    return Shown(answer, text, text.count("\n") - remarks, note)


def question(database: Database, sql: str, settings: ShellSettings) -> str | None:
    """What to ask before a query is charged; None where nothing will be.

    Whether a stored answer will do is known only when the query is run.

    Raises:
        Rejected, InvalidBudget, UnknownDialect: see `Database.explain`.
    """
    found = database.explain(sql, settings.eps, settings.delta, **settings.wishes)
    if found.kind == "public" or found.ledger is None or not found.ledger.fits:
        return None
    return (
        f"charge {found.ledger.charge}, unless a stored answer will do? "
        f"{found.ledger.left} is left then; for {shortened(' '.join(sql.split()), WORDS)}"
    )


def note_charge(error: Exception, database: Database | None, key: str | None) -> None:
    """Add to an error of a query what was charged for it; most errors come before the charge."""
    before = isinstance(error, DpsqlError) and not isinstance(error, UNSURE)
    if key is not None and not before:
        error.add_note(charged(database, key))
