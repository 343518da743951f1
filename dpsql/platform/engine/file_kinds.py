"""Which kind of data a file holds: as its name says, and as its first bytes do."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from dpsql.errors import PolicyError

T = TypeVar("T")
Kind = Literal["parquet", "csv", "json"]

DELIMITERS = {".csv": ",", ".tsv": "\t"}
"""What is between fields, where nothing else is found."""

PARQUET = (".parquet", ".pq")
_SUFFIXES: dict[str, Kind] = {
    **dict.fromkeys(PARQUET, "parquet"),
    **dict.fromkeys(DELIMITERS, "csv"),
    **dict.fromkeys((".json", ".jsonl", ".ndjson"), "json"),
}
READ = "Parquet, CSV (.csv, .tsv) and JSON (.json, .jsonl, .ndjson); texts also with .gz"


@dataclass(frozen=True, slots=True)
class Format:
    """What a file is by its name.

    Attributes:
        stem: the name without what says that.
        kind: how it is read.
        suffix: in lower case, without .gz.
        zipped: whether it is a text within gzip.
    """

    stem: str
    kind: Kind
    suffix: str
    zipped: bool = False


def named(name: str) -> Format | None:
    """The format of a file of that name; None where it is none that is read."""
    stem, suffix = os.path.splitext(name)
    zipped = suffix.lower() == ".gz"
    if zipped:
        stem, suffix = os.path.splitext(stem)
    kind = _SUFFIXES.get(suffix.lower())
    if kind is None or not stem or (zipped and kind == "parquet"):
        return None
    return Format(stem, kind, suffix.lower(), zipped)


@dataclass(frozen=True, slots=True)
class Seen:
    """What a file is by its first bytes.

    Attributes:
        what: in words.
        fix: what its owner can do with it.
        kind: how it could be read: a format, "duckdb", "sqlite", "gzip" or "text".
    """

    what: str
    fix: str
    kind: str = ""


_FRAME = "read it with pandas, polars or pyarrow, and open the frame: connect({name: frame}, …)"
_NAMED = f"what is read is told by the name: {READ}"
EMPTY = Seen("is empty", "write it again, with a line of names at least if it is CSV", "empty")
UNKNOWN = Seen("is of no kind that is read", f"what is read: DuckDB, SQLite, {READ}", "unknown")
TEXT = Seen("is a text file", _NAMED, "text")
_MAGIC: tuple[tuple[int, bytes, Seen], ...] = (
    (0, b"PAR1", Seen("is a Parquet file", _NAMED, "parquet")),
    (0, b"PARE", Seen("is an encrypted Parquet file", _FRAME)),
    (8, b"DUCK", Seen("is a DuckDB database", "open it as one, by its own path", "duckdb")),
    (0, b"SQLite format 3\0", Seen("is a SQLite database", "open it by its own path", "sqlite")),
    (0, b"\x1f\x8b", Seen("is a gzip file", _NAMED, "gzip")),
    (0, b"PK\x03\x04", Seen("is a ZIP archive or a workbook (xlsx)", f"unpack it, or {_FRAME}")),
    (0, b"\xd0\xcf\x11\xe0", Seen("is an old workbook (xls)", _FRAME)),
    (0, b"\x28\xb5\x2f\xfd", Seen("is a Zstandard file", "unpack it")),
    (0, b"BZh", Seen("is a bzip2 file", "unpack it")),
    (0, b"\xfd7zXZ", Seen("is an xz file", "unpack it")),
    (0, b"ARROW1", Seen("is an Arrow or Feather file", _FRAME)),
    (0, b"ORC", Seen("is an ORC file", _FRAME)),
    (0, b"Obj\x01", Seen("is an Avro file", _FRAME)),
    (0, b"\x89HDF", Seen("is an HDF5 file", _FRAME)),
    (0, b"\xff\xfe", Seen("is a text file in UTF-16", "write it in UTF-8")),
    (0, b"\xfe\xff", Seen("is a text file in UTF-16", "write it in UTF-8")),
)
_FIRST = 4096


def seen(file: Path, shown: str | None = None) -> Seen:
    """What a file is.

    Args:
        file: the file.
        shown: its name in errors.

    Raises:
        PolicyError: it cannot be read.
    """
    shown = shown or str(file)
    first = readable(lambda: _first(file, shown), shown)
    if not first:
        return EMPTY
    for at, magic, what in _MAGIC:
        if first[at : at + len(magic)] == magic:
            return what
    controls = sum(byte < 32 and byte not in b"\t\n\r\f" for byte in first)
    return UNKNOWN if controls else TEXT


def readable(work: Callable[[], T], shown: str) -> T:
    """The result of `work`, which looks at files.

    Raises:
        PolicyError: the system does not let it.
    """
    problem: str | None = None
    try:
        return work()
    except OSError as error:
        problem = error.strerror
    raise PolicyError(f"cannot be read: {problem}", file=shown)


def _first(file: Path, shown: str) -> bytes:
    if not file.is_file():
        problem = "is no file" if file.exists() else "there is no such file or folder"
        raise PolicyError(problem, file=shown)
    with file.open("rb") as stream:
        return stream.read(_FIRST)


def check(file: Path, form: Format, shown: str) -> None:
    """Refuse a file that is not what its name says.

    Raises:
        PolicyError: it is another kind of file, empty, or cannot be read.
    """
    what = seen(file, shown)
    expected = ("gzip",) if form.zipped else ("text", "unknown")
    if what.kind not in (("parquet",) if form.kind == "parquet" else expected):
        kind = "Parquet" if form.kind == "parquet" else form.kind.upper()
        kind = f"{kind} within gzip" if form.zipped else kind
        raise PolicyError(f"cannot be read as {kind}: it {what.what}; {what.fix}", file=shown)
