"""What dpsql asks of an engine that holds data."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from dpsql.platform.engine.deadline import Deadline
from dpsql.platform.policy.catalog import Catalog


class ArrowStream(Protocol):
    """Rows as an Arrow C stream: any object with this method."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """A capsule that holds an ArrowArrayStream."""


class Stream:
    """An object's stream without the object's type, as often as it gives one: DuckDB takes streams,
    but no relations, of other databases.
    """

    def __init__(self, held: ArrowStream) -> None:
        self._held = held

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._held.__arrow_c_stream__(requested_schema)


class Snapshot(Protocol):
    """One consistent, read-only view of the data."""

    def rows(
        self,
        sql: str,
        parameters: Mapping[str, object] | None = None,
        kept: Sequence[str] = (),
    ) -> Sequence[tuple[object, ...]]:
        """The rows of one SELECT, with values for its named parameters.

        Args:
            sql: the SELECT.
            parameters: the values.
            kept: queries in it whose rows may be kept; see `Engine.keeps`.

        Raises:
            EngineError: the query failed; the owner's log tells why.
            KeyboardInterrupt: Ctrl-C.
        """

    def bind(self, sql: str) -> None:
        """See whether the engine takes one SELECT in this snapshot, whatever its parameters are. No
        row is read, and what is found is a function of the statement and of how tables are defined.

        Raises:
            EngineError: it does not; the owner's log tells why.
        """

    def arrow(self, sql: str) -> ArrowStream:
        """The rows of one SELECT as a stream, to be read once before the snapshot ends."""


Columns = Sequence[tuple[str, str]]
"""(name, DuckDB type) of each column."""

Given = tuple[str, Columns, Sequence[Sequence[object]]]
"""A table: its name, its columns, its rows."""


@dataclass(frozen=True, slots=True)
class ResultTable:
    """The result of a query: names, DuckDB types and rows."""

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: list[tuple[object, ...]]


class Workspace(Protocol):
    """An empty database for what was released and what is public; see `engine.scratch`."""

    def load(self, table: str, columns: Columns, rows: Sequence[Sequence[object]]) -> None:
        """Make a table of `rows`; values are exact where their type holds them.

        Raises:
            EngineError: a value does not fit its type, or the table exists.
        """

    def copy(self, table: str, columns: Columns, snapshot: Snapshot, source: Sequence[str]) -> None:
        """Make a table of a public table's columns.

        Args:
            table: the name here.
            columns: those to take.
            snapshot: of the engine that has the table.
            source: its full name there (`Engine.target`).
        """

    def run(
        self,
        sql: str,
        most: int | None = None,
        *,
        public: bool = False,
        given: Sequence[Given] = (),
    ) -> ResultTable:
        """The result of one query.

        Args:
            sql: one SELECT.
            most: the rows that it may have.
            public: whether an error may say which limit was met.
            given: tables that it reads beside those that there are; as after `load`, but they may
                be there for this query alone.

        Raises:
            LimitExceeded: it has more rows; or, of a public query, memory ran out.
            Rejected: of a public query, what is no SQL, as its rows tell: DP105.
            EngineError: it failed; the owner's log has the details.
        """


class Workspaces(Protocol):
    """Where queries get their `Workspace` from."""

    def take(self, snapshot: Snapshot | None = None) -> AbstractContextManager[Workspace]:
        """An empty one for one query; empty again, or gone, afterwards.

        Args:
            snapshot: that the query reads.
        """


class Engine(Protocol):
    """A database of the owner."""

    @property
    def left_out(self) -> tuple[str, ...]:
        """The files beside those that are read, each with the reason; for the owner."""

    @property
    def takes(self) -> Callable[[str], str | None] | None:
        """What tells, by DuckDB's plan of a statement, what this engine has not for it, or None;
        None itself where the engine is DuckDB.
        """

    @property
    def rereads(self) -> bool:
        """Whether it computes a WITH query as often as it is read."""

    @property
    def keeps(self) -> bool:
        """Whether it keeps what a query of its tables alone has found as long as it is open."""

    @property
    def stable(self) -> bool:
        """Whether the data cannot change unnoticed while this engine is open."""

    def stays(self, target: Sequence[str]) -> bool:
        """Whether a table's rows cannot, by its full name; of a server, public ones are copied."""

    def catalog(self) -> Catalog:
        """The tables with their types, and what the engine itself enforces; no data."""

    def target(self, table: str) -> tuple[str, ...]:
        """The full name of a table, outermost part first, as the engine spells it.

        Raises:
            PolicyError: there is none, or it is unusable.
        """

    def changed(
        self, snapshot: Snapshot, of: Collection[tuple[str, ...]]
    ) -> frozenset[tuple[str, ...]]:
        """Those of some tables and views, by their full names, of which `catalog` is not true any
        more in a snapshot.
        """

    def spoken(self, sql: str) -> str:
        """A statement in the engine's own language, for people."""

    def snapshot(self, deadline: Deadline | None = None) -> AbstractContextManager[Snapshot]:
        """A read-only transaction; snapshots of several threads are independent.

        Args:
            deadline: when its queries are stopped; None for never.

        Raises:
            EngineError: the data changed since it was opened, or the engine is closed.
        """

    def interrupt(self) -> None:
        """Stop every query that runs now; may be called from any thread."""

    @property
    def unversioned(self) -> str | None:
        """Why there is no version, where more is known than that; for the owner."""

    def version(self) -> str | None:
        """A digest that is the same only for the same data; None where none can be told."""

    def close(self) -> None:
        """Free what this engine holds; a connection that the owner opened stays open."""
