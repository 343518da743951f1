"""A cursor: one query at a time, and its rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Self

from dpsql.dbapi.exceptions import InterfaceError, NotSupportedError
from dpsql.dbapi.parameters import Parameter
from dpsql.dbapi.typecodes import Column, column
from dpsql.report.result import Answer

if TYPE_CHECKING:
    from dpsql.dbapi.connection import Connection

Row = tuple[Any, ...]


class Closed:
    """A context manager that closes it."""

    def close(self) -> None:
        """Close it."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()


class Cursor(Closed):
    """Made by `Connection.cursor`; iterates over the rows that are left; a context manager.

    Attributes:
        arraysize: how many rows `fetchmany` gives if it is not told.
    """

    def __init__(self, connection: Connection) -> None:
        self.arraysize = 1
        self._connection = connection
        self._answer: Answer | None = None
        self._next = 0
        self._closed = False

    def execute(self, operation: str, parameters: Sequence[Parameter] = ()) -> Self:
        """Answer a query with noise, and charge the connection's ε.

        Args:
            operation: one SELECT, with a `?` for each parameter.
            parameters: None, bool, int, float, Decimal, str, date or datetime; each becomes a
                literal of the query, which is public.

        Raises:
            ProgrammingError, NotSupportedError: the query is not accepted; nothing was charged.
            DataError: a parameter that no literal can stand for; nothing was charged.
            OperationalError: more than is left, which is not charged; or the engine failed.
            InterfaceError: it is closed.
        """
        self._check()
        self._answer, self._next = None, 0
        self._answer = self._connection._run(operation, parameters)
        return self

    def executemany(self, operation: str, seq_of_parameters: object) -> None:
        """There is none: each set of parameters would be a query and a charge of its own.

        Raises:
            NotSupportedError: always.
        """
        raise NotSupportedError("executemany: each query is charged, so execute one after another")

    def fetchone(self) -> Row | None:
        """The next row, or None.

        Raises:
            InterfaceError: nothing was executed, or it is closed.
        """
        found = self.fetchmany(1)
        return found[0] if found else None

    def fetchmany(self, size: int | None = None) -> list[Row]:
        """The next rows: `size` of them, `arraysize` by default, or as many as there are.

        Raises:
            InterfaceError: nothing was executed, it is closed, or a size below 0.
        """
        size = self.arraysize if size is None else size
        if size < 0:
            raise InterfaceError("fetchmany: a size is 0 or more")
        rows = self._result.rows[self._next : self._next + size]
        self._next += len(rows)
        return list(rows)

    def fetchall(self) -> list[Row]:
        """All rows that are left.

        Raises:
            InterfaceError: nothing was executed, or it is closed.
        """
        return self.fetchmany(len(self._result))

    @property
    def answer(self) -> Answer | None:
        """The answer with its intervals and cost; None where there is none."""
        return self._answer

    @property
    def description(self) -> tuple[Column, ...] | None:
        """Each column as PEP 249 has it; None where there is no answer."""
        if self._answer is None:
            return None
        return tuple(map(column, self._answer.columns, self._answer.types))

    @property
    def rowcount(self) -> int:
        """How many rows the answer has; -1 where there is none."""
        return -1 if self._answer is None else len(self._answer)

    @property
    def rownumber(self) -> int | None:
        """The place of the next row, from 0; None where there is no answer."""
        return None if self._answer is None else self._next

    @property
    def connection(self) -> Connection:
        """The connection that made it."""
        return self._connection

    lastrowid = None

    def setinputsizes(self, sizes: object) -> None:
        """Does nothing."""

    def setoutputsize(self, size: int, column: int | None = None) -> None:
        """Does nothing."""

    def close(self) -> None:
        """Forget the rows; whatever is called then raises InterfaceError."""
        self._answer, self._closed = None, True

    def _check(self) -> None:
        if self._closed:
            raise InterfaceError("the cursor is closed")
        self._connection._check()

    @property
    def _result(self) -> Answer:
        self._check()
        if self._answer is None:
            raise InterfaceError("nothing to fetch: no query was answered")
        return self._answer

    def __iter__(self) -> Iterator[Row]:
        return self

    def __next__(self) -> Row:
        row = self.fetchone()
        if row is None:
            raise StopIteration
        return row
