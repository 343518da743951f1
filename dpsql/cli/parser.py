"""The arguments of the command `dpsql`."""

from __future__ import annotations

import argparse
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from importlib.metadata import version

from dpsql.cli import commands, exits
from dpsql.cli.formats import FORMATS
from dpsql.sql.dialects import DIALECTS

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
    top = _Parser(
        prog="dpsql",
        description="Plain SQL in, differentially private answers out.",
        epilog=exits.HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"dpsql {version('dpsql')}")
    parts = top.add_subparsers(metavar="COMMAND", required=True, parser_class=_Intermixed)
    _demo(parts)
    _init(parts)
    _verify(parts)
    _explain(parts)
    _run(parts)
    _randomize(parts)
    _help(parts)
    return top


class _Parser(argparse.ArgumentParser):
    """No abbreviations: they would make every new option a change of meaning."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(allow_abbrev=False, **kwargs)  # type: ignore[arg-type]


class _Intermixed(_Parser):
    """Arguments may stand between and after the options: `run DATA --policy FILE QUERY`."""

    _busy = False

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]
        """As argparse has it, for arguments in any order."""
        if self._busy:
            return super().parse_known_args(args, namespace)
        self._busy = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._busy = False


def _add(
    parts: argparse._SubParsersAction[_Intermixed],
    name: str,
    help: str,
    command: object,
    description: str = "",
) -> _Intermixed:
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


def _demo(parts: argparse._SubParsersAction[_Intermixed]) -> None:
    made = _add(parts, "demo", "a tour of dpsql on the data of a small shop", commands.demo)
    made.add_argument(
        "--save", metavar="FOLDER", help="instead, write the shop's database and policy there"
    )


def _init(parts: argparse._SubParsersAction[_Intermixed]) -> None:
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


def _verify(parts: argparse._SubParsersAction[_Intermixed]) -> None:
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


def _explain(parts: argparse._SubParsersAction[_Intermixed]) -> None:
    made = _add(
        parts,
        "explain",
        "what a query would release and cost; free, and without reading a row",
        commands.explain,
        f"With --policy and without DATA, the policy alone decides.\n\n{_QUERY}\n\n{_DEFAULT}",
    )
    _query(made)
    made.add_argument("--eps", metavar="E", type=amount, default=Fraction(1), help="ε; 1 if unset")
    made.add_argument("--format", choices=("text", "json"), default="text")
    made.add_argument("--sql", action="store_true", help="the SQL that the engine would run, too")


def _run(parts: argparse._SubParsersAction[_Intermixed]) -> None:
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
        help="a column of 95 %% half-widths after each noisy column, in csv and markdown; table "
        "and json have them always",
    )


def _randomize(parts: argparse._SubParsersAction[_Intermixed]) -> None:
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


def _help(parts: argparse._SubParsersAction[_Intermixed]) -> None:
    made = _add(parts, "help", "what an error code means, and what to write instead", commands.help)
    made.add_argument("code", metavar="CODE", nargs="?", help="such as DP402; all, if not given")


def _query(made: _Intermixed) -> None:
    made.add_argument(
        "words", metavar="[DATA] [SQL]", nargs="*", help=f"{_DATA}{_NO_DATA}; and the query"
    )
    made.add_argument("--policy", metavar="FILE", help="the policy of DATA")
    made.add_argument(
        "--dialect", choices=DIALECTS, default="duckdb", help="whose SQL it is; duckdb if unset"
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
        default="auto",
        help="of counts and sums; auto takes the more accurate kind",
    )
    made.add_argument(
        "--clipping",
        choices=("auto", "adaptive"),
        default="auto",
        help="adaptive finds in the data, privately, how much one unit may add to a sum; auto does "
        "so only where the policy declares no bound",
    )
    made.add_argument("-f", "--file", metavar="FILE", help="read the query from FILE; - is stdin")


def amount(text: str) -> Decimal | Fraction:
    """An ε or δ as it is written: a decimal or a fraction, exactly."""
    try:
        return Fraction(text) if "/" in text else Decimal(text)
    except (ValueError, InvalidOperation, ZeroDivisionError):
        raise argparse.ArgumentTypeError(f"{text!r} is no number") from None
