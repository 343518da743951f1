"""Why a measurement's sensitivity is what it is, in words: made of what the proof left behind."""

from __future__ import annotations

from fractions import Fraction

from dpsql.core.enforce.truncation import Truncation
from dpsql.core.infer.domain import Domain
from dpsql.core.plan.expr import Call, Expr, Literal, walk
from dpsql.core.plan.nodes import Scan, nodes
from dpsql.core.release.formulas import Exceeds
from dpsql.core.release.labels import at_an_end, describe, number_text, sum_text
from dpsql.core.release.measures import APART, Argument, Kind, Measure, Setting
from dpsql.core.release.picks import Best, Pick
from dpsql.core.release.release import Release


def reasons(point: Release, number: int) -> tuple[str, ...]:
    """Why a measure moves no further: rows, range, groups, neighbours; a part each.

    Args:
        point: the release.
        number: of the measure.
    """
    if isinstance(point.clipping, Truncation):
        return _truncated(point, point.clipping)
    measure = point.measures[number]
    words = _measured(measure, point.arguments, point.setting)
    words += groups_why(point.setting, point.domain)
    if tells_empty(point, number):
        words.append("groups in which it is no more than noise are left out")
    words.append(f"neighbours: {point.setting.neighbours}")
    return (*words, *_together(measure, point))


def tells_empty(point: Release, number: int) -> bool:
    """Whether groups in which a measure is no more than noise are left out."""
    tested = any(isinstance(o.formula, Exceeds) and o.formula.among for o in point.outputs)
    return tested and point.measures[number].kind is Kind.ROWS


def pick_reasons(pick: Pick | Best, point: Release) -> tuple[str, ...]:
    """The same of what is picked."""
    neighbours = f"neighbours: {point.setting.neighbours}"
    if isinstance(pick, Pick):
        points = f"{pick.grid.size:,} points"
        return _rows(point.setting), points, neighbours
    words = _measured(pick.measure, pick.arguments, pick.setting)
    return (*words, *groups_why(pick.setting, pick.domain), neighbours)


def cut(point: Release, number: int | None) -> tuple[str, ...]:
    """What of a unit does not count, since a bound is enforced: a part each; nothing where all
    bounds are proven.

    Args:
        point: the release.
        number: of the measure; None for a pick.
    """
    words: list[str] = []
    setting, measure = point.setting, None if number is None else point.measures[number]
    if setting.enforced and setting.rows is not None and not (measure and measure.adaptive):
        rows = (
            "1 row of each unit counts"
            if setting.rows == 1
            else f"{setting.rows:,} rows of each unit count"
        )
        words.append(f"at most {rows}")
    if measure is not None and measure.constant is None:
        read = [i for i, _ in measure.near] if measure.kind is Kind.PART else [measure.input]
        counts = measure.conditional or measure.kind in (Kind.VALUES, Kind.DISTINCT)
        for i in read:
            if i is not None and not counts:
                words += _clamp(point.arguments[i])
    return tuple(words)


def _clamp(argument: Argument) -> list[str]:
    clamps = _clamps(argument)
    if clamps and all(clamp.type.is_temporal for clamp in clamps):  # not as microseconds
        return [
            f"{describe(of)} is clamped to [{_day(a)}, {_day(b)}]" for of, a, b in _args(clamps)
        ]
    low, high = _ends(argument)
    return [f"{argument.text} is clamped to [{low}, {high}]"] if clamps else []


def _args(clamps: list[Call]) -> dict[tuple[Expr, ...], None]:
    return dict.fromkeys(clamp.args for clamp in clamps)


def _day(end: Expr) -> str:
    assert isinstance(end, Literal)
    return str(end.value).removesuffix(" 00:00:00")


def groups_why(setting: Setting, domain: Domain) -> tuple[str, ...]:
    """Which groups there are, and in how many a unit can be; nothing without keys."""
    words = _groups(domain)
    if not words:
        return ()
    touched = "a unit can be in several"
    if setting.own is not None and setting.own not in (setting.groups, domain.size):
        touched = f"a unit can be in {setting.own:,} of them"
    if setting.one_group:
        touched = "a unit is in one group"
    return (f"groups: {words}; {touched}",)


def _groups(domain: Domain) -> str:
    parts: list[str] = []
    for columns, count in domain.counts:
        names = ", ".join(c.name for c in columns)
        what = "values" if len(columns) == 1 else "combinations"
        parts.append(f"{names}: {count} {what}")
    for part in domain.public:
        tables = dict.fromkeys(n.table.name for n in nodes(part.plan) if isinstance(n, Scan))
        keys = ", ".join(c.name for c in part.columns)
        where = f"from the public {', '.join(tables)}" if tables else "listed in the query"
        parts.append(f"{keys}: {where}")
    parts += [f"{column.name}: private, shown where enough units are" for column in domain.private]
    return "; ".join(parts)


def _rows(setting: Setting) -> str:
    how = "enforced per unit" if setting.enforced else "proven"
    return f"rows per unit {setting.rows}, {how} ({setting.rows_why})"


def _measured(measure: Measure, arguments: tuple[Argument, ...], setting: Setting) -> list[str]:
    words: list[str] = []
    matched = measure.adaptive and measure.kind is Kind.DISTINCT
    if matched:
        words.append("a unit counts for as many of its values as the data says")
    elif measure.adaptive and at_an_end(measure):
        words.append("a unit counts with as many of its rows as the data says")
    elif measure.adaptive:
        words.append("what one unit adds is clipped where the data says")
    if setting.rows is not None and (matched or not measure.adaptive):
        words.append(_rows(setting))
    if measure.contribution.cell is not None:
        words.append(_at_once(measure, arguments))
    if measure.kind is Kind.PART:
        for i, _ in () if measure.conditional else measure.near:
            words += _range(arguments[i])
    elif measure.input is not None and measure.kind not in (Kind.VALUES, Kind.DISTINCT):
        words += _range(arguments[measure.input])
        if measure.kind is Kind.CENTRED:
            words += _centred(measure, arguments[measure.input], setting)
    if measure.constant == 0:
        words.append("every row adds 0: no row is read")
    elif measure.constant is not None:
        words.append(f"the same on all neighbours: {measure.constant} rows are public")
    return words


def _at_once(measure: Measure, arguments: tuple[Argument, ...]) -> str:
    if measure.kind not in APART:
        return f"rows per unit and group {measure.contribution.cell}, proven"
    if measure.input is None:
        return "a unit counts once in a group"
    argument = arguments[measure.input]
    if argument.of_unit:
        return f"a unit has one value of {argument.text} at most"
    return f"{argument.text} has at most {measure.contribution.cell} values"


def _range(argument: Argument) -> list[str]:
    low, high = _ends(argument)
    return [f"{argument.text} in [{low}, {high}], {'clamped' if _clamps(argument) else 'proven'}"]


def _ends(argument: Argument) -> tuple[str, str]:
    lattice = argument.lattice
    assert lattice is not None
    return number_text(lattice.low * lattice.step), number_text(lattice.high * lattice.step)


def _clamps(argument: Argument) -> list[Call]:
    return [n for n in walk(argument.expr) if isinstance(n, Call) and n.function == "clamp"]


def _centred(measure: Measure, argument: Argument, setting: Setting) -> list[str]:
    lattice = argument.lattice
    assert lattice is not None
    centre = number_text(Fraction(measure.centre, 2) * lattice.step)
    bound = measure.contribution
    end = "the least" if bound.low == 0 else "the greatest"
    words = [f"summed around {centre}, {end if bound.low + bound.high else 'the middle'}"]
    if measure.adaptive and at_an_end(measure):
        width = number_text((lattice.high - lattice.low) * lattice.step)
        words.append(f"a row adds {width} to the sums around both ends together")
    if setting.public_rows is not None and not argument.counted_apart:
        words.append(f"divided by the public {setting.public_rows} rows; a NULL counts as {centre}")
    return words


def _together(measure: Measure, point: Release) -> tuple[str, ...]:
    """What measures of one family share of a row."""
    family = [m for m in point.measures if m.family == measure.family]
    if measure.norm is not None:
        part = "1/d" if measure.norm == 1 else "1/√d"
        return (f"a unit in d groups weighs {part} in each",)
    if measure.kind is Kind.PART:
        return (f"a row adds 1 to all {len(family)} weights together",)
    if measure.kind is not Kind.CENTRED or measure.adaptive or measure.input is None:
        return ()
    ends = [m for m in family if m.kind is Kind.CENTRED and m.input == measure.input]
    if len(ends) == 1:
        return ()
    low, high = sorted(ends, key=lambda m: m.contribution.low, reverse=True)
    width = number_text(low.contribution.high * low.unit)
    first, second = (sum_text(m, point.arguments[measure.input]) for m in (low, high))
    return (f"a row adds {width} to {first} and {second} together",)


def _truncated(point: Release, truncation: Truncation) -> tuple[str, ...]:
    first, second = truncation.kinds
    words = [
        f"rows of two kinds of unit, {first} and {second}: their sum is truncated where the data "
        "says"
    ]
    if truncation.keys:
        most = truncation.groups or "all"
        words.append(f"groups: {_groups(point.domain)}; one unit is in {most} of them at most")
    return (*words, f"neighbours: {point.setting.neighbours}")
