"""How it is said that a ledger is not what it was."""

from __future__ import annotations

from dpsql.errors import LedgerTampered

ELSEWHERE = "another ledger was charged for this data, under another name or place"
"""Where data were renamed or copied, and their ledger was not."""


def tampered(what: str) -> LedgerTampered:
    """The error that says what is wrong, and what the owner can do."""
    return LedgerTampered(
        f"the ledger is damaged: {what}; "
        "the owner may accept that: dpsql budget DATA acknowledge; refused"
    )
