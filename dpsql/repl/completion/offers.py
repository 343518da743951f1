"""What can be named where a table, an expression or a constant is expected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from dpsql.core.schema import Column, Schema
from dpsql.front.scope import fold
from dpsql.repl.completion.from_items import FromItem, NamedColumn, SelectScope
from dpsql.repl.completion.proposal import Proposal
from dpsql.repl.completion.spelling import escaped, literal, quoted
from dpsql.repl.lexer import Token
from dpsql.report.policies.policy_words import kind_name
from dpsql.types import Scalar, Type


def tables(schema: Schema | None, block: SelectScope) -> Iterator[Proposal]:
    """The queries of WITH, and the declared tables and views."""
    for relation in block.ctes.values():
        yield Proposal(quoted(relation.name), relation.name, "WITH")
    for table in () if schema is None else schema.tables.values():
        kind = "private" if table.private else "public"
        yield Proposal(_full(table.name), table.name, f"{kind}, {len(table.columns)} columns")
    for view in () if schema is None else schema.views.values():
        yield Proposal(_full(view.name), view.name, "view")


def _full(name: str) -> str:
    """A name of one to three parts, which have no points in them."""
    return ".".join(map(quoted, name.split(".")))


def scoped(block: SelectScope) -> Iterator[Proposal]:
    """The columns in scope, the nearest first, and the names that qualify them."""
    taken: set[str] = set()
    for scope in block.scopes():
        names = [fold(c.name) for r in scope.relations for c in r.columns]
        for relation in scope.relations:
            for column in relation.columns:
                folded = fold(column.name)
                twice = names.count(folded) > 1 or folded in taken
                prefix = f"{quoted(relation.name)}." if twice and relation.name else ""
                yield Proposal(prefix + quoted(column.name), column.name, about(column, relation))
        taken.update(names)
    for scope in block.scopes():
        for relation in scope.relations:
            if relation.name:
                kind = "" if relation.table is None else f"{relation.table.name}'s columns"
                yield Proposal(f"{quoted(relation.name)}.", relation.name, kind)


def anywhere(schema: Schema | None) -> Iterator[Proposal]:
    """The columns of every table, for a SELECT whose FROM is still to come."""
    for table in () if schema is None else schema.tables.values():
        for column in table.columns:
            yield Proposal(quoted(column.name), column.name, f"{table.name}: {facts(column)}")


def qualified(relation: FromItem) -> Iterator[Proposal]:
    """The columns of one table, behind its name and a dot."""
    for column in relation.columns:
        yield Proposal(quoted(column.name), column.name, about(column, relation))


def outputs(block: SelectScope) -> Iterator[Proposal]:
    """The columns that the select list names, for GROUP BY and ORDER BY."""
    for named in block.outputs():
        yield Proposal(quoted(named.name), named.name, "of this SELECT")


def about(named: NamedColumn, relation: FromItem) -> str:
    """A column's type and what is known of its values."""
    column = named.column
    place = relation.name or "query"
    return place if column is None else f"{place}: {facts(column)}"


def facts(column: Column) -> str:
    """A column's type, with its bounds or its values."""
    kind = kind_name(column)
    if column.values is not None:
        several = len(column.values) > 6
        some = column.values[:5] if several else column.values
        listed = ", ".join(literal(v, column.type) for v in some)
        return f"{kind} {listed}{', …' if several else ''}"
    if column.bounds is not None:
        low, high = (f"{float(b):,g}" if isinstance(b, Fraction) else b for b in column.bounds)
        return f"{kind} [{low}, {high}]"
    return kind


_EQUALITIES = {"=", "==", "<>", "!="}


def compared(before: Sequence[Token], block: SelectScope) -> NamedColumn | None:
    """The column that is compared with what comes after the tokens; None for none."""
    last = len(before) - 1
    if last < 0:
        return None
    token = before[last]
    if token.text in _EQUALITIES:
        return _reference(before, last - 1, block)
    if token.word == "WHEN":
        return _subject(before, last, block)
    if token.word == "FROM" and last > 1 and before[last - 1].word == "DISTINCT":
        start = last - 3 if before[last - 2].word == "NOT" else last - 2
        return _reference(before, start - 1, block) if before[start].word == "IS" else None
    while last >= 0 and (before[last].kind in ("string", "number") or before[last].text == ","):
        last -= 1
    if last < 1 or before[last].text != "(" or before[last - 1].word != "IN":
        return None
    skip = 3 if last > 1 and before[last - 2].word == "NOT" else 2
    return _reference(before, last - skip, block)


def _subject(before: Sequence[Token], last: int, block: SelectScope) -> NamedColumn | None:
    """The column after the CASE to which a WHEN belongs."""
    depth = 0
    for index in range(last - 1, -1, -1):
        word = before[index].word
        depth += word == "END"
        if word == "CASE" and depth:
            depth -= 1
        elif word == "CASE":
            end = index + (3 if index + 2 < last and before[index + 2].text == "." else 1)
            whole = end < last and before[end + 1].word == "WHEN"
            return _reference(before, end, block) if whole else None
    return None


def _reference(before: Sequence[Token], end: int, block: SelectScope) -> NamedColumn | None:
    """The column that is named by the tokens that end there."""
    if end < 0 or not before[end].is_name:
        return None
    qualified = end > 1 and before[end - 1].text == "." and before[end - 2].is_name
    return block.named(before[end].name, before[end - 2].name if qualified else None)


def constants(named: NamedColumn) -> Iterator[Proposal]:
    """The values as constants."""
    for value in _values(named):
        kind = named.column.type if named.column is not None else Type("VARCHAR")
        yield Proposal(literal(value, kind), meta=f"a value of {named.name}")


def strings(named: NamedColumn, closed: bool) -> Iterator[Proposal]:
    """The values behind a quote that was typed, with the quote that ends them if it is missing."""
    for value in _values(named):
        if not isinstance(value, bool | int):
            text = escaped(str(value))
            yield Proposal(text if closed else f"{text}'", str(value), f"a value of {named.name}")


def _values(named: NamedColumn) -> tuple[Scalar, ...]:
    """What the policy makes public of a column's values; never what a table holds."""
    column = named.column
    if column is None:
        return ()
    if column.values is not None:
        return column.values
    return (True, False) if column.type.is_boolean else column.type.values or ()
