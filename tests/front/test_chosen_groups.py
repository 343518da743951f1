"""Groups that released rows choose are listed, and no others, whether a private row is in them or
not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.answers import home
from tests.support.effort import tries
from tests.support.noiseless import NO_NOISE, noiseless
from tests.support.policies import load

COUNTS = "(SELECT region, COUNT(*) AS n FROM customers WHERE region IS NOT NULL GROUP BY region)"
SIMPLE = (
    "{k} IN (SELECT region FROM customers GROUP BY region HAVING COUNT(*) > 1)",
    "{k} NOT IN (SELECT region FROM customers WHERE region IS NOT NULL GROUP BY region HAVING "
    "COUNT(*) > 1)",
    f"EXISTS (SELECT 1 FROM {COUNTS} AS g WHERE g.region = {{k}} AND g.n > 1)",
    f"NOT EXISTS (SELECT 1 FROM {COUNTS} AS g WHERE g.region = {{k}} + 1)",
    f"{{k}} >= ALL (SELECT g.region FROM {COUNTS} AS g WHERE g.n = 1)",
    "{k} > (SELECT COUNT(*) / 3 FROM customers)",
    "{k} + 1 < (SELECT COUNT(*) FROM customers)",
    "{k} <> 2",
)
KEYS = ("c.region", "r.id", "r.zone", "r.id + 1")

conditions = st.recursive(
    st.sampled_from(SIMPLE),
    lambda of: st.tuples(of, st.sampled_from(["AND", "OR"]), of).map(
        lambda t: f"({t[0]} {t[1]} {t[2]})"
    ),
    max_leaves=3,
)
people = st.lists(
    st.tuples(st.sampled_from([None, "1", "2", "3", "4"]), st.sampled_from([None, "20"])),
    max_size=7,
)


def answers(rows: Any, mine: str, theirs: str) -> tuple[list[str], list[str]]:
    """dpsql's, without noise, and the engine's."""
    held = home("shop")
    none: dict[str, list[list[str | None]]] = {name: [] for name in load("shop").schema.tables}
    regions = [[str(i), "a", ["north", "south"][i % 2]] for i in range(1, 6)]
    units = [
        [str(i), region, age, None, None, "true", *[None] * 5]
        for i, (region, age) in enumerate(rows)
    ]
    held.fill({**none, "regions": regions, "customers": units})
    with noiseless():
        found = held.run(mine, eps=NO_NOISE).rows
    return sorted(map(str, found)), sorted(map(str, held.connection.execute(theirs).fetchall()))


@settings(max_examples=tries(40, 300), deadline=None)
@given(people, conditions, st.sampled_from(["c.region", "r.id"]), st.sampled_from(KEYS))
def test_the_groups_are_those_that_the_condition_leaves(
    rows: Any, condition: str, read: str, key: str
) -> None:
    mine = (
        f"SELECT {key}, COUNT(*) FROM customers AS c JOIN regions AS r ON r.id = c.region WHERE "
        f"{condition.format(k=read)} GROUP BY {key}"
    )
    listed = (
        f"SELECT {key.replace('c.region', 'r.id')}, COUNT(c.id) FROM regions AS r LEFT JOIN "
        f"customers AS c ON c.region = r.id WHERE {condition.format(k='r.id')} GROUP BY 1"
    )
    found, expected = answers(rows, mine, listed)
    assert found == expected


PAIRS = (
    "(r.id = 1 AND c.segment = 'home') OR (r.id = 2 AND c.segment = 'office')",
    "r.zone = 'north' OR c.segment = 'home'",
    "r.id > LENGTH(c.segment) - 3",
    "(r.zone = 'south') <> (c.segment = 'trade')",
)


@pytest.mark.parametrize("condition", PAIRS)
@pytest.mark.parametrize("key", ["c.region", "r.zone"])
def test_pairs_of_keys_that_are_listed_apart(condition: str, key: str) -> None:
    mine = (
        f"SELECT {key}, c.segment, COUNT(*) FROM customers AS c JOIN regions AS r ON r.id = "
        f"c.region WHERE {condition} GROUP BY {key}, c.segment"
    )
    listed = (
        f"SELECT {key.replace('c.region', 'r.id')}, c.segment, 0 FROM regions AS r, (SELECT "
        "UNNEST(['home', 'office', 'trade']) AS segment) AS c WHERE "
        f"{condition} GROUP BY ALL"
    )
    found, expected = answers([], mine, listed)
    assert found == expected


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("least", [0, 1, 2])
def test_rows_that_are_joined_to_released_ones(key: str, least: int) -> None:
    rows = [("1", "20"), ("1", None), ("2", "20"), ("4", None), ("4", None), ("4", "20")]
    joined = f"JOIN {COUNTS} AS g ON r.id = g.region AND g.n > {least}"
    mine = (
        f"SELECT {key}, COUNT(*) FROM customers AS c JOIN regions AS r ON r.id = c.region {joined} "
        f"GROUP BY {key}"
    )
    found, expected = answers(rows, mine, mine)
    assert found == expected
