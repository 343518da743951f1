"""A connection to the database of a ledger: statements are written once, and run as they are.

SQLAlchemy knows how each database writes a statement. It writes each of them once; from then on
the text and its values go straight to the driver. That changes nothing of what the database is
asked, and nothing in between decides when a transaction begins or ends: only `Store.turn` does.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import Insert, Select
from sqlalchemy.engine import Dialect

Values = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class _Written:
    """A statement, as a driver takes it.

    Attributes:
        text: of it.
        order: the names of its values by place; None where the driver asks for them by name.
        given: what the statement says itself, such as how many rows it wants.
        row: makes a row of what the driver gives, whose columns have names.
    """

    text: str
    order: tuple[str, ...] | None
    given: Values
    row: Callable[[Sequence[Any]], Any]

    def values(self, wanted: Values) -> object:
        """What the driver is given beside the text."""
        known = {**self.given, **wanted}
        return known if self.order is None else tuple(known[name] for name in self.order)


@lru_cache(maxsize=256)
def _written(dialect: Dialect, statement: Select[Any] | Insert) -> _Written:
    made: Any = statement.compile(dialect=dialect)
    names = statement.selected_columns.keys() if isinstance(statement, Select) else []
    given = {name: value for name, value in made.params.items() if value is not None}
    order = tuple(made.positiontup) if made.positional else None
    return _Written(str(made), order, given, _row_of(*names))


@lru_cache(maxsize=256)
def _row_of(*names: str) -> Callable[[Sequence[Any]], Any]:
    row: Any = namedtuple("Row", names)  # type: ignore[misc]
    make: Callable[[Sequence[Any]], Any] = row._make
    return make


class Rows:
    """What a statement found; its rows are tuples, whose columns have names.

    Args:
        cursor: of the driver, which ran it.
        row: makes a row of what the driver gives.
    """

    __slots__ = ("_cursor", "_row")

    def __init__(self, cursor: Any, row: Callable[[Sequence[Any]], Any]) -> None:
        self._cursor, self._row = cursor, row

    def __iter__(self) -> Iterator[Any]:
        return map(self._row, self._cursor)

    def all(self) -> list[Any]:
        """All of them."""
        return list(self)

    def scalars(self) -> list[Any]:
        """The first column of all of them."""
        return [found[0] for found in self._cursor]

    def first(self) -> Any:
        """The first one, or None; no more are read."""
        found = self._cursor.fetchone()
        self._cursor.close()  # what is not read to its end would hold a lock
        return None if found is None else self._row(found)

    def scalar(self) -> Any:
        """The first column of the first one, or None."""
        found = self._cursor.fetchone()
        self._cursor.close()
        return None if found is None else found[0]


class Connection:
    """A connection of its own.

    Args:
        driver: the driver's, which begins no transaction by itself.
        dialect: how its database writes statements.
    """

    __slots__ = ("_dialect", "_driver")

    def __init__(self, driver: Any, dialect: Dialect) -> None:
        self._driver, self._dialect = driver, dialect

    def execute(self, statement: Select[Any] | Insert, values: Values | None = None) -> Rows:
        """Run a statement; errors are the driver's.

        Args:
            statement: with names in the places of its values.
            values: by their names.
        """
        written = _written(self._dialect, statement)
        cursor = self._driver.cursor()
        cursor.execute(written.text, written.values(values or {}))
        return Rows(cursor, written.row)

    def add(self, insertion: Insert, rows: Sequence[Sequence[Any]]) -> None:
        """Rows more of a table, each in the order of its columns; errors are the driver's."""
        written = _written(self._dialect, insertion)
        names = insertion.table.columns.keys()
        values = [written.values(dict(zip(names, row, strict=True))) for row in rows]
        cursor = self._driver.cursor()
        if len(values) == 1:
            cursor.execute(written.text, values[0])
        else:
            cursor.executemany(written.text, values)

    def exec_driver_sql(self, text: str) -> Rows:
        """Run a text as it is; errors are the driver's."""
        cursor = self._driver.cursor()
        cursor.execute(text)
        return Rows(cursor, tuple)

    def close(self) -> None:
        """What was not committed is rolled back."""
        self._driver.close()
