"""The arguments of the command `dpsql`: a table of its commands, each with what it takes."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from importlib.metadata import version
from typing import Any, get_args

from dpsql.audit.defaults import CONFIDENCE, WORLDS
from dpsql.cli import (
    agents,
    audits,
    budgets,
    commands,
    exits,
    interactive,
    preparation,
    randomization,
    serving,
    workload_files,
)
from dpsql.cli.argument_types import Intermixed, Parser, amount, positive, seconds, share
from dpsql.core.calibrate.options import Clipping
from dpsql.front.dialects import DIALECTS
from dpsql.report.budget.account_document import LIMIT
from dpsql.report.result.formats import FORMATS

_DATA = "a DuckDB or SQLite file; or Parquet, CSV or JSON, a file or a folder of them"
_NO_DATA = "; without it and without --policy, the default database"
_DEFAULT = """\
The default database is DPSQL_DATABASE with DPSQL_POLICY, else what ./dpsql.yaml names (its keys
are database and policy), else the embedded demo. Which one it is, is said on stderr."""
_QUERY = """\
The query is an argument, or the file of -f, or stdin. A single argument is DATA if there is such
a file or folder, and the query otherwise."""


_Argument = tuple[list[str], dict[str, Any]]
"""What `add_argument` is given."""


def _arg(
    written: str, help: str = "", kind: Callable[[str], Any] | None = None, **more: Any
) -> _Argument:
    """An argument as it is written in the help, such as `-f --file FILE`: its names, then what
    stands for its value.
    """
    words = written.split()
    names = [word for word in words if word.startswith("-")] or words[:1]
    given = {"metavar": " ".join(words[len(names) :]), "help": help, "type": kind}
    return names, {name: value for name, value in given.items() if value} | more


_flag = partial(_arg, action="store_true")


@dataclass(frozen=True, slots=True)
class _Command:
    """A command, what it does in a line, and all that it takes in the order of its help."""

    name: str
    help: str
    run: Callable[[argparse.Namespace], int]
    arguments: tuple[_Argument, ...]
    description: str = ""


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
    for command in _COMMANDS:
        about = f"{command.help.capitalize()}."
        made = parts.add_parser(
            command.name,
            help=command.help,
            description="\n\n".join(filter(None, (about, command.description))),
            epilog=exits.HELP,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        for names, options in (_LOG, *command.arguments):
            made.add_argument(*names, **options)
        made.set_defaults(command=command.run, parser=made, top=top)
    return top


def _eps(help: str, **more: Any) -> _Argument:
    return _arg("--eps E", help, amount, **more)


def _wishes(dialect: str | None, auto: str | None) -> tuple[_Argument, ...]:
    """How queries are to be answered, beside ε; and what holds where nothing is said."""
    return (
        _arg("--dialect", "whose SQL it is; duckdb if unset", choices=DIALECTS, default=dialect),
        _arg(
            "--delta D",
            "δ, for private group keys and Gaussian noise; by default that part of the "
            "policy's which ε is of its ε",
            amount,
        ),
        _arg(
            "--noise",
            "of counts and sums; auto takes the more accurate kind",
            choices=("auto", "laplace", "gaussian"),
            default=auto,
        ),
        _arg(
            "--clipping",
            "adaptive finds in the data, privately, how much one unit may add to a sum, and "
            "for how many distinct values it may count; auto does so only where the policy "
            "declares no bound, or many values; declared never",
            choices=get_args(Clipping),
            default=auto,
        ),
    )


_LOG = _arg("--log FILE", "the owner's log, with what errors do not say")
_POLICY = _arg("--policy FILE", "the policy of DATA")
_ANSWERING = (_POLICY, *_wishes("duckdb", "auto"))
_LEDGER = _arg(
    "--ledger WHERE",
    "the ledger's SQLite file, or the URL of a PostgreSQL database; by default the file "
    "beside DATA",
)
_IN_PLACE = _flag(
    "--in-place", "of a PostgreSQL database: private rows stay on the server, which computes"
)
_ANALYST = _arg("--analyst NAME", "who asks; for the caps", default="")
_CHARGED = (
    _LEDGER,
    _ANALYST,
    _flag("--fresh", "new noise, and paid for, though the same was answered before"),
    _arg(
        "--idempotency-key KEY",
        "of your choice: a retry with the same key gets the first answer, and is not charged",
    ),
    _arg(
        "--timeout S",
        "seconds after which the engine is stopped; what was charged by then stays charged",
        seconds,
    ),
)
_ONE_QUERY = (
    _arg("words [DATA] [SQL]", f"{_DATA}{_NO_DATA}; and the query", nargs="*"),
    *_ANSWERING,
    _IN_PLACE,
    _arg("-f --file FILE", "read the query from FILE; - is stdin"),
)
_FILES = _arg(
    "words FILE.sql [DATA]",
    f"files of queries, whose names end with .sql, or - for stdin; and {_DATA}",
    nargs="+",
)
_EPS_1 = _eps("ε; 1 if unset", default=Fraction(1))
_REPORT = _arg("--format", "", choices=("text", "json", "html"), default="text")

_COMMANDS = (
    _Command(
        *("demo", "a tour of dpsql on the data of a small shop", commands.demo),
        (_arg("--save FOLDER", "instead, write the shop's database and policy there"),),
    ),
    _Command(
        *("init", "draft a policy from a database's catalog", commands.init),
        (
            _arg("data DATA", _DATA),
            _arg(
                "--unit TABLE.COLUMN",
                "who is protected; asked for on a terminal, guessed elsewhere",
            ),
            _flag(
                "--read-data",
                "propose bounds, values and fan-outs from the data, rounded; the draft says so, "
                "and each is for you to confirm",
            ),
            _eps(
                "the same with noise, which costs E of the data's budget and δ = 1e-6; needs --unit"
            ),
            _arg(
                "-o --output FILE",
                "the policy to write, with its JSON Schema beside it; DATA's name with .yaml "
                "by default, and - for stdout",
            ),
            _flag("--force", "overwrite FILE"),
        ),
        "Types, keys, references, NOT NULL, CHECK ranges and ENUMs are taken; references that are\n"
        "missing are guessed by names and types. Without --read-data and --eps no data is read.",
    ),
    _Command(
        *("check", "tell what is odd about a policy, for its owner", commands.check),
        (
            _arg("policy_file POLICY", "the policy"),
            _arg(
                "data DATA", f"{_DATA}: its catalog is read, and its units are counted", nargs="?"
            ),
            _REPORT,
        ),
        "Exit code 4 where there are errors or warnings. docs/reference/checks.md has each rule.",
    ),
    _Command(
        *("policy", "show a policy, export a record of it, or import one", commands.policy),
        (
            _arg(
                "action ACTION",
                "show: tables, paths to the unit, bounds; export: a record for a registry of "
                "deployments, as YAML; import: a draft, from metadata of CSVW or SmartNoise SQL",
                choices=("show", "export", "import"),
            ),
            _arg("policy_file POLICY", "the policy; for import the metadata"),
            _arg("data DATA", f"{_DATA}: its catalog is read, and what was verified", nargs="?"),
            _arg(
                "--format", "of show", choices=("text", "json", "html", "mermaid"), default="text"
            ),
            _arg("--unit TABLE.COLUMN", "for import from CSVW: who is protected; guessed if unset"),
        ),
        "All of it is public. Without DATA every column needs a type.",
    ),
    _Command(
        *("verify", "check a policy's claims on the data, for the owner", commands.verify),
        (
            _arg("data DATA", _DATA),
            _arg("--policy FILE", "the policy", required=True),
            _arg("--ledger FILE", "of data on a server, the ledger beside which it is recorded"),
        ),
        "The counts printed are exact and private. Claims that hold are recorded beside the data;\n"
        "from then on, and while the data stays as it is, they are proof and queries run faster.",
    ),
    _Command(
        *("prepare", "write a copy of which a policy's claims are true", preparation.prepare),
        (
            _arg("data DATA", _DATA),
            _arg("--policy FILE", "the policy", required=True),
            _arg("--into FOLDER", "of the copy alone; or postgresql://…", required=True),
            _arg("--schema NAME", "of that server, for the copy alone"),
            _flag("--refresh", "take over the tables whose files are as they were"),
            _arg("--ledger FILE", "the ledger of DATA, where it is not beside it"),
            _arg("--memory SIZE", "what the work may use, such as 4GB"),
        ),
        "For the owner: the counts printed are exact and private. FOLDER then takes the place of\n"
        "DATA, and queries are answered as fast as on data whose claims were verified. What is\n"
        "spent on the one is spent on the other.",
    ),
    _Command(
        "explain",
        "what a query would release and cost; free, and without reading a row",
        commands.explain,
        (
            *_ONE_QUERY,
            _EPS_1,
            _REPORT,
            _flag(
                "--tree", "how the answer is made and why each sensitivity holds, as a tree, too"
            ),
            _flag("--sql", "the SQL that the engine would run, too"),
            _flag(
                "--certificate", "a second proof, of that SQL, as a tree with a rule a line, too"
            ),
            _arg(
                "--within ERROR",
                "the smallest ε with which no count or sum is off by more: 100, or 1%% with --size",
            ),
            _arg(
                "--size [NAME=]SIZE",
                "a public guess of the columns' sizes, of which --within is a part then; "
                "repeatable",
                action="append",
                default=[],
            ),
            _arg("--confidence P", "of --within; 0.95 if unset", share, default=0.95),
            _LEDGER,
        ),
        f"With --policy and without DATA, the policy alone decides.\n\n{_QUERY}\n\n{_DEFAULT}",
    ),
    _Command(
        "estimate",
        "what a file of queries would cost together; free, and without reading a row",
        workload_files.estimate,
        (
            _FILES,
            _eps("ε of each query that names none; 1 if unset", default=Fraction(1)),
            _arg(
                "--size [NAME=]SIZE",
                "a public guess of the columns' sizes, of which half-widths are then told as "
                "parts; repeatable",
                action="append",
                default=[],
            ),
            _REPORT,
            *_ANSWERING,
            _IN_PLACE,
            _LEDGER,
        ),
        "Queries end with ;. A comment -- eps: 0.5 above a query is its ε. With --policy and\n"
        "without DATA, the policy alone decides. A query that is rejected counts for nothing, and\n"
        f"makes the exit code 3.\n\n{_DEFAULT}",
    ),
    _Command(
        *("run", "answer a query with noise, and charge the budget", commands.run),
        (
            *_ONE_QUERY,
            _eps("ε, such as 0.5", required=True),
            _arg("--format", "", choices=tuple(FORMATS), default="table"),
            _flag(
                "--intervals",
                "95 %% intervals: after each noisy column n its ends n_low and n_high in csv, its "
                "half-widths in markdown; in json all ends as low and high; table has half-widths "
                "always",
            ),
            *_CHARGED,
        ),
        f"{_QUERY}\n\n{_DEFAULT}",
    ),
    _Command(
        "batch",
        "answer files of queries together, for one charge that is less than that of each",
        workload_files.batch,
        (
            _FILES,
            _eps("ε of each query that names none"),
            _arg("--format", "", choices=("table", "json", "markdown"), default="table"),
            *_ANSWERING,
            _IN_PLACE,
            *_CHARGED,
        ),
        "Queries end with ;. A comment -- eps: 0.5 above a query is its ε. If one is rejected,\n"
        f"none is answered and nothing is charged.\n\n{_DEFAULT}",
    ),
    _Command(
        "repl",
        "a shell for queries and commands such as \\explain; also for scripts",
        interactive.repl,
        (
            _arg("data DATA", f"{_DATA}{_NO_DATA}", nargs="?"),
            _POLICY,
            _arg(
                "-c --command TEXT",
                "run these statements; repeatable",
                partial(interactive.Source, "text"),
                dest="sources",
                action="append",
                default=[],
            ),
            _arg(
                "-f --file FILE",
                "run the statements of FILE; - is stdin; repeatable",
                partial(interactive.Source, "file"),
                dest="sources",
                action="append",
            ),
            _eps("ε of each query; 0.5 if unset"),
            _arg("--format", "table if unset", choices=tuple(FORMATS)),
            _flag("--intervals", "ends of intervals in csv, half-widths in markdown", default=None),
            *_wishes(None, None),
            _IN_PLACE,
            _LEDGER,
            _ANALYST,
            _arg(
                "--no-config",
                "the usual settings, whatever ~/.config/dpsql/config.toml says",
                dest="config",
                action="store_false",
            ),
        ),
        "Queries end with ;, and \\help lists the commands. On a terminal it is a shell for a "
        "person. With -c,\n-f, or stdin from elsewhere it runs what is there, and the first error "
        f"ends it.\n\n{_DEFAULT}",
    ),
    _Command(
        "budget",
        "what is left of the budget, and what was spent on what; for the owner",
        budgets.budget,
        (
            _arg(
                "words [DATA] [ACTION]",
                f"{_DATA}{_NO_DATA}; and what to do: {', '.join(budgets.ACTIONS)}",
                nargs="*",
            ),
            _POLICY,
            _arg("--limit N", f"of history: the last N lines; {LIMIT} if unset", positive),
            _arg(
                "--format", "of export; csv if unset; json has all of it", choices=("csv", "json")
            ),
            _arg("-o --output FILE", "of export and plot: the file to write"),
            _arg("--analyst NAME", "of unlock: who; if unset whoever gives no name"),
            _flag("--force", "overwrite FILE"),
            _LEDGER,
        ),
        f"{budgets.HELP}\n\n{_DEFAULT}",
    ),
    _Command(
        *("audit", "try to contradict what a query claims; for the owner", audits.audit),
        (
            _arg("words DATA [SQL]", f"{_DATA}; and the query", nargs="*"),
            _arg("-f --file FILE", "read queries from FILE; - is stdin"),
            *_ANSWERING,
            _EPS_1,
            _arg(
                "--units N",
                "remove no more units: half of them those with the most rows, the others a "
                "sample; 1,000 if unset, 150 that are swapped, and fewer of large data",
                int,
            ),
            _arg(
                "--worlds N",
                "about so many databases are generated; 4,000 if unset, 0 for none",
                int,
                default=WORLDS,
            ),
            _arg(
                "--samples N",
                "answers that are drawn of each of two worlds; 20,000 if unset, 2,000 of "
                "picks and clips; 0 for none",
                int,
            ),
            _arg(
                "--confidence P",
                "of the bounds on ε and δ; 0.9999 if unset",
                share,
                default=CONFIDENCE,
            ),
            _arg("--seed N", "of samples and databases; 0 if unset", int, default=0),
            _arg("--format", "", choices=("text", "json"), default="text"),
            _arg("--html FILE", "a page, too, with the histograms of both worlds"),
        ),
        "Private rows are read and nothing is charged: what is printed is private. Each unit is\n"
        "removed from the data (or swapped), neighbours that move the answer further are searched\n"
        "for among generated databases, and ε is estimated from noisy answers of the two that\n"
        "differ most. Exit code 7 says that a claim does not hold.\n\n"
        "The query is an argument, on stdin, or the file of -f, which may have several with ;\n"
        "after each.",
    ),
    _Command(
        *(
            "randomize",
            "write a table with randomized answers in one column",
            randomization.randomize,
        ),
        (
            _arg("input INPUT", "a CSV or Parquet file, or a DuckDB file with --table"),
            _arg("output OUTPUT", "a CSV or Parquet file; never overwritten"),
            _arg("--column C", "a column of true and false", required=True),
            _arg("--truth T", "how often the truth is told: 0.5", amount, required=True),
            _arg("--yes Y", "how often it is true if not: 0.5", amount, required=True),
            _arg("--table TABLE", "of the DuckDB file, if it has several"),
        ),
        "For each row a first coin decides whether the truth is told, and if not, a second one\n"
        "what is said. The lines for the policy go to stdout; queries are then debiased.",
    ),
    _Command(
        *("serve", "a server, so that others ask with a login", serving.serve),
        (
            _arg("--config FILE", "what is served, and where; docs/how-to/serve.md"),
            _arg(
                "--demo [FOLDER]",
                "the demo's data, on this machine alone, with everything in FOLDER; ./dpsql-demo "
                "if unset",
                nargs="?",
                const="dpsql-demo",
            ),
            _arg("--port N", "instead of the file's; 0 for any that is free", int),
        ),
        "One process owns data, policies and ledgers. Ctrl-C or SIGTERM ends it, once what runs\n"
        "has its answer. Clients: dpsql … https://HOST:PORT/NAME with DPSQL_TOKEN.",
    ),
    _Command(
        *("token", "logins of a server: make, list, revoke, pause", serving.token),
        (
            _arg("action ACTION", ", ".join(serving.TOKENS), choices=serving.TOKENS),
            _arg("name [NAME]", "of a principal; to revoke, or of one token its id", nargs="?"),
            _arg("--config FILE", f"the server's; {serving.CONFIG} here if unset"),
            _arg("--role ROLE", "analyst if unset", choices=("analyst", "service", "owner")),
            _arg(
                "--data NAME",
                "a data set that is seen; all if unset; repeatable",
                None,
                action="append",
                default=[],
            ),
            _arg(
                "--cap CAP",
                "what may be spent: [DATA:]eps=2[,delta=1e-6][/month], where the budget renews "
                "so; repeatable",
                action="append",
                default=[],
            ),
            _arg("--min-eps E", "the least ε of a query", amount),
            _arg("--default-eps E", "the ε of a query that names none; 0 takes it away", amount),
            _arg("--expires TIME", "30d, 12h; never if unset"),
        ),
        "A token goes to stdout, once. The server sees all changes at once.",
    ),
    _Command(
        *("mcp", "an agent's tools, by the Model Context Protocol over stdin", agents.mcp),
        (
            _arg("data DATA", f"{_DATA}; or the URL of a dpsql server, with DPSQL_TOKEN"),
            _POLICY,
            _arg("--ask-above E", "a call that costs more ε asks a person", amount, default=0),
            _arg("--most E", "the ε that the session may spend; 1 if unset", amount, default=1),
            _LEDGER,
            _arg("--analyst NAME", 'who asks; "agent" if unset; of a URL its token says who'),
            _IN_PLACE,
        ),
        "For the configuration of an agent's host, which starts it. Without --ask-above a person\n"
        "is asked before anything is spent. The agent should be a principal of its own, with a "
        "cap.",
    ),
    _Command(
        *("help", "what an error code means, and what to write instead", commands.help),
        (_arg("code CODE", "such as DP402; all, if not given", nargs="?"),),
    ),
    _Command(
        "completion",
        "a script by which a shell completes dpsql's commands and options",
        commands.completion,
        (_arg("shell", "which", choices=["bash", "zsh", "fish", "tcsh", "powershell"]),),
        'Load it where the shell starts: eval "$(dpsql completion bash)"',
    ),
)
