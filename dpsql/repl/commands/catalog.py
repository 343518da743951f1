r"""What is public, and what can be called: `\d`, `\dt`, `\policy`, `\df`."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from dpsql.platform.policy.messages import did_you_mean
from dpsql.repl.command import Command, Host, UsageError
from dpsql.repl.completion.vocabulary import AGGREGATES, SCALARS, WINDOWS
from dpsql.repl.schema_text import find, listing, policy_text, table_text
from dpsql.report.plaintext import aligned
from dpsql.visible import one_line

KINDS = {"aggregate": AGGREGATES, "window": WINDOWS, "scalar": SCALARS}


def functions_text(pattern: str) -> str:
    """Those whose names are like a pattern with * and ?, in lines.

    Raises:
        LookupError: there is none; the text is a message.
    """
    rows = [
        [call, kind]
        for kind, calls in KINDS.items()
        for name, call in sorted(calls.items())
        if fnmatchcase(name, pattern.lower())
    ]
    if not rows:
        names = (name for calls in KINDS.values() for name in calls)
        raise LookupError(one_line(f"no function {pattern}{did_you_mean(pattern, names)}"))
    return "\n".join(aligned(["function", "kind"], rows))


def function_names() -> tuple[str, ...]:
    """All of them."""
    return tuple(sorted(name for calls in KINDS.values() for name in calls))


def _functions(host: Host, argument: str) -> None:
    pattern = argument.strip().rstrip("; ").removesuffix("()") or "*"
    try:
        text = functions_text(pattern)
    except LookupError as unknown:
        raise UsageError(rf"{unknown}; \df lists all, \df date* those that begin so") from None
    host.write(text)


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
    Command(
        r"\df",
        r"\df [PATTERN]",
        "the functions, and how each is called",
        _functions,
        lambda _: function_names(),
        alone=True,
    ),
)
