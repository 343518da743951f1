"""The console's charts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpsql.report.result.chart import Chart, DrawnColumn, Point
from dpsql.serve.console import chart_svg
from dpsql.serve.console.scales import scale, ticks
from tests.serve.console.test_texts import harmless


def test_ticks_are_round() -> None:
    assert ticks(scale([0, 24_000], 0, 1)) == [0, 5000, 10_000, 15_000, 20_000]
    assert ticks(scale([7, 7], 0, 1))[0] == 6
    for values in ([0, 1e-300], [-1e299, 1e299], [1e15, 1e15 + 1], [5.0]):
        found = ticks(scale(values, 0, 1))
        assert len(found) <= 11 and found == sorted(found)


@pytest.mark.parametrize("labels", [None, ["a", None]])
@pytest.mark.parametrize("many", [1, 3, 12])
def test_charts_of_all_forms(labels: list[str | None] | None, many: int) -> None:
    from datetime import UTC, date, datetime

    for keys in (
        [1, 2, None],
        [date(2024, 1, 1), date(2024, 2, 1)],
        [datetime(2024, 1, 1, tzinfo=UTC)],
    ):
        if labels is not None:
            keys = [0, 1]
        points = [
            Point(key, value, width)
            for key, value, width in zip(keys, (3.0, -1.0, 2.0), (1.0, None, 0.5), strict=False)
        ]
        series = [(f"<{n}>" if many > 1 else "", points) for n in range(many)]
        chart = Chart(
            "<key>", "second" if many > 1 else "", labels, [DrawnColumn("<n>", series)], ["<said>"]
        )
        shown = harmless(chart_svg.drawn(chart))
        assert shown.count("<svg") == (many if many > 8 else 1)
        assert "nan" not in shown and "&lt;said&gt;" in shown
        assert shown.count("<title>") == many * len(points)
        one = replace(points[0], width=None)
        chart_svg.drawn(replace(chart, measures=[DrawnColumn("n", [("", [one])])]))


def test_a_chart_of_too_many_points_is_none() -> None:
    points = [Point(n, 1.0, None) for n in range(chart_svg.MOST)]
    chart = Chart("key", "", None, [DrawnColumn("n", [("", points)])], [])
    assert len(chart_svg.drawn(chart)) < 300_000
    more = DrawnColumn("n", [("", [*points, points[0]])])
    with pytest.raises(ValueError, match="too many"):
        chart_svg.drawn(replace(chart, measures=[more]))
