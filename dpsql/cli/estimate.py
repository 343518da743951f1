"""`dpsql estimate`: what a whole workload would cost."""

from __future__ import annotations

from argparse import Namespace

from dpsql import default, without_data
from dpsql.cli import exits, query


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
