"""What the grammar tests check of every accepted case; the mutation tests run the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from unittest.mock import patch

from dpsql.platform.engine.deadline import Deadline
from dpsql.platform.engine.duckdb_catalog import DEFINITIONS
from dpsql.platform.engine.protocol import Engine
from dpsql.proven import PublicQuery
from tests.support import grammar
from tests.support.answers import check_answers, check_public, home
from tests.support.brute import EXAMPLES, check_neighbours, note_tightness
from tests.support.grammar import Case


def check_case(case: Case, *, run: bool = True) -> None:
    """Everything that must hold of an accepted case.

    Args:
        case: the case.
        run: whether it is also answered, by the public API.
    """
    compiled = grammar.compiled(case)
    if isinstance(compiled.query, PublicQuery):
        check_public(compiled, case.policy)
        return
    note_tightness(case.name, check_neighbours(compiled, case.policy, EXAMPLES))
    if run:
        check_answers(compiled, case.policy, compare=case.differs is None)


def find(name: str) -> Case:
    """The case of that name, in whichever file."""
    for path in sorted(grammar.FOLDER.glob("*.sql")):
        for case in grammar.read(path):
            if case.name == name:
                return case
    raise LookupError(name)


def noise_is_fresh(case: Case) -> None:
    """Noise differs from group to group and from answer to answer, and is not none.

    At ε = 1/1000 a count has noise of scale 1000: six equal draws happen once in 10^18 runs.
    """
    held = home(case.policy)
    released = [tuple(held.run(case.query, eps=0.001).rows) for _ in range(2)]
    numbers = [[row[-1] for row in rows] for rows in released]
    assert len(numbers[0]) >= 3
    assert len(set(numbers[0])) > 1, "every group has the same noise"
    assert numbers[0] != numbers[1], "a second answer has the same noise"


class _Watched:
    """An engine that tells what was spent when it was first asked for private rows."""

    def __init__(self, engine: Engine, spent: Callable[[], Fraction]) -> None:
        self._engine, self._spent = engine, spent
        self.spent_when_asked: list[Fraction] = []

    def __getattr__(self, name: str) -> object:
        return getattr(self._engine, name)

    @contextmanager
    def snapshot(self, deadline: Deadline | None = None) -> Iterator[_Watched]:
        with self._engine.snapshot(deadline) as inner:
            self._inner = inner
            yield self

    def rows(
        self,
        sql: str,
        parameters: Mapping[str, object] | None = None,
        kept: Sequence[str] = (),
    ) -> list[tuple[object, ...]]:
        if sql != DEFINITIONS:  # how tables are defined is no row of theirs
            self.spent_when_asked.append(self._spent())
        return self._inner.rows(sql, parameters, kept)

    def bind(self, sql: str) -> None:
        self._inner.bind(sql)

    def arrow(self, sql: str) -> object:
        return self._inner.arrow(sql)


def charged_first(case: Case) -> None:
    """The ledger is charged before the engine is asked for anything private."""
    held = home(case.policy)
    before = held.spent()
    watched = _Watched(held.session._engine, held.spent)
    held.session._analysis.kept.clear()
    with patch.object(held.session, "_engine", watched):
        held.session.run(case.query, eps=1)
    assert watched.spent_when_asked
    assert all(spent - before == 1 for spent in watched.spent_when_asked)
