"""What a measurement is called, and why its sensitivity is what it is, in words."""

from __future__ import annotations

from fractions import Fraction

from sqlglot import exp

from dpsql.analyze.domain import Domain
from dpsql.plan.expr import Call, Expr, Ref, transform, walk
from dpsql.sensitivity.formulas import Formula, Output, Quotient, terms
from dpsql.sensitivity.measures import Argument, Kind, Measure, Setting
from dpsql.sql.emit import scalar
from dpsql.sql.printing import printed


def describe(expr: Expr) -> str:
    """An expression as a person would write it."""
    names: dict[int, exp.Expr] = {
        node.column.id: exp.column(node.column.name) for node in walk(expr) if isinstance(node, Ref)
    }
    text = printed(scalar(unclamped(expr), names))
    return text[1:-1] if text.startswith("(") and text.endswith(")") else text


def unclamped(expr: Expr) -> Expr:
    """An expression without what makes it safe: clamps, types, steps of a lattice."""

    def visit(node: Expr) -> Expr:
        if isinstance(node, Call) and node.function in ("clamp", "coerce", "cut", "steps"):
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


def _label(measure: Measure, arguments: tuple[Argument, ...], users: list[Formula]) -> str:
    if measure.input is None:
        return "count(*)" if measure.kind is Kind.ROWS else "units"
    text = arguments[measure.input].text
    if measure.kind is Kind.VALUES:
        return f"count({text})"
    if measure.kind is Kind.SUM:
        return f"sum({text})"
    if measure.kind is Kind.DISTINCT:
        return f"count(distinct {text})"
    if measure.kind is Kind.DISTINCT_SUM:
        return f"sum(distinct {text})"
    if _at_an_end(measure):
        return sum_text(measure, arguments[measure.input])
    return f"avg({text})" if all(_public(f) for f in users) else f"centred sum({text})"


def sum_text(measure: Measure, argument: Argument) -> str:
    """A sum around an end of the range: sum(x - 500)."""
    around = Fraction(measure.centre, 2) * measure.unit
    if not around:
        return f"sum({argument.text})"
    return f"sum({argument.text} {'-' if around > 0 else '+'} {number_text(abs(around))})"


def _at_an_end(measure: Measure) -> bool:
    """Whether values are summed around the least or the greatest of them."""
    bound = measure.contribution
    return measure.kind is Kind.CENTRED and bound.low + bound.high != 0


def _public(formula: Formula) -> bool:
    return isinstance(formula, Quotient) and not formula.denominator


def _place(measure: Measure) -> str:
    """Where the values are summed around."""
    bound = measure.contribution
    if bound.low + bound.high == 0:
        return "the middle"
    return "the least" if bound.low == 0 else "the greatest"


def number_text(value: object) -> str:
    """A number as short as it can be written exactly, or to six digits."""
    if isinstance(value, Fraction):
        return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"
    return str(value)


def reasons(
    measure: Measure,
    arguments: tuple[Argument, ...],
    setting: Setting,
    rows: str,
    domain: Domain,
) -> tuple[str, ...]:
    """Why the measure's sensitivity is what it is: rows, range, groups, neighbours; a part each."""
    words: list[str] = []
    matched = measure.adaptive and measure.kind is Kind.DISTINCT
    if matched:
        words.append("a unit counts for as many of its values as the data says")
    elif measure.adaptive and _at_an_end(measure):
        words.append("a unit counts with as many of its rows as the data says")
    elif measure.adaptive:
        words.append("what one unit adds is clipped where the data says")
    if setting.rows is not None and (matched or not measure.adaptive):
        words.append(f"rows per unit {setting.rows}, {rows}")
    if measure.contribution.cell is not None:
        words.append(_at_once(measure, arguments))
    if measure.input is not None and measure.kind not in (Kind.VALUES, Kind.DISTINCT):
        words += _range(measure, arguments[measure.input], setting)
    if measure.constant == 0:
        words.append("every row adds 0: no row is read")
    elif measure.constant is not None:
        words.append(f"the same on all neighbours: {measure.constant} rows are public")
    words += groups_why(setting, domain)
    words.append(f"neighbours: {setting.neighbours}")
    return tuple(words)


def groups_why(setting: Setting, domain: Domain) -> tuple[str, ...]:
    """Which groups there are, and in how many a unit can be; nothing without keys."""
    if not domain.why:
        return ()
    touched = "a unit can be in several"
    if setting.own is not None and setting.own != setting.groups:
        touched = f"a unit can be in {setting.own:,} of them"
    if setting.one_group:
        touched = "a unit is in one group"
    return (f"groups: {domain.why}; {touched}",)


def _at_once(measure: Measure, arguments: tuple[Argument, ...]) -> str:
    if measure.input is None:
        return "a unit counts once in a group"
    argument = arguments[measure.input]
    if argument.of_unit:
        return f"a unit has one value of {argument.text} at most"
    return f"{argument.text} has at most {measure.contribution.cell} values"


def _range(measure: Measure, argument: Argument, setting: Setting) -> list[str]:
    lattice = argument.lattice
    assert lattice is not None
    low, high = (number_text(end * lattice.step) for end in (lattice.low, lattice.high))
    clamped = any(isinstance(n, Call) and n.function == "clamp" for n in walk(argument.expr))
    words = [f"{argument.text} in [{low}, {high}], {'clamped' if clamped else 'proven'}"]
    if measure.kind is Kind.CENTRED:
        centre = number_text(Fraction(measure.centre, 2) * lattice.step)
        words.append(f"summed around {centre}, {_place(measure)}")
        if measure.adaptive and _at_an_end(measure):
            width = number_text((lattice.high - lattice.low) * lattice.step)
            words.append(f"a row adds {width} to the sums around both ends together")
        if setting.public_rows is not None and not argument.counted_apart:
            words.append(
                f"divided by the public {setting.public_rows} rows; a NULL counts as {centre}"
            )
    return words
