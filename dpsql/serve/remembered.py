"""What was asked under which id: its answer can be fetched of a server that was started anew.

Nothing of an answer is here, nor of a row: a line is what somebody asked, in his own words. Answers
are the ledger's, under the key of the request: the caller's, or one that follows from the id.

Claim: an answer that was charged can be fetched by its id however the server ended, and by nobody
else. Why: a line is on the disk before the ledger is charged, in the same call (as in the ledger,
EXTRA syncs the file, and then the folder in which the journal is no more); the answer is in the
ledger before it is shown; and a line is found by the name of who was authenticated alone. What is
fetched is asked again under its key so that nothing can be charged (`free`). What costs nothing has
no line: it would wait for the disk, and can be asked again.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from time import time
from typing import Any

from dpsql.core.calibrate.options import Question
from dpsql.errors import EngineError, InvalidArgument
from dpsql.report.workloads.workload import Workload
from dpsql.serve.asked import ANOTHER, MOST_BYTES, MOST_KEPT, SHOWN, How
from dpsql.session.remote.codec import decoded, encoded

FILE = "asked.sqlite"
BROKEN = "what is asked cannot be noted: nothing is charged until it can"
LOST = (
    "it was charged, and has no answer (yet): if the server that had it was ended, that is lost; "
    "under another id it is charged anew"
)
UNCHARGED = (
    "nothing was charged (yet): if the server that had it was ended, ask again under the same id"
)

_TABLE = """
CREATE TABLE IF NOT EXISTS asked (
    number INTEGER PRIMARY KEY,
    analyst TEXT NOT NULL,
    data TEXT NOT NULL,
    id TEXT NOT NULL,
    time REAL NOT NULL,      -- before it was charged, in seconds of UTC
    size INTEGER NOT NULL,   -- bytes of `said`
    digest TEXT NOT NULL,    -- of what was asked, and how
    said TEXT NOT NULL,      -- JSON: see `Remembered`
    UNIQUE (analyst, data, id)
) STRICT;
CREATE INDEX IF NOT EXISTS asked_time ON asked (time);
"""
_OLD = """
DELETE FROM asked WHERE time < :old OR number IN (
    SELECT number FROM (
        SELECT number, ROW_NUMBER() OVER newer AS many, SUM(size) OVER newer AS much
        FROM asked WHERE analyst = :who WINDOW newer AS (ORDER BY number DESC)
    ) WHERE many >= :many OR much > :much
)
"""
"""What is forgotten before one more of this analyst is remembered."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """A query, or a batch, that somebody asked.

    Attributes:
        id: of the asker's choice.
        digest: of what was asked, and how.
        question: the query; of a batch what holds for all.
        queries: of a batch; None for one query.
        key: of the request, in the ledger.
        fresh: whether it was to have new noise.
        typed: see `How`.
    """

    id: str
    digest: str
    question: Question
    queries: Workload | None
    key: str
    fresh: bool
    typed: str

    @classmethod
    def of(cls, how: How, question: Question, queries: Workload | None = None) -> Remembered:
        """What is asked; of a batch the question's text is that of all queries."""
        said = repr((question, queries, replace(how, id="")))
        digest = hashlib.sha256(said.encode()).hexdigest()
        return cls(how.id, digest, question, queries, how.key, how.fresh, how.typed)

    @property
    def shown(self) -> str:
        """The beginning of what was typed, for a list."""
        return (self.typed or self.question.sql)[:SHOWN]

    @property
    def fetching(self) -> How:
        """How its answer is asked for again, so that nothing is charged."""
        return How(self.id, self.fresh, True, self.key, typed=self.typed)


class RememberedQueries:
    """What was asked of one server, or of several that share its state. Safe for threads, and for
    several processes.

    Args:
        folder: of the state; the file in it is readable by its owner alone.
        seconds: that a query can be fetched, from when it was charged.
        clock: seconds of UTC.

    Raises:
        EngineError: the file cannot be written.
    """

    def __init__(self, folder: Path, seconds: float, clock: Callable[[], float] = time) -> None:
        self._file, self._seconds, self._clock = folder / FILE, seconds, clock
        self._here = threading.local()
        with suppress(OSError):  # of which SQLite will tell
            self._file.touch(mode=0o600)
        with self._open() as connection:
            connection.executescript(_TABLE)

    def check(self, who: str, data: str, made: Remembered) -> None:
        """See that no other query was asked under this id.

        Raises:
            InvalidArgument: one was.
            EngineError: it cannot be read.
        """
        with self._open() as connection:
            _check(connection, who, data, made, self._clock() - self._seconds)

    def add(self, who: str, data: str, made: Remembered) -> None:
        """Remember one, durably; before it is charged.

        Raises:
            InvalidArgument: another one was asked under this id.
            EngineError: it cannot be written; then it must not be charged.
        """
        whole = (made.question, made.queries, made.key, made.fresh, made.typed)
        said, now = json.dumps(encoded(whole)), self._clock()
        bounds: dict[str, Any] = {
            "old": now - self._seconds,
            "many": MOST_KEPT,
            "much": MOST_BYTES,
            "who": who,
        }
        row = (who, data, made.id, now, len(said), made.digest, said)
        with self._open() as connection:
            connection.execute(_OLD, bounds)
            connection.execute(
                "INSERT INTO asked (analyst, data, id, time, size, digest, said) "
                "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                row,
            )
            _check(connection, who, data, made, bounds["old"])

    def find(self, who: str, data: str, name: str) -> Remembered | None:
        """What an analyst asked under an id."""
        return next(self._read(who, data, "AND id = ?", name), None)

    def of(self, who: str, data: str) -> tuple[Remembered, ...]:
        """All that an analyst asked, oldest first."""
        return tuple(self._read(who, data, "ORDER BY number"))

    def _read(self, who: str, data: str, more: str, *given: str) -> Iterator[Remembered]:
        of = "WHERE analyst = ? AND data = ? AND time >= ?"
        sql = f"SELECT id, digest, said FROM asked {of} {more}"
        old = self._clock() - self._seconds
        with self._open() as connection:
            rows = connection.execute(sql, (who, data, old, *given))
            every = rows.fetchall()
        for name, digest, said in every:
            with suppress(EngineError, TypeError, ValueError):  # of another version
                yield Remembered(name, digest, *decoded(json.loads(said)))

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """A transaction, by this thread's own connection."""
        try:
            connection = getattr(self._here, "connection", None)
            if connection is None:
                connection = sqlite3.connect(self._file, timeout=10)
                connection.executescript("PRAGMA synchronous = EXTRA; PRAGMA fullfsync = ON;")
                self._here.connection = connection
            with connection:
                yield connection
                return
        except sqlite3.Error:
            pass
        raise EngineError(BROKEN)


def _check(
    connection: sqlite3.Connection, who: str, data: str, made: Remembered, old: float
) -> None:
    row = connection.execute(
        "SELECT digest FROM asked WHERE analyst = ? AND data = ? AND id = ? AND time >= ?",
        (who, data, made.id, old),
    ).fetchone()
    if row not in (None, (made.digest,)):
        raise InvalidArgument(ANOTHER)
