"""One release: an aggregate of private rows, from its plan to what is measured, and why it is safe.

The passes run in this order, each on the output of the one before:

    normal       blocks of joins along the unit and its keys; keys that public tables list
    secure       claims enforced, every function total
    analyze      kind, unit, keys, multiplicity, ranges of every node
    domain_of    the public list of groups; rows of other groups are dropped
    measures     the shared base measurements and their sensitivities
    unit_path    how the engine finds each row's unit, where that is needed
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from dpsql.core.enforce.as_declared import as_declared
from dpsql.core.enforce.asked_cells import Cells
from dpsql.core.enforce.clipped import Clipping
from dpsql.core.enforce.cut_rows import cut_rows
from dpsql.core.enforce.members import tested_keys
from dpsql.core.enforce.pairs import Capacities, Pairs
from dpsql.core.enforce.secure import as_read, secure
from dpsql.core.enforce.secure_plan import Securer
from dpsql.core.enforce.short_texts import short_texts
from dpsql.core.enforce.truncation import Truncation
from dpsql.core.functions.aggregates import called, result_type
from dpsql.core.functions.typing import sum_type
from dpsql.core.infer.domain import (
    MAX_GROUPS,
    Domain,
    Keys,
    domain_of,
    filtered_keys,
)
from dpsql.core.infer.properties import Properties, analyze
from dpsql.core.infer.ranges import infer
from dpsql.core.infer.unit import UNIT
from dpsql.core.infer.work import Work, unit_work
from dpsql.core.plan.expr import Column, Expr, Ref, columns_of
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.invariants import check
from dpsql.core.plan.nodes import (
    Aggregate,
    AggregateCall,
    Plan,
    Released,
    map_expressions,
)
from dpsql.core.plan.values import Values, of_options
from dpsql.core.release.arguments import Places, arguments_of, inputs_of
from dpsql.core.release.calendar_keys import in_calendar
from dpsql.core.release.effort import checked, unbounded
from dpsql.core.release.families import HELP, PickRequests, formulas, known
from dpsql.core.release.formulas import Exceeds, Output
from dpsql.core.release.in_groups import in_listed_groups, in_one_group, own_groups
from dpsql.core.release.joint import Joint
from dpsql.core.release.labels import labels, pick_label
from dpsql.core.release.measures import APART, Argument, Measure, Measurements, Setting
from dpsql.core.release.one_clip import with_one_clip
from dpsql.core.release.partition import partitions
from dpsql.core.release.picks import Best, Pick
from dpsql.core.release.queries import Builder, must_enforce, pairs_of, pick_of, row_is_a_unit
from dpsql.core.release.released_ranges import released_range
from dpsql.core.release.shared import chains, shared
from dpsql.core.release.subsets import subsets
from dpsql.core.release.together import pairs as pairs_together
from dpsql.core.schema import Schema
from dpsql.core.shape.normal import Normaliser
from dpsql.errors import Diagnostic, Problems, Rejected
from dpsql.types import BIGINT, DOUBLE

MAX_ROWS = 2**40
"""A bound on rows per unit beyond it is none: products of counts would leave 128 bits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A release point, ready to be executed.

    Attributes:
        table: what its noisy answer is called in post-processing.
        node: the leaf that replaces the aggregate in the plan above.
        domain: the groups that are output.
        cells: the exact query of the sums; None where nothing private is added up.
        clipping: the same where sums are clipped, or truncated, when it is run.
        pairs: the exact queries of distinct values, each by the measures that read it.
        picks: what is picked, each with its own exact query.
        units: for private groups, the measure that counts their units.
        arguments: what is aggregated, and what would be if all of `pairable` were taken.
        measures: what is released with noise, in order.
        pairable: measures that could be taken together; see `together` and `partition`.
        outputs: the query's aggregates, made from the measures.
        setting: what the sensitivities rest on.
        aggregate: what is asked, over the private rows as they are proven; for people.
        work: the most steps that one unit can cause, see `infer.work`.
    """

    table: str
    node: Released
    domain: Domain
    cells: Cells | None = None
    clipping: Clipping | Truncation | None = None
    pairs: tuple[tuple[Pairs, tuple[int, ...]], ...] = ()
    picks: tuple[Pick | Best, ...] = ()
    units: int | None = None
    arguments: tuple[Argument, ...] = ()
    measures: tuple[Measure, ...] = ()
    pairable: tuple[Joint, ...] = ()
    outputs: tuple[Output, ...]
    setting: Setting
    aggregate: Aggregate
    work: int

    @property
    def labels(self) -> tuple[str, ...]:
        """A name for each measure."""
        return labels(self.measures, self.arguments, self.outputs)

    @property
    def pick_labels(self) -> tuple[str, ...]:
        """A name for each pick."""
        return tuple(pick_label(pick, self.arguments) for pick in self.picks)

    def capacities(self, number: int) -> Capacities:
        """Of a unit, for a measure of distinct values that are matched with units."""
        found = next(pairs.capacities for pairs, numbers in self.pairs if number in numbers)
        assert found is not None
        return found


def release(
    aggregate: Aggregate,
    schema: Schema,
    ids: Ids,
    table: str,
    *,
    thresholds: bool = False,
    clipping: str = "auto",
    present: Column | None = None,
) -> Release:
    """The release of an aggregate over tracked rows.

    Args:
        aggregate: what is asked.
        schema: what is public.
        ids: new columns.
        table: what its noisy answer is called.
        thresholds: whether there is a δ, so that group keys may be private.
        clipping: where the data says how much a unit may add, see `dpsql.core.calibrate.options`.
        present: one more column: whether a group seems to have a row. Where groups are private it
            is left out: those that come out have.

    Raises:
        Rejected: DP3xx and DP4xx.
    """
    found = analysed(aggregate, schema, ids, thresholds=thresholds, clipping=clipping)
    aggregate, properties, domain, setting = (
        found.aggregate,
        found.properties,
        found.domain,
        found.setting,
    )
    keys, places, adaptive = found.keys, found.places, setting.adaptive
    measurements = Measurements(setting, found.arguments)
    units = _units(measurements, schema) if domain.private else None
    requests = PickRequests()
    made = formulas(
        aggregate, _unit_arguments(aggregate, properties), places, measurements, requests
    )
    outputs = tuple(
        Output(
            output_column(column, call, measurements, places),
            made[column.id],
            places[column.id][0] if column.id in places else None,
        )
        for column, call in aggregate.calls
    )
    if present is not None and not domain.private:
        rows = Exceeds(measurements.rows(), negated=False, among=True)
        outputs += (Output(present, rows),)
    builder = found.builder
    every = tuple(measurements.arguments)
    measures = shared(tuple(measurements.measures), every, setting)
    measures, outputs = with_one_clip(measures, outputs, every, setting)
    own = chains(measures) if builder.enforced else None
    columns = tuple(c for c, _ in keys) + tuple(o.column for o in outputs)
    added = any(m.kind not in APART and m.constant is None for m in measures)
    # Where units are cut down, one is in the private groups of which it keeps a row.
    kept = (
        added
        and builder.enforced
        and not adaptive
        and units is not None
        and measures[units].kind in APART
    )
    pairs = pairs_of(measures, every, builder, {units} if kept else set())
    picks = tuple(
        pick_of(request.kind, index, grid, request.shares, setting, builder)
        for (index, request, grid) in requests.found(every)
    )
    inputs = inputs_of(every, measures, own)

    ranges = {
        o.column.id: range_
        for o, (_, call) in zip(outputs, aggregate.calls, strict=False)
        if (range_ := released_range(call.function, o, every)) is not None
    }
    limited(domain, len(measures) + len(picks), found.aggregate)
    work = checked(found.work, int(added) + len(pairs) + len(picks), found.aggregate, schema)
    joints, arguments = partitions(measures, outputs, every, setting, units)
    counts, arguments = subsets(measures, outputs, arguments, setting, units)
    joints += counts + pairs_together(measures, outputs, every, setting, units)
    return Release(
        table=table,
        node=released_node(table, columns, keys, domain, properties, ranges),
        domain=domain,
        cells=builder.cells(inputs, units=kept) if added and not adaptive else None,
        clipping=builder.clipping(every, measures) if added and adaptive else None,
        pairs=pairs,
        picks=picks,
        units=units,
        arguments=arguments,
        measures=measures,
        pairable=joints,
        outputs=outputs,
        setting=setting,
        aggregate=aggregate,
        work=work,
    )


def limited(domain: Domain, numbers: int, aggregate: Aggregate) -> None:
    """Refuse more noise than is drawn in a minute: it is drawn for empty groups, too."""
    size = domain.size
    if size is not None and size * numbers > MAX_GROUPS:
        message = f"{size:,} groups with {numbers} noisy numbers each are more than {MAX_GROUPS:,}"
        help = "group by coarser keys, or ask for fewer columns"
        raise Rejected(Diagnostic("DP304", message, aggregate.span, help))


@dataclass(frozen=True, slots=True)
class Analysed:
    """What is known of an aggregate over tracked rows, before anything is measured.

    Attributes:
        aggregate: over the secured rows.
        work: what one unit can cause in each statement that reads them.
        properties: of these rows.
        keys: the group keys.
        domain: the groups that are output.
        places: which arguments each call has.
        arguments: what is aggregated.
        setting: what the sensitivities rest on.
        builder: makes the engine's queries.
    """

    aggregate: Aggregate
    work: Work
    properties: Properties
    keys: Keys
    domain: Domain
    places: Places
    arguments: tuple[Argument, ...]
    setting: Setting
    builder: Builder


def analysed(
    aggregate: Aggregate, schema: Schema, ids: Ids, *, thresholds: bool, clipping: str
) -> Analysed:
    """The first half of a release; its arguments are those of `release`. Where a unit's rows meet
    one another, and their number is only declared, they are cut down to that.

    Raises:
        Rejected: DP2xx, DP3xx and DP4xx; DP501 where nothing is declared.
    """
    found = analysed_once(aggregate, schema, ids, thresholds, clipping)
    if found.work.linear:
        return found
    reduced = replace(aggregate, input=cut_rows(aggregate.input, schema, ids))
    found = analysed_once(reduced, schema, ids, thresholds, clipping)
    if not found.work.linear:
        raise unbounded(found.work, aggregate)
    return found


def analysed_once(
    aggregate: Aggregate, schema: Schema, ids: Ids, thresholds: bool, clipping: str
) -> Analysed:
    """`analysed`, without cutting anybody's rows down."""
    _supported(aggregate)
    used = frozenset(c.id for c in aggregate.columns)
    grouped = Normaliser(schema, ids).aggregate(aggregate, used)
    securer = Securer(schema, ids)
    tree, before = securer.plan(as_declared(grouped, schema))
    tree = short_texts(tree, schema, ids)
    renewed = map_expressions(grouped, securer.renewed)
    assert isinstance(renewed, Aggregate)
    aggregate, plain = renewed, renewed.keys
    properties = analyze(check(tree), schema)
    keys = tuple(
        _retyped(column, secure(e, properties.proven, properties.claimed, value=False))
        for column, e in plain
    )
    problems = Problems()
    as_tested = tuple((c, _as_tested(e, before)) for c, e in plain)
    filtered = filtered_keys(tree, as_tested, properties)
    found = problems.attempt(
        lambda: domain_of(keys, tree, properties, filtered, schema, ids, thresholds=thresholds)
    )
    if found is not None:
        properties = in_listed_groups(keys, found, tree, properties, schema, _rows(properties))
    adaptive = clipping == "adaptive" or (clipping == "auto" and _rows(properties) is None)
    aggregated = problems.attempt(lambda: arguments_of(aggregate, tree, properties, adaptive))
    problems.check()
    assert found is not None and aggregated is not None
    domain, (places, arguments) = found, aggregated
    keys, domain = in_calendar(keys, domain, properties, schema)
    keys = tuple((c, _shown(e, properties) if c in domain.private else e) for c, e in keys)
    setting = _setting(keys, domain, tree, properties, schema, aggregate, clipping, adaptive)
    everywhere = (before.proven, before.claimed)
    tested = tested_keys(keys, plain, domain, properties, everywhere)
    builder = Builder(tree, tested, domain, properties, schema, ids)
    aggregate = replace(aggregate, input=tree)
    work = unit_work(tree, [*(e for _, e in keys), *(a.expr for a in arguments)], schema)
    return Analysed(aggregate, work, properties, keys, domain, places, arguments, setting, builder)


def _supported(aggregate: Aggregate) -> None:
    problems = []
    for _, call in aggregate.calls:
        if call.function not in known(call.distinct):
            name = called(call.function, call.span) + " of distinct values" * call.distinct
            message = f"the aggregate {name} of private rows is not supported"
            usual = "use COUNT, SUM, AVG, a quantile or another statistic"
            help = HELP.get(call.function, usual)
            problems.append(Diagnostic("DP204", message, call.span, help))
    if problems:
        raise Rejected(tuple(problems))


def _units(measurements: Measurements, schema: Schema) -> int:
    """The measure that counts the units of a private group: COUNT(*) where a unit has one row."""
    plain = measurements.setting.public_rows is None and not measurements.setting.adaptive
    if measurements.setting.rows == 1 and plain:
        return measurements.rows().measure
    if schema.unit_column is None:
        raise row_is_a_unit(measurements.setting.rows, "group by keys that are public")
    return measurements.units().measure


def _unit_arguments(aggregate: Aggregate, properties: Properties) -> frozenset[int]:
    """The calls whose argument is the unit itself."""
    return frozenset(
        column.id
        for column, call in aggregate.calls
        if isinstance(call.argument, Ref)
        and properties.anchors.get(call.argument.column.id) == UNIT
        and call.argument.column.id in properties.home
    )


def output_column(
    column: Column, call: AggregateCall, measurements: Measurements, places: Places
) -> Column:
    """The type of what the argument has become. SUM is of the type that holds its lattice: whole,
    decimal, or else DOUBLE; MAX of a sum that needs 128 bits is of 128 bits. REGR_COUNT can be
    negative, as COUNT can.
    """
    if column.id not in places:
        return column
    argument = measurements.arguments[places[column.id][0]]
    if call.function == "regr_count":
        return replace(column, type=BIGINT)
    if call.function != "sum":
        return replace(column, type=result_type(call.function, argument.expr.type, column.type))
    lattice = argument.lattice
    if lattice is None:
        return column
    kind = DOUBLE if lattice.expr.type.is_integer and lattice.step != 1 else lattice.expr.type
    return replace(column, type=sum_type(kind))


def released_node(
    table: str,
    columns: tuple[Column, ...],
    keys: Keys,
    domain: Domain,
    properties: Properties,
    ranges: dict[int, Values] | None = None,
) -> Released:
    """The leaf that stands for the release above it: its keys are unique, and public. Of the
    columns in `ranges` it is known where they lie.
    """
    listed = {key.column.id: key for key in domain.listed}
    values = {
        c.id: Values(length=infer(e, properties.proven).longest)
        for c, e in keys
        if c.type.is_string
    }
    values |= ranges or {}
    values |= {i: of_options(key.values, key.column.type) for i, key in listed.items()}
    key = frozenset(c.id for c, _ in keys)
    fields = tuple(f"c{c.id}" for c in columns)
    return Released(table, columns, fields, (key,), domain.size, values)


def _retyped(column: Column, expr: Expr) -> tuple[Column, Expr]:
    """The key's column with the type that its secured expression has."""
    return (column if column.type == expr.type else replace(column, type=expr.type)), expr


def _as_tested(key: Expr, before: Properties) -> Expr:
    """A key as the query's own conditions have it, which were secured before any of them held."""
    try:
        return secure(key, before.proven, before.claimed, value=False)
    except Rejected:
        return key  # it is total under these conditions alone, and they cannot hold it


def _shown(key: Expr, properties: Properties) -> Expr:
    """A text that is shown stands in the answer, and is no longer than it is declared to be."""
    if key.type.name != "VARCHAR":
        return key
    return as_read(key, properties.proven, properties.claimed)


def _rows(properties: Properties) -> int | None:
    """The bound on rows per unit; None for none that is of use."""
    rows = properties.rows.claimed
    return None if rows is None or rows > MAX_ROWS else rows


def _unbounded(properties: Properties, aggregate: Aggregate) -> Diagnostic:
    message = f"nothing bounds how many rows one unit has: {properties.rows_why}"
    columns = () if properties.rows_why is None else properties.rows_why.undeclared()
    help = f"declare max_rows for {' and '.join(columns) or 'that column'} in the policy"
    span = aggregate.calls[0][1].span if aggregate.calls else aggregate.span
    return Diagnostic("DP302", message, span or aggregate.span, help)


def _setting(
    keys: tuple[tuple[Column, Expr], ...],
    domain: Domain,
    plan: Plan,
    properties: Properties,
    schema: Schema,
    aggregate: Aggregate,
    clipping: str,
    adaptive: bool,
) -> Setting:
    rows = _rows(properties)
    used = frozenset(c for _, e in keys for c in columns_of(e))
    enforced = must_enforce(properties.rows)
    cell = in_one_group(keys, domain, plan, properties, schema)
    table = schema.table(schema.unit_table)
    assert table is not None
    return Setting(
        rows=rows,
        unbounded=_unbounded(properties, aggregate) if rows is None else None,
        adaptive=adaptive,
        groups=domain.product,
        one_group=used <= properties.determined,
        own=own_groups(keys, domain, properties),
        cell=None if enforced or rows is None or cell is None or cell >= rows else cell,
        public_rows=table.rows if properties.complete and not keys else None,
        neighbours=schema.neighbours,
        clipping=clipping,
        unit_column=schema.unit_column is not None,
        enforced=enforced,
        rows_why=properties.rows_why,
    )
