"""What is public of a policy and its tables, in words: functions of a schema alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta

from dpsql.core.account.account import OTHERS, Account
from dpsql.core.schema import Column, Schema, Table, View
from dpsql.platform.policy.messages import did_you_mean
from dpsql.platform.policy.scalars import show
from dpsql.repl.command import UsageError
from dpsql.report.plaintext import aligned, pairs
from dpsql.types import Scalar
from dpsql.visible import one_line


def listing(schema: Schema, tables: Iterable[Table], views: Iterable[View] = ()) -> str:
    """Some tables and views, in lines."""
    rows = [
        [table.name, kind(table), str(len(table.columns)), paths(schema, table)] for table in tables
    ]
    rows += [[view.name, "view", "", ""] for view in views]
    return "\n".join(aligned(["table", "kind", "columns", "unit"], rows))


def find(schema: Schema, name: str) -> Table:
    """The table that somebody means, whatever the case; in quotes or not.

    Raises:
        UsageError: there is none.
    """
    quoted = len(name) > 1 and name[0] == name[-1] == '"'
    plain = name[1:-1].replace('""', '"') if quoted else name
    found = schema.table(plain)
    if found is None:
        names = (table.name for table in schema.tables.values())
        problem = one_line(f"no table {plain}{did_you_mean(plain, names)}")
        raise UsageError(rf"{problem}; \d lists all")
    return found


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
    rows = [
        [c.name, kind_name(c), _null(c, table), "; ".join(_known(c, table))] for c in table.columns
    ]
    body = list(aligned(names, rows))
    said = [*head, *(cell for row in rows for cell in row[2:])]
    used = [name for name in MEANINGS if any(name in text for text in said)]
    legend = [f"{name:<10}  {MEANINGS[name]}" for name in used]
    return "\n".join([*map(one_line, head), "", *body, *([""] if legend else []), *legend])


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


NEIGHBOURS = {
    "add_remove": "one unit more or less, with all its rows",
    "replace": "the rows of one unit are others; how many units there are is public",
}
"""What cannot be told from answers."""


def policy_text(schema: Schema, account: Account, verified: bool) -> str:
    """Who is protected, how much may be spent and by whom, and what tables there are.

    Args:
        schema: what the analysis is told.
        account: of the budget.
        verified: whether a record of the owner's check is in force.
    """
    return "\n".join(pairs(list(_rows(schema, account, verified))))


def _rows(schema: Schema, account: Account, verified: bool) -> Iterator[tuple[str, str]]:
    yield "unit", unit(schema)
    yield "neighbours", f"{schema.neighbours}: {NEIGHBOURS[schema.neighbours]}"
    yield "budget", str(account.total)
    yield "accountant", account.accountant
    yield "renews", "never" if account.window is None else _renews(account.window)
    for cap in account.caps:
        who = "each other analyst" if cap.name == OTHERS else cap.name
        if cap.members:
            who = f"{cap.name} ({', '.join(sorted(cap.members))}) together"
        yield "cap", f"{who}: {cap.most}"
    if not account.caps:
        yield "caps", "none: whoever asks may spend all that is left"
    if schema.min_units > 1:
        yield "min units", f"{schema.min_units:,} in each group whose key is private"
    for name, private in (("private", True), ("public", False)):
        found = [table.name for table in schema.tables.values() if table.private is private]
        if found:
            yield name, ", ".join(found)
    yield "verified", "yes: its claims are proven" if verified else "no: queries enforce its claims"


def _renews(window: timedelta) -> str:
    """In days, or in hours."""
    hours = window // timedelta(hours=1)
    count, name = (hours, "hour") if hours % 24 else (hours // 24, "day")
    return f"every {name}" if count == 1 else f"every {count:,} {name}s"
