"""The picture of noise: its curves are the mechanisms' own, and its intervals the releases'."""

from __future__ import annotations

import subprocess
import sys
from math import exp, isclose, pi, sqrt, tanh
from pathlib import Path
from typing import Any

import pytest

import dpsql
from dpsql import demo
from dpsql.compile import compile_query
from dpsql.core.calibrate.options import Options
from dpsql.errors import NotCalibrated
from dpsql.platform.policy import resolve
from dpsql.report.explanation import Explanation
from dpsql.report.explanation.explanation import explanation

UNITS = "SELECT COUNT(*) AS n FROM customers"
BOTH = "SELECT COUNT(*) AS n, SUM(shipping) AS total, MEDIAN(shipping) AS m FROM orders"
PNG = b"\x89PNG\r\n\x1a\n"


def explain(sql: str, eps: object = 1, **wishes: object) -> Explanation:
    return dpsql.explain(sql, eps, policy=demo.policy(), **wishes)  # type: ignore[arg-type]


def lines(axes: Any) -> dict[str, Any]:
    """The curves by the ε in their labels."""
    return {
        line.get_label().split(":")[0]: line
        for line in axes.get_lines()
        if line.get_label().startswith("ε")
    }


def test_the_heights_are_those_of_the_discrete_laplace_law() -> None:
    """Sensitivity 1: at ε the probability of k is tanh(ε/2)·exp(-ε·|k|)."""
    (axes,) = explain(UNITS).plot().axes
    found = lines(axes)
    assert list(found) == ["ε = 0.5", "ε = 1", "ε = 2"]
    for eps, line in zip((0.5, 1, 2), found.values(), strict=True):
        places, heights = (list(map(float, data)) for data in line.get_data())
        assert places == list(range(-7, 8))
        assert heights == pytest.approx([tanh(eps / 2) * exp(-eps * abs(k)) for k in range(-7, 8)])


def test_the_heights_are_those_of_the_gaussian_law_at_its_delta() -> None:
    wishes = {"noise": "gaussian", "delta": 1e-7}
    sql = "SELECT SUM(shipping) AS total FROM orders"
    (axes,) = explain(sql, 1, **wishes).plot().axes
    found = lines(axes)
    assert list(found) == [f"ε = {eps}, δ = 1e-7" for eps in ("0.5", "1", "2")]
    for eps, line in zip((0.5, 1, 2), found.values(), strict=True):
        (release,) = explain(sql, eps, **wishes).releases
        assert release.mechanism == "gaussian" and release.scale is not None
        places, heights = (list(map(float, data)) for data in line.get_data())
        sigma, step = release.scale, float(release.step)
        expected = [exp(-((x / sigma) ** 2) / 2) / (sigma * sqrt(2 * pi)) for x in places]
        assert heights == pytest.approx(expected)
        assert heights == [release.mass(round(x / step)) / step for x in places]
        assert all(isclose(x / step, round(x / step), abs_tol=1e-6) for x in places)


@pytest.mark.parametrize("sql", [UNITS, "SELECT SUM(shipping) AS n FROM orders"])
def test_what_is_shaded_is_the_interval(sql: str) -> None:
    found = explain(sql)
    (release,) = found.releases
    half, step = release.interval(0.95), float(release.step)
    (axes,) = found.plot().axes
    if axes.patches:  # bars: each is one value
        middles = [bar.get_x() + bar.get_width() / 2 for bar in axes.patches]
        assert middles == pytest.approx([k * step for k in range(-round(half), round(half) + 1)])
        assert sum(bar.get_height() * bar.get_width() for bar in axes.patches) >= 0.95
    else:
        (shaded,) = axes.collections
        path = shaded.get_paths()[0].vertices
        assert (min(path[:, 0]), max(path[:, 0])) == (-half, half)
    ends = [list(line.get_xdata()) for line in axes.get_lines() if line.get_marker() == "|"]
    halves = [explain(sql, eps).releases[0].interval(0.95) for eps in (0.5, 1, 2)]
    assert ends == [[-h, h] for h in halves]
    assert halves[0] > half == halves[1] > halves[2]


def test_the_half_widths_are_written() -> None:
    (axes,) = explain("SELECT COUNT(*) AS n FROM orders").plot().axes
    assert axes.get_title(loc="left") == "n: ± 120 at 95 %, laplace noise"
    words = [text.get_text() for text in axes.get_legend().get_texts()]
    assert words == ["ε = 0.5: ± 240", "ε = 1: ± 120", "ε = 2: ± 60"]


def test_measurements_share_a_picture_where_they_share_their_noise() -> None:
    both = "SELECT COUNT(*) FILTER (WHERE gift) AS a, COUNT(*) FILTER (WHERE NOT gift) AS b"
    (axes,) = explain(f"{both} FROM orders").plot().axes
    assert axes.get_title(loc="left").startswith("a, b: ± ")


def test_a_pick_has_no_density_and_its_error_is_said() -> None:
    shipping = "centred sum(shipping)"
    figure = explain(BOTH).plot()
    assert [axes.get_title(loc="left").split(":")[0] for axes in figure.axes] == ["n", shipping]
    note = figure.get_supxlabel()
    rows = explain(BOTH).releases[2].interval(0.95)
    assert note == f"m: exponential mechanism, within {rows:,.0f} rows at 95 %"
    made_of = explain(BOTH).plot("TOTAL").axes  # the middle of the range, times the count, is added
    assert [axes.get_title(loc="left").split(":")[0] for axes in made_of] == ["n", shipping]
    (axes,) = explain(BOTH).plot(shipping).axes
    assert axes.get_title(loc="left").startswith(shipping)
    assert explain(BOTH).plot("n").get_supxlabel() == ""


MANY = ", ".join(f"SUM(rating * (rating + {n})) AS s{n}" for n in range(1, 14))
MANY = f"SELECT {MANY} FROM orders"


@pytest.mark.parametrize(
    ("sql", "column", "message"),
    [
        (BOTH, "m", r"no noise to draw: m: exponential mechanism, within [\d,]+ rows at 95 %"),
        (BOTH, "x", "x is no noisy column of this query; these are: n, total, m, centred sum"),
        ("SELECT 1 AS one", None, "no noise to draw: public: reads public tables alone"),
        ("SELECT 1 AS one", "one", "these are: none"),
        (
            "SELECT SUM(rating) AS s FROM orders",
            None,
            "no noise to draw: s: a clip that the data gives",
        ),
        (
            MANY,
            None,
            "13 different noises are too many for one picture; name one of s1, s2",
        ),
    ],
)
def test_what_cannot_be_drawn(sql: str, column: str | None, message: str) -> None:
    wishes = {"clipping": "adaptive"} if sql.startswith("SELECT SUM(rating) AS s ") else {}
    with pytest.raises(ValueError, match=message):
        explain(sql, **wishes).plot(column)


def test_where_the_query_is_not_known_at_another_eps() -> None:
    from fractions import Fraction

    schema = resolve(demo.policy(), None, None)
    compiled = compile_query(UNITS, schema, Fraction(1), options=Options())
    with pytest.raises(NotCalibrated):
        explanation(compiled, tuple).plot()


def test_an_answer_has_the_picture_too() -> None:
    with dpsql.connect(demo.connection(), demo.policy()) as db:
        made = [db.run(UNITS, 1).explanation.plot(), db.explain(UNITS, 1).plot()]
    drawn, again = (
        [line.get_ydata().tolist() for line in lines(figure.axes[0]).values()] for figure in made
    )
    assert drawn == again and len(drawn) == 3


def test_it_is_written_and_any_letter_is_drawn(tmp_path: Path) -> None:
    # Warnings are errors here: a letter that the font lacks would be one, and $ a formula.
    found = explain('SELECT COUNT(*) AS "$x_{$ 你好🙂\u202e\\a<b>" FROM orders')
    figure = found.plot(path=tmp_path / "noise.png")
    assert (tmp_path / "noise.png").read_bytes().startswith(PNG)
    assert figure.axes[0].get_title(loc="left").startswith("$x_{$ □□□\\u202e\\a<b>: ± 120")
    with pytest.raises(ValueError, match="wrong"):
        found.plot(path=tmp_path / "noise.wrong")


def test_pyplot_is_left_alone() -> None:
    code = (
        "import sys, dpsql; from dpsql import demo\n"
        f"found = dpsql.explain({UNITS!r}, 1, policy=demo.policy())\n"
        "assert 'matplotlib' not in sys.modules\n"
        "found.plot(); assert 'matplotlib.pyplot' not in sys.modules\n"
        "sys.modules['matplotlib'] = sys.modules['matplotlib.style'] = None\n"
        "try: found.plot()\n"
        "except ImportError as error: print(error)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == 'plot needs matplotlib: pip install "dpsql[plot]"\n'
