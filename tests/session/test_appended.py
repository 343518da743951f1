"""A copy that is refreshed after files were added is the one that all files would give."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace

import duckdb
import pytest

import dpsql
from dpsql.platform.engine.conform import Conformer, Cut
from dpsql.session import conforming, copies
from dpsql.session.appended import Appended
from tests.support.effort import tries

POLICY = """
unit: people.id
budget: {eps: 1e9}
tables:
  people:
    access: private
    key: [id]
    columns: {id: {type: INTEGER}, age: {type: INTEGER, bounds: [0, 9], nullable: false}}
  orders:
    access: private
    key: [number]
    owner: person
    columns:
      number: {type: INTEGER}
      person: {type: INTEGER, references: people.id, max_rows: 2}
      paid: {type: "DECIMAL(6,2)", bounds: [0, 5]}
  lines:
    access: private
    key: [line]
    owner: number
    columns:
      line: {type: INTEGER}
      number: {type: INTEGER, references: orders.number, max_rows: 2}
      kind: {type: VARCHAR, values: [a, b], nullable: false, max_rows: 3}
  visits:
    access: private
    owner: person
    columns: {person: {type: INTEGER, references: people.id, max_rows: 3}, day: {type: DATE}}
  towns: {access: public, key: [town], columns: {town: {type: VARCHAR}}}
"""
PRIVATE = ("people", "orders", "lines", "visits")
SALT = "5eed" * 8


@pytest.fixture(autouse=True)
def salted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Copies have the same salt, so that they can be compared."""
    monkeypatch.setattr(conforming, "secrets", SimpleNamespace(token_hex=lambda _: SALT))


class Folder:
    """A folder of Parquet files, to which more are added."""

    def __init__(self, path: Path) -> None:
        self.path, self.parts = path, Counter[str]()
        path.mkdir()
        self.add("towns", "SELECT 'x' AS town")

    def add(self, table: str, rows: str) -> None:
        (self.path / table).mkdir(exist_ok=True)
        file = self.path / table / f"part-{self.parts[table]:03}.parquet"
        duckdb.sql(f"COPY ({rows}) TO '{file}' (FORMAT parquet)")
        self.parts[table] += 1

    def drawn(self, draw: Random, tables: tuple[str, ...]) -> None:
        """A file more of each table. Number 10·p + k is an order of person p, so that no two units
        share a key; everything else is wrong now and then: an order or a line without what it
        leads to, which may come later; keys twice; too many rows; NULLs.
        """
        for table in tables:
            rows = [ROWS[table](draw) for _ in range(draw.randint(1, 6))]
            self.add(table, f"SELECT * FROM (VALUES {', '.join(rows)}) AS t({COLUMNS[table]})")


COLUMNS = {
    "people": "id, age, name",
    "orders": "number, person, paid",
    "lines": "line, number, kind",
    "visits": "person, day",
}


def person(draw: Random) -> int:
    return draw.randint(1, 4)


def order(draw: Random) -> int:
    return 10 * person(draw) + draw.randint(0, 2)


def _orders(draw: Random) -> str:
    number = order(draw)
    whose = draw.choice([str(number // 10)] * 9 + ["NULL"])
    return f"({number}::INTEGER, {whose}::INTEGER, {draw.randint(-2, 8)}::DECIMAL(6,2))"


def _lines(draw: Random) -> str:
    number, kind = order(draw), draw.choice(["'a'", "'b'", "'b'", "'c'", "NULL"])
    line = 100 * number + draw.randint(0, 3) if draw.random() < 0.8 else 100 * (number // 10)
    return f"({line}::INTEGER, {number}::INTEGER, {kind}::VARCHAR)"


ROWS = {
    "people": lambda d: f"({person(d)}::INTEGER, {d.randint(-3, 12)}::INTEGER, 'n'::VARCHAR)",
    "orders": _orders,
    "lines": _lines,
    "visits": lambda d: f"({person(d)}::INTEGER, DATE '2024-01-01' + {d.randint(0, 9)})",
}


def rows(copy: Path) -> dict[str, Counter[tuple[object, ...]]]:
    """What is in a copy."""
    found = copies.manifest(copy)
    assert found is not None
    with duckdb.connect(copy / found.file, read_only=True) as made:
        return {t: Counter(made.execute(f"FROM {t}").fetchall()) for t in (*PRIVATE, "towns")}


def of(cuts: tuple[Cut, ...]) -> dict[str, int | None]:
    return {cut.table: cut.of for cut in cuts}


@pytest.mark.parametrize("seed", range(tries(1, 60)))
def test_a_refreshed_copy_is_that_of_all_files(tmp_path: Path, seed: int) -> None:
    draw, folder, copy = Random(seed), Folder(tmp_path / "data"), tmp_path / "copy"
    folder.drawn(draw, PRIVATE)
    dpsql.prepare(folder.path, POLICY, copy)
    seen = Counter[bool]()
    for step in range(3):
        folder.drawn(draw, tuple(t for t in PRIVATE if draw.random() < 0.5))
        cuts = dpsql.prepare(folder.path, POLICY, copy, refresh=True)
        seen.update(cut.of is not None for cut in cuts)
        anew = tmp_path / f"anew {step}"
        dpsql.prepare(folder.path, POLICY, anew)
        assert rows(copy) == rows(anew)
    assert not seen[False]
    with dpsql.connect(copy, POLICY) as db:
        assert db.verified


def of_the_copy(self: Appended) -> int | None:
    """Old rows are taken from the copy, which does not have what was cut."""
    source = dict(self.source)
    for low, items in ((low, self._items(low)) for low in self.columns):
        more = f" UNION ALL SELECT {items} FROM {self.new[low]}" if low in self.new else ""
        source[low] = f"(SELECT {items} FROM {self.before[low]}{more})"
    return APART(replace(self, source=source))


APART, UNITS = Appended.apart, Appended._units
WRONG = {
    "old rows are those of the copy": (1, "apart", of_the_copy),
    "whose a new row is: only where it names the unit": (
        9,
        "_units",
        lambda self, low, new: (
            UNITS(self, low, new)
            if self.schema.next_owner(self._table(low)) is None
            else "SELECT NULL::INTEGER AS unit"
        ),
    ),
    "what was there stays beside what is made anew": (3, "_had", lambda self, table: "FALSE"),
}
"""With a seed that tells soon, what is wrong, and how."""


@pytest.mark.parametrize("wrong", WRONG)
def test_what_would_be_wrong_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    seed, *what = WRONG[wrong]
    monkeypatch.setattr(Appended, *what)
    with pytest.raises((AssertionError, dpsql.PolicyError)):
        test_a_refreshed_copy_is_that_of_all_files(tmp_path, seed)


@pytest.fixture
def small(tmp_path: Path) -> Folder:
    folder = Folder(tmp_path / "data")
    folder.add(
        "people", "SELECT i::INTEGER AS id, 5 AS age, 'n' AS name FROM range(1, 100) AS t(i)"
    )
    folder.add(
        "orders",
        "SELECT (10 * i + k)::INTEGER AS number, i::INTEGER AS person, 1::DECIMAL(6,2) AS paid "
        "FROM range(1, 100) AS t(i), range(4) AS u(k)",
    )
    folder.add("lines", "SELECT 1 AS line, 10 AS number, 'a' AS kind")
    folder.add("visits", "SELECT 1 AS person, DATE '2024-01-01' AS day")
    return folder


def test_only_units_with_new_rows_are_made_anew(small: Folder, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    dpsql.prepare(small.path, POLICY, copy)
    small.add(
        "orders", "SELECT 75::INTEGER AS number, 7::INTEGER AS person, 1::DECIMAL(6,2) AS paid"
    )
    cuts = dpsql.prepare(small.path, POLICY, copy, refresh=True)
    assert of(cuts) == {"orders": 1, "lines": 1}
    assert [cut.rows for cut in cuts] == [5, 0]
    assert dpsql.prepare(small.path, POLICY, copy, refresh=True) == ()
    small.add("visits", "SELECT 300 AS person, DATE '2024-01-01' AS day")
    assert of(dpsql.prepare(small.path, POLICY, copy, refresh=True)) == {"visits": 1}
    with dpsql.connect(copy, POLICY) as db:
        assert db.run("SELECT COUNT(*) AS n FROM orders", 1e6).rows == ((198,),)


def test_a_file_that_is_another_one_makes_all_anew(small: Folder, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    dpsql.prepare(small.path, POLICY, copy)
    small.add("visits", "SELECT 2 AS person, DATE '2024-01-01' AS day")
    small.parts["visits"] = 0
    small.add("visits", "SELECT 3 AS person, DATE '2024-01-01' AS day")
    assert of(dpsql.prepare(small.path, POLICY, copy, refresh=True)) == {"visits": None}
    assert rows(copy)["visits"].total() == 2


def test_the_state_of_a_file_is_no_difference(small: Folder, tmp_path: Path) -> None:
    """One that was copied elsewhere has the same content."""
    copy = tmp_path / "copy"
    dpsql.prepare(small.path, POLICY, copy)
    for file in small.path.glob("*/*.parquet"):
        content = file.read_bytes()
        file.unlink()
        file.write_bytes(content)
    assert dpsql.prepare(small.path, POLICY, copy, refresh=True) == ()


def test_a_key_of_an_untouched_unit_is_found(small: Folder, tmp_path: Path) -> None:
    """Also where the copy does not have the other row any more: the error is that of all files."""
    copy = tmp_path / "copy"
    dpsql.prepare(small.path, POLICY, copy)
    before = rows(copy)
    gone = {10 * 8 + k for k in range(4)} - {number for number, *_ in before["orders"]}
    assert len(gone) == 2
    small.add(
        "orders",
        f"SELECT {max(gone)}::INTEGER AS number, 7::INTEGER AS person, 1::DECIMAL(6,2) AS paid",
    )
    with pytest.raises(dpsql.PolicyError, match="1 values of the key"):
        dpsql.prepare(small.path, POLICY, copy, refresh=True)
    assert rows(copy) == before


def test_who_is_stopped_leaves_the_copy_that_was_there(
    small: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy"
    dpsql.prepare(small.path, POLICY, copy)
    before, names = rows(copy), sorted(p.name for p in copy.iterdir())
    small.add(
        "orders", "SELECT 75::INTEGER AS number, 7::INTEGER AS person, 1::DECIMAL(6,2) AS paid"
    )

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    places = (
        (Appended, "apart"),
        (Appended, "joined"),
        (Conformer, "private"),
        (copies, "publish"),
    )
    for owner, called in places:
        with monkeypatch.context() as patched:
            patched.setattr(owner, called, stopped)
            with pytest.raises(KeyboardInterrupt):
                dpsql.prepare(small.path, POLICY, copy, refresh=True)
        assert (rows(copy), sorted(p.name for p in copy.iterdir())) == (before, names)
        with dpsql.connect(copy, POLICY) as db:
            assert db.verified
    assert of(dpsql.prepare(small.path, POLICY, copy, refresh=True)) == {"orders": 1, "lines": 1}
