"""What a random query can read: columns, FROM items, and rows made of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from dpsql.core.schema import Column as Declared

WIDE = 20
"""A column with more values than this is a group key only in a coarser form."""


@dataclass(frozen=True)
class Column:
    """A column of a FROM item.

    Attributes:
        sql: how it is written.
        name: without its table.
        kind: number, text, date, time, boolean or other.
        role: the key that it leads to, such as customers.id; None for none.
        domain: "few" values, "many", or "none" that are known.
    """

    sql: str
    name: str
    kind: str
    role: str | None = None
    domain: str = "none"


@dataclass(frozen=True)
class Item:
    """What can stand in FROM, and its columns.

    Attributes:
        sql: how it is written.
        alias: its name.
        columns: its columns.
        private: whether it has private rows.
        key: those of the columns that are a key; none, if rows can be the same in all columns.
    """

    sql: str
    alias: str
    columns: tuple[Column, ...]
    private: bool
    key: tuple[Column, ...] = ()


@dataclass(frozen=True)
class Rows:
    """A FROM clause; `pending` belongs into its WHERE."""

    sql: str
    columns: tuple[Column, ...]
    private: bool
    pending: tuple[str, ...] = ()


def kind_of(column: Declared) -> str:
    kind = column.type
    if kind.is_boolean:
        return "boolean"
    if kind.is_numeric:
        return "number"
    return {"VARCHAR": "text", "DATE": "date", "TIMESTAMP": "time"}.get(kind.name, "other")


def domain_of(column: Declared, private: bool) -> str:
    if column.type.is_float or column.type.name == "BLOB":
        return "none"
    if column.values is not None or column.type.is_boolean or column.type.name == "ENUM":
        return "few"
    if not private or column.references is not None:
        return "few"
    if column.bounds is None:
        return "none"
    low, high = column.bounds
    if isinstance(low, date) or isinstance(high, date):
        return "many"
    few = column.type.is_integer and high - low <= WIDE  # type: ignore[operator]
    return "few" if few else "many"


def once(name: str, columns: Sequence[Column]) -> bool:
    return sum(c.name == name for c in columns) == 1


def pairs_of(rows: Rows | Item, item: Item) -> list[tuple[Column, Column]]:
    """Columns that lead to the same key."""
    return [
        (a, b)
        for a in rows.columns
        for b in item.columns
        if a.role is not None and a.role == b.role
    ]


def moved(columns: Sequence[Column], alias: str) -> tuple[Column, ...]:
    """The columns of a subquery, under its alias; of two of one name the first."""
    found = {c.name: replace(c, sql=f"{alias}.{c.name}") for c in reversed(columns)}
    return tuple(reversed(found.values()))
