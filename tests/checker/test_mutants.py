"""Of the mutants that break privacy, the checker alone refuses what they make."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpsql.compile import Compiled, ReleasedQuery, plain_source
from dpsql.core.release.statements import statements
from dpsql.errors import Rejected
from tests import test_mutations
from tests.support import grammar
from tests.support.checks import find
from tests.support.policies import load
from tests.support.second_proof import refusal

ESCAPES = {
    "no_domain_filter": "groups that nobody looks up are counted, too; none moves further",
    "types_stay": "whether a statement can fail is not proven",
}
"""Mutants that the checker does not refuse, and why."""

PRIVACY = [m for m in test_mutations.MUTANTS if m[1].__name__ == "neighbours"]


def made(compiled: Compiled) -> object:
    """What the checker is shown: statements and claims."""
    if not isinstance(compiled.query, ReleasedQuery):
        return None
    return [
        (statements(r, plain_source), [(m.sensitivity, m.family) for m in r.measures], r.picks)
        for r in compiled.query.releases
    ]


@pytest.mark.deep
def test_mutants_that_break_privacy_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    refused, followed = set[str](), set[str]()
    for mutant, _, name in PRIVACY:
        case = find(name)
        before = None if not grammar.accepted(case) else made(grammar.compiled_anew(case))
        with monkeypatch.context() as patch:
            mutant(patch)
            try:
                compiled = grammar.compiled_anew(case)
            except Rejected:
                continue
            whole = replace(compiled, policy=compiled.policy or load(case.policy).schema)
            if refusal(whole) is not None:
                refused.add(mutant.__name__)
            elif made(compiled) != before:  # else it is in what runs the statements
                followed.add(mutant.__name__)
    assert followed == set(ESCAPES)
    assert len(refused) >= 76
