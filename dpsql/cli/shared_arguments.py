"""Arguments: how one is said, and those that several commands take."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any, get_args

from dpsql.cli.argument_types import amount, seconds
from dpsql.core.calibrate.options import Clipping
from dpsql.front.dialects import DIALECTS

DATA = (
    "a DuckDB or SQLite file; Parquet, CSV or JSON, a file or a folder of them; a prepared copy; "
    "or a URL, postgresql://… or sc://…"
)
NO_DATA = "; without it and without --policy, the default database"

Argument = tuple[list[str], dict[str, Any]]
"""What `add_argument` is given."""


def arg(
    written: str, help: str = "", kind: Callable[[str], Any] | None = None, **more: Any
) -> Argument:
    """An argument as it is written in the help, such as `-f --file FILE`: its names, then what
    stands for its value.
    """
    words = written.split()
    names = [word for word in words if word.startswith("-")] or words[:1]
    given = {"metavar": " ".join(words[len(names) :]), "help": help, "type": kind}
    return names, {name: value for name, value in given.items() if value} | more


flag = partial(arg, action="store_true")


def eps(help: str, **more: Any) -> Argument:
    """What a command asks for ε."""
    return arg("--eps E", help, amount, **more)


def wishes(dialect: str | None, auto: str | None) -> tuple[Argument, ...]:
    """How queries are to be answered, beside ε; and what holds where nothing is said."""
    return (
        arg("--dialect", "whose SQL it is; duckdb if unset", choices=DIALECTS, default=dialect),
        arg(
            "--delta D",
            "δ, for private group keys and Gaussian noise; by default that part of the "
            "policy's which ε is of its ε",
            amount,
        ),
        arg(
            "--noise",
            "of counts and sums; auto takes the more accurate kind",
            choices=("auto", "laplace", "gaussian"),
            default=auto,
        ),
        arg(
            "--clipping",
            "adaptive finds in the data, privately, how much one unit may add to a sum, and "
            "for how many distinct values it may count; auto does so only where the policy "
            "declares no bound, or many values; declared never",
            choices=get_args(Clipping),
            default=auto,
        ),
    )


LOG = arg("--log FILE", "the owner's log, with what errors do not say")
POLICY = arg("--policy FILE", "the policy of DATA")
ANSWERING = (POLICY, *wishes("duckdb", "auto"))
LEDGER = arg(
    "--ledger WHERE",
    "the ledger's SQLite file, or the URL of a PostgreSQL database; by default the file "
    "beside DATA",
)
IN_PLACE = flag(
    "--in-place", "of a PostgreSQL database: private rows stay on the server, which computes"
)
ANALYST = arg("--analyst NAME", "who asks; for the caps", default="")
CHARGED = (
    LEDGER,
    ANALYST,
    flag("--fresh", "new noise, and paid for, though the same was answered before"),
    arg(
        "--idempotency-key KEY",
        "of your choice: a retry with the same key gets the first answer, and is not charged",
    ),
    arg(
        "--timeout S",
        "seconds after which the engine is stopped; what was charged by then stays charged",
        seconds,
    ),
)
ONE_QUERY = (
    arg("words [DATA] [SQL]", f"{DATA}{NO_DATA}; and the query", nargs="*"),
    *ANSWERING,
    IN_PLACE,
    arg("-f --file FILE", "read the query from FILE; - is stdin"),
)
FILES = arg(
    "words FILE.sql [DATA]",
    f"files of queries, whose names end with .sql, or - for stdin; and {DATA}",
    nargs="+",
)
EPS_1 = eps("ε; 1 if unset", default=Fraction(1))
REPORT = arg("--format", "", choices=("text", "json", "html"), default="text")
