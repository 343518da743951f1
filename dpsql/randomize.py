"""Write a table whose answers in one column are randomized: `dpsql randomize`.

Each row has its own coins: with probability `truth` its answer stays, else it becomes TRUE with
probability `yes` and FALSE otherwise. What is written can be published, as far as this column goes,
and `randomized: {truth: …, yes: …}` in a policy has answers debiased again.

For each row the report of either answer is drawn, and the row's own answer chooses between the two:
`noise.randomized_response` has the coins and the guarantee, and sees no answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb

from dpsql.core.noise.randomized_response import RandomizedResponse
from dpsql.errors import PolicyError
from dpsql.platform.engine.file_kinds import DELIMITERS, PARQUET
from dpsql.platform.engine.folder import refuse_pattern
from dpsql.platform.engine.guard import refused
from dpsql.platform.engine.sandbox import no_bar
from dpsql.platform.engine.sql_text import dotted
from dpsql.platform.engine.sql_text import name as quoted
from dpsql.platform.engine.sql_text import text as literal

_BATCH = 100_000


@dataclass(frozen=True, slots=True)
class Written:
    """What was written.

    Attributes:
        rows: how many.
        silent: how many of them have no answer (NULL), which no coin hides.
    """

    rows: int
    silent: int


def randomize(
    source: str | Path,
    target: str | Path,
    column: str,
    coins: RandomizedResponse,
    table: str | None = None,
) -> Written:
    """Write the rows of `source` to `target`, with fresh coins in one column. NULL stays NULL.

    Args:
        source: a CSV or Parquet file, or a DuckDB database.
        target: a CSV or Parquet file that is not there yet.
        column: of booleans, or of what CSV files have for them (true, false, 1, 0 and the like).
        coins: the two coins.
        table: of the DuckDB database; may be left out if it has only one.

    Raises:
        PolicyError: a file cannot be read or written, or there is no such column of booleans.
    """
    source, target = Path(source), Path(target)
    form = _format(target)
    with closing(duckdb.connect(":memory:")) as connection, _reserved(target):
        no_bar(connection)
        name = _load(connection, source, form, table)
        answers, value = _column(connection, source, column)
        count, silent = _counts(connection, f"SELECT COUNT(*), COUNT(*) - COUNT({value}) FROM t")
        _toss(connection, count, coins)
        told = f"CASE WHEN {value} THEN c.yes WHEN NOT {value} THEN c.no END AS {quoted(answers)}"
        sql = (
            f"SELECT t.* EXCLUDE ({quoted(name)}) REPLACE ({told}) "
            f"FROM t JOIN coins AS c ON t.{quoted(name)} = c.number ORDER BY c.number"
        )
        copied = f"COPY ({sql}) TO {literal(str(target))} ({form})"
        refused(lambda: connection.execute(copied), "cannot be written", str(target))
    return Written(count, silent)


@contextmanager
def _reserved(target: Path) -> Iterator[None]:
    """The file is made before anything is read, and is not left behind by a failure."""
    try:
        target.open("x").close()
    except FileExistsError:
        raise PolicyError("is there already; it is not overwritten", file=str(target)) from None
    except OSError as error:
        raise PolicyError(f"cannot be written: {error.strerror}", file=str(target)) from None
    try:
        yield
    except BaseException:
        target.unlink(missing_ok=True)
        raise


def _format(target: Path) -> str:
    """How the engine is told to write the file."""
    suffix = target.suffix.lower()
    refuse_pattern(target)
    if suffix in PARQUET:
        return "FORMAT parquet"
    if suffix in DELIMITERS:
        return f"FORMAT csv, HEADER, DELIMITER {literal(DELIMITERS[suffix])}"
    raise PolicyError("expected a name that ends in .csv or .parquet", file=str(target))


def _load(connection: duckdb.DuckDBPyConnection, source: Path, form: str, table: str | None) -> str:
    """Make the table t of the rows, with one column more: their numbers; returns its name."""
    if not source.is_file():
        raise PolicyError("no such file", file=str(source))
    refuse_pattern(source)
    suffix, path = source.suffix.lower(), literal(str(source))
    if table is not None and suffix in (*PARQUET, *DELIMITERS):
        raise PolicyError("a table is named, but this is no database", file=str(source))

    def work() -> str:
        if suffix in PARQUET:
            rows = f"read_parquet({path}, can_have_nan = true)"
        elif suffix in DELIMITERS:
            # From text to text nothing is reformatted; 007 stays 007.
            types = "all_varchar = true" if "csv" in form else "sample_size = -1"
            delimiter = literal(DELIMITERS[suffix])
            rows = f"read_csv({path}, header = true, delim = {delimiter}, {types})"
        else:
            connection.execute(f"ATTACH {path} AS source (READ_ONLY)")
            rows = _table(connection, source, table)
        found = [row[0] for row in connection.execute(f"DESCRIBE FROM {rows}").fetchall()]
        number = "number"
        while number.lower() in {name.lower() for name in found}:
            number += "_"
        sql = f"SELECT *, row_number() OVER () AS {quoted(number)} FROM {rows}"
        connection.execute(f"CREATE TABLE t AS {sql}")
        return number

    return refused(work, "cannot be read", str(source))


def _table(connection: duckdb.DuckDBPyConnection, source: Path, table: str | None) -> str:
    sql = (
        "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = 'source' "
        "UNION ALL SELECT schema_name, view_name FROM duckdb_views() "
        "WHERE database_name = 'source' AND NOT internal"
    )
    found = connection.execute(sql).fetchall()
    if table is not None:
        found = [row for row in found if row[1].lower() == table.lower()]
    if len(found) != 1:
        message = "has several tables; name one" if table is None else f"has no one table {table}"
        raise PolicyError(message if found or table else "has no table", file=str(source))
    return dotted(("source", *found[0]))


def _column(connection: duckdb.DuckDBPyConnection, source: Path, column: str) -> tuple[str, str]:
    """The column as the table spells it, and as a boolean."""
    kinds = {row[0]: row[1] for row in connection.execute("DESCRIBE t").fetchall()[:-1]}
    spelled: str | None = next((n for n in kinds if n.lower() == column.lower()), None)
    if spelled is None:
        raise PolicyError(f"has no column {column}", file=str(source))
    kind, name = kinds[spelled], f"t.{quoted(spelled)}"
    if kind == "BOOLEAN":
        return spelled, name
    integer = kind.endswith("INT") or kind == "INTEGER"
    if not integer and kind != "VARCHAR":
        raise PolicyError(f"the column {spelled} is {kind}, not BOOLEAN", file=str(source))
    value = f"TRY_CAST({name} AS BOOLEAN)"
    odd = f"{name} NOT IN (0, 1)" if integer else f"{value} IS NULL"
    sql = f"SELECT COUNT(*), COUNT(*) FILTER (WHERE {odd}) FROM t WHERE {name} IS NOT NULL"
    if _counts(connection, sql)[1]:
        message = f"the column {spelled} is {kind}, and not all of it is true or false"
        raise PolicyError(message, file=str(source))
    return spelled, value


def _counts(connection: duckdb.DuckDBPyConnection, sql: str) -> tuple[int, int]:
    row = connection.execute(sql).fetchone()
    assert row is not None
    return int(row[0]), int(row[1])


def _toss(connection: duckdb.DuckDBPyConnection, count: int, coins: RandomizedResponse) -> None:
    """The table coins: for each row number from 1 to `count` what would be reported of a yes, and
    of a no. One of the two is used.
    """
    connection.execute("CREATE TABLE coins (number BIGINT, yes BOOLEAN, no BOOLEAN)")
    for start in range(1, count + 1, _BATCH):
        size = min(_BATCH, count + 1 - start)
        connection.execute(
            "INSERT INTO coins SELECT unnest(range($1, $2)), unnest($3::BOOLEAN[]), "
            "unnest($4::BOOLEAN[])",
            [start, start + size, *(coins.randomize([bit] * size) for bit in (True, False))],
        )
