"""What models ask of a database: ordinary queries around the analyst's own.

Claim: a model costs what its query costs, and tells no more. Why: all that is known of the rows
comes by `run`, which proves, charges and adds noise; the rest is computed from its answer and from
public facts (post-processing; Dwork and Roth 2014, proposition 2.1).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Protocol, Unpack

from dpsql.core.calibrate.options import Amount, Noise, Ways, Wishes
from dpsql.errors import Diagnostic, InvalidArgument, Rejected, Span
from dpsql.report.explanation import Explanation
from dpsql.report.result import Answer

__all__ = ["Asked", "Noise", "elsewhere", "inner", "shown_in"]


class Asked(Protocol):
    """A database, here or on a server."""

    def explain(
        self, sql: str, eps: Amount = 1, delta: Amount = None, **wishes: Unpack[Wishes]
    ) -> Explanation:
        """See `Database.explain`."""

    def run(
        self,
        sql: str,
        eps: Amount,
        delta: Amount = None,
        *,
        fresh: bool = False,
        then: Ways = (),
        **wishes: Unpack[Wishes],
    ) -> Answer:
        """See `Database.run`."""


def inner(sql: str) -> str:
    """The analyst's query as one that can stand in brackets.

    Raises:
        InvalidArgument: it is no text.
    """
    if not isinstance(sql, str):
        raise InvalidArgument(f"a query is a text, not a {type(sql).__name__}")
    return sql.rstrip().rstrip(";").rstrip()


@contextmanager
def shown_in(sql: str, asked: str) -> Iterator[None]:
    """What is rejected of `asked` is shown where it stands in `sql`, which is a part of it; what
    stands elsewhere, in what was put around it, is quoted. What is of another text stays as it is.
    """
    problem: Rejected | None = None
    try:
        yield
    except Rejected as rejected:
        if rejected.text not in asked:
            raise
        problem = rejected
    if problem is None:
        return
    start = asked.index(sql)
    own = []
    for found in problem.diagnostics:
        span = found.span
        if span is not None and not span.view and start <= span.start <= start + len(sql):
            inside = Span(span.start - start, min(span.end - start, len(sql)))
            own.append(replace(found, span=inside))
        else:
            own.append(elsewhere(found, asked))
    raise Rejected(tuple(own), sql)


def elsewhere(found: Diagnostic, text: str) -> Diagnostic:
    """A problem of a text that is not shown: the place is quoted."""
    span = found.span
    if span is None or span.view:
        return found
    return replace(found, message=f"{found.message}: {text[span.start : span.end]}", span=None)
