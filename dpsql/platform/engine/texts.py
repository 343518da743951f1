"""Files of texts, CSV and JSON, as columns of VARCHAR; and whether those fit their types.

Nothing is guessed: DuckDB's sniffer may skip lines that do not fit, and would find types in values.
"""

from __future__ import annotations

import csv
import gzip
import json
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import TextIO

import duckdb

from dpsql.errors import PolicyError
from dpsql.platform.engine.file_kinds import DELIMITERS
from dpsql.platform.engine.folder import DataFile
from dpsql.platform.engine.guard import refused
from dpsql.platform.engine.sql_text import name as quoted
from dpsql.platform.engine.sql_text import text
from dpsql.types import VARCHAR, Type

_BROKEN = (OSError, EOFError, zlib.error, UnicodeError, csv.Error)


@dataclass(frozen=True, slots=True)
class Texts:
    """A file of texts.

    Attributes:
        file: the file.
        sql: a relation of its records, in their order.
        columns: their names; all are VARCHAR.
        delimiter: of CSV; "" for JSON.
        layout: of JSON: array, newline_delimited or unstructured.
        objects: of JSON: a relation of its records as they are.
    """

    file: DataFile
    sql: str
    columns: tuple[str, ...]
    delimiter: str = ""
    layout: str = ""
    objects: str = ""

    def refuse(self) -> PolicyError:
        """The error of a file that DuckDB does not read, with the place where that is found."""
        place = _first_broken(self)
        at = "" if place is None else f": {place}"
        if self.delimiter:
            how = (
                f'CSV (delimiter {self.delimiter!r}, quotes ", UTF-8, the same number of fields in '
                "each line)"
            )
        else:
            how = "JSON (UTF-8, one object for each row)"
        message = f"cannot be read as {how}{at}; the owner's log has the details"
        return PolicyError(message, file=self.file.shown)


def opened(
    connection: duckdb.DuckDBPyConnection, file: DataFile, declared: Sequence[str] | None
) -> Texts:
    """The file with its columns: those of the first line of CSV; of JSON those that are declared,
    or if none is given all keys.

    Raises:
        PolicyError: it has no names of columns, none that is declared, or one of them twice.
    """
    zipped = f"compression = '{'gzip' if file.form.zipped else 'none'}', hive_partitioning = false"
    if file.form.kind == "csv":
        columns, delimiter = _header(file)
        known = {column.lower() for column in columns}
        if declared and known.isdisjoint(column.lower() for column in declared):
            # A row would be told as names, by suggestions and to analysts.
            message = "its first line has none of the columns that the policy names: it has to be "
            raise PolicyError(f"{message}the line with their names", file=file.shown)
        listed = ", ".join(f"{text(column)}: 'VARCHAR'" for column in columns)
        sql = (
            f"read_csv({text(str(file.path))}, auto_detect = false, header = true, "
            f"delim = {text(delimiter)}, quote = '\"', escape = '\"', {zipped}, "
            f"columns = {{{listed}}})"
        )
        return Texts(file, sql, tuple(columns), delimiter)
    layout = _layout(file)
    how = f"{text(str(file.path))}, format = '{layout}', {zipped}"
    objects = Texts(file, f"read_json_objects({how})", (), "", layout)
    if declared is None:
        found = read(connection, objects, "DISTINCT unnest(json_keys(json)) AS k", order="k")
        declared = [str(row[0]) for row in found]
    if not declared:
        raise PolicyError("JSON names no columns: declare them in the policy", file=file.shown)
    _check_names(declared, file)
    listed = ", ".join(f"{text(column)}: 'VARCHAR'" for column in declared)
    sql = f"read_json({how}, records = true, columns = {{{listed}}})"
    return Texts(file, sql, tuple(declared), "", layout, objects.sql)


def read(
    connection: duckdb.DuckDBPyConnection, source: Texts, items: str, order: str = ""
) -> list[tuple[object, ...]]:
    """What a SELECT finds in a file.

    Raises:
        PolicyError: it cannot be read.
    """
    sql = f"SELECT {items} FROM {source.sql}" + (f" ORDER BY {order}" if order else "")
    return _done(connection, source, sql)


def made(connection: duckdb.DuckDBPyConnection, source: Texts, sql: str) -> str:
    """Run a statement that makes something of a file, and give it back."""
    _done(connection, source, sql)
    return sql


def _done(
    connection: duckdb.DuckDBPyConnection, source: Texts, sql: str
) -> list[tuple[object, ...]]:
    with suppress(PolicyError):
        rows: list[tuple[object, ...]] = refused(lambda: connection.execute(sql).fetchall(), sql)
        return rows
    raise source.refuse()  # here: it has no context


def check(
    connection: duckdb.DuckDBPyConnection, source: Texts, columns: Sequence[tuple[str, Type]]
) -> None:
    """Refuse fields that are no constants of their types, with the place of the first.

    Raises:
        PolicyError: there are some, or the file cannot be read.
    """
    tests = [(c, kind, misfit(quoted(c), kind)) for c, kind in columns if _is_read(kind)]
    if not tests:
        return
    counts = ", ".join(f"count(*) FILTER (WHERE {misfit})" for _, _, misfit in tests)
    [misfits] = read(connection, source, counts)
    wrong = [test for test, rows in zip(tests, misfits, strict=True) if rows]
    if not wrong:
        return
    firsts = ", ".join(f"min(n) FILTER (WHERE {misfit})" for _, _, misfit in wrong)
    numbered = f"SELECT {firsts} FROM (SELECT row_number() OVER () AS n, * FROM {source.sql})"
    [places] = _done(connection, source, numbered)
    rows = [count for count in misfits if count]
    problems = [
        f"{unfit(count)} column {column} of type {kind}, the first in "
        f"{_place(source, int(str(first)))}"
        for (column, kind, _), count, first in zip(wrong, rows, places, strict=True)
    ]
    raise PolicyError("; ".join(problems), file=source.file.shown)


def unknown(connection: duckdb.DuckDBPyConnection, source: Texts) -> frozenset[str]:
    """The columns of JSON that no record has as a key."""
    if source.delimiter:
        return frozenset()
    counts = ", ".join(f"count({quoted(column)})" for column in source.columns)
    [[rows, *found]] = read(connection, source, f"count(*), {counts}")
    empty = [column for column, values in zip(source.columns, found, strict=True) if not values]
    if not rows or not empty:
        return frozenset()
    has = ", ".join(
        f"count(*) FILTER (WHERE list_contains(json_keys(json), {text(c)}))" for c in empty
    )
    [keys] = read(connection, replace(source, sql=source.objects), has)
    return frozenset(column for column, rows in zip(empty, keys, strict=True) if not rows)


def cast(sql: str, kind: Type) -> str:
    """A text as a value of a type; NULL where it does not fit."""
    return f"TRY_CAST({sql} AS {kind})" if _is_read(kind) else sql


def fits(connection: duckdb.DuckDBPyConnection, value: str, kind: Type) -> bool:
    """Whether a text is a constant of a type."""
    sql = f"SELECT {misfit(text(value), kind)}"
    return refused(lambda: connection.execute(sql).fetchall(), f"no type is {kind}") == [(False,)]


def unfit(count: object) -> str:
    """How many rows do not fit, for people."""
    return "1 row does not fit" if count == 1 else f"{count} rows do not fit"


def misfit(sql: str, kind: Type) -> str:
    """SQL: whether a text that is there is not a constant of the type."""
    if not _is_read(kind):
        return "FALSE"
    fails = f"{cast(sql, kind)} IS NULL"
    if kind.is_integer:
        # The cast alone would round 1.7 and read 1e3, 0x10 and 1_000.
        fails = f"({fails} OR NOT regexp_full_match(trim({sql}), '[+-]?[0-9]+'))"
    return f"{sql} IS NOT NULL AND {fails}"


def _is_read(kind: Type) -> bool:
    return kind.name not in (VARCHAR.name, "UNKNOWN")


def _header(file: DataFile) -> tuple[list[str], str]:
    """The column names, and the delimiter: the first of comma, semicolon, tab, bar among them."""
    line: list[str] | None = None
    delimiter = DELIMITERS[file.form.suffix]
    try:
        # Not strict: what is read ahead may be far below the header.
        with _text(file, "surrogateescape") as stream:
            first = stream.readline(_LONGEST)
        delimiter = next((d for d in ",;\t|" if d in first), delimiter)
        with _text(file, "surrogateescape") as stream:
            line = next(csv.reader(stream, delimiter=delimiter), None)
    except _BROKEN:
        pass
    if not line or not all(line) or _damaged("".join(line)):
        message = "needs a first line with a name for each column, in UTF-8"
        raise PolicyError(message, file=file.shown)
    _check_names(line, file)
    return line, delimiter


_LONGEST = 1 << 20


def _check_names(columns: Sequence[str], file: DataFile) -> None:
    if len({column.lower() for column in columns}) < len(columns):
        raise PolicyError("has two columns of the same name", file=file.shown)


def _layout(file: DataFile) -> str:
    if file.form.suffix != ".json":
        return "newline_delimited"
    first = ""
    try:
        with _text(file) as stream:
            first = stream.read(_LONGEST).lstrip()[:1]
    except _BROKEN:
        pass
    return "array" if first == "[" else "unstructured"


def _place(source: Texts, record: int) -> str:
    """Where a record stands, counted from 1 as DuckDB counts them."""
    found: int | None = None
    try:
        with _text(source.file) as stream:
            found = next(islice(_begins(stream, source), record - 1, None), None)
    except _BROKEN:
        pass
    return f"record {record}" if found is None else f"line {found}"


def _begins(stream: TextIO, source: Texts) -> Iterator[int]:
    """The lines where records begin; none where that takes a parser of JSON."""
    if source.delimiter:
        begins = (line for line, row in _records(stream, source) if row or _single(source))
        return islice(begins, 1, None)  # after the header
    lines = enumerate(stream, 1) if source.layout == "newline_delimited" else ()
    return (line for line, whole in lines if whole.strip())


def _first_broken(source: Texts) -> str | None:
    """Where a file stops to be what it should be, if Python finds that too."""
    line = 0
    try:
        with _text(source.file, errors="surrogateescape") as stream:
            if source.delimiter:
                for line, row in _records(stream, source):
                    blank = not row or (len(row) == 1 and not row[0])
                    if not (blank or len(row) == len(source.columns)) or _damaged("".join(row)):
                        return f"line {line}"
            elif source.layout == "newline_delimited":
                for line, whole in enumerate(stream, 1):
                    if whole.strip() and (_damaged(whole) or not _is_object(whole)):
                        return f"line {line}"
    except csv.Error:
        return f"line {line + 1}"
    except (OSError, EOFError, zlib.error):
        return "it ends too early, or is damaged"
    return None


def _records(stream: TextIO, source: Texts) -> Iterator[tuple[int, list[str]]]:
    """The records of CSV, each with the line where it begins."""
    reader = csv.reader(stream, delimiter=source.delimiter, strict=True)
    begin = 1
    for row in reader:
        yield begin, row
        begin = reader.line_num + 1


def _single(source: Texts) -> bool:
    return len(source.columns) == 1


def _damaged(part: str) -> bool:
    return any("\udc80" <= character <= "\udcff" for character in part)


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


@contextmanager
def _text(file: DataFile, errors: str = "strict") -> Iterator[TextIO]:
    opener = gzip.open if file.form.zipped else open
    with opener(file.path, "rt", encoding="utf-8-sig", errors=errors, newline="") as stream:
        yield stream
