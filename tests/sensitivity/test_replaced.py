"""Every accepted case with units that are replaced: drawn neighbours are not farther apart than is
claimed, and the checker proves the claims."""

from __future__ import annotations

from contextlib import suppress

import pytest

from dpsql.audit.observed_claims import Observer
from dpsql.audit.search import Search
from dpsql.compile import ReleasedQuery, compile_query
from dpsql.core.calibrate.options import Options, usual_delta
from tests.support import grammar
from tests.support.effort import sampled, tries
from tests.support.grammar import Case
from tests.support.policies import Loaded, load
from tests.support.second_proof import refusal

CASES = [
    case
    for case in grammar.every()
    if case.golden[0] == "-- accept"
    and load(case.policy).policy.neighbours == "add_remove"
    and not load(case.policy).kinds  # of which units come and go
    and sampled(f"replaced {case.name}", 40, 8)
]


def _replaced(case: Case) -> list[Loaded]:
    """The case's policy with units that are replaced, and with a public number of them if that can
    be.
    """
    found = [load(f"{case.policy} replaced")]
    with suppress(ValueError):
        found.append(load(f"{case.policy} replaced counted"))
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.one_in(3)
def test_no_replaced_unit_moves_more_than_is_claimed(case: Case) -> None:
    for loaded in _replaced(case):
        schema = loaded.schema
        options = Options(delta=usual_delta(grammar.EPS, None, schema))
        made = compile_query(case.query, schema, grammar.EPS, options=options)
        assert refusal(made) is None
        assert isinstance(made.query, ReleasedQuery)
        if not made.query.releases:
            continue
        observer = Observer.of(made)
        found = Search(observer, schema, 1).run(tries(100, 600), lambda _: None)
        assert not found.failed
        bounds = [(c.name, c.what, c.bound) for c in observer.claims]
        assert found.broken is None, [*zip(bounds, found.observed, strict=True)]


def test_a_claim_that_is_not_doubled_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same, of the sensitivities of units that come and go."""
    from dpsql.core.release import bound

    monkeypatch.setattr(bound, "replace", bound.add_remove)
    loaded = load("shop replaced")
    text = "SELECT paid, COUNT(*) AS n FROM orders GROUP BY paid"
    made = compile_query(text, loaded.schema, grammar.EPS)
    assert refusal(made) is not None
    found = Search(Observer.of(made), loaded.schema, 1).run(600, lambda _: None)
    assert found.broken is not None
