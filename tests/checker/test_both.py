"""Both proofs broken at once: statements that a mutant of the first one prints, shown to mutants of
the checker.

That each rule of the checker is needed is shown by hand in `test_rules`. Here are errors as they
may come: one in each proof, by people who know nothing of each other.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpsql.checker.certificate import certify
from dpsql.checker.facts import Claim, Facts
from dpsql.checker.proof import Refused, Step
from dpsql.errors import Rejected
from dpsql.execution import certify as certifying
from tests.checker.test_mutants import PRIVACY
from tests.checker.test_rules import RULES
from tests.support import grammar
from tests.support.checks import find
from tests.support.policies import load
from tests.support.second_proof import refusal

Leaks = list[tuple[str, Claim, Facts]]

REFUSED, MET, PAIRS = 88, 32, 148
"""Mutants of the first proof of which a statement is refused; rules of the checker of which some
rest on one alone; and all such pairs, of 88 times as many as there are rules: more only where there
are more mutants (5 pairs of those of one row more than a quota), or where a rule is asked more
often: that of the keys that tell rows apart, since it reads all of them (13 pairs); that of rows
without a match, since it tells which units are not over their quota (1 pair); and that of the rows
which one row meets, since what weighs a unit is joined to its own rows alone (1 pair).
"""


def leaks(monkeypatch: pytest.MonkeyPatch) -> Leaks:
    """What the checker refuses of mutants of the first proof, with their names."""
    found: Leaks = []
    for mutant, _, name in PRIVACY:
        case, here = find(name), mutant.__name__

        def noted(claim: Claim, facts: Facts, here: str = here) -> Step:
            try:
                return certify(claim, facts)
            except Refused:
                found.append((here, claim, facts))
                raise

        with monkeypatch.context() as patch:
            mutant(patch)
            patch.setattr(certifying, "certify", noted)
            try:
                compiled = grammar.compiled_anew(case)
            except Rejected:
                continue
            refusal(replace(compiled, policy=compiled.policy or load(case.policy).schema))
    return found


def follows(claim: Claim, facts: Facts) -> bool:
    """Whether the checker follows a claim."""
    try:
        return bool(certify(claim, facts).lines())
    except Refused:
        return False


@pytest.mark.deep
def test_few_errors_of_both_proofs_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    found = leaks(monkeypatch)
    assert len({name for name, _, _ in found}) >= REFUSED
    met: list[int] = []
    for mutant, _, _ in RULES:
        with monkeypatch.context() as patch:
            mutant(patch)
            through = {name for name, claim, facts in found if follows(claim, facts)}
        met += [len(through)] if through else []
    assert len(met) >= MET
    assert sum(met) <= PAIRS
