"""Owner paths: along which reference each private table reaches the privacy unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Link:
    """A reference from one table's column to another's; all names lower-case."""

    table: str
    column: str
    to_table: str
    to_column: str


Links = Mapping[str, tuple[Link, ...]]
"""By table: the references that may be a step of its owner path."""


def leading(table: str, links: Links, unit_table: str) -> tuple[Link, ...]:
    """The references of `table` from which the unit's table is reached without coming back.

    One of them: the table's owner. None: no path. Several: the path is ambiguous, since the rows
    could belong to different units along each.
    """
    reach = reaching(unit_table, links, without=table)
    return tuple(link for link in links.get(table, ()) if link.to_table in reach)


def cycle(table: str, links: Links) -> tuple[str, ...]:
    """Tables from `table` along references back to it, or () where none leads back."""
    stack: list[tuple[str, ...]] = [(table,)]
    seen: set[str] = set()
    while stack:
        path = stack.pop()
        for link in links.get(path[-1], ()):
            if link.to_table == table:
                return (*path, table)
            if link.to_table not in seen:
                seen.add(link.to_table)
                stack.append((*path, link.to_table))
    return ()


def reaching(target: str, links: Links, *, without: str = "") -> set[str]:
    """The tables from which `target` is reached, `without` taken away."""
    into: dict[str, list[str]] = {}
    for of_table in links.values():
        for link in of_table:
            into.setdefault(link.to_table, []).append(link.table)
    reached, todo = {target} - {without}, [target]
    while todo:
        for table in into.get(todo.pop(), ()):
            if table not in reached and table != without:
                reached.add(table)
                todo.append(table)
    return reached
