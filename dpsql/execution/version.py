"""Which version of the data a query reads; see `Engine.version`. It decides nothing that an analyst
sees (see `epochs`): it tells the owner that data were renamed without their ledger, or replaced.

An engine whose data cannot change unnoticed while it is open reads one version: that of the moment
when it was opened. It is computed once, when it is first needed (a second for each gigabyte of
files), and kept as long as the engine is. Files that are others now than those that were opened are
noticed by the engine itself, when a snapshot begins and after each read. Where the digest would be
of files that are not those that were opened, or where nothing tells, there is no version.
"""

from __future__ import annotations

import os
from threading import Lock
from weakref import WeakKeyDictionary

from dpsql.errors import EngineError
from dpsql.platform.engine.protocol import Engine

_KNOWN: WeakKeyDictionary[Engine, str | None] = WeakKeyDictionary()
_LOCK = Lock()


def _renewed() -> None:
    """Another thread of the parent's may have held it, and would for ever here."""
    global _LOCK
    _LOCK = Lock()


if hasattr(os, "register_at_fork"):  # Windows does not fork
    os.register_at_fork(after_in_child=_renewed)


def data_version(engine: Engine) -> str | None:
    """The version of the data that snapshots of the engine show; None where it cannot be told."""
    if not engine.stable:
        return None
    with _LOCK:
        if engine not in _KNOWN:
            _KNOWN[engine] = _computed(engine)
        return _KNOWN[engine]


def _computed(engine: Engine) -> str | None:
    try:
        return engine.version()
    except EngineError:
        return None
