"""A policy as something to read: its tables, the paths to the unit, and what bounds a row."""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass

from dpsql.core.account.amount import Cost
from dpsql.core.schema import Schema, Table
from dpsql.report.document import Document, Drawing, Heading, Listing, NamedRows, Said
from dpsql.report.forms import Documented, Plain
from dpsql.report.policies.policy_words import kind, kind_name, known, null, path, unbroken, unit
from dpsql.report.steps import TreeStep
from dpsql.visible import one_line

_WIDE, _LINE, _GAP, _MOST, _CHARS = 310, 17, 40, 14, 44
"""Of a drawn table: its width, the height of a line, the room around it, its lines, of so many
letters each.
"""


@dataclass(frozen=True, slots=True)
class ShownColumn(Plain):
    """A column: its name, its type, whether it has NULLs, and what else is known of it."""

    name: str
    type: str
    null: str
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownTable(Plain):
    """A table.

    Attributes:
        name: as the engine has it.
        kind: "private" or "public".
        unit: who is protected by it; None for a public table.
        path: the columns from it to the unit.
        above: the table that its rows lead to; None where they lead to the unit itself.
        by: the column that leads there, and how many of its rows do, at most.
        whole: whether rows without a unit may be there, and are left out; "" for a public table.
        key: its key.
        columns: all of them.
    """

    name: str
    kind: str
    unit: str | None
    path: tuple[str, ...]
    above: str | None
    by: tuple[str, ...]
    whole: str
    key: tuple[str, ...]
    columns: tuple[ShownColumn, ...]


@dataclass(frozen=True, slots=True)
class PolicyPicture(Documented):
    """What is public of a policy.

    Attributes:
        unit: who is protected.
        neighbours: what cannot be told.
        budget: of all answers.
        tables: private ones with the way of their rows; of several kinds of unit once for each.
    """

    unit: str
    neighbours: str
    budget: str
    tables: tuple[ShownTable, ...]

    @property
    def trees(self) -> tuple[TreeStep, ...]:
        """For each kind of unit the tables that lead to it, each below the one it leads to."""
        units = dict.fromkeys(t.unit for t in self.tables if t.unit is not None)
        return tuple(
            TreeStep("private", f"unit: {one}", (), self._below(one, None)) for one in units
        )

    def _below(self, unit: str, above: str | None) -> tuple[TreeStep, ...]:
        tables = [t for t in self.tables if t.unit == unit and t.above == above]
        return tuple(
            TreeStep(
                "private",
                ", ".join((t.name, *t.by)),
                (t.whole, *_bounded(t)),
                self._below(unit, t.name),
            )
            for t in tables
        )

    def to_mermaid(self) -> str:
        """As a flow chart in the language of Mermaid."""
        units = list(dict.fromkeys(t.unit for t in self.tables if t.unit is not None))
        lines = ["flowchart RL"]
        lines += [f'  u{i}(["unit: {_plain(one)}"])' for i, one in enumerate(units)]
        for i, table in enumerate(self.tables):
            label = "<br/>".join(map(_plain, (f"{table.name} ({table.kind})", *_bounded(table))))
            lines.append(f'  t{i}["{label}"]')
        for i, table in enumerate(self.tables):
            if table.unit is None:
                continue
            to = f"u{units.index(table.unit)}"
            for j, other in enumerate(self.tables):
                if other.unit == table.unit and other.name == table.above:
                    to = f"t{j}"
            by = f'|"{_plain(", ".join(table.by))}"|' if table.by else ""
            lines.append(f"  t{i} -->{by} {to}")
        return "\n".join(lines) + "\n"

    def _document(self) -> Document:
        """What is told, in order."""
        head = (("unit", self.unit), ("neighbours", self.neighbours), ("budget", self.budget))
        public = [t for t in self.tables if t.unit is None]
        lines = [line for tree in self.trees for line in str(tree).splitlines()]
        for table in public:
            lines += ["", f"public: {table.name}", *(f"  · {said}" for said in _bounded(table))]
        rows = tuple((t.name, t.kind, " → ".join(t.path)) for t in self.tables)
        overview = Listing(("table", "kind", "way to the unit"), rows, tuple(map(Said, lines)))
        each = [part for table in self.tables for part in _shown(table)]
        return Document(
            "dpsql: a policy", (NamedRows(head), Said(""), overview, Drawing(_svg(self)), *each)
        )


def picture(schema: Schema) -> PolicyPicture:
    """The picture of what the analysis is told."""
    every = schema.kinds or (schema,)
    found: list[ShownTable] = []
    for one in every:
        found += [_table(one, t) for t in one.tables.values() if t.private and not t.hidden]
    found += [_table(schema, t) for t in schema.tables.values() if not t.private]
    budget = str(Cost(schema.eps, schema.delta))
    return PolicyPicture(unit(schema), schema.neighbours, budget, tuple(found))


def _table(schema: Schema, table: Table) -> ShownTable:
    above = schema.next_owner(table) if table.private else None
    owner = None if table.owner is None else table.column(table.owner)
    by: tuple[str, ...] = ()
    if table.private and owner is not None:
        most = owner.max_rows
        rows = "any number of rows each" if most is None else f"at most {most:,} rows each"
        by = (f"by {owner.name}", "one row each" if most == 1 else rows)
    return ShownTable(
        table.name,
        kind(table),
        unit(schema) if table.private else None,
        tuple(path(schema, table)),
        None if above is None else above.table,
        by,
        _whole(schema, table) if table.private else "",
        table.key,
        tuple(
            ShownColumn(c.name, kind_name(c), null(c, table), tuple(known(c, table)))
            for c in table.columns
        ),
    )


def _whole(schema: Schema, table: Table) -> str:
    if unbroken(schema, table):
        return "each row has a unit (proven)"
    return "rows without a unit are left out"


def _bounded(table: ShownTable) -> tuple[str, ...]:
    """What is known of its columns, a line each."""
    return tuple(f"{c.name}: {'; '.join(c.known)}" for c in table.columns if c.known)


def _shown(table: ShownTable) -> Iterator[Heading | Listing]:
    """A table on a page; text has it in the tree."""
    yield Heading(f"{table.name}, {table.kind}")
    rows = tuple((c.name, c.type, c.null, "; ".join(c.known)) for c in table.columns)
    yield Listing(("column", "type", "null", "known"), rows, ())


def _plain(text: str) -> str:
    """A text in quotes of Mermaid: all that it could read as its own is a number."""
    return "".join(c if c.isalnum() or c in " .,_()→:-'" else f"#{ord(c)};" for c in one_line(text))


# --- the drawing of a page ------------------------------------------------------------------------


def _svg(found: PolicyPicture) -> str:
    """Units on the left, then tables by how far they are from them; an arrow to what each leads to.
    Public tables stand below the units.
    """
    places: dict[tuple[str | None, str | None], tuple[int, int]] = {}
    heights: dict[int, int] = {}
    parts: list[str] = []

    def box(key: tuple[str | None, str | None], depth: int, title: str, lines: list[str]) -> None:
        x, y = depth * (_WIDE + 2 * _GAP), heights.get(depth, 0)
        tall = _LINE * (len(lines) + 1) + 10
        places[key], heights[depth] = (x, y), y + tall + _GAP
        parts.append(
            f'<rect x="{x}" y="{y}" width="{_WIDE}" height="{tall}" rx="4" fill="none" '
            'stroke="currentColor"/>'
        )
        parts.append(_text(x + 8, y + _LINE, title, ' font-weight="bold"'))
        parts.extend(_text(x + 8, y + _LINE * (n + 2), line) for n, line in enumerate(lines))

    for one in dict.fromkeys(t.unit for t in found.tables if t.unit is not None):
        box((one, None), 0, f"unit: {one}", [])
    for table in found.tables:
        every = _bounded(table)
        lines = [line if len(line) <= _CHARS else f"{line[: _CHARS - 1]}…" for line in every]
        if len(lines) > _MOST:
            lines = [*lines[: _MOST - 1], f"and {len(lines) - _MOST + 1} more"]
        depth = 0 if table.unit is None else _depth(found, table)
        box((table.unit, table.name), depth, f"{table.name}, {table.kind}", lines)
    for table in found.tables:
        if table.unit is not None:
            (x, y), (to_x, to_y) = places[table.unit, table.name], places[table.unit, table.above]
            parts.append(
                f'<path d="M{x} {y + 12} L{to_x + _WIDE + 6} {to_y + 12} m6 -4 l-6 4 l6 4" '
                'fill="none" stroke="currentColor"/>'
            )
    wide, tall = (max(heights) + 1) * (_WIDE + 2 * _GAP), max(heights.values())
    return f'<svg viewBox="-2 -2 {wide} {tall + 4}" width="{wide}">{"".join(parts)}</svg>'


def _depth(found: PolicyPicture, table: ShownTable) -> int:
    """How many tables there are from a table to the unit, this one included."""
    depth, at = 1, table
    while at.above is not None:
        at = next(t for t in found.tables if t.unit == at.unit and t.name == at.above)
        depth += 1
    return depth


def _text(x: int, y: int, text: str, more: str = "") -> str:
    return f'<text x="{x}" y="{y}"{more}>{html.escape(one_line(text))}</text>'
