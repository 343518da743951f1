"""What a statement asks, and at which ε: a comment in it, else a header, else the server's."""

from __future__ import annotations

import re
from fractions import Fraction

from dpsql.core.account.amount import parse_eps, read
from dpsql.errors import InvalidArgument, InvalidBudget
from dpsql.front.dialects import dialect_of
from dpsql.front.parse import MAX_CHARACTERS
from dpsql.serve.flight.callers import Caller

EPS, DATA, INTERVALS = "x-dpsql-eps", "x-dpsql-data", "x-dpsql-intervals"
"""Headers of a call: ε, the name of the data set, whether half-widths are columns."""

HOW = (
    "this query needs an ε: write /* eps: 0.2 */ into it, or give the header x-dpsql-eps (ADBC: "
    "adbc.flight.sql.rpc.call_header.x-dpsql-eps)"
)
TWO = "the comments of this query say two different ε"

_COMMENT = re.compile(r"\s*eps\s*:\s*(.*?)\s*", re.DOTALL)


def eps_of(sql: str, caller: Caller, default: Fraction | None) -> Fraction | None:
    """The ε that is meant; None where none is said.

    A tool may put its own query around the one that was written, so that a comment counts wherever
    it stands.

    Raises:
        InvalidBudget: what is said is none, or two comments do not say the same.
    """
    try:
        tokens = dialect_of("duckdb").tokenize(sql) if len(sql) <= MAX_CHARACTERS else []
    except Exception:  # what a tokenizer cannot read is rejected when it is explained
        tokens = []
    matches = (_COMMENT.fullmatch(text) for token in tokens for text in token.comments)
    found = {_amount(match[1]) for match in matches if match is not None}
    if len(found) > 1:
        raise InvalidBudget(TWO)
    if found:
        return found.pop()
    said = caller.said(EPS)
    return default if said is None else _amount(said)


def intervals_of(caller: Caller) -> bool:
    """Whether each noisy number is followed by the ends of its interval.

    Raises:
        InvalidArgument: it is neither said so nor otherwise.
    """
    said = (caller.said(INTERVALS) or "false").lower()
    if said not in ("true", "false"):
        raise InvalidArgument(f"the header {INTERVALS} is true or false")
    return said == "true"


def _amount(text: str) -> Fraction:
    return parse_eps(read(text, "ε"))
