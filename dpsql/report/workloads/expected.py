"""How far the columns of a query's answer will be off, before anything is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpsql.compile import Compiled, ReleasedQuery
from dpsql.errors import NotCalibrated
from dpsql.execution.target import noisy, width_of
from dpsql.report.explanation import sentences
from dpsql.report.explanation.computed import Computed, computed, measurements
from dpsql.report.explanation.measurement import Release
from dpsql.report.explanation.releases import releases_of
from dpsql.report.explanation.sentences import PICKING
from dpsql.report.figures import Number, figure
from dpsql.report.forms import Plain

Sizes = Mapping[str, float] | float | None
"""Public guesses of how large the values of columns are: by their names, or one for all."""


@dataclass(frozen=True, slots=True)
class ExpectedColumn(Plain):
    """A noisy column of an answer.

    Attributes:
        name: of the column.
        width: the half-width of its 95 % interval in each group; None where that depends on the
            data.
        relative: the same, as a part of the size that was given for the column.
        why: there is no width, and what is known instead.
        groups: how many groups there are; None where only the run tells.
        threshold: for private groups the least noisy number of units of one that is shown.
        cut: what does not count, whatever it is: what the enforced bounds can hide.
    """

    name: str
    width: float | None
    relative: float | None
    why: str | None
    groups: int | None
    threshold: Number | None
    cut: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name}: {self.off_by}"

    @property
    def off_by(self) -> str:
        """How far it will be off, in words."""
        off = f"± {figure(self.width)} at 95 %" if self.width is not None else f"{self.why}"
        part = "" if self.relative is None else f", {figure(100 * self.relative)} % of its size"
        shown = "" if self.threshold is None else f", shown from {figure(self.threshold)} units on"
        return f"{off}{part}; {sentences.groups(self.groups)}{shown}"


def expected(compiled: Compiled, size: Sizes) -> tuple[ExpectedColumn, ...]:
    """The noisy columns of a query; none of a public one.

    Args:
        compiled: the query.
        size: public guesses.
    """
    query = compiled.query
    if not isinstance(query, ReleasedQuery) or not query.releases:
        return ()
    releases = releases_of(query)
    made = {name.lower(): places for name, places in measurements(query).items()}
    given = {name.lower(): s for name, s in size.items()} if isinstance(size, Mapping) else {}
    averages = {one.name: one for one in computed(query, releases) if one.per_row}
    limits = [release.threshold for release in releases if release.threshold is not None]
    found: list[ExpectedColumn] = []
    for place in noisy(query):
        name = query.names[place]
        own = [releases[i] for i in made.get(name.lower(), ())] or [*releases]
        width, why = None, None
        try:
            width = width_of(query, place, 0.95)
        except NotCalibrated:
            why = _otherwise(own, averages.get(name))
        of = given.get(name.lower()) if isinstance(size, Mapping) else size
        further = query.trace is None or query.trace.across
        counts = {None if further else release.groups for release in own}
        found.append(
            ExpectedColumn(
                name,
                width,
                width / of if width is not None and of else None,
                why,
                counts.pop() if len(counts) == 1 else None,
                limits[0] if limits else None,
                tuple(dict.fromkeys(words for release in own for words in release.cut)),
            )
        )
    return tuple(found)


def _otherwise(own: Sequence[Release], average: Computed | None) -> str:
    """What is known of a column whose half-width depends on the data."""
    if average is not None:
        return f"± {figure(average.interval())} / values at 95 %"
    if len(own) == 1 and own[0].mechanism in PICKING:
        unit = "rows of its rank" if own[0].l1 else "of the best"
        return f"within {figure(own[0].interval())} {unit} at 95 %"
    if any(release.clipping is not None for release in own):
        return "± by a clip that the data gives"
    return "± that only the run tells: computed further from noisy numbers"
