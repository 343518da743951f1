"""The first policy of a database, written from its catalog and never from its data.

It fails closed: a table is listed only where its path to the unit is plain. All others are there
as comments, and a table that is not listed does not exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import yaml

from dpsql.platform.policy.catalog import Catalog, CatalogColumn, CatalogTable
from dpsql.platform.policy.enforced import enforced_values
from dpsql.platform.policy.guess import Unit, find_paths, find_unit
from dpsql.platform.policy.model import SCHEMA_FILE
from dpsql.platform.policy.owners import Link
from dpsql.platform.policy.scalars import decimal_text, show, tighten
from dpsql.types import Scalar

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*){0,3}\Z")
_NOT_PLAIN = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"}


def draft(catalog: Catalog, unit: str | None = None, *, schema: str = SCHEMA_FILE) -> str:
    """The YAML text of a policy that `Policy.parse` accepts as it is.

    Args:
        catalog: of the database.
        unit: ``table.column`` or a table; guessed where it is not given, and then the text says so.
        schema: where the JSON Schema stands, for editors.

    Raises:
        PolicyError: no such unit, or nothing to guess it from.
    """
    named = catalog.called()
    lines = [*_Draft.of(named, find_unit(named, unit)).lines(schema), *_not_listed(catalog)]
    return "\n".join(lines) + "\n"


def _not_listed(catalog: Catalog) -> Iterator[str]:
    """The tables that a policy cannot name, and the views."""
    for table in catalog.tables:
        if not catalog.shortest(table.path):
            yield f"  # {_quoted(table.name)}: a policy cannot name it"
    if views := [name for name in map(catalog.shortest, catalog.views) if name]:
        yield ""
        yield "# Views. Queries may read one that is listed: its definition is then public, and the"
        yield "# tables that it reads are listed above."
        yield f"# views: [{', '.join(map(_quoted, sorted(views)))}]"


@dataclass(frozen=True, slots=True)
class _Draft:
    catalog: Catalog
    unit: Unit
    owners: dict[str, Link]
    several: dict[str, tuple[Link, ...]]
    keys: dict[str, tuple[str, ...]]

    @classmethod
    def of(cls, catalog: Catalog, unit: Unit) -> _Draft:
        owners, several = find_paths(catalog, unit)
        # The policy has one key a table: the one that an owner path leads to, if any does.
        wanted = {link.to_table: link.to_column for link in owners.values()}
        keys: dict[str, tuple[str, ...]] = {}
        for table in catalog.tables:
            low = table.name.lower()
            first = [key for key in table.keys if [k.lower() for k in key] == [wanted.get(low)]]
            keys[low] = next(iter([*first, *table.keys]), ())
        return cls(catalog, unit, dict(owners), dict(several), keys)

    def lines(self, schema: str) -> Iterator[str]:
        yield f"# yaml-language-server: $schema={' '.join(schema.split())}"
        yield "# A draft from the database's catalog; no data was read. Check every line: what this"
        yield "# file says is public, and what it calls private is protected as it says."
        yield ""
        if self.unit.guessed:
            yield "# A GUESS: who is to be protected? Change it if it is not this."
        yield f"unit: {_quoted(self.unit.text)}"
        yield "neighbours: add_remove   # or replace: then the number of units is public"
        yield "budget: {eps: 1, delta: 0}   # what all answers together may cost"
        yield "tables:"
        for table in self.catalog.tables:
            if self._listed(table.name):
                yield from self._table(table)
        yield from self._others()

    def _listed(self, name: str) -> bool:
        low = name.lower()
        return low in self.owners or low == self.unit.table.name.lower()

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
                columns = " or ".join(
                    f"owner: {_quoted(link.column)}" for link in self.several[low]
                )
                yield "  #"
                yield "  # Leads to the unit in several ways, so it is private; say which owns it"
                yield f"  # ({columns}):"
                yield from self._commented(table, private=True)
            else:
                yield "  #"
                yield from self._commented(table, private=self._leads(low))

    def _leads(self, low: str) -> bool:
        """Whether the table leads, through a table that is not listed, to the unit."""
        from_here = [low]
        seen = {low}
        while from_here:
            table = self.catalog.table(from_here.pop())
            for key in table.foreign_keys if table is not None else ():
                if self._listed(key.table):
                    return True
                if key.table.lower() not in seen:
                    seen.add(key.table.lower())
                    from_here.append(key.table.lower())
        return False

    def _commented(self, table: CatalogTable, *, private: bool) -> Iterator[str]:
        for line in self._table(table, access="private" if private else "public"):
            yield f"  # {line[2:]}"

    def _table(self, table: CatalogTable, access: str = "private") -> Iterator[str]:
        low = table.name.lower()
        yield f"  {_quoted(table.name)}:"
        yield f"    access: {access}"
        if key := self.keys[low]:
            yield f"    key: [{', '.join(map(_quoted, key))}]"
        if low in self.owners and len(table.foreign_keys) > 1:
            owner = table.column(self.owners[low].column)
            assert owner is not None
            yield f"    owner: {_quoted(owner.name)}"
        yield "    columns:"
        for column in table.columns:
            yield self._column(table, column, access)

    def _column(self, table: CatalogTable, column: CatalogColumn, access: str) -> str:
        parts = [f"type: {_text(str(column.type))}"]
        notes: list[str] = []
        # As the CHECK has it; what the engine makes of it is for `resolve` to say.
        written = tighten(column.bounds, column.type) if column.bounds is not None else None
        if (bounds := _list(written)) is not None:
            parts.append(f"bounds: {bounds}")
        elif access == "private" and self._is_measure(table, column):
            notes.append("bounds: [low, high], for SUM and AVG")
        # An ENUM's type names its values already.
        if column.values is not None and (values := _list(enforced_values(column))) is not None:
            parts.append(f"values: {values}")
        if column.not_null:
            parts.append("nullable: false")
        for key in table.foreign_keys:
            if key.column.lower() == column.name.lower():
                part, note = self._reference(key.table, key.referenced_column)
                if part and not any(done.startswith("references") for done in parts):
                    parts.append(part)
                elif note:
                    notes.append(note)
        if access == "private" and self._needs_max_rows(table, column):
            notes.append("max_rows: N, the most rows with one value")
        line = f"      {_quoted(column.name)}: {{{', '.join(parts)}}}"
        return f"{line}   # TODO {'; '.join(notes)}" if notes else line

    def _is_measure(self, table: CatalogTable, column: CatalogColumn) -> bool:
        """Whether the column is likely to be summed: a number that names nothing."""
        low = column.name.lower()
        names = {key.column.lower() for key in table.foreign_keys}
        names |= {name.lower() for key in table.keys for name in key}
        return column.type.is_numeric and column.values is None and low not in names

    def _reference(self, to_table: str, to_column: str) -> tuple[str, str]:
        """What the column declares, or what is to be added once the other table is listed."""
        target = f"references: {_quoted(f'{to_table}.{to_column}')}"
        key = [name.lower() for name in self.keys.get(to_table.lower(), ())]
        if key != [to_column.lower()]:
            return "", ""
        if self._listed(to_table):
            return target, ""
        return "", f"{target}, once {_quoted(to_table)} is listed"

    def _needs_max_rows(self, table: CatalogTable, column: CatalogColumn) -> bool:
        low, name = table.name.lower(), column.name.lower()
        owner = self.owners[low].column if low in self.owners else None
        if low == self.unit.table.name.lower() and self.unit.column is not None:
            owner = self.unit.column.lower()
        unique = any([part.lower() for part in key] == [name] for key in table.keys)
        return name == owner and not unique


def _quoted(name: str) -> str:
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


def _list(values: tuple[Scalar, ...] | None) -> str | None:
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
