"""`dpsql batch`: files of queries, declared together and answered for one charge."""

from __future__ import annotations

import sys
from argparse import Namespace

from dpsql.cli import estimate, exits, query
from dpsql.formats import FORMATS


def batch(arguments: Namespace) -> int:
    """The noisy answers, in order."""
    data, files = estimate.sorted_words(arguments)
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
