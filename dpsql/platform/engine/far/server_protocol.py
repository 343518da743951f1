"""What dpsql asks of a server that computes exact cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from dpsql.platform.engine.deadline import Deadline
from dpsql.platform.engine.far.server_sql import Language

Column = tuple[str, str]
"""The name of a column, and its type as DuckDB names it; a type that DuckDB has not is BLOB, of
which NULLs alone are known."""


class Server(Protocol):
    """A session of a server, with a language. Its errors may be any; nobody sees their texts."""

    @property
    def language(self) -> Language:
        """What it computes exactly as DuckDB does."""

    def begin(self, deadline: Deadline | None) -> None:
        """What is asked until `end` is of one state of the data, where the server has such. One
        thread at a time is between the two.
        """

    def end(self) -> None:
        """See `begin`."""

    def settled(self) -> str | None:
        """None where what a statement means there is what the language says; else what to set."""

    def tables(self) -> Sequence[str]:
        """The tables that are found without a schema's name."""

    def hold(self, tables: Sequence[str]) -> str | None:
        """Name the state in which these tables are: a text that is the same only for the same rows.
        None where one of them has none that could be named.
        """

    @property
    def unnamed(self) -> str:
        """Why `hold` found none; for the owner."""

    def held(self) -> bool:
        """Whether the tables that are held are in that state still; asked before a statement, if
        only after the one before it, and after it, it is the state that the statement has read.
        """

    def columns(self, table: str) -> Sequence[Column] | None:
        """The columns of a table, by the policy's name for it; None where there is none."""

    def watched(self, table: str) -> bool:
        """Whether `held` would tell of each change of a table's rows that statements read, also of
        one that is gone: then a public table need not be lent.
        """

    def unsure(self, table: str, columns: Sequence[Column]) -> frozenset[str]:
        """Those of a table's columns of which what is read of a row may hang on other rows.

        Raises:
            PolicyError: which rows it has may, too.
        """

    def source(self, table: str, columns: Sequence[Column]) -> str:
        """What stands after FROM for a table: each column once, as DuckDB would have its values."""

    def publish(self, name: str, rows: Any) -> str:
        """Lend it a public table, an Arrow table; what stands after FROM for it."""

    def bind(self, sql: str) -> None:
        """Have a statement's names, types and functions looked up, which fails where one is not
        there. No row is read, nor anything that was made of rows, such as statistics.
        """

    def run(self, sql: str) -> Any:
        """The rows of a statement, as an Arrow table."""

    def interrupt(self) -> None:
        """Stop what runs; may be called from any thread, and more than once."""

    def close(self) -> None:
        """Free what it was lent."""
