"""Units in time: what one customer did in one month, instead of all that the customer ever did.

    unit: customers.customer_id per month(orders.ordered_on)

Such a policy becomes one whose unit has no table of its own. A row of `orders` is of the unit
'2026-03-01/7': a column of the copy has it (`dpsql.platform.engine.conform`), and rows of other
tables are of the unit of the order that they lead to. From there on nothing else is known of time:
to the analysis, and to both proofs, a unit is a value of that column.

Claim: one unit is one person's rows of one period, with all rows that lead to them. Why: period and
person are a function of the row. Two texts are equal just where both are: the period comes first
and has no '/' in it, and two whole numbers, two texts, or two other values of one type are equal
just where their texts are. Floating-point numbers are refused, and so are persons of types that are
compared by a cast: 7 is 7.0. Rows whose time or person is NULL are of no unit and are in no copy.

A table that leads to no time has no rows of such a unit: the same person's rows are there whichever
month goes. They must not be seen nevertheless, so that table does not exist for queries.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dpsql.core.frozen import FrozenMap
from dpsql.platform.policy.checks import declared_links
from dpsql.platform.policy.data_identity import PERIODS
from dpsql.platform.policy.messages import not_listed
from dpsql.platform.policy.owners import Link, find_owners
from dpsql.platform.policy.places import Problem

if TYPE_CHECKING:
    from dpsql.platform.policy.model import ColumnPolicy, Policy, TablePolicy

_WRITTEN = re.compile(r"(.+?)\s+per\s+(\w+)\s*\(([^()]*)\)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Written:
    """What the text of a unit in time says: PERSON per PERIOD(TABLE.COLUMN, …)."""

    person: str
    period: str
    times: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Own:
    """How a table tells the unit of a row: by the person in one column, and the time in another."""

    person: str
    time: str


@dataclass(frozen=True, slots=True)
class TimeUnits:
    """Of a policy of units in time, what it was made of.

    Attributes:
        base: the policy of the same persons, whenever.
        period: day, week, month, quarter or year.
        column: the name of the column that names the unit.
        own: by the names of their tables, in lower case, the columns that tell it.
    """

    base: Policy
    period: str
    column: str
    own: Mapping[str, Own]


def written(unit: object) -> Written | None:
    """What the text of a unit says, if it is one in time."""
    found = _WRITTEN.fullmatch(unit.strip()) if isinstance(unit, str) else None
    if found is None:
        return None
    times = tuple(time.strip() for time in found[3].split(","))
    return Written(found[1], found[2].lower(), times)


def in_time(base: Policy, unit: str, said: Written, column: ColumnPolicy) -> Policy:
    """The policy of units in time.

    Args:
        base: the policy of the same persons, whenever.
        unit: the text of the unit.
        said: what it says.
        column: of texts, of which nothing is said.

    Raises:
        PolicyError: a table whose rows do not say whose and of when they are.
    """
    making = _Making(base, said, column)
    if problems := list(making.problems()):
        raise base.errors(problems)
    tables = FrozenMap(dict(making.tables()))
    made = base.model_copy(update={"unit": unit, "tables": tables})
    made._time = TimeUnits(base, said.period, making.column, FrozenMap(making.own))
    return made


class _Making:
    def __init__(self, base: Policy, said: Written, texts: ColumnPolicy) -> None:
        self.base, self.said, self.texts = base, said, texts
        self.owners = find_owners(base, declared_links(base), final=False)[0]
        self.own = dict(self._own())
        person = base.unit_column or base.unit
        self.column = f"{person}_{said.period}".replace(".", "_")
        self.kept = {
            name.lower()
            for name, table in base.tables.items()
            if not table.private or self._leads(name.lower())
        }

    def problems(self) -> Iterator[Problem]:
        base, here = self.base, ("unit",)
        if self.said.period not in PERIODS:
            message = f"a unit in time is per {', '.join(PERIODS[:-1])} or {PERIODS[-1]}"
            yield Problem(here, f"{message}, not per {self.said.period}")
        if base.units or base.unit_column is None:
            yield Problem(here, "a unit in time is that of persons that a column names")
        for name in (name for name, one in base.tables.items() if one.references):
            message = "rows lead to a unit in time by single columns; give the table one"
            yield Problem(("tables", name, "references"), message)
        if base.neighbours == "replace":
            yield Problem(here, "a unit in time comes or goes: neighbours: add_remove")
        seen: set[str] = set()
        for time in self.said.times:
            table, column = base.split(time)
            found = base.table(table)
            if table.lower() in seen:
                yield Problem(here, f"a row of {table} says once when it was")
            seen.add(table.lower())
            if found is None:
                yield Problem(here, not_listed(table, base.tables))
            elif column is None:
                yield Problem(here, f"a time is a column, such as {table}.COLUMN")
            elif table.lower() not in self.own:
                message = f"a row of {found[0]} must say itself whose it is: a column of it that "
                yield Problem(here, message + "is the unit, or `references:` it")
            elif _column(found[1], self.column) is not None:
                yield Problem(("tables", found[0]), f"{self.column} is the name of its units")

    def tables(self) -> Iterator[tuple[str, TablePolicy]]:
        """The tables of which rows are of such units, and the public ones."""
        for name, table in self.base.tables.items():
            own = self.own.get(name.lower())
            if name.lower() not in self.kept:
                continue
            columns = {c: self._unlinked(column) for c, column in table.columns.items()}
            # A thing of one person may be of several months.
            said: dict[str, object] = {"one_unit": FrozenMap()}
            if own is not None:
                person = _column(table, own.person)
                columns |= dict(self._of_units(person))
                said["owner"] = self.column
            said["columns"] = FrozenMap(columns)
            yield name, table.model_copy(update=said) if table.private else table

    def _of_units(
        self, person: tuple[str, ColumnPolicy] | None
    ) -> Iterator[tuple[str, ColumnPolicy]]:
        """The column of units, which has the person's `max_rows`: of a unit, as everywhere."""
        cut: Mapping[str, object] = {"max_rows": None, "clip_rows": None}
        if person is not None:
            name, said = person
            yield name, self._unlinked(said).model_copy(update=cut)
            cut = {key: getattr(said, key) for key in cut}
        yield self.column, self.texts.model_copy(update=cut)

    def _unlinked(self, column: ColumnPolicy) -> ColumnPolicy:
        """Without a reference to what is not there, or that is the person, who is no unit."""
        to = column.references
        if to is None or (to.table.lower() in self.kept and not self._person(to.table, to.column)):
            return column
        return column.model_copy(update={"references": None})

    def _own(self) -> Iterator[tuple[str, Own]]:
        for time in self.said.times:
            table, column = self.base.split(time)
            person, low = self._named(table.lower()), table.lower()
            found = self.base.table(table)
            if person is not None and column is not None and found is not None:
                named = _column(found[1], person)
                yield low, Own(person if named is None else named[0], column)

    def _named(self, low: str) -> str | None:
        """The column of a table that is the person."""
        if low == self.base.unit_table.lower():
            return self.base.unit_column
        link = self.owners.get(low)
        return link.column if link is not None and self._ends(link) else None

    def _leads(self, low: str) -> bool:
        """Whether rows of a private table lead to a row that tells its unit."""
        while low not in self.own:
            link = self.owners.get(low)
            if link is None or self._ends(link):
                return False
            low = link.to_table
        return True

    def _ends(self, link: Link) -> bool:
        return link.units or self._person(link.to_table, link.to_column)

    def _person(self, table: str, column: str) -> bool:
        unit = (self.base.unit_table.lower(), (self.base.unit_column or "").lower())
        return (table.lower(), column.lower()) == unit


def _column(table: TablePolicy, name: str) -> tuple[str, ColumnPolicy] | None:
    return FrozenMap(table.columns).like(name)
