"""What a statement asks, and at which price: a comment in it, else a header, else the server's."""

from __future__ import annotations

from fractions import Fraction

from dpsql.errors import InvalidArgument
from dpsql.front.dialects import dialect_of
from dpsql.front.tokens import MAX_CHARACTERS
from dpsql.report.workloads.price_comments import amount, said
from dpsql.serve.flight.callers import Caller

EPS, DATA, INTERVALS = "x-dpsql-eps", "x-dpsql-data", "x-dpsql-intervals"
"""Headers of a call: ε, the name of the data set, whether half-widths are columns."""

HOW = (
    "this query needs an ε: write /* eps: 0.2 */ into it, or give the header x-dpsql-eps (ADBC: "
    "adbc.flight.sql.rpc.call_header.x-dpsql-eps)"
)


def price_of(
    sql: str, caller: Caller, default: Fraction | None
) -> tuple[Fraction | None, Fraction | None]:
    """The ε and the δ that are meant; None where none is said.

    A tool may put its own query around the one that was written, so that a comment counts wherever
    it stands.

    Raises:
        InvalidBudget: what is said is none, or two comments do not say the same.
    """
    try:
        tokens = dialect_of("duckdb").tokenize(sql) if len(sql) <= MAX_CHARACTERS else []
    except Exception:  # what a tokenizer cannot read is rejected when it is explained
        tokens = []
    comments = [text for token in tokens for text in token.comments]
    eps, delta, header = said(comments, "eps"), said(comments, "delta"), caller.said(EPS)
    if eps is None:
        eps = default if header is None else amount("eps", header)
    return eps, delta


def intervals_of(caller: Caller) -> bool:
    """Whether each noisy number is followed by the ends of its interval.

    Raises:
        InvalidArgument: it is neither said so nor otherwise.
    """
    wanted = (caller.said(INTERVALS) or "false").lower()
    if wanted not in ("true", "false"):
        raise InvalidArgument(f"the header {INTERVALS} is true or false")
    return wanted == "true"
