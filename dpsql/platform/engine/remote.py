"""An engine whose queries run in worker processes, one for each query.

What comes back are the rows that a statement gave, and nothing else: the parent has aggregated
cells, public rows, and what was made of noisy numbers. Whatever a worker does, it is read as data
(see `dpsql.platform.engine.worker_wire`), and every way to fail is one error.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

from dpsql.errors import EngineError, LimitExceeded
from dpsql.platform.engine import worker_wire
from dpsql.platform.engine.deadline import Deadline
from dpsql.platform.engine.duckdb_engine import DuckDBEngine
from dpsql.platform.engine.guard import FAILED, MEMORY, guarded
from dpsql.platform.engine.protocol import ArrowStream, Columns, Given, ResultTable, Snapshot
from dpsql.platform.engine.scratch import few, too_many
from dpsql.platform.engine.whole_rows import Row, joined
from dpsql.platform.engine.worker import Gone, Worker, WorkerSettings
from dpsql.platform.engine.worker_pool import WorkerPool
from dpsql.platform.policy.catalog import Catalog

T = TypeVar("T")

_CHUNK = 10_000
MOST_COLUMNS = 10_000


class RemoteSnapshot:
    """A read-only transaction in a worker."""

    def __init__(
        self, worker: Worker, check: Callable[[], None], deadline: Deadline | None
    ) -> None:
        self._worker, self._check, self.deadline = worker, check, deadline

    def rows(
        self,
        sql: str,
        parameters: Mapping[str, object] | None = None,
        kept: Sequence[str] = (),
    ) -> Sequence[Row]:
        """See `Snapshot`; fails also where the files changed meanwhile."""

        def work() -> Sequence[Row]:
            single = []
            for name, value in (parameters or {}).items():
                if isinstance(value, list):
                    self.tell("parameter", name, ["", []])
                    for start in range(0, len(value), _CHUNK):
                        part = value[start : start + _CHUNK]
                        self.tell("parameter", name, worker_wire.column(part))
                else:
                    single.append([name, worker_wire.written(value)])
            _, parts = self.ask("rows", sql, single, list(kept))
            return _rows(parts, None)

        found = guarded(work)
        self._check()
        return found

    def bind(self, sql: str) -> None:
        """See `Snapshot`: DuckDB has bound it on tables of the same columns (`Empty`)."""

    def arrow(self, sql: str) -> ArrowStream:
        """Nothing of private tables leaves a worker but by `rows`; `copy` has no need of it."""
        raise EngineError(FAILED)

    def ask(self, *request: object) -> tuple[Any, list[Any]]:
        """What the worker says; see `Worker.ask`."""
        return _without_reason(lambda: self._worker.ask(request, self.deadline))

    def tell(self, *request: object) -> None:
        """Tell the worker something; see `Worker.tell`."""
        _without_reason(lambda: self._worker.tell(request, self.deadline))


class RemoteScratch:
    """A scratch database in the worker of a snapshot; see `engine.scratch.Scratch`."""

    def __init__(self, snapshot: RemoteSnapshot, number: int) -> None:
        self._snapshot, self._number = snapshot, number

    def load(self, table: str, columns: Columns, rows: Sequence[Sequence[object]]) -> None:
        """See `Workspace`."""

        def work() -> None:
            for part in worker_wire.slices(rows, _CHUNK):
                self._snapshot.tell("part", worker_wire.columns(part))
            self._snapshot.ask("load", self._number, table, list(columns))

        guarded(work, "load")

    def copy(self, table: str, columns: Columns, snapshot: Snapshot, source: Sequence[str]) -> None:
        """Make a table of a public table's columns, inside of the worker."""
        request = ("copy", self._number, table, list(columns), list(source))
        guarded(lambda: self._snapshot.ask(*request), "copy")

    def run(
        self,
        sql: str,
        most: int | None = None,
        *,
        public: bool = False,
        given: Sequence[Given] = (),
    ) -> ResultTable:
        """See `Workspace`."""
        sent = given if few(given, sql) else ()
        for one in () if sent else given:
            self.load(*one)

        def work() -> ResultTable:
            tables = [[table, list(c), worker_wire.columns(rows)] for table, c, rows in sent]
            request = ("post", self._number, sql, most, public, tables)
            (names, types), parts = self._snapshot.ask(*request)
            columns, kinds = tuple(map(_text, names)), tuple(map(_text, types))
            if len(columns) != len(kinds) or len(columns) > MOST_COLUMNS:
                raise EngineError(FAILED)
            return ResultTable(columns, kinds, list(_rows(parts, len(columns))))

        limit = ""
        try:
            return guarded(work, "post-processing")
        except LimitExceeded as exceeded:
            limit = exceeded.limit
        if not public:
            raise EngineError(FAILED)
        raise too_many(most) if limit == "public_rows" and most else LimitExceeded(MEMORY, "memory")


class RemoteScratches:
    """The scratch databases of the workers."""

    @contextmanager
    def take(self, snapshot: Snapshot | None = None) -> Iterator[RemoteScratch]:
        """An empty one in the worker of `snapshot`."""
        if not isinstance(snapshot, RemoteSnapshot):
            raise TypeError("a scratch database is taken within a snapshot")
        number, _ = guarded(lambda: snapshot.ask("scratch"), "scratch")
        yield RemoteScratch(snapshot, number)
        guarded(lambda: snapshot.ask("give", number), "clear")


class RemoteEngine:
    """The data of a `DuckDBEngine`, queried in workers.

    Args:
        here: the same data in this process, for what is public: types, names, digests.
        settings: of the workers.
        keep: how many are kept.
    """

    def __init__(self, here: DuckDBEngine, settings: WorkerSettings, keep: int) -> None:
        if here.recipe is None:
            raise ValueError("no other process can open this data")
        self._here = here
        self._pool = WorkerPool(here.recipe, here.opened, settings, keep)

    @property
    def left_out(self) -> tuple[str, ...]:
        """See `Engine`."""
        return self._here.left_out

    def spoken(self, sql: str) -> str:
        """See `Engine`."""
        return sql

    @property
    def takes(self) -> None:
        """See `Engine`: it is DuckDB."""

    @property
    def rereads(self) -> bool:
        """See `Engine`."""
        return False

    @property
    def keeps(self) -> bool:
        """See `Engine`: in each worker."""
        return self._here.keeps

    @property
    def stable(self) -> bool:
        """See `Engine`."""
        return self._here.stable

    def stays(self, target: Sequence[str]) -> bool:
        """See `Engine`."""
        return self._here.stays(target)

    @property
    def pids(self) -> tuple[int, ...]:
        """Of the workers that there are."""
        return self._pool.pids

    def catalog(self) -> Catalog:
        """See `DuckDBEngine.catalog`."""
        return self._here.catalog()

    def target(self, table: str) -> tuple[str, ...]:
        """See `DuckDBEngine.target`."""
        return self._here.target(table)

    def changed(
        self, snapshot: Snapshot, of: Collection[tuple[str, ...]]
    ) -> frozenset[tuple[str, ...]]:
        """See `DuckDBEngine.changed`."""
        return self._here.changed(snapshot, of)

    @property
    def unversioned(self) -> str | None:
        """See `Engine`."""
        return self._here.unversioned

    def version(self) -> str | None:
        """See `DuckDBEngine.version`."""
        return self._here.version()

    def warm(self) -> None:
        """Start a worker in the background, unless one waits."""
        self._pool.warm()

    @contextmanager
    def snapshot(self, deadline: Deadline | None = None) -> Iterator[RemoteSnapshot]:
        """A read-only transaction in a worker.

        Raises:
            LimitExceeded: no worker had opened the data by the deadline.
            EngineError: the files changed since they were opened, or the engine is closed.
        """
        check = self._here.files.check
        check()
        with self._pool.take(deadline) as worker:
            yield RemoteSnapshot(worker, check, deadline)
            check()

    def interrupt(self) -> None:
        """See `Engine`."""
        self._pool.interrupt()

    def close(self) -> None:
        """End all workers; the engine of this process stays open."""
        self._pool.close()


def _without_reason(work: Callable[[], T]) -> T:
    """The result of `work`, which talks to a worker; how it fails, nobody is told."""
    try:
        return work()
    except (Gone, worker_wire.NotSaid):
        pass
    raise EngineError(FAILED)


def _rows(parts: list[Any], width: int | None) -> Sequence[Row]:
    def work() -> Sequence[Row]:
        # What was said of millions of rows goes as it is read.
        return joined(worker_wire.rows(parts.pop(0), width) for _ in range(len(parts)))

    return _without_reason(partial(worker_wire.understood, work))


def _text(value: object) -> str:
    if type(value) is not str:
        raise EngineError(FAILED)
    return value
