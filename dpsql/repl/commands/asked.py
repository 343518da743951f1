"""Which query a command is about."""

from __future__ import annotations

from dpsql.explanation import Explanation
from dpsql.repl.command import Host, UsageError
from dpsql.repl.settings import Exact
from dpsql.repl.statements import apart


def query(host: Host, text: str, command: str) -> str:
    """The query that is written after a command, which is then the last one; else the last one.

    Raises:
        UsageError: there is none.
    """
    written = text.strip().rstrip("; \t\r\n")
    if written:
        host.query = written
    if host.query is None:
        raise UsageError(f"no query yet: type one, or write {command} SELECT …")
    return host.query


def explained(host: Host, sql: str) -> Explanation:
    """What it would release and cost at the settings, and at the ε of a comment above it, if there
    is one; free, and nothing is read.

    Raises:
        DpsqlError: what `Database.explain` raises.
    """
    return host.database.explain(*_at(host, sql), **host.settings.wishes)


def is_stored(host: Host, sql: str) -> bool:
    """Whether its answer is stored; see `Database.stored`."""
    return host.database.stored(*_at(host, sql), **host.settings.wishes)


def _at(host: Host, sql: str) -> tuple[str, Exact, Exact | None]:
    """Its text, its ε and its δ."""
    chosen = host.settings
    own, query = apart(sql, chosen.dialect)
    return query, chosen.eps if own is None else own, chosen.delta
