"""The arguments of the command `dpsql`: a table of its commands, each with what it takes."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from importlib.metadata import version

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
from dpsql.cli.argument_types import Intermixed, Parser, amount, positive, share
from dpsql.cli.shared_arguments import (
    ANALYST,
    ANSWERING,
    CHARGED,
    DATA,
    EPS_1,
    FILES,
    IN_PLACE,
    LEDGER,
    LOG,
    NO_DATA,
    ONE_QUERY,
    POLICY,
    REPORT,
    Argument,
    arg,
    eps,
    flag,
    wishes,
)
from dpsql.report.budget.account_document import LIMIT
from dpsql.report.result.formats import FORMATS

_DEFAULT = """\
The default database is DPSQL_DATABASE with DPSQL_POLICY, else what ./dpsql.yaml names (its keys
are database and policy), else the embedded demo. Which one it is, is said on stderr."""
_QUERY = """\
The query is an argument, or the file of -f, or stdin. A single argument is DATA if there is such
a file or folder, and the query otherwise."""


@dataclass(frozen=True, slots=True)
class _Command:
    """A command, what it does in a line, and all that it takes in the order of its help."""

    name: str
    help: str
    run: Callable[[argparse.Namespace], int]
    arguments: tuple[Argument, ...]
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
        for names, options in (LOG, *command.arguments):
            made.add_argument(*names, **options)
        made.set_defaults(command=command.run, parser=made, top=top)
    return top


_COMMANDS = (
    _Command(
        *("demo", "a tour of dpsql on the data of a small shop", commands.demo),
        (arg("--save FOLDER", "instead, write the shop's database and policy there"),),
    ),
    _Command(
        *("init", "draft a policy from a database's catalog", commands.init),
        (
            arg("data DATA", DATA),
            arg(
                "--unit TABLE.COLUMN",
                "who is protected; asked for on a terminal, guessed elsewhere",
            ),
            flag(
                "--read-data",
                "propose bounds, values and fan-outs from the data, rounded; the draft says so, "
                "and each is for you to confirm",
            ),
            eps(
                "the same with noise, which costs E of the data's budget and δ = 1e-6; needs --unit"
            ),
            arg(
                "-o --output FILE",
                "the policy to write, with its JSON Schema beside it; DATA's name with .yaml "
                "by default, and - for stdout",
            ),
            flag("--force", "overwrite FILE"),
        ),
        "Types, keys, references, NOT NULL, CHECK ranges and ENUMs are taken; references that are\n"
        "missing are guessed by names and types. Without --read-data and --eps no data is read.",
    ),
    _Command(
        *("check", "tell what is odd about a policy, for its owner", commands.check),
        (
            arg("policy_file POLICY", "the policy"),
            arg("data DATA", f"{DATA}: its catalog is read, and its units are counted", nargs="?"),
            REPORT,
        ),
        "Exit code 4 where there are errors or warnings. docs/reference/checks.md has each rule.",
    ),
    _Command(
        *("policy", "show a policy, export a record of it, or import one", commands.policy),
        (
            arg(
                "action ACTION",
                "show: tables, paths to the unit, bounds; export: a record for a registry of "
                "deployments, as YAML; import: a draft, from metadata of CSVW or SmartNoise SQL",
                choices=("show", "export", "import"),
            ),
            arg("policy_file POLICY", "the policy; for import the metadata"),
            arg("data DATA", f"{DATA}: its catalog is read, and what was verified", nargs="?"),
            arg("--format", "of show", choices=("text", "json", "html", "mermaid"), default="text"),
            arg("--unit TABLE.COLUMN", "for import from CSVW: who is protected; guessed if unset"),
        ),
        "All of it is public. Without DATA every column needs a type.",
    ),
    _Command(
        *("verify", "check a policy's claims on the data, for the owner", commands.verify),
        (
            arg("data DATA", DATA),
            arg("--policy FILE", "the policy", required=True),
            arg("--ledger FILE", "of data on a server, the ledger beside which it is recorded"),
        ),
        "The counts printed are exact and private. Claims that hold are recorded beside the data;\n"
        "from then on, and while the data stays as it is, they are proof and queries run faster.",
    ),
    _Command(
        *("prepare", "write a copy of which a policy's claims are true", preparation.prepare),
        (
            arg("data DATA", DATA),
            arg("--policy FILE", "the policy", required=True),
            arg("--into FOLDER", "of the copy alone; or postgresql://…", required=True),
            arg("--schema NAME", "of that server, for the copy alone"),
            flag("--refresh", "take over the tables whose files are as they were"),
            arg("--ledger FILE", "the ledger of DATA, where it is not beside it"),
            arg("--memory SIZE", "what the work may use, such as 4GB"),
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
            *ONE_QUERY,
            EPS_1,
            REPORT,
            flag("--tree", "how the answer is made and why each sensitivity holds, as a tree, too"),
            flag("--sql", "the SQL that the engine would run, too"),
            flag("--certificate", "a second proof, of that SQL, as a tree with a rule a line, too"),
            arg(
                "--within ERROR",
                "the smallest ε with which no count or sum is off by more: 100, or 1%% with --size",
            ),
            arg(
                "--size [NAME=]SIZE",
                "a public guess of the columns' sizes, of which --within is a part then; "
                "repeatable",
                action="append",
                default=[],
            ),
            arg("--confidence P", "of --within; 0.95 if unset", share, default=0.95),
            LEDGER,
        ),
        f"With --policy and without DATA, the policy alone decides.\n\n{_QUERY}\n\n{_DEFAULT}",
    ),
    _Command(
        "estimate",
        "what a file of queries would cost together; free, and without reading a row",
        workload_files.estimate,
        (
            FILES,
            eps("ε of each query that names none; 1 if unset", default=Fraction(1)),
            arg(
                "--size [NAME=]SIZE",
                "a public guess of the columns' sizes, of which half-widths are then told as "
                "parts; repeatable",
                action="append",
                default=[],
            ),
            REPORT,
            *ANSWERING,
            IN_PLACE,
            LEDGER,
        ),
        "Queries end with ;. A comment -- eps: 0.5 above a query is its ε. With --policy and\n"
        "without DATA, the policy alone decides. A query that is rejected counts for nothing, and\n"
        f"makes the exit code 3.\n\n{_DEFAULT}",
    ),
    _Command(
        *("run", "answer a query with noise, and charge the budget", commands.run),
        (
            *ONE_QUERY,
            eps("ε, such as 0.5", required=True),
            arg("--format", "", choices=tuple(FORMATS), default="table"),
            flag(
                "--intervals",
                "95 %% intervals: after each noisy column n its ends n_low and n_high in csv, its "
                "half-widths in markdown; in json all ends as low and high; table has half-widths "
                "always",
            ),
            *CHARGED,
        ),
        f"{_QUERY}\n\n{_DEFAULT}",
    ),
    _Command(
        "batch",
        "answer files of queries together, for one charge that is less than that of each",
        workload_files.batch,
        (
            FILES,
            eps("ε of each query that names none"),
            arg("--format", "", choices=("table", "json", "markdown"), default="table"),
            *ANSWERING,
            IN_PLACE,
            *CHARGED,
        ),
        "Queries end with ;. A comment -- eps: 0.5 above a query is its ε. If one is rejected,\n"
        f"none is answered and nothing is charged.\n\n{_DEFAULT}",
    ),
    _Command(
        "repl",
        "a shell for queries and commands such as \\explain; also for scripts",
        interactive.repl,
        (
            arg("data DATA", f"{DATA}{NO_DATA}", nargs="?"),
            POLICY,
            arg(
                "-c --command TEXT",
                "run these statements; repeatable",
                partial(interactive.Source, "text"),
                dest="sources",
                action="append",
                default=[],
            ),
            arg(
                "-f --file FILE",
                "run the statements of FILE; - is stdin; repeatable",
                partial(interactive.Source, "file"),
                dest="sources",
                action="append",
            ),
            eps("ε of each query; 0.5 if unset"),
            arg("--format", "table if unset", choices=tuple(FORMATS)),
            flag("--intervals", "ends of intervals in csv, half-widths in markdown", default=None),
            *wishes(None, None),
            IN_PLACE,
            LEDGER,
            ANALYST,
            arg(
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
            arg(
                "words [DATA] [ACTION]",
                f"{DATA}{NO_DATA}; and what to do: {', '.join(budgets.ACTIONS)}",
                nargs="*",
            ),
            POLICY,
            arg("--limit N", f"of history: the last N lines; {LIMIT} if unset", positive),
            arg("--format", "of export; csv if unset; json has all of it", choices=("csv", "json")),
            arg("-o --output FILE", "of export and plot: the file to write"),
            arg("--analyst NAME", "of unlock: who; if unset whoever gives no name"),
            flag("--force", "overwrite FILE"),
            LEDGER,
        ),
        f"{budgets.HELP}\n\n{_DEFAULT}",
    ),
    _Command(
        *("audit", "try to contradict what a query claims; for the owner", audits.audit),
        (
            arg("words DATA [SQL]", f"{DATA}; and the query", nargs="*"),
            arg("-f --file FILE", "read queries from FILE; - is stdin"),
            *ANSWERING,
            EPS_1,
            arg(
                "--units N",
                "remove no more units: half of them those with the most rows, the others a "
                "sample; 1,000 if unset, 150 that are swapped, and fewer of large data",
                int,
            ),
            arg(
                "--worlds N",
                "about so many databases are generated; 4,000 if unset, 0 for none",
                int,
                default=WORLDS,
            ),
            arg(
                "--samples N",
                "answers that are drawn of each of two worlds; 20,000 if unset, 2,000 of "
                "picks and clips; 0 for none",
                int,
            ),
            arg(
                "--confidence P",
                "of the bounds on ε and δ; 0.9999 if unset",
                share,
                default=CONFIDENCE,
            ),
            arg("--seed N", "of samples and databases; 0 if unset", int, default=0),
            arg("--format", "", choices=("text", "json"), default="text"),
            arg("--html FILE", "a page, too, with the histograms of both worlds"),
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
            arg("input INPUT", "a CSV or Parquet file, or a DuckDB file with --table"),
            arg("output OUTPUT", "a CSV or Parquet file; never overwritten"),
            arg("--column C", "a column of true and false", required=True),
            arg("--truth T", "how often the truth is told: 0.5", amount, required=True),
            arg("--yes Y", "how often it is true if not: 0.5", amount, required=True),
            arg("--table TABLE", "of the DuckDB file, if it has several"),
        ),
        "For each row a first coin decides whether the truth is told, and if not, a second one\n"
        "what is said. The lines for the policy go to stdout; queries are then debiased.",
    ),
    _Command(
        *("serve", "a server, so that others ask with a login", serving.serve),
        (
            arg("--config FILE", "what is served, and where; docs/how-to/serve.md"),
            arg(
                "--demo [FOLDER]",
                "the demo's data, on this machine alone, with everything in FOLDER; ./dpsql-demo "
                "if unset",
                nargs="?",
                const="dpsql-demo",
            ),
            arg("--port N", "instead of the file's; 0 for any that is free", int),
        ),
        "One process owns data, policies and ledgers. Ctrl-C or SIGTERM ends it, once what runs\n"
        "has its answer. Clients: dpsql … https://HOST:PORT/NAME with DPSQL_TOKEN.",
    ),
    _Command(
        *("token", "logins of a server: make, list, revoke, pause", serving.token),
        (
            arg("action ACTION", ", ".join(serving.TOKENS), choices=serving.TOKENS),
            arg("name [NAME]", "of a principal; to revoke, or of one token its id", nargs="?"),
            arg("--config FILE", f"the server's; {serving.CONFIG} here if unset"),
            arg("--role ROLE", "analyst if unset", choices=("analyst", "service", "owner")),
            arg(
                "--data NAME",
                "a data set that is seen; all if unset; repeatable",
                None,
                action="append",
                default=[],
            ),
            arg(
                "--cap CAP",
                "what may be spent: [DATA:]eps=2[,delta=1e-6][/month], where the budget renews "
                "so; repeatable",
                action="append",
                default=[],
            ),
            arg("--min-eps E", "the least ε of a query", amount),
            arg("--default-eps E", "the ε of a query that names none; 0 takes it away", amount),
            arg("--expires TIME", "30d, 12h; never if unset"),
        ),
        "A token goes to stdout, once. The server sees all changes at once.",
    ),
    _Command(
        *("mcp", "an agent's tools, by the Model Context Protocol over stdin", agents.mcp),
        (
            arg("data DATA", f"{DATA}; or the URL of a dpsql server, with DPSQL_TOKEN"),
            POLICY,
            arg("--ask-above E", "a call that costs more ε asks a person", amount, default=0),
            arg("--most E", "the ε that the session may spend; 1 if unset", amount, default=1),
            LEDGER,
            arg("--analyst NAME", 'who asks; "agent" if unset; of a URL its token says who'),
            IN_PLACE,
        ),
        "For the configuration of an agent's host, which starts it. Without --ask-above a person\n"
        "is asked before anything is spent. The agent should be a principal of its own, with a "
        "cap.",
    ),
    _Command(
        *("help", "what an error code means, and what to write instead", commands.help),
        (arg("code CODE", "such as DP402; all, if not given", nargs="?"),),
    ),
    _Command(
        "completion",
        "a script by which a shell completes dpsql's commands and options",
        commands.completion,
        (arg("shell", "which", choices=["bash", "zsh", "fish", "tcsh", "powershell"]),),
        'Load it where the shell starts: eval "$(dpsql completion bash)"',
    ),
)
