"""What names mean at one place of a query. A name is looked up once, here; from then on there are
only plan columns. DuckDB folds the case of every identifier, quoted or not (ASCII only).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from dpsql.core.plan.expr import Column
from dpsql.core.plan.nodes import Plan
from dpsql.errors import Rejected, Span
from dpsql.front.parse import reject, set_span
from dpsql.front.written import of_elsewhere

_FOLD = {ord(c): ord(c) + 32 for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}


def fold(name: str) -> str:
    """The name as DuckDB compares it."""
    return name.translate(_FOLD)


def suggestion(name: str, known: Iterable[str]) -> str | None:
    """ "did you mean …" for a misspelt name, or None."""
    close = difflib.get_close_matches(fold(name), [fold(k) for k in known], n=1)
    return f"did you mean {close[0]}?" if close else None


@dataclass(frozen=True, slots=True)
class Relation:
    """One FROM item: its alias, its plan, and its columns as the query may name them."""

    alias: str
    plan: Plan
    columns: tuple[tuple[str, Column], ...]
    folded: str = field(init=False, repr=False)
    by_name: Mapping[str, tuple[Column, ...]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        found: dict[str, tuple[Column, ...]] = {}
        for name, column in self.columns:
            key = fold(name)
            found[key] = (*found.get(key, ()), column)
        object.__setattr__(self, "folded", fold(self.alias))
        object.__setattr__(self, "by_name", found)


@dataclass(frozen=True, slots=True)
class Scope:
    """The FROM items in order, and what USING made of them.

    Attributes:
        merged: columns that stand for themselves only where they are qualified.
        replaced: for a column, what its plain name means instead, after an outer join.
    """

    relations: tuple[Relation, ...] = ()
    merged: frozenset[int] = frozenset()
    replaced: Mapping[int, Column] = field(default_factory=dict)

    @staticmethod
    def mark(column: Column) -> str:
        """A name that no text can hold, for a column that a star stands for."""
        return f"\0{column.id}"

    @staticmethod
    def is_mark(node: exp.Expr) -> bool:
        """Whether the node names a column by its mark."""
        return isinstance(node, exp.Column) and node.name.startswith("\0")

    def knows(self, node: exp.Column) -> bool:
        """Whether the name's qualifier, if it has one, is a table here."""
        name = fold(node.table) if node.table else None
        return name is None or any(r.folded == name for r in self.relations)

    def resolve(self, node: exp.Column) -> Column | None:
        """The column that a name means; None where there is none of that name.

        Raises:
            Rejected: DP203 where it means several, DP201 where its qualifier is unknown.
        """
        if self.is_mark(node):
            columns = [c for relation in self.relations for _, c in relation.columns]
            columns += self.replaced.values()
            return next((c for c in columns if c.id == int(node.name[1:])), None)
        name, table = fold(node.name), fold(node.table) if node.table else None
        if table is not None and not any(r.folded == table for r in self.relations):
            hint = suggestion(table, (r.alias for r in self.relations))
            raise reject("DP201", f"no table {node.table} in this FROM", node, hint)
        found = [
            column
            for relation in self.relations
            if table is None or relation.folded == table
            for column in relation.by_name.get(name, ())
            if table is not None or column.id not in self.merged
        ]
        if len(found) > 1:
            first = next(r.alias for r in self.relations if found[0] in [c for _, c in r.columns])
            alone = sum(any(c in found for _, c in r.columns) for r in self.relations) == 1
            help = f"name them apart in {first}, with AS" if alone else f"write {first}.{node.name}"
            raise reject("DP203", f"{node.name} could be more than one column", node, help)
        if found and table is None:
            return self.replaced.get(found[0].id, found[0])
        return found[0] if found else None

    def unknown(self, node: exp.Column) -> Rejected:
        """The error for a name that means nothing."""
        if node.table and not self.knows(node):
            hint = suggestion(node.table, (r.alias for r in self.relations))
            return reject("DP201", f"no table {node.table} in this FROM", node, hint)
        known = [n for r in self.relations for n, _ in r.columns]
        help = suggestion(node.name, known) or (None if node.table else of_elsewhere(node.name))
        return reject("DP202", f"no column {node.name}", node, help)

    def star(self, table: str | None) -> list[tuple[str, Column]]:
        """The columns of `*` or `table.*`, in order."""
        return [
            (name, column if table is not None else self.replaced.get(column.id, column))
            for relation in self.relations
            if table is None or fold(relation.alias) == fold(table)
            for name, column in relation.columns
            if table is not None or column.id not in self.merged
        ]


def marked(column: Column, span: Span | None) -> exp.Column:
    """The name of a column that some other part of the text stands for."""
    node = exp.column(Scope.mark(column))
    if span is not None:
        set_span(node, span)
    return node
