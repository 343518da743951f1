"""Policies with several kinds of unit: which kinds the rows of a query are of, and the release of
rows that are of two.

    units: [customers.id, suppliers.id]
    SELECT COUNT(*) FROM orders                    of customers: as if they were the only kind
    SELECT COUNT(*) FROM lines                     of customers and of suppliers

A query is of the kinds of all private tables that it reads, whatever it makes of them. Where that
is one, it is compiled by the schema of that kind alone. Else each aggregate of private rows is a
release of its own: one of rows of one kind is measured as that kind's; one of two is truncated.

Claim: where a unit of either kind goes, a truncated number moves by at most its threshold τ, and a
vector of them over groups by K·τ (L1), K the most groups that one unit can be in.
Why: `enforce.truncation` says which rows go: below are inner joins, filters and projections, which
`_checked` sees to; two private tables are joined along the unit of each kind that both are of
(`infer.joins`, by the schema of each kind, to which the tables of others are fixed rows). For
those `noise.truncated` has the proof, for each sign: both fall, so that their difference moves
by no more than the larger does. Group keys are read from public tables or listed: a table of any
kind is no public list (`infer.domain`). Nothing is bounded by `max_rows`: to cut the rows of one
kind may bring in rows of the other, so that the cuts of one would widen what the other moves.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dpsql.core.enforce.members import members
from dpsql.core.enforce.truncation import Truncation, Weighed, grid
from dpsql.core.functions.build import make
from dpsql.core.infer.properties import analyze
from dpsql.core.infer.tracking import kind_of
from dpsql.core.infer.work import unit_work
from dpsql.core.plan.expr import Column, Expr, Ref
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import (
    Aggregate,
    Filter,
    Join,
    Plan,
    Project,
    Scan,
    inputs,
    nodes,
    with_inputs,
)
from dpsql.core.release.bound import Sensitivity
from dpsql.core.release.effort import checked, unbounded
from dpsql.core.release.families import PickRequests, formulas
from dpsql.core.release.formulas import Output
from dpsql.core.release.in_groups import own_groups
from dpsql.core.release.measures import Argument, Measure, Measurements
from dpsql.core.release.measures import Kind as Measured
from dpsql.core.release.release import (
    Analysed,
    Release,
    analysed_once,
    limited,
    output_column,
    release,
    released_node,
)
from dpsql.core.schema import Schema
from dpsql.core.shape.attach_unit import unit_path
from dpsql.errors import Diagnostic, Rejected, Span


def kinds_of(plans: Iterable[Plan], schema: Schema) -> list[Schema]:
    """The kinds of unit that rows of private tables in the plans are of; none where all is public.

    Args:
        plans: bound by the schema, or by that of one of its kinds.
        schema: of a policy with several kinds of unit.
    """
    read = {n.table.name.lower() for p in plans for n in nodes(p) if isinstance(n, Scan)}
    return [kind for kind in schema.kinds if any(kind.tables[name].private for name in read)]


def schema_of(plan: Plan, schema: Schema) -> Schema:
    """The schema by which the rows of a release were analysed, of two kinds of unit that of the
    first; the schema itself where there is one kind.
    """
    tables = [node.table for node in nodes(plan) if isinstance(node, Scan)]

    def has(kind: Schema) -> bool:
        return all(kind.tables[t.name.lower()].private == t.private for t in tables)

    return next((kind for kind in schema.kinds if has(kind)), schema)


def released(aggregate: Aggregate, schema: Schema, ids: Ids, table: str) -> Release:
    """The release of an aggregate over private rows, of one kind of unit or of two.

    Args:
        aggregate: what is asked.
        schema: of a policy with several kinds of unit.
        ids: new columns.
        table: what its noisy answer is called.

    Raises:
        Rejected: DP407 for what is not measured of rows of several kinds; DP2xx, DP3xx and DP4xx.
    """
    _checked(aggregate.input, aggregate.span)
    kinds = kinds_of([aggregate.input], schema)
    if len(kinds) == 1:
        (kind,) = kinds
        return release(_aggregate(aggregate, kind), kind.alone(), ids, table)
    if len(kinds) > 2:
        raise _refused(
            f"the rows belong to {len(kinds)} kinds of unit",
            "two at most can be protected together: read fewer private tables",
            aggregate.span,
        )
    _check_calls(aggregate)
    found = analysed_once(
        _aggregate(aggregate, kinds[0]), kinds[0], ids, thresholds=False, clipping="adaptive"
    )
    return _truncated(found, kinds, ids, table, aggregate)


def _checked(plan: Plan, span: Span | None) -> None:
    """Refuse all but inner joins, filters and projections of private tables: whatever else is there
    could bring in rows of one unit where another one goes.
    """
    if kind_of(plan) is not Kind.TRACKED:
        if kind_of(plan) is Kind.RELEASED:
            message = "noisy answers are joined with rows of several kinds of unit"
            raise _refused(message, "ask for them in a query of their own", span)
        return
    if isinstance(plan, Scan):
        return
    if isinstance(plan, Join) and plan.kind not in ("inner", "matched"):
        if plan.kind == "full" or kind_of(plan.right) is Kind.TRACKED:
            raise _refused(
                "whether private rows have a match, or exist, is asked of rows of several kinds "
                "of unit",
                "use an inner join: JOIN … ON …",
                plan.span or span,
            )
    elif not isinstance(plan, Filter | Project | Join):
        what = type(plan).__name__.lower()
        message = f"private rows of several kinds of unit below an aggregate: {what}"
        help = "aggregate joined and filtered rows of tables, without subqueries that aggregate"
        raise _refused(message, help, getattr(plan, "span", None) or span)
    for child in inputs(plan):
        _checked(child, span)


def _check_calls(aggregate: Aggregate) -> None:
    for _, call in aggregate.calls:
        if call.function not in ("count", "sum") or call.distinct:
            what = call.function.upper() + "(DISTINCT …)" * call.distinct
            message = f"{what} of rows of two kinds of unit is not supported"
            help = "use COUNT and SUM; an average is SUM(x) / COUNT(x)"
            raise _refused(message, help, call.span)


def _aggregate(aggregate: Aggregate, kind: Schema) -> Aggregate:
    return replace(aggregate, input=_as(aggregate.input, kind))


def _as(plan: Plan, kind: Schema) -> Plan:
    """The plan with the tables as the schema of a kind has them."""
    if isinstance(plan, Scan):
        table = kind.table(plan.table.name)
        assert table is not None
        return replace(plan, table=table)
    return with_inputs(plan, tuple(_as(child, kind) for child in inputs(plan)))


def _truncated(
    found: Analysed, kinds: list[Schema], ids: Ids, table: str, asked: Aggregate
) -> Release:
    tree, units = _with_units(found.aggregate.input, kinds, ids)
    first, second = ((_as(tree, kind), kind) for kind in kinds)
    known = [analyze(*pair) for pair in (first, second)]
    touched = [own_groups(found.keys, found.domain, k) for k in known]
    known_groups = [n for n in touched if n is not None]
    groups = max(known_groups) if len(known_groups) == len(touched) else found.domain.product
    measurements = _Plain(found.setting, found.arguments)
    made = formulas(found.aggregate, frozenset(), found.places, measurements, PickRequests())
    outputs = tuple(
        Output(output_column(column, call, measurements, found.places), made[column.id])
        for column, call in found.aggregate.calls
    )
    every = tuple(measurements.arguments)
    many = groups or 1
    moved = Sensitivity(many, many, many, 1)
    measures = tuple(
        replace(m, sensitivity=moved) if m.adaptive else m for m in measurements.measures
    )
    columns = tuple(c for c, _ in found.keys) + tuple(o.column for o in outputs)
    limited(found.domain, len(measures), asked)
    above: list[Expr] = [e for _, e in found.keys] + [a.expr for a in every]
    works = [unit_work(plan, above, kind) for plan, kind in (first, second)]
    for work in works:
        if not work.linear:
            raise unbounded(work, asked)
    rows = [k.rows.claimed for k in known]
    most = None if None in rows else max(n for n in rows if n is not None)
    truncation = Truncation(
        plan=tree,
        keys=found.builder.keys,
        members=members(found.domain, found.properties),
        units=(units[0], units[1]),
        kinds=(kinds[0].unit, kinds[1].unit),
        values=tuple(_weighed(n, m, every, most) for n, m in enumerate(measures) if m.adaptive),
        groups=groups,
    )
    return Release(
        table=table,
        node=released_node(table, columns, found.keys, found.domain, found.properties),
        domain=found.domain,
        arguments=every,
        clipping=truncation if truncation.values else None,
        measures=measures,
        outputs=outputs,
        setting=found.setting,
        aggregate=found.aggregate,
        work=max(checked(work, 1, asked, kind) for work, kind in zip(works, kinds, strict=True)),
    )


class _Plain(Measurements):
    """Sums are measured as they are, not around the middle of their range: what is truncated is
    then the sum itself, and its count apart.
    """

    def has_count(self, index: int) -> bool:
        """Whether a sum is made from a count."""
        return False


def _weighed(
    number: int, measure: Measure, arguments: tuple[Argument, ...], rows: int | None
) -> Weighed:
    ends = grid(measure.contribution.magnitude, rows)
    if measure.input is None:
        return Weighed(number, None, True, ends)
    argument = arguments[measure.input]
    if measure.kind is Measured.VALUES:
        return Weighed(number, argument.expr, True, ends)
    assert measure.kind is Measured.SUM and argument.lattice is not None
    signed = measure.contribution.low < 0
    return Weighed(number, argument.lattice.expr, False, ends, signed)


def _with_units(plan: Plan, kinds: list[Schema], ids: Ids) -> tuple[Plan, list[Column]]:
    """The rows joined to the tables that lead to their unit of each kind, and these units. What is
    joined here is analysed with the rest: a table on the way to one kind may be of the other too,
    and of another unit of it than the row.
    """
    units: list[Column] = []
    for kind in kinds:
        seen = _as(plan, kind)
        path = unit_path(seen, analyze(seen, kind), kind, ids)
        if path is None:
            raise _refused(f"no column leads to the unit {kind.unit}", "join its table", None)
        for step in path.steps:
            condition = make("eq", (Ref(step.column), Ref(step.key)), None)
            plan = Join(plan, _widened(step.scan, ids), condition)
        units.append(path.unit)
    return _as(plan, kinds[0]), units


def _widened(scan: Scan, ids: Ids) -> Scan:
    """The scan with the columns by which all kinds know its rows."""
    known = {field.lower() for field in scan.fields}
    table = scan.table
    more = [
        name for name in dict.fromkeys((*table.key, *table.others)) if name.lower() not in known
    ]
    found = [column for column in map(table.column, more) if column is not None]
    columns = tuple(ids.column(c.name, c.type) for c in found)
    return replace(
        scan,
        columns=(*scan.columns, *columns),
        fields=(*scan.fields, *(c.name for c in found)),
    )


def _refused(message: str, help: str, span: Span | None) -> Rejected:
    return Rejected(Diagnostic("DP407", message, span, help))
