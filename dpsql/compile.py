"""text -> everything that is known before a private row is read.

The result is a function of the query's text, the schema and ε alone: accept or reject, groups,
sensitivities, noise, cost and the SQL that will run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import chain

from sqlglot import exp

from dpsql.core.account.amount import Cost
from dpsql.core.account.events import Event
from dpsql.core.account.loss import NOTHING, Loss
from dpsql.core.calibrate.calibration import PlannedRelease
from dpsql.core.calibrate.choosing import chosen
from dpsql.core.calibrate.options import DEFAULT, Options
from dpsql.core.emit.plans import Source, nested
from dpsql.core.emit.plans import table as sql_table
from dpsql.core.emit.printing import printed
from dpsql.core.enforce.staged import staged
from dpsql.core.infer.kind import kind_of, released_only
from dpsql.core.infer.properties import each_once
from dpsql.core.infer.public_work import public_rows, public_steps
from dpsql.core.plan.expr import columns_of
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.invariants import check
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import Join, Plan, Scan, each, nodes
from dpsql.core.plan.sizes import check_sizes
from dpsql.core.release.effort import within
from dpsql.core.release.feed import Feed
from dpsql.core.release.marks import marked
from dpsql.core.release.release import Release
from dpsql.core.release.several import kinds_of
from dpsql.core.release.statements import plans, statements
from dpsql.core.release.trace import Traced, trace
from dpsql.core.release.weighing import weighed
from dpsql.core.schema import Schema, Table
from dpsql.errors import Diagnostic, Rejected, Span, shallow
from dpsql.front.bind import bind
from dpsql.front.clock import set_clock
from dpsql.front.engine_check import check_public, check_read
from dpsql.front.metadata import Rows, first_word
from dpsql.front.parse import parse
from dpsql.front.public import public_tables, translated
from dpsql.front.resolve.by_place import by_place
from dpsql.front.resolve.debias import debias
from dpsql.front.resolve.equal_terms import with_equalities
from dpsql.front.resolve.one_unit import with_units
from dpsql.front.resolve.place_help import with_help
from dpsql.front.resolve.points import split
from dpsql.front.resolve.time_keys import with_parts
from dpsql.front.resolve.time_numbers import with_numbers
from dpsql.front.syntax import as_read
from dpsql.front.tables import rewritten
from dpsql.once import Once

MISNAMED = frozenset({"DP201", "DP202", "DP203", "DP208"})
"""Problems with names, of which our own analysis says more than the engine does."""


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
        planned: the release points with their noise, in order.
        minimum: groups of fewer units are not shown, where groups are private.
        joint: what all Gaussian noise costs together; None where there is none.
        feeds: what releases read of those before them, by the name they use.
        tables: the public tables that post-processing reads.
        single: queries over public tables that must have one row at most, and where they stand.
    """

    names: tuple[str, ...]
    plan: Plan
    planned: tuple[PlannedRelease, ...]
    minimum: int
    joint: Cost | None
    feeds: Mapping[str, Feed]
    tables: tuple[Table, ...]
    single: tuple[tuple[Plan, Span | None], ...]
    _trace: Callable[[], Traced | None] = field(repr=False, compare=False)
    _shown: Callable[[], Plan] = field(repr=False, compare=False)
    _post: Callable[[], str] = field(repr=False, compare=False)

    @property
    def releases(self) -> tuple[Release, ...]:
        """The release points, in order."""
        return tuple(planned.release for planned in self.planned)

    @property
    def trace(self) -> Traced | None:
        """How the noise reaches the output columns; None where that is not modelled. It is found
        when it is first asked for: whether a query is accepted does not depend on it.
        """
        return self._trace()

    @property
    def shown(self) -> Plan:
        """The plan that is run after the releases: its first columns are the query's, those after
        them tell the rows apart; see `trace` and `marks`.
        """
        return self._shown()

    @property
    def post_sql(self) -> str:
        """The post-processing query over the noisy tables; printed when it is first asked for."""
        return self._post()


@dataclass(frozen=True, slots=True)
class Compiled:
    """A query that was accepted, and what it costs.

    Attributes:
        text: of the query, and `dialect` whose SQL it is.
        schema: that it was read with.
        query: what is run.
        loss: what it is charged; nothing if it is public.
        events: the noise that it draws, which costs at most that; none if it is public.
        policy: where the policy has several kinds of unit, and the query reads rows of one: the
            schema of all; else None.
        eps, options: that it was compiled with.
    """

    text: str
    schema: Schema
    query: PublicQuery | ReleasedQuery
    loss: Loss
    events: tuple[Event, ...]
    dialect: str = "duckdb"
    policy: Schema | None = None
    eps: Fraction = Fraction(0)
    options: Options = DEFAULT

    @property
    def asked_of(self) -> Schema:
        """The schema of all kinds of unit, which the query was compiled with."""
        return self.schema if self.policy is None else self.policy

    @property
    def cost(self) -> Cost:
        """(ε, δ) of the loss."""
        return self.loss.cost

    @property
    def sql(self) -> str:
        """The text in one form: DuckDB's words, one line, no comments."""
        if self.dialect == "duckdb":
            return _canonical(self.text)
        return _printed(parse(self.text, self.dialect, self.asked_of.types()))


@lru_cache(maxsize=256)
def _canonical(text: str) -> str:
    return _printed(parse(text))


def _printed(tree: exp.Query) -> str:
    return tree.sql(dialect="duckdb", comments=False)


def compile_query(
    text: str,
    schema: Schema,
    eps: Fraction,
    dialect: str = "duckdb",
    options: Options = DEFAULT,
) -> Compiled:
    """Prove a query private at `eps`, or reject it.

    Args:
        text: one SELECT.
        schema: what is public.
        eps: the total ε of the query.
        dialect: whose SQL it is; see `dpsql.front.dialects`.
        options: δ and the kinds of noise.

    Raises:
        Rejected: with the problem, its place and the smallest fix, shown in `text`.
        UnknownDialect: for a dialect that is none.
    """
    problem: Rejected | None = None
    try:
        with each_once():
            made = shallow(lambda: _compile(text, schema, eps, dialect, options), text)
        return replace(made, eps=eps, options=options)
    except Rejected as rejected:
        problem = rejected.at(text)
    raise problem


def _compile(text: str, schema: Schema, eps: Fraction, dialect: str, options: Options) -> Compiled:
    tree = parse(text, dialect, schema.types())
    # What SHOW may be followed by, `metadata` says.
    duckdb = dialect == "duckdb" and first_word(text)[0] != "show"
    read = as_read(text, tree) if duckdb else None
    if isinstance(read, Diagnostic):
        raise Rejected(_more(tree, schema) or (read,))
    found = rewritten(set_clock(tree, options.at, schema), schema, partial(_described, schema))
    tree = found.tree
    if found.changed and read is not None:
        read = translated(tree)
    public = public_tables(tree, schema, made=found.metadata)
    if public is not None:
        sql = read if read is not None and options.at is None else translated(tree)
        known = _bound_plans(tree.copy(), schema)
        for plan in known:  # before the engine plans it
            check_sizes(plan)
        try:
            check_public(sql, public, schema, text)
        except Rejected as unplaced:
            raise Rejected(_misnamed(tree, schema) or unplaced.diagnostics) from None
        _check_public_work(known, schema)
        return Compiled(text, schema, PublicQuery(sql, public), NOTHING, (), dialect)
    bound, ids = bind(tree, schema)
    if found.metadata:
        message = "the tables of information_schema go with public tables alone"
        raise Rejected(Diagnostic("DP104", message, None, "ask for them in a query of their own"))
    if schema.kinds:
        kinds = kinds_of([bound.plan], schema)
        if len(kinds) == 1:
            own = replace(kinds[0].alone(), crowded=schema.crowded)
            alone = _compile(text, own, eps, dialect, options)
            return replace(alone, policy=schema)
    check_sizes(bound.plan)
    scanned = [node.table for node in each(bound.plan) if isinstance(node, Scan)]
    said = with_numbers(with_parts(with_equalities(check(bound.plan)), ids), ids)
    asked, coins = debias(with_help(by_place(said, ids), ids), ids)
    parts = split(
        check(with_units(asked, schema, ids)),
        schema,
        ids,
        thresholds=bool(options.delta),
        clipping=options.clipping,
    )
    gaussian = options.noise != "laplace"
    plan, releases = parts.plan, tuple(weighed(r, gaussian=gaussian) for r in parts.releases)
    traced = Once(trace, plan, releases, coins, ids)
    shown = Once(_shown, plan, traced, ids)
    wanted = _wanted(options, bound.names, traced) if options.weights else {}
    every = [plan, *(feed.plan for feed in parts.feeds.values())]
    for made in every:  # which are guarded now, and so larger
        check_sizes(released_only(made))
    within(sum(r.work for r in releases), schema)
    _check_public_work([*every, *(r.aggregate for r in releases)], schema)
    _check_stages(releases, schema)
    if read is not None:
        named = map(schema.table, {table.name for table in scanned})
        check_read(read, filter(None, named), schema, [c.type for c in bound.plan.columns])
    noise = chosen(releases, eps, options, wanted, schema.min_units)
    tables = {n.table.name: n.table for p in every for n in nodes(p) if isinstance(n, Scan)}
    query = ReleasedQuery(
        names=bound.names,
        plan=plan,
        planned=noise.planned,
        minimum=schema.min_units,
        joint=noise.joint,
        feeds=parts.feeds,
        tables=tuple(tables.values()),
        single=parts.single,
        _trace=traced,
        _shown=shown,
        _post=Once(_post_sql, shown),
    )
    return Compiled(text, schema, query, noise.loss, noise.events, dialect)


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
    for plan in chain(*map(plans, releases)):
        for stage in staged(plan)[1]:
            rows = 0 if kind_of(stage.plan) is Kind.TRACKED else public_rows(stage.plan)
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


def _more(tree: exp.Query, schema: Schema) -> tuple[Diagnostic, ...]:
    """What our own analysis says of a text that DuckDB cannot read; often it knows why."""
    try:
        bind(tree, schema)
    except Rejected as rejected:
        return rejected.diagnostics
    except Exception:  # whatever else it meets in a tree of no SQL
        pass
    return ()


def _wanted(
    options: Options, names: tuple[str, ...], traced: Callable[[], Traced | None]
) -> dict[int, Fraction]:
    """How much each aggregate matters: as much as the most wanted column that is made from it."""
    found = traced()
    if found is None or found.across:
        message = "columns can be weighted only where each row is one row of one release"
        raise Rejected(Diagnostic("DP104", message))
    wanted: dict[int, Fraction] = {}
    given = {name.lower(): weight for name, weight in options.weights}
    unknown = given.keys() - {name.lower() for name in names}
    if unknown:
        message = f"a weight is given for {min(unknown)}, which is no column of the answer"
        raise Rejected(Diagnostic("DP202", message, None, f"its columns are {', '.join(names)}"))
    for name, expr in zip(names, found.outputs, strict=True):
        weight = given.get(name.lower(), Fraction(1))
        for column in columns_of(expr):
            wanted[column] = max(weight, wanted.get(column, Fraction(0)))
    return wanted


def _shown(plan: Plan, traced: Callable[[], Traced | None], ids: Ids) -> Plan:
    found = traced()
    return marked(plan, ids) if found is None else found.plan


def _post_sql(shown: Callable[[], Plan]) -> str:
    return plan_sql(shown())


def engine_sql(compiled: Compiled, source: Source | None = None) -> tuple[str, ...]:
    """The SQL that the engine will run, one text a release; or the public query's own.

    Raises:
        Rejected: it is too deeply nested to be printed.
    """
    query, where = compiled.query, source or plain_source
    if isinstance(query, PublicQuery):
        return (query.sql,)

    def printed() -> tuple[str, ...]:
        made = (statements(point, where, pretty=True) for point in query.releases)
        return tuple(text for point in made for text in point.every)

    return shallow(printed, compiled.text)


def plain_source(table: Table) -> exp.Expr:
    """A table by its own name, for explanations without an engine."""
    return sql_table("main", table.name)


def plan_sql(plan: Plan) -> str:
    """A plan over the noisy tables and public ones, as the post-processing database runs it."""
    tree = nested(plan, lambda t: sql_table(t.name))
    return printed(tree, pretty=True)
