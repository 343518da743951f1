"""An engine that computes a WITH query as often as it is read is asked otherwise: for the same
cells, which both proofs follow.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpsql.compile import ReleasedQuery, plain_source
from dpsql.core.emit.plans import Rereading
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

OTHERWISE = Rereading(plain_source)


def _differs(case: grammar.Case) -> bool:
    if load(case.policy).verified or not grammar.accepted(case):
        return False
    query = grammar.compiled(case).query
    return isinstance(query, ReleasedQuery) and any(
        statements(release, plain_source) != statements(release, OTHERWISE)
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


CASES = [case for case in grammar.every() if _differs(case)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.one_in(16)
def test_the_same_cells_are_found(case: grammar.Case) -> None:
    loaded, compiled = load(case.policy), grammar.compiled(case)
    usual, otherwise = Store(loaded.schema), Store(loaded.schema)
    otherwise.rereads = True
    one, other = (Measured(compiled, store) for store in (usual, otherwise))

    def check(database: Database) -> None:
        found, _ = worlds(database, loaded)
        for store in (usual, otherwise):
            store.fill(found)
        seen = [measured.see_all(len(found)) for measured in (one, other)]
        assert _shown(seen[0]) == _shown(seen[1])

    repeat(databases(loaded, compiled.text, BROKEN), check, tries(4, 30))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.one_in(16)
def test_the_other_form_is_proven(case: grammar.Case) -> None:
    compiled = grammar.compiled(case)
    assert isinstance(compiled.query, ReleasedQuery)
    texts = [statements(release, OTHERWISE) for release in compiled.query.releases]
    assert proofs(compiled, texts, OTHERWISE)


def test_each_step_is_read_once() -> None:
    """Or the engine would compute it as often."""
    for case in CASES[::20]:
        query = grammar.compiled(case).query
        assert isinstance(query, ReleasedQuery)
        for release in query.releases:
            for text in statements(release, OTHERWISE).every:
                for name in ("cells", "pairs", "totals", "placed", "cut", "ranked"):
                    assert text.count(f"FROM {name}") + text.count(f'FROM "{name}"') <= 1
