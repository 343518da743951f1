"""The accepted cases on servers that compute: which of them one has what it takes for."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Protocol

from dpsql.compile import ReleasedQuery
from dpsql.core.emit.plans import Source
from dpsql.core.release.statements import statements
from dpsql.core.schema import Schema
from tests.support import grammar
from tests.support.databases import Database
from tests.support.effort import ALL, FULL, PARTS, sampled, tries

ACCEPTED = [c for c in grammar.every() if grammar.accepted(c)]


def tried() -> list[grammar.Case]:
    """Those that a server computes, with `make test-engines` a part of them each day."""
    return [c for c in ACCEPTED if sampled(c.name, 150, 25, PARTS)]


CASES = tried()

PRINTED = ACCEPTED if ALL else CASES
"""Those that are written for a server, which is quick."""

DATABASES = int(os.environ.get("DPSQL_GRAMMAR_EXAMPLES", tries(1, 20)))
"""How many are drawn for a case."""

PAIRS = 2 if FULL else None
"""Of a database and a neighbour, where there are many databases: each takes a server a while."""

LEAST = 0.85
"""The share of the accepted cases that a server has to compute."""


class Lacking(Protocol):
    """Databases of which a server computes what is private."""

    @property
    def any(self) -> Source:
        """How tables are written."""

    @property
    def schema(self) -> Schema:
        """Of what tables they are."""

    def fill(self, worlds: Sequence[Database]) -> None:
        """Replace all contents."""

    def lacks(self, sql: str) -> str | None:
        """What the server's language has not of a statement."""

    def bind(self, sql: str) -> None:
        """Have the server look up the names of a statement, which fails where one is not there."""


def missing(case: grammar.Case, store: Lacking) -> str | None:
    """What a server has not for a case, or None; of public rows all is asked here."""
    return next((what for t in _texts(case, store) if (what := store.lacks(t)) is not None), None)


def untaken(
    stores: Mapping[str, Lacking], cases: Sequence[grammar.Case] = tuple(PRINTED)
) -> list[str]:
    """The cases of which a server does not take what its language says, with the reasons."""
    found: list[str] = []
    for policy, store in stores.items():
        store.fill([dict.fromkeys(store.schema.tables, ())])
        for case in cases:
            if case.policy == policy and missing(case, store) is None:
                for text in _texts(case, store):
                    try:
                        store.bind(text)
                    except Exception as error:
                        found.append(f"{case.name}: {str(error).splitlines()[0]}")
    return found


def _texts(case: grammar.Case, store: Lacking) -> list[str]:
    query = grammar.compiled(case).query
    if not isinstance(query, ReleasedQuery):
        return []
    return [text for r in query.releases for text in statements(r, store.any).every]
