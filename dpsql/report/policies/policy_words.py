"""What is public of the tables of a policy, in words: functions of a schema alone."""

from __future__ import annotations

from collections.abc import Iterator

from dpsql.core.schema import Column, Schema, Table
from dpsql.platform.policy.scalars import show
from dpsql.types import Scalar
from dpsql.visible import one_line


def kind(table: Table) -> str:
    """Private or public."""
    return "private" if table.private else "public"


def kind_name(column: Column) -> str:
    """A column's type; the labels of an ENUM are its values."""
    return "ENUM" if column.type.name == "ENUM" else str(column.type)


def unit(schema: Schema) -> str:
    """Who is protected."""
    if schema.unit_column is None:
        return f"each row of {schema.unit_table}"
    return schema.unit


def paths(schema: Schema, table: Table) -> str:
    """The way from a table to its unit, or to that of each kind that it is of."""
    every = [(k, k.tables[table.name.lower()]) for k in schema.kinds] or [(schema, table)]
    return " and ".join(" → ".join(path(kind, found)) for kind, found in every if found.private)


def path(schema: Schema, table: Table) -> list[str]:
    """The columns from a table to the unit; none for a public table."""
    if not table.private:
        return []
    found = [f"{step.name}.{step.owner}" for step in _steps(schema, table) if step.owner]
    return found if found[-1:] == [unit(schema)] else [*found, unit(schema)]


def unbroken(schema: Schema, table: Table) -> bool:
    """Whether it is proven that each row leads to a unit, of each kind that it is of."""
    if schema.kinds:
        tables = [(kind, kind.tables[table.name.lower()]) for kind in schema.kinds]
        return all(unbroken(kind, found) for kind, found in tables if found.private)
    return all(step.owner is None or step.owner_proven for step in _steps(schema, table))


def _steps(schema: Schema, table: Table) -> Iterator[Table]:
    """The tables on the way to the unit, but for the unit's own where its column is not needed."""
    step: Table | None = table
    while step is not None:
        yield step
        reference = schema.next_owner(step)
        step = None if reference is None else schema.table(reference.table)


WIDTH = 40
"""How much of a domain is shown."""

MEANINGS = {
    "(enforced)": "declared; queries clamp values, drop or limit rows to make it so",
    "(claimed)": "declared; if it is wrong, answers are wrong, but no less private",
    "(proven)": "true of the data: the database enforces it, or it was checked",
}
"""Of the marks."""


def null(column: Column, table: Table) -> str:
    """Whether NULLs occur, where it is known."""
    if not column.nullable:
        return f"no{_mark(table, True)}"
    if column.declared_nullable is False:
        return "no (claimed)" if table.private else "no"
    return "yes" if column.declared_nullable else "maybe"


def known(column: Column, table: Table) -> Iterator[str]:
    """Its bounds and its domain, where it leads, and how many rows share a value."""
    if column.bounds is not None:
        low, high = column.bounds
        yield f"{show(low)} to {show(high)}{_mark(table, column.bounds_proven)}"
    if column.values is not None:
        yield f"{_shortened(column.values)}{_mark(table, column.values_proven)}"
    if table.lookup is not None and column.name == table.owner:
        found = table.lookup
        there = f"{found.table.name}.{found.owner}"
        yield f"{there} of the row with the same {', '.join(found.columns)}"
    elif column.references is not None:
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


def enforced(schema: Schema) -> Iterator[str]:
    """The columns of private tables of which not all is proven."""
    for table in schema.tables.values():
        for column in table.columns if table.private else ():
            proven = [
                column.bounds is None or column.bounds_proven,
                column.values is None or column.values_proven,
                column.max_rows is None or column.max_rows_proven,
                column.values is not None or not column.max_length_said or column.max_length_proven,
                column.declared_nullable is not False or not column.nullable,
                column.name != table.owner or unbroken(schema, table),
            ]
            if not all(proven):
                yield one_line(f"{table.name}.{column.name}")
