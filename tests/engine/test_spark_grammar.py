"""Every accepted case on a server that speaks Spark Connect: its cells are as stable as is claimed,
as the server itself computes them, or the case is refused there by the name of what is missing.
"""

from __future__ import annotations

import pytest

from dpsql.compile import ReleasedQuery
from dpsql.core.release.statements import statements
from tests.support import brute, grammar, on_spark
from tests.support.effort import sampled, tries
from tests.support.policies import load
from tests.support.store import ANY, source

CASES = [c for c in grammar.every() if grammar.accepted(c) and sampled(c.name, 150, 5)]


@pytest.fixture(scope="module")
def stores(sail: str) -> dict[str, on_spark.FarStore]:
    spark = on_spark.session(sail)
    return {p: on_spark.FarStore(load(p).schema, spark) for p in {c.policy for c in CASES}}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.one_in(2)
def test_no_unit_moves_what_the_server_computes_by_more(
    case: grammar.Case, stores: dict[str, on_spark.FarStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled = grammar.compiled(case)
    if not isinstance(compiled.query, ReleasedQuery):
        pytest.skip("of public rows, which are here")
    store = stores[case.policy]
    texts = [t for r in compiled.query.releases for t in statements(r, source(ANY)).every]
    missing = [what for text in texts if (what := store.lacks(text)) is not None]
    if missing:
        pytest.skip(f"refused: {missing[0]}")
    monkeypatch.setattr(brute, "store", lambda policy: store)
    brute.check_neighbours(compiled, case.policy, tries(1, 8))
