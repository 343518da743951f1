"""Files of all kinds as tables: what is read of them, and how each one that is wrong is refused."""

from __future__ import annotations

import gzip
import sqlite3
import traceback
import zipfile
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path

import duckdb
import pytest

from dpsql.errors import EngineError, PolicyError
from dpsql.platform.engine import duckdb_open
from dpsql.platform.engine.folder import Globs, Types
from dpsql.types import BIGINT, DATE, DOUBLE, INTEGER, VARCHAR
from tests.engine.test_file import chain
from tests.engine.test_folder import parquet

SECRET = "s3cr3t"
TYPED: Types = {"visits": {"id": BIGINT, "day": DATE, "note": VARCHAR}}


def rows(path: Path, types: Types | None = TYPED, globs: Globs | None = None) -> list[object]:
    with closing(duckdb_open.open_folder(path, types, globs=globs)) as engine:
        [table] = engine.catalog().tables
        with engine.snapshot() as snapshot:
            return list(snapshot.rows(f'SELECT * FROM "memory"."main"."{table.name}" ORDER BY 1'))


def refused(path: Path, types: Types | None = TYPED, globs: Globs | None = None) -> str:
    with pytest.raises(PolicyError) as caught:
        duckdb_open.open_folder(path, types, globs=globs)
    said = str(caught.value)
    assert SECRET not in chain(caught.value)
    return said


# --- what is read ---------------------------------------------------------------------------------

LINES = '{"id": 1, "day": "2024-01-02", "note": "a"}\n{"note": null, "id": 2, "more": {"x": [1]}}\n'
WANTED = [(1, date(2024, 1, 2), "a"), (2, None, None)]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("visits.csv", b"id,day,note\n1,2024-01-02,a\n2,,\n"),
        ("visits.csv.gz", b"id;day;note\n1;2024-01-02;a\n2;;\n"),
        ("visits.tsv.gz", b"id\tday\tnote\n1\t2024-01-02\ta\n2\t\t\n"),
        ("visits.jsonl", LINES.encode()),
        ("visits.ndjson", b"\n" + LINES.encode().replace(b"\n", b"\r\n\n")),
        ("visits.jsonl.gz", LINES.encode()),
        ("visits.json", LINES.replace("\n", "\n\n").encode()),
        ("visits.json", f" [{LINES.strip().replace(chr(10), ',')}]".encode()),
        ("visits.json.gz", LINES.encode()),
    ],
)
def test_texts(tmp_path: Path, name: str, content: bytes) -> None:
    if name.endswith(".gz"):  # here, since packed bytes hold the second and would name the test
        content = gzip.compress(content)
    (tmp_path / name).write_bytes(content)
    assert rows(tmp_path) == WANTED
    assert rows(tmp_path / name) == WANTED  # the file alone
    part = tmp_path / "visits"
    part.mkdir()
    (tmp_path / name).rename(part / f"0-{name}")
    (part / f"1-{name}").write_bytes(content)
    (part / "_SUCCESS").touch()
    assert rows(tmp_path) == [row for row in WANTED for _ in range(2)]


def test_a_single_parquet_file(tmp_path: Path) -> None:
    parquet(tmp_path / "visits.parquet", "SELECT 7 AS id, TIMESTAMP_NS '2024-01-02 03:04:05' AS t")
    with closing(duckdb_open.open_folder(tmp_path / "visits.parquet")) as engine:
        [table] = engine.catalog().tables
        assert table.name == "visits" and table.columns[1].type.name == "TIMESTAMP"
        first = engine.version()
    parquet(tmp_path / "visits.parquet", "SELECT 8 AS id")
    with closing(duckdb_open.open_folder(tmp_path / "visits.parquet")) as engine:
        assert engine.version() not in (None, first)


def test_types_are_never_found_in_values(tmp_path: Path) -> None:
    (tmp_path / "visits.jsonl").write_text('{"id": 1, "x": 2.5}\n{"id": 3}\n')
    with closing(duckdb_open.open_folder(tmp_path)) as engine:  # as `init` does
        [table] = engine.catalog().tables
        assert [(c.name, c.type) for c in table.columns] == [("id", VARCHAR), ("x", VARCHAR)]
    assert rows(tmp_path, {"visits": {"id": None, "x": DOUBLE}}) == [("1", 2.5), ("3", None)]


@pytest.mark.parametrize("suffix", ["parquet", "csv", "jsonl"])
def test_hive_partitions(tmp_path: Path, suffix: str) -> None:
    select = "SELECT {} AS id"
    for year, month, id_ in [("2023", "a%20b", 1), ("2024", "c", 2), ("2024", "c", 3)]:
        part = tmp_path / "visits" / f"year={year}" / f"month={month}" / f"{id_}.{suffix}"
        part.parent.mkdir(parents=True, exist_ok=True)
        if suffix == "parquet":
            parquet(part, select.format(id_))
        else:
            part.write_text(f"id\n{id_}\n" if suffix == "csv" else f'{{"id": {id_}}}\n')
    none = tmp_path / "visits" / "year=__HIVE_DEFAULT_PARTITION__" / "month=c" / f"4.{suffix}"
    none.parent.mkdir(parents=True)
    if suffix == "parquet":
        parquet(none, select.format(4))
    else:
        none.write_text("id\n4\n" if suffix == "csv" else '{"id": 4}\n')
    types = {"visits": {"id": INTEGER, "Year": INTEGER}}
    wanted = [(1, 2023, "a b"), (2, 2024, "c"), (3, 2024, "c"), (4, None, "c")]
    assert rows(tmp_path, types) == wanted
    assert rows(tmp_path / "visits", types) == wanted  # the folder of one table alone
    with closing(duckdb_open.open_folder(tmp_path, types)) as engine:
        first = engine.version()
        assert not engine.left_out
    (tmp_path / "visits" / "year=2023").rename(tmp_path / "visits" / "year=2025")
    with closing(duckdb_open.open_folder(tmp_path, types)) as engine:
        assert engine.version() != first
    (tmp_path / "visits" / "year=2025").rename(tmp_path / "visits" / f"year={SECRET}")
    with pytest.raises(PolicyError, match=r"visits/year=…/month=….*year does not fit") as caught:
        duckdb_open.open_folder(tmp_path, types)
    assert SECRET not in "".join(traceback.format_exception(caught.value))
    assert caught.value.__cause__ is caught.value.__context__ is None


def test_files_of_the_policy(tmp_path: Path) -> None:
    for place, id_ in [("a/x-1.csv", 1), ("a/x-2.csv", 2), ("a/y.csv", 3), ("b/deep/x.csv", 4)]:
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(f"id\n{id_}\n")
    (tmp_path / "visits.csv").write_text("id\n9\n")
    types = {"visits": {"id": INTEGER}}
    assert rows(tmp_path, types, {"Visits": ["a/x-*.csv", "b/**/*.csv"]}) == [(1,), (2,), (4,)]
    with closing(duckdb_open.open_folder(tmp_path, types, globs={"visits": ["a/x*"]})) as engine:
        assert engine.left_out == (
            *("visits.csv: of no table", "a/y.csv: of no table", "b/deep/x.csv: of no table"),
        )
    for pattern in ("../*", "/etc/*", "a/../../*", "a/*.parquet", "", "a", "**x/", "a\\x"):
        assert "visits" in refused(tmp_path, types, {"visits": [pattern]})
    both = {"visits": {"id": INTEGER}, "a": {"id": INTEGER}}
    assert "two tables" in refused(tmp_path, both, {"visits": ["a/y.csv"]})


def test_what_is_left_out_is_named(tmp_path: Path) -> None:
    (tmp_path / "visits").mkdir()
    for name in ("visits/0.csv", "other.csv"):
        (tmp_path / name).write_text("id\n1\n")
    ours = "other.csv.dpsql-verified.json", "other.csv.dpsql-ledger", "dpsql.schema.json"
    for name in ("notes.txt", "visits/README", "visits/_SUCCESS", ".hidden", *ours):
        (tmp_path / name).touch()
    (tmp_path / "visits" / f"unit={SECRET}").mkdir()
    (tmp_path / "visits" / f"unit={SECRET}" / "x.bin").touch()
    with closing(duckdb_open.open_folder(tmp_path, {"visits": {}})) as engine:
        assert engine.left_out == (
            "notes.txt: of no kind that is read",
            "other.csv: of no table",
            "visits/README: of no kind that is read",
            "visits/_SUCCESS: of no kind that is read",
            "visits/unit=…/x.bin: of no kind that is read",
        )


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("visits.csv", f"id,note\n1,a\n\n{SECRET},b\nx,c\n", "2 rows do not fit column id"),
        ("visits.csv", f"id,note\n1,a\n\n{SECRET},b\n", "the first in line 4"),
        ("visits.csv", f'id,note\n1,"a\nb"\n{SECRET},b\n', "the first in line 4"),
        ("visits.csv", f"id\n1\n\n{SECRET}\n", "the first in line 4"),
        ("visits.csv", f"id,note\n1,a\n{SECRET}\n", "each line): line 3"),
        ("visits.csv", f'id,note\n1,"a\nb"\n{SECRET},2,3\n', "each line): line 4"),
        ("visits.csv", f'id,note\n1,a\n2,"{SECRET}\n', "each line): line 3"),
        ("visits.csv", f"id,note\n1,a\n2,{SECRET}\udcff\n", "each line): line 3"),
        ("visits.jsonl", f'{{"id": 1}}\n\n{{"id": "{SECRET}"}}\n', "the first in line 3"),
        ("visits.jsonl", f'{{"id": 1}}\n{{"id": "{SECRET}}}\n', "for each row): line 2"),
        ("visits.jsonl", f'{{"id": 1}}\n"{SECRET}"\n', "for each row): line 2"),
        ("visits.json", f'[{{"id": 1}}, {{"id": "{SECRET}"}}]', "the first in record 2"),
        ("visits.json", f'[{{"id": 1}}, {{"id": "{SECRET}', "cannot be read as JSON"),
        ("visits.json", '{"ID": 1}', "no record has the key id"),
    ],
)
def test_the_place_of_what_does_not_fit(tmp_path: Path, name: str, content: str, said: str) -> None:
    types = {"visits": {"id": BIGINT}}
    data = content.encode(errors="surrogateescape")
    (tmp_path / name).write_bytes(data)
    assert said in refused(tmp_path, types)
    (tmp_path / f"{name}.gz").write_bytes(gzip.compress(data))
    (tmp_path / name).unlink()
    assert said in refused(tmp_path / f"{name}.gz", types)


def _sqlite(path: Path) -> None:
    with closing(sqlite3.connect(path)) as con:
        con.execute("CREATE TABLE t (a)")
        con.commit()


def _zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a", SECRET)


def _duckdb(path: Path) -> None:
    path.unlink(missing_ok=True)
    duckdb.connect(str(path)).close()


OTHERS: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "Parquet": lambda path: parquet(path, f"SELECT '{SECRET}' AS a"),
    "SQLite": _sqlite,
    "ZIP": _zip,
    "gzip": lambda path: path.write_bytes(gzip.compress(SECRET.encode())),
    "text": lambda path: path.write_text(f"{SECRET}\n"),
    "UTF-16": lambda path: path.write_text(SECRET, "utf-16"),
    "no kind": lambda path: path.write_bytes(bytes(100)),
    "DuckDB": _duckdb,
}


@pytest.mark.parametrize("kind", OTHERS)
def test_what_a_file_really_is(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "file"
    OTHERS[kind](file)
    if kind != "DuckDB":
        with pytest.raises(PolicyError, match=f"as a DuckDB database: it .*{kind}") as caught:
            duckdb_open.open_file(file)
        assert SECRET not in chain(caught.value)
    for name in ("visits.parquet", "visits.csv", "visits.jsonl", "visits.csv.gz"):
        same = ("Parquet", "parquet"), ("gzip", "csv.gz"), ("text", "csv"), ("text", "jsonl")
        own = (kind, name.partition(".")[2]) in same
        if not own and (kind, name) not in (("no kind", "visits.csv"), ("no kind", "visits.jsonl")):
            file.rename(tmp_path / name)
            assert kind in refused(tmp_path)
            assert kind in refused(tmp_path / name)
            (tmp_path / name).rename(file)


def test_files_that_are_cut_off(tmp_path: Path) -> None:
    parquet(tmp_path / "visits.parquet", "SELECT range AS id FROM range(1000)")
    whole = (tmp_path / "visits.parquet").read_bytes()
    (tmp_path / "visits.parquet").write_bytes(whole[:-100])
    assert "cannot be read as Parquet" in refused(tmp_path)
    (tmp_path / "visits.parquet").unlink()
    zipped = gzip.compress(b"id\n" + b"".join(b"%d\n" % i for i in range(100_000)))
    (tmp_path / "visits.csv.gz").write_bytes(zipped[: len(zipped) // 2])
    assert "ends too early" in refused(tmp_path)
    path = tmp_path / "x.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute("CREATE TABLE t AS SELECT range AS a FROM range(100000)")
    path.write_bytes(path.read_bytes()[:9000])
    with pytest.raises(PolicyError, match="ends too early, or is damaged") as caught:
        duckdb_open.open_file(path)
    chain(caught.value)


def test_files_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "visits.csv").write_text("id\n1\n")
    real = Path.open

    def closed(path: Path, *args: object, **more: object) -> object:
        if path.name == "visits.csv":
            raise PermissionError(13, "Permission denied")
        return real(path, *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Path, "open", closed)  # root may read what chmod closes
    assert "cannot be read: Permission denied" in refused(tmp_path)
    monkeypatch.undo()

    def shut(path: Path) -> object:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", shut)
    assert "cannot be read: Permission denied" in refused(tmp_path)


def test_partitions_that_contradict(tmp_path: Path) -> None:
    part = tmp_path / "visits" / "a=1"
    part.mkdir(parents=True)
    parquet(part / "x.parquet", "SELECT 1 AS a, 2 AS id")
    assert "is a column of the file and of a folder" in refused(tmp_path)
    parquet(part / "x.parquet", "SELECT 2 AS id")
    parquet(tmp_path / "visits" / "y.parquet", "SELECT 2 AS id")
    assert "other folders of values" in refused(tmp_path)
    (tmp_path / "visits" / "y.parquet").unlink()
    (tmp_path / "visits" / "a=1" / "A=2").mkdir()
    (part / "x.parquet").rename(part / "A=2" / "x.parquet")
    assert "two folders around it are of one column" in refused(tmp_path)
    (part / "A=2").rename(part / "b=x%FF")
    assert "no text in UTF-8" in refused(tmp_path)
    (part / "b=x%FF").rename(part / "b=2")
    (part / "B=1").mkdir()
    parquet(part / "B=1" / "x.parquet", "SELECT 1 AS id")
    assert "in other folders of values" in refused(tmp_path)
    above = tmp_path / "run=7" / "data"
    (above / "visits" / "b=1").mkdir(parents=True)
    parquet(above / "visits" / "b=1" / "x.parquet", "SELECT 2 AS id")
    assert "a folder above the data" in refused(above)
    (part / "_delta_log").mkdir()
    assert "Delta Lake" in refused(tmp_path)


@pytest.mark.parametrize("inside", ["_delta_log", "b=2/c.csv", "c.csv", "c=3"])
def test_no_value_of_a_folder_is_told(tmp_path: Path, inside: str) -> None:
    """The folders' names are values of rows; `chain` would look into frames, which are dropped."""
    part = tmp_path / "visits" / f"a={SECRET}"
    place = part / inside
    place.parent.mkdir(parents=True)
    if inside == "c=3":
        place.symlink_to(tmp_path / "visits", target_is_directory=True)
    elif inside == "_delta_log":
        place.mkdir()
    else:
        place.write_text("id\nx\n")
        (part / "d.csv").write_text("id\n1\n")
    with pytest.raises(PolicyError) as caught:
        duckdb_open.open_folder(tmp_path, {"visits": {"id": BIGINT}})
    assert SECRET not in str(caught.value) + str(caught.value.file)


def test_keys_that_some_files_of_json_lack(tmp_path: Path) -> None:
    (tmp_path / "visits").mkdir()
    (tmp_path / "visits" / "0.jsonl").write_text('{"id": 1}\n')
    (tmp_path / "visits" / "1.jsonl").write_text('{"id": 2, "note": null}\n')
    types: Types = {"visits": {"id": BIGINT, "note": None}}
    assert rows(tmp_path, types) == [(1, None), (2, None)]
    (tmp_path / "visits" / "1.jsonl").write_text('{"id": 2, "Note": null}\n')
    assert "no record has the key note" in refused(tmp_path, types)


def test_a_row_is_not_taken_for_names(tmp_path: Path) -> None:
    """Else suggestions, and DESCRIBE, would tell it."""
    file = tmp_path / "visits.csv"
    file.write_text(f"17,{SECRET}\n18,x\n")
    types: Types = {"visits": {"id": BIGINT, f"{SECRET[:-1]}x": None}}
    assert "has none of the columns that the policy names" in refused(tmp_path, types)
    file.write_text(f"ID,name\n17,{SECRET}\n")
    assert rows(tmp_path, types) == [(17, SECRET)]


def test_an_empty_array_has_no_rows(tmp_path: Path) -> None:
    (tmp_path / "visits.json").write_text("[]")
    assert rows(tmp_path) == []


def test_folders_that_are_named_like_files(tmp_path: Path) -> None:
    """As Spark writes them."""
    (tmp_path / "visits.parquet").mkdir()
    parquet(tmp_path / "visits.parquet" / "part-0.snappy.parquet", "SELECT 1 AS id")
    assert rows(tmp_path) == [(1,)]
    assert rows(tmp_path / "visits.parquet") == [(1,)]


def test_files_of_two_kinds(tmp_path: Path) -> None:
    (tmp_path / "visits").mkdir()
    (tmp_path / "visits" / "0.csv").write_text("id\n1\n")
    (tmp_path / "visits" / "1.jsonl").write_text('{"id": 1}\n')
    assert "files of two kinds" in refused(tmp_path)
    (tmp_path / "visits" / "1.jsonl").unlink()
    (tmp_path / "visits" / "1.csv").write_text("id,more\n1,2\n")
    assert "other columns than" in refused(tmp_path)


# --- what changes ---------------------------------------------------------------------------------


def test_a_link_that_is_changed_does_not_change_what_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    for id_ in (1, 2):
        parquet(tmp_path / f"{id_}.parquet", f"SELECT {id_} AS id")
    link = folder / "visits.parquet"
    link.symlink_to(tmp_path / "1.parquet")
    with closing(duckdb_open.open_folder(folder, {"visits": {}})) as engine:
        first = engine.version()
        link.unlink()
        link.symlink_to(tmp_path / "2.parquet")
        with engine.snapshot() as snapshot:
            assert snapshot.rows('SELECT id FROM "memory"."main"."visits"') == [(1,)]
        assert engine.version() == first
    with closing(duckdb_open.open_folder(folder, {"visits": {}})) as engine:
        assert engine.version() != first
    (folder / "visits.parquet").unlink()
    (folder / "visits").mkdir()
    (folder / "visits" / "a=1").symlink_to(folder / "visits", target_is_directory=True)
    assert "leads back" in refused(folder)


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "csv.gz"])
def test_texts_that_change_while_they_are_open(tmp_path: Path, suffix: str) -> None:
    content = b"id\n1\n" if suffix.startswith("csv") else b'{"id": 1}\n'
    file = tmp_path / f"visits.{suffix}"
    file.write_bytes(gzip.compress(content) if suffix.endswith("gz") else content)
    with closing(duckdb_open.open_folder(tmp_path, {"visits": {"id": None}})) as engine:
        with engine.snapshot() as snapshot:
            assert snapshot.rows('SELECT id FROM "memory"."main"."visits"') == [("1",)]
        file.write_bytes(file.read_bytes() * 2)
        with pytest.raises(EngineError, match="changed"), engine.snapshot():
            pass


def test_the_same_files_as_other_tables_are_other_data(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text(f"id\n{name}\n")
    types: Types = {"s": {}, "t": {}}
    versions = []
    for files in (("a.csv", "b.csv"), ("b.csv", "a.csv")):
        globs = {"s": files[:1], "t": files[1:]}
        with closing(duckdb_open.open_folder(tmp_path, types, globs=globs)) as engine:
            versions.append(engine.version())
    assert len(set(versions)) == 2
