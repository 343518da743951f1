"""text -> everything that is known before a private row is read: its proof, with noise.

The result is a function of the query's text, the schema and ε alone: accept or reject, groups,
sensitivities, noise, cost and the SQL that will run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

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
from dpsql.core.infer.properties import each_once
from dpsql.core.plan.expr import columns_of
from dpsql.core.plan.nodes import Plan
from dpsql.core.release.feed import Feed
from dpsql.core.release.release import Release
from dpsql.core.release.statements import statements
from dpsql.core.release.trace import Traced
from dpsql.core.schema import Schema, Table
from dpsql.errors import Diagnostic, Rejected, Span, shallow
from dpsql.front.parse import parse
from dpsql.front.tokens import check_text
from dpsql.once import Once
from dpsql.proven import PublicQuery, Reading, proven


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
    _trace: Once[Traced | None] = field(repr=False, compare=False)
    _shown: Once[Plan] = field(repr=False, compare=False)
    _post: Once[str] = field(repr=False, compare=False)

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
            return shallow(lambda: _compiled(text, schema, eps, dialect, options), text)
    except Rejected as rejected:
        problem = rejected.at(text)
    raise problem


def _compiled(
    text: str, asked_of: Schema, eps: Fraction, dialect: str, options: Options
) -> Compiled:
    check_text(text)  # it is a key of what is kept, which a list cannot be
    found = proven(text, asked_of, Reading.of(dialect, options))
    if isinstance(found, PublicQuery):
        return Compiled(text, asked_of, found, NOTHING, (), dialect, None, eps, options)
    schema, names = found.schema, found.names
    wanted = _wanted(options, names, found.trace) if options.weights else {}
    noise = chosen(found.releases, eps, options, wanted, schema.min_units)
    query = ReleasedQuery(
        names=names,
        plan=found.plan,
        planned=noise.planned,
        minimum=schema.min_units,
        joint=noise.joint,
        feeds=found.feeds,
        tables=found.tables,
        single=found.single,
        _trace=found.trace,
        _shown=found.shown,
        _post=Once(_post_sql, found.shown),
    )
    policy = None if schema is asked_of else asked_of
    return Compiled(text, schema, query, noise.loss, noise.events, dialect, policy, eps, options)


def _wanted(
    options: Options, names: tuple[str, ...], traced: Once[Traced | None]
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


def _post_sql(shown: Once[Plan]) -> str:
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
