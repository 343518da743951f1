"""The types of the columns that a query of another dialect names, for the rules that hang on them:
whether 7 / x is cut off to a whole number is decided by the type of x.

Only what is sure is noted: a column of the FROM list of the SELECT around it, or one of a query
farther out that says whose it is; of a declared table, or of a query in FROM or WITH whose own
column is of a type that is sure; or, outside of the SELECT list and WHERE, an alias, where no
column has its name. A name that could be an alias or a column, or that could be of rows of which
not all is known, is left without a note.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from sqlglot import exp

from dpsql.errors import Rejected
from dpsql.front.parse import Tables, reject
from dpsql.front.scope import fold, suggestion
from dpsql.types import Type

_NOTED = "dpsql_type"
_ABSENT = "dpsql_absent"

Columns = Mapping[str, Type | None]
"""The columns of some rows, each with its type; None for one that could be of any."""

Rows = Mapping[str, Columns | None]
"""What rows are called, and their columns; None where those are not all known."""

Kind = Callable[[exp.Expr], Type | None]
"""The type of an expression whose columns are noted, or None."""


def type_of(node: exp.Expr) -> Type | None:
    """The type of a column, as far as it was noted."""
    found = node.meta.get(_NOTED)
    return found if isinstance(found, Type) else None


def absent(node: exp.Expr) -> Rejected | None:
    """What is to blame for a type that is not sure: a column that there is not."""
    for column in node.find_all(exp.Column):
        known = column.meta.get(_ABSENT)
        if known is not None:
            hint = suggestion(column.name, known)
            return reject("DP202", f"no column {column.name}", column, hint)
    return None


def note(tree: exp.Query, tables: Tables, kind: Kind) -> None:
    """Note the types of columns in their nodes."""
    _Notes(tables, kind).query(tree, {}, {})


class _Notes:
    def __init__(self, tables: Tables, kind: Kind) -> None:
        self.tables, self.kind = tables, kind

    def query(self, node: exp.Expr, outer: Rows, around: Rows) -> Columns | None:
        """Note what is in a query; its columns, or None where their names are not all known.

        Args:
            outer: the queries that WITH names around it.
            around: the rows of the queries that it is correlated with, by what they are called.
        """
        queries = dict(outer)
        clause = node.args.get("with_") or exp.With(expressions=[])
        for cte in clause.expressions:
            if clause.args.get("recursive"):
                queries[fold(cte.alias)] = None
            queries[fold(cte.alias)] = _named(self.query(cte.this, queries, around), cte)
        if isinstance(node, exp.Select):
            return self._select(node, queries, around)
        if isinstance(node, exp.SetOperation):
            sides = (node.this, node.expression)
            left, right = (self.query(side, queries, around) for side in sides)
            self._inside(node, queries, around, but=sides)
            return None if left is None or right is None else _both(left, right)
        if isinstance(node, exp.Subquery):
            return self.query(node.this, queries, around)
        self._inside(node, queries, around)
        return None

    def _select(self, select: exp.Select, queries: Rows, around: Rows) -> Columns | None:
        sources = list(_sources(select))
        here: dict[str, Columns | None] = {}
        for source in sources:
            seen = {**around, **here} if isinstance(source, exp.Lateral) else around
            here[fold(source.alias_or_name)] = self._rows(source, queries, seen)
        if len(here) < len(sources):
            here = dict.fromkeys(here)
        every = {**around, **here}
        self._inside(select, queries, every, but=sources)
        items = [i for i in select.expressions if isinstance(i, exp.Alias)]
        parts = list(select.iter_expressions())
        parts.sort(key=lambda part: part.arg_key not in _OF_ROWS)  # that aliases are of known types
        for part in parts:
            for column in _own(part):
                name = fold(column.name)
                rows = [every.get(fold(column.table))] if column.table else here.values()
                if fold(column.table) not in here and _types(here.values(), fold(column.table)):
                    rows = [None] if column.table else rows  # the field of a struct
                found = _types(rows, name)
                alias = [i.this for i in items if fold(i.alias) == name]
                if alias and not column.table and part.arg_key not in _OF_ROWS:
                    found = set() if found else {self.kind(value) for value in alias}
                if len(found) == 1:
                    column.meta[_NOTED] = found.pop()
                of = rows if column.table else list(every.values())
                if not alias and not _types(of, name):
                    column.meta[_ABSENT] = [n for of_row in of for n in of_row or ()]
        return self._columns(select, here)

    def _inside(
        self,
        node: exp.Expr,
        queries: Rows,
        around: Rows,
        but: Iterable[exp.Expr] = (),
    ) -> None:
        """Note what is in the queries that stand in the expressions of a query."""
        seen = {id(source) for source in but}
        stack = [part for part in node.iter_expressions() if not isinstance(part, exp.With)]
        while stack:
            part = stack.pop()
            if id(part) in seen:
                continue
            if isinstance(part, exp.Select | exp.SetOperation):
                self.query(part, queries, around)
            else:
                stack.extend(part.iter_expressions())

    def _rows(self, source: exp.Expr, queries: Rows, around: Rows) -> Columns | None:
        """The columns of what stands in FROM."""
        if isinstance(source, exp.Subquery | exp.Lateral):
            return _named(self.query(source.this, queries, around), source)
        if isinstance(source, exp.Select | exp.SetOperation):  # Spark's FROM FROM t
            return self.query(source, queries, around)
        if isinstance(source, exp.Values):
            return self._constants(source, source.args.get("alias"))
        if not isinstance(source, exp.Table):
            self._inside(source, queries, around)
            return None
        path = ".".join(fold(part.name) for part in source.parts)
        if path in queries:
            return _named(queries[path], source)
        alias = source.args.get("alias")
        if isinstance(alias, exp.TableAlias) and alias.args.get("columns"):
            return None  # in which order a table has its columns is not known here
        return _named(self.tables.get(path), source)

    def _constants(self, values: exp.Values, alias: exp.Expr | None) -> Columns | None:
        """The columns of VALUES, and the types of their constants."""
        names = alias.args.get("columns") if isinstance(alias, exp.TableAlias) else None
        rows = [row.expressions for row in values.expressions]
        if not names or {len(row) for row in rows} != {len(names)}:
            return None
        found: dict[str, Type | None] = {}
        for name, cells in zip(names, zip(*rows, strict=True), strict=True):
            types = {self.kind(cell) for cell in cells if not isinstance(cell, exp.Null)}
            found[fold(name.name)] = types.pop() if len(types) == 1 else None
        return found

    def _columns(self, select: exp.Select, here: Rows) -> dict[str, Type | None] | None:
        """What a SELECT gives its columns for names and types."""
        found: dict[str, Type | None] = {}
        for item in select.expressions:
            if item.is_star:
                stars = here.values() if isinstance(item, exp.Star) else [here.get(_table(item))]
                if any(rows is None for rows in stars):
                    return None
                pairs = [pair for rows in stars if rows is not None for pair in rows.items()]
                pairs = self._changed(item, pairs)
            else:
                pairs = [(fold(item.alias_or_name), self.kind(item.unalias()))]
            for name, type_ in pairs:
                if name in found:  # a place of its own, for names that are given anew
                    found[f"{name} {len(found)}"] = type_
                found[name] = type_ if found.get(name, type_) == type_ else None
        return found

    def _changed(
        self, item: exp.Expr, pairs: list[tuple[str, Type | None]]
    ) -> list[tuple[str, Type | None]]:
        """The columns of a star, without those that it leaves out."""
        star = item if isinstance(item, exp.Star) else item.this
        dropped = {fold(column.name) for column in star.args.get("except_") or []}
        anew = {fold(i.alias): self.kind(i.this) for i in star.args.get("replace") or []}
        return [(name, anew.get(name, type_)) for name, type_ in pairs if name not in dropped]


def _table(item: exp.Expr) -> str:
    return fold(item.table) if isinstance(item, exp.Column) else ""


def _named(columns: Columns | None, source: exp.Expr) -> Columns | None:
    """The columns, by the names that are given to them anew, if there are any."""
    alias = source.args.get("alias")
    names = alias.args.get("columns") if isinstance(alias, exp.TableAlias) else None
    changed = any(source.args.get(part) for part in ("pivots", "laterals"))
    if columns is None or changed or not names:
        return None if changed else columns
    if len(names) != len(columns):
        return None
    return dict(zip((fold(name.name) for name in names), columns.values(), strict=True))


def _both(left: Columns, right: Columns) -> Columns | None:
    """What UNION and its like make of two, by their places."""
    if len(left) != len(right):
        return None
    pairs = zip(left.items(), right.values(), strict=True)
    return {name: kind if kind == other else None for (name, kind), other in pairs}


def _types(rows: Iterable[Columns | None], name: str) -> set[Type | None]:
    """The types of the columns of that name, with None where a column could be of any."""
    return {None if r is None else r[name] for r in rows if r is None or name in r}


_OF_ROWS = ("expressions", "where")
"""Where a name is a column, if there is one, and an alias only else."""


def _sources(node: exp.Expr) -> Iterator[exp.Expr]:
    """What stands in FROM, also in joins inside of joins, in parentheses or not."""
    for clause in (node.args.get("from_"), *(node.args.get("joins") or [])):
        if clause is None:
            continue
        item = clause.this
        while (
            isinstance(item, exp.Subquery) and isinstance(item.this, exp.Table) and not item.alias
        ):
            yield from _sources(item)
            item = item.this
        yield item
        if not isinstance(item, exp.Select | exp.SetOperation):  # Spark's FROM FROM t: its own
            yield from _sources(item)


def _own(part: exp.Expr) -> Iterable[exp.Column]:
    """The columns in a part of a SELECT, but not in queries inside it."""
    stack = [part]
    while stack:
        node = stack.pop()
        if isinstance(node, exp.Column):
            yield node
        elif not isinstance(node, exp.Query):
            stack.extend(node.iter_expressions())
        elif isinstance(node, exp.Subquery):  # a join in parentheses, or before one
            stack.extend(node.args.get("joins") or ())
            stack.extend([node.this] if isinstance(node.this, exp.Table) else ())
