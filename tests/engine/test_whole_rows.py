"""Many rows of whole numbers by columns: they are the rows that the engine made."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from contextlib import suppress

import duckdb
import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsql.errors import EngineError
from dpsql.platform.engine import remote, whole_rows, worker_wire
from dpsql.platform.engine.whole_rows import FEW, MANY, Row, WholeRows, joined, narrowest, parts


@pytest.fixture
def engine() -> Iterator[duckdb.DuckDBPyConnection]:
    made = duckdb.connect(":memory:")
    yield made
    made.close()


def sent(part: Sequence[Row]) -> Sequence[Row]:
    """As a worker sends it to its parent."""
    return worker_wire.rows(worker_wire.parsed(worker_wire.text(worker_wire.columns(part))))


@pytest.mark.parametrize(
    ("items", "whole"),
    [
        ("i, 2 * i", True),
        ("i::TINYINT, i::SMALLINT, i::INTEGER", True),
        ("i - 9223372036854775807, 9223372036854775807", True),
        ("CASE WHEN i = 7 THEN 9223372036854775807 ELSE 1 END, i % 2 - 128", True),
        ("CASE WHEN i = 30000 THEN -2147483649 ELSE 1 END, i % 2 + 127", True),
        ("i, i", True),
        ("i::HUGEINT * 1000000000000000000000, i", False),
        ("i, i::DECIMAL(20, 2)", False),
        ("i, i::UBIGINT", False),
        ("i, i::VARCHAR", False),
        ("i, i > 5", False),
        ("i, CASE WHEN i <> 7 THEN i END", True),
        ("i, CASE WHEN i <> 30000 THEN i END", True),
    ],
)
@pytest.mark.parametrize("rows", [0, 1, FEW - 1, FEW, FEW + 1, 60_000])
@pytest.mark.one_in(3)
def test_they_are_the_rows_of_the_engine(
    engine: duckdb.DuckDBPyConnection, items: str, whole: bool, rows: int
) -> None:
    few = "i % 100" if "INT" in items and "::TINY" in items else "i"
    text = f"SELECT {items} FROM (SELECT {few} AS i FROM range({rows}) t(i))"
    expected = engine.execute(text).fetchall()
    for way in (list, lambda found: [sent(part) for part in found]):
        found = joined(way(parts(engine.execute(text))))
        assert list(found) == expected
        assert [*map(type, found[0])] == [*map(type, expected[0])] if rows else not found
        no_null = all(None not in row for row in expected)
        assert isinstance(found, WholeRows) == (whole and no_null and rows > FEW)


def test_without_numpy_they_are_tuples(
    engine: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whole_rows, "find_spec", lambda name: None)
    found = joined(parts(engine.execute("SELECT i FROM range(30000) t(i)")))
    assert found == [(i,) for i in range(30_000)]


def test_a_part_fits_a_message(engine: duckdb.DuckDBPyConnection) -> None:
    found = list(parts(engine.execute(f"SELECT i, i, i FROM range({MANY}) t(i)")))
    assert max(len(part) for part in found) <= MANY // 3 and sum(map(len, found)) == MANY


def test_rows_and_slices_of_them() -> None:
    rows = WholeRows([array("q", [1, 2, 3]), array("q", [4, 5, -6])])
    assert (len(rows), rows[2], list(rows[1:])) == (3, (3, -6), [(2, 5), (3, -6)])


@pytest.mark.parametrize("said", ["AQ", "AQ==", "!!!!", 7, None, ["AQAAAAAAAAA="]])
def test_what_is_no_column_is_refused(said: object) -> None:
    with pytest.raises(worker_wire.NotSaid):
        worker_wire.understood(lambda: worker_wire.rows([["q8", said]]))


@pytest.mark.parametrize("tag", ["q", "q3", "q16", "d", "", 8, None])
def test_a_column_of_another_width_is_refused(tag: object) -> None:
    with pytest.raises(worker_wire.NotSaid):
        worker_wire.understood(lambda: worker_wire.rows([[tag, "AQAAAAAAAAA="]]))


ENDS = [n for bits in (8, 16, 32, 64) for n in (2 ** (bits - 1) - 1, -(2 ** (bits - 1)))]


@pytest.mark.parametrize("bits", [8, 16, 32, 64])
def test_a_column_is_as_narrow_as_its_numbers_allow(bits: int) -> None:
    for end in (2 ** (bits - 1) - 1, -(2 ** (bits - 1))):
        found = narrowest(numpy.array([end, 0]))
        assert found.itemsize == bits // 8 and found.tolist() == [end, 0]
        if bits < 64:
            beyond = end + (1 if end > 0 else -1)
            assert narrowest(numpy.array([beyond])).itemsize == bits // 4


@given(st.lists(st.lists(st.sampled_from([0, 1, *ENDS]), min_size=1, max_size=3), min_size=1))
def test_parts_of_several_widths_are_one_column(drawn: list[list[int]]) -> None:
    """Also where the first of them are tuples."""
    numbers = [number for part in drawn for number in part]
    whole: list[Sequence[Row]] = [WholeRows([narrowest(numpy.array(part))]) for part in drawn]
    first = [(number,) for number in drawn[0]]
    for found in (whole, [first, *whole[1:]]):
        rows = joined(sent(part) for part in found)
        assert [*rows] == [(number,) for number in numbers]
        assert isinstance(rows, WholeRows) == (found[-1] is whole[-1])


def test_columns_of_two_lengths_are_no_rows() -> None:
    one, two = array("q", [1]), array("q", [1, 2])
    (a,), (b,) = worker_wire.columns(WholeRows([one])), worker_wire.columns(WholeRows([two]))
    with pytest.raises(worker_wire.NotSaid):
        worker_wire.rows([a, b])


@pytest.mark.parametrize(
    "parts_said",
    [
        [[["", [2**63]]], [["q8", ""]]],
        [[["", [1]], ["", [2]]], [["q8", ""]]],
        [[["", ["x"]]], [["q8", "AQAAAAAAAAA="]]],
        [[["q8", ""]]],
        [[["q1", "AQ=="]], [["", [1]]]],
        [[["", [1, 2]]], [["q1", "AQ=="]], [["q8", "AQAAAAAAAAA="]]],
        [[["", ["x"]]], [["q1", "AQ=="]]],
    ],
)
def test_parts_that_do_not_fit_each_other_are_one_error_or_rows(parts_said: list[object]) -> None:
    """Whatever a worker says, its parent has rows, or the one error that tells nothing."""
    with suppress(EngineError):
        assert all(isinstance(row, tuple) for row in remote._rows(parts_said, None))
