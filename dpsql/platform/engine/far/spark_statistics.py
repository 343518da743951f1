"""Columns that a server may read by what files say of all their values, and not as they are.

Claim: what is read of a row of the columns that are left is what the row has, whatever others have.

Why, of Apache Spark: it skips row groups in which no value can equal, exceed or be below a constant
by their least and largest number, and many writers leave NaN out of these. It compares columns so,
and no calls: a floating-point column is read through one that gives it back (`itself`).

Why, of others: where all files that a filter leaves have one value by their statistics, Sail reads
that value in each row, whatever is called with it; so a NaN would be 50 only until somebody has a
51. Delta's log writes a DECIMAL as a DOUBLE, which more than 15 digits do not fit. Both are refused
(`unsure`), but for rows in memory, which have no statistics: the plan of reading them has nothing
else. A server that does not say that it is Apache Spark is one of the others.

What a view makes of such a number may have a type that is sure, and hang on other rows still, as
whether x > 100 does on Spark too, or on Sail x as an INT; so may which rows it leaves. Of views of
files those alone are read that name columns, and do no more (`taken`); Spark's may cast them, as
each view does that is stored, since no cast is compared with statistics.

Source: Spark 4, `ParquetFilters`; "Parquet Format", `Statistics`; "Delta Transaction Log Protocol",
"Per-file Statistics"; measured on Spark 4.2 and Sail 0.7.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FLOATING = ("FLOAT", "DOUBLE")
_EXACT = 15
"""Digits of a DECIMAL that are no other's as a DOUBLE."""
_APACHE = re.compile(r"(\d+\.\d+\.\d+\S*) [0-9a-f]{40}")
_IN_MEMORY = re.compile(r"DataSourceExec: partitions=\d+, partition_sizes=\[[\d, ]*\]")
_STEPS = re.compile(
    r"(ProjectionExec|UnionExec|RepartitionExec|CoalescePartitionsExec): .*|UnionExec"
)

_NAMED = r"[\w.?#]+( AS [\w#]+)*"  # no operator, call or constant looks so
_PLAIN = re.compile(
    rf"Projection: {_NAMED}(, {_NAMED})*|SubqueryAlias: [\w.?]+|TableScan: [\w.?]+|Union"
)
_COLUMN = r"[\w.]+#\d+L?"
_ITEM = rf"({_COLUMN}( AS {_COLUMN})?|cast\({_COLUMN} as [\w(),]+\) AS {_COLUMN})"
_SPARK_PLAIN = re.compile(
    r"(SubqueryAlias|View|Relation|RelationV2|LocalRelation|LogicalRDD|Union)\b.*"
    rf"|Project \[{_ITEM}(, {_ITEM})*\]"
)
_SPARK_HERE = re.compile(r"(LocalRelation|LogicalRDD|Range|OneRowRelation)\b.*")
_BRANCH = re.compile(r"^[ :+\-]*")
_NO_FILE = re.compile(rf"{_IN_MEMORY.pattern}|RangeExec: [^\n]*|PlaceholderRowExec")


def itself(value: str, kind: str) -> str:
    """A floating-point number through a call of which no statistics are known."""
    return f"nanvl({value}, CAST('NaN' AS {kind}))"


def apache(session: SparkSession) -> bool:
    """Whether a server says that it is a release of Apache Spark's."""
    [(said,)] = [tuple(row.values()) for row in _asked(session, "SELECT version() AS v")]
    found = _APACHE.fullmatch(str(said))
    return found is not None and found[1] == str(session.version)


def unsure(kind: str) -> bool:
    """Whether statistics of a type may not be of what is there."""
    digits = re.fullmatch(r"DECIMAL\((\d+), \d+\)", kind)
    return kind in FLOATING or (digits is not None and int(digits[1]) > _EXACT)


def in_memory(session: SparkSession, name: str) -> bool:
    """Whether a table's rows are of no file, by the plan of reading them.

    Args:
        session: of a server that is not Apache Spark.
        name: as a statement has it.
    """
    told = _asked(session, f"EXPLAIN SELECT * FROM {name}")
    lines = [
        line.strip() for row in told for text in row.values() for line in str(text).split("\n")
    ]
    steps = [line for line in lines if line and not line.startswith("==")]
    sources = [line for line in steps if _IN_MEMORY.fullmatch(line)]
    return bool(sources) and all(_IN_MEMORY.fullmatch(s) or _STEPS.fullmatch(s) for s in steps)


def taken(session: SparkSession, name: str, *, by_apache: bool) -> bool:
    """Whether no column or row of a table is made of numbers that files' statistics may replace:
    all are named by it, and no more, or they are of no file.

    Args:
        session: of a server.
        name: as a statement has it.
        by_apache: whether it is Apache Spark.
    """
    sql = f"EXPLAIN EXTENDED {'TABLE' if by_apache else 'SELECT * FROM'} {name}"
    told = "\n".join(str(text) for row in _asked(session, sql) for text in row.values())
    # As it was analysed, which no row decides; a plan may leave a filter out.
    [head, *parts] = re.split(r"^== (.+) ==$", told, flags=re.MULTILINE)
    steps = dict(zip(parts[::2], map(str.splitlines, parts[1::2]), strict=True))
    analysed = [s for s in steps.get("Analyzed Logical Plan", ()) if s.strip()][1:]  # after types
    plain = _SPARK_PLAIN if by_apache else _PLAIN
    if analysed and all(plain.fullmatch(_BRANCH.sub("", line)) for line in analysed):
        return True
    planned = [s for s in steps.get("Physical Plan", ()) if s.strip()]
    last = _last(analysed if by_apache else planned)
    folded = "PlaceholderRowExec" in last and any("TableScan" in line for line in analysed)
    here = _SPARK_HERE if by_apache else _NO_FILE
    return not (head.strip() or folded) and bool(last) and all(map(here.fullmatch, last))


def _last(lines: Sequence[str]) -> list[str]:
    """The lines of a tree that have nothing below them, and all that read."""
    found = [_BRANCH.sub("", line) for line in lines]
    depths = [len(line) - len(step) for line, step in zip(lines, found, strict=True)]
    each = zip(found, depths, [*depths[1:], 0], strict=True)
    return [s for s, here, below in each if below <= here or s.startswith("DataSource")]


def _asked(session: SparkSession, sql: str) -> Iterable[dict[str, object]]:
    rows: list[dict[str, object]] = session.sql(sql).toArrow().to_pylist()
    return rows
