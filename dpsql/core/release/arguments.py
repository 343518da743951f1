"""What is aggregated: the distinct arguments of the calls, secured and put on their lattices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from dpsql.core.enforce.asked_cells import ALONE, Chained, Input
from dpsql.core.enforce.lattice import (
    MAX_STEPS,
    MOMENT_LIMIT,
    MOMENT_POINTS,
    OnLattice,
    on_grid,
    on_lattice,
)
from dpsql.core.enforce.secure import secure
from dpsql.core.functions.aggregates import called
from dpsql.core.functions.build import make
from dpsql.core.infer.domain import listed_values
from dpsql.core.infer.exclusive import nulled
from dpsql.core.infer.properties import Properties
from dpsql.core.infer.ranges import Environment, as_said, infer, open_columns
from dpsql.core.plan.expr import Call, Case, Expr, Literal, Ref, columns_of, null_unless, walk
from dpsql.core.plan.nodes import Aggregate, AggregateCall, Plan, Scan, nodes
from dpsql.core.plan.values import Values, interval_size
from dpsql.core.release.labels import describe
from dpsql.core.release.measures import Argument, Kind, Measure
from dpsql.errors import Diagnostic, Problems, Rejected

Places = dict[int, tuple[int, int | None]]
"""For each call's column: the number of its argument, and that of its second one."""

SUMMED = frozenset({"sum", "avg"})
SPREADS = frozenset({"var_pop", "var_samp", "stddev_pop", "stddev_samp"})
PAIRED: Mapping[str, tuple[str, str]] = {
    "regr_count": ("count", "count"),
    "regr_avgy": ("avg", "count"),
    "regr_avgx": ("count", "avg"),
    "regr_syy": ("var_pop", "count"),
    "regr_sxx": ("count", "var_pop"),
    **dict.fromkeys(
        ("regr_sxy", "covar_pop", "covar_samp", "corr", "regr_slope", "regr_intercept", "regr_r2"),
        ("var_pop", "var_pop"),
    ),
}
"""Functions of (y, x), and as by which function of one variable each of the two is read."""
ORDERED = frozenset({"min", "max", "median", "quantile_cont", "quantile_disc"})

AVERAGED_POINTS = 2**30
"""Of an average whose rows are clipped: the noise is that of the whole range, times rows."""

SUM_LIMIT = 2**400
"""The greatest value that is added: so the square of a sum of 2^87 of them is a DOUBLE, and with it
every variance that an interval is made of.
"""


@dataclass(slots=True)
class _Use:
    """How an expression is aggregated, by all calls together."""

    number: int
    expr: Expr
    call: AggregateCall
    text: str
    counted: int | None = None
    valued: bool = False
    summed: bool = False
    squared: bool = False
    averaged: bool = False
    listed: bool = False


@dataclass(slots=True)
class _Uses:
    """The distinct expressions, in the order in which the calls have them."""

    found: dict[Expr, _Use] = field(default_factory=dict)

    def add(self, expr: Expr, call: AggregateCall, like: Expr, function: str) -> int:
        """The number of the expression: that which people know as `like`, or a mask of it."""
        if expr not in self.found:
            self.found[expr] = _Use(len(self.found), expr, call, describe(like))
        use = self.found[expr]
        if function != "count":
            use.call = call
        use.squared |= function in SPREADS
        use.averaged |= function == "avg"
        use.summed |= use.squared or function in SUMMED
        use.valued |= use.summed or function in ORDERED
        use.listed |= function in ORDERED or function == "mode"
        return use.number

    def pair(
        self, call: AggregateCall, first: Expr, second: Expr, properties: Properties
    ) -> tuple[int, int]:
        """The numbers of two expressions, each of the rows that have both. Of what is NULL in the
        same rows one is counted for all: that which is no mask, or the first.
        """
        masks = _where_known(first, second, properties), _where_known(second, first, properties)
        likes = first, second
        every = zip(masks, likes, PAIRED[call.function], strict=True)
        y, x = (self.add(mask, call, like, function) for mask, like, function in every)
        plain = [i for i, m, like in zip((y, x), masks, likes, strict=True) if m == like]
        for use in (self.found[m] for m, like in zip(masks, likes, strict=True) if m != like):
            use.counted = min(plain or (y, x))
        return y, x


def arguments_of(
    aggregate: Aggregate, plan: Plan, properties: Properties, adaptive: bool
) -> tuple[Places, tuple[Argument, ...]]:
    """The distinct arguments of an aggregate over the columns of `plan`.

    Args:
        aggregate: the calls.
        plan: the rows.
        properties: of the rows.
        adaptive: whether sums are clipped where the data says: then the limits of a whole-number
            type are bounds enough.

    Raises:
        Rejected: DP301, DP305 and DP306, for every argument.
    """
    declared = as_said(properties.claimed, plan.columns)
    owned = frozenset(c.id for n in nodes(plan) if isinstance(n, Scan) for c in n.columns)
    uses = _Uses()
    places: Places = {}
    for column, call in aggregate.calls:
        if call.argument is None:
            continue
        first, second = call.argument, call.second
        if second is not None:
            places[column.id] = uses.pair(call, first, second, properties)
        else:
            places[column.id] = uses.add(first, call, first, call.function), None
    arguments: list[Argument] = []
    problems = Problems()
    for use in uses.found.values():
        try:
            valued = declared if use.valued else None
            arguments.append(_argument(use, properties, valued, adaptive, owned))
        except Rejected as rejected:
            problems.add(rejected)
    problems.check()
    return places, tuple(arguments)


def _where_known(value: Expr, other: Expr, properties: Properties) -> Expr:
    """The value, but NULL where the other is: only pairs count."""
    if value == other or not infer(other, properties.claimed).nullable:
        return value
    known = make("not", (make("is_null", (other,), None),), None)
    return null_unless(known, value)


def _argument(
    use: _Use,
    properties: Properties,
    declared: Environment | None,
    adaptive: bool,
    owned: frozenset[int],
) -> Argument:
    """An aggregated expression; `declared` is None where it is counted only, and `owned` has the
    columns of tables, of which a policy may say more.
    """
    expr, call = use.expr, use.call
    safe = secure(expr, properties.proven, properties.claimed, value=declared is not None)
    values = infer(safe, properties.proven)
    claim = infer(safe, properties.claimed)
    picked = use.listed and not expr.type.is_float
    listed = listed_values(expr, properties.claimed) if picked else None
    lattice, by_type = None, False
    if declared is not None:
        said = infer(expr, declared)  # before guards: NaN is no matter, `values` is without it
        known = values.bounded and said.low is not None and said.high is not None
        known = known and not _of_limits(expr, properties)
        exact = adaptive and use.summed and _whole_steps(safe, values)
        by_type = not known
        if not (known or exact) and (use.summed or listed is None):
            raise _unbounded(expr, call, declared, properties, owned)
    if use.squared and values.magnitude > MOMENT_LIMIT:
        message = f"the squares of {use.text} would not fit a DOUBLE"
        raise Rejected(Diagnostic("DP305", message, expr.span or call.span, "use narrower bounds"))
    if use.summed and values.bounded and values.magnitude > SUM_LIMIT:
        message = f"the sums of {use.text} would not fit a DOUBLE"
        raise Rejected(Diagnostic("DP305", message, expr.span or call.span, "use narrower bounds"))
    if use.squared:
        lattice = on_grid(safe, values, MOMENT_POINTS)
    elif use.summed and adaptive:
        points = AVERAGED_POINTS if use.averaged and not by_type else 2 * MAX_STEPS
        lattice = on_grid(safe, values, points)
    elif use.summed:
        lattice = on_lattice(safe, values)
    return Argument(
        expr=safe,
        lattice=lattice,
        nullable=values.nullable,
        counted_apart=claim.nullable,
        text=use.text,
        values=values,
        options=interval_size(values, safe.type),
        listed=listed,
        by_type=by_type,
        counted=use.counted,
        of_unit=_of_unit(expr, properties.determined),
        owned=_owned(expr, properties),
        span=expr.span or call.span,
    )


def _of_unit(expr: Expr, determined: frozenset[int]) -> bool:
    """Whether a unit has at most one value of the expression, apart from NULL.

    Claim: so it is of a function of what the unit determines; and of a CASE all of whose results
    are NULL or one and the same such expression, as FILTER makes it. Why: whichever branch a row
    takes, its value is NULL or what that expression is for the unit, the same in all its rows.
    Securing keeps that: it is applied to the value, and leaves NULL alone.
    """
    if not isinstance(expr, Case):
        return columns_of(expr) <= determined
    results = {value for _, value in expr.branches} | {expr.default}
    results = {r for r in results if not (isinstance(r, Literal) and r.value is None)}
    return len(results) <= 1 and all(_of_unit(r, determined) for r in results)


def _owned(expr: Expr, properties: Properties) -> bool:
    """Whether no two units have the same value: a column that leads to the unit."""
    return isinstance(expr, Ref) and expr.column.id in properties.home


def _whole_steps(expr: Expr, values: Values) -> bool:
    """Whether an unbounded number of its type can be added as it is."""
    if not expr.type.is_exact or not values.bounded:
        return False
    return on_grid(expr, values, 2 * MAX_STEPS).step == Fraction(1, 10 ** (expr.type.scale or 0))


def weights_of(measure: Measure, inputs: tuple[Input, ...]) -> tuple[tuple[str, int], ...]:
    """A measure by the columns of the cells: n, and n0, s0, … of its input, in whole steps."""
    if measure.kind is Kind.ROWS or measure.input is None:
        return (("n", 1),)
    count = f"n{measure.input}" if inputs[measure.input].counted else "n"
    if measure.kind is Kind.VALUES:
        return ((count, 1),)
    if measure.kind is Kind.PART:
        start, end = measure.between
        upto = (count, measure.contribution.high) if end is None else (f"s{end}", 1)
        return (upto,) if start is None else (upto, (f"s{start}", -1))
    total = f"s{measure.input}"
    if measure.kind is Kind.SUM:
        return ((total, 1),)
    if measure.centre % 2:
        return ((total, 2), (count, -measure.centre))
    return ((total, 1), (count, -measure.centre // 2))


def _of_limits(expr: Expr, properties: Properties) -> bool:
    """Whether nothing bounds a number but the policy's limit for all texts, or the limits of the
    type that a unit's rows were added up in: that of LENGTH(email) proves that functions end, but
    noise that hides 10,000 characters hides every email.
    """
    claim, wide = infer(expr, properties.claimed), infer(expr, properties.expected)
    if not (expr.type.is_numeric and claim.bounded):
        return False
    return not wide.bounded or wide.low < claim.low or wide.high > claim.high


def _unbounded(
    expr: Expr,
    call: AggregateCall,
    declared: Environment,
    properties: Properties,
    owned: frozenset[int],
) -> Rejected:
    refs = [n.column for n in walk(expr) if isinstance(n, Ref) and n.column.id in owned]
    unsaid = [c for c in open_columns(expr, declared) if c.id in owned and c.type.name != "LIST"]
    names = " and ".join(dict.fromkeys(c.name for c in unsaid))
    help = "write LEAST(GREATEST(x, low), high) around it"
    read = [n for n in walk(expr) if isinstance(n, Ref) and n.type.is_string]
    known = {i for i, v in declared.items() if v.finite is not None}
    texts = [n.column.name for n in read if n.column.id not in known][::-1]
    if texts and expr.type.is_numeric and _of_limits(expr, properties):
        help = f"declare max_length for {', '.join(dict.fromkeys(texts))} in the policy, or {help}"
    elif not expr.type.is_numeric:
        listed = "bounds" if expr.type.is_temporal else "values"
        help = f"declare {listed} for {names or 'its column'} in the policy"
        if expr.type.is_string:  # most are of one individual each
            help += ", or ask how many there are: COUNT(DISTINCT x)"
    elif names:
        help = f"declare bounds for {names} in the policy, or {help}"
    elif not refs and call.function in ("min", "max"):  # of public rows, or of released ones
        help = f"put it into GROUP BY, if it is one value for all rows, or {help}"
    what = "adds up" if call.function in SUMMED else "reads"
    message = f"nothing bounds what {called(call.function, call.span).upper()} {what}"
    return Rejected(Diagnostic("DP301", message, expr.span or call.span, help))


def inputs_of(
    arguments: tuple[Argument, ...],
    measures: tuple[Measure, ...],
    chains: Mapping[int, Chained] | None = None,
) -> tuple[Input, ...]:
    """What the engine aggregates of each argument: just what its measures need, and beside the sums
    of those in `chains` (see `shared`) how many rows they are of.
    """
    known = chains or {}
    result: list[Input] = []
    for index, argument in enumerate(arguments):
        kinds = {m.kind for m in measures if m.input == index or index in m.between}
        total = argument.lattice if kinds & {Kind.SUM, Kind.CENTRED, Kind.PART} else None
        expr, nullable = argument.expr, argument.nullable
        if total is not None:
            expr = total.expr
        if total is not None and Kind.CENTRED in kinds and nullable and not argument.counted_apart:
            # Said to be never NULL: a NULL counts as the middle, and so the rows are the count.
            expr, nullable = imputed(total), False
        if total is not None and Kind.SUM in kinds and nullable:
            total = replace(total, low=min(total.low, 0), high=max(total.high, 0))
        counted = Kind.VALUES in kinds or (bool(kinds & {Kind.CENTRED, Kind.PART}) and nullable)
        if total is not None and index in known:
            counted, expr = True, nulled(expr) if kinds == {Kind.SUM} else expr
        result.append(Input(expr, counted, total, known.get(index, ALONE)))
    return tuple(result)


def imputed(lattice: OnLattice) -> Expr:
    """x, or a value next to the middle of its range where x is NULL."""
    x = lattice.expr
    middle = (lattice.low + lattice.high) // 2 * (lattice.step if x.type.is_decimal else 1)
    constant = Literal(middle if x.type.is_decimal else int(middle), x.type)
    return Call("coalesce", (x, constant), x.type, x.span)
