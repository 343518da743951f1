"""Noisy answers of one world, drawn by the real mechanisms, as many as are wanted.

Nothing here makes noise of its own: the exact cells of a world go through `execution.noise` as
those of a query do. Of a release without picks and clips, many answers are drawn at once: its cells
side by side as often, each with groups of its own, since noise is drawn for each group
independently. Groups that are the same in both worlds are left out, which is post-processing, and
tells nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpsql.audit.worlds import World
from dpsql.compile import ReleasedQuery
from dpsql.core.noise.adaptive import AdaptiveLaplace
from dpsql.core.noise.integer_noise import Noise
from dpsql.core.release.picks import Best
from dpsql.execution.cells import ExactCells
from dpsql.execution.exact import Key
from dpsql.execution.noise import NoisyRelease, add_noise

MOST = 24
"""Numbers that are looked at together: those that differ most between the worlds."""

AT_ONCE = 20_000
"""Groups in one call."""


@dataclass(frozen=True, slots=True)
class NoisyNumber:
    """One number of an answer.

    Attributes:
        release: the release point.
        group: whose it is.
        measure: the measure, or None for a pick.
        pick: the pick, or None for a measure.
        a, b: what it is without noise in each world, for measures.
        noise: what is added; None where that is found when it is run.
    """

    release: int
    group: Key
    measure: int | None
    pick: int | None
    a: int
    b: int
    noise: Noise | None


Answer = list[object]
"""The values of some numbers; None where a group is not shown."""


def numbers(query: ReleasedQuery, a: World, b: World) -> list[NoisyNumber]:
    """The numbers in which two worlds differ, those that differ most first."""
    found: list[tuple[float, NoisyNumber]] = []
    for release, (point, left, right) in enumerate(zip(query.releases, a, b, strict=True)):
        noises = query.planned[release].noise
        for place, group in enumerate(left.groups):
            if place >= len(right.groups) or right.groups[place] != group:
                break  # which groups are output differs: that claim is broken, and told as such
            for n, noise in enumerate(noises):
                if isinstance(noise, AdaptiveLaplace):
                    u, v = left.clips[n], right.clips[n]
                    last = len(u.grid.thresholds) - 1
                    x, y = u.at(last).get(group, 0), v.at(last).get(group, 0)
                    if x != y:
                        found.append((1.0, NoisyNumber(release, group, n, None, x, y, None)))
                    continue
                x, y = left.values[n][place], right.values[n][place]
                if x != y and noise.scale:
                    weight = abs(x - y) / noise.scale
                    found.append((weight, NoisyNumber(release, group, n, None, x, y, noise)))
            for n, pick in enumerate(point.picks):
                if not isinstance(pick, Best) and left.points[n][place] != right.points[n][place]:
                    found.append((1.0, NoisyNumber(release, group, None, n, 0, 0, None)))
        for n, pick in enumerate(point.picks):
            if isinstance(pick, Best) and left.scores[n] != right.scores[n]:
                found.append((1.0, NoisyNumber(release, (), None, n, 0, 0, None)))
    found.sort(key=lambda item: -item[0])
    return [number for _, number in found[:MOST]]


def slow(query: ReleasedQuery) -> bool:
    """Whether answers are drawn one by one."""
    clipped = any(
        isinstance(n, AdaptiveLaplace) for planned in query.planned for n in planned.noise
    )
    return clipped or any(release.picks for release in query.releases)


def draw(
    query: ReleasedQuery, world: World, wanted: Sequence[NoisyNumber], count: int
) -> list[Answer]:
    """The wanted numbers of `count` answers."""
    answers: list[Answer] = [[None] * len(wanted) for _ in range(count)]
    for release in sorted({n.release for n in wanted}):
        own = [(place, n) for place, n in enumerate(wanted) if n.release == release]
        groups = list(dict.fromkeys(n.group for _, n in own if n.group in world[release].groups))
        exact = _restricted(world[release], groups)
        if not groups and not any(n.pick is not None for _, n in own):
            continue
        copies = 1 if slow(query) else max(1, AT_ONCE // max(1, len(groups)))
        for first in range(0, count, copies):
            many = min(copies, count - first)
            noisy = add_noise(query, release, exact if slow(query) else _repeated(exact, many))
            _note(noisy, own, answers[first : first + many], apart=not slow(query))
    return answers


def _note(
    noisy: NoisyRelease,
    own: Sequence[tuple[int, NoisyNumber]],
    answers: Sequence[Answer],
    *,
    apart: bool,
) -> None:
    """Write a release's numbers into its answers; `apart`: groups begin with its number."""
    rows = dict(zip(noisy.groups, noisy.noisy, strict=True))
    for number, answer in enumerate(answers):
        for place, wanted in own:
            group = (number, *wanted.group) if apart else wanted.group
            if group not in rows:
                continue
            row = rows[group]
            if wanted.measure is not None:
                answer[place] = row.measures[wanted.measure]
            else:
                assert wanted.pick is not None
                answer[place] = row.picks[wanted.pick]


def _restricted(exact: ExactCells, groups: Sequence[Key]) -> ExactCells:
    places = [exact.groups.index(group) for group in groups]
    return ExactCells(
        list(groups),
        [[values[i] for i in places] for values in exact.values],
        [[points[i] for i in places] for points in exact.points],
        exact.clips,
        exact.scores,
        None if exact.units is None else [exact.units[i] for i in places],
    )


def _repeated(exact: ExactCells, count: int) -> ExactCells:
    return ExactCells(
        [(number, *group) for number in range(count) for group in exact.groups],
        [values * count for values in exact.values],
        [points * count for points in exact.points],
        exact.clips,
        exact.scores,
        None if exact.units is None else exact.units * count,
    )
