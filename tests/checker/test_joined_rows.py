"""How many rows of a join have the same values, where some are NULL."""

from __future__ import annotations

from dpsql.checker.joins import _per
from dpsql.checker.proof import Step
from dpsql.checker.relation import Relation


def test_a_set_that_counts_nulls_keeps_its_own_bound() -> None:
    """Rows with b and a NULL in d are bounded by what is known of NULLs alone: that a stands for b,
    and that d is unique where it is not NULL, says nothing of them.
    """
    step = Step("public", "rows")
    a, b, d = 1, 2, 3
    left = Relation(False, (), {}, step, per={frozenset({a}): 1})
    right = Relation(
        False,
        (),
        {},
        step,
        per={frozenset({d}): 1, frozenset({b, d}): 4},
        sure=frozenset({frozenset({b, d})}),
    )
    found = _per(left, right, 1, 1, [(a, b)])
    assert found[frozenset({b, d})] == (4, False)
    assert found[frozenset({b})] == (1, True) and found[frozenset({a, d})] == (1, True)


def test_what_is_equal_stands_in_a_set_that_counts_nulls() -> None:
    """Rows with the same a, and the same b or NULLs there, are one: so are those with the same d
    that a is equal to. A set that is unique where b is not NULL says nothing of NULLs.
    """
    step = Step("public", "rows")
    a, b, d = 1, 2, 3
    right = Relation(False, (), {}, step, per={frozenset({d}): 1})
    for sure in (frozenset({frozenset({a, b})}), frozenset[frozenset[int]]()):
        left = Relation(False, (), {}, step, per={frozenset({a, b}): 2}, sure=sure)
        found = _per(left, right, 1, 1, [(a, d)])
        assert found[frozenset({b, d})] == (2, not sure)
