"""The search finds nothing in the whole language; and what is wrong with a rule, it finds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dpsql.audit.observed_claims import Observer
from dpsql.audit.search import Search, Searched
from dpsql.proven import PublicQuery
from tests.support import grammar
from tests.support.checks import find
from tests.support.effort import DAY
from tests.support.grammar import Case
from tests.support.policies import load
from tests.test_mutations import MUTANTS, neighbours

DATABASES = 600
"""How many are tried of each case, other ones each day."""

UNSEEN = {
    "rows_of_nobody": "rows of nobody are in both worlds",
    "values_of_nobody": "the same, of their values",
    "no_domain_filter": "rows of groups that are not shown are in none of the numbers",
    "null_row_forgotten": "the same, of rows without a match",
    "feeds_of_each_database": "a mutant of the tests' own reader",
    "groups_from_data": "the same",
}
"""Mutants that no pair of neighbours shows, and why."""

Patch = pytest.MonkeyPatch


def searched(case: Case, databases: int, seed: int) -> list[Searched]:
    """What is found: of a unit of each kind, where there are several."""
    made = grammar.compiled_anew(case)
    if isinstance(made.query, PublicQuery) or not made.query.releases:
        return []
    schema = load(case.policy).schema
    return [
        Search(Observer.of(made), own, seed).run(databases, lambda _: None)
        for own in (schema.kinds or (schema,))
    ]


@pytest.mark.deep
@pytest.mark.parametrize("path", grammar.paths(), ids=lambda path: path.stem)
def test_no_claim_of_the_language_is_broken(path: object) -> None:
    for case in grammar.every():
        if case.file == path.stem and grammar.accepted(case):  # type: ignore[attr-defined]
            for found in searched(case, DATABASES, DAY):
                assert found.broken is None, case.name
                assert not found.failed and not found.one_by_one, case.name


@pytest.mark.deep
@pytest.mark.parametrize(
    ("mutant", "name"),
    [
        (mutant, name)
        for mutant, check, name in MUTANTS
        if check is neighbours and mutant.__name__ not in UNSEEN
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_mutant_of_the_analysis_is_found(
    mutant: Callable[[Patch], None], name: str, monkeypatch: Patch
) -> None:
    mutant(monkeypatch)
    try:
        found = searched(find(name), 8000, 1)
    except AssertionError:  # whoever reads the cells sees it
        return
    assert any(one.broken is not None or one.failed for one in found)
