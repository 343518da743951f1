"""What a FROM item is called and which columns it has, as far as the text tells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dpsql.core.schema import Column, Table
from dpsql.front.scope import fold
from dpsql.repl.lexer import Token


@dataclass(frozen=True, slots=True)
class NamedColumn:
    """A column as a query may name it.

    Attributes:
        column, table: the declared column that it is, and of which table; None for a computed one.
    """

    name: str
    column: Column | None = None
    table: Table | None = None


@dataclass(frozen=True, slots=True)
class FromItem:
    """A FROM item, or the query of a WITH.

    Attributes:
        name: its alias, else its table's name; "" where it has none.
        table: the declared table that it is, if it is one.
    """

    name: str
    columns: tuple[NamedColumn, ...] = ()
    table: Table | None = None

    def renamed(self, names: Sequence[str]) -> FromItem:
        """The same with a list of column names after its alias."""
        rest = self.columns[len(names) :]
        first = [
            replace(self.columns[n], name=name) if n < len(self.columns) else NamedColumn(name)
            for n, name in enumerate(names)
        ]
        return replace(self, columns=(*first, *rest))


@dataclass(slots=True)
class SelectScope:
    """One SELECT with its clauses.

    Attributes:
        outer: the SELECT whose names are known here too.
        ctes: the queries of WITH that may be named here, by folded name.
        relations: the FROM items in order.
        items: the tokens of each part of the select list.
        has: the clauses that are there.
    """

    outer: SelectScope | None
    ctes: Mapping[str, FromItem]
    relations: list[FromItem] = field(default_factory=list)
    items: list[list[Token]] = field(default_factory=list)
    has: set[str] = field(default_factory=set)

    def scopes(self) -> Iterator[SelectScope]:
        """This one and those around it."""
        block: SelectScope | None = self
        while block is not None:
            yield block
            block = block.outer

    def relation(self, name: str) -> FromItem | None:
        """The FROM item of that name, here or around."""
        folded = fold(name)
        found = (r for b in self.scopes() for r in b.relations if fold(r.name) == folded)
        return next(found, None)

    def named(self, name: str, qualifier: str | None = None) -> NamedColumn | None:
        """The column that a name means."""
        folded = fold(name)
        for block in self.scopes():
            for relation in block.relations:
                if qualifier is None or fold(relation.name) == fold(qualifier):
                    for column in relation.columns:
                        if fold(column.name) == folded:
                            return column
        return None

    def outputs(self) -> tuple[NamedColumn, ...]:
        """The columns that the select list names."""
        if not self.items and "SELECT" not in self.has:  # FROM alone gives all
            return tuple(c for r in self.relations for c in r.columns)
        return tuple(named for item in self.items for named in self._outputs(item))

    def _outputs(self, item: list[Token]) -> Iterator[NamedColumn]:
        texts = [t.text for t in item]
        if texts[:1] == ["*"]:
            yield from (c for r in self.relations for c in r.columns)
        elif len(item) >= 3 and texts[1:3] == [".", "*"]:
            relation = self.relation(item[0].name)
            yield from () if relation is None else relation.columns
        elif len(item) == 1 and item[0].is_name:
            yield self.named(item[0].name) or NamedColumn(item[0].name)
        elif len(item) == 3 and item[2].is_name and texts[1] == ".":
            yield self.named(item[2].name, item[0].name) or NamedColumn(item[2].name)
        elif len(item) >= 2 and item[-1].is_name and texts[-2] != ".":
            yield self._aliased(item)

    def _aliased(self, item: list[Token]) -> NamedColumn:
        value = item[:-2] if item[-2].word == "AS" else item[:-1]
        found = next(self._outputs(value), None) if len(value) in (1, 3) else None
        return replace(found, name=item[-1].name) if found else NamedColumn(item[-1].name)


@dataclass(frozen=True, slots=True)
class Spot:
    """Where the cursor is.

    Attributes:
        block: the SELECT around it.
        clause: the last clause word before it: FROM, WHERE, ON, …; "" before the first.
        item: in FROM, whether a table is expected.
        joined: whether the last FROM item came by a JOIN, so that a condition is due.
        inside: whether it is within parentheses of the clause.
    """

    block: SelectScope
    clause: str = ""
    item: bool = False
    joined: bool = False
    inside: bool = False
