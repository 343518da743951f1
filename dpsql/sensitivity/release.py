"""One release: an aggregate of private rows, from its plan to what is measured, and why it is safe.

The passes run in this order, each on the output of the one before:

    flatten      one block of scans under one conjunction
    join_tree    the block as joins along the unit and its keys
    analyze      kind, unit, keys, multiplicity, ranges of every node
    secure       claims enforced, every function total
    domain_of    the public list of groups; rows of other groups are dropped
    measures     the shared base measurements and their sensitivities
    unit_path    how the engine finds each row's unit, where that is needed
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction

from sqlglot import exp

from dpsql.analyze.domain import Domain, ListedKey, domain_of
from dpsql.analyze.multiplicity import Bound
from dpsql.analyze.properties import Properties, analyze
from dpsql.analyze.ranges import Environment, infer
from dpsql.errors import Diagnostic, Rejected
from dpsql.plan.expr import (
    Call,
    Column,
    Expr,
    Literal,
    Ref,
    columns_of,
    substitute,
    transform,
    walk,
)
from dpsql.plan.invariants import check
from dpsql.plan.nodes import Aggregate, AggregateCall, Filter, Join, Plan, Released, Scan, nodes
from dpsql.plan.values import Values, enumerate_interval
from dpsql.policy.schema import Schema
from dpsql.rewrite.attach_unit import unit_path
from dpsql.rewrite.cells import Cells, Input
from dpsql.rewrite.flatten import Block, flatten
from dpsql.rewrite.join_order import join_tree
from dpsql.rewrite.lattice import OnLattice, on_lattice
from dpsql.rewrite.secure import secure, total
from dpsql.sensitivity import average, count
from dpsql.sensitivity import sum as sums
from dpsql.sensitivity.measures import (
    Argument,
    Kind,
    Linear,
    Measure,
    Measurements,
    Output,
    Quotient,
    Setting,
)
from dpsql.sql.build import make
from dpsql.sql.emit import scalar
from dpsql.sql.functions.spec import coerce
from dpsql.sql.functions.typing import sum_type
from dpsql.sql.ids import Ids
from dpsql.types import BOOLEAN, DOUBLE, VARCHAR, Scalar, Type

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
    block = flatten(aggregate.input)
    tree = _secured(check(join_tree(block, schema, _used(aggregate, block))), schema)
    properties = analyze(tree, schema)
    keys = tuple(
        _retyped(
            column, secure(inline(e, block), properties.proven, properties.claimed, value=False)
        )
        for column, e in aggregate.keys
    )
    domain = domain_of(keys, tree, properties)
    originals, arguments = _arguments(aggregate, block, properties, _declared(tree, properties))
    setting = _setting(keys, domain, properties, schema, aggregate)
    measurements = Measurements(setting, arguments)
    outputs = _outputs(aggregate, originals, measurements)
    inputs = _inputs(arguments, tuple(measurements.measures))
    tested = _tested(aggregate, keys, block, domain, properties, _unfiltered(tree, schema))
    cells = _cells(tree, tested, inputs, domain, properties, schema, ids)
    columns = tuple(c for c, _ in keys) + tuple(o.column for o in outputs)
    measures = tuple(measurements.measures)
    return Release(
        table=table,
        node=Released(table, columns),
        domain=domain,
        cells=cells if any(m.constant is None for m in measures) else None,
        measures=measures,
        labels=tuple(_label(m, originals, outputs, n) for n, m in enumerate(measures)),
        reasons=tuple(
            _reasons(m, originals, arguments, setting, properties, domain, schema) for m in measures
        ),
        outputs=outputs,
        setting=setting,
    )


def _used(aggregate: Aggregate, block: Block) -> frozenset[int]:
    """The scan columns that the aggregate reads."""
    arguments = (call.argument for _, call in aggregate.calls if call.argument is not None)
    read = [*(e for _, e in aggregate.keys), *arguments]
    return frozenset().union(*(columns_of(inline(e, block)) for e in read))


def inline(expr: Expr, block: Block) -> Expr:
    """An expression of the aggregate over the block's scan columns."""
    return substitute(expr, block.definitions)


def _retyped(column: Column, expr: Expr) -> tuple[Column, Expr]:
    """The key's column with the type that its secured expression has."""
    return (column if column.type == expr.type else replace(column, type=expr.type)), expr


def _secured(plan: Plan, schema: Schema) -> Plan:
    """Every predicate made total, from what its columns can be *before* any predicate applies:
    the engine may evaluate predicates in any order.
    """
    return _secure_node(plan, *_unfiltered(plan, schema))


def _unfiltered(plan: Plan, schema: Schema) -> tuple[Environment, Environment]:
    """What the columns of the plan's scans can be, proven and claimed, before any predicate."""
    proven: dict[int, Values] = {}
    claimed: dict[int, Values] = {}
    for node in nodes(plan):
        if isinstance(node, Scan):
            properties = analyze(node, schema)
            proven.update(properties.proven)
            claimed.update(properties.claimed)
    return proven, claimed


def _secure_node(plan: Plan, proven: Environment, claimed: Environment) -> Plan:
    if isinstance(plan, Filter):
        predicate = secure(plan.predicate, proven, claimed, value=False)
        return Filter(_secure_node(plan.input, proven, claimed), predicate)
    if isinstance(plan, Join):
        left, right = (_secure_node(p, proven, claimed) for p in (plan.left, plan.right))
        condition = plan.condition
        if condition is not None:
            condition = secure(condition, proven, claimed, value=False)
        return replace(plan, left=left, right=right, condition=condition)
    return plan


# --- groups --------------------------------------------------------------------------------------


def _tested(
    aggregate: Aggregate,
    keys: tuple[tuple[Column, Expr], ...],
    block: Block,
    domain: Domain,
    properties: Properties,
    unfiltered: tuple[Environment, Environment],
) -> tuple[tuple[Column, Expr], ...]:
    """The keys as the engine computes them. One that is tested for membership stands in a predicate
    beside the query's own, and the engine may evaluate those in any order, even below a join: so
    it must be total without them.
    """
    tested = {k.column.id for k in domain.listed if _membership(k, properties) is not None}
    plain = {column.id: e for column, e in aggregate.keys}

    def everywhere(column: Column) -> Expr:
        expr = secure(inline(plain[column.id], block), *unfiltered, value=False)
        # Perhaps of a wider type now; back to the one that the groups are of.
        return total(coerce(expr, column.type), unfiltered[0])

    return tuple((c, everywhere(c) if c.id in tested else e) for c, e in keys)


def _members(domain: Domain, properties: Properties) -> tuple[Expr, ...]:
    """The conditions that drop rows of groups outside the domain, where such could occur at all."""
    tests = (_membership(key, properties) for key in domain.listed)
    return tuple(test for test in tests if test is not None)


def _membership(key: ListedKey, properties: Properties) -> Expr | None:
    """The condition that a group's key is in the domain; None where it always is."""
    fact = infer(key.expr, properties.proven)
    real = [v for v in key.values if v is not None]
    has_null = len(real) < len(key.values)
    known = enumerate_interval(fact, key.expr.type)
    inside = known is not None and set(known) <= set(real)
    if inside and (has_null or not fact.nullable):
        return None
    column = Ref(key.column)
    test = _among(column, real)
    if has_null:
        test = make("or", (test, make("is_null", (column,), None)), None)
    return total(test, {key.column.id: fact})


def _among(expr: Expr, values: list[Scalar]) -> Expr:
    """expr IN values, as a range where they are consecutive whole numbers or dates."""
    if not values:
        return Literal(False, BOOLEAN)
    constants = [Literal(v, _constant_type(v, expr.type)) for v in values]
    if _consecutive(values) and len(values) > 2:
        low = make("ge", (expr, constants[0]), None)
        return make("and", (low, make("le", (expr, constants[-1]), None)), None)
    return make("in", (expr, *constants), None)


def _constant_type(value: Scalar, kind: Type) -> Type:
    return VARCHAR if kind.name == "ENUM" and isinstance(value, str) else kind


def _consecutive(values: list[Scalar]) -> bool:
    whole = [v for v in values if isinstance(v, int) and not isinstance(v, bool)]
    if len(whole) == len(values):
        return whole == list(range(whole[0], whole[0] + len(whole)))
    days = [v.toordinal() for v in values if type(v) is date]
    return len(days) == len(values) and days == list(range(days[0], days[0] + len(days)))


# --- what is aggregated --------------------------------------------------------------------------


def _arguments(
    aggregate: Aggregate, block: Block, properties: Properties, declared: Environment
) -> tuple[dict[int, tuple[int, Expr]], tuple[Argument, ...]]:
    """The distinct arguments; and for each call's column its argument's number and plain form."""
    found: dict[Expr, int] = {}
    plain: list[tuple[Expr, AggregateCall]] = []
    summed: set[int] = set()
    originals: dict[int, tuple[int, Expr]] = {}
    for column, call in aggregate.calls:
        if call.argument is None:
            continue
        expr = inline(call.argument, block)
        if expr not in found:
            found[expr] = len(plain)
            plain.append((expr, call))
        index = found[expr]
        originals[column.id] = (index, expr)
        if call.function != "count":
            summed.add(index)
            plain[index] = (expr, call)
    arguments = tuple(
        _argument(expr, call, properties, declared if index in summed else None)
        for index, (expr, call) in enumerate(plain)
    )
    return originals, arguments


def _argument(
    expr: Expr, call: AggregateCall, properties: Properties, declared: Environment | None
) -> Argument:
    """An aggregated expression; `declared` is None where it is counted only."""
    safe = secure(expr, properties.proven, properties.claimed, value=declared is not None)
    values = infer(safe, properties.proven)
    claim = infer(safe, properties.claimed)
    if declared is None:
        return Argument(safe, None, values.nullable, claim.nullable)
    said = infer(expr, declared)  # before guards: NaN is no matter here, `values` is without it
    if not values.bounded or said.low is None or said.high is None:
        raise _unbounded(expr, call, declared)
    return Argument(safe, on_lattice(safe, values), values.nullable, claim.nullable)


def _declared(plan: Plan, properties: Properties) -> Environment:
    """What somebody has said of each column: the limits of its type are no bounds. They prove that
    arithmetic cannot overflow, but noise that hides a number of 64 bits hides everything.
    """
    found = dict(properties.claimed)
    for node in nodes(plan):
        for column in node.columns if isinstance(node, Scan) else ():
            limits, value = column.type.limits(), found[column.id]
            if limits is not None and value.finite is None:
                low = None if value.low == limits[0] else value.low
                high = None if value.high == limits[1] else value.high
                found[column.id] = value.but(low=low, high=high)
    return found


def _unbounded(expr: Expr, call: AggregateCall, declared: Environment) -> Rejected:
    open_columns = [
        node.column.name
        for node in walk(expr)
        if isinstance(node, Ref) and not declared[node.column.id].bounded
    ]
    names = ", ".join(dict.fromkeys(open_columns))
    help = "write LEAST(GREATEST(x, low), high) around it"
    if names:
        help = f"declare bounds for {names} in the policy, or {help}"
    message = f"nothing bounds what {call.function.upper()} adds up"
    return Rejected(Diagnostic("DP301", message, expr.span or call.span, help))


def _setting(
    keys: tuple[tuple[Column, Expr], ...],
    domain: Domain,
    properties: Properties,
    schema: Schema,
    aggregate: Aggregate,
) -> Setting:
    rows = properties.rows.claimed
    if rows is None or rows > MAX_ROWS:
        message = f"nothing bounds how many rows one unit has: {properties.rows_why}"
        help = "declare max_rows for that column in the policy"
        span = aggregate.calls[0][1].span if aggregate.calls else aggregate.span
        raise Rejected(Diagnostic("DP302", message, span or aggregate.span, help))
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


def _inputs(arguments: tuple[Argument, ...], measures: tuple[Measure, ...]) -> tuple[Input, ...]:
    """What the engine aggregates of each argument: just what its measures need."""
    result: list[Input] = []
    for index, argument in enumerate(arguments):
        kinds = {m.kind: m for m in measures if m.input == index}
        total, expr = argument.lattice, argument.expr
        nullable = argument.nullable
        if total is not None:
            expr = total.expr
        if total is not None and Kind.CENTRED in kinds and nullable and not argument.counted_apart:
            # Said to be never NULL: a NULL counts as the middle, and so the rows are the count.
            expr, nullable = _imputed(total), False
        if total is not None and Kind.SUM in kinds and nullable:
            total = replace(total, low=min(total.low, 0), high=max(total.high, 0))
        counted = Kind.VALUES in kinds or (Kind.CENTRED in kinds and nullable)
        result.append(Input(expr, counted, total))
    return tuple(result)


def _imputed(lattice: OnLattice) -> Expr:
    """x, or a value next to the middle of its range where x is NULL."""
    x = lattice.expr
    middle = (lattice.low + lattice.high) // 2 * (lattice.step if x.type.is_decimal else 1)
    constant = Literal(middle if x.type.is_decimal else int(middle), x.type)
    return Call("coalesce", (x, constant), x.type, x.span)


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
        members=_members(domain, properties),
        path=path,
        quota=quota,
        unit_not_null=path is not None and not _unit_present(path.unit, properties),
    )


def _must_enforce(rows: Bound) -> bool:
    return rows.proven is None or (rows.claimed is not None and rows.claimed < rows.proven)


def _unit_present(unit: Column, properties: Properties) -> bool:
    values = properties.proven.get(unit.id)
    return values is not None and not values.nullable


# --- words ---------------------------------------------------------------------------------------


def describe(expr: Expr) -> str:
    """An expression as a person would write it."""
    names: dict[int, exp.Expr] = {
        node.column.id: exp.column(node.column.name) for node in walk(expr) if isinstance(node, Ref)
    }
    text = scalar(_unclamped(expr), names).sql(dialect="duckdb")
    return text[1:-1] if text.startswith("(") and text.endswith(")") else text


def _unclamped(expr: Expr) -> Expr:
    def visit(node: Expr) -> Expr:
        if isinstance(node, Call) and node.function in ("clamp", "coerce", "steps"):
            return node.args[0]
        return node

    return transform(expr, visit)


def _label(
    measure: Measure,
    originals: Mapping[int, tuple[int, Expr]],
    outputs: tuple[Output, ...],
    number: int,
) -> str:
    if measure.input is None:
        return "count(*)"
    text = next(describe(e) for i, e in originals.values() if i == measure.input)
    if measure.kind is Kind.VALUES:
        return f"count({text})"
    users = [o.formula for o in outputs if _uses(o.formula, number)]
    if users and all(isinstance(f, Quotient) for f in users):
        return f"avg({text})" if all(_public(f) for f in users) else f"centred sum({text})"
    return f"sum({text})"


def _uses(formula: Linear | Quotient, number: int) -> bool:
    if isinstance(formula, Linear):
        return any(t.measure == number for t in formula.terms)
    return formula.numerator.measure == number


def _public(formula: Linear | Quotient) -> bool:
    return isinstance(formula, Quotient) and formula.denominator is None


def number_text(value: object) -> str:
    """A number as short as it can be written exactly, or to six digits."""
    if isinstance(value, Fraction):
        return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"
    return str(value)


def _reasons(
    measure: Measure,
    originals: Mapping[int, tuple[int, Expr]],
    arguments: tuple[Argument, ...],
    setting: Setting,
    properties: Properties,
    domain: Domain,
    schema: Schema,
) -> tuple[str, ...]:
    how = "enforced per unit" if _must_enforce(properties.rows) else "proven"
    words = [f"rows per unit {setting.rows}, {how} ({properties.rows_why})"]
    if measure.input is not None and measure.kind is not Kind.VALUES:
        lattice = arguments[measure.input].lattice
        assert lattice is not None
        text = next(describe(e) for i, e in originals.values() if i == measure.input)
        low, high = (
            number_text(lattice.low * lattice.step),
            number_text(lattice.high * lattice.step),
        )
        clamped = any(
            isinstance(n, Call) and n.function == "clamp"
            for n in walk(arguments[measure.input].expr)
        )
        words.append(f"{text} in [{low}, {high}], {'clamped' if clamped else 'proven'}")
        if measure.kind is Kind.CENTRED:
            centre = number_text((lattice.low + lattice.high) * lattice.step / 2)
            words.append(f"summed around {centre}, the middle")
            if setting.public_rows is not None and not arguments[measure.input].counted_apart:
                words.append(
                    f"divided by the public {setting.public_rows} rows; a NULL counts as {centre}"
                )
    if measure.constant is not None:
        words.append(f"the same on all neighbours: {measure.constant} rows are public")
    if domain.why:
        touched = "a unit is in one group" if setting.one_group else "a unit can be in several"
        words.append(f"groups: {domain.why}; {touched}")
    words.append(f"neighbours: {schema.neighbours}")
    return tuple(words)
