"""What is aggregated: the distinct arguments of the calls, secured and put on their lattices."""

from __future__ import annotations

from dataclasses import replace

from dpsql.analyze.properties import Properties
from dpsql.analyze.ranges import Environment, infer
from dpsql.errors import Diagnostic, Problems, Rejected
from dpsql.plan.expr import Call, Expr, Literal, Ref, walk
from dpsql.plan.nodes import Aggregate, AggregateCall, Plan
from dpsql.rewrite.cells import Input
from dpsql.rewrite.lattice import OnLattice, on_lattice
from dpsql.rewrite.secure import secure
from dpsql.sensitivity.measures import Argument, Kind, Measure

Originals = dict[int, tuple[int, Expr]]
"""For each call's column: its argument's number, and the argument as the analyst wrote it."""


def arguments_of(
    aggregate: Aggregate, plan: Plan, properties: Properties
) -> tuple[Originals, tuple[Argument, ...]]:
    """The distinct arguments of an aggregate over the columns of `plan`.

    Raises:
        Rejected: DP301 and DP306, for every argument.
    """
    declared = _declared(plan, properties)
    found: dict[Expr, int] = {}
    plain: list[tuple[Expr, AggregateCall]] = []
    summed: set[int] = set()
    originals: Originals = {}
    for column, call in aggregate.calls:
        if call.argument is None:
            continue
        expr = call.argument
        if expr not in found:
            found[expr] = len(plain)
            plain.append((expr, call))
        index = found[expr]
        originals[column.id] = (index, expr)
        if call.function != "count":
            summed.add(index)
            plain[index] = (expr, call)
    arguments: list[Argument] = []
    problems = Problems()
    for index, (expr, call) in enumerate(plain):
        try:
            arguments.append(
                _argument(expr, call, properties, declared if index in summed else None)
            )
        except Rejected as rejected:
            problems.add(rejected)
    problems.check()
    return originals, tuple(arguments)


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
    for column in plan.columns:
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


def inputs_of(arguments: tuple[Argument, ...], measures: tuple[Measure, ...]) -> tuple[Input, ...]:
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
