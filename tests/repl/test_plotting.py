r"""`\plot`: what is drawn, and where it is written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from matplotlib import pyplot

import dpsql
from dpsql import demo
from dpsql.repl.command import UsageError
from dpsql.session.database import Database
from tests.repl.looker import Looker, command

COUNT = "SELECT channel, COUNT(*) AS n FROM orders GROUP BY channel"
BEGINS = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


@pytest.fixture(scope="module")
def shop() -> Iterator[Database]:
    with demo.database() as db:
        yield db


@pytest.fixture(scope="module")
def answer(shop: Database) -> dpsql.Answer:
    return shop.run(COUNT, 1)


@pytest.fixture
def look(shop: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Looker:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    return Looker(shop)


def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is asked for a picture, from now on."""
    asked: list[str] = []
    for kind in (dpsql.Answer, dpsql.Explanation):

        def plot(self: object, *_: object, kind: type = kind, old: object = kind.plot) -> object:
            asked.append(kind.__name__)
            return old(self)  # type: ignore[operator]

        monkeypatch.setattr(kind, "plot", plot)
    return asked


@pytest.mark.parametrize(
    ("written", "file"),
    [
        ("", "dpsql-plot.png"),
        ("sales.svg", "sales.svg"),
        ("a b.PDF ;", "a b.PDF"),
        ("sales", "sales.png"),
        ("~/home.png", "home.png"),
    ],
)
def test_the_answer(
    look: Looker,
    answer: dpsql.Answer,
    monkeypatch: pytest.MonkeyPatch,
    written: str,
    file: str,
) -> None:
    asked = drawn(monkeypatch)
    look.answer, look.query = answer, COUNT
    assert look(rf"\plot {written}") == ""
    assert asked == ["Answer"]
    place = Path.home() / file if written.startswith("~") else Path(file)
    assert look.said == [f"wrote {place}"]
    assert [p.name for p in Path().iterdir()] == [file]
    assert place.read_bytes().startswith(BEGINS[place.suffix.lower()])
    assert pyplot.get_fignums() == []


@pytest.mark.parametrize("written", [r"\plot", r"\plot noise", r"\plot noise n.png"])
def test_the_noise_of_a_query_that_was_not_run(
    look: Looker, monkeypatch: pytest.MonkeyPatch, written: str
) -> None:
    asked = drawn(monkeypatch)
    look.query = COUNT
    look(written)
    assert asked == ["Explanation"]
    (file,) = Path().iterdir()
    assert file.name == ("n.png" if "n.png" in written else "dpsql-plot.png")
    assert look.said == [f"wrote {file}"]


def test_the_noise_beside_an_answer(
    look: Looker, answer: dpsql.Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = drawn(monkeypatch)
    look.answer, look.query = answer, COUNT
    look(r"\plot noise")
    assert asked == ["Explanation"]


def test_a_name_that_was_given_is_overwritten_and_no_other(
    look: Looker, answer: dpsql.Answer
) -> None:
    look.answer = answer
    for name in ("dpsql-plot.png", "dpsql-plot-2.png", "mine.png"):
        Path(name).write_text("old", encoding="utf-8")
    look(r"\plot")
    assert look.said == ["wrote dpsql-plot-3.png"]
    look(r"\plot mine.png")
    assert Path("mine.png").read_bytes().startswith(BEGINS[".png"])
    assert Path("dpsql-plot.png").read_text(encoding="utf-8") == "old"


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("data.txt", r"a picture is a PNG, SVG or PDF file: \plot data.png"),
        ("d\x1bx.exe", r"a picture is a PNG, SVG or PDF file: \plot d\x1bx.png"),
        ("none/x.png", "cannot write none/x.png: No such file or directory"),
        ("\x1b/x.png", r"cannot write \x1b/x.png: No such file or directory"),
        ("\0.png", r"cannot write \x00.png: no such file"),
        ("~nobody-of-that-name/x.png", "cannot write ~nobody-of-that-name/x.png: no such file"),
    ],
)
def test_where_no_picture_can_be(
    look: Looker, answer: dpsql.Answer, written: str, message: str
) -> None:
    look.answer = answer
    with pytest.raises(UsageError) as refused:
        look(rf"\plot {written}")
    assert str(refused.value) == message
    assert list(Path().iterdir()) == [] and look.said == []


def test_what_has_no_picture(look: Looker, shop: Database) -> None:
    with pytest.raises(UsageError) as refused:
        look(r"\plot")
    assert str(refused.value) == r"no query yet: type one, or write \explain SELECT …"
    look.query = "SELECT AVG(email) FROM customers"
    with pytest.raises(dpsql.Rejected):
        look(r"\plot")
    look.query = "SELECT region FROM regions"  # exact: no noise
    with pytest.raises(UsageError) as refused:
        look(r"\plot")
    told = str(refused.value)
    look.answer = shop.run("SELECT 1 AS a FROM regions WHERE FALSE", 1)
    with pytest.raises(UsageError):
        look(r"\plot")
    assert told and list(Path().iterdir()) == []
    assert tuple(command(r"\plot").words(look)) == ("noise",)  # type: ignore[arg-type]


def test_without_matplotlib(
    look: Looker, answer: dpsql.Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    look.answer = answer
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.style", None)
    with pytest.raises(UsageError) as refused:
        look(r"\plot")
    assert str(refused.value) == 'plot needs matplotlib: pip install "dpsql[plot]"'
