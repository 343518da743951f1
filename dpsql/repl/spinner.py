"""A sign of life while a query runs: on a terminal, and only where it takes long."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle

PATIENCE = 1.0
"""Seconds before there is one."""


@contextmanager
def spinner() -> Iterator[None]:
    """Turns on stderr while the block runs; nothing at all where that is no terminal."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield
        return
    done = threading.Event()
    thread = threading.Thread(target=_turn, args=(done,), name="dpsql-spinner", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _turn(done: threading.Event) -> None:
    shown = ""
    wait = PATIENCE
    for sign in cycle("|/-\\"):
        if done.wait(wait):
            break
        wait, shown = 0.1, f"\r{sign} running; Ctrl-C stops it"
        print(shown, end="", file=sys.stderr, flush=True)
    if shown:
        print(f"\r{' ' * (len(shown) - 1)}\r", end="", file=sys.stderr, flush=True)
