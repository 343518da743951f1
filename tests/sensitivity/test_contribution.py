"""The bounds on what one unit can add, against every unit that there can be: never less, and no
more where they are said to be attained.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from dpsql.core.release.bound import Contribution, Sensitivity, add_remove, replace

Vector = tuple[int, ...]

RANGES = [(0, 1), (1, 1), (-2, 1), (1, 2), (-3, -1)]


def vectors(c: Contribution, groups: int) -> Iterator[Vector]:
    """What each possible unit adds to each of so many groups."""
    most = [n for n in (c.rows, c.cell) if n is not None]
    for numbers in product(range(min(most) + 1), repeat=groups):
        if c.rows is not None and sum(numbers) > c.rows:
            continue
        if c.own is not None and sum(1 for n in numbers if n) > c.own:
            continue
        yield from product(*(range(n * c.low, n * c.high + 1) for n in numbers))


def worst(moves: Iterator[Vector]) -> Sensitivity:
    """The largest of each norm."""
    l0 = l1 = l2 = linf = 0
    for move in moves:
        sizes = [abs(m) for m in move]
        l0, l1 = max(l0, sum(1 for m in sizes if m)), max(l1, sum(sizes))
        l2, linf = max(l2, sum(m * m for m in sizes)), max(linf, *sizes)
    return Sensitivity(l0, l1, l2, linf)


def differences(c: Contribution, groups: int) -> Iterator[Vector]:
    every = set(vectors(c, groups))
    moves = {tuple(a - b for a, b in zip(x, y, strict=True)) for x, y in product(every, every)}
    yield from moves


def within(found: Sensitivity, claimed: Sensitivity) -> bool:
    return (
        found.l0 <= claimed.l0
        and found.l1 <= claimed.l1
        and found.l2_squared <= claimed.l2_squared
        and found.linf <= claimed.linf
    )


def made(
    rows: int | None,
    ends: tuple[int, int],
    groups: int | None,
    own: int | None,
    cell: int | None,
) -> Contribution:
    return Contribution(rows, *ends, groups, own, every_unit=False, cell=cell)


SIZES = [
    (rows, groups, own, cell)
    for rows, groups, own, cell in product(
        (1, 2, 3, None), (1, 2, 3), (None, 1, 2), (None, 1, 2, 4)
    )
    if rows is not None or (cell is not None and cell < 4)
]


@pytest.mark.parametrize("ends", RANGES)
@pytest.mark.parametrize(("rows", "groups", "own", "cell"), SIZES)
def test_one_unit_more(
    rows: int | None, groups: int, own: int | None, cell: int | None, ends: tuple[int, int]
) -> None:
    c = made(rows, ends, groups, own, cell)
    claimed, found = add_remove(c), worst(vectors(c, groups))
    assert within(found, claimed)
    assert (found.l0, found.l1, found.linf) == (claimed.l0, claimed.l1, claimed.linf)
    total, at_once = c.total, claimed.linf // c.magnitude
    assert total is not None
    if total % at_once == 0:  # all cells that a unit fills can be full
        assert found.l2_squared == claimed.l2_squared


@pytest.mark.parametrize("ends", RANGES)
@pytest.mark.parametrize(("rows", "groups", "own", "cell"), SIZES)
def test_one_unit_for_another(
    rows: int | None, groups: int, own: int | None, cell: int | None, ends: tuple[int, int]
) -> None:
    c = made(rows, ends, groups, own, cell)
    claimed, found = replace(c), worst(differences(c, groups))
    assert within(found, claimed)
    assert (found.l0, found.linf) == (claimed.l0, claimed.linf)


@pytest.mark.parametrize("cell", [None, 1, 2])
@pytest.mark.parametrize("ends", RANGES[:3])
def test_groups_that_are_not_known(ends: tuple[int, int], cell: int | None) -> None:
    """Two units of two rows fill four groups at most: more of them change nothing."""
    c = made(2, ends, None, None, cell)
    assert within(worst(vectors(c, 4)), add_remove(c))
    found, claimed = worst(differences(c, 4)), replace(c)
    assert within(found, claimed)
    assert (found.l0, found.l1, found.linf) == (claimed.l0, claimed.l1, claimed.linf)


@pytest.mark.parametrize("ends", RANGES)
def test_every_unit_has_one_row(ends: tuple[int, int]) -> None:
    low, high = ends
    claimed = replace(Contribution(1, low, high, 1, own=1, every_unit=True))
    moves = ((a - b,) for a in range(low, high + 1) for b in range(low, high + 1))
    assert worst(moves) == claimed


@pytest.mark.parametrize(
    ("rows", "groups", "own", "cell"),
    [(None, 3, None, None), (None, None, None, 1), (None, 1, 1, None), (None, 3, 2, None)],
)
def test_nothing_bounds_it(
    rows: int | None, groups: int | None, own: int | None, cell: int | None
) -> None:
    c = made(rows, (0, 1), groups, own, cell)
    assert c.total is None
    for bound in (add_remove, replace):
        with pytest.raises(ValueError, match="nothing bounds"):
            bound(c)
