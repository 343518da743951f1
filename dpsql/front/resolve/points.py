"""Release points: where a plan's private part ends and post-processing begins.

    Sort(Project(Filter(Aggregate(Join(orders, customer)))))
    Sort(Project(Filter(Released r1)))   and the release r1

Everything above reads noisy answers and public tables only, so it costs nothing (post-processing,
Dwork & Roth 2014, Proposition 2.1). What was released may be read by another private plan, as a
public table would be: a *feed*. Each release's sensitivity holds for whatever its feeds contain, so
that their costs add up (adaptive composition). An aggregate that the query writes twice is two
releases; a WITH query that it uses twice is one.

Resolving goes bottom up and leaves no WITH query, no subquery and no FULL JOIN of private rows.
Each kind of node has a rule, see `RULES`.

A rule that is wrong makes another question of what was asked; it cannot make one that leaks. Claim:
whatever plan the rules leave, only releases show private rows, and each moves as it claims. Why:
`kind.released_only` refuses a plan above the releases that reads a private table, and a release
proves what it claims of its own rows, and refuses a form that should not be there any more.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from dpsql.core.infer.tracking import kind_of, private_root
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import Aggregate, Apply, Filter, Join, Named, Plan, Union, Window, each
from dpsql.core.release.feed import Feed
from dpsql.core.release.release import Release
from dpsql.core.schema import Schema
from dpsql.errors import Span
from dpsql.front.resolve.distinct_rows import distinct_rows
from dpsql.front.resolve.group_by import best_group, grouped
from dpsql.front.resolve.joined_rows import joined, union
from dpsql.front.resolve.mixed_union import mixed_union
from dpsql.front.resolve.modes import modes
from dpsql.front.resolve.presence import counted_groups
from dpsql.front.resolve.set_counts import set_counts
from dpsql.front.resolve.state import Resolution, Rule
from dpsql.front.resolve.subqueries import subquery
from dpsql.front.resolve.whole_partitions import of_totals, totals
from dpsql.front.resolve.windows_of_unit import windows_of_unit
from dpsql.front.resolve.with_queries import with_query

RULES = (
    Rule("WITH", Named, with_query, inputs_first=False),
    Rule("subquery", Apply, subquery, inputs_first=False),
    Rule("counts of sets", Aggregate, set_counts, inputs_first=False),
    Rule("distinct rows", Aggregate, distinct_rows, inputs_first=False),
    Rule("unions with others", Aggregate, mixed_union, inputs_first=False),
    Rule("best group", Aggregate, best_group, inputs_first=False),
    Rule("conditions on totals", Filter, of_totals),
    Rule("aggregates of totals", Aggregate, of_totals),
    Rule("modes of public values", Aggregate, modes),
    Rule("groups", Aggregate, grouped),
    Rule("windows of one unit", Window, windows_of_unit),
    Rule("totals of partitions", Window, totals),
    Rule("join", Join, joined),
    Rule("union", Union, union),
)
"""The first that is for a node, and takes it, resolves it."""


@dataclass(frozen=True, slots=True)
class Split:
    """A query at its release points.

    Attributes:
        plan: what is above them; post-processing.
        releases: in the order in which they are made.
        feeds: what releases read of those before them, by name.
        single: queries over public tables that must have one row at most, and where they stand.
    """

    plan: Plan
    releases: tuple[Release, ...]
    feeds: dict[str, Feed]
    single: tuple[tuple[Plan, Span | None], ...] = ()


def split(
    plan: Plan, schema: Schema, ids: Ids, *, thresholds: bool = False, clipping: str = "auto"
) -> Split:
    """The plan above its release points, and the releases.

    Args:
        plan: what is asked.
        schema: what is public.
        ids: new columns.
        thresholds: whether there is a δ, so that group keys may be private.
        clipping: where the data says how much a unit may add, see `dpsql.core.calibrate.options`.

    Raises:
        Rejected: DP401 and DP404 where the root would be private rows; and what `release` rejects.
    """
    uses = Counter(id(node.query) for node in each(plan) if isinstance(node, Named))
    state = Resolution(schema, ids, RULES, thresholds, clipping, counted_groups(plan), uses)
    above = state.problems.attempt(lambda: state.plan(plan))
    state.problems.check()
    assert above is not None
    if kind_of(above) is Kind.TRACKED:
        raise private_root(above)
    single = tuple((state.finished(plan), span) for plan, span in state.single)
    return Split(state.finished(above), tuple(state.releases), state.feeds, single)
