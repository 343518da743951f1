"""Ctrl-C: the engine stops (`dpsql.engine.guard`), and what was charged is said exactly.

What the ledger has is what was charged, whatever had been done when the key was pressed, and
whatever other processes charge meanwhile. So each query is run with a key of its own, and the
ledger is asked for the line with that key.
"""

from __future__ import annotations

import secrets
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from dpsql.errors import DpsqlError
from dpsql.session import Database


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
    while True:
        try:
            with _ignored():
                work()
                return
        except KeyboardInterrupt:  # pressed just before or just after
            continue


@contextmanager
def _ignored() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
