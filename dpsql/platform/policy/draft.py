"""The first policy of a database, written from its catalog and never from its data.

It fails closed: a table is listed only where its path to the unit is plain. All others are there
as comments, and a table that is not listed does not exist.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Protocol

import yaml

from dpsql.platform.policy.by_name import Guesses, by_name
from dpsql.platform.policy.catalog import (
    Catalog,
    CatalogColumn,
    CatalogTable,
    WideForeignKey,
)
from dpsql.platform.policy.enforced import enforced_bounds, enforced_values, most_rows, size
from dpsql.platform.policy.guess import Unit, find_paths, find_unit, find_wide
from dpsql.platform.policy.json_schema import SCHEMA_FILE
from dpsql.platform.policy.owners import Link
from dpsql.platform.policy.scalars import decimal_text, show, tighten
from dpsql.types import Scalar, Type

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*){0,3}\Z")
_NOT_PLAIN = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"}

MARK = "from the data: confirm that this may be public"


MOST = 200
"""The characters of a comment that a draft has."""


NOISY_MARK = "from the data, with noise: check it"


@dataclass(frozen=True, slots=True)
class Noisy:
    """That proposals are answers with noise, and what all of them may cost."""

    eps: Fraction
    delta: Fraction


class Look(Protocol):
    """Reads the data, see `dpsql.platform.engine.proposals`."""

    def type(self, table: CatalogTable, column: CatalogColumn) -> Type | None:
        """The type that a policy may declare of a column of texts, which its values fit."""

    def bounds(self, table: CatalogTable, column: CatalogColumn) -> tuple[Scalar, Scalar] | None:
        """Of a column's values."""

    def values(
        self, table: CatalogTable, column: CatalogColumn, owner: str | None
    ) -> tuple[tuple[Scalar, ...], bool]:
        """The texts of a column that many have, and whether these are all that there are."""

    def rows(self, table: CatalogTable, column: CatalogColumn) -> int | None:
        """How many rows share a value of a column."""


def draft(
    catalog: Catalog,
    unit: str | None = None,
    *,
    look: Look | None = None,
    noisy: Noisy | None = None,
    source: str = "the database's catalog",
) -> str:
    """The YAML text of a policy that `Policy.parse` accepts as it is.

    Args:
        catalog: of the database.
        unit: ``table.column`` or a table; guessed where it is not given, and then the text says so.
        look: reads a column's values, by order of the owner, for what the catalog does not say.
        noisy: where what is looked up is, and what that costs; the budget has room for it.
        source: what the catalog was made of.

    Raises:
        PolicyError: no such unit, or nothing to guess it from.
    """
    named, guesses = by_name(catalog.called(), unit)
    made = _Draft.of(named, find_unit(named, unit), guesses, look, noisy)
    return "\n".join([*made.lines(source), *_not_listed(catalog)]) + "\n"


def _not_listed(catalog: Catalog) -> Iterator[str]:
    """The tables that a policy cannot name, and the views."""
    for table in catalog.tables:
        if not catalog.shortest(table.path):
            yield f"  # {quoted(table.name)}: a policy cannot name it"
    if views := [name for name in map(catalog.shortest, catalog.views) if name]:
        yield ""
        yield "# Views. Queries may read one that is listed: its definition is then public, and the"
        yield "# tables that it reads are listed above."
        yield f"# views: [{', '.join(map(quoted, sorted(views)))}]"


@dataclass(frozen=True, slots=True)
class _Draft:
    catalog: Catalog
    unit: Unit
    owners: dict[str, Link]
    several: dict[str, tuple[Link, ...]]
    wide: dict[str, WideForeignKey]
    keys: dict[str, tuple[str, ...]]
    guesses: Guesses
    look: Look | None
    noisy: Noisy | None

    @classmethod
    def of(
        cls, catalog: Catalog, unit: Unit, guesses: Guesses, look: Look | None, noisy: Noisy | None
    ) -> _Draft:
        owners, several = find_paths(catalog, unit)
        wide = find_wide(catalog, unit, {*owners}, {*several})
        # The policy has one key a table: the one that an owner path leads to, if any does.
        wanted = {one.table.lower(): {*map(str.lower, one.referenced)} for one in wide.values()}
        wanted |= {link.to_table: {link.to_column} for link in owners.values()}
        keys: dict[str, tuple[str, ...]] = {}
        for table in catalog.tables:
            low = table.name.lower()
            first = [key for key in table.keys if {*map(str.lower, key)} == wanted.get(low)]
            keys[low] = next(iter([*first, *table.keys]), ())
        wide = {
            low: one
            for low, one in wide.items()
            if {*map(str.lower, keys[one.table.lower()])} == {*map(str.lower, one.referenced)}
        }
        return cls(catalog, unit, dict(owners), dict(several), wide, keys, guesses, look, noisy)

    def lines(self, source: str) -> Iterator[str]:
        yield f"# yaml-language-server: $schema={SCHEMA_FILE}"
        yield from heading(source, "no data was read" if self.look is None else "its DATA WAS READ")
        if self.look is not None and self.noisy is not None:
            cost = show(self.noisy.eps)
            yield f"# Some lines are answers with noise, which cost ε = {cost} of the budget below"
            yield f'# and leave out what few units have. They say so: "{NOISY_MARK}".'
        elif self.look is not None:
            yield "# As its owner wished, some lines are from the data: rounded, not noisy. They"
            yield f'# say so: "{MARK}".'
        yield ""
        if self.unit.guessed:
            yield "# A GUESS: who is to be protected? Change it if it is not this."
        yield f"unit: {quoted(self.unit.text)}"
        yield "neighbours: add_remove   # or replace: then the number of units is public"
        spent = self.noisy or Noisy(Fraction(0), Fraction(0))
        # A policy has decimals: of an ε of 1/7 a little more.
        eps, delta = (
            show(Fraction(math.ceil(spent.eps * 10**12), 10**12) + 1),
            show(2 * spent.delta),
        )
        yield f"budget: {{eps: {eps}, delta: {delta}}}   # what all answers together may cost"
        yield "tables:"
        for table in self.catalog.tables:
            if self._listed(table.name):
                yield from self._table(table)
        yield from self._others()

    def _listed(self, name: str) -> bool:
        low = name.lower()
        return low in self.owners or low in self.wide or low == self.unit.table.name.lower()

    def _others(self) -> Iterator[str]:
        others = [table for table in self.catalog.tables if not self._listed(table.name)]
        if not others:
            return
        yield ""
        yield "  # The tables below are not listed: to dpsql they do not exist. Uncomment one as"
        yield "  # public if ANYONE may read all of it. If it holds data of individuals, make it"
        yield "  # private and give it a reference that leads to the unit."
        for table in others:
            low = table.name.lower()
            if low in self.several:
                columns = " or ".join(f"owner: {quoted(link.column)}" for link in self.several[low])
                yield "  #"
                yield "  # Leads to the unit in several ways, so it is private; say which owns it"
                yield f"  # ({columns}):"
                yield from self._commented(table, private=True)
            else:
                yield "  #"
                yield from self._commented(table, private=self._leads(low))

    def _leads(self, low: str) -> bool:
        """Whether the table may lead, by a reference or a name, through whichever tables, to the
        unit. What may lead there is never drafted as public.
        """
        from_here = [low]
        seen = {low}
        while from_here:
            table = self.catalog.table(from_here.pop())
            assert table is not None
            named = self.guesses.hints[table.name.lower()]
            every = [key.table for key in table.foreign_keys]
            every += [key.table for key in table.wide_keys]
            for to in {*map(str.lower, every), *named} - seen:
                if self._listed(to):
                    return True
                seen.add(to)
                from_here.append(to)
        return False

    def _sure(self, table: CatalogTable) -> bool:
        """Whether nothing on the way to the unit is a guess. Noise protects whom the path leads to,
        so that of another table no noisy answer is asked for.
        """
        low = table.name.lower()
        while (link := self.owners.get(low)) is not None:
            if link.units or (low, link.column) in self.guesses.references:
                return False
            low = link.to_table
        return True

    def _commented(self, table: CatalogTable, *, private: bool) -> Iterator[str]:
        for line in self._table(table, access="private" if private else "public"):
            yield f"  # {line[2:]}"

    def _table(self, table: CatalogTable, access: str = "private") -> Iterator[str]:
        low = table.name.lower()
        yield from _told(table.comment, "  ")
        yield f"  {quoted(table.name)}:"
        yield f"    access: {access}"
        if key := self.keys[low]:
            guess = (
                "   # a guess; tested when the data is opened" if low in self.guesses.keys else ""
            )
            yield f"    key: [{', '.join(map(quoted, key))}]{guess}"
        if low in self.owners and len(table.foreign_keys) > 1:
            owner = table.column(self.owners[low].column)
            assert owner is not None
            yield f"    owner: {quoted(owner.name)}"
        if access == "private" and (wide := self.wide.get(low)) is not None:
            own, there = (", ".join(map(quoted, c)) for c in (wide.columns, wide.referenced))
            yield "    references:   # TODO max_rows: N, the most rows that lead to one row there"
            yield f"      - {{columns: [{own}], to: {quoted(wide.table)}, key: [{there}]}}"
        yield "    columns:"
        for column in table.columns:
            yield from _told(column.comment, "      ")
            yield self._column(table, column, access)

    def _column(self, table: CatalogTable, column: CatalogColumn, access: str) -> str:
        # Of a table whose units are looked up no value is proposed.
        asked = access == "private" and self._listed(table.name)
        asked &= table.name.lower() not in self.wide
        look = self.look if asked and (self.noisy is None or self._sure(table)) else None
        kind = None
        if look is not None and column.type.name == "VARCHAR" and not self._names(table, column):
            # A column that names something stays as it is: the other one has to be of its type.
            kind = look.type(table, column)
            column = column if kind is None else replace(column, type=kind)
        parts = [f"type: {_text(str(column.type))}"]
        notes: list[str] = []
        # As the CHECK has it; what the engine makes of it is for `resolve` to say.
        written = tighten(column.bounds, column.type) if column.bounds is not None else None
        found: list[str] = []
        if (bounds := listed(written)) is not None:
            parts.append(f"bounds: {bounds}")
        elif self._names(table, column):
            pass
        elif look is not None and (seen := self._bounds(look, table, column)) is not None:
            found.append(f"bounds: {seen}")
        elif access == "private" and self._is_measure(column):
            notes.append("bounds: [low, high], for SUM and AVG")
        # An ENUM's type names its values already.
        if column.values is not None and (values := listed(enforced_values(column))) is not None:
            parts.append(f"values: {values}")
        elif look is not None and column.type.name == "VARCHAR" and not self._names(table, column):
            texts, all_of_them = look.values(table, column, self._owner(table))
            if (values := listed(texts or None)) is not None:
                found.append(f"values: {values}")
                notes += [] if all_of_them else ["rarer values are left out"]
        if column.not_null:
            parts.append("nullable: false")
        for key in table.foreign_keys:
            if key.column.lower() == column.name.lower():
                part, note = self._reference(key.table, key.referenced_column)
                if part and not any(done.startswith("references") for done in parts):
                    parts.append(part)
                    if (table.name.lower(), column.name.lower()) in self.guesses.references:
                        notes.append("a guess by the column's name: check that it leads there")
                elif note:
                    notes.append(note)
        if access == "private" and self._needs_max_rows(table, column):
            if (most := _most_rows(table, column)) is not None:
                parts.append(f"max_rows: {most}")
                notes += ["max_rows is all that the key allows"] if most > FEW else []
            elif look is not None and (rows := look.rows(table, column)) is not None:
                found.append(f"max_rows: {rows}")
            else:
                notes.append("max_rows: N, the most rows with one value")
        line = f"      {quoted(column.name)}: {{{', '.join([*parts, *found])}}}"
        mark = f"   # {MARK if self.noisy is None else NOISY_MARK}"
        line = f"{line}{mark}" if found or kind is not None else line
        return f"{line}   # TODO {'; '.join(notes)}" if notes else line

    def _is_measure(self, column: CatalogColumn) -> bool:
        """Whether the column is likely to be summed: a number with many values."""
        return column.type.is_numeric and column.values is None

    def _names(self, table: CatalogTable, column: CatalogColumn) -> bool:
        """Whether the column names a row or a unit."""
        names = {key.column.lower() for key in table.foreign_keys}
        names |= {name.lower() for key in table.keys for name in key}
        names |= {name.lower() for key in table.wide_keys for name in key.columns}
        names |= {
            (self._owner(table) or "").lower(),
            self.guesses.names.get(table.name.lower(), ""),
        }
        return column.name.lower() in names

    def _bounds(self, look: Look, table: CatalogTable, column: CatalogColumn) -> str | None:
        """Of a column whose values have an order, as its data has them."""
        ordered = column.type.is_numeric or column.type.name in ("DATE", "TIMESTAMP")
        if not ordered or column.values is not None:
            return None
        return listed(look.bounds(table, column))

    def _owner(self, table: CatalogTable) -> str | None:
        """The column that leads to the unit, or is it; None where each row is one, or where the
        owner is looked up.
        """
        low = table.name.lower()
        if low in self.wide:
            return None
        return self.owners[low].column if low in self.owners else self.unit.column

    def _reference(self, to_table: str, to_column: str) -> tuple[str, str]:
        """What the column declares, or what is to be added once the other table is listed."""
        target = f"references: {quoted(f'{to_table}.{to_column}')}"
        key = [name.lower() for name in self.keys.get(to_table.lower(), ())]
        if key != [to_column.lower()]:
            return "", ""
        if self._listed(to_table):
            return target, ""
        return "", f"{target}, once {quoted(to_table)} is listed"

    def _needs_max_rows(self, table: CatalogTable, column: CatalogColumn) -> bool:
        name, owner = column.name.lower(), self._owner(table) if self._listed(table.name) else None
        unique = any([part.lower() for part in key] == [name] for key in table.keys)
        return owner is not None and name == owner.lower() and not unique


FEW = 100
"""Rows of a unit that need no second thought."""


def _most_rows(table: CatalogTable, column: CatalogColumn) -> int | None:
    """How many rows of a table share a value of a column, as the database enforces it."""

    def sized(name: str) -> int | None:
        other = table.column(name)
        assert other is not None
        return size(other.type, enforced_values(other), enforced_bounds(other))

    return most_rows(table.keys, column.name, sized)


def _told(comment: str, indent: str) -> Iterator[str]:
    """What the database says of a table or a column, as one line that is nothing else."""
    plain = " ".join("".join(c if c.isprintable() else " " for c in comment).split())
    if plain:
        yield f"{indent}# {plain if len(plain) <= MOST else plain[: MOST - 1] + '…'}"


def heading(source: str, read: str = "no data was read") -> Iterator[str]:
    """What a draft is made of, and that it is one."""
    yield f"# A draft from {source}; {read}. Check every line: what this"
    yield "# file says is public, and what it calls private is protected as it says."


def quoted(name: str) -> str:
    """A name as YAML text, in quotes where it needs them."""
    if _PLAIN.match(name) and name.lower() not in _NOT_PLAIN:
        return name
    return _text(name)


def _text(text: str) -> str:
    """`text` in YAML's double quotes, on one line."""
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    dumped: str = yaml.safe_dump(text, default_style='"', allow_unicode=False, width=1 << 30)
    return dumped.strip()


def listed(values: tuple[Scalar, ...] | None) -> str | None:
    """The constants as a YAML list; None where there are none, or one has no decimal text."""
    if values is None:
        return None
    parts: list[str] = []
    for value in values:
        if isinstance(value, str):
            parts.append(_text(value))
        elif isinstance(value, Fraction):
            if (text := decimal_text(value)) is None:
                return None
            parts.append(text)
        else:
            text = show(value)
            parts.append(_text(text) if ":" in text else text)
    return f"[{', '.join(parts)}]"
