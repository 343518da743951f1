"""What dpsql asks of an engine that holds data."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Protocol

from dpsql.policy.catalog import Catalog


class ArrowStream(Protocol):
    """Rows as an Arrow C stream: any object with this method."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """A capsule that holds an ArrowArrayStream."""


class Snapshot(Protocol):
    """One consistent, read-only view of the data."""

    def rows(
        self, sql: str, parameters: Mapping[str, object] | None = None
    ) -> list[tuple[object, ...]]:
        """The rows of one SELECT, with values for its named parameters.

        Raises:
            EngineError: the query failed; the owner's log tells why.
            KeyboardInterrupt: Ctrl-C.
        """

    def arrow(self, sql: str) -> ArrowStream:
        """The rows of one SELECT as a stream, to be read once before the snapshot ends."""


class Engine(Protocol):
    """A database of the owner."""

    @property
    def stable(self) -> bool:
        """Whether the data cannot change unnoticed while this engine is open."""

    def catalog(self) -> Catalog:
        """The tables with their types, and what the engine itself enforces; no data."""

    def unusable(self) -> Mapping[str, str]:
        """Why a table of the database is not in the catalog, by lower-cased name."""

    def target(self, table: str) -> tuple[str, ...]:
        """The full name of a table, outermost part first, as the engine spells it.

        Raises:
            PolicyError: there is none, or it is unusable.
        """

    def changed(self, snapshot: Snapshot) -> frozenset[str]:
        """The tables, in lower case, of which `catalog` is not true any more in a snapshot."""

    def snapshot(self) -> AbstractContextManager[Snapshot]:
        """A read-only transaction; snapshots of several threads are independent.

        Raises:
            EngineError: the data changed since it was opened, or the engine is closed.
        """

    def interrupt(self) -> None:
        """Stop every query that runs now; may be called from any thread."""

    def version(self) -> str | None:
        """A digest that is the same only for the same data; None where none can be told."""

    def close(self) -> None:
        """Free what this engine holds; a connection that the owner opened stays open."""
