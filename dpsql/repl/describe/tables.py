"""The tables of a policy: what kind they are, and how their rows lead to the unit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dpsql.policy.messages import did_you_mean
from dpsql.policy.schema import Schema, Table
from dpsql.report.plaintext import aligned
from dpsql.visible import one_line


def listing(schema: Schema, tables: Iterable[Table]) -> str:
    """Some tables, in lines."""
    rows = [
        [table.name, kind(table), str(len(table.columns)), paths(schema, table)] for table in tables
    ]
    return "\n".join(aligned(["table", "kind", "columns", "unit"], rows))


def find(schema: Schema, name: str) -> Table:
    """The table that somebody means, whatever the case; in quotes or not.

    Raises:
        LookupError: there is none; the text is a message.
    """
    quoted = len(name) > 1 and name[0] == name[-1] == '"'
    plain = name[1:-1].replace('""', '"') if quoted else name
    found = schema.table(plain)
    if found is None:
        names = (table.name for table in schema.tables.values())
        raise LookupError(one_line(f"no table {plain}{did_you_mean(plain, names)}"))
    return found


def kind(table: Table) -> str:
    """Private or public."""
    return "private" if table.private else "public"


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
