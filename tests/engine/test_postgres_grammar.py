"""Every accepted case in PostgreSQL: its cells are as stable as is claimed, as the server itself
computes them, or the case is refused there by the name of what is missing.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dpsql.compile import ReleasedQuery
from dpsql.platform.engine.far.postgres import Postgres
from tests.support import brute, grammar
from tests.support.effort import ALL
from tests.support.far_cases import CASES, DATABASES, LEAST, PAIRS, PRINTED, missing, untaken
from tests.support.policies import load
from tests.support.postgres_store import PostgresStore


@pytest.fixture(scope="module")
def stores(server: str) -> Iterator[dict[str, PostgresStore]]:
    postgres = Postgres(server.format("postgres"), "server", {})
    yield {p: PostgresStore(load(p).schema, postgres) for p in {c.policy for c in PRINTED}}
    postgres.close()


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
    brute.check_neighbours(compiled, case.policy, DATABASES, PAIRS)


def test_most_cases_run_there(stores: dict[str, PostgresStore]) -> None:
    lacking = [what for c in PRINTED if (what := missing(c, stores[c.policy])) is not None]
    least = LEAST if ALL else LEAST - 0.1  # of a sample
    assert len(lacking) <= (1 - least) * len(PRINTED), sorted(lacking)


def test_the_server_takes_all_that_is_said(stores: dict[str, PostgresStore]) -> None:
    assert untaken(stores) == []
