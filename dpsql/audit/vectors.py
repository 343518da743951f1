"""What is measured of a database, as vectors: one for each thing that is released."""

from __future__ import annotations

from collections.abc import Sequence

from dpsql.audit.worlds import World
from dpsql.compile import ReleasedQuery
from dpsql.core.release.picks import Best
from dpsql.core.release.release import Release
from dpsql.execution.cells import Adapted, Clips, ExactCells
from dpsql.execution.exact import Key
from dpsql.execution.matching import Matches

Vector = dict[Key, int]
"""By group: a measure in lattice steps. By group and point: the rows of a pick. By candidate: its
score, in steps. What is 0 may be left out.
"""


def vectors(query: ReleasedQuery, world: World) -> list[Vector]:
    """Of each release each measure's vector, then each pick's."""
    found: list[Vector] = []
    for release, exact in zip(query.releases, world, strict=True):
        found += owned_by(release, exact)
    return found


def owned_by(release: Release, exact: ExactCells) -> list[Vector]:
    """Each measure's vector, then each pick's."""
    groups = exact.groups
    found = [dict(zip(groups, values, strict=True)) for values in exact.values]
    for number, (pick, points) in enumerate(zip(release.picks, exact.points, strict=True)):
        if isinstance(pick, Best):
            found.append(exact.scores[number])
            continue
        of_groups = zip(groups, points, strict=True)
        found.append({(*g, place): n for g, rows in of_groups for place, n in rows.items()})
    for number, clips in exact.clips.items():
        # Unclipped, but for the greatest clip: what the query would measure if nothing were heavy.
        last = len(clips.grid.thresholds) - 1
        parts = clips.grid.parts(last)
        found[number] = {key: n // parts for key, n in clips.at(last).items()}
    return found


def ends(*found: Adapted) -> list[int]:
    """The clips at which a difference of clipped sums can be largest, as a part of the clip; and of
    numbers of values, every capacity.

    Why: let τ go from one threshold to a later one, and let no unit's total be between them. The
    difference, as a part of τ, is Σ |a/τ + b| over the groups: convex in 1/τ, so it is largest at
    an end. Where sums share a clip, so does what they move together.
    """
    last = len(found[0].grid.thresholds) - 1
    if any(isinstance(one, Matches) for one in found):
        return list(range(last + 1))
    clips = [one for one in found if isinstance(one, Clips)]
    filled = {n for one in clips for n, sums in enumerate(one.sums) if sums}
    near = {0, last, *filled, *(n - 1 for n in filled)}
    return sorted(n for n in near if 0 <= n <= last)


def above(clips: Clips) -> Vector:
    """How many units are above each threshold, by its number."""
    counts = clips.above(len(clips.grid.thresholds))
    return {(number,): n for number, n in enumerate(counts)}


def difference(a: Vector, b: Vector) -> Vector:
    """How far b is from a, where it is."""
    moved = {key: a.get(key, 0) - b.get(key, 0) for key in dict.fromkeys((*a, *b))}
    return {key: n for key, n in moved.items() if n}


def differences(a: Sequence[Vector], b: Sequence[Vector]) -> list[Vector]:
    """The same of each vector."""
    return [difference(u, v) for u, v in zip(a, b, strict=True)]
