"""text -> everything that is known before a private row is read.

The result is a function of the query's text, the schema and ε alone: accept or reject, groups,
sensitivities, noise, cost and the SQL that will run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

from sqlglot import exp

from dpsql.accounting.amount import Cost
from dpsql.accounting.compose import basic
from dpsql.accounting.split import split as share
from dpsql.errors import Diagnostic, Rejected
from dpsql.mechanism.laplace import DiscreteLaplace
from dpsql.mechanism.protocol import NoiseError
from dpsql.plan.invariants import InvariantError, check
from dpsql.plan.nodes import Plan, Scan, nodes
from dpsql.policy.schema import Schema, Table
from dpsql.rewrite.cells_sql import cells_sql
from dpsql.sensitivity.points import Feed, split
from dpsql.sensitivity.release import Release
from dpsql.sensitivity.trace import Traced, trace
from dpsql.sql.bind import bind
from dpsql.sql.emit import Source, nested
from dpsql.sql.emit import table as sql_table
from dpsql.sql.parse import parse
from dpsql.sql.public import public_query
from dpsql.sql.public_check import check_public


@dataclass(frozen=True, slots=True)
class PublicQuery:
    """A query over public tables alone: run as it is, in the scratch database.

    Attributes:
        sql: printed again from the syntax tree.
        tables: the public tables that it reads.
    """

    sql: str
    tables: tuple[Table, ...]


@dataclass(frozen=True, slots=True)
class ReleasedQuery:
    """A query with release points.

    Attributes:
        names: the output columns.
        plan: what is above the release points.
        releases: the release points, in order.
        noise: for each release, for each measure, the noise that it gets.
        feeds: what releases read of those before them, by the name they use.
        tables: the public tables that post-processing reads.
    """

    names: tuple[str, ...]
    plan: Plan
    releases: tuple[Release, ...]
    noise: tuple[tuple[DiscreteLaplace, ...], ...]
    feeds: Mapping[str, Feed]
    tables: tuple[Table, ...]
    _trace: Callable[[], Traced | None] = field(repr=False, compare=False)

    @property
    def trace(self) -> Traced | None:
        """How the noise reaches the output columns; None where that is not modelled. It is found
        when it is first asked for: whether a query is accepted does not depend on it.
        """
        return self._trace()


@dataclass(frozen=True, slots=True)
class Compiled:
    """A query that was accepted, and what it costs."""

    text: str
    schema: Schema
    query: PublicQuery | ReleasedQuery
    cost: Cost


def compile_query(text: str, schema: Schema, eps: Fraction, dialect: str = "duckdb") -> Compiled:
    """Prove a query private at `eps`, or reject it.

    Args:
        text: one SELECT.
        schema: what is public.
        eps: the total ε of the query.
        dialect: whose SQL it is; see `dpsql.sql.dialects`.

    Raises:
        Rejected: with the problem, its place and the smallest fix, shown in `text`.
        UnknownDialect: for a dialect that is none.
    """
    problem: Rejected | None = None
    try:
        return _compile(text, schema, eps, dialect)
    except Rejected as rejected:
        problem = rejected.at(text)
    except RecursionError:
        problem = Rejected(Diagnostic("DP103", "the query is too deeply nested"), text)
    raise problem


def _compile(text: str, schema: Schema, eps: Fraction, dialect: str) -> Compiled:
    tree = parse(text, dialect)
    public = public_query(tree, schema)
    if public is not None:
        read = tuple(t for t in map(schema.table, public.tables) if t is not None)
        check_public(public.sql, read, schema)
        return Compiled(text, schema, PublicQuery(public.sql, read), Cost(Fraction(0)))
    bound, ids = bind(tree, schema)
    found = split(check(bound.plan), schema, ids)
    plan, releases = found.plan, found.releases
    noise = _calibrated(releases, eps)
    events = [
        n.event(m.sensitivity.l1)
        for point, noises in zip(releases, noise, strict=True)
        for m, n in zip(point.measures, noises, strict=True)
    ]
    spent = any(m.sensitivity.l1 for point in releases for m in point.measures)
    if basic(events).eps > eps:  # calibration rounds each scale up, so its ε down
        raise InvariantError("the noise of a query costs more than its ε")
    every = [plan, *(feed.plan for feed in found.feeds.values())]
    tables = {n.table.name: n.table for p in every for n in nodes(p) if isinstance(n, Scan)}
    query = ReleasedQuery(
        names=bound.names,
        plan=plan,
        releases=releases,
        noise=noise,
        feeds=found.feeds,
        tables=tuple(tables.values()),
        _trace=cache(lambda: trace(plan, releases, ids)),
    )
    return Compiled(text, schema, query, Cost(eps if spent else Fraction(0)))


def _calibrated(
    releases: tuple[Release, ...], eps: Fraction
) -> tuple[tuple[DiscreteLaplace, ...], ...]:
    """Noise for every measure: ε is split evenly over those that need any."""
    needy = [m for point in releases for m in point.measures if m.sensitivity.l1]
    shares = iter(share(eps, len(needy))) if needy else iter(())
    result: list[tuple[DiscreteLaplace, ...]] = []
    for point in releases:
        noises: list[DiscreteLaplace] = []
        for measure, label in zip(point.measures, point.labels, strict=True):
            l1 = measure.sensitivity.l1
            try:
                noises.append(DiscreteLaplace.calibrate(l1, next(shares) if l1 else eps))
            except NoiseError:
                message = f"the noise of {label} would not fit 64 bits at this ε"
                help = "use a larger ε, or narrower bounds"
                raise Rejected(Diagnostic("DP305", message, None, help)) from None
        result.append(tuple(noises))
    return tuple(result)


def engine_sql(compiled: Compiled, source: Source | None = None) -> tuple[str, ...]:
    """The SQL that the engine will run, one text a release; or the public query's own."""
    if isinstance(compiled.query, PublicQuery):
        return (compiled.query.sql,)
    where = source or plain_source
    return tuple(
        cells_sql(point.cells, where).sql(dialect="duckdb", pretty=True)
        for point in compiled.query.releases
        if point.cells is not None
    )


def plain_source(table: Table) -> exp.Expr:
    """A table by its own name, for explanations without an engine."""
    return sql_table("main", table.name)


def post_sql(compiled: ReleasedQuery) -> str:
    """The post-processing query over the noisy tables."""
    return plan_sql(compiled.trace.plan if compiled.trace is not None else compiled.plan)


def plan_sql(plan: Plan) -> str:
    """A plan over the noisy tables and public ones, as the post-processing database runs it."""
    return nested(plan, lambda t: sql_table(t.name)).sql(dialect="duckdb", pretty=True)
