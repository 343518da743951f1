"""What the picture of an answer shows: keys, measures, and the form that fits them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from dpsql.core.sqltypes import parse_type
from dpsql.report.figures import cell, shortened
from dpsql.report.pictures import drawing
from dpsql.report.result.answer_document import left_out, price

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from dpsql.report.result.answer import Answer

BARS, MEASURES, SERIES, PANELS = 40, 6, 8, 24
"""At most so many bars for a series, measures, series by colour, and panels where there are more.
"""

ORDERED = ("DATE", "TIMESTAMP")
"""Types beside numbers whose values have a place on a line."""

LABEL = 40
"""Characters of a name."""

MOST = 1e300
"""Numbers of this size and more, and what is no number, have no place on an axis."""

Series = tuple[str, list["Point"]]


@dataclass(frozen=True, slots=True)
class Point:
    """A value with its half-width; None where that is not known, or there is none.

    `at` is the value of the key on a line, and the number of the bar from the top; None for NULL.
    """

    at: Any
    value: float
    width: float | None


@dataclass(frozen=True, slots=True)
class DrawnColumn:
    """A column that is drawn: for each value of the second key its label and its points; one series
    without a label where there is no such key.
    """

    name: str
    series: list[Series]


@dataclass(frozen=True, slots=True)
class Chart:
    """What is drawn.

    Attributes:
        key, second: the names of the keys; "" for none.
        labels: of the bars, from the top, None for NULL; or None alone, where the key has an order,
            and there is a line.
        measures: one panel each; or one, of which each series is a panel.
        said: below the picture.
    """

    key: str
    second: str
    labels: list[str | None] | None
    measures: list[DrawnColumn]
    said: list[str]

    @property
    def apart(self) -> bool:
        """Whether each series has a panel of its own."""
        return len(self.measures[0].series) > SERIES


def picture(answer: Answer, wanted: Sequence[int]) -> Figure:
    """The picture; see `Answer.plot`."""
    made = chart(answer, wanted)
    with drawing():
        from dpsql.report.result.chart_drawing import drawn

        return drawn(made)


def chart(answer: Answer, wanted: Sequence[int] = ()) -> Chart:
    """What a picture of an answer shows.

    Args:
        answer: of at most two keys.
        wanted: the columns to draw; by default those that may hold noise.

    Raises:
        ValueError: there is nothing to draw, or it has more than two keys.
    """
    if not answer.rows:
        raise ValueError("there is nothing to draw: the answer has no rows")
    drawn = list(dict.fromkeys(wanted)) or _measures(answer)
    if not drawn:
        raise ValueError("there is nothing to draw: the answer has no column of numbers")
    for place in drawn:
        if not _numeric(answer, place):
            raise ValueError(f"{_name(answer, place)} holds no numbers")
    first, second = _arranged(answer, _keys(answer, drawn))
    said = _cut("measures", len(drawn), MEASURES)
    if first is None and len(answer.rows) > 1:
        raise ValueError("there is no key to draw it by: no other column is exact")
    keys: list[Any] = ["" if first is None else row[first] for row in answer.rows]
    names = ["" if second is None else _hashed(row[second]) for row in answer.rows]
    order = list(dict.fromkeys(names))
    if len(order) > SERIES and len(drawn) > 1:
        raise ValueError("too much for one picture: draw one measure, such as answer.plot('n')")
    said += _cut(f"values of {_name(answer, second)}", len(order), PANELS)
    labels: list[str | None] | None = None
    if first is None or not _on_a_line(answer, first, keys):
        labels, keys = _bars(keys, apart=second is None)
        said += _cut("bars", len(labels), BARS)
    if second is not None and len(set(zip(keys, names, strict=True))) < len(keys):
        raise ValueError("several rows have the same keys: there is no one value to draw")
    measures: list[DrawnColumn] = []
    for place in drawn[:MEASURES]:
        series: dict[object, list[Point]] = {name: [] for name in order[:PANELS]}
        for n, (key, name) in enumerate(zip(keys, names, strict=True)):
            value = _float(answer.rows[n][place])
            if name in series and abs(value) < MOST and (labels is None or key < BARS):
                series[name].append(Point(key, value, answer.intervals[n][place]))
        titles = ["" if second is None else _label(name) for name in series]
        measures.append(
            DrawnColumn(_name(answer, place), list(zip(titles, series.values(), strict=True)))
        )
    points = [p for measure in measures for _, found in measure.series for p in found]
    if not points:
        raise ValueError("there is nothing to draw: no row has a number")
    said += ["with 95 % intervals"] if any(p.width is not None for p in points) else []
    none = [_name(answer, i) for i in drawn[:MEASURES] if answer.noisy[i] and not _known(answer, i)]
    said += [f"how far off is not known: {', '.join(none)}"] if none else []
    return Chart(
        _name(answer, first),
        _name(answer, second),
        None if labels is None else labels[:BARS],
        measures,
        [*said, *left_out(answer), price(answer)],
    )


def _measures(answer: Answer) -> list[int]:
    """Numbers with noise; or, of an exact answer, all numbers but the key."""
    numbers = [i for i in range(len(answer.columns)) if _numeric(answer, i)]
    found = [i for i in numbers if answer.noisy[i]]
    if found or len(numbers) < len(answer.columns):
        return found or numbers
    return numbers[1:] or numbers


def _keys(answer: Answer, measures: Sequence[int]) -> list[int]:
    """The other columns that are exact, without those that the ones before them determine.

    Raises:
        ValueError: there are more than two.
    """
    rest = [i for i, noisy in enumerate(answer.noisy) if not noisy and i not in measures]
    exact = any(answer.noisy)
    # Beside the measures that were chosen of an exact answer, other numbers are no keys.
    found = [i for i in rest if exact or not _numeric(answer, i)] or rest[:1]
    kept: list[int] = []
    for place in found:
        before = {tuple(map(_hashed, (row[k] for k in kept))) for row in answer.rows}
        after = {tuple(map(_hashed, (row[k] for k in (*kept, place)))) for row in answer.rows}
        if len(after) > len(before):
            kept.append(place)
    if len(kept) > 2:
        names = ", ".join(_name(answer, i) for i in kept[:5])
        raise ValueError(f"a picture has one or two keys, not {len(kept):,} ({names})")
    return kept or found[:1]


def _arranged(answer: Answer, keys: Sequence[int]) -> tuple[int | None, int | None]:
    """The key along which it is drawn, and the one that makes series."""
    if len(keys) < 2:
        return (keys[0] if keys else None), None
    first, second = keys
    if _ordered(answer, second) and not _ordered(answer, first):
        return second, first
    return first, second


def _known(answer: Answer, place: int) -> bool:
    return any(line[place] is not None for line in answer.intervals)


def _on_a_line(answer: Answer, place: int, keys: Sequence[Any]) -> bool:
    """Whether the key has an order, and its values a place in it."""
    if not _ordered(answer, place):
        return False
    numbers = [key for key in keys if key is not None and not isinstance(key, date)]
    return set(keys) != {None} and all(abs(_float(key)) < MOST for key in numbers)


def _bars(keys: Sequence[Any], *, apart: bool) -> tuple[list[str | None], list[int]]:
    """The labels of bars, and the number of each row's: its own where they stand `apart`."""
    values = list(range(len(keys))) if apart else list(map(_hashed, keys))
    places = {value: n for n, value in enumerate(dict.fromkeys(values))}
    labels = {v: None if k is None else _label(k) for v, k in zip(values, keys, strict=True)}
    return [labels[value] for value in places], [places[value] for value in values]


def _cut(what: str, count: int, most: int) -> list[str]:
    return [f"the first {most} of {count:,} {what}"] if count > most else []


def _numeric(answer: Answer, place: int) -> bool:
    return parse_type(answer.types[place]).is_numeric


def _ordered(answer: Answer, place: int) -> bool:
    kind = parse_type(answer.types[place])
    return kind.is_numeric or kind.name in ORDERED


def _name(answer: Answer, place: int | None) -> str:
    return "" if place is None else shortened(answer.columns[place], LABEL)


def _label(value: object) -> str:
    return shortened(cell(value, None)[0], LABEL)


def _hashed(value: object) -> object:
    """What stands for a value that may be a list."""
    return value if value.__hash__ is not None else repr(value)


def _float(value: object) -> float:
    """NaN for what no axis can show."""
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return math.nan
