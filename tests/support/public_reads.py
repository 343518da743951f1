"""Whoever only explains reads no private row: public groups are counted, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from dpsql.session.database import Database


def forbid_private_reads(db: Database, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Fail where a statement names a private table; returns those that are run."""
    engine, seen = db._engine, list[str]()
    real = engine.snapshot
    private = [re.escape(t.name) for t in db.schema.tables.values() if t.private]
    pattern = re.compile(rf"\b({'|'.join(private)})\b", re.IGNORECASE)

    class Watched:
        def __init__(self, snapshot: Any) -> None:
            self._snapshot = snapshot

        def rows(self, text: str, *given: object) -> object:
            assert not pattern.search(text), "a private table was read"
            seen.append(text)
            return self._snapshot.rows(text, *given)

    @contextmanager
    def snapshot(*given: object) -> Iterator[Watched]:
        with real(*given) as found:
            yield Watched(found)

    monkeypatch.setattr(engine, "snapshot", snapshot)
    return seen
