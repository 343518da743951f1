"""What a measurement is called, and why its sensitivity is what it is, in words."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from sqlglot import exp

from dpsql.analyze.domain import Domain
from dpsql.plan.expr import Call, Expr, Ref, transform, walk
from dpsql.sensitivity.measures import (
    Argument,
    Kind,
    Linear,
    Measure,
    Output,
    Quotient,
    Setting,
)
from dpsql.sql.emit import scalar


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


def label(
    measure: Measure,
    originals: Mapping[int, tuple[int, Expr]],
    outputs: tuple[Output, ...],
    number: int,
) -> str:
    """A name for measure number `number`: count(*), sum(x), centred sum(x) or avg(x)."""
    if measure.input is None:
        return "count(*)"
    text = next(describe(e) for i, e in originals.values() if i == measure.input)
    if measure.kind is Kind.VALUES:
        return f"count({text})"
    if measure.kind is Kind.SUM:
        return f"sum({text})"
    users = [o.formula for o in outputs if _uses(o.formula, number)]
    return f"avg({text})" if all(_public(f) for f in users) else f"centred sum({text})"


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


def reasons(
    measure: Measure,
    originals: Mapping[int, tuple[int, Expr]],
    arguments: tuple[Argument, ...],
    setting: Setting,
    rows: str,
    domain: Domain,
) -> tuple[str, ...]:
    """Why the measure's sensitivity is what it is: rows, range, groups, neighbours; a part each."""
    words = [f"rows per unit {setting.rows}, {rows}"]
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
    words.append(f"neighbours: {setting.neighbours}")
    return tuple(words)
