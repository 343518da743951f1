"""What is planted is found: each dependence on data that no noise hides, by the tape."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from dpsql.core.calibrate.calibration import PlannedRelease
from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.errors import EngineError
from dpsql.execution import cells, run
from tests.replay.pairs import pairs, tapes
from tests.replay.tape import Tape, first_difference
from tests.support.checks import find

Patch = pytest.MonkeyPatch
Plant = Callable[[Patch], None]

CASE = "group_by/declared-values"

PAIRS = 4

LAST: list[int] = [0]
"""Something exact of the run: what a wrong house would let pass."""


def kept(patch: Patch, then: Callable[..., Any] | None = None) -> None:
    """Cells are read as ever; the sum of all is remembered, where it should not be."""
    real = cells.read

    def read(release: Any, groups: Any, snapshot: Any, sql: Any, *rest: Any) -> Any:
        found = real(release, groups, snapshot, sql, *rest)
        LAST[0] = sum(map(sum, found.values))
        if then is not None:
            then(snapshot, sql)
        return found

    patch.setattr(cells, "read", read)


def wider(planned: PlannedRelease) -> PlannedRelease:
    noise = (DiscreteLaplace(n.scale + LAST[0]) for n in planned.noise)  # type: ignore[union-attr]
    return replace(planned, noise=tuple(noise))


def scale_from_the_data(patch: Patch) -> None:
    kept(patch)
    patch.setattr(
        run,
        "add_noise",
        lambda query, number, exact, real=run.add_noise: real(
            replace(query, planned=tuple(map(wider, query.planned))),
            number,
            exact,
        ),
    )


def value_in_a_statement(patch: Patch) -> None:
    kept(patch, lambda snapshot, sql: snapshot.rows(f"SELECT {LAST[0]}"))


def value_in_a_parameter(patch: Patch) -> None:
    kept(patch, lambda snapshot, sql: snapshot.rows("SELECT $n", {"n": LAST[0]}))


def statement_that_is_skipped(patch: Patch) -> None:
    def again(snapshot: Any, sql: Any) -> None:
        if LAST[0] % 2:
            snapshot.rows(sql.cells)

    kept(patch, again)


def charge_that_depends(patch: Patch) -> None:
    real = run._charged

    def charged(loss: Any, entry: Any, *rest: Any) -> Any:
        return real(loss, replace(entry, releases=f"[{LAST[0]}]"), *rest)

    def groups(release: Any, snapshot: Any, source: Any, real: Any = run.public_groups) -> Any:
        # As a digest would be: the rows are looked at where nobody notes it.
        (found,) = snapshot._inner.rows("SELECT count(*) FROM memory.main.customers")
        LAST[0] = found[0]
        return real(release, snapshot, source)

    patch.setattr(run, "_charged", charged)
    patch.setattr(run, "public_groups", groups)


def groups_that_have_rows(patch: Patch) -> None:
    def groups(release: Any, snapshot: Any, source: Any, real: Any = run.public_groups) -> Any:
        (found,) = snapshot._inner.rows("SELECT count(*) FROM memory.main.customers")
        every = real(release, snapshot, source)
        return every[found[0] % 2 :]

    patch.setattr(run, "public_groups", groups)


def post_processing_that_depends(patch: Patch) -> None:
    kept(patch)
    real = run.post_process

    def process(query: Any, released: Any, scratch: Any) -> Any:
        scratch.run(f"SELECT {LAST[0]}")
        return real(query, released, scratch)

    patch.setattr(run, "post_process", process)


def intervals_that_depend(patch: Patch) -> None:
    kept(patch)
    real = run._shown

    def shown(*arguments: Any) -> Any:
        rows = real(*arguments)
        return replace(rows, intervals=[(float(LAST[0]),) for _ in rows.intervals])

    patch.setattr(run, "_shown", shown)


def error_of_some_data(patch: Patch) -> None:
    def fail(snapshot: Any, sql: Any) -> None:
        if LAST[0] % 2:
            raise EngineError("some number was too large")

    kept(patch, fail)


def answer_that_is_stored_exactly(patch: Patch) -> None:
    kept(patch)
    real = run.reuse.kept

    def stored(*arguments: Any) -> Any:
        return tuple(replace(s, body=f"{s.body}{LAST[0]}") for s in real(*arguments))

    patch.setattr(run.reuse, "kept", stored)


PLANTS: tuple[tuple[Plant, str], ...] = (
    (scale_from_the_data, "_noised"),
    (value_in_a_statement, "engine.rows"),
    (value_in_a_parameter, "engine.rows"),
    (statement_that_is_skipped, "engine.rows"),
    (charge_that_depends, "ledger.reserve"),
    (groups_that_have_rows, "release"),
    (post_processing_that_depends, "scratch.run"),
    (intervals_that_depend, "answer"),
    (error_of_some_data, "ledger.failed"),
    (answer_that_is_stored_exactly, "ledger.commit"),
)


def taken(number: int) -> list[tuple[Tape, Tape]]:
    case = find(CASE)
    return [tapes(case, a, b) for a, b in islice(pairs(case.policy, case.query), number)]


@pytest.mark.parametrize(("plant", "where"), PLANTS, ids=lambda v: getattr(v, "__name__", ""))
@pytest.mark.one_in(2)
def test_a_planted_dependence_is_found(plant: Plant, where: str, monkeypatch: Patch) -> None:
    plant(monkeypatch)
    found = [first_difference(one, other) for one, other in taken(PAIRS)]
    events = {event[0] for pair in found if pair for event in pair if event}
    assert where in events


def test_nothing_is_found_without_a_plant() -> None:
    assert [first_difference(one, other) for one, other in taken(PAIRS)] == [None] * PAIRS


def test_what_is_released_is_what_differs_without_the_replay() -> None:
    """The exact cells do differ: the pairs are no copies, and only the replay makes them equal."""
    case = find(CASE)
    different = 0
    for one, other in islice(pairs(case.policy, case.query), PAIRS):
        first, second = tapes(case, one, other)
        different += repr(first.released) != repr(second.released)
    assert different >= PAIRS / 2
