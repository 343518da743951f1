"""`randomized` in a policy: what it means, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from dpsql.core.schema import Randomized
from dpsql.errors import PolicyError
from dpsql.platform.policy import Catalog, CatalogColumn, CatalogTable, Policy, resolve
from dpsql.types import BOOLEAN, INTEGER

POLICY = """
unit: t.id
budget: {{eps: 1}}
tables:
  t:
    access: private
    key: [id]
    columns:
      id: {{type: INTEGER}}
      b: {{{0}}}
"""


def policy(column: str) -> Policy:
    return Policy.parse(POLICY.format(column))


def test_it_is_read_exactly() -> None:
    schema = resolve(policy("type: BOOLEAN, randomized: {truth: 0.1, yes: 0.7}"), None, None)
    table = schema.table("t")
    assert table is not None
    assert table.randomized
    column = table.column("b")
    assert column is not None
    assert column.randomized == Randomized(Fraction(1, 10), Fraction(7, 10))


def test_without_it_nothing_is_randomized() -> None:
    table = resolve(policy("type: BOOLEAN"), None, None).table("t")
    assert table is not None
    assert not table.randomized


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ("randomized: {truth: 0, yes: 0.5}", "truth must be above 0 and below 1, not 0"),
        ("randomized: {truth: 1, yes: 0.5}", "truth must be above 0 and below 1, not 1"),
        ("randomized: {truth: 1.5, yes: 0.5}", "truth must be above 0 and below 1, not 1.5"),
        ("randomized: {truth: 0.5, yes: -0.1}", "yes must be from 0 to 1, not -0.1"),
        ("randomized: {truth: 0.5, yes: 1.1}", "yes must be from 0 to 1, not 1.1"),
        ("randomized: {truth: half, yes: 1}", "'half' is not a number"),
        ("randomized: {truth: 0.5}", "the key yes is missing"),
        ("randomized: {truth: 0.5, yess: 1}", "unknown key; did you mean yes?"),
        ("randomized: 0.5", "expected a mapping"),
        (
            "type: INTEGER, randomized: {truth: 0.5, yes: 0.5}",
            "randomized answers are yes or no: the column must be BOOLEAN, not INTEGER",
        ),
        (
            "type: BOOLEAN, values: [true], randomized: {truth: 0.5, yes: 0.5}",
            "a randomized column has both values, whatever the truth",
        ),
        (
            "type: BOOLEAN, references: t.id, randomized: {truth: 0.5, yes: 0.5}",
            "a randomized column cannot be a reference",
        ),
        (
            "type: BOOLEAN, max_rows: 2, randomized: {truth: 0.5, yes: 0.5}",
            "a randomized column has two values, in any row",
        ),
    ],
)
def test_what_is_refused(column: str, message: str) -> None:
    with pytest.raises(PolicyError) as caught:
        policy(column)
    assert message in str(caught.value)
    assert ":10:" in str(caught.value) or caught.value.line == 10


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("key: [id]", "key: [b]", "the column b is randomized, so it is no key"),
        ("unit: t.id", "unit: t.b", "the column b is randomized, so it is no unit"),
    ],
)
def test_a_key_is_not_randomized(old: str, new: str, message: str) -> None:
    text = POLICY.format("type: BOOLEAN, randomized: {truth: 0.5, yes: 0.5}").replace(old, new)
    with pytest.raises(PolicyError, match=message):
        Policy.parse(text)


def test_the_type_may_come_from_the_database() -> None:
    said = policy("randomized: {truth: 0.5, yes: 0.5}")
    for kind in (BOOLEAN, INTEGER):
        columns = CatalogColumn("id", INTEGER, not_null=True), CatalogColumn("b", kind)
        catalog = Catalog((CatalogTable("t", columns, keys=(("id",),)),))
        if kind == BOOLEAN:
            table = resolve(said, catalog, None).table("t")
            assert table is not None
            assert table.randomized
        else:
            with pytest.raises(PolicyError, match="must be BOOLEAN, not INTEGER"):
                resolve(said, catalog, None)


COINS = [
    Randomized(Fraction(t), Fraction(y))
    for t, y in product(("1/2", "1/10", "99/100", "1/3"), ("0", "1/2", "1", "2/7"))
]


@pytest.mark.parametrize("coins", COINS)
def test_weights_are_unbiased(coins: Randomized) -> None:
    for b in (False, True):
        yes = coins.reports_yes(b)
        chances = {True: yes, False: 1 - yes}
        for wanted in (False, True):
            mean = sum(p * coins.weight(r, wanted) for r, p in chances.items())
            assert mean == (b == wanted)
            square = sum(p * coins.weight(r, wanted) ** 2 for r, p in chances.items())
            assert coins.variance(b) == square - mean**2


def test_the_coin_of_the_textbook() -> None:
    coins = Randomized(Fraction(1, 2), Fraction(1, 2))
    assert coins.reports_yes(True) == Fraction(3, 4)
    assert coins.reports_yes(False) == Fraction(1, 4)
    # A share of P' reports of yes: P = 2·P' - 1/2.
    assert (coins.weight(True, True), coins.weight(False, True)) == (
        Fraction(3, 2),
        -Fraction(1, 2),
    )
    assert coins.variance(True) == coins.variance(False) == Fraction(3, 4)
