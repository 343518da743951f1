"""What a query reads that is public, and what its releases read of one another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from sqlglot import exp

from dpsql.compile import ReleasedQuery, plan_sql
from dpsql.core.emit.plans import Keeping, Rereading, Source, output_name
from dpsql.core.emit.plans import table as sql_table
from dpsql.core.enforce.cells_sql import feeds_of, parameter, travels
from dpsql.core.plan.invariants import InvariantError
from dpsql.core.release.feed import Feed
from dpsql.core.release.picks import Best
from dpsql.core.release.release import Release
from dpsql.core.release.statements import plans, statements
from dpsql.core.schema import Table
from dpsql.execution import cells
from dpsql.execution.exact import Key
from dpsql.execution.loaded import load
from dpsql.execution.noise import without_noise
from dpsql.platform.engine.protocol import Engine, Snapshot, Workspace
from dpsql.platform.engine.sql_text import name as quoted

Fed = dict[str, list[object]]
"""The released rows that a release reads: its statement's parameters."""


def engine_source(engine: Engine) -> Source:
    """Declared tables by their full names in the engine."""
    return _read_by(engine, lambda table: sql_table(*engine.target(table.name)))


def named_source(engine: Engine, tables: Iterable[Table]) -> Source:
    """The same for some tables, without the engine: for explanations, which analysts keep."""
    names = {table.name: engine.target(table.name) for table in tables}
    return _read_by(engine, partial(_named, names))


def _read_by(engine: Engine, source: Source) -> Source:
    source = Rereading(source) if engine.rereads else source
    return Keeping(source) if engine.keeps else source


def _named(names: Mapping[str, tuple[str, ...]], table: Table) -> exp.Expr:
    return sql_table(*names[table.name])


def public_groups(release: Release, snapshot: Snapshot, source: Source) -> list[Key] | None:
    """The groups that are output; None where they are known only with noise."""
    if release.domain.private:
        return None
    return cells.group_rows(release.domain, release.node.columns, snapshot, source)


def candidates(release: Release, snapshot: Snapshot, source: Source) -> dict[int, list[Key]]:
    """The groups of which the best is asked for, by pick; they are public."""
    return {
        number: cells.group_rows(pick.domain, (pick.key,), snapshot, source)
        for number, pick in enumerate(release.picks)
        if isinstance(pick, Best)
    }


def fed_columns(
    query: ReleasedQuery, release: Release, scratch: Workspace
) -> dict[str, list[object]]:
    """The released rows that a release reads, made from those before it; by parameter."""
    result: dict[str, list[object]] = {}
    names = dict.fromkeys(node.name for plan in plans(release) for node in feeds_of(plan))
    for name in names:
        feed = query.feeds[name]
        rows = scratch.run(feed_text(feed)).rows
        for position, field in enumerate(feed.fields):
            result[parameter(feed.name, field)] = [row[position] for row in rows]
    return result


def feed_text(feed: Feed) -> str:
    """The query for a feed's rows, in a form that Python keeps exactly: see `feed_sql`."""
    if all(travels(c.type) for c in feed.columns):
        return plan_sql(feed.plan)
    items = [
        column if travels(c.type) else f"CAST({column} AS VARCHAR)"
        for c in feed.columns
        for column in (quoted(output_name(c.id)),)
    ]
    return f"SELECT {', '.join(items)} FROM ({plan_sql(feed.plan)}) AS fed"


def exact_feeds(
    query: ReleasedQuery, snapshot: Snapshot, source: Source, scratch: Workspace
) -> list[Fed]:
    """For audits and tests: what each release would read of those before it, were there no noise.

    Args:
        query: the query.
        snapshot: of the data.
        source: how its tables are written.
        scratch: holds the public tables that the query reads.
    """
    result: list[Fed] = []
    for number, release in enumerate(query.releases):
        fed = fed_columns(query, release, scratch)
        groups = public_groups(release, snapshot, source)
        rivals = candidates(release, snapshot, source)
        exact = cells.read(release, groups, snapshot, statements(release, source), fed, rivals)
        load(query, number, without_noise(release, exact), scratch)
        result.append(fed)
    return result


def copy_table(scratch: Workspace, table: Table, engine: Engine, snapshot: Snapshot) -> None:
    """A public table's rows into the scratch database.

    Claim: no private row is ever there, whatever a query was taken for. Why: only this function
    copies rows of the engine, and it refuses a private table.

    Raises:
        InvariantError: the table is private.
    """
    if table.private or table.hidden:
        raise InvariantError("a private table is asked for where public ones are")
    columns = [(c.name, str(c.type)) for c in table.columns]
    scratch.copy(table.name, columns, snapshot, engine.target(table.name))
