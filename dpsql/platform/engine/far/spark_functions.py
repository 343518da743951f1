"""Whether Spark's functions are what a session has by their names: `spark.udf.register("sum", …)`
puts another in the place of one, for every statement of that session.

Claim: where this finds nothing, each function of the language is the server's own. Why, on Sail and
from Spark 4.2 on: what a session has of its own is listed, so `PROBE` is not asked of a release
that is as new, and of all else it is. Spark 4.0 and 4.1 do not list what has
the name of one of theirs; but a function in Python, Scala or Java is no constant there, whatever
its arguments are, and is no aggregate that could have a FILTER, nor one that could have OVER: so
the analysis of `PROBE`, in whose VALUES all are constants, refuses it; and it has one type, which
tells NULLIF. Not seen there is one of Hive's that was created in the place of one.

Source: Spark 4, "Inline Table", "User-Defined Functions"; measured on Sail 0.7, Spark 4.0 and 4.2.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dpsql.platform.engine.far.spark_states import at_once

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_ARGUMENTS = {
    "": ("current_timestamp",),
    "1": ("abs", "xxhash64"),
    "1D": ("bround", "ceil", "floor", "isnan", "ln", "round", "signum", "sqrt"),
    "1, 2": ("array", "coalesce", "greatest", "least", "shiftleft", "shiftright"),
    "array(1)": ("size",),
    "array(1), 0": ("get",),
    "'a'": ("bit_length", "char_length", "is_valid_utf8", "octet_length"),
    "'a', 1": ("repeat", "right"),
    "'a', 1, 1": ("substring",),
    "'a', 1, 'b'": ("lpad", "rpad"),
    "'a', 'b'": ("concat", "concat_ws", "contains", "endswith", "instr", "startswith"),
    "'a', 'b', 'c'": ("replace",),
    "DATE '2024-01-01'": (
        *("year", "quarter", "month", "weekofyear", "day", "dayofyear", "dayofweek", "last_day"),
        *("hour", "minute", "second"),
    ),
    "DATE '2024-01-01', 1": ("add_months", "date_add", "date_sub"),
    "DATE '2024-01-01', DATE '2024-01-01'": ("datediff",),
    "'HOUR', DATE '2024-01-01'": ("date_trunc",),
}
_CONSTANTS = {name: f"{name}({args})" for args, names in _ARGUMENTS.items() for name in names}
_AGGREGATES = {
    **{name: f"{name}(n) FILTER (WHERE b)" for name in ("count", "max", "min", "sum")},
    **{name: f"{name}(b) FILTER (WHERE b)" for name in ("bool_and", "bool_or")},
}
_WINDOWS = {
    name: f"{name}({'n' if name == 'lag' else ''}) OVER (ORDER BY n)"
    for name in ("dense_rank", "lag", "rank", "row_number")
}
_ROWS = "(VALUES (1, TRUE)) AS v(n, b)"

NAMES = frozenset([*_CONSTANTS, *_AGGREGATES, *_WINDOWS, "nullif"])
"""What the language writes before a parenthesis, but for what no function can have the name of."""


_SHOW = "SHOW USER FUNCTIONS"

PROBE = (
    "SELECT *, nullif(1, 2) AS x, nullif('a', 'b') AS y "
    f"FROM (VALUES ({', '.join(_CONSTANTS.values())})), "
    f"(SELECT {', '.join(_AGGREGATES.values())} FROM {_ROWS}), "
    f"(SELECT {', '.join(_WINDOWS.values())} FROM {_ROWS})"
)


def replaced(session: SparkSession, version: str) -> str | None:
    """What to say where a function is another by its name; None where there is none.

    Args:
        session: on Spark, or what is spoken to as if it were.
        version: the server's, as it says it.
    """
    # Some servers say where it is, too: system.session.sum.
    found = sorted(NAMES & {name.lower().rpartition(".")[2] for name in _listed(session)})
    if not found and not _lists_all(version) and not _its_own(session):
        found = ["one of Spark's"]
    if not found:
        return None
    return f"the session has a function of its own by the name of {found[0]}: open one without it"


def _listed(session: SparkSession) -> list[str]:
    """The functions that a session has of its own."""
    if not type(session).__module__.startswith("pyspark.sql.connect."):
        return [str(row[0]) for row in session.sql(_SHOW).collect()]
    from pyspark.sql.connect.dataframe import DataFrame
    from pyspark.sql.connect.plan import SQL

    # Not `sql`, which sends a command first: with the types a third of both.
    rows = at_once(DataFrame(SQL(_SHOW), session))  # type: ignore[arg-type]
    return [str(name) for name in rows.column(0).to_pylist()]


def _lists_all(version: str) -> bool:
    """Not of what is no version of a release as Spark says it."""
    said = re.fullmatch(r"(\d+)\.(\d+)\.(\d+)", version)
    return said is not None and (int(said[1]), int(said[2])) >= (4, 2)


def _its_own(session: SparkSession) -> bool:
    """Whether all names are the server's own functions."""
    try:
        *_, x, y = session.sql(PROBE).schema
    except Exception:
        return False
    return bool(x.dataType != y.dataType)
