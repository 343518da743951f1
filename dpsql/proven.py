"""text -> what is proven of a query before its noise: the same at any ε.

It is kept, and given noise of any size: of one text, schema and `Reading` there is one proof, since
nothing else is asked by what makes it. A schema is equal to itself alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache, partial
from itertools import chain

from sqlglot import exp

from dpsql.core.calibrate.options import Clipping, Options
from dpsql.core.infer.public_work import public_rows, public_steps
from dpsql.core.infer.tracking import released_only
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.invariants import check
from dpsql.core.plan.nodes import Join, Plan, Scan, each, nodes
from dpsql.core.plan.sizes import check_sizes
from dpsql.core.release.effort import within
from dpsql.core.release.feed import Feed
from dpsql.core.release.marks import marked
from dpsql.core.release.release import Release
from dpsql.core.release.several import kinds_of
from dpsql.core.release.statements import public_stages
from dpsql.core.release.trace import Traced, trace
from dpsql.core.release.weighing import weighed
from dpsql.core.schema import Schema, Table
from dpsql.errors import Diagnostic, Rejected, Span
from dpsql.front import foreign
from dpsql.front.bind import bind
from dpsql.front.clock import set_clock
from dpsql.front.engine_check import check_public, check_read
from dpsql.front.metadata import Rows, first_word
from dpsql.front.parse import parse
from dpsql.front.public import public_tables, translated
from dpsql.front.resolve.by_place import by_place
from dpsql.front.resolve.debias import debias
from dpsql.front.resolve.equal_terms import with_equalities
from dpsql.front.resolve.integer_widths import with_widths
from dpsql.front.resolve.one_unit import with_units
from dpsql.front.resolve.place_help import with_help
from dpsql.front.resolve.points import split
from dpsql.front.resolve.time_keys import with_parts
from dpsql.front.resolve.time_numbers import with_numbers
from dpsql.front.resolve.unread import without_unread
from dpsql.front.syntax import as_read, problem_of
from dpsql.front.tables import rewritten
from dpsql.once import Once

MISNAMED = frozenset({"DP201", "DP202", "DP203", "DP208"})
"""Problems with names, of which our own analysis says more than the engine does."""


KEPT = 64
"""The last queries whose proofs are kept."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How a text is read.

    Attributes:
        dialect: whose SQL it is.
        at: see `Options`.
        thresholds: whether there is a δ, with which groups may be found in the data.
        clipping: see `Options`.
        gaussian: whether noise may be so distributed.
    """

    dialect: str
    at: datetime | None
    thresholds: bool
    clipping: Clipping
    gaussian: bool

    @classmethod
    def of(cls, dialect: str, options: Options) -> Reading:
        """How a text is read with these options, whatever their δ and weights."""
        gaussian = options.noise != "laplace"
        return cls(dialect, options.at, bool(options.delta), options.clipping, gaussian)


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
class Proven:
    """A query with release points, before their noise.

    Attributes:
        schema: that it was proven with: of one kind of unit, where there are several and it reads
            rows of one.
        names, plan, feeds, tables, single: see `ReleasedQuery`.
        releases: in order, as they are measured apart.
        trace: how the noise reaches the output columns; None where that is not modelled.
        shown: the plan that is run after the releases.
    """

    schema: Schema
    names: tuple[str, ...]
    plan: Plan
    releases: tuple[Release, ...]
    feeds: Mapping[str, Feed]
    tables: tuple[Table, ...]
    single: tuple[tuple[Plan, Span | None], ...]
    trace: Once[Traced | None]
    shown: Once[Plan]


@lru_cache(maxsize=KEPT)
def proven(text: str, schema: Schema, reading: Reading) -> PublicQuery | Proven:
    """What is known of a query whatever its ε.

    Raises:
        Rejected: with the problem and its place.
        UnknownDialect: for a dialect that is none.
    """
    tree = _parsed(text, schema, reading)
    # What SHOW may be followed by, `metadata` says.
    duckdb = reading.dialect == "duckdb" and first_word(text)[0] != "show"
    read = as_read(text, tree) if duckdb else None
    if isinstance(read, Diagnostic):
        raise Rejected(_more(tree, schema, read) or (foreign.told(read, text),))
    found = rewritten(set_clock(tree, reading.at, schema), schema, partial(_described, schema))
    tree = found.tree
    if found.changed and read is not None:
        read = translated(tree)
    public = public_tables(tree, schema, made=found.metadata)
    if public is not None:
        sql = read if read is not None and reading.at is None else translated(tree)
        known = _bound_plans(tree.copy(), schema)
        for plan in known:  # before the engine plans it
            check_sizes(plan)
        try:
            check_public(sql, public, schema, text)
        except Rejected as unplaced:
            raise Rejected(_misnamed(tree, schema) or unplaced.diagnostics) from None
        _check_public_work(known, schema)
        return PublicQuery(sql, public)
    bound, ids = bind(tree, schema)
    if found.metadata:
        message = "the tables of information_schema go with public tables alone"
        raise Rejected(Diagnostic("DP104", message, None, "ask for them in a query of their own"))
    if schema.kinds:
        kinds = kinds_of([bound.plan], schema)
        if len(kinds) == 1:
            own = replace(kinds[0].alone(), crowded=schema.crowded, counted=schema.counted)
            return proven(text, own, reading)
    check_sizes(bound.plan)
    scanned = [node.table for node in each(bound.plan) if isinstance(node, Scan)]
    used = without_unread(bound.plan)
    said = with_numbers(with_parts(with_equalities(check(with_widths(used))), ids), ids)
    asked, coins = debias(with_help(by_place(said, ids), ids), ids)
    parts = split(
        check(with_units(asked, schema, ids)),
        schema,
        ids,
        thresholds=reading.thresholds,
        clipping=reading.clipping,
    )
    plan = parts.plan
    releases = tuple(weighed(r, gaussian=reading.gaussian) for r in parts.releases)
    traced = Once(trace, plan, releases, coins, ids)
    shown = Once(_shown, plan, traced, ids)
    every = [plan, *(feed.plan for feed in parts.feeds.values())]
    for made in every:  # which are guarded now, and so larger
        check_sizes(released_only(made))
    within(sum(r.work for r in releases), schema)
    _check_public_work([*every, *(r.aggregate for r in releases)], schema)
    if not schema.counted:
        _check_stages(releases, schema)
    if read is not None:
        named = map(schema.table, {table.name for table in scanned})
        check_read(read, filter(None, named), schema, [c.type for c in bound.plan.columns])
    tables = {n.table.name: n.table for p in every for n in nodes(p) if isinstance(n, Scan)}
    return Proven(
        schema=schema,
        names=bound.names,
        plan=plan,
        releases=releases,
        feeds=parts.feeds,
        tables=tuple(tables.values()),
        single=parts.single,
        trace=traced,
        shown=shown,
    )


def _described(schema: Schema, query: exp.Query) -> Rows:
    """The columns of a query, for DESCRIBE: it need not be one that is answered."""
    found = rewritten(query.copy(), schema, partial(_described, schema))
    public = public_tables(found.tree, schema, made=found.metadata)
    if public is not None:
        sql = translated(found.tree)
        columns = check_public(sql, public, schema)
    else:
        bound, _ = bind(found.tree, schema)
        columns = [(n, str(c.type)) for n, c in zip(bound.names, bound.plan.columns, strict=True)]
    return [(name, kind, "YES", None, None, None) for name, kind in columns]


def _bound_plans(tree: exp.Query, schema: Schema) -> list[Plan]:
    """The plan of a public query; none where it is more than our own analysis knows."""
    try:
        return [bind(tree, schema)[0].plan]
    except Rejected:
        return []


def _check_public_work(plans: list[Plan], schema: Schema) -> None:
    """Refuse what public rows alone would make endless.

    Raises:
        Rejected: DP502.
    """
    most = schema.limits.public_work
    for plan in plans:
        steps, node = public_steps(plan)
        if steps > most:
            message = f"public rows alone could make about {steps:.0e} steps, more than {most:,}"
            help = "join on equal columns, or declare in the policy how many rows the tables have"
            span = node.span if isinstance(node, Join) else None
            raise Rejected(Diagnostic("DP502", message, span, help))


def _check_stages(releases: tuple[Release, ...], schema: Schema) -> None:
    """Refuse public rows that are too many to be kept for private ones: whether they are looked at
    depends on these.

    Raises:
        Rejected: DP502.
    """
    most = schema.limits.public_rows
    for stage in chain(*map(public_stages, releases)):
        rows = public_rows(stage)
        if rows > most:
            message = f"private rows meet a query over public tables of about {rows:.0e} rows"
            message += f", more than {most:,}"
            help = "use SELECT DISTINCT or aggregate in it, or declare rows of its tables"
            raise Rejected(Diagnostic("DP502", message, None, help))


def _misnamed(tree: exp.Query, schema: Schema) -> tuple[Diagnostic, ...]:
    """What our own analysis says of a query's names: with their places, and near ones."""
    try:
        bind(tree, schema)
    except Rejected as rejected:
        return tuple(d for d in rejected.diagnostics if d.code in MISNAMED)
    return ()


def _parsed(text: str, schema: Schema, reading: Reading) -> exp.Query:
    """What our own parser makes of it. What is no SQL to DuckDB either is told as DuckDB tells it,
    unless we know what to change.
    """
    try:
        return parse(text, reading.dialect, schema.types())
    except Rejected as rejected:
        [own, *_] = rejected.diagnostics
        if reading.dialect != "duckdb" or own.code != "DP101" or own.help is not None:
            raise
        problem = foreign.told(problem_of(text) or own, text)
        if problem is own:
            raise
    raise Rejected(problem, text)


def _more(tree: exp.Query, schema: Schema, read: Diagnostic) -> tuple[Diagnostic, ...]:
    """What our own analysis says of a text that DuckDB does not read, if it knows what to write,
    or DuckDB does not say where.
    """
    try:
        bind(rewritten(tree.copy(), schema, partial(_described, schema)).tree, schema)
    except Rejected as rejected:
        return tuple(d for d in rejected.diagnostics if d.help is not None or read.span is None)
    except Exception:  # whatever else it meets in a tree of no SQL
        pass
    return ()


def _shown(plan: Plan, traced: Once[Traced | None], ids: Ids) -> Plan:
    found = traced()
    return marked(plan, ids) if found is None else found.plan
