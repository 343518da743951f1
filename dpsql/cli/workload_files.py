"""`dpsql estimate` and `dpsql batch`: files of queries, priced, or answered for one charge."""

from __future__ import annotations

import sys
from argparse import Namespace

from dpsql import default
from dpsql.cli import exits, query
from dpsql.report.result.formats import FORMATS
from dpsql.session import costs as without_data


def estimate(arguments: Namespace) -> int:
    """The verdict of each query, and the totals of all that are accepted."""
    data, files = sorted_words(arguments)
    query.check(arguments, data)
    texts = {name: query.read(arguments, name) for name in files}
    asked = texts, arguments.eps, arguments.delta
    if data is not None:
        with query.priced(arguments, data) as db:
            found = db.estimate(*asked, **query.wishes(arguments))
    elif arguments.policy is not None:
        found = without_data.estimate(
            texts, arguments.policy, arguments.eps, arguments.delta, **query.wishes(arguments)
        )
    else:
        found = default.current().estimate(*asked, **query.wishes(arguments))
    if arguments.format == "html":
        print(found.to_html(), end="")
    else:
        print(found.to_json() if arguments.format == "json" else found)
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
        answers = db.run_batch(
            texts,
            arguments.eps,
            arguments.delta,
            fresh=arguments.fresh,
            idempotency_key=arguments.idempotency_key,
            timeout=arguments.timeout,
            **query.wishes(arguments),
        )
        json = arguments.format == "json"
        made = [
            "".join(FORMATS[arguments.format](answer, False)).rstrip("\n") for answer in answers
        ]
        text = f"[{','.join(made)}]" if json else "\n\n".join(made)
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
        print(f"{len(answers)} answers, cost {answers.cost}; {db.budget}", file=sys.stderr)
    return exits.OK
