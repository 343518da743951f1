"""What is public of a policy and its tables, in words: functions of a schema alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta

from dpsql.core.account.account import OTHERS, Account
from dpsql.core.schema import Schema, Table, View
from dpsql.platform.policy.messages import did_you_mean
from dpsql.repl.command import UsageError
from dpsql.report.plaintext import aligned, pairs
from dpsql.report.policies.policy_words import (
    MEANINGS,
    enforced,
    kind,
    kind_name,
    known,
    null,
    paths,
    unbroken,
    unit,
)
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
        [c.name, kind_name(c), null(c, table), "; ".join(known(c, table))] for c in table.columns
    ]
    body = list(aligned(names, rows))
    said = [*head, *(cell for row in rows for cell in row[2:])]
    used = [name for name in MEANINGS if any(name in text for text in said)]
    legend = [f"{name:<10}  {MEANINGS[name]}" for name in used]
    return "\n".join([*map(one_line, head), "", *body, *([""] if legend else []), *legend])


SHOWN = 5
"""Of the columns of which something is not proven."""

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
    left = list(enforced(schema))
    if verified and left:
        more = "" if len(left) <= SHOWN else f" and {len(left) - SHOWN} more"
        yield (
            "verified",
            f"in part: queries enforce what is said of {', '.join(left[:SHOWN])}{more}",
        )
    else:
        told = "yes: its claims are proven" if verified else "no: queries enforce its claims"
        yield "verified", told


def _renews(window: timedelta) -> str:
    """In days, or in hours."""
    hours = window // timedelta(hours=1)
    count, name = (hours, "hour") if hours % 24 else (hours // 24, "day")
    return f"every {name}" if count == 1 else f"every {count:,} {name}s"
