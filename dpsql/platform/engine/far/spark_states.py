"""Which state of its tables Spark reads, and whether they are in it still: of Parquet files by what
is told of each, of Delta's tables by the number of a commit.

Claim: where tables are found in the state in which they are held, before a statement and after it,
the statement has read the very rows that were there when that state was named.

Why, of Parquet files: the state is each file's path, length and time of modification. Who writes a
file again gives it a later time: every time that counts lies a minute (`SETTLED`) before the moment
of the naming, by the server's clock, so none of them can be the time of a write that is to come.
Which files there are is asked of the view that the statement reads, so that both see the same list,
also where a server keeps lists of folders for a while (`execution.file_listing_cache` of Sail's);
what is told of each is asked of the file by its own name, of which nothing is kept. Not covered is
an owner who sets times back, or who moves another file of the same length and time to a file's
place and back while a statement runs.

Why, of Delta: a commit, once written, is never written again, nor are the files that it names. They
are read at that commit, whatever came after it. The state is the commit's number and a digest of
what it says; its file is asked of as above, since a table that is dropped and made again has
commits of the same numbers.

All else has no state that could be named: a catalog's table of another format, a view, rows that a
session was lent.

Source: "Delta Transaction Log Protocol", sections "Delta Log Entries" and "Requirements for
Writers"; Spark 4, "Binary File Data Source"; measured on Sail 0.7.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
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
        commits: the files of the commits at which other tables are read.
        told: what was told of all these files.
        name: the same only for the same rows in tables of the same names.
    """

    views: tuple[str, ...]
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
            commits: by tables of Delta's.
        """
        named = [f"{table}, {commit.name}" for table, commit in sorted(commits.items())]
        for table, view in sorted(views.items()):
            names = [*session.table(view).inputFiles()]
            told = _told(session, names)
            if not told or not _settled(session, told):
                return None
            named += [f"{table}, {file!r}" for file in told]
        used = tuple(views.values()), tuple(commit.file for commit in commits.values())
        return Held(*used, _now(session, *used), _digest(map(str.encode, named)))

    def stands(self, session: SparkSession) -> bool:
        """Whether the tables are in this state still."""
        return _now(session, self.views, self.commits) == self.told


@dataclass(frozen=True, slots=True)
class Commit:
    """A state of a Delta table: the rows at it, the file that says so, and a name for it."""

    rows: DataFrame
    file: str
    name: str


def last_commit(session: SparkSession, location: str) -> Commit | None:
    """That of a Delta table; None where there is none."""
    log = f"{location.rstrip('/')}/_delta_log"
    found = map(_COMMIT.fullmatch, _binary(session, [log]).inputFiles())
    numbers = [int(commit[1]) for commit in found if commit]
    if not numbers:
        return None
    last = max(numbers)
    file = f"{log}/{last:020}.json"
    [content] = _binary(session, [file]).select("content").toArrow().column(0).to_pylist()
    rows = session.read.format("delta").option("versionAsOf", last).load(location)
    return Commit(rows, file, f"commit {last}: {_digest([content])}")


def location(described: Iterable[Sequence[Any]]) -> str | None:
    """Where a Delta table is, by what DESCRIBE EXTENDED says of it; None of all else."""
    told = [(str(row[0]), str(row[1])) for row in described]
    start = max((n for n, (key, _) in enumerate(told) if key == _DETAILS), default=len(told))
    details = dict(told[start + 1 :])
    plain = {key for key, _ in told if key.startswith("#")} <= _KNOWN
    stored = details.get("Type") in ("MANAGED", "EXTERNAL")
    is_delta = details.get("Provider", "").lower() == "delta"
    return details.get("Location") if plain and stored and is_delta else None


def _digest(parts: Iterable[bytes]) -> str:
    """Of a list of texts; no two lists look the same."""
    whole = hashlib.blake2b(digest_size=32)
    for part in parts:
        whole.update(hashlib.blake2b(part, digest_size=32).digest())
    return whole.hexdigest()


def _now(session: SparkSession, views: Iterable[str], commits: Iterable[str]) -> Told:
    names = {name for view in views for name in session.table(view).inputFiles()}
    return _told(session, {*names, *commits})


def _told(session: SparkSession, names: Collection[str]) -> Told:
    if not names:
        return ()
    listed = _binary(session, sorted(names)).select("path", "length", "modificationTime")
    found = tuple(sorted(_rows(listed)))
    if len(found) != len(names):
        raise ValueError("a file is listed twice, or not at all")
    return found


def _settled(session: SparkSession, told: Told) -> bool:
    """Whether no file is so young that it could be written again at the same time."""
    [(now,)] = _rows(session.sql("SELECT current_timestamp() AS now"))
    return all(time < now - SETTLED for _, _, time in told)


def _binary(session: SparkSession, paths: Sequence[str]) -> DataFrame:
    return session.read.format("binaryFile").load(list(paths))


def _rows(frame: DataFrame) -> list[tuple[Any, ...]]:
    """Times are microseconds."""
    import pyarrow

    columns = [
        (column.cast(pyarrow.int64()) if pyarrow.types.is_timestamp(column.type) else column)
        for column in frame.toArrow().columns
    ]
    return list(zip(*(column.to_pylist() for column in columns), strict=True))
