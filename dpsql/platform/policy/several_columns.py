"""References of several columns: what tells whose a row is where no single column does.

    results: {references: [{columns: [clinic, visit], to: visits, max_rows: 20}]}

A row of `results` is of the unit of the one row of `visits` with its clinic and its visit. To the
analysis it has one column more, `visits_owner`, which is looked up there (`core.schema.Lookup`).
Where a column of the row itself leads to the unit, that one tells it, and the reference says that
both rows are of one unit: by the owner's word, as `one_unit` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from dpsql.platform.policy.messages import no_column
from dpsql.platform.policy.owners import Link, Links, owner_name
from dpsql.platform.policy.places import Path, Problem
from dpsql.platform.policy.scalars import comparable

if TYPE_CHECKING:
    from dpsql.platform.policy.merge import MergedColumn, MergedTable
    from dpsql.platform.policy.model import Policy


def links(policy: Policy) -> Links:
    """Those of each table, whether they tell whose its rows are or not."""
    return {
        name.lower(): tuple(
            Link(name.lower(), owner_name(of.to), of.to.lower(), "", pairs=of.pairs)
            for of in table.references
            if policy.table(of.to) is not None
        )
        for name, table in policy.tables.items()
    }


def problems(
    policy: Policy, columns: Mapping[str, Mapping[str, MergedColumn]]
) -> Iterator[Problem]:
    """What is wrong with their columns.

    Two that are equal are so whatever their types are, and no cast fails. Of floating-point numbers
    0.0 and -0.0 are equal, of which a key may have both; of intervals a month and 30 days.
    """
    for name, table in policy.tables.items():
        for index, of in enumerate(table.references):
            path: Path = ("tables", name, "references", index)
            mine, theirs, to = columns[name.lower()], columns[of.to.lower()], of.to
            if owner_name(to) in mine:
                message = f"{owner_name(to)} is to be the name of what it tells; give that column "
                yield Problem(path, message + "of the data another")
            for place, (own, there) in enumerate(of.pairs):
                for part, named, known, column in (
                    ("columns", name, mine, own),
                    ("key", to, theirs, there),
                ):
                    if column not in known:
                        message = no_column(
                            f"table {named}", column, (c.name for c in known.values())
                        )
                        yield Problem((*path, part, place), message)
                one, other = mine.get(own), theirs.get(there)
                if one is None or other is None:
                    continue
                if not comparable(one.type, other.type):
                    message = f"{one.name} is {one.type}, but {to}.{other.name} is {other.type}"
                    yield Problem((*path, "columns", place), message)
                elif one.type.is_float or one.type.is_opaque or one.type.name == "INTERVAL":
                    message = f"{one.name} is {one.type}, of which several may be equal: no "
                    yield Problem((*path, "columns", place), message + "reference has it")


def targets(
    table: MergedTable, merged: Mapping[str, MergedTable], unit: tuple[str, str]
) -> Iterator[Problem]:
    """They lead to a key: one that holds in fact where it tells whose a row is. Else both rows say
    themselves whose they are, in the same way.
    """
    for index, of in enumerate(table.declared.references):
        path: Path = (*table.path, "references", index)
        target, there = merged[of.to.lower()], {column for _, column in of.pairs}
        tells = table.lookup is not None and table.lookup.to_table == of.to.lower()
        # Of several keys the analysis knows one, and a row must be seen to meet one at most.
        known = any(
            there.issuperset(key) for key in ((target.key,) if tells else target.keys) if key
        )
        if not known and (tells or there != {k.lower() for k in target.declared.key}):
            names = ", ".join(target.columns[column].name for _, column in of.pairs)
            message = f"({names}) is not the key of {target.name}; a reference needs "
            yield Problem(path, message + f"`key: [{names}]` at {target.name}")
        elif not tells and _place(table, unit) != _place(target, unit):
            message = f"rows of {table.name} and of {target.name} lead to their units by columns "
            message += "that lead to different tables; for such a join both tables need a column "
            yield Problem(path, message + "with the unit itself")


def _place(table: MergedTable, unit: tuple[str, str]) -> tuple[str, str]:
    """Where the owner column of a private table leads."""
    return unit if table.owner is None else (table.owner.to_table, table.owner.to_column)
