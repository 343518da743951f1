"""The conditions by which a table is joined, those that lead to the unit first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from dpsql.front.scope import fold
from dpsql.repl.completion.from_items import FromItem, NamedColumn
from dpsql.repl.completion.proposal import Proposal
from dpsql.repl.completion.spelling import quoted

Target = tuple[str, str]


def equalities(relations: Sequence[FromItem]) -> Iterator[Proposal]:
    """Conditions for the last relation with one before it."""
    found: list[tuple[bool, Proposal]] = []
    for earlier in relations[:-1]:
        for left, right in product(earlier.columns, relations[-1].columns):
            unit = linked(left, right)
            if unit is not None:
                text = f"{_written(earlier, left)} = {_written(relations[-1], right)}"
                meta = "leads to the unit" if unit else "a reference"
                found.append((not unit, Proposal(text, meta=meta)))
    yield from (offer for _, offer in sorted(found, key=lambda pair: pair[0]))


def rest_of_equality(relations: Sequence[FromItem], first: str) -> Iterator[Proposal]:
    """What completes a condition of which the first table's name and its dot are there."""
    for earlier in relations[:-1]:
        for pair in product(earlier.columns, relations[-1].columns):
            sides = [(earlier, pair[0]), (relations[-1], pair[1])]
            if fold(sides[0][0].name) != fold(first):
                sides.reverse()
            if fold(sides[0][0].name) == fold(first) and linked(*pair):
                column = sides[0][1].name
                text = f"{quoted(column)} = {_written(*sides[1])}"
                yield Proposal(text, column, "leads to the unit")


def shared(relations: Sequence[FromItem]) -> Iterator[Proposal]:
    """Names for USING: of the last relation and of one before it."""
    if not relations:
        return
    earlier = [c for relation in relations[:-1] for c in relation.columns]
    same = [
        (left, right)
        for left, right in product(earlier, relations[-1].columns)
        if fold(left.name) == fold(right.name)
    ]
    for left, right in sorted(same, key=lambda pair: not linked(*pair)):
        meta = "leads to the unit" if linked(left, right) else ""
        yield Proposal(quoted(right.name), right.name, meta)


def linked(left: NamedColumn, right: NamedColumn) -> bool | None:
    """Whether equal values of two columns mean the same unit (True), or a row of a public table.

    None where the policy says neither, or the rows could be of two units.
    """
    if not _ends(left) & _ends(right):
        return None
    if not all(side.table is not None and side.table.private for side in (left, right)):
        return False
    return True if _has_unit(left) and _has_unit(right) else None


def _ends(named: NamedColumn) -> set[Target]:
    """What a column's value names: a row of the table that it references, or of its own."""
    column, table = named.column, named.table
    if column is None or table is None:
        return set()
    found: set[Target] = set()
    if (reference := column.references) is not None:
        found.add((fold(reference.table), fold(reference.column)))
    if _has_unit(named):
        found.add((fold(table.name), fold(column.name)))
    return found


def _has_unit(named: NamedColumn) -> bool:
    """Whether the column's value tells the unit of its row: as the owner's, or as the key."""
    column, table = named.column, named.table
    if column is None or table is None:
        return False
    own, keys = fold(column.name), [fold(key) for key in table.key]
    return keys == [own] or (table.owner is not None and fold(table.owner) == own)


def _written(relation: FromItem, column: NamedColumn) -> str:
    name = quoted(column.name)
    return f"{quoted(relation.name)}.{name}" if relation.name else name
