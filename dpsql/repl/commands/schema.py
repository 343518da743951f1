r"""What the policy makes public: `\d`, `\dt`, `\policy`."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from dpsql.repl.command import Command, Host, UsageError
from dpsql.repl.describe.columns import table_text
from dpsql.repl.describe.policy import policy_text
from dpsql.repl.describe.tables import find, listing
from dpsql.visible import one_line


def _describe(host: Host, argument: str) -> None:
    name = argument.strip().rstrip("; ")
    if not name:
        _tables(host, "")
        return
    schema = host.database.schema
    try:
        table = find(schema, name)
    except LookupError as unknown:
        raise UsageError(rf"{unknown}; \d lists all") from None
    host.write(table_text(schema, table))


def _tables(host: Host, argument: str) -> None:
    pattern = argument.strip().rstrip("; ").lower() or "*"
    schema = host.database.schema
    found = [table for name, table in schema.tables.items() if fnmatchcase(name, pattern)]
    if not found:
        raise UsageError(rf"no table {one_line(pattern)}; \d lists all")
    host.write(listing(schema, found))


def _policy(host: Host, argument: str) -> None:
    if argument.strip().rstrip(";"):
        raise UsageError(r"\policy takes nothing; \d TABLE shows a table")
    db = host.database
    host.write(policy_text(db.schema, db.budget.account, db.verified))


def _names(host: Host) -> Sequence[str]:
    return tuple(host.database.tables)


COMMANDS: tuple[Command, ...] = (
    Command(
        r"\d", r"\d [TABLE]", "the tables, or what is public of one", _describe, _names, alone=True
    ),
    Command(
        r"\dt",
        r"\dt [PATTERN]",
        "the tables whose names are like ord*",
        _tables,
        _names,
        alone=True,
    ),
    Command(
        r"\policy",
        r"\policy",
        "who is protected, and how much may be spent",
        _policy,
        alone=True,
    ),
)
