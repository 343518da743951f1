"""What an answer becomes: text, HTML, Arrow, pandas, polars."""

from __future__ import annotations

import builtins
import math
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

import dpsql
from dpsql import Answer

POLICY = """
unit: t
budget: {eps: 1}
tables: {t: {access: private}}
"""
EXPLANATION = dpsql.explain("SELECT COUNT(*) FROM t", 1, policy=dpsql.Policy.parse(POLICY))


def answer(
    types: tuple[str, ...],
    *rows: tuple[Any, ...],
    columns: tuple[str, ...] = (),
    widths: tuple[float | None, ...] | None = None,
) -> Answer:
    return Answer(
        columns=columns or tuple(f"c{i}" for i in range(len(types))),
        rows=rows,
        intervals=tuple(widths or (None,) * len(types) for _ in rows),
        types=types,
        cost=EXPLANATION.cost,
        explanation=EXPLANATION,
    )


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
    with pytest.raises(KeyError, match="m"):
        made["m"]


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
        "(2 rows, ε = 1)",
    ]
    assert repr(made) == str(made)
    # Rounded for show only.
    assert made.rows[0][3] == 2.34567


@pytest.mark.parametrize(
    ("value", "width", "shown"),
    [
        (5, 0.0, "5"),
        (0.25, None, "0.25"),
        (math.inf, 2.0, "inf"),
        (math.nan, 2.0, "nan"),
        (1.5, 1e-30, "1.500000000000 ± 0.000000000000"),
        (1e22, 3e21, "10,000,000,000,000,000,000,000 ± 3,000,000,000,000,000,000,000"),
        (3, 0.4, "3 ± 0"),
        (99.4, 9.96, "99.4 ± 10.0"),
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
    assert (len(made), list(made), str(made)) == (0, [], "n\n-\n(0 rows, ε = 1)")
    assert "(1 row, ε = 1)" in str(answer(("BIGINT",), (1,)))


def test_texts_cannot_break_the_table() -> None:
    made = answer(("VARCHAR",), ("a\nb\x1b[31m",), columns=("x\ty",))
    assert str(made).splitlines() == ["x\\ty", "------------", "a\\nb\\x1b[31m", "(1 row, ε = 1)"]


def test_html_is_escaped() -> None:
    made = answer(("VARCHAR", "BIGINT"), ("<script>&", 5), columns=("<b>", "n"), widths=(None, 3.0))
    text = made._repr_html_()
    assert "<th>&lt;b&gt;</th>" in text
    assert "<td>&lt;script&gt;&amp;</td><td>5 ± 3</td>" in text
    assert "<script>" not in text
    assert text.endswith("<p>1 row, ε = 1; ± at 95 %</p>")


def test_an_answer_is_frozen_and_equal_only_to_itself() -> None:
    made = answer(("BIGINT",), (1,))
    assert made != replace(made)
    with pytest.raises(AttributeError):
        made.rows = ()  # type: ignore[misc]
