"""An answer as text: rounded for show, marked, aligned, and never endless."""

from __future__ import annotations

import csv
import io
import json
import math
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from dpsql.execution.processing import Reused
from dpsql.report.figures import LONGEST
from dpsql.report.result import shortened
from dpsql.report.result.answer_document import LARGE
from dpsql.report.result.formats import FORMATS
from tests.result.made import THRESHOLD, answer


def test_text_table() -> None:
    made = answer(
        ("VARCHAR", "BOOLEAN", "BIGINT", "DOUBLE", "DECIMAL(38,2)"),
        ("Bern", True, 12345, 2.34567, Decimal("-1234567.89")),
        (None, None, 7, 0.004567, Decimal("3.10")),
        columns=("city", "gift", "n", "mean", "total"),
        widths=(None, None, 120.0, 0.0123, 456.7),
    )
    assert str(made).splitlines() == [
        "city  gift             n           mean             total",
        "----  ----  ------------  -------------  ----------------",
        "Bern  true  12,345 ± 120  2.346 ± 0.012  -1,234,568 ± 457",
        "NULL  NULL       7 ± 120  0.005 ± 0.012           3 ± 457",
        "(2 rows, ε = 1; exact: city, gift)",
    ]
    assert repr(made) == str(made)
    # Rounded for show only.
    assert made.rows[0][3] == 2.34567 and made["total"][1] == Decimal("3.10")
    assert json.loads("".join(FORMATS["json"](made, False)))["rows"][0][3] == 2.34567
    assert "Bern,true,12345,2.34567,-1234567.89\n" in list(FORMATS["csv"](made, False))
    assert "| Bern | true | 12,345 | 2.346 | -1,234,568 |\n" in list(
        FORMATS["markdown"](made, False)
    )


@pytest.mark.parametrize(
    ("value", "width", "shown"),
    [
        (5, None, "5"),
        (5, 0.0, "5 ± 0"),
        (10_000, 0.0, "10,000 ± 0"),
        (0.25, None, "0.25"),
        (math.inf, 2.0, "inf"),
        (math.nan, 2.0, "nan"),
        (1.5, 1e-30, "1.5 ± 1e-30"),
        (1e22, 3e21, "10,000,000,000,000,000,000,000 ± 3,000,000,000,000,000,000,000"),
        (3, 0.4, "3 ± 0.40"),
        (3, 4.0, "3 ± 4"),
        (99.4, 9.94, "99.4 ± 9.9"),
        (99.4, 9.96, "99 ± 10"),
        (0.12345, 0.0995, "0.12 ± 0.10"),
        (12345.6, 218.4, "12,346 ± 218"),
        (Decimal("12345678901234567890.12"), 0.5, "12,345,678,901,234,567,890.12 ± 0.50"),
        (date(2024, 1, 2), None, "2024-01-02"),
        ("7 ± 3", None, "7 ± 3"),
    ],
)
def test_cells(value: Any, width: float | None, shown: str) -> None:
    made = answer(("DOUBLE",), (value,), widths=(width,))
    assert str(made).splitlines()[2].strip() == shown


def test_no_rows_and_one_row() -> None:
    made = answer(("BIGINT",), columns=("n",))
    assert str(made) == "n\n-\n(0 rows, ε = 1; exact)"
    assert str(answer(("BIGINT",), (1,), widths=(2.0,))).endswith("\n(1 row, ε = 1)")


def test_noise_of_which_no_half_width_is_known_is_marked() -> None:
    made = answer(("BIGINT", "VARCHAR"), (5, "x"), (7, "y"), (None, "z"), columns=("n", "k"))
    made = replace(made, intervals=((2.0, None), (None, None), (None, None)))
    assert str(made).splitlines()[2:] == [
        "5 ± 2  x",
        "  ≈ 7  y",
        " NULL  z",
        f"≈ n: {LARGE}",
        "(3 rows, ε = 1; exact: k)",
    ]
    assert list(FORMATS["markdown"](made, False))[3] == "| 7 | y |\n"


def test_markdown_has_no_tag_and_no_cell_of_its_own() -> None:
    made = answer(("VARCHAR",), ("<script>&lt;",), ("a\\|b\\\\|c|",), columns=("<b>x</b>",))
    assert list(FORMATS["markdown"](made, False)) == [
        "| &lt;b&gt;x&lt;/b&gt; |\n",
        "| --- |\n",
        "| &lt;script&gt;&amp;lt; |\n",
        "| a\\\\\\|b\\\\\\\\\\|c\\| |\n",
    ]


def test_groups_that_are_left_out_are_said() -> None:
    (limit,) = {r.threshold for r in THRESHOLD.releases} - {None}
    made = answer(("VARCHAR", "BIGINT"), ("a", 50), widths=(None, 3.0), explanation=THRESHOLD)
    note = f"left out: groups of fewer than {limit} units, counted with noise"
    assert str(made).splitlines()[-2] == note
    # What is stored may be of another ε, and so of another threshold.
    again = replace(made, reused=Reused(7, "repeat"))
    assert str(again).splitlines()[-2:] == [
        "left out: groups of too few units, counted with noise",
        "(1 row, free: the answer of charge 7; exact: c0)",
    ]
    # It says the same whatever is in the data.
    assert str(replace(made, rows=(), intervals=())).splitlines()[-2] == note


def test_many_exact_columns_are_counted() -> None:
    made = answer(("BIGINT",) * 9, (1,) * 9, widths=(*(None,) * 8, 1.0))
    assert str(made).endswith("(1 row, ε = 1; exact: c0, c1, c2, c3, c4 and 3 more)")


def test_texts_cannot_break_the_table() -> None:
    made = answer(("VARCHAR",), ("a\nb\x1b[31m\u202e",), columns=("x\ty",))
    assert str(made).splitlines() == [
        "x\\ty",
        "------------------",
        "a\\nb\\x1b[31m\\u202e",
        "(1 row, ε = 1; exact)",
    ]


def test_wide_letters_take_two_places() -> None:
    made = answer(("VARCHAR", "BIGINT"), ("日本", 1), ("e\u0301t", 22), columns=("k", "n"))
    assert str(made).splitlines()[:4] == ["k      n", "----  --", "日本   1", "e\u0301t    22"]


def test_what_is_cut_says_so() -> None:
    assert shortened("x" * LONGEST) == "x" * LONGEST
    assert shortened("x" * (LONGEST + 1)) == "x" * (LONGEST - 1) + "…"
    assert shortened("\x1b" * 400) == ("\\x1b" * 400)[: LONGEST - 1] + "…"


def test_a_long_answer_is_looked_at_in_part_and_printed_whole() -> None:
    made = answer(("BIGINT",), *((n,) for n in range(1003)), widths=(1.0,))
    assert repr(made).splitlines()[-3:] == [
        "999 ± 1",
        "… 3 more rows",
        "(1,003 rows, ε = 1)",
    ]
    assert str(made).splitlines()[-2:] == ["1,002 ± 1", "(1,003 rows, ε = 1)"]
    wide = answer(("BIGINT",) * 200, *[(1,) * 200] * 150)
    assert "\n… 50 more rows\n" in repr(wide)


def test_200_columns_and_2_million_characters() -> None:
    long = "a\n" * 1_000_000
    made = answer(
        ("VARCHAR",) * 200, (long, *"x" * 199), (None, *"y" * 199), columns=(long, *"c" * 199)
    )
    shown = str(made)
    assert len(shown) < 10_000 and len(repr(made)) < 10_000
    cut = ("a\\n" * LONGEST)[: LONGEST - 1] + "…"
    lines = shown.splitlines()
    assert lines[0] == lines[2].replace("x", "c") == "  ".join([cut, *"c" * 199])
    assert lines[3] == "  ".join(["NULL".ljust(LONGEST), *"y" * 199])
    # The data are never cut.
    assert made[long][0] == long
    before = csv.field_size_limit(3_000_000)
    rows = list(csv.reader(io.StringIO("".join(FORMATS["csv"](made, False)), newline="")))
    csv.field_size_limit(before)
    assert rows == [list(made.columns), list(made.rows[0]), ["", *"y" * 199]]
    document = json.loads("".join(FORMATS["json"](made, False)))
    assert document["columns"][0] == document["rows"][0][0] == long
    assert "".join(FORMATS["markdown"](made, False)).count("a\\n" * 1_000_000) == 2
    assert "".join(FORMATS["vertical"](made, False)).count("a\\n" * 1_000_000) >= 1
