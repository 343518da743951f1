"""Every accepted case on a server that speaks Spark Connect: its cells are as stable as is claimed,
as the server itself computes them, or the case is refused there by the name of what is missing.
"""

from __future__ import annotations

import os

import pytest

from dpsql.compile import ReleasedQuery
from tests.support import brute, grammar, on_spark
from tests.support.effort import ALL
from tests.support.far_cases import CASES, DATABASES, LEAST, PAIRS, PRINTED, missing, untaken
from tests.support.policies import load


@pytest.fixture(scope="module")
def stores(sail: str) -> dict[str, on_spark.FarStore]:
    spark = on_spark.session(sail)
    return {p: on_spark.FarStore(load(p).schema, spark) for p in {c.policy for c in PRINTED}}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.one_in(2)
def test_no_unit_moves_what_the_server_computes_by_more(
    case: grammar.Case, stores: dict[str, on_spark.FarStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled, store = grammar.compiled(case), stores[case.policy]
    if not isinstance(compiled.query, ReleasedQuery):
        pytest.skip("of public rows, which are here")
    if (what := missing(case, store)) is not None:
        pytest.skip(f"refused: {what}")
    monkeypatch.setattr(brute, "store", lambda policy: store)
    brute.check_neighbours(compiled, case.policy, DATABASES, PAIRS)


def test_most_cases_run_there(stores: dict[str, on_spark.FarStore]) -> None:
    lacking = [what for c in PRINTED if (what := missing(c, stores[c.policy])) is not None]
    least = LEAST if ALL else LEAST - 0.1  # of a sample
    assert len(lacking) <= (1 - least) * len(PRINTED), sorted(lacking)


def test_the_server_takes_all_that_is_said(stores: dict[str, on_spark.FarStore]) -> None:
    """Of Apache Spark a part is asked: it keeps what it analyses, some 3 MB a statement."""
    assert untaken(stores, CASES if os.environ.get("DPSQL_SPARK") else PRINTED) == []
