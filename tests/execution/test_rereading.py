"""An engine that computes a WITH query as often as it is read is asked otherwise, and one that
keeps what it found: for the same cells, which both proofs follow.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpsql.compile import ReleasedQuery, plain_source
from dpsql.core.emit.plans import Keeping, Rereading, Source
from dpsql.core.release.statements import statements
from dpsql.execution.certify import proofs
from dpsql.execution.matching import Matches
from tests.support import grammar
from tests.support.brute import Measured, Seen, repeat
from tests.support.databases import BROKEN, Database, databases
from tests.support.effort import tries
from tests.support.neighbours import worlds
from tests.support.policies import load
from tests.support.store import Store

OTHERWISE: tuple[Source, ...] = (Rereading(plain_source), Keeping(plain_source))


def _differs(case: grammar.Case, otherwise: Source) -> bool:
    if load(case.policy).verified or not grammar.accepted(case):
        return False
    query = grammar.compiled(case).query
    return isinstance(query, ReleasedQuery) and any(
        statements(release, plain_source) != statements(release, otherwise)
        for release in query.releases
    )


def _shown(seen: list[list[Seen]]) -> list[object]:
    """What matches are is told by what is counted of them at each threshold."""
    found: list[object] = []
    for one in (one for world in seen for one in world):
        clips = {
            n: [c.at(t) for t in range(len(c.grid.thresholds))] if isinstance(c, Matches) else c
            for n, c in one.clips.items()
        }
        found.append(replace(one, clips=clips))  # type: ignore[arg-type]
    return found


CASES = [
    pytest.param(case, way, id=f"{type(way).__name__}-{case.name}")
    for case in grammar.every()
    for way in OTHERWISE
    if _differs(case, way)
]


@pytest.mark.parametrize(("case", "way"), CASES)
@pytest.mark.one_in(16)
def test_the_same_cells_are_found(case: grammar.Case, way: Source) -> None:
    loaded, compiled = load(case.policy), grammar.compiled(case)
    usual, otherwise = Store(loaded.schema), Store(loaded.schema)
    usual.told, otherwise.told = None, type(way)
    one, other = (Measured(compiled, store) for store in (usual, otherwise))

    def check(database: Database) -> None:
        found, _ = worlds(database, loaded)
        for store in (usual, otherwise):
            store.fill(found)
        seen = [measured.see_all(len(found)) for measured in (one, other)]
        assert _shown(seen[0]) == _shown(seen[1])

    repeat(databases(loaded, compiled.text, BROKEN), check, tries(4, 30))


@pytest.mark.parametrize(("case", "way"), CASES)
@pytest.mark.one_in(16)
def test_the_other_form_is_proven(case: grammar.Case, way: Source) -> None:
    compiled = grammar.compiled(case)
    assert isinstance(compiled.query, ReleasedQuery)
    texts = [statements(release, way) for release in compiled.query.releases]
    assert proofs(compiled, texts, way)


def test_each_step_is_read_once() -> None:
    """Or the engine would compute it as often."""
    (way, _) = OTHERWISE
    for case in [c for c in grammar.every() if _differs(c, way)][::20]:
        query = grammar.compiled(case).query
        assert isinstance(query, ReleasedQuery)
        for release in query.releases:
            for text in statements(release, way).every:
                for name in ("cells", "pairs", "totals", "placed", "cut", "ranked"):
                    assert text.count(f"FROM {name}") + text.count(f'FROM "{name}"') <= 1
