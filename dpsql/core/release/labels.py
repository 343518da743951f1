"""What a measurement is called: count(*), sum(x), rows with x near 3."""

from __future__ import annotations

from fractions import Fraction

from sqlglot import exp

from dpsql.core.emit.plans import scalar
from dpsql.core.emit.printing import printed
from dpsql.core.functions.elapsed import EPOCH
from dpsql.core.functions.told_apart import parts_told
from dpsql.core.infer.exclusive import counted, nulled
from dpsql.core.plan.expr import Call, Case, Expr, Literal, Ref, transform, walk
from dpsql.core.release.formulas import Formula, Output, Quotient, terms
from dpsql.core.release.measures import Argument, Kind, Measure
from dpsql.core.release.picks import Best, Pick
from dpsql.types import INTERVAL, VARCHAR


def describe(expr: Expr) -> str:
    """An expression as a person would write it."""
    time = _time(expr)
    if time is not None:
        return f"{describe(time)} in µs"
    row = parts_told(expr)
    if row is not None:
        return f"({', '.join(map(describe, row))})"
    names: dict[int, exp.Expr] = {
        node.column.id: exp.column(node.column.name) for node in walk(expr) if isinstance(node, Ref)
    }
    text = printed(scalar(unclamped(expr), names))
    return text[1:-1] if text.startswith("(") and text.endswith(")") else text


def _time(expr: Expr) -> Expr | None:
    """The time whose microseconds these are."""
    if not isinstance(expr, Call):
        return None
    if expr.function == "date_diff" and expr.args[0] == Literal("microsecond", VARCHAR):
        later, earlier = expr.args[2], expr.args[1]
        return later if earlier == EPOCH else Call("elapsed", (later, earlier), INTERVAL)
    return expr.args[0] if expr.function in ("interval_us", "time_number") else None


_UNSEEN = frozenset({"as_wide_as", "clamp", "coerce", "cut", "steps"})
"""What securing puts in."""


def unclamped(expr: Expr) -> Expr:
    """An expression without what makes it safe: clamps, types, steps of a lattice."""

    def visit(node: Expr) -> Expr:
        if isinstance(node, Call) and node.function in _UNSEEN:
            return node.args[0]
        return node

    return transform(expr, visit)


def labels(
    measures: tuple[Measure, ...], arguments: tuple[Argument, ...], outputs: tuple[Output, ...]
) -> tuple[str, ...]:
    """A name for each measure: count(*), sum(x), centred sum(x) or avg(x)."""
    users: list[list[Formula]] = [[] for _ in measures]
    for output in outputs:
        for number in {term.measure for term in terms(output.formula)}:
            users[number].append(output.formula)
    return tuple(_label(m, arguments, own) for m, own in zip(measures, users, strict=True))


_WITHOUT = {Kind.ROWS: "count(*)", Kind.DISTINCT: "units", Kind.WEIGHTS: "weight of units"}


def _label(measure: Measure, arguments: tuple[Argument, ...], users: list[Formula]) -> str:
    if measure.input is None:
        return _WITHOUT[measure.kind]
    text = arguments[measure.input].text
    if measure.kind is Kind.PART:
        if measure.conditional:
            said = (("with " if p else "without ") + _said(arguments[i]) for i, p in measure.near)
            return f"rows {' and '.join(said)}"
        if not measure.near:
            return f"rows without {text}"
        near = (f"{arguments[i].text} near {number_text(place)}" for i, place in measure.near)
        return f"rows with {' and '.join(near)}"
    if measure.kind is Kind.VALUES:
        return f"count({text})"
    if measure.kind is Kind.SUM:
        return f"sum({text})"
    if measure.kind is Kind.DISTINCT:
        return f"count(distinct {text})"
    if measure.kind is Kind.DISTINCT_SUM:
        return f"sum(distinct {text})"
    if at_an_end(measure):
        return sum_text(measure, arguments[measure.input])
    return f"avg({text})" if all(_public(f) for f in users) else f"centred sum({text})"


def _said(argument: Argument) -> str:
    """What the rows have in common that an argument counts, or is 1 for."""
    expr = nulled(argument.expr)
    condition = counted(expr)
    known = isinstance(expr, Case) and condition == expr.branches[0][0]
    return describe(condition) if known else argument.text


def pick_label(pick: Pick | Best, arguments: tuple[Argument, ...]) -> str:
    """A name for a pick: quantiles(x), mode(x) or arg_max(x)."""
    if isinstance(pick, Pick):
        return f"{pick.kind}({arguments[pick.argument].text})"
    return f"arg_{'max' if pick.greatest else 'min'}({pick.key.name})"


def sum_text(measure: Measure, argument: Argument) -> str:
    """A sum around an end of the range: sum(x - 500)."""
    around = Fraction(measure.centre, 2) * measure.unit
    if not around:
        return f"sum({argument.text})"
    return f"sum({argument.text} {'-' if around > 0 else '+'} {number_text(abs(around))})"


def at_an_end(measure: Measure) -> bool:
    """Whether values are summed around the least or the greatest of them."""
    bound = measure.contribution
    return measure.kind is Kind.CENTRED and bound.low + bound.high != 0


def _public(formula: Formula) -> bool:
    return isinstance(formula, Quotient) and not formula.denominator


def number_text(value: object) -> str:
    """A number as short as it can be written exactly, or to six digits."""
    if isinstance(value, Fraction):
        return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"
    return str(value)
