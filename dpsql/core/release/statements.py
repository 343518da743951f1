"""The SQL that the engine runs for a release: one statement for each kind of thing measured."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from dpsql.core.emit.plans import Keeping, Source
from dpsql.core.emit.printing import printed
from dpsql.core.enforce.asked_cells import Cells
from dpsql.core.enforce.cells_sql import cells_sql
from dpsql.core.enforce.clipped import Clipping
from dpsql.core.enforce.clipped_sql import clipped_sql
from dpsql.core.enforce.pairs_sql import pairs_sql
from dpsql.core.enforce.staged import staged
from dpsql.core.enforce.truncation import Truncation
from dpsql.core.enforce.truncation_sql import truncation_sql
from dpsql.core.enforce.unit_rows import kept_queries
from dpsql.core.infer.tracking import kind_of
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import Plan
from dpsql.core.release.release import Release


@dataclass(frozen=True, slots=True)
class Statements:
    """The SQL of a release: of its sums (None where nothing private is added up), or of its clipped
    sums, of each table of distinct values, of each pick.

    Attributes:
        kept: of these some, each with a query in it whose rows may be kept; see `Keeping`.
    """

    cells: str | None
    clipping: str | None
    pairs: tuple[str, ...]
    picks: tuple[str, ...]
    kept: tuple[tuple[str, str], ...] = ()

    @property
    def every(self) -> tuple[str, ...]:
        """All of them."""
        sums = [text for text in (self.cells, self.clipping) if text is not None]
        return (*sums, *self.pairs, *self.picks)

    def kept_in(self, text: str) -> list[str]:
        """The queries in one of them whose rows may be kept."""
        return [query for statement, query in self.kept if statement == text]


def statements(release: Release, source: Source, *, pretty: bool = False) -> Statements:
    """The SQL of a release's exact cells."""

    kept: list[tuple[str, str]] = []

    def cells(found: Cells) -> str:
        query = cells_sql(found, source)
        text = printed(query, pretty=pretty)
        if isinstance(source, Keeping):
            kept.extend((text, printed(part)) for part in kept_queries(query))
        return text

    def clipping(found: Clipping | Truncation) -> exp.Query:
        if isinstance(found, Truncation):
            return truncation_sql(found, source)
        return clipped_sql(found, source)

    return Statements(
        cells=None if release.cells is None else cells(release.cells),
        clipping=None
        if release.clipping is None
        else printed(clipping(release.clipping), pretty=pretty),
        pairs=tuple(printed(pairs_sql(pairs, source), pretty=pretty) for pairs, _ in release.pairs),
        picks=tuple(cells(pick.cells) for pick in release.picks),
        kept=tuple(kept),
    )


def plans(release: Release) -> list[Plan]:
    """The rows that a release's statements read."""
    found = [] if release.cells is None else [release.cells.plan]
    if isinstance(release.clipping, Truncation):
        found.append(release.clipping.plan)
    elif release.clipping is not None:
        found.append(release.clipping.cells.plan)
    found += [pairs.plan for pairs, _ in release.pairs]
    return found + [pick.cells.plan for pick in release.picks]


def public_stages(release: Release) -> list[Plan]:
    """The public and released rows that private ones meet, as far as they are computed first."""
    found = (stage.plan for plan in plans(release) for stage in staged(plan)[1])
    return [plan for plan in found if kind_of(plan) is not Kind.TRACKED]
