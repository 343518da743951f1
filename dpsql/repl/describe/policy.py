"""What a policy says of the whole database."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from dpsql.accounting.account import OTHERS, Account, Cap
from dpsql.policy.schema import Schema
from dpsql.repl.describe.tables import unit
from dpsql.report.plaintext import pairs

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
    yield "renews", "never" if account.window is None else f"every {_length(account.window)}"
    for cap in account.caps:
        yield "cap", f"{_whose(cap)}: {cap.most}"
    if not account.caps:
        yield "caps", "none: whoever asks may spend all that is left"
    if schema.min_units > 1:
        yield "min units", f"{schema.min_units:,} in each group whose key is private"
    for name, private in (("private", True), ("public", False)):
        found = [table.name for table in schema.tables.values() if table.private is private]
        if found:
            yield name, ", ".join(found)
    yield "verified", "yes: its claims are proven" if verified else "no: queries enforce its claims"


def _whose(cap: Cap) -> str:
    if cap.members:
        return f"{cap.name} ({', '.join(sorted(cap.members))}) together"
    return "each other analyst" if cap.name == OTHERS else cap.name


def _length(window: timedelta) -> str:
    """In days, or in hours."""
    hours = window // timedelta(hours=1)
    count, name = (hours, "hour") if hours % 24 else (hours // 24, "day")
    return name if count == 1 else f"{count:,} {name}s"
