"""Which state of its tables Spark reads, and whether they are in it still: of Parquet files by what
is told of each, of Delta's tables by the number of a commit, of Iceberg's by a snapshot's
(`spark_iceberg`).

Claim: where tables are found in the state in which they are held, before a statement and after it,
the statement has read the very rows that were there when that state was named.

Why, of Parquet files: the state is each file's path, length and time of modification. Who writes a
file again gives it a later time: every time that counts lies a minute (`SETTLED`) before the moment
of the naming, by the server's clock, so none of them can be the time of a write that is to come.
Which files there are is asked of the view that the statement reads, so that both see the same list,
also where a server keeps lists of folders for a while (`execution.file_listing_cache` of Sail's);
what is told of each is asked of the file by its own name, of which nothing is kept. Not covered is
an owner who sets times back, or who undoes between the two looks, of which the first may be that
after the statement before (`engine.RECENT`), what was done between them: moves a file away and
back, or, where the server lists a view's files anew for each statement as Sail does, adds one and
takes it away. Nor is that covered while public tables are copied (`opening`).

Why, of Delta: a commit, once written, is never written again, nor are the files that it names. They
are read at that commit, whatever came after it. The state is the commit's number and a digest of
what it says; its file is asked of as above, since a table that is dropped and made again has
commits of the same numbers.

A state is named by a first look at each table and held by a second one at all of them: where they
differ, somebody wrote in between, and there is none.

All else has no state that could be named: a catalog's table of another format, a view, rows that a
session was lent.

Source: "Delta Transaction Log Protocol", sections "Delta Log Entries" and "Requirements for
Writers"; Spark 4, "Binary File Data Source"; measured on Sail 0.7.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SETTLED = 60_000_000
"""Microseconds: how old the youngest file has to be. Storage rounds times to seconds at most, and
clocks differ by less."""

_COMMIT = re.compile(r"(?:.*/)?(\d{20})\.json")
_DETAILS = "# Detailed Table Information"
_KNOWN = {_DETAILS, "# col_name", "# Partition Information", "# Partitioning"}
"""What a table may have. Rows of one with a filter, or a mask, are not those of its files."""

Told = tuple[tuple[str, int, int], ...]
"""Of each file its path, length and time of modification (microseconds), by path."""


@dataclass(frozen=True, slots=True)
class Held:
    """Tables in one state.

    Attributes:
        views: those that files are read by.
        files: these, as the views name them.
        commits: the files of the commits at which other tables are read.
        told: what was told of all these files.
        name: the same only for the same rows in tables of the same names.
    """

    views: tuple[str, ...]
    files: frozenset[str]
    commits: tuple[str, ...]
    told: Told
    name: str

    @staticmethod
    def of(
        session: SparkSession, views: Mapping[str, str], commits: Mapping[str, Commit]
    ) -> Held | None:
        """The state in which tables are now, or None where it cannot be told from a later one.

        Args:
            views: by tables that are Parquet files.
            commits: by tables of Delta's and Iceberg's.
        """
        named = [f"{table}, {commit.name}" for table, commit in sorted(commits.items())]
        last = tuple(commit.file for commit in commits.values())
        seen, files = set(_told(session, {*last})), set[str]()
        for table, view in sorted(views.items()):
            read = _read_by(session, [view])
            told = _told(session, read)
            if not told or not _settled(session, told):
                return None
            named += [f"{table}, {file!r}" for file in told]
            seen.update(told)
            files |= read
        name = digest(map(str.encode, named))
        held = Held(tuple(views.values()), frozenset(files), last, tuple(sorted(seen)), name)
        return held if held.stands(session) else None  # or another state than the named one

    def stands(self, session: SparkSession) -> bool:
        """Whether the tables are in this state still. A server is asked both at once: which files
        there are, and what is told of those that there were.
        """
        with ThreadPoolExecutor(1) as beside:
            told = beside.submit(_told, session, {*self.files, *self.commits})
            return _read_by(session, self.views) == self.files and told.result() == self.told


@dataclass(frozen=True, slots=True)
class Commit:
    """A state of a table of Delta's or Iceberg's: the rows at it, the file that says so, and a name
    for it.
    """

    rows: DataFrame
    file: str
    name: str


def last_commit(session: SparkSession, location: str) -> Commit | None:
    """That of a Delta table; None where there is none."""
    log = f"{location}/_delta_log"
    found = map(_COMMIT.fullmatch, binary(session, [log]).inputFiles())
    numbers = [int(commit[1]) for commit in found if commit]
    if not numbers:
        return None
    last = max(numbers)
    file = f"{log}/{last:020}.json"
    rows = session.read.format("delta").option("versionAsOf", last).load(location)
    return Commit(rows, file, f"commit {last}: {digest([content(session, file)])}")


def stored(described: Iterable[Sequence[Any]]) -> Mapping[str, str]:
    """What DESCRIBE EXTENDED says of a table whose rows are those of its files; of all else
    nothing.
    """
    told = [(str(row[0]), str(row[1])) for row in described]
    start = max((n for n, (key, _) in enumerate(told) if key == _DETAILS), default=len(told))
    details = dict(told[start + 1 :])
    plain = {key for key, _ in told if key.startswith("#")} <= _KNOWN
    return details if plain and details.get("Type") in ("MANAGED", "EXTERNAL") else {}


def location(details: Mapping[str, str], provider: str) -> str | None:
    """Where a table of a format is, by what is `stored`; None of all others."""
    found = details.get("Provider", "").lower() == provider
    return details.get("Location", "").rstrip("/") or None if found else None


def content(session: SparkSession, file: str) -> bytes:
    """What is in a file."""
    [found] = binary(session, [file]).select("content").toArrow().column(0).to_pylist()
    return bytes(found)


def digest(parts: Iterable[bytes]) -> str:
    """Of a list of texts; no two lists look the same."""
    whole = hashlib.blake2b(digest_size=32)
    for part in parts:
        whole.update(hashlib.blake2b(part, digest_size=32).digest())
    return whole.hexdigest()


def _read_by(session: SparkSession, views: Iterable[str]) -> set[str]:
    """Each file once, though it may be read in several parts; of all views in one question."""
    rows = [session.table(view).selectExpr("1 AS x") for view in views]
    while len(rows) > 1:  # in pairs: a server dies of a plan that is as deep as there are tables
        rows = [reduce(lambda a, b: a.unionAll(b), rows[n : n + 2]) for n in range(0, len(rows), 2)]
    return set(rows[0].inputFiles()) if rows else set()


def _told(session: SparkSession, names: Set[str]) -> Told:
    if not names:
        return ()
    every = binary(session, sorted(names)).coalesce(1)  # or there are as many tasks, and messages
    listed = every.select("path", "length", "modificationTime")
    found = tuple(sorted(set(_rows(listed))))  # Sail lists a large file once for each part of it
    if len(found) != len(names):
        raise ValueError("two things are told of a file, or nothing")
    return found


def _settled(session: SparkSession, told: Told) -> bool:
    """Whether no file is so young that it could be written again at the same time."""
    [(now,)] = _rows(session.sql("SELECT current_timestamp() AS now"))
    return all(time < now - SETTLED for _, _, time in told)


def binary(session: SparkSession, paths: Sequence[str]) -> DataFrame:
    """What there is of files, and of those in folders."""
    return session.read.format("binaryFile").load(list(paths))


def at_once(frame: DataFrame) -> Any:
    """Its rows as an Arrow table. Not `toArrow` of Spark Connect, which first asks for their types:
    a server lists files for that, and again for the rows.
    """
    connect = type(frame).__module__.startswith("pyspark.sql.connect.")
    return frame._to_table()[0] if connect else frame.toArrow()  # type: ignore[operator]


def _rows(frame: DataFrame) -> list[tuple[Any, ...]]:
    """Times are microseconds."""
    import pyarrow

    columns = [
        (column.cast(pyarrow.int64()) if pyarrow.types.is_timestamp(column.type) else column)
        for column in at_once(frame).columns
    ]
    return list(zip(*(column.to_pylist() for column in columns), strict=True))
