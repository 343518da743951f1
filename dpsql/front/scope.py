"""What names mean at one place of a query. A name is looked up once, here; from then on there are
only plan columns. DuckDB folds the case of every identifier, quoted or not (ASCII only).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from dpsql.core.plan.expr import Column
from dpsql.core.plan.nodes import Plan
from dpsql.errors import Rejected, Span
from dpsql.front import structs
from dpsql.front.parse import reject, set_span
from dpsql.front.written import of_elsewhere

_FOLD = {ord(c): ord(c) + 32 for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}


def fold(name: str) -> str:
    """The name as DuckDB compares it."""
    return name.translate(_FOLD)


def suggestion(name: str, known: Iterable[str], alike: float = 0.6) -> str | None:
    """ "did you mean …" for a misspelt name, or None.

    Args:
        name: as it is written.
        known: the names that there are.
        alike: how much of both has to be the same.
    """
    close = difflib.get_close_matches(fold(name), [fold(k) for k in known], n=1, cutoff=alike)
    return f"did you mean {close[0]}?" if close else None


@dataclass(frozen=True, slots=True)
class Relation:
    """One FROM item: its alias, its plan, and its columns as the query may name them.

    Attributes:
        paths: of the fields of its structs, by the structs' names.
    """

    alias: str
    plan: Plan
    columns: tuple[tuple[str, Column], ...]
    folded: str = field(init=False, repr=False)
    by_name: Mapping[str, tuple[Column, ...]] = field(init=False, repr=False)
    paths: Mapping[str, Sequence[str]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        found: dict[str, tuple[Column, ...]] = {}
        paths: dict[str, list[str]] = {}
        for name, column in self.columns:
            read = structs.meant(name)
            key = fold(read)
            found[key] = (*found.get(key, ()), column)
            for place in (i for i, letter in enumerate(read) if letter == structs.MARK):
                paths.setdefault(key[:place], []).append(read[place + 1 :])
        object.__setattr__(self, "folded", fold(self.alias))
        object.__setattr__(self, "by_name", found)
        object.__setattr__(self, "paths", paths)


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
        """Whether the name's qualifier, if it has one, is a table here, or a struct."""
        name = fold(node.table) if node.table else None
        known = name is None or any(r.folded == name for r in self.relations)
        return known or self.has_struct(node)

    def resolve(self, node: exp.Column) -> Column | None:
        """The column that a name means; None where there is none of that name.

        Raises:
            Rejected: DP203 where it means several, DP201 where its qualifier is unknown.
        """
        if self.is_mark(node):
            columns = [c for relation in self.relations for _, c in relation.columns]
            columns += self.replaced.values()
            return next((c for c in columns if c.id == int(node.name[1:])), None)
        if node.table and not self.knows(node):
            raise self.unknown(node)
        for table, name in _readings(node):
            found = self._found(table, name, node)
            if found is not None:
                return found
        return None

    def _found(self, table: str | None, name: str, node: exp.Column) -> Column | None:
        """The column of a name, of one table or of any."""
        found = [
            column
            for relation in self.relations
            if table is None or relation.folded == table
            for column in relation.by_name.get(name, ())
            if table is not None or column.id not in self.merged
        ]
        struct, part, _ = name.partition(structs.MARK)
        called = structs.shown(name) if part else node.name
        of = [r for r in self.relations if struct in r.paths or struct in r.by_name]
        if len(found) > 1 or (found and part and table is None and len(of) > 1):
            first = next(r.alias for r in self.relations if found[0] in [c for _, c in r.columns])
            alone = sum(any(c in found for _, c in r.columns) for r in self.relations) == 1
            alone = alone and len(found) > 1
            help = f"name them apart in {first}, with AS" if alone else f"write {first}.{called}"
            raise reject("DP203", f"{called} could be more than one column", node, help)
        if found and table is None:
            return self.replaced.get(found[0].id, found[0])
        return found[0] if found else None

    def fields(self, node: exp.Column) -> Sequence[str] | None:
        """The paths of the fields of a struct that a name means; None where it means none."""
        if self.is_mark(node) or (self.knows(node) and self.resolve(node) is not None):
            return None
        return next((paths for paths, _, rest in self._struct(node) if not rest), None)

    def called(self, node: exp.Expr) -> str:
        """A name for people: with its struct, if it has one."""
        if isinstance(node, exp.Column) and self.has_struct(node):
            return structs.shown(".".join(part.name for part in node.parts))
        return node.name

    def has_struct(self, node: exp.Column) -> bool:
        """Whether a name begins with that of a struct."""
        return any(True for _ in self._struct(node))

    def _struct(self, node: exp.Column) -> Iterator[tuple[Sequence[str], str, str]]:
        """The structs that the first parts of a name mean: their paths, the name, and the rest."""
        for table, name in _readings(node):
            cut = [i for i, letter in enumerate(name) if letter == structs.MARK]
            for place in (len(name), *reversed(cut)):
                for relation in self.relations:
                    paths = relation.paths.get(name[:place])
                    if paths is not None and table in (None, relation.folded):
                        yield paths, name[:place], name[place + 1 :]

    def unknown(self, node: exp.Column) -> Rejected:
        """The error for a name that means nothing."""
        for paths, whole, rest in self._struct(node):
            if not rest:
                every = [structs.MARK.join((whole, path)) for path in paths]
                return structs.used_whole(whole, every, node)
            first = [structs.head(path) for path in paths]
            field = structs.head(rest)
            near = suggestion(field, first) or "it has " + ", ".join(dict.fromkeys(first[:5]))
            message = f"the struct {structs.shown(whole)} has no field {field}"
            return reject("DP202", message, node, near)
        if node.args.get("db"):
            return reject("DP104", "qualify a column by its table's alias alone", node)
        if node.table and not self.knows(node):
            hint = suggestion(node.table, (r.alias for r in self.relations))
            return reject("DP201", f"no table {node.table} in this FROM", node, hint)
        known = [structs.shown(structs.meant(n)) for r in self.relations for n, _ in r.columns]
        written, struct = structs.shown(node.name), fold(structs.head(node.name))
        if written != node.name and any(struct in r.by_name for r in self.relations):
            return reject("DP205", f"{structs.head(node.name)} is no struct", node)
        help = suggestion(written, known) or (None if node.table else of_elsewhere(node.name))
        return reject("DP202", f"no column {written}", node, help)

    def star(self, table: str | None) -> list[tuple[str, Column]]:
        """The columns of `*` or `table.*`, in order."""
        return [
            (name, column if table is not None else self.replaced.get(column.id, column))
            for relation in self.relations
            if table is None or fold(relation.alias) == fold(table)
            for name, column in relation.columns
            if table is not None or column.id not in self.merged
        ]


def _readings(node: exp.Column) -> Iterator[tuple[str | None, str]]:
    """How a name may be read: a column of a table, then one of any, or a struct and its fields."""
    names = [fold(part.name) for part in node.parts]
    if len(names) > 1:
        yield names[0], structs.MARK.join(names[1:])
    yield None, structs.MARK.join(names)


def marked(column: Column, span: Span | None) -> exp.Column:
    """The name of a column that some other part of the text stands for."""
    node = exp.column(Scope.mark(column))
    if span is not None:
        set_span(node, span)
    return node
