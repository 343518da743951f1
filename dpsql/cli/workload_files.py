"""`dpsql estimate` and `dpsql batch`: files of queries, priced, or answered for one charge."""

from __future__ import annotations

import sys
from argparse import Namespace

from dpsql.cli import exits, query
from dpsql.report.result.formats import FORMATS
from dpsql.report.workloads import Estimate


def estimate(arguments: Namespace) -> int:
    """The verdict of each query, and the totals of all that are accepted."""
    data, files = sorted_words(arguments)
    texts = {name: query.read(arguments, name) for name in files}
    found: Estimate = query.free("estimate", arguments, data, texts, size=query.sizes(arguments))
    query.show(found, arguments.format)
    return exits.REJECTED if found.rejected else exits.OK


def sorted_words(arguments: Namespace) -> tuple[str | None, list[str]]:
    """The data, and the files of queries: those that end with .sql, and - for stdin."""
    files = [word for word in arguments.words if word == "-" or word.lower().endswith(".sql")]
    others = [word for word in arguments.words if word not in files]
    if len(others) > 1:
        arguments.parser.error(f"{others[1]} is no file of queries: its name must end with .sql")
    if not files:
        arguments.parser.error("no queries: name files that end with .sql, or - for stdin")
    return (others[0] if others else None), list(dict.fromkeys(files))


def batch(arguments: Namespace) -> int:
    """The noisy answers, in order."""
    data, files = sorted_words(arguments)
    texts = {name: query.read(arguments, name) for name in files}
    with query.opened(arguments, data) as db:
        options = query.run_options(arguments)
        answers = db.run_batch(texts, arguments.eps, arguments.delta, **options)
        json = arguments.format == "json"
        made = [
            "".join(FORMATS[arguments.format](answer, False)).rstrip("\n") for answer in answers
        ]
        text = f"[{','.join(made)}]" if json else "\n\n".join(made)
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
        print(f"{len(answers)} answers, cost {answers.cost}; {db.budget}", file=sys.stderr)
    return exits.OK
