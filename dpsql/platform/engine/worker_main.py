"""The worker process: it opens the data, and does what its parent asks for over a socket.

It is started with as few modules as possible (see `engine.worker`), knows neither the policy
nor the ledger, and gives back what statements gave. It ends with its parent, or when that kills it.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import duckdb

from dpsql.errors import EngineError, LimitExceeded
from dpsql.platform.engine import ownerlog, worker_wire
from dpsql.platform.engine.fingerprint import Files
from dpsql.platform.engine.guard import guarded, quietly
from dpsql.platform.engine.kept import Kept
from dpsql.platform.engine.oslimits import confine, more_cpu
from dpsql.platform.engine.recipe import Recipe
from dpsql.platform.engine.sandbox import Allowance
from dpsql.platform.engine.scratch import Scratch
from dpsql.platform.engine.snapshot import NO_FILES, DuckDBSnapshot, begin, end, one_select
from dpsql.platform.engine.spill import Spill
from dpsql.platform.engine.whole_rows import Row, parts

_CHUNK = 10_000
"""Rows of the data at once: they may have long texts, and there are several copies for a while."""
_NOTES, _NOTE = 20, 2_000  # how many notes go to the owner's log with a failure, and how long


class _Notes(logging.Handler):
    """What goes to the owner's log, which is in the parent."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if len(self.texts) < _NOTES:
            self.texts.append(record.getMessage()[:_NOTE])


class Server:
    """Answers requests, one after the other."""

    def __init__(self, channel: socket.socket, settings: Mapping[str, Any]) -> None:
        self._channel = channel
        spill = Spill(Path(settings["directory"]), settings["temp_space"])
        self._allowed = Allowance(settings["threads"], settings["memory_limit"], spill)
        self._apart = replace(self._allowed, spill=spill.apart())
        self._connection: duckdb.DuckDBPyConnection | None = None
        self._cursor: duckdb.DuckDBPyConnection | None = None
        self._parameters: dict[str, list[object]] = {}
        self._rows: list[Row] = []
        self._kept = Kept(NO_FILES.check)
        self._idle: list[Scratch] = []
        self._used: dict[int, Scratch] = {}
        self._number = 0
        self._noted = True
        self._notes = _Notes()
        logging.getLogger("dpsql.owner").addHandler(self._notes)

    def serve(self) -> None:
        """Until the parent hangs up."""
        requests: dict[str, Callable[..., object]] = {
            "open": self._open,
            "begin": self._begin,
            "parameter": self._parameter,
            "part": self._part,
            "rows": self._run,
            "scratch": self._scratch,
            "load": self._load,
            "copy": self._copy,
            "post": self._post,
            "give": self._give,
            "end": self._end,
        }
        while True:
            name, *arguments = self._received()
            self._notes.texts.clear()
            try:
                said = requests[name](*arguments)
                if name not in ("parameter", "part"):
                    self._send(b"D", said)
            except Exception as error:
                self._failed(error)

    def _failed(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            ownerlog.record("worker", error)
        kind = error.limit if isinstance(error, LimitExceeded) else ""
        self._send(b"E", [kind, self._notes.texts if self._noted else []])

    def _open(
        self,
        database: str | None,
        files: Sequence[str],
        create: Sequence[str],
        attached: Sequence[tuple[str, str]],
    ) -> None:
        others = tuple((name, file) for name, file in attached)
        recipe = Recipe(database, tuple(files), tuple(create), others)
        # As its parent finds them before and after this.
        self._kept = Kept(Files.of({file: Path(file) for file in files}).check)

        def work() -> None:
            self._connection = recipe.connect(self._allowed)
            recipe.finish(self._connection, self._allowed.spill)

        guarded(work, "open")
        self._idle.append(self._new())

    def _begin(self, cpu_seconds: float, noted: bool) -> None:
        assert self._connection is not None
        self._noted = noted
        more_cpu(cpu_seconds)
        self._cursor = guarded(self._connection.cursor, "open a cursor")
        cursor = self._cursor
        guarded(lambda: begin(cursor), "begin")

    def _parameter(self, name: str, column: object) -> None:
        self._parameters.setdefault(name, []).extend(worker_wire.values(column))

    def _part(self, columns: object) -> None:
        self._rows += worker_wire.rows(columns)

    def _run(self, sql: str, single: Sequence[Any], kept: Sequence[str]) -> None:
        assert self._cursor is not None
        cursor, parameters = self._cursor, self._parameters
        self._parameters = {}
        given: dict[str, object] = {**parameters}
        given |= {str(name): worker_wire.read(value) for name, value in single}

        def work() -> None:
            text = self._kept.read(cursor, sql, kept)
            for part in parts(one_select(cursor, text, given)):
                self._send_rows(part)

        guarded(work)

    def _new(self) -> Scratch:
        return Scratch(self._apart)

    def _scratch(self) -> int:
        self._number += 1
        self._used[self._number] = self._idle.pop() if self._idle else self._new()
        return self._number

    def _load(self, number: int, table: str, columns: Sequence[Sequence[str]]) -> None:
        rows, self._rows = self._rows, []
        self._used[number].load(table, [(name, type_) for name, type_ in columns], rows)

    def _copy(
        self, number: int, table: str, columns: Sequence[Sequence[str]], source: Sequence[str]
    ) -> None:
        assert self._cursor is not None
        named = [(name, type_) for name, type_ in columns]
        self._used[number].copy(table, named, DuckDBSnapshot(self._cursor), source)

    def _post(
        self, number: int, sql: str, most: int | None, public: bool, tables: Sequence[Any]
    ) -> object:
        given = [
            (table, [(name, type_) for name, type_ in columns], worker_wire.rows(said))
            for table, columns, said in tables
        ]
        found = self._used[number].run(sql, most, public=public, given=given)
        for part in worker_wire.slices(found.rows, _CHUNK):
            self._send_rows(part)
        return [found.columns, found.types]

    def _give(self, number: int) -> None:
        scratch = self._used.pop(number)
        scratch.clear()
        self._idle.append(scratch)

    def _end(self) -> None:
        assert self._cursor is not None
        cursor, self._cursor = self._cursor, None
        self._rows, self._parameters = [], {}
        quietly(lambda: end(cursor), "end a snapshot")
        quietly(cursor.close, "close a cursor")
        for number in list(self._used):
            self._give(number)

    def _received(self) -> list[Any]:
        size, _ = worker_wire.header(
            worker_wire.exactly(self._channel.recv_into, worker_wire.HEADER.size)
        )
        said = worker_wire.parsed(worker_wire.exactly(self._channel.recv_into, size))
        assert isinstance(said, list)
        return said

    def _send_rows(self, rows: Sequence[Row]) -> None:
        for body in bodies(rows):
            self._channel.sendall(worker_wire.framed(b"R", body))

    def _send(self, kind: bytes, said: object) -> None:
        self._channel.sendall(worker_wire.framed(kind, worker_wire.text(said)))


def bodies(rows: Sequence[Row]) -> Iterator[bytes]:
    """The rows as messages; long ones in smaller parts.

    Raises:
        NotSaid: one row alone is too long.
    """
    try:
        body = worker_wire.text(worker_wire.columns(rows))
    except worker_wire.NotSaid:
        if len(rows) < 2:
            raise
        body = None
    if body is not None:
        yield body
        return
    half = len(rows) // 2
    yield from bodies(rows[:half])
    yield from bodies(rows[half:])


def main(channel: int, lifeline: int, settings: str) -> NoReturn:
    """Work until the parent hangs up or dies.

    Args:
        channel: the descriptor of the socket.
        lifeline: that of a pipe that nobody writes to; it ends with the parent.
        settings: limits and places, as JSON.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    chosen = json.loads(settings)
    os.chdir(chosen["directory"])
    confine(chosen["process_memory"], chosen["temp_space"])

    def work() -> None:
        try:
            Server(socket.socket(fileno=channel), chosen).serve()
        except BaseException:
            _exit(chosen["directory"])

    # In a thread, so that this one sees the end of the parent whatever the engine does.
    threading.Thread(target=work, daemon=True).start()
    while os.read(lifeline, 1):
        pass
    _exit(chosen["directory"])


def _exit(directory: str) -> NoReturn:
    # Also the parent's to remove, but it may be dead; and no handler has anything to say.
    shutil.rmtree(directory, ignore_errors=True)
    os._exit(1)
