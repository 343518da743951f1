"""Will the engine take what is about to be charged? Every statement of a query is bound, not run,
on empty tables: those that read private rows, those that post-processing runs, and those between.

Claim: a query that passes here fails after the charge for want of resources or by a defect of the
engine alone, and what is loaded for a released or public relation has the plan's types.
Why: binding looks up every name and resolves every type and function, of tables of the same
columns; running adds values only, of which none can make a total expression fail. What is bound is
printed from the plan, so a failure is a mistake of ours, or a construct that the engine has not. It
is a function of the query and the schema: rejecting it tells nothing, and costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dpsql.compile import ReleasedQuery, plan_sql
from dpsql.core.emit.plans import Source
from dpsql.core.emit.printing import printed
from dpsql.core.enforce.cells_sql import feed_sql, feeds_of, loaded_type, parameter
from dpsql.core.plan.expr import Column
from dpsql.core.plan.nodes import Released
from dpsql.core.release.feed import Feed
from dpsql.core.release.picks import Best
from dpsql.core.release.release import Release
from dpsql.core.release.statements import Statements, plans
from dpsql.errors import Diagnostic, Rejected
from dpsql.execution.cells import groups_text
from dpsql.execution.loaded import table_columns
from dpsql.execution.reading import feed_text
from dpsql.platform.engine.empty import Empty, EmptyBinder, Unbound, Unsaid
from dpsql.types import Type


def bind_statements(
    query: ReleasedQuery, texts: Sequence[Statements], source: Source, empty: Empty
) -> None:
    """Bind all that a run of the query would send to an engine.

    Args:
        query: accepted.
        texts: the statements of each release.
        source: how the engine's tables are written.
        empty: the engine's tables, without rows.

    Raises:
        Rejected: DP105, or DP106 where another engine than DuckDB cannot be asked for it; nothing
            was read, and nothing was charged.
    """
    problem: Diagnostic | None = None
    try:
        with empty.opened() as binder:
            _bind(query, texts, source, binder)
    except Unsaid as unsaid:
        problem = Diagnostic("DP106", unsaid.message, None, "write it without that")
    except Unbound as unbound:
        message = f"the engine does not take what this becomes: {unbound.message}"
        problem = Diagnostic("DP105", message, None, "write it in another way")
    if problem is not None:
        raise Rejected(problem)


def _bind(
    query: ReleasedQuery, texts: Sequence[Statements], source: Source, binder: EmptyBinder
) -> None:
    for table in query.tables:
        binder.table(table.name, [(c.name, c.type) for c in table.columns])
    for number, (release, statements) in enumerate(zip(query.releases, texts, strict=True)):
        _groups(release, source, binder)
        found = {node.name: node for plan in plans(release) for node in feeds_of(plan)}
        for node in found.values():
            _feed(query.feeds[node.name], node, binder)
        parameters = [parameter(n.name, field) for n in found.values() for field in n.fields]
        for text in statements.every:
            binder.types(text, [p for p in parameters if f"${p}" in text])
        binder.table(release.table, table_columns(query, number))
    _expect("the answer", binder.types(query.post_sql), query.plan.columns)


def _groups(release: Release, source: Source, binder: EmptyBinder) -> None:
    best = [pick.domain for pick in release.picks if isinstance(pick, Best)]
    for domain in (release.domain, *best):
        if not domain.private:
            for public in domain.public:
                found = binder.types(groups_text(public, source))
                _expect("the groups", found, public.columns)


def _feed(feed: Feed, node: Released, binder: EmptyBinder) -> None:
    """What is read from the scratch database, and what a private statement makes of it."""
    _expect("a release", binder.types(plan_sql(feed.plan)), feed.columns)
    binder.types(feed_text(feed))
    loaded = printed(feed_sql(node))
    _same(
        "a release",
        binder.types(loaded, [parameter(node.name, f) for f in node.fields]),
        [loaded_type(c.type) for c in node.columns],
    )


def _expect(what: str, found: Sequence[Type], columns: Iterable[Column]) -> None:
    """The columns, and perhaps more, have the plan's types."""
    _same(what, found, [c.type for c in columns])


def _same(what: str, found: Sequence[Type], wanted: Sequence[Type]) -> None:
    for mine, its in zip(wanted, found, strict=False):
        if mine != its and not (mine.is_opaque or mine.name in ("NULL", "ENUM")):
            raise Unbound(f"{what} would have a {its} where the plan has a {mine}")
