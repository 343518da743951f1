"""What is left of a key where a filter fixes some of its columns, or makes two of them equal."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsql.core.infer.keys import MAX_KEYS, Keys, equated, reduced
from tests.analyze.shop import properties

WIDTH = 4
ROWS = st.lists(st.tuples(*[st.integers(0, 2)] * WIDTH), max_size=6)
SETS = [frozenset(s) for n in range(WIDTH + 1) for s in combinations(range(WIDTH), n)]


def keys(*found: set[int]) -> Keys:
    return tuple(map(frozenset, found))


@pytest.mark.parametrize(
    ("before", "fixed", "after"),
    [
        (keys({1}), {1}, keys({1}, set())),
        (keys({1}), set(), keys({1})),
        (keys({1}), {2}, keys({1})),
        (keys({1, 2}), {2}, keys({1, 2}, {1})),
        (keys({1, 2}), {2, 3}, keys({1, 2}, {1})),
        (keys({1, 2}), {1, 2}, keys({1, 2}, set())),
        (keys({1, 2}, {3}), {2}, keys({1, 2}, {3}, {1})),
        (keys({1, 2}, {2, 3}), {2}, keys({1, 2}, {2, 3}, {1}, {3})),
        ((), {1}, ()),
    ],
)
def test_the_fixed_columns_are_left_out(before: Keys, fixed: set[int], after: Keys) -> None:
    assert reduced(before, frozenset(fixed)) == after


def test_there_are_never_too_many() -> None:
    before = keys(*({n, 99} for n in range(MAX_KEYS - 1)))
    assert reduced(before, frozenset({99})) == (*before, frozenset({0}))


@given(ROWS, st.sampled_from(SETS), st.data())
def test_what_is_left_is_a_key_of_the_rows_that_are_left(
    rows: list[tuple[int, ...]], fixed: frozenset[int], data: st.DataObject
) -> None:
    true = [key for key in SETS if _unique(rows, key)]
    chosen = data.draw(st.lists(st.sampled_from(true), max_size=3)) if true else []
    constants = data.draw(st.sampled_from(rows)) if rows else ()
    kept = [row for row in rows if all(row[i] == constants[i] for i in fixed)]
    found = reduced(tuple(chosen), fixed)
    assert set(chosen) <= set(found)
    assert all(_unique(kept, key) for key in found)


@pytest.mark.parametrize(
    ("before", "pairs", "after"),
    [
        (keys({1, 2}), [], keys({1, 2})),
        (keys({1, 2}), [(2, 3)], keys({1, 2}, {1, 3})),
        (keys({1, 2}), [(3, 2)], keys({1, 2}, {1, 3})),
        (keys({1, 2}), [(3, 4)], keys({1, 2})),
        (keys({1, 2}), [(1, 2)], keys({1, 2}, {2}, {1})),
        (keys({1, 2}), [(2, 3), (3, 4)], keys({1, 2}, {1, 3}, {1, 4})),
        ((), [(1, 2)], ()),
    ],
)
def test_an_equal_column_stands_for_the_other(
    before: Keys, pairs: list[tuple[int, int]], after: Keys
) -> None:
    assert equated(before, pairs) == after


@given(ROWS, st.sampled_from(SETS), st.data())
def test_what_is_equated_is_a_key_of_rows_that_are_equal_there(
    rows: list[tuple[int, ...]], key: frozenset[int], data: st.DataObject
) -> None:
    column = st.integers(0, WIDTH - 1)
    pairs = data.draw(st.lists(st.tuples(column, column), max_size=3))
    kept = [row for row in rows if all(row[a] == row[b] for a, b in pairs)]
    if _unique(kept, key):
        found = equated((key,), pairs)
        assert key in found and len(found) <= MAX_KEYS
        assert all(_unique(kept, other) for other in found)


def _unique(rows: list[tuple[int, ...]], key: frozenset[int]) -> bool:
    return len({tuple(row[i] for i in sorted(key)) for row in rows}) == len(rows)


GROUPED = "(SELECT kind, id % 3 AS part, COUNT(*) AS n FROM products GROUP BY 1, 2) g"


@pytest.mark.parametrize(
    ("rows", "least"),
    [
        ("regions", 1),
        ("regions WHERE id = 1", 0),
        ("regions WHERE 1 = id AND name = 'a'", 0),
        ("regions WHERE id > 1", 1),
        ("regions WHERE id = 1 OR id = 2", 1),
        ("regions WHERE id <> 1", 1),
        ("regions WHERE id + 1 = 2", 1),
        ("regions WHERE id / 2 = 1", 1),
        ("regions WHERE name = 'a'", 1),
        (GROUPED, 2),
        (f"{GROUPED} WHERE part = 1", 1),
        (f"{GROUPED} WHERE n = 1", 2),
        (f"{GROUPED} WHERE part = 1 AND kind = 'a'", 0),
        (f"{GROUPED} WHERE part = 1 AND n = 1", 1),
    ],
)
def test_how_many_columns_tell_filtered_rows_apart(rows: str, least: int) -> None:
    assert min(map(len, properties(rows).keys)) == least
