"""Aggregates and windows over the rows of one unit at a time: exact, and the same in every order.

Sums. A row's value is put on the fixed lattice of its range before it is added, so that the sum is
a whole number of steps: the order in which the engine adds must not show, since it may depend on
other units' rows. Whole numbers and DECIMALs that fit 64 bits are on one already. An average is
such a sum over the count.

    SUM(x), x DOUBLE in [0, 500]   CAST(SUM(steps(clamp(x, 0, 500), s)) AS DOUBLE) * s

Spreads. They are made of n, S = Σ u and Q = Σ u², u what x is from the middle of its range, on a
lattice of a millionth of the range: (Q - S²/n) / n or / (n - 1), NULL of too few rows. Claim: with
x in [c - h, c + h] VAR_POP is in [0, h²], VAR_SAMP in [0, 2h²]. Why: Popoviciu (1935), and
n/(n - 1) is 2 at most; what rounding adds is cut off.

Order. Where a window function depends on the order of rows that its ORDER BY leaves equal, every
column breaks the tie: rows that are then still equal are equal in all, and which of them is first
makes no difference to anything. A frame by RANGE begins or ends with all rows that ORDER BY leaves
equal, which more keys would part: the first or last of these is sought in a partition of their own.

    LAST_VALUE(x) OVER (PARTITION BY u ORDER BY d)    LAST_VALUE(x) OVER (PARTITION BY u, d ORDER BY
                                                      every column ROWS … to the end)

Claim: each output row is a function of its own unit's rows. Why: a group, or a partition, holds
rows of one unit (see `infer.grouping`), and each function here gives the same on the same
multiset of rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from dpsql.core.enforce.lattice import (
    MOMENT_LIMIT,
    MOMENT_POINTS,
    around_middle,
    on_grid,
    on_lattice,
)
from dpsql.core.enforce.secure import secure
from dpsql.core.enforce.sure_order import RANKED, TIED, untied
from dpsql.core.functions.aggregates import called
from dpsql.core.functions.build import make
from dpsql.core.functions.enforcing import bound
from dpsql.core.functions.spec import coerce
from dpsql.core.functions.typing import sum_type
from dpsql.core.infer.ranges import Environment, as_said, infer, open_columns
from dpsql.core.plan.expr import Call, Case, Column, Expr, Literal, Ref
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import (
    Aggregate,
    AggregateCall,
    Plan,
    Project,
    Window,
    WindowCall,
)
from dpsql.core.plan.values import Values
from dpsql.errors import Diagnostic, Rejected, Span
from dpsql.types import BIGINT, DOUBLE, HUGEINT, Type

GROUPED = frozenset({"count", "sum", "avg", "min", "max", "bool_and", "bool_or"})
"""The aggregates that are exact per unit."""

Typed = Callable[[Column, Type], Column]
"""A column with the type that it has now; see `secure_plan`."""

SPREADS = frozenset({"var_pop", "var_samp", "stddev_pop", "stddev_samp"})
"""Those that are made of exact sums."""


def secure_groups(
    plan: Aggregate, proven: Environment, claimed: Environment, ids: Ids, typed: Typed
) -> Plan:
    """The groups with safe arguments; a Project above makes sums of floats and averages.

    Args:
        plan: the groups.
        proven, claimed: what the columns of its input can be.
        ids: new columns.
        typed: a column with the type that it has now.

    Raises:
        Rejected: DP204 for other aggregates, DP301 for floats that nothing bounds, DP306.
    """
    safe = ((c, secure(e, proven, claimed, value=False)) for c, e in plan.keys)
    keys = tuple((typed(c, e.type), e) for c, e in safe)
    calls: dict[AggregateCall, Column] = {}
    values: list[tuple[Column, Expr]] = []
    plain = True

    def measured(function: str, argument: Expr | None, kind: Type, like: AggregateCall) -> Expr:
        call = AggregateCall(function, argument, like.span, like.distinct)
        return Ref(calls.setdefault(call, ids.column(function, kind)))

    for column, call in plan.calls:
        if call.function in SPREADS and not call.distinct:
            plain = False
            parts = partial(measured, like=call)
            values.append((column, _spread(call, proven, claimed, plan.input.columns, parts)))
            continue
        if call.function not in GROUPED:
            name = called(call.function, call.span)
            message = f"the aggregate {name} of one unit's rows is not supported"
            help = "use COUNT, SUM, AVG, VAR, MIN, MAX, MEDIAN, MODE, ARG_MAX, FIRST or LAST"
            if call.function == "string_agg":
                help = "declare max_rows, of 16 at most, for the column of the unit"
            raise Rejected(Diagnostic("DP204", message, call.span, help))
        if call.function in ("sum", "avg"):
            plain = False
            said = as_said(claimed, plan.input.columns)
            values.append((column, _total(call, proven, claimed, said, measured)))
            continue
        argument = call.argument
        if argument is not None:
            argument = secure(argument, proven, claimed, value=False)
        kind = column.type if argument is None or call.function == "count" else argument.type
        values.append((column, measured(call.function, argument, kind, call)))
    if plain and len(calls) == len(values):
        kept = tuple((typed(c, e.type), a) for (c, e), a in zip(values, calls, strict=True))
        return replace(plan, keys=keys, calls=kept)
    made = tuple((c, a) for a, c in calls.items())
    grouped = replace(plan, keys=keys, calls=made)
    passed = tuple((c, Ref(c)) for c, _ in keys)
    return Project(grouped, (*passed, *((typed(c, e.type), e) for c, e in values)))


Measured = Callable[[str, Expr | None, Type, AggregateCall], Expr]


def _total(
    call: AggregateCall,
    proven: Environment,
    claimed: Environment,
    said: Environment,
    measured: Measured,
) -> Expr:
    """SUM or AVG from an exact sum."""
    assert call.argument is not None
    exact = _exact(call.argument, proven, claimed, said, call.span)
    total = exact.worth(measured("sum", exact.expr, sum_type(exact.expr.type), call))
    if call.function == "sum":
        return total
    return exact.ratio(total, measured("count", exact.expr, BIGINT, call))


def _spread(
    call: AggregateCall | WindowCall,
    proven: Environment,
    claimed: Environment,
    columns: tuple[Column, ...],
    measured: Callable[[str, Expr, Type], Expr],
) -> Expr:
    """VAR or STDDEV from exact sums."""
    (argument,) = call.arguments
    place = argument.span or call.span
    safe = secure(argument, proven, claimed, value=True)
    env = as_said(claimed, columns)
    values, said = infer(safe, proven), infer(argument, env)
    if not values.bounded or said.low is None or said.high is None:
        raise _unbounded(argument, env, place)
    if values.magnitude > MOMENT_LIMIT:
        message = "the squares of what is added up would not fit a DOUBLE"
        raise Rejected(Diagnostic("DP305", message, place, "use narrower bounds"))
    lattice = on_grid(safe, values, MOMENT_POINTS)
    u = around_middle(lattice)
    n, total, squares = (
        coerce(measured(name, expr, kind), DOUBLE)
        for name, expr, kind in (
            ("count", u, BIGINT),
            ("sum", u, HUGEINT),
            ("sum", Call("mul", (u, u), BIGINT), HUGEINT),
        )
    )
    sample = call.function.endswith("_samp")
    least, most = 1 + sample, (lattice.high - lattice.low) ** 2 * (1 + sample)

    def of(name: str, *args: Expr) -> Expr:
        return Call(name, args, DOUBLE, call.span)

    one = Literal(Fraction(1), DOUBLE)
    apart = of("sub", squares, of("div", of("mul", total, total), n))
    value = of("div", apart, of("sub", n, one) if sample else n)
    none, top = Literal(Fraction(0), DOUBLE), Fraction(most)
    value, step = of("clamp", value, none, bound(top, DOUBLE, 1)), (lattice.step / 2) ** 2
    if call.function.startswith("stddev"):
        root = Fraction(math.isqrt(most) + 1)  # a little above it, and in half steps
        value, step = of("clamp", of("sqrt", value), none, bound(root, DOUBLE, 1)), lattice.step / 2
    value = of("mul", value, Literal(step, DOUBLE))
    few = make("lt", (n, Literal(Fraction(least), DOUBLE)), None)
    return Case(((few, Literal(None, DOUBLE)),), value, DOUBLE, call.span)


def _unbounded(argument: Expr, said: Environment, place: Span | None) -> Rejected:
    message = "nothing bounds what is added up"
    names = " and ".join(c.name for c in open_columns(argument, said))
    of = f" for {names}" if names else ""
    help = f"declare bounds{of} in the policy, or write LEAST(GREATEST(x, low), high) around it"
    return Rejected(Diagnostic("DP301", message, place, help))


@dataclass(frozen=True, slots=True)
class _Exact:
    """A number that is added exactly: what is added, what one step is worth if not 1, its range as
    far as somebody has said it.
    """

    expr: Expr
    step: Fraction | None
    values: Values
    span: Span | None

    def worth(self, total: Expr) -> Expr:
        """A sum of steps as a number."""
        if self.step is None:
            return total
        return make("mul", (coerce(total, DOUBLE), Literal(self.step, DOUBLE)), self.span)

    def ratio(self, total: Expr, count: Expr) -> Expr:
        """total / count in the range of what is averaged; NULL where nothing was counted. A range
        that nobody has said would be taken for bounds of the mean.
        """
        none = make("eq", (count, Literal(0, BIGINT)), None)
        mean = coerce(total, DOUBLE)
        ratio: Expr = Call("div", (mean, coerce(count, DOUBLE)), DOUBLE, self.span)
        if self.values.bounded:
            low, high = bound(self.values.low, DOUBLE, -1), bound(self.values.high, DOUBLE, 1)
            ratio = Call("clamp", (ratio, low, high), DOUBLE, self.span)
        return Case(((none, Literal(None, DOUBLE)),), ratio, DOUBLE, self.span)


def _exact(
    argument: Expr,
    proven: Environment,
    claimed: Environment,
    said: Environment,
    span: Span | None,
) -> _Exact:
    """The argument on its lattice."""
    place = argument.span or span
    safe = secure(argument, proven, claimed, value=True)
    values, known = infer(safe, proven), infer(argument, said)
    small = values.bounded and values.magnitude < 2**64
    exact = safe.type.is_decimal and (safe.type.precision or 0) <= 18
    if exact or (safe.type.is_integer and small):
        return _Exact(safe, None, values if known.bounded else known, place)
    if not values.bounded:
        raise _unbounded(argument, said, place)
    found = on_lattice(safe, values)
    whole = found.expr.type.is_decimal or found.step == 1
    return _Exact(found.expr, None if whole else found.step, values, place)


def secure_windows(
    plan: Window, proven: Environment, claimed: Environment, ids: Ids, typed: Typed
) -> Plan:
    """The windows with safe arguments and orders without ties that matter.

    Raises:
        Rejected: as `secure_groups`.
    """
    calls: dict[WindowCall, Column] = {}
    values: list[tuple[Column, Expr]] = []

    def safe(expr: Expr) -> Expr:
        return secure(expr, proven, claimed, value=False)

    def windowed(name: str, arguments: tuple[Expr, ...], kind: Type, like: WindowCall) -> Expr:
        made = replace(like, function=name, arguments=arguments)
        return Ref(calls.setdefault(made, ids.column(name, kind)))

    def summed(name: str, argument: Expr, kind: Type, like: WindowCall) -> Expr:
        return windowed(name, (argument,), kind, like)

    for column, call in plan.calls:
        if call.distinct:
            message = "DISTINCT in a window function over private rows is not supported"
            help = "GROUP BY the partition in a subquery, and join it"
            raise Rejected(Diagnostic("DP104", message, call.span, help))
        if call.without_nulls:
            message = "IGNORE NULLS is not supported over private rows"
            help = "leave NULLs out before: FROM (SELECT … WHERE x IS NOT NULL)"
            raise Rejected(Diagnostic("DP104", message, call.span, help))
        if call.frame is not None and call.frame.unit == "months":
            message = "RANGE with an offset in months is not supported over private rows"
            help = "use days, or join the rows: b.day BETWEEN a.day - INTERVAL 1 MONTH AND a.day"
            raise Rejected(Diagnostic("DP104", message, call.span, help))
        partition = tuple(safe(p) for p in call.partition)
        order = tuple(replace(k, expr=safe(k.expr)) for k in call.order)
        base = untied(replace(call, partition=partition, order=order), plan.input.columns)

        if call.function in ("sum", "avg"):
            said = as_said(claimed, plan.input.columns)
            exact = _exact(call.arguments[0], proven, claimed, said, call.span)
            kind = sum_type(exact.expr.type)
            total = exact.worth(summed("sum", exact.expr, kind, base))
            if call.function == "avg":
                total = exact.ratio(total, summed("count", exact.expr, BIGINT, base))
            values.append((column, total))
            continue
        if call.function in SPREADS:
            parts = partial(summed, like=base)
            values.append((column, _spread(call, proven, claimed, plan.input.columns, parts)))
            continue
        if call.function not in TIED | RANKED | GROUPED:
            message = f"the window function {call.function} over private rows is not supported"
            raise Rejected(Diagnostic("DP204", message, call.span))
        arguments = tuple(safe(a) for a in call.arguments)
        if len(arguments) == 3:  # LAG and LEAD with a default
            arguments = (arguments[0], arguments[1], coerce(arguments[2], arguments[0].type))
        kept = call.function in ("count", "bool_and", "bool_or") or not arguments
        kind = column.type if kept or call.function == "ntile" else arguments[0].type
        values.append((column, windowed(call.function, arguments, kind, base)))
    made = tuple((c, call) for call, c in calls.items())
    inner = replace(plan, calls=made)
    passed = tuple((c, Ref(c)) for c in plan.input.columns)
    return Project(inner, (*passed, *((typed(c, e.type), e) for c, e in values)))
