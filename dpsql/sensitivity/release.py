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

from collections.abc import Mapping
from dataclasses import dataclass, replace

from dpsql.analyze.domain import Domain, Keys, domain_of, filtered_keys
from dpsql.analyze.multiplicity import Bound
from dpsql.analyze.properties import Properties, analyze
from dpsql.errors import Diagnostic, Problems, Rejected
from dpsql.plan.expr import Column, Expr, columns_of
from dpsql.plan.invariants import check
from dpsql.plan.nodes import Aggregate, Plan, Released, map_expressions
from dpsql.plan.values import Values
from dpsql.policy.schema import Schema
from dpsql.rewrite.attach_unit import unit_path
from dpsql.rewrite.cells import Cells, Input
from dpsql.rewrite.members import members, tested_keys
from dpsql.rewrite.normal import Normaliser
from dpsql.rewrite.secure import secure
from dpsql.rewrite.secure_plan import Securer
from dpsql.sensitivity import average, count
from dpsql.sensitivity import sum as sums
from dpsql.sensitivity.arguments import arguments_of, inputs_of
from dpsql.sensitivity.measures import (
    Argument,
    Linear,
    Measure,
    Measurements,
    Output,
    Quotient,
    Setting,
)
from dpsql.sensitivity.words import label, reasons
from dpsql.sql.functions.typing import sum_type
from dpsql.sql.ids import Ids
from dpsql.types import DOUBLE

MAX_ROWS = 2**40
"""A bound on rows per unit beyond it is none: products of counts would leave 128 bits."""


@dataclass(frozen=True, slots=True)
class Release:
    """A release point, ready to be executed.

    Attributes:
        table: what its noisy answer is called in post-processing.
        node: the leaf that replaces the aggregate in the plan above.
        domain: the groups that are output.
        cells: the exact query; None where nothing private is measured.
        measures: what is released with noise, in order.
        labels: a name for each measure.
        reasons: for each measure, why its sensitivity is what it is.
        outputs: the query's aggregates, made from the measures.
        setting: what the sensitivities rest on.
    """

    table: str
    node: Released
    domain: Domain
    cells: Cells | None
    measures: tuple[Measure, ...]
    labels: tuple[str, ...]
    reasons: tuple[tuple[str, ...], ...]
    outputs: tuple[Output, ...]
    setting: Setting


def release(aggregate: Aggregate, schema: Schema, ids: Ids, table: str) -> Release:
    """The release of an aggregate over tracked rows.

    Raises:
        Rejected: DP3xx and DP4xx.
    """
    _supported(aggregate)
    used = frozenset(c.id for c in aggregate.columns)
    grouped = Normaliser(schema, ids).aggregate(aggregate, used)
    securer = Securer(schema, ids)
    tree, before = securer.plan(grouped.input)
    renewed = map_expressions(grouped, securer.renewed)
    assert isinstance(renewed, Aggregate)
    aggregate, plain = renewed, renewed.keys
    properties = analyze(check(tree), schema)
    keys = tuple(
        _retyped(column, secure(e, properties.proven, properties.claimed, value=False))
        for column, e in plain
    )
    problems = Problems()
    filtered = filtered_keys(tree, plain, properties)
    found = problems.attempt(lambda: domain_of(keys, tree, properties, filtered))
    aggregated = problems.attempt(lambda: arguments_of(aggregate, tree, properties))
    problems.attempt(lambda: _check_rows(properties, aggregate))
    problems.check()
    assert found is not None and aggregated is not None
    domain, (originals, arguments) = found, aggregated
    setting = _setting(keys, domain, properties, schema)
    measurements = Measurements(setting, arguments)
    outputs = _outputs(aggregate, originals, measurements)
    inputs = inputs_of(arguments, tuple(measurements.measures))
    everywhere = (before.proven, before.claimed)
    tested = tested_keys(keys, plain, domain, properties, everywhere)
    cells = _cells(tree, tested, inputs, domain, properties, schema, ids)
    columns = tuple(c for c, _ in keys) + tuple(o.column for o in outputs)
    measures = tuple(measurements.measures)
    return Release(
        table=table,
        node=released_node(table, columns, keys, domain),
        domain=domain,
        cells=cells if any(m.constant is None for m in measures) else None,
        measures=measures,
        labels=tuple(label(m, originals, outputs, n) for n, m in enumerate(measures)),
        reasons=tuple(
            reasons(m, originals, arguments, setting, _rows_why(properties), domain)
            for m in measures
        ),
        outputs=outputs,
        setting=setting,
    )


RELEASED = frozenset({"count", "sum", "avg"})


def _supported(aggregate: Aggregate) -> None:
    problems = [
        Diagnostic(
            "DP204",
            f"the aggregate {call.function}{' of distinct values' * call.distinct} of private rows "
            "is not supported yet",
            call.span,
            "use COUNT, SUM or AVG",
        )
        for _, call in aggregate.calls
        if call.function not in RELEASED or call.distinct
    ]
    if problems:
        raise Rejected(tuple(problems))


def released_node(table: str, columns: tuple[Column, ...], keys: Keys, domain: Domain) -> Released:
    """The leaf that stands for the release above it: its keys are unique, and public."""
    listed = {key.column.id: key for key in domain.listed}
    values = {
        i: Values(nullable=None in key.values, finite=tuple(v for v in key.values if v is not None))
        for i, key in listed.items()
    }
    key = frozenset(c.id for c, _ in keys)
    fields = tuple(f"c{c.id}" for c in columns)
    return Released(table, columns, fields, (key,), domain.size, values)


def _retyped(column: Column, expr: Expr) -> tuple[Column, Expr]:
    """The key's column with the type that its secured expression has."""
    return (column if column.type == expr.type else replace(column, type=expr.type)), expr


def _check_rows(properties: Properties, aggregate: Aggregate) -> None:
    rows = properties.rows.claimed
    if rows is None or rows > MAX_ROWS:
        message = f"nothing bounds how many rows one unit has: {properties.rows_why}"
        help = "declare max_rows for that column in the policy"
        span = aggregate.calls[0][1].span if aggregate.calls else aggregate.span
        raise Rejected(Diagnostic("DP302", message, span or aggregate.span, help))


def _setting(
    keys: tuple[tuple[Column, Expr], ...],
    domain: Domain,
    properties: Properties,
    schema: Schema,
) -> Setting:
    rows = properties.rows.claimed
    assert rows is not None
    used = frozenset(c for _, e in keys for c in columns_of(e))
    table = schema.table(schema.unit_table)
    assert table is not None
    return Setting(
        rows=rows,
        groups=domain.size,
        one_group=used <= properties.determined,
        public_rows=table.rows if properties.complete and not keys else None,
        neighbours=schema.neighbours,
    )


def _outputs(
    aggregate: Aggregate, originals: Mapping[int, tuple[int, Expr]], measurements: Measurements
) -> tuple[Output, ...]:
    """Counts first, then averages, then sums: a sum uses a count that is there anyway."""
    formulas: dict[int, Output] = {}
    for wanted in ("count", "avg", "sum"):
        for column, call in aggregate.calls:
            if call.function != wanted:
                continue
            index = originals[column.id][0] if column.id in originals else None
            if wanted == "count":
                formula: Linear | Quotient = count.count(measurements, index)
            elif wanted == "avg":
                assert index is not None
                formula = average.average(measurements, index)
            else:
                assert index is not None
                formula = sums.total(measurements, index)
                column = _sum_column(column, measurements.arguments[index])
            formulas[column.id] = Output(column, formula)
    return tuple(formulas[column.id] for column, _ in aggregate.calls)


def _sum_column(column: Column, argument: Argument) -> Column:
    """SUM is of the type that holds its lattice: whole, decimal, or else DOUBLE."""
    lattice = argument.lattice
    assert lattice is not None
    kind = DOUBLE if lattice.expr.type.is_integer and lattice.step != 1 else lattice.expr.type
    return replace(column, type=sum_type(kind))


def _cells(
    tree: Plan,
    keys: tuple[tuple[Column, Expr], ...],
    inputs: tuple[Input, ...],
    domain: Domain,
    properties: Properties,
    schema: Schema,
    ids: Ids,
) -> Cells:
    rows = properties.rows
    quota = rows.claimed if _must_enforce(rows) else None
    needed = quota is not None or not properties.owned
    path = unit_path(tree, properties, schema, ids) if needed else None
    if quota is not None and path is None:
        message = "each row is a unit, and one of them could meet several rows of a public table"
        help = "declare the key of that table in the policy and join on it"
        raise Rejected(Diagnostic("DP403", message, None, help))
    return Cells(
        plan=tree,
        keys=keys,
        inputs=inputs,
        members=members(domain, properties),
        path=path,
        quota=quota,
        unit_not_null=path is not None and not _unit_present(path.unit, properties),
    )


def _must_enforce(rows: Bound) -> bool:
    return rows.proven is None or (rows.claimed is not None and rows.claimed < rows.proven)


def _rows_why(properties: Properties) -> str:
    how = "enforced per unit" if _must_enforce(properties.rows) else "proven"
    return f"{how} ({properties.rows_why})"


def _unit_present(unit: Column, properties: Properties) -> bool:
    values = properties.proven.get(unit.id)
    return values is not None and not values.nullable
