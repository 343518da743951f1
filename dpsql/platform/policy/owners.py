"""Owner paths: along which reference each private table reaches the privacy unit, and what to say
where there is none, or more than one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dpsql.platform.policy.places import Path, Problem

if TYPE_CHECKING:
    from dpsql.platform.policy.model import Policy, TablePolicy


@dataclass(frozen=True, slots=True)
class Link:
    """A reference from one table's column to another's; all names lower-case. With `units` it is
    none: the two columns are the unit, and neither of them is a key. With `pairs` it is of several
    columns, each with that of the other table's key, and `column` is what it tells (`owner_name`).
    """

    table: str
    column: str
    to_table: str
    to_column: str
    units: bool = False
    pairs: tuple[tuple[str, str], ...] = ()


def owner_name(to: str) -> str:
    """The name, in lower case, of the column that a reference of several columns to a table tells:
    who owns the row there. No data have it.
    """
    return f"{to}_owner".replace(".", "_").lower()


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


def find_owners(
    policy: Policy, references: Links, *, final: bool
) -> tuple[Mapping[str, Link], list[Problem]]:
    """The owner of each private table but the unit's own, by lower-case name, as `references` (all
    of them, by table) allow; and the problems.

    With `final` false, a catalog may still add references; then only problems that none of these
    could cure are told.
    """
    search = _Search(policy, references, final)
    return search.found, search.problems


class _Search:
    def __init__(self, policy: Policy, references: Links, final: bool) -> None:
        self.policy, self.references, self.final = policy, references, final
        self.unit = policy.unit_table.lower()
        self.tables = {name.lower(): (name, table) for name, table in policy.tables.items()}
        self.private = [low for low, (_, table) in self.tables.items() if table.private]
        self.found: dict[str, Link] = {}
        self.problems: list[Problem] = []
        self.steps = {low: self._steps(low) for low in self.private if low != self.unit}
        self.lost: list[str] = []
        for low in self.steps:
            self._table(low)
        self._tell_lost()

    def _steps(self, low: str) -> tuple[Link, ...]:
        """The references of a table that may be a step: its declared owner, else all private."""
        name, table = self.tables[low]
        links = self.references.get(low, ())
        if table.owner is None:
            return tuple(link for link in links if link.to_table in self.private)
        owner = table.owner.lower()
        owning = tuple(link for link in links if link.column == owner)
        for link in owning:
            if link.to_table not in self.private:
                self._tell(
                    ("tables", name, "owner"),
                    f"{table.owner} leads to the public table {self._name(link.to_table)}, "
                    f"not to the unit {self.policy.unit}",
                )
        return owning

    def _table(self, low: str) -> None:
        name, table = self.tables[low]
        found = leading(low, self.steps, self.unit)
        # A column of the row itself goes before what is looked up.
        links = tuple(link for link in found if not link.pairs) or found
        if len(links) == 1:
            self.found[low] = links[0]
        elif links:
            columns = " or ".join(f"owner: {self._column(table, link)}" for link in links)
            self._tell(
                ("tables", name),
                f"the path to the unit {self.policy.unit} is ambiguous; say which reference owns "
                f"a row: {columns}",
            )
        else:
            self.lost.append(low)

    def _tell_lost(self) -> None:
        """One problem for each cause: of a chain of tables without a path, the last; of a cycle,
        the first."""
        in_cycle: set[str] = set()
        for low in self.lost:
            if low in in_cycle or (around := cycle(low, self.steps)) == ():
                continue
            if around == (low, low):
                continue  # a table that refers to itself: no path, but no cycle worth the word
            in_cycle.update(around)
            names = " -> ".join(self._name(table) for table in around)
            self._tell(self._blame(low), f"the owner path goes in a circle: {names}")
        told = {path[1] for path in (problem.path for problem in self.problems) if len(path) > 1}
        for low in self.lost:
            onward = {link.to_table for link in self.steps[low]} - {low}
            name, table = self.tables[low]
            if low in in_cycle or name in told or onward & {*self.lost, *in_cycle}:
                continue
            if not self.final or any(self._name(table) in told for table in onward):
                continue
            if table.owner is not None:
                message = f"{table.owner} does not lead to the unit {self.policy.unit}"
                if not self.steps[low]:
                    message += "; it needs `references:`"
            else:
                message = (
                    f"a private table without a path to the unit {self.policy.unit}; one of its "
                    "columns needs `references:` to a private table's key, or several of them the "
                    "table's own `references:`"
                )
            self._tell(self._blame(low), message)

    def _blame(self, low: str) -> Path:
        name, table = self.tables[low]
        return ("tables", name) if table.owner is None else ("tables", name, "owner")

    def _name(self, low: str) -> str:
        return self.tables[low][0]

    def _column(self, table: TablePolicy, link: Link) -> str:
        return next((name for name in table.columns if name.lower() == link.column), link.column)

    def _tell(self, path: Path, message: str) -> None:
        self.problems.append(Problem(path, message))
