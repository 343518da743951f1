"""The accepted cases on servers that compute: which of them one has what it takes for."""

from __future__ import annotations

import os
from typing import Protocol

from dpsql.compile import ReleasedQuery
from dpsql.core.emit.plans import Source
from dpsql.core.release.statements import statements
from tests.support import grammar
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

    def lacks(self, sql: str) -> str | None:
        """What the server's language has not of a statement."""


def missing(case: grammar.Case, store: Lacking) -> str | None:
    """What a server has not for a case, or None; of public rows all is asked here."""
    query = grammar.compiled(case).query
    if not isinstance(query, ReleasedQuery):
        return None
    texts = [t for r in query.releases for t in statements(r, store.any).every]
    return next((what for text in texts if (what := store.lacks(text)) is not None), None)
