"""Keys of requests: callers' own, and those of the queries that one answer is made of.

Claim: the key of a part is no caller's key, nor that of another request's part. Why: it ends as
`PART` says, and a caller's key that does is refused; what stands before the end is the request's
own key, and what is in it which part it is.
"""

from __future__ import annotations

import re

from dpsql.errors import InvalidArgument
from dpsql.platform.ledger.ledger import LONGEST

PART = re.compile(r" \(part [0-9]+\)\Z")
MOST_PARTS = 99


def callers(key: object) -> str | None:
    """A key that a caller may choose, or none.

    Raises:
        InvalidArgument: it is no text, or one that a part may have.
    """
    if key is None or (isinstance(key, str) and key and not PART.search(key)):
        return key
    if isinstance(key, str) and key:
        raise InvalidArgument(
            'an idempotency key does not end in " (part N)", as those do that dpsql gives itself'
        )
    raise InvalidArgument("an idempotency key is a text of the caller's choice")


def of_part(key: str, number: int) -> str:
    """The key of a query of several under one key: the first has that key itself.

    Raises:
        InvalidArgument: the key is so long that the last one could have none.
    """
    most = LONGEST - len(f" (part {MOST_PARTS})")
    if len(key) > most:
        raise InvalidArgument(f"the idempotency key of a model has at most {most} characters")
    return key if number == 1 else f"{key} (part {number})"
