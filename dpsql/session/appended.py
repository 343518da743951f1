"""What files that were added to a folder bring into a copy: the rows of their units, made anew.

Claim: the copy is the one that would be made of all files. Why: what a copy has of a unit is told
by that unit's rows (`platform.engine.conform`). So of a unit of which the new files have no row it
has what it had; and of another one what is made of all its rows, old and new, which are read again:
the copy does not have what was cut, and of two rules that cut one after the other it may be kept
when there are more rows.

Whose a new row is: it names its unit, or leads to a row of the copy that there was. Or it leads to
a new row, whose unit is made anew for that one; or to one that was left out, and then it is left
out as well, unless its unit is made anew. So the units in `TOUCHED` are enough.

Keys that two units share are an error, for the owner. Rows of units that are not touched are not
looked at for it among themselves, which was done when they were copied; where one has a key of a
row that is made anew, `apart` is False, and everything is made anew, which tells. Values of keys
and of what leads to the unit are never changed in a copy, so those of the files may be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dpsql.core.schema import Column, Schema, Table
from dpsql.platform.engine.conform import in_order, order
from dpsql.platform.engine.sql_text import dotted, name
from dpsql.session.copies import Copy

TOUCHED = "temp.main.dpsql_touched"
STAGED = "dpsql_staged"

Contents = Mapping[str, tuple[str, str]]
"""Of each file, by a digest of its name: a digest of what is in it, and a stamp of its state."""


def added(schema: Schema, files: Mapping[str, Contents], before: Copy) -> dict[str, set[str]]:
    """The files of private tables that are new, by tables in lower case; none where something else
    has changed, or where units cannot be told apart by one column.

    Args:
        schema: of the policy.
        files: of the tables that are read in place.
        before: the copy that there was.
    """
    private = [table for table in schema.tables.values() if table.private]
    found = {}
    for table in private:
        low = table.name.lower()
        now, then = files.get(low), before.files.get(low)
        if table.owner is None or table.lookup is not None or not now or not then:
            return {}
        if any(one not in now or now[one][0] != content for one, (content, _) in then.items()):
            return {}
        found[low] = set(now) - set(then)
    named = {
        str(column.type)
        for table in private
        for column in table.columns
        if schema.next_owner(table) is None and column.name == table.owner
    }
    return {low: new for low, new in found.items() if new} if len(named) == 1 else {}


@dataclass(frozen=True, slots=True)
class Appended:
    """Makes the tables of a copy whose files have grown.

    Attributes:
        do: runs one statement where the files, the copy that there was and a database `STAGED` are.
        schema: of the policy.
        source: SQL of the tables of all files, by name in lower case.
        new: the same of new files alone, for tables that have some.
        before: SQL of the tables of the copy that there was.
        kept: the tables that are what they were, with all that they lead to.
        columns: that are copied, of each private table.
    """

    do: Callable[[str], list[tuple[Any, ...]]]
    schema: Schema
    source: Mapping[str, str]
    new: Mapping[str, str]
    before: Mapping[str, str]
    kept: frozenset[str]
    columns: Mapping[str, Sequence[Column]]

    def apart(self) -> int | None:
        """Find whose rows are made anew: how many units. None where a row of another unit has the
        key of one of theirs.
        """
        units = " UNION ALL ".join(self._units(low, sql) for low, sql in self.new.items())
        self.do(
            f"CREATE TEMP TABLE dpsql_touched AS "
            f"SELECT DISTINCT unit FROM ({units}) WHERE unit IS NOT NULL"
        )
        for table in order(self.schema):
            low = table.name.lower()
            if low in self.kept:
                continue
            theirs = self._theirs(table, self.source[low])
            rows = f"SELECT {self._items(low)} FROM {self.source[low]} AS s WHERE {theirs}"
            self.do(f"CREATE TABLE {self._all(low)} AS {rows}")
            if table.owner not in table.key and self._shared(table):
                return None
        [[units_touched]] = self.do(f"SELECT count(*) FROM {TOUCHED}")
        return int(units_touched)

    @property
    def rows(self) -> dict[str, str]:
        """SQL of all rows of the units that are made anew."""
        return {low: self._all(low) for low in self.columns if low not in self.kept}

    @property
    def made(self) -> dict[str, str]:
        """SQL of where these are copied to; of tables that are kept, of what they were."""
        return {
            low: self.before[low] if low in self.kept else dotted((STAGED, "main", f"made {low}"))
            for low in self.columns
        }

    def joined(self, table: Table, copy: str) -> None:
        """Make the table of the copy: the units that are made anew, and the others as they were."""
        low = table.name.lower()
        items, before = self._items(low), self.before[low]
        others = f"SELECT {items} FROM {before} AS s WHERE ({self._had(table)}) IS NOT TRUE"
        rows = f"SELECT {items} FROM ({others} UNION ALL SELECT {items} FROM {self.made[low]}) AS s"
        self.do(f"CREATE TABLE {copy} AS {rows}{in_order(table, self.columns[low])}")

    def _items(self, low: str) -> str:
        return ", ".join(name(column.name) for column in self.columns[low])

    def _all(self, low: str) -> str:
        return dotted((STAGED, "main", f"all {low}"))

    def _units(self, low: str, new: str) -> str:
        """SQL: the units of the rows of new files."""
        table = self._table(low)
        at, unit, steps = "s", table.owner or "", ""
        while (up := self.schema.next_owner(table)) is not None:
            table = self._table(up.table)
            steps += f" JOIN {self.before[table.name.lower()]} AS {at}u "
            steps += f"ON {at}u.{name(up.column)} = {at}.{name(unit)}"
            at, unit = f"{at}u", table.owner or ""
        return f"SELECT {at}.{name(unit)} AS unit FROM {new} AS s{steps}"

    def _theirs(self, table: Table, source: str) -> str:
        """SQL: whether a row `s` of the files is of a unit that is made anew."""
        owner, up = f"s.{name(table.owner or '')}", self.schema.next_owner(table)
        if up is None:
            return f"{owner} IN (SELECT unit FROM {TOUCHED})"
        low = up.table.lower()
        if low in self.kept:
            where = f" AS s WHERE {self._had(self._table(low))}"
            return f"{owner} IN (SELECT s.{name(up.column)} FROM {self.before[low]}{where})"
        return f"{owner} IN (SELECT {name(up.column)} FROM {self._all(low)})"

    def _had(self, table: Table) -> str:
        """SQL: whether a row `s` of the copy that there was is of such a unit."""
        owner, up = f"s.{name(table.owner or '')}", self.schema.next_owner(table)
        if up is None:
            return f"{owner} IN (SELECT unit FROM {TOUCHED})"
        upper = self._table(up.table)
        rows = f"{self.before[up.table.lower()]} AS s WHERE {self._had(upper)}"
        return f"{owner} IN (SELECT s.{name(up.column)} FROM {rows})"

    def _shared(self, table: Table) -> bool:
        """Whether a row of another unit has a key of theirs."""
        low = table.name.lower()
        keys, same = ", ".join(map(name, table.key)), ", ".join(f"s.{name(k)}" for k in table.key)
        if not keys:
            return False
        return bool(
            self.do(
                f"SELECT 1 FROM {self.source[low]} AS s WHERE ({same}) IN "
                f"(SELECT ({keys}) FROM {self._all(low)}) AND {self._others(table)} LIMIT 1"
            )
        )

    def _others(self, table: Table) -> str:
        """SQL: whether a row `s` of the files is of another unit, if it is of one."""
        owner, up = f"s.{name(table.owner or '')}", self.schema.next_owner(table)
        if up is None:
            return f"NOT {owner} IN (SELECT unit FROM {TOUCHED})"
        upper = self._table(up.table)
        low = up.table.lower()
        rows, where = self.source[low], self._others(upper)
        if low in self.kept:
            rows, where = self.before[low], f"NOT ({self._had(upper)})"
        return f"{owner} IN (SELECT s.{name(up.column)} FROM {rows} AS s WHERE {where})"

    def _table(self, called: str) -> Table:
        found = self.schema.table(called)
        assert found is not None
        return found
