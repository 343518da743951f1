"""What is to be known of clusters, beside their numbers: functions of noisy and public ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dpsql.models.clusters.moving import Moved
from dpsql.models.linear.notes import USUAL_ROWS, up
from dpsql.models.wanted import How


def notes(found: Moved, how: How) -> Iterator[str]:
    """What is said.

    Args:
        found: what the last step made.
        how: the model was asked for.
    """
    if not found.hidden:
        return
    clusters, rows = len(found.centres), float(found.counts.sum())
    known = rows > 2 * clusters**0.5 * found.counts_noise
    many = rows if known else USUAL_ROWS
    more = found.enough(many) > 1
    would = f"; about ε = {would_do(found, how, many)} would do"
    would += "" if known else f" for {USUAL_ROWS:,} of them"
    few = [number for number in found.hidden if found.counts[number] <= found.counts_noise]
    wide = [number for number in found.hidden if number not in few]
    if len(found.hidden) == clusters and more:
        of = f"of about {rows:,.0f} rows" if known else "of so few rows"
        yield f"{too_small(how)} for {clusters} clusters {of}: {KEPT}{would}"
        return
    end = f"{KEPT}{would}" if more else KEPT
    if few:
        yield f"{_named(few)} no more rows than noise may make, or none: {end}"
    if wide:
        yield f"noise hides where {_named(wide, 'is', 'are')}: {end}"


KEPT = "what stands there is from the step before, or from the grid"


def too_small(how: How) -> str:
    """How it begins."""
    return f"ε = {float(str(how.eps)):.3g} is too small"


def would_do(found: Moved, how: How, rows: float) -> str:
    """About the ε at which all centres would move, of so many rows."""
    return up(float(str(how.eps)) * found.enough(rows))


def _named(numbers: Sequence[int], one: str = "has", several: str = "have") -> str:
    made = ", ".join(map(str, numbers))
    return f"cluster {made} {one}" if len(numbers) == 1 else f"clusters {made} {several}"
