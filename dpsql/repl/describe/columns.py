"""The columns of a table: what is public of each, and whether queries enforce it."""

from __future__ import annotations

from collections.abc import Iterator

from dpsql.policy.scalars import show
from dpsql.policy.schema import Column, Schema, Table
from dpsql.repl.describe.tables import kind, paths, unbroken
from dpsql.report.plaintext import aligned
from dpsql.types import Scalar
from dpsql.visible import one_line

WIDTH = 40
"""How much of a domain is shown."""

MEANINGS = {
    "(enforced)": "declared; queries clamp values, drop or limit rows to make it so",
    "(claimed)": "declared; if it is wrong, answers are wrong, but no less private",
    "(proven)": "true of the data: the database enforces it, or it was checked",
}
"""Of the marks."""


def table_text(schema: Schema, table: Table) -> str:
    """All that is public of a table."""
    head = [f"table  {table.name}, {kind(table)}"]
    if table.private:
        head.append(f"unit   {paths(schema, table)}")
        if table.owner is not None:
            whole = "each row leads to one (proven)"
            whole = whole if unbroken(schema, table) else "rows without one are left out"
            head.append(f"       {whole}")
    if table.key:
        head.append(f"key    {', '.join(table.key)}")
    if table.rows is not None:
        head.append(f"rows   {table.rows:,}, which is public")
    names = ["column", "type", "null", "known"]
    rows = [[c.name, _type(c), _null(c, table), "; ".join(_known(c, table))] for c in table.columns]
    body = list(aligned(names, rows))
    said = [*head, *(cell for row in rows for cell in row[2:])]
    used = [name for name in MEANINGS if any(name in text for text in said)]
    legend = [f"{name:<10}  {MEANINGS[name]}" for name in used]
    return "\n".join([*map(one_line, head), "", *body, *([""] if legend else []), *legend])


def _type(column: Column) -> str:
    """Its type; the labels of an ENUM are its values."""
    return "ENUM" if column.type.name == "ENUM" else str(column.type)


def _null(column: Column, table: Table) -> str:
    """Whether NULLs occur, where it is known."""
    if not column.nullable:
        return f"no{_mark(table, True)}"
    if column.declared_nullable is False:
        return "no (claimed)" if table.private else "no"
    return "yes" if column.declared_nullable else "maybe"


def _known(column: Column, table: Table) -> Iterator[str]:
    """Its bounds and its domain, where it leads, and how many rows share a value."""
    if column.bounds is not None:
        low, high = column.bounds
        yield f"{show(low)} to {show(high)}{_mark(table, column.bounds_proven)}"
    if column.values is not None:
        yield f"{_shortened(column.values)}{_mark(table, column.values_proven)}"
    if column.references is not None:
        yield f"→ {column.references.table}.{column.references.column}"
    if column.max_rows == 1:
        yield f"unique{_mark(table, column.max_rows_proven)}"
    elif column.max_rows is not None:
        yield f"at most {column.max_rows:,} rows each{_mark(table, column.max_rows_proven)}"
    if column.randomized is not None:
        coins = column.randomized
        yield f"randomized: truth {show(coins.truth)}, yes {show(coins.yes)}"


def _shortened(values: tuple[Scalar, ...]) -> str:
    """The first values, and how many there are."""
    text, shown = "", 0
    for value in values:
        more = f"{text}, {show(value)}" if text else show(value)
        if len(more) > WIDTH:
            break
        text, shown = more, shown + 1
    if shown == len(values):
        return text
    return f"{text}{', ' if text else ''}… of {len(values):,} values"


def _mark(table: Table, proven: bool) -> str:
    """Of what is public all is known."""
    if not table.private:
        return ""
    return " (proven)" if proven else " (enforced)"
