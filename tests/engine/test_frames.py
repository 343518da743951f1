"""Frames of pandas, polars and Arrow as tables."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from decimal import Decimal
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from dpsql.errors import EngineError, InvalidArgument, PolicyError
from dpsql.platform.engine import duckdb_open
from dpsql.platform.engine.duckdb_engine import DuckDBEngine
from dpsql.platform.engine.folder import Types
from dpsql.types import BIGINT, BOOLEAN, DATE, Type, decimal
from tests.engine.test_file import chain

SECRET = "s3cr3t"


def opened(frame: Any, types: Mapping[str, Type | None] | None = None) -> DuckDBEngine:
    declared: Types | None = None if types is None else {"T": types}
    return duckdb_open.open_frames({"t": frame}, declared)


def read(
    frame: Any, types: Mapping[str, Type | None] | None = None
) -> tuple[list[str], list[tuple[object, ...]]]:
    """The types and the rows."""
    with closing(opened(frame, types)) as engine, engine.snapshot() as snapshot:
        [table] = engine.catalog().tables
        rows = snapshot.rows('SELECT * FROM "memory"."main"."t"')
        again = snapshot.rows('SELECT * FROM "memory"."main"."t"')
        assert str(again) == str(rows)  # as often as one asks
        return [str(c.type) for c in table.columns], rows


def refused(frame: Any, types: Mapping[str, Type | None] | None = None) -> str:
    with pytest.raises(PolicyError) as caught:
        opened(frame, types)
    said = str(caught.value)
    assert SECRET not in said and caught.value.__cause__ is caught.value.__context__ is None
    return said


def column(values: Any, **more: Any) -> pd.DataFrame:
    return pd.DataFrame({"c": pd.Series(values, **more)})


D, T = dt.date(2024, 1, 2), dt.datetime(2024, 1, 2, 3, 4, 5)
UTC = dt.datetime(2024, 1, 2, 2, 4, 5, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("frame", "kind", "values"),
    [
        (column([1.5, np.nan, None]), "DOUBLE", [1.5, None, None]),
        (column([1, None], dtype="Int64"), "BIGINT", [1, None]),
        (column([1, 2], dtype="uint8"), "UTINYINT", [1, 2]),
        (column([2**64 - 1], dtype="uint64"), "UBIGINT", [2**64 - 1]),
        (column([True, None], dtype="boolean"), "BOOLEAN", [True, None]),
        (column([T, pd.NaT], dtype="datetime64[ns]"), "TIMESTAMP", [T, None]),
        (column([T, pd.NaT], dtype="datetime64[s]"), "TIMESTAMP", [T, None]),
        (
            column([T, pd.NaT]).apply(lambda c: c.dt.tz_localize("Europe/Berlin")),
            "TIMESTAMP WITH TIME ZONE",
            [UTC, None],
        ),
        (column(["a", None, np.nan, pd.NA]), "VARCHAR", ["a", None, None, None]),
        (column(["a", None], dtype="string"), "VARCHAR", ["a", None]),
        (column([1, "x", None, 2.5], dtype=object), "VARCHAR", ["1", "x", None, "2.5"]),
        (column([Decimal("1.50"), None], dtype=object), "VARCHAR", ["1.50", None]),
        (column(["b", "a", None]).astype("category"), "VARCHAR", ["b", "a", None]),
        (column([2, 1]).astype("category"), "BIGINT", [2, 1]),
        (column([None, None], dtype=object), "VARCHAR", [None, None]),
        (column([1, None], dtype="int64[pyarrow]"), "BIGINT", [1, None]),
        (column(["a", None], dtype="string[pyarrow]"), "VARCHAR", ["a", None]),
        (column([1]).set_index(pd.Index([7])), "BIGINT", [1]),
    ],
)
def test_pandas(frame: pd.DataFrame, kind: str, values: list[object]) -> None:
    assert read(frame) == ([kind], [(value,) for value in values])


@pytest.mark.parametrize(
    ("values", "kind", "wanted"),
    [
        (["1", 2, None], BIGINT, [1, 2, None]),
        ([Decimal("1.50"), 2], decimal(5, 2), [Decimal("1.50"), Decimal("2.00")]),
        ([D, None], DATE, [D, None]),
        ([True, None], BOOLEAN, [True, None]),
        ([None, None], BIGINT, [None, None]),
        (["a"], Type("ENUM", values=("a", "b")), ["a"]),
    ],
)
def test_objects_have_the_types_of_the_policy(
    values: list[object], kind: Type, wanted: list[object]
) -> None:
    assert read(column(values, dtype=object), {"C": kind}) == ([str(kind)], [(v,) for v in wanted])
    wrong = column([*values, SECRET], dtype=object)
    assert refused(wrong, {"C": kind}) == f"t.c has values that do not fit the type {kind}"


@pytest.mark.parametrize(
    ("frame", "kind", "wanted", "more"),
    [
        (column([1.0, None]), BIGINT, [1, None], 1.5),
        (column([0.1, None]), decimal(5, 2), [Decimal("0.10"), None], 0.123),
        (column([1], dtype="int64"), Type("TINYINT"), [1], 128),
        (column([2**53], dtype="int64"), Type("DOUBLE"), [2.0**53], 2**53 + 1),
        (column([1.0]), BIGINT, [1], float("inf")),
        (column([dt.datetime(2024, 1, 2)], dtype="datetime64[ns]"), DATE, [D], T),
        (column([1, 0]), BOOLEAN, [True, False], 2),
    ],
)
def test_pandas_has_the_types_of_the_policy_where_no_value_changes(
    frame: pd.DataFrame, kind: Type, wanted: list[object], more: object
) -> None:
    """That a column is of floats may only say that one row of it is NULL."""
    assert read(frame, {"c": kind}) == ([str(kind)], [(value,) for value in wanted])
    other = pd.concat([frame, column([more], dtype=frame["c"].dtype)])
    assert refused(other, {"c": kind}) == f"t.c has values that do not fit the type {kind}"


def test_what_a_type_is_does_not_tell_of_a_row() -> None:
    """Categories are the values that there are: as a public list they would be a leak."""
    for values in (["a"], ["a", SECRET]):
        frame = pd.DataFrame({"c": pd.Categorical(values), "o": pd.Series(values, dtype=object)})
        assert read(frame)[0] == ["VARCHAR", "VARCHAR"]
        for kind in (pl.Categorical, pl.Enum(values)):
            assert read(pl.DataFrame({"c": pl.Series(values, dtype=kind)}))[0] == ["VARCHAR"]
        assert read(pa.table({"c": pa.array(values).dictionary_encode()}))[0] == ["VARCHAR"]
    for number in (Decimal("1.5"), Decimal("12345.25"), 2**70, 1):
        assert read(column([number], dtype=object))[0] == ["VARCHAR"]


ARROW: list[tuple[Any, str, list[object]]] = [
    (pa.array([1.5, float("nan"), None]), "DOUBLE", [1.5, float("nan"), None]),
    (pa.array([1, None], pa.uint64()), "UBIGINT", [1, None]),
    (pa.array([Decimal("1.50")], pa.decimal128(20, 2)), "DECIMAL(20,2)", [Decimal("1.50")]),
    (pa.array([T, None], pa.timestamp("ns")), "TIMESTAMP", [T, None]),
    (pa.array([T], pa.timestamp("ms")), "TIMESTAMP", [T]),
    (pa.array([T], pa.timestamp("s")), "TIMESTAMP", [T]),
    (pa.array([D], pa.date64()), "DATE", [D]),
    (pa.array(["a", None], pa.large_string()), "VARCHAR", ["a", None]),
    (pa.array(["a", None], pa.string_view()), "VARCHAR", ["a", None]),
    (pa.array([[1], None]), "BIGINT[]", [[1], None]),
    (pa.array([{"a": 1}, None]), "STRUCT(a BIGINT)", [{"a": 1}, None]),
    (pa.array([b"a", None]), "BLOB", [b"a", None]),
    (pa.nulls(2), "VARCHAR", [None, None]),
]


@pytest.mark.parametrize(("array", "kind", "values"), ARROW)
def test_arrow(array: Any, kind: str, values: list[object]) -> None:
    kinds, rows = read(pa.table({"c": array}))
    assert kinds == [kind] and str(rows) == str([(value,) for value in values])
    chunked = pa.chunked_array([array, array.slice(1)])
    assert str(read(pa.table({"c": chunked}))[1]) == str([(v,) for v in [*values, *values[1:]]])


def test_moments_with_a_zone() -> None:
    for unit in ("s", "ms", "us", "ns"):
        frame = pa.table({"c": pa.array([UTC], pa.timestamp(unit, "Europe/Berlin"))})
        kinds, [[value]] = read(frame)
        assert (kinds, value) == (["TIMESTAMP WITH TIME ZONE"], UTC)


def test_polars() -> None:
    frame = pl.DataFrame(
        {
            "f": [1.5, float("nan"), None],
            "t": pl.Series([T, None, None], dtype=pl.Datetime("ns")),
            "d": pl.Series(["1.50", None, None]).cast(pl.Decimal(10, 2)),
            "l": [[1], None, []],
            "u": pl.Series([1, None, 2], dtype=pl.UInt16),
        }
    )
    kinds, rows = read(frame)
    assert kinds == ["DOUBLE", "TIMESTAMP", "DECIMAL(10,2)", "BIGINT[]", "USMALLINT"]
    wanted = [
        (1.5, T, Decimal("1.50"), [1], 1),
        (float("nan"), *(None,) * 4),
        (None, None, None, [], 2),
    ]
    assert str(rows) == str(wanted)


def _invalid_text() -> pa.Table:
    raw = pa.array([b"ok", SECRET.encode() + b"\xff"], pa.binary())
    return pa.table({"id": [1, 2], "c": pa.Array.from_buffers(pa.string(), 2, raw.buffers())})


def _long_decimal() -> pa.Table:
    raw = pa.array([Decimal("12345.00")], pa.decimal128(10, 2))
    return pa.table({"c": pa.Array.from_buffers(pa.decimal128(3, 2), 1, raw.buffers())})


BAD: dict[str, tuple[Callable[[], Any], str]] = {
    "complex": (lambda: pd.DataFrame({"id": [1], "c": [1 + 2j]}), "t.c cannot be read"),
    "period": (
        lambda: pd.DataFrame({"id": [1], "c": pd.period_range("2020", periods=1, freq="M")}),
        "t.c cannot be read",
    ),
    "surrogate": (lambda: column([f"{SECRET}\ud800"], dtype=object), "t.c cannot be read"),
    "sparse": (lambda: column(pd.arrays.SparseArray([1, 0])), "t.c cannot be read"),
    "index": (
        lambda: pd.DataFrame({"c": [1]}, index=pd.Index([SECRET], name="id")),
        "has the index id",
    ),
    "two names": (lambda: pd.DataFrame([[1, 2]], columns=["c", "C"]), "has two columns c"),
    "no name": (lambda: pd.DataFrame([[1, 2]], columns=["c", 7]), "the name of column 2"),
    "levels": (
        lambda: pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([("a", "b")])),
        "the name of column 1",
    ),
    "no columns": (pd.DataFrame, "has no columns"),
    "half": (lambda: pa.table({"c": pa.array([1.0], pa.float16())}), "t.c cannot be read"),
    "wide": (
        lambda: pa.table({"c": pa.array([Decimal(1)], pa.decimal256(50, 2))}),
        "t.c cannot be read",
    ),
    "twice": (lambda: pa.table([[1], [2]], names=["c", "c"]), "has two columns c"),
    "UTF-8": (_invalid_text, "t.c cannot be read"),
    "long": (_long_decimal, "t.c cannot be read"),
    "long in pandas": (
        lambda: _long_decimal().to_pandas(types_mapper=pd.ArrowDtype),
        "t.c cannot be read",
    ),
    "UTF-8 in pandas": (
        lambda: _invalid_text().to_pandas(types_mapper=pd.ArrowDtype),
        "t.c cannot be read",
    ),
    "long in polars": (lambda: pl.from_arrow(_long_decimal()), "t.c cannot be read"),
    "far": (
        lambda: pa.table({"c": pa.array([2**62], pa.timestamp("s"))}),
        "t.c cannot be read",
    ),
    "long time": (
        lambda: pa.table({"c": pa.array([0, 2**62], pa.duration("s"))}),
        "t.c cannot be read",
    ),
    "long time within": (
        lambda: pa.table({"c": pa.array([[2**62]], pa.list_(pa.duration("s")))}),
        "t.c cannot be read",
    ),
    "objects": (
        lambda: pl.DataFrame({"id": [1], "c": pl.Series([object()], dtype=pl.Object)}),
        "t.c cannot be read",
    ),
    "128 bits": (
        lambda: pl.DataFrame({"id": [1], "c": pl.Series([1], dtype=pl.Int128)}),
        "t.c cannot be read",
    ),
}


@pytest.mark.parametrize("what", BAD)
def test_refused(what: str) -> None:
    make, said = BAD[what]
    assert said in refused(make())


@pytest.mark.parametrize(
    "thing",
    [
        [1, 2],
        None,
        "visits.parquet",
        pl.LazyFrame({"a": [1]}),
        pa.table({"a": [1]}).to_reader(),
        pd.Series([1]),
        np.array([1]),
    ],
)
def test_no_frame(thing: object) -> None:
    with pytest.raises(InvalidArgument, match="expected a DataFrame") as caught:
        opened(thing)
    is_near = type(thing).__name__ in ("LazyFrame", "RecordBatchReader", "Series")
    assert ("makes one of it" in str(caught.value)) is is_near


def test_names() -> None:
    frame = pl.DataFrame({"select": [1], 'a"b': ["x"]})
    for name in ("", 3):
        with pytest.raises(InvalidArgument, match="name of a table"):
            duckdb_open.open_frames({name: frame})  # type: ignore[dict-item]
    with pytest.raises(InvalidArgument, match="two frames are"):
        duckdb_open.open_frames({"t": frame, "T": frame})
    names = ("dpsql_frame_0", "sum", 'it"s', "duckdb_tables", "temp", "DPSQL_FRAME_1")
    given: dict[str, object] = dict.fromkeys(names, frame)
    given["copied"] = pd.DataFrame({"select": [2]})
    with closing(duckdb_open.open_frames(given)) as engine, engine.snapshot() as snapshot:
        for name in given:
            sql = '"memory"."main"."{}"'.format(name.replace('"', '""'))
            wanted = [(2 if name == "copied" else 1,)]
            assert snapshot.rows(f'SELECT "select" FROM {sql}') == wanted


def test_only_what_the_policy_lists() -> None:
    frame = pl.DataFrame({"a": [1]})
    with closing(duckdb_open.open_frames({"t": frame, "u": frame}, {"T": {}})) as engine:
        assert [table.name for table in engine.catalog().tables] == ["t"]
        assert engine.left_out == ("u: of no table",)


def test_frames_that_change_while_they_are_open() -> None:
    for make in (pd.DataFrame, pl.DataFrame):
        frame = make({"a": [1, 2]})
        with closing(opened(frame)) as engine:
            if isinstance(frame, pd.DataFrame):
                frame.loc[0, "a"] = 9
                frame["b"] = 1
            else:
                frame[0, "a"] = 9
                frame.insert_column(0, pl.Series("b", [1, 1]))
            with engine.snapshot() as snapshot:
                assert snapshot.rows('SELECT * FROM "memory"."main"."t"') == [(1,), (2,)]
            assert engine.version() is None and not engine.stable


def test_arrow_is_not_copied() -> None:
    """Who changes the memory under it sees that it is the same."""
    memory = np.arange(1000)
    with closing(opened(pa.table({"a": memory}))) as engine, engine.snapshot() as snapshot:
        sql = 'SELECT sum(a)::BIGINT FROM "memory"."main"."t"'
        assert snapshot.rows(sql) == [(499500,)]
        memory[0] = 1000
        assert snapshot.rows(sql) == [(500500,)]


def test_sandbox() -> None:
    frame = pa.table({"a": [1]})
    with closing(opened(frame)) as engine, engine.snapshot() as snapshot:
        for sql in [
            "SELECT * FROM frame",
            "SELECT * FROM dpsql_frame_0",
            "SELECT * FROM read_text('/etc/passwd')",
            "ATTACH ':memory:' AS x",
            "SET threads = 1",
            "DROP VIEW memory.main.t",
        ]:
            with pytest.raises(EngineError) as caught:
                snapshot.rows(sql)
            chain(caught.value)
    with pytest.raises(duckdb.Error):
        opened(frame)._connection.execute("SET enable_external_access = true")


def test_no_library_is_imported_for_a_frame_of_another() -> None:
    program = (
        "import sys, polars; before = {'pandas', 'pyarrow', 'numpy'} & set(sys.modules)\n"
        "from contextlib import closing\n"
        "from dpsql.platform.engine.duckdb_engine import DuckDBEngine\n"
        "from dpsql.platform.engine import duckdb_open\n"
        "class Hidden:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in ('pandas', 'pyarrow'): raise ImportError(name)\n"
        "sys.meta_path.insert(0, Hidden())\n"
        "frame = polars.DataFrame({'a': [1, 2], 's': ['x', None]})\n"
        "with closing(duckdb_open.open_frames({'t': frame})) as engine:\n"
        "    with engine.snapshot() as snapshot:\n"
        '        print(snapshot.rows(\'SELECT * FROM "memory"."main"."t"\'))\n'
        "assert not {'pandas', 'pyarrow'} & set(sys.modules) - before\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("[(1, 'x'), (2, None)]\n", "")
