"""The arguments of the command `dpsql`."""

from __future__ import annotations

import argparse
from fractions import Fraction
from functools import partial
from importlib.metadata import version
from typing import get_args

from dpsql.audit.defaults import CONFIDENCE, WORLDS
from dpsql.cli import budgets, commands, exits
from dpsql.cli.argument_types import Intermixed, Parser, amount, seconds, share
from dpsql.core.calibrate.options import Clipping, Wishes
from dpsql.front.dialects import DIALECTS
from dpsql.repl.script import Source
from dpsql.report.result.formats import FORMATS

_DATA = "a DuckDB file, or a folder of Parquet and CSV files"
_NO_DATA = "; without it and without --policy, the default database"
_DEFAULT = """\
The default database is DPSQL_DATABASE with DPSQL_POLICY, else what ./dpsql.yaml names (its keys
are database and policy), else the embedded demo. Which one it is, is said on stderr."""
_QUERY = """\
The query is an argument, or the file of -f, or stdin. A single argument is DATA if there is such
a file or folder, and the query otherwise."""


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line; `arguments.command` is what to call."""
    top = Parser(
        prog="dpsql",
        description="Plain SQL in, differentially private answers out.",
        epilog=exits.HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"dpsql {version('dpsql')}")
    parts = top.add_subparsers(metavar="COMMAND", required=True, parser_class=Intermixed)
    _demo(parts)
    _init(parts)
    _verify(parts)
    _explain(parts)
    _estimate(parts)
    _run(parts)
    _batch(parts)
    _repl(parts)
    _budget(parts)
    _audit(parts)
    _randomize(parts)
    _help(parts)
    _completion(parts, top)
    return top


def _add(
    parts: argparse._SubParsersAction[Intermixed],
    name: str,
    help: str,
    command: object,
    description: str = "",
) -> Intermixed:
    made = parts.add_parser(
        name,
        help=help,
        description="\n\n".join(part for part in (f"{help.capitalize()}.", description) if part),
        epilog=exits.HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--log", metavar="FILE", help="the owner's log, with what errors do not say")
    made.set_defaults(command=command, parser=made)
    return made


def _demo(parts: argparse._SubParsersAction[Intermixed]) -> None:
    made = _add(parts, "demo", "a tour of dpsql on the data of a small shop", commands.demo)
    made.add_argument(
        "--save", metavar="FOLDER", help="instead, write the shop's database and policy there"
    )


def _init(parts: argparse._SubParsersAction[Intermixed]) -> None:
    made = _add(
        parts,
        "init",
        "draft a policy from a database's catalog",
        commands.init,
        "Types, keys, references, NOT NULL, CHECK ranges and ENUMs are taken. No data is read.",
    )
    made.add_argument("data", metavar="DATA", help=_DATA)
    made.add_argument(
        "--unit", metavar="TABLE.COLUMN", help="who is protected; guessed if not given"
    )
    made.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="the policy to write, with its JSON Schema beside it; DATA's name with .yaml by "
        "default, and - for stdout",
    )
    made.add_argument("--force", action="store_true", help="overwrite FILE")


def _verify(parts: argparse._SubParsersAction[Intermixed]) -> None:
    made = _add(
        parts,
        "verify",
        "check a policy's claims on the data, for the owner",
        commands.verify,
        "The counts printed are exact and private. Claims that hold are recorded beside the data;\n"
        "from then on, and while the data stays as it is, they are proof and queries run faster.",
    )
    made.add_argument("data", metavar="DATA", help=_DATA)
    made.add_argument("--policy", metavar="FILE", required=True, help="the policy")


def _explain(parts: argparse._SubParsersAction[Intermixed]) -> None:
    made = _add(
        parts,
        "explain",
        "what a query would release and cost; free, and without reading a row",
        commands.explain,
        f"With --policy and without DATA, the policy alone decides.\n\n{_QUERY}\n\n{_DEFAULT}",
    )
    _query(made)
    made.add_argument("--eps", metavar="E", type=amount, default=Fraction(1), help="ε; 1 if unset")
    made.add_argument("--format", choices=("text", "json", "html"), default="text")
    made.add_argument(
        "--tree",
        action="store_true",
        help="how the answer is made and why each sensitivity holds, as a tree, too",
    )
    made.add_argument("--sql", action="store_true", help="the SQL that the engine would run, too")
    made.add_argument(
        "--certificate",
        action="store_true",
        help="a second proof, of that SQL, as a tree with a rule a line, too",
    )
    made.add_argument(
        "--within",
        metavar="ERROR",
        help="the smallest ε with which no count or sum is off by more: 100, or 1%% with --size",
    )
    made.add_argument(
        "--size",
        metavar="[NAME=]SIZE",
        action="append",
        default=[],
        help="a public guess of the columns' sizes, of which --within is a part then; repeatable",
    )
    made.add_argument(
        "--confidence", metavar="P", type=share, default=0.95, help="of --within; 0.95 if unset"
    )
    _ledger(made)


def _estimate(parts: argparse._SubParsersAction[Intermixed]) -> None:
    made = _add(
        parts,
        "estimate",
        "what a file of queries would cost together; free, and without reading a row",
        commands.estimate,
        "Queries end with ;. A comment -- eps: 0.5 above a query is its ε. With --policy and\n"
        "without DATA, the policy alone decides. A query that is rejected counts for nothing, and\n"
        f"makes the exit code 3.\n\n{_DEFAULT}",
    )
    _files(made)
    made.add_argument(
        "--eps",
        metavar="E",
        type=amount,
        default=Fraction(1),
        help="ε of each query that names none; 1 if unset",
    )
    made.add_argument("--format", choices=("text", "json", "html"), default="text")
    _answering(made)
    _ledger(made)


def _run(parts: argparse._SubParsersAction[Intermixed]) -> None:
    made = _add(
        parts,
        "run",
        "answer a query with noise, and charge the budget",
        commands.run,
        f"{_QUERY}\n\n{_DEFAULT}",
    )
    _query(made)
    made.add_argument("--eps", metavar="E", type=amount, required=True, help="ε, such as 0.5")
    made.add_argument("--format", choices=tuple(FORMATS), default="table")
    made.add_argument(
        "--intervals",
        action="store_true",
        help="95 %% intervals: after each noisy column n its ends n_low and n_high in csv, its "
        "half-widths in markdown; in json all ends as low and high; table has half-widths always",
    )
    _charged(made)


def _batch(parts: argparse._SubParsersAction[Intermixed]) -> None:
    made = _add(
        parts,
        "batch",
        "answer files of queries together, for one charge that is less than that of each",
        commands.batch,
        "Queries end with ;. A comment -- eps: 0.5 above a query is its ε. If one is rejected,\n"
        f"none is answered and nothing is charged.\n\n{_DEFAULT}",
    )
    _files(made)
    made.add_argument("--eps", metavar="E", type=amount, help="ε of each query that names none")
    made.add_argument("--format", choices=("table", "json", "markdown"), default="table")
    _answering(made)
    _charged(made)


def _repl(parts: argparse._SubParsersAction[Intermixed]) -> None:
    made = _add(
        parts,
        "repl",
        "a shell for queries and commands such as \\explain; also for scripts",
        commands.repl,
        "Queries end with ;, and \\help lists the commands. On a terminal it is a shell for a "
        "person. With -c,\n-f, or stdin from elsewhere it runs what is there, and the first error "
        f"ends it.\n\n{_DEFAULT}",
    )
    made.add_argument("data", metavar="DATA", nargs="?", help=f"{_DATA}{_NO_DATA}")
    made.add_argument("--policy", metavar="FILE", help="the policy of DATA")
    made.add_argument(
        *("-c", "--command"),
        dest="sources",
        action="append",
        type=partial(Source, "text"),
        default=[],
        metavar="TEXT",
        help="run these statements; repeatable",
    )
    made.add_argument(
        *("-f", "--file"),
        dest="sources",
        action="append",
        type=partial(Source, "file"),
        metavar="FILE",
        help="run the statements of FILE; - is stdin; repeatable",
    )
    made.add_argument("--eps", metavar="E", type=amount, help="ε of each query; 0.5 if unset")
    made.add_argument("--format", choices=tuple(FORMATS), help="table if unset")
    made.add_argument(
        "--intervals",
        action="store_true",
        default=None,
        help="half-widths in csv and markdown, too",
    )
    _wishes(made, Wishes())
    _ledger(made)
    made.add_argument("--analyst", metavar="NAME", default="", help="who asks; for the caps")
    made.add_argument(
        "--no-config",
        dest="config",
        action="store_false",
        help="the usual settings, whatever ~/.config/dpsql/config.toml says",
    )


def _charged(made: Intermixed) -> None:
    _ledger(made)
    made.add_argument("--analyst", metavar="NAME", default="", help="who asks; for the caps")
    made.add_argument(
        "--fresh",
        action="store_true",
        help="new noise, and paid for, though the same was answered before",
    )
    made.add_argument(
        "--idempotency-key",
        metavar="KEY",
        help="of your choice: a retry with the same key gets the first answer, and is not charged",
    )
    made.add_argument(
        "--timeout",
        metavar="S",
        type=seconds,
        help="seconds after which the engine is stopped; what was charged by then stays charged",
    )


def _files(made: Intermixed) -> None:
    made.add_argument(
        "words",
        metavar="FILE.sql [DATA]",
        nargs="+",
        help=f"files of queries, whose names end with .sql, or - for stdin; and {_DATA}",
    )


def _budget(parts: argparse._SubParsersAction[Intermixed]) -> None:
    made = _add(
        parts,
        "budget",
        "what is left of the budget, and what was spent on what; for the owner",
        commands.budget,
        f"{budgets.HELP}\n\n{_DEFAULT}",
    )
    budgets.add_arguments(made, f"{_DATA}{_NO_DATA}")
    _ledger(made)


def _audit(parts: argparse._SubParsersAction[Intermixed]) -> None:
    made = _add(
        parts,
        "audit",
        "try to contradict what a query claims; for the owner",
        commands.audit,
        "Private rows are read and nothing is charged: what is printed is private. Each unit is\n"
        "removed from the data (or swapped), neighbours that move the answer further are searched\n"
        "for among generated databases, and ε is estimated from noisy answers of the two that\n"
        "differ most. Exit code 7 says that a claim does not hold.\n\n"
        "The query is an argument, on stdin, or the file of -f, which may have several with ;\n"
        "after each.",
    )
    made.add_argument("words", metavar="DATA [SQL]", nargs="*", help=f"{_DATA}; and the query")
    made.add_argument("-f", "--file", metavar="FILE", help="read queries from FILE; - is stdin")
    _answering(made)
    made.add_argument("--eps", metavar="E", type=amount, default=Fraction(1), help="ε; 1 if unset")
    made.add_argument(
        "--units",
        metavar="N",
        type=int,
        help="remove no more units: half of them those with the most rows, the others a sample; "
        "1,000 if unset, 150 that are swapped, and fewer of large data",
    )
    made.add_argument(
        "--worlds",
        metavar="N",
        type=int,
        default=WORLDS,
        help="about so many databases are generated; 4,000 if unset, 0 for none",
    )
    made.add_argument(
        "--samples",
        metavar="N",
        type=int,
        help="answers that are drawn of each of two worlds; 20,000 if unset, 2,000 of picks and "
        "clips; 0 for none",
    )
    made.add_argument(
        "--confidence",
        metavar="P",
        type=share,
        default=CONFIDENCE,
        help="of the bounds on ε and δ; 0.9999 if unset",
    )
    made.add_argument(
        "--seed", metavar="N", type=int, default=0, help="of samples and databases; 0 if unset"
    )
    made.add_argument("--format", choices=("text", "json"), default="text")
    made.add_argument(
        "--html", metavar="FILE", help="a page, too, with the histograms of both worlds"
    )


def _ledger(made: Intermixed) -> None:
    made.add_argument(
        "--ledger",
        metavar="WHERE",
        help="the ledger's SQLite file, or the URL of a PostgreSQL database; by default the file "
        "beside DATA",
    )


def _randomize(parts: argparse._SubParsersAction[Intermixed]) -> None:
    made = _add(
        parts,
        "randomize",
        "write a table with randomized answers in one column",
        commands.randomize,
        "For each row a first coin decides whether the truth is told, and if not, a second one\n"
        "what is said. The lines for the policy go to stdout; queries are then debiased.",
    )
    made.add_argument(
        "input", metavar="INPUT", help="a CSV or Parquet file, or a DuckDB file with --table"
    )
    made.add_argument("output", metavar="OUTPUT", help="a CSV or Parquet file; never overwritten")
    made.add_argument("--column", metavar="C", required=True, help="a column of true and false")
    made.add_argument(
        "--truth", metavar="T", type=amount, required=True, help="how often the truth is told: 0.5"
    )
    made.add_argument(
        "--yes", metavar="Y", type=amount, required=True, help="how often it is true if not: 0.5"
    )
    made.add_argument("--table", metavar="TABLE", help="of the DuckDB file, if it has several")


def _help(parts: argparse._SubParsersAction[Intermixed]) -> None:
    made = _add(parts, "help", "what an error code means, and what to write instead", commands.help)
    made.add_argument("code", metavar="CODE", nargs="?", help="such as DP402; all, if not given")


def _completion(
    parts: argparse._SubParsersAction[Intermixed], top: argparse.ArgumentParser
) -> None:
    made = _add(
        parts,
        "completion",
        "a script by which a shell completes dpsql's commands and options",
        commands.completion,
        'Load it where the shell starts: eval "$(dpsql completion bash)"',
    )
    made.add_argument("shell", choices=["bash", "zsh", "fish", "tcsh", "powershell"], help="which")
    made.set_defaults(top=top)


def _query(made: Intermixed) -> None:
    made.add_argument(
        "words", metavar="[DATA] [SQL]", nargs="*", help=f"{_DATA}{_NO_DATA}; and the query"
    )
    _answering(made)
    made.add_argument("-f", "--file", metavar="FILE", help="read the query from FILE; - is stdin")


def _answering(made: Intermixed) -> None:
    """How queries are to be answered."""
    made.add_argument("--policy", metavar="FILE", help="the policy of DATA")
    _wishes(made, Wishes(dialect="duckdb", noise="auto", clipping="auto"))


def _wishes(made: Intermixed, usual: Wishes) -> None:
    """How queries are to be answered, beside ε; and what holds where nothing is said."""
    made.add_argument(
        "--dialect",
        choices=DIALECTS,
        default=usual.get("dialect"),
        help="whose SQL it is; duckdb if unset",
    )
    made.add_argument(
        "--delta",
        metavar="D",
        type=amount,
        help="δ, for private group keys and Gaussian noise; by default that part of the policy's "
        "which ε is of its ε",
    )
    made.add_argument(
        "--noise",
        choices=("auto", "laplace", "gaussian"),
        default=usual.get("noise"),
        help="of counts and sums; auto takes the more accurate kind",
    )
    made.add_argument(
        "--clipping",
        choices=get_args(Clipping),
        default=usual.get("clipping"),
        help="adaptive finds in the data, privately, how much one unit may add to a sum, and for "
        "how many distinct values it may count; auto does so only where the policy declares no "
        "bound, or many values; declared never",
    )
