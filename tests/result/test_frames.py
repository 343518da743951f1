"""An answer as Arrow, pandas and polars; its rows and columns."""

from __future__ import annotations

import builtins
import copy
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import duckdb
import pandas
import polars
import pyarrow
import pytest

from dpsql import Answer
from tests.result.made import answer

TYPED: list[tuple[str, Any, pyarrow.DataType]] = [
    ("BOOLEAN", True, pyarrow.bool_()),
    ("TINYINT", 1, pyarrow.int8()),
    ("SMALLINT", 1, pyarrow.int16()),
    ("INTEGER", 1, pyarrow.int32()),
    ("BIGINT", -(2**63), pyarrow.int64()),
    ("HUGEINT", 2**63 - 1, pyarrow.int64()),
    ("HUGEINT", 2**127 - 1, pyarrow.decimal256(39, 0)),
    ("UBIGINT", 2**64 - 1, pyarrow.uint64()),
    ("FLOAT", 0.5, pyarrow.float32()),
    ("DOUBLE", 0.1, pyarrow.float64()),
    ("DECIMAL(9,2)", Decimal("1234567.89"), pyarrow.decimal128(9, 2)),
    ("DECIMAL(38,4)", Decimal("1e33"), pyarrow.decimal128(38, 4)),
    ("DATE", date(2024, 2, 29), pyarrow.date32()),
    ("TIMESTAMP", datetime(2024, 2, 29, 1, 2, 3, 456789), pyarrow.timestamp("us")),
    ("VARCHAR", "naïve <b>", pyarrow.string()),
    ("ENUM('a', 'b')", "a", pyarrow.string()),
]


@pytest.mark.parametrize(("sql", "value", "arrow"), TYPED, ids=[t[0] for t in TYPED])
def test_arrow_types(sql: str, value: Any, arrow: pyarrow.DataType) -> None:
    table = answer((sql,), (value,), (None,)).to_arrow()
    assert table.schema.field(0).type == arrow
    assert table.column(0).to_pylist() == [value, None]


@pytest.mark.parametrize("sql", sorted({t[0] for t in TYPED}))
def test_no_rows_and_only_nulls_keep_their_types(sql: str) -> None:
    wanted = next(a for s, _, a in TYPED if s == sql)
    for table in (answer((sql,)).to_arrow(), answer((sql,), (None,)).to_arrow()):
        assert table.schema.field(0).type == wanted
    assert answer((sql,)).to_arrow().num_rows == 0


def test_columns_of_public_tables_that_have_no_type_of_their_own() -> None:
    made = answer(("INTEGER[]", "STRUCT(a INTEGER)", "JSONISH"), ([1, 2], {"a": 1}, object()))
    table = made.to_arrow()
    assert table.column(0).to_pylist() == [[1, 2]]
    assert table.column(1).to_pylist() == [{"a": 1}]
    assert table.column(2).to_pylist()[0].startswith("<object")


def test_repeated_names() -> None:
    columns = ("n", "n", "n_2", "n")
    made = answer(("BIGINT",) * 4, (1, 2, 3, 4), columns=columns)
    assert made.columns == columns
    names = made.to_arrow().column_names
    assert names == ["n", "n_3", "n_2", "n_4"]
    assert list(made.to_pandas().columns) == names == made.to_polars().columns
    assert made["n"] == (1,)


def test_to_pandas() -> None:
    made = answer(
        ("BIGINT", "BIGINT", "BOOLEAN", "DOUBLE", "DATE", "DECIMAL(5,2)"),
        (2**53 + 1, 2**53 + 1, True, 0.5, date(2024, 1, 1), Decimal("1.50")),
        (7, None, None, None, None, None),
    )
    frame = made.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert list(map(str, frame.dtypes))[:4] == ["int64", "Int64", "boolean", "float64"]
    assert frame["c1"][0] == 2**53 + 1
    assert frame["c1"].isna().tolist() == [False, True]
    assert frame["c4"][0] == date(2024, 1, 1)
    assert frame["c5"][0] == Decimal("1.50")
    assert list(answer(("UINTEGER",), (1,), (None,)).to_pandas().dtypes) == [pandas.UInt32Dtype()]
    assert str(answer(("BIGINT",)).to_pandas()["c0"].dtype) == "int64"


def test_to_polars() -> None:
    made = answer(("HUGEINT", "DECIMAL(5,2)", "DATE"), (3, Decimal("1.50"), date(2024, 1, 1)))
    frame = made.to_polars()
    assert frame.dtypes == [polars.Int64, polars.Decimal(5, 2), polars.Date]
    assert frame.row(0) == (3, Decimal("1.50"), date(2024, 1, 1))


def test_arrow_stream() -> None:
    made = answer(("BIGINT", "VARCHAR"), (1, "a"), (2, None))
    assert pyarrow.table(made).to_pylist() == [{"c0": 1, "c1": "a"}, {"c0": 2, "c1": None}]
    with duckdb.connect() as connection:
        connection.register("made", made)
        assert connection.execute("SELECT SUM(c0) FROM made").fetchall() == [(3,)]
    assert polars.DataFrame(made).shape == (2, 2)


CONVERSIONS: list[tuple[str, str, str, Callable[[Answer], object]]] = [
    ("to_arrow", "pyarrow", "arrow", Answer.to_arrow),
    ("to_pandas", "pandas", "pandas", Answer.to_pandas),
    ("to_pandas", "pyarrow", "pandas", Answer.to_pandas),
    ("to_polars", "polars", "polars", Answer.to_polars),
    ("to_polars", "pyarrow", "polars", Answer.to_polars),
]


@pytest.mark.parametrize(("method", "library", "extra", "call"), CONVERSIONS)
def test_a_missing_library_names_its_extra(
    method: str,
    library: str,
    extra: str,
    call: Callable[[Answer], object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.partition(".")[0] == library:
            raise ImportError(f"No module named {name!r}", name=name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError) as caught:
        call(answer(("BIGINT",), (1,)))
    assert str(caught.value) == f'{method} needs {library}: pip install "dpsql[{extra}]"'
    assert caught.value.name == library


def test_rows_and_columns() -> None:
    made = answer(("VARCHAR", "BIGINT"), ("a", 1), ("b", 2), columns=("k", "n"))
    assert (len(made), list(made), [*made]) == (2, [("a", 1), ("b", 2)], list(made.rows))
    assert made["n"] == (1, 2) and made["k"] == ("a", "b")


UNKNOWN: list[tuple[Any, str]] = [
    ("regon", "no column regon; did you mean Region? (the columns are Region, n)"),
    ("REGION", "no column REGION; did you mean Region? (the columns are Region, n)"),
    ("x", "no column x (the columns are Region, n)"),
    ("a\nb", "no column a\\nb (the columns are Region, n)"),
    (
        0,
        "a column is asked for by its name, a row by answer.rows[number] "
        "(the columns are Region, n)",
    ),
]


@pytest.mark.parametrize(("name", "said"), UNKNOWN)
def test_an_unknown_column(name: Any, said: str) -> None:
    made = answer(("VARCHAR", "BIGINT"), ("a", 1), columns=("Region", "n"))
    for call in (made.__getitem__, made.interval, made.plot):
        with pytest.raises(KeyError) as caught:
            call(name)
        assert str(caught.value) == said


def test_an_unknown_column_among_many_and_long_ones() -> None:
    names = ("x" * 2_000_000, *(f"c{n}" for n in range(199)))
    made = answer(("BIGINT",) * 200, (1,) * 200, columns=names)
    with pytest.raises(KeyError) as caught:
        made["y" * 2_000_000]
    assert str(caught.value).endswith(", c18 and 180 more)")
    assert len(str(caught.value)) < 300


def test_an_answer_is_frozen_and_equal_only_to_itself() -> None:
    made = answer(("BIGINT",), (1,))
    assert made != replace(made)
    with pytest.raises(AttributeError):
        made.rows = ()  # type: ignore[misc]
    twin = copy.deepcopy(made)
    assert (twin.rows, str(twin)) == (made.rows, str(made))


def test_the_ends_of_intervals_follow_their_numbers() -> None:
    made = answer(
        ("VARCHAR", "BIGINT", "DECIMAL(9,2)", "DOUBLE"),
        ("a", 5, Decimal("1.50"), None),
        columns=("k", "n", "s", "n_low"),
        widths=(None, 2.0, 0.25, 1.0),
    )
    table = made.to_arrow(intervals=True)
    names = ["k", "n", "n_low", "n_high", "s", "s_low", "s_high", "n_low_2", "n_low_low"]
    assert table.column_names == [*names, "n_low_high"]
    (row,) = table.to_pylist()
    assert list(row.values()) == ["a", 5, 3.0, 7.0, Decimal("1.50"), 1.25, 1.75, None, None, None]
    assert list(made.to_pandas(intervals=True).columns) == table.column_names
    assert made.to_polars(intervals=True).columns == table.column_names
    assert made.to_arrow().column_names == ["k", "n", "s", "n_low"]


def test_a_number_without_a_half_width_has_no_ends() -> None:
    made = answer(("BIGINT",), (5,), (7,), columns=("n",))
    made = replace(made, intervals=((2.0,), (None,)))
    assert made.to_arrow(intervals=True).column("n_low").to_pylist() == [3.0, None]
