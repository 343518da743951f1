"""What can be named where an expression or a table is expected."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from dpsql.policy.schema import Column, Schema, Table
from dpsql.repl.completion.candidate import Offer
from dpsql.repl.completion.naming import literal, quoted
from dpsql.repl.completion.relations import Block, Named, Relation
from dpsql.sql.scope import fold
from dpsql.types import Scalar


def tables(schema: Schema | None, block: Block) -> Iterator[Offer]:
    """The queries of WITH, and the declared tables."""
    for relation in block.ctes.values():
        yield Offer(quoted(relation.name), relation.name, "WITH")
    for table in () if schema is None else schema.tables.values():
        yield Offer(quoted(table.name), table.name, _table(table))


def _table(table: Table) -> str:
    kind = "private" if table.private else "public"
    return f"{kind}, {len(table.columns)} columns"


def scoped(block: Block) -> Iterator[Offer]:
    """The columns in scope, the nearest first, and the names that qualify them."""
    taken: set[str] = set()
    for scope in block.scopes():
        names = [fold(c.name) for r in scope.relations for c in r.columns]
        for relation in scope.relations:
            for column in relation.columns:
                folded = fold(column.name)
                twice = names.count(folded) > 1 or folded in taken
                prefix = f"{quoted(relation.name)}." if twice and relation.name else ""
                yield Offer(prefix + quoted(column.name), column.name, about(column, relation))
        taken.update(names)
    for scope in block.scopes():
        for relation in scope.relations:
            if relation.name:
                kind = "" if relation.table is None else f"{relation.table.name}'s columns"
                yield Offer(f"{quoted(relation.name)}.", relation.name, kind)


def anywhere(schema: Schema | None) -> Iterator[Offer]:
    """The columns of every table, for a SELECT whose FROM is still to come."""
    for table in () if schema is None else schema.tables.values():
        for column in table.columns:
            yield Offer(quoted(column.name), column.name, f"{table.name}: {facts(column)}")


def qualified(relation: Relation) -> Iterator[Offer]:
    """The columns of one table, behind its name and a dot."""
    for column in relation.columns:
        yield Offer(quoted(column.name), column.name, about(column, relation))


def outputs(block: Block) -> Iterator[Offer]:
    """The columns that the select list names, for GROUP BY and ORDER BY."""
    for named in block.outputs():
        yield Offer(quoted(named.name), named.name, "of this SELECT")


def about(named: Named, relation: Relation) -> str:
    """A column's type and what is known of its values."""
    column = named.column
    place = relation.name or "query"
    return place if column is None else f"{place}: {facts(column)}"


def facts(column: Column) -> str:
    """A column's type, with its bounds or its values."""
    kind = "ENUM" if column.type.name == "ENUM" else str(column.type)
    if column.values is not None:
        several = len(column.values) > 6
        some = column.values[:5] if several else column.values
        listed = ", ".join(literal(v, column.type) for v in some)
        return f"{kind} {listed}{', …' if several else ''}"
    if column.bounds is not None:
        low, high = (_shown(bound) for bound in column.bounds)
        return f"{kind} [{low}, {high}]"
    return kind


def _shown(bound: Scalar) -> str:
    return f"{float(bound):,g}" if isinstance(bound, Fraction) else str(bound)
