"""Pictures of answers: what is drawn where, read from the figure and not from its pixels."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
from matplotlib import dates
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.container import BarContainer, ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.text import Text

from dpsql import Answer
from dpsql.core.release.decode import Noisy
from dpsql.execution.accuracy import Accuracy
from dpsql.report.result import chart as plot
from tests.result.made import THRESHOLD, answer

PNG = b"\x89PNG\r\n\x1a\n"


def drawn(figure: Figure, tmp_path: Any) -> Figure:
    """Whatever a picture says must also be drawable; warnings are errors here."""
    figure.savefig(tmp_path / "p.png")
    assert (tmp_path / "p.png").read_bytes().startswith(PNG)
    return figure


def bars(axes: Axes) -> list[list[tuple[float, float]]]:
    """Of each series the bars' middles and lengths."""
    found = [c for c in axes.containers if isinstance(c, BarContainer)]
    return [[(b.get_y() + b.get_height() / 2, b.get_width()) for b in c.patches] for c in found]


def reaches(axes: Axes, *, up: bool = False) -> list[list[tuple[float, float, float]]]:
    """Of each series the intervals: where, from, to."""
    along = 1 if up else 0
    found: list[list[tuple[float, float, float]]] = []
    for container in axes.containers:
        if isinstance(container, ErrorbarContainer):
            (lines,) = container.lines[2]
            segments: Any = lines.get_segments()
            found.append([(s[0][1 - along], s[0][along], s[1][along]) for s in segments])
    return found


def labels(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.get_yticklabels()]


def said(figure: Figure) -> str:
    """What stands below."""
    return figure.get_supxlabel()


def approx(values: Sequence[tuple[float, ...]]) -> Any:
    return [pytest.approx(value) for value in values]


def test_a_text_is_a_bar_each_with_its_interval(tmp_path: Any) -> None:
    made = answer(
        ("VARCHAR", "BIGINT", "DECIMAL(9,2)"),
        ("Bern", 120, Decimal("1.5")),
        (None, -7, Decimal("2.5")),
        ("Jura", None, Decimal("-3")),
        columns=("city", "n", "mean"),
        widths=(None, 12.0, 0.25),
    )
    figure = drawn(made.plot(), tmp_path)
    left, right = figure.axes
    assert (left.get_title(loc="left"), right.get_title(loc="left")) == ("n", "mean")
    assert left.get_ylabel() == "city" and labels(left) == ["Bern", "NULL", "Jura"]
    assert [t.get_style() for t in left.get_yticklabels()] == ["normal", "italic", "normal"]
    assert left.get_ylim() == (2.6, -0.6)  # the first row is at the top
    assert bars(left) == [approx([(0, 120), (1, -7)])]
    assert reaches(left) == [approx([(0, 108, 132), (1, -19, 5)])]
    assert bars(right) == [approx([(0, 1.5), (1, 2.5), (2, -3)])]
    assert reaches(right) == [approx([(0, 1.25, 1.75), (1, 2.25, 2.75), (2, -3.25, -2.75)])]
    assert said(figure) == "with 95 % intervals  ·  ε = 1"
    # One of them, by its name.
    (axes,) = made.plot("mean").axes
    assert axes.get_title(loc="left") == "mean" and bars(axes) == bars(right)


def test_truths_are_bars(tmp_path: Any) -> None:
    made = answer(("BOOLEAN", "BIGINT"), (True, 5), (False, 6), (None, 7), widths=(None, 1.0))
    (axes,) = drawn(made.plot(), tmp_path).axes
    assert labels(axes) == ["true", "false", "NULL"]


def test_a_number_makes_a_line_in_its_order(tmp_path: Any) -> None:
    made = answer(
        ("INTEGER", "BIGINT"),
        (2021, 30),
        (None, 99),
        (2019, 10),
        (2020, 20),
        columns=("year", "n"),
        widths=(None, 4.0),
    )
    (axes,) = drawn(made.plot(), tmp_path).axes
    assert axes.get_xlabel() == "year" and bars(axes) == []
    line, aside = (part for part in axes.lines if part.get_linestyle() == "-")
    assert list(map(list, line.get_data())) == [[2019, 2020, 2021], [10, 20, 30]]
    assert reaches(axes, up=True) == [
        approx([(2019, 6, 14), (2020, 16, 24), (2021, 26, 34)]),
        approx([(2021.12, 95, 103)]),
    ]
    # NULL is at no place of the axis: beside it, and said.
    assert list(map(list, aside.get_data())) == [[pytest.approx(2021.12)], [99]]
    assert [text.get_text() for text in axes.texts] == ["NULL"]
    assert "2,020" not in [text.get_text() for text in axes.get_xticklabels()]


@pytest.mark.parametrize("kind", ["DATE", "TIMESTAMP"])
def test_a_date_makes_a_line(kind: str, tmp_path: Any) -> None:
    days = [date(2025, 1, 1), date(2025, 2, 1), date(2025, 4, 1)]
    keys = days if kind == "DATE" else [datetime(d.year, d.month, d.day) for d in days]
    made = answer((kind, "DOUBLE"), *((k, 1.0 * n) for n, k in enumerate(keys)), widths=(None, 0.5))
    (axes,) = drawn(made.plot(), tmp_path).axes
    places: Any = [dates.date2num(day) for day in days]  # type: ignore[no-untyped-call]
    assert list(axes.lines[0].get_xdata()) == places
    assert reaches(axes, up=True) == [approx([(p, n - 0.5, n + 0.5) for n, p in enumerate(places)])]


def test_many_points_have_a_band(tmp_path: Any) -> None:
    made = answer(("BIGINT", "DOUBLE"), *((n, n % 7) for n in range(50)), widths=(None, 2.0))
    (axes,) = drawn(made.plot(), tmp_path).axes
    (band,) = (part for part in axes.collections if isinstance(part, PolyCollection))
    corners = {(float(x), float(y)) for x, y in band.get_paths()[0].vertices}  # type: ignore[union-attr]
    for n in range(50):
        assert {(n, n % 7 - 2.0), (n, n % 7 + 2.0)} <= corners
    assert reaches(axes, up=True) == []


TWO = [(k, s, 10 * i + j) for i, k in enumerate("ABC") for j, s in enumerate((None, "NULL"))]


def test_two_keys_are_bars_side_by_side(tmp_path: Any) -> None:
    made = answer(
        ("VARCHAR", "VARCHAR", "BIGINT"),
        *TWO[:-1],
        columns=("k", "s", "n"),
        widths=(None, None, 3.0),
    )
    figure = drawn(made.plot(), tmp_path)
    (axes,) = figure.axes
    assert labels(axes) == ["A", "B", "C"]
    upper, lower = bars(axes)
    assert upper == approx([(-0.2, 0), (0.8, 10), (1.8, 20)])
    assert lower == approx([(0.2, 1), (1.2, 11)])
    assert reaches(axes)[1] == approx([(0.2, -2, 4), (1.2, 8, 14)])
    (legend,) = figure.legends
    assert legend.get_title().get_text() == "s"
    assert [text.get_text() for text in legend.get_texts()] == ["NULL", "NULL"]
    first, second = (c.patches[0] for c in axes.containers if isinstance(c, BarContainer))
    assert first.get_facecolor() != second.get_facecolor()


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2)])
def test_two_keys_of_which_one_has_an_order_are_lines(order: Any, tmp_path: Any) -> None:
    rows = [(year, name, year - 2000 + len(name)) for year in (2020, 2021) for name in ("a", "bb")]
    kinds, names = ("INTEGER", "VARCHAR", "BIGINT"), ("year", "name", "n")
    made = answer(
        tuple(kinds[i] for i in order),
        *(tuple(row[i] for i in order) for row in rows),
        columns=tuple(names[i] for i in order),
        widths=(None, None, 2.0),
    )
    figure = drawn(made.plot(), tmp_path)
    (axes,) = figure.axes
    lines = {
        str(x.get_label()): list(x.get_ydata()) for x in axes.lines if str(x.get_label())[0] != "_"
    }
    assert lines == {"a": [21, 22], "bb": [22, 23]}
    assert reaches(axes, up=True)[0] == approx([(2020, 19, 23), (2021, 20, 24)])
    assert axes.get_xlabel() == "year" and figure.legends[0].get_title().get_text() == "name"


def test_many_series_have_a_panel_each(tmp_path: Any) -> None:
    rows = [(year, f"r{n}", n) for n in range(10) for year in (2020, 2021)]
    made = answer(("INTEGER", "VARCHAR", "BIGINT"), *rows, widths=(None, None, 2.0))
    figure = drawn(made.plot(), tmp_path)
    assert [a.get_title(loc="left") for a in figure.axes] == [f"c2: r{n}" for n in range(10)]
    assert [list(a.lines[0].get_ydata()) for a in figure.axes] == [[n, n] for n in range(10)]
    assert len({a.get_ylim() for a in figure.axes}) == 1 and figure.legends == []
    wide = replace(made, columns=("y", "r", "n"), types=("VARCHAR", "VARCHAR", "BIGINT"))
    figure = drawn(wide.plot(), tmp_path)
    assert len(figure.axes) == 10 and labels(figure.axes[0]) == ["2020", "2021"]
    more = [(year, f"r{n}", n) for n in range(30) for year in (2020, 2021)]
    figure = answer(("INTEGER", "VARCHAR", "BIGINT"), *more, widths=(None, None, 2.0)).plot()
    assert len(figure.axes) == plot.PANELS
    assert said(figure).startswith("the first 24 of 30 values of c1  ·  ")


def test_many_bars_and_measures_are_cut_and_said(tmp_path: Any) -> None:
    rows = [(f"k{n}", n) for n in range(plot.BARS + 1)]
    made = answer(("VARCHAR", "BIGINT"), *rows, widths=(None, 1.0))
    figure = drawn(made.plot(), tmp_path)
    assert labels(figure.axes[0]) == [f"k{n}" for n in range(plot.BARS)]
    assert len(bars(figure.axes[0])[0]) == len(reaches(figure.axes[0])[0]) == plot.BARS
    assert said(figure).startswith("the first 40 of 41 bars  ·  ")
    wide = answer(("VARCHAR", *("BIGINT",) * 199), ("a", *range(199)), widths=(None, *(1.0,) * 199))
    figure = drawn(wide.plot(), tmp_path)
    assert len(figure.axes) == plot.MEASURES
    assert said(figure).startswith("the first 6 of 199 measures  ·  ")
    assert bars(wide.plot("c150").axes[0]) == [approx([(0, 149)])]


@pytest.mark.parametrize(
    "text", ["$x_{$", "$a$", "你好 🙂", "a\n\tb\x1b\x00", "<b>&", "%", "\\alpha", "x" * 2_000_000]
)
@pytest.mark.one_in(2)
def test_any_text(text: str, tmp_path: Any) -> None:
    # Warnings are errors: a letter that the font lacks would be one.
    rows = [(year, text, year) for year in (1, 2)]
    made = answer(
        ("INTEGER", "VARCHAR", "BIGINT"), *rows, (1, "$", 5), columns=(text, f"s{text}", "$n$"),
        widths=(None, None, 1.0),
    )  # fmt: skip
    for one in (made, replace(made, types=("VARCHAR", "VARCHAR", "BIGINT"))):
        figure = drawn(one.plot(), tmp_path)
        texts: list[Any] = figure.findobj(Text)
        assert all(not t.get_parse_math() and t.get_text().isprintable() for t in texts)
        assert figure.axes[0].get_title(loc="left") == "$n$"
        assert all(len(t.get_text()) <= 60 for t in texts)


def test_what_is_known_of_the_groups_and_of_no_interval_is_said() -> None:
    made = answer(("VARCHAR", "BIGINT"), ("a", 5), explanation=THRESHOLD, widths=(None, 1.0))
    assert "left out: groups of fewer than " in said(made.plot())
    known = Accuracy((False, True, True), (None,) * 3, (), ((Noisy([]), ()),))
    mixed = answer(("VARCHAR", "BIGINT", "DOUBLE"), ("a", 5, 1.5), widths=(None, 1.0, None))
    figure = replace(mixed, accuracy=known).plot()
    assert said(figure) == "with 95 % intervals  ·  how far off is not known: c2  ·  ε = 1"
    assert [reaches(axes) for axes in figure.axes] == [[approx([(0, 4, 6)])], []]


def test_one_row_without_keys(tmp_path: Any) -> None:
    figure = drawn(answer(("BIGINT", "DOUBLE"), (5, 1.5), widths=(1.0, 0.5)).plot(), tmp_path)
    assert [bars(axes) for axes in figure.axes] == [[approx([(0, 5)])], [approx([(0, 1.5)])]]


def test_exact_answers_are_drawn_without_intervals(tmp_path: Any) -> None:
    made = answer(("VARCHAR", "BIGINT", "DOUBLE"), ("a", 5, 1.5), ("b", 6, 2.5))
    figure = drawn(made.plot(), tmp_path)
    assert [a.get_title(loc="left") for a in figure.axes] == ["c1", "c2"]
    assert reaches(figure.axes[0]) == [] and said(figure) == "ε = 1"
    numbers = answer(("BIGINT", "DOUBLE"), (5, 1.5), (6, 2.5))
    (axes,) = drawn(numbers.plot(), tmp_path).axes
    assert (axes.get_xlabel(), axes.get_title(loc="left")) == ("c0", "c1")


def test_columns_that_others_determine_are_no_keys(tmp_path: Any) -> None:
    rows = [("a", 1, "x", 5), ("b", 2, "x", 6)]
    made = answer(("VARCHAR", "INTEGER", "VARCHAR", "BIGINT"), *rows, widths=(None,) * 3 + (1.0,))
    (axes,) = drawn(made.plot(), tmp_path).axes
    assert labels(axes) == ["a", "b"]


def test_numbers_that_no_axis_can_show_are_left_out(tmp_path: Any) -> None:
    odd = [float("nan"), float("inf"), 1e301, None]
    rows = [(f"k{n}", v) for n, v in enumerate([1.0, *odd, 2.0])]
    (axes,) = drawn(answer(("VARCHAR", "DOUBLE"), *rows, widths=(None, 1.0)).plot(), tmp_path).axes
    assert bars(axes) == [approx([(0, 1), (5, 2)])]
    # As keys they have no place on a line: bars with names.
    rows = [(v, n) for n, v in enumerate([1.0, *odd])]
    (axes,) = drawn(answer(("DOUBLE", "BIGINT"), *rows, widths=(None, 1.0)).plot(), tmp_path).axes
    assert labels(axes) == ["1", "nan", "inf", "1e+301", "NULL"]


THREE = [(a, b, c, 1) for a in "xy" for b in "uv" for c in "pq"]
WIDE = (None, None, None, 1.0)
NO: list[tuple[Answer, tuple[str, ...], str]] = [
    (answer(("VARCHAR", "BIGINT")), (), "there is nothing to draw: the answer has no rows"),
    (
        answer(("VARCHAR",), ("a",)),
        (),
        "there is nothing to draw: the answer has no column of numbers",
    ),
    (answer(("VARCHAR", "BIGINT"), ("a", 1)), ("c0",), "c0 holds no numbers"),
    (
        answer(("VARCHAR", "BIGINT"), ("a", None), widths=(None, 1.0)),
        (),
        "there is nothing to draw: no row has a number",
    ),
    (
        answer(("VARCHAR",) * 3 + ("BIGINT",), *THREE, widths=WIDE),
        (),
        "a picture has one or two keys, not 3 (c0, c1, c2)",
    ),
    (
        answer(("VARCHAR", "VARCHAR", "BIGINT"), *TWO, TWO[0], widths=(None, None, 1.0)),
        (),
        "several rows have the same keys: there is no one value to draw",
    ),
    (
        answer(("BIGINT",), (1,), (2,), widths=(1.0,)),
        (),
        "there is no key to draw it by: no other column is exact",
    ),
    (
        answer(
            ("VARCHAR", "VARCHAR", "BIGINT", "BIGINT"),
            *((k, f"s{n}", 1, 2) for k in "ab" for n in range(9)),
            widths=(None, None, 1.0, 1.0),
        ),
        (),
        "too much for one picture: draw one measure, such as answer.plot('n')",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("made", "measures", "why"), NO, ids=[why for _, _, why in NO])
def test_what_cannot_be_drawn_says_why(made: Answer, measures: tuple[str, ...], why: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(why)}$"):
        made.plot(*measures)


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.style", None)
    with pytest.raises(ImportError, match=r'plot needs matplotlib: pip install "dpsql\[plot\]"'):
        answer(("VARCHAR", "BIGINT"), ("a", 1)).plot()


def test_pyplot_is_not_touched_and_dpsql_stays_light() -> None:
    code = """
import sys
import dpsql
from tests.result.made import answer

assert not {"matplotlib", "pandas", "polars", "pyarrow", "IPython"} & set(sys.modules)
answer(("VARCHAR", "BIGINT"), ("a", 1), widths=(None, 1.0)).plot()
assert "matplotlib.pyplot" not in sys.modules
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], check=False)
    assert done.returncode == 0
