r"""What is public, and what can be called: `\d`, `\dt`, `\policy`, `\df`."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from dpsql.platform.policy.messages import did_you_mean
from dpsql.repl.command import Command, UsageError
from dpsql.repl.completion.vocabulary import AGGREGATES, SCALARS, WINDOWS
from dpsql.repl.schema_text import find, listing, policy_text, table_text
from dpsql.report.plaintext import aligned
from dpsql.visible import one_line

if TYPE_CHECKING:
    from dpsql.repl.shell import Shell

KINDS = {"aggregate": AGGREGATES, "window": WINDOWS, "scalar": SCALARS}


def _functions(shell: Shell, argument: str) -> None:
    pattern = argument.strip().rstrip("; ").removesuffix("()") or "*"
    rows = [
        [call, kind]
        for kind, calls in KINDS.items()
        for name, call in sorted(calls.items())
        if fnmatchcase(name, pattern.lower())
    ]
    if not rows:
        names = (name for calls in KINDS.values() for name in calls)
        problem = one_line(f"no function {pattern}{did_you_mean(pattern, names)}")
        raise UsageError(rf"{problem}; \df lists all, \df date* those that begin so")
    shell.write("\n".join(aligned(["function", "kind"], rows)))


def _describe(shell: Shell, argument: str) -> None:
    name = argument.strip().rstrip("; ")
    if not name:
        _tables(shell, "")
        return
    schema = shell.database.schema
    shell.write(table_text(schema, find(schema, name)))


def _tables(shell: Shell, argument: str) -> None:
    pattern = argument.strip().rstrip("; ").lower() or "*"
    schema = shell.database.schema
    found = [table for name, table in schema.tables.items() if fnmatchcase(name, pattern)]
    views = [view for name, view in schema.views.items() if fnmatchcase(name, pattern)]
    if not found and not views:
        raise UsageError(rf"no table {one_line(pattern)}; \d lists all")
    shell.write(listing(schema, found, views))


def _policy(shell: Shell, argument: str) -> None:
    if argument.strip().rstrip(";"):
        raise UsageError(r"\policy takes nothing; \d TABLE shows a table")
    db = shell.database
    shell.write(policy_text(db.schema, db.budget.account, db.verified))


COMMANDS = (
    Command(
        *(r"\d [TABLE]", "the tables, or what is public of one", _describe),
        words=lambda shell: tuple(shell.database.tables),
        alone=True,
    ),
    Command(
        *(r"\dt [PATTERN]", "the tables whose names are like ord*", _tables),
        words=lambda shell: tuple(shell.database.tables),
        alone=True,
    ),
    Command(r"\policy", "who is protected, and how much may be spent", _policy, alone=True),
    Command(
        *(r"\df [PATTERN]", "the functions, and how each is called", _functions),
        words=lambda _: sorted(name for calls in KINDS.values() for name in calls),
        alone=True,
    ),
)
