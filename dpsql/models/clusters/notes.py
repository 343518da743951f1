"""What is to be known of clusters, beside their numbers: functions of noisy and public ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dpsql.models.clusters.moving import Moved
from dpsql.models.wanted import How


def notes(found: Moved, how: How) -> Iterator[str]:
    """What is said.

    Args:
        found: what the last step made.
        how: the model was asked for.
    """
    clusters, rows = len(found.centres), float(found.counts.sum())
    few = [number for number in found.hidden if found.counts[number] <= found.counts_noise]
    wide = [number for number in found.hidden if number not in few]
    if len(found.hidden) == clusters and found.enough > 1:
        known = rows > clusters**0.5 * found.counts_noise
        of = f"of about {rows:,.0f} rows" if known else "of so few rows"
        would = f"; about ε = {would_do(found, how)} would do" if known else ""
        yield f"{too_small(how)} for {clusters} clusters {of}: {KEPT}{would}"
        return
    if few:
        yield f"{_named(few)} no more rows than noise may make, or none: {KEPT}"
    if wide:
        told = f"noise hides where {_named(wide, 'is', 'are')}: {KEPT}"
        yield f"{told}; about ε = {would_do(found, how)} would do" if found.enough > 1 else told


KEPT = "what stands there is from the step before, or from the grid"


def too_small(how: How) -> str:
    """How it begins."""
    return f"ε = {float(str(how.eps)):.3g} is too small"


def would_do(found: Moved, how: How) -> str:
    """About the ε at which all centres would move. Noise is in proportion to 1/ε, and the width of
    a cell, which it is measured by, to 1/√ε at most.
    """
    return f"{float(str(how.eps)) * found.enough**2 * 1.05:.2g}"


def _named(numbers: Sequence[int], one: str = "has", several: str = "have") -> str:
    made = ", ".join(map(str, numbers))
    return f"cluster {made} {one}" if len(numbers) == 1 else f"clusters {made} {several}"
