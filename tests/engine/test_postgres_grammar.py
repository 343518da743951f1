"""Every accepted case in PostgreSQL: its cells are as stable as is claimed, as the server itself
computes them, or the case is refused there by the name of what is missing.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dpsql.compile import ReleasedQuery
from dpsql.core.release.statements import statements
from dpsql.platform.engine.far.postgres import Postgres
from tests.support import brute, grammar
from tests.support.effort import ALL, sampled, tries
from tests.support.policies import load
from tests.support.postgres_store import PostgresStore
from tests.support.store import ANY, source

CASES = [c for c in grammar.every() if grammar.accepted(c) and sampled(c.name, 150, 5)]
LEAST = 0.85
"""The share of the accepted cases that PostgreSQL has to compute."""


@pytest.fixture(scope="module")
def stores(server: str) -> Iterator[dict[str, PostgresStore]]:
    postgres = Postgres(server.format("postgres"), "server", {})
    yield {p: PostgresStore(load(p).schema, postgres) for p in {c.policy for c in CASES}}
    postgres.close()


def missing(case: grammar.Case, store: PostgresStore) -> str | None:
    """What PostgreSQL has not for a case, or None; of public rows all is asked here."""
    query = grammar.compiled(case).query
    if not isinstance(query, ReleasedQuery):
        return None
    texts = [t for r in query.releases for t in statements(r, source(ANY)).every]
    return next((what for text in texts if (what := store.lacks(text)) is not None), None)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.one_in(2)
def test_no_unit_moves_what_the_server_computes_by_more(
    case: grammar.Case, stores: dict[str, PostgresStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled, store = grammar.compiled(case), stores[case.policy]
    if not isinstance(compiled.query, ReleasedQuery):
        pytest.skip("of public rows, which are here")
    if (what := missing(case, store)) is not None:
        pytest.skip(f"refused: {what}")
    monkeypatch.setattr(brute, "store", lambda policy: store)
    brute.check_neighbours(compiled, case.policy, tries(1, 8))


def test_most_cases_run_there(stores: dict[str, PostgresStore]) -> None:
    lacking = [what for c in CASES if (what := missing(c, stores[c.policy])) is not None]
    least = LEAST if ALL else LEAST - 0.1  # of a sample
    assert len(lacking) <= (1 - least) * len(CASES), sorted(lacking)
