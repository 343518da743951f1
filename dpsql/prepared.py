"""Compiled queries, kept: whoever explains a query and then runs it pays for its analysis once.

What is kept is a function of the query's text, its dialect, ε and the schema, which does not
change while a database is open; nothing of the data is in it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from threading import Lock

from dpsql.certifying import certified
from dpsql.compile import Compiled, ReleasedQuery
from dpsql.engine.empty import Empty
from dpsql.errors import Diagnostic, Rejected, shallow
from dpsql.execution.binding import bind_statements
from dpsql.execution.identity import Identity, identities
from dpsql.explanation import Explanation
from dpsql.options import Options
from dpsql.sql.emit import Source
from dpsql.statements import Statements, statements

MAX_SQL = 1_000_000
"""Characters of all statements of a query: the engine needs seconds to bind that many."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A query ready to run.

    Attributes:
        compiled: what was proven.
        explanation: the same, for people.
        statements: for each release its SQL.
        identities: what each release is; computed when it is first asked for.
        bind: asks whether the engine will take the statements; once.
    """

    compiled: Compiled
    explanation: Explanation
    statements: tuple[Statements, ...]
    identities: Callable[[], tuple[Identity, ...]] = field(repr=False, compare=False)
    bind: Callable[[], None] = field(repr=False, compare=False)

    def printed(self) -> Prepared:
        """The same, for a run: with what is run after the charge printed, too, and all of it bound.

        Raises:
            Rejected: it is too deeply nested to be printed, or the engine does not take it.
        """
        shallow(self.bind, self.compiled.text)
        return self


def prepared(
    compiled: Compiled, explanation: Explanation, source: Source, empty: Empty
) -> Prepared:
    """The query with its statements printed, and proven once more from their text.

    Args:
        compiled: the query, accepted.
        explanation: the same, for people.
        source: how the engine's tables are written.
        empty: the same tables without rows.

    Raises:
        Rejected: they are too deeply nested to be printed, or too long; or the checker does not
            follow (DP601, a bug).
    """
    query = compiled.query
    if not isinstance(query, ReleasedQuery):
        return Prepared(compiled, explanation, (), tuple, lambda: None)
    texts = shallow(lambda: _printed(query, source), compiled.text)
    certified(compiled, texts, source)
    made = cache(lambda: identities(query, compiled.schema, texts))
    bind = cache(lambda: bind_statements(query, texts, source, empty))
    return Prepared(compiled, explanation, texts, made, bind)


def _printed(query: ReleasedQuery, source: Source) -> tuple[Statements, ...]:
    """The statements of each release, as long as they are not too long together."""
    found: list[Statements] = []
    letters = 0
    for release in query.releases:
        found.append(statements(release, source))
        letters += sum(map(len, found[-1].every))
        if letters > MAX_SQL:
            message = f"it becomes more than {MAX_SQL:,} characters of SQL"
            help = "ask for fewer columns, in several queries"
            raise Rejected(Diagnostic("DP103", message, None, help))
    return tuple(found)


Key = tuple[str, Fraction, str, Options]


class PreparedQueries:
    """The last queries that were prepared, by text, ε and dialect. Safe for threads."""

    def __init__(self, limit: int = 64) -> None:
        self._limit = limit
        self._kept: OrderedDict[Key, Prepared] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key, make: Callable[[], Prepared]) -> Prepared:
        """What is kept under `key`, or else what `make` makes; its errors are not kept."""
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found
        made = make()
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > self._limit:
                self._kept.popitem(last=False)
        return made

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._kept.clear()
