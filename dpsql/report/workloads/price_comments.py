"""What comments of a query say of its price: `eps: 0.5`, `delta: 1e-6`. Every way in reads it here.

Which comments are looked at is each way's own: of a file those above a query, of a protocol whose
tools put their own query around the one that was written all that there are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from dpsql.core.account.amount import parse_delta, parse_eps, read
from dpsql.errors import InvalidBudget

# In time that grows with the comment, no faster: whoever writes one may make it long.
_AMOUNT = re.compile(r"\s*(eps|delta)\s*:(.*)", re.DOTALL | re.IGNORECASE)
_READ: Mapping[str, tuple[str, Callable[[object], Fraction]]] = {
    "eps": ("ε", parse_eps),
    "delta": ("δ", parse_delta),
}


def amount(name: str, text: str) -> Fraction:
    """An amount that somebody wrote, such as 0.2, 1e-6 or 1/3.

    Args:
        name: "eps" or "delta".
        text: of it.

    Raises:
        InvalidBudget: it is none.
    """
    letter, parse = _READ[name]
    return parse(read(text, letter))


def said(comments: Iterable[str], name: str) -> Fraction | None:
    """What comments say; None where they say nothing. Several may, where they say the same.

    Args:
        comments: without the marks around them.
        name: "eps" or "delta".

    Raises:
        InvalidBudget: what one says is none, or two say different ones: nobody is charged one of
            them by chance.
    """
    matches = (match for text in comments if (match := _AMOUNT.fullmatch(text)) is not None)
    found = {amount(name, match[2].strip()) for match in matches if match[1].lower() == name}
    if len(found) > 1:
        raise InvalidBudget(f"the comments of the query say two different {_READ[name][0]}")
    return next(iter(found), None)
