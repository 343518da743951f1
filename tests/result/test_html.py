"""An answer as HTML, read by a parser as a browser would."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from html.parser import HTMLParser

from dpsql import Answer
from dpsql.execution.processing import Reused
from dpsql.report.figures import LONGEST
from dpsql.report.result import Batch
from tests.result.made import EXPLANATION, THRESHOLD, answer

VOID = {"br"}
HOSTILE = (
    """<script>alert(1)</script>"'&<!--</table><img src=x onerror=alert(1)> {{7*7}} \x1b[31m"""
)


@dataclass
class Cell:
    """A cell: its text, and what its tag says."""

    said: dict[str, str | None]
    text: str = ""
    parts: list[str] = field(default_factory=list)


class Page(HTMLParser):
    """What a page shows."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.rows: list[list[Cell]] = []
        self.notes: list[str] = []
        self.attributes: set[str] = set()
        self.comments = 0
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append(Cell(dict(attrs)))
        if tag == "span":
            self.rows[-1][-1].parts.append(str(dict(attrs)["class"]))
        if tag == "p":
            self.notes.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" in self.open:
            assert "url(" not in data and "@import" not in data
        elif {"td", "th"} & set(self.open):
            self.rows[-1][-1].text += data
        elif "p" in self.open:
            self.notes[-1] += data

    def handle_comment(self, data: str) -> None:
        self.comments += 1


def page(made: Answer) -> Page:
    return Page(made._repr_html_())


def test_numbers_intervals_kinds_and_cost() -> None:
    made = answer(
        ("VARCHAR", "BIGINT", "DOUBLE"),
        ("Bern", 12345, 2.34567),
        (None, 7, 0.5),
        columns=("city", "n", "mean"),
        widths=(None, 120.0, 0.0123),
    )
    found = page(made)
    assert [cell.text for cell in found.rows[0]] == [
        "cityexact",
        "nnoise, ± at 95 %",
        "meannoise, ± at 95 %",
    ]
    first, second = found.rows[1:]
    assert [cell.text for cell in first] == ["Bern", "12,345 ± 120", "2.346 ± 0.012"]
    assert [cell.said.get("title") for cell in first] == [
        None,
        "95 %: from 12,225 to 12,465",
        "95 %: from 2.333 to 2.358",
    ]
    assert [cell.said.get("class") for cell in first] == [None, "number", "number"]
    assert [cell.parts for cell in first] == [[], ["reach"], ["reach"]]
    assert (second[0].text, second[0].parts) == ("NULL", ["null"])
    assert found.notes == ["(2 rows, ε = 1; exact: city)"]


def test_whole_numbers_beyond_a_double_have_exact_ends() -> None:
    found = page(answer(("HUGEINT",), (2**90 + 1,), widths=(2.0,)))
    assert found.rows[1][0].said["title"] == f"95 %: from {2**90 - 1:,} to {2**90 + 3:,}"


def test_notes() -> None:
    made = answer(("VARCHAR", "BIGINT"), ("a", 50), explanation=THRESHOLD, widths=(None, 3.0))
    found = page(replace(made, reused=Reused(3, "rollup")))
    assert found.notes == [
        "left out: groups of too few units, counted with noise",
        "(1 row, free: sums of groups of charge 3; exact: c0)",
    ]
    mixed = answer(("BIGINT",), (5,), (7,))
    found = page(replace(mixed, intervals=((2.0,), (None,))))
    assert [row[0].text for row in found.rows[1:]] == ["5 ± 2", "≈ 7"]
    assert found.notes[0].startswith("≈ c0: by how much it is off is not known")


def test_hostile_texts_are_texts() -> None:
    made = answer(("VARCHAR", "BIGINT"), (HOSTILE, 5), columns=(HOSTILE, "n"), widths=(None, 3.0))
    found = page(made)
    shown = HOSTILE.replace("\x1b", "\\x1b")
    assert found.rows[0][0].text == shown + "exact"
    assert found.rows[1][0].text == shown
    assert set(found.tags) == {
        *("div", "style", "table", "thead", "tbody", "tr", "th", "td", "span", "p"),
    }
    assert found.attributes == {"class", "scope", "title"} and found.comments == 0


def test_it_takes_its_colours_from_the_page() -> None:
    text = answer(("BIGINT",), (5,), widths=(3.0,))._repr_html_()
    style = text.partition("<style>")[2].rpartition("</style>")[0]
    # The one colour is a half-transparent grey, of lines: right on white and on black.
    assert "background" not in style and "{color" not in style and ";color" not in style
    assert style.count("#") == style.count("#8886")


def test_long_answers_are_cut() -> None:
    rows = [(n, "x" * 2_000_000 if n == 0 else "y") for n in range(1_234)]
    made = answer(("BIGINT", "VARCHAR"), *rows)
    text = made._repr_html_()
    found = Page(text)
    assert len(found.rows) == 1001 and len(text) < 100_000
    assert found.rows[1][1].text == "x" * (LONGEST - 1) + "…"
    assert found.notes[0] == "… 234 more rows"
    wide = answer(("VARCHAR",) * 300, *[tuple("z" * 300)] * 200)
    found = page(wide)
    assert {len(row) for row in found.rows} == {200} and len(found.rows) == 67
    assert found.notes[:2] == ["… 134 more rows", "… 100 more columns"]


def test_a_batch_is_its_answers_and_what_they_cost_together() -> None:
    one = answer(("BIGINT",), (5,), widths=(3.0,))
    found = Page(Batch((one, one), EXPLANATION.cost)._repr_html_())
    assert found.notes == ["(1 row, ε = 1)", "(1 row, ε = 1)", "(2 answers, ε = 1)"]
