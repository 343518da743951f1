"""What a query does with its noisy releases: post-processing, where nothing else can be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dpsql.compile import ReleasedQuery
from dpsql.core.account.loss import NOTHING, Loss
from dpsql.execution.accuracy import Accuracy, accuracy
from dpsql.execution.chosen import chosen
from dpsql.execution.loaded import CONFIDENCE, given_table
from dpsql.execution.noise import NoisyRelease
from dpsql.platform.engine.protocol import Workspace


@dataclass(frozen=True, slots=True)
class Reused:
    """Which stored answer is given again.

    Attributes:
        number: of the line of the ledger that paid for it.
        kind: "resumed", where an earlier charge paid for new noise, since none was drawn for it;
            "retry" of the same request; "repeat" of the same numbers; "subset" of its groups; or
            sums of them: a "total" of all groups, a "rollup" into coarser ones.
    """

    number: int
    kind: Literal["resumed", "retry", "repeat", "subset", "total", "rollup"]


@dataclass(frozen=True, slots=True)
class Rows:
    """The answer's rows and the 95 % half-widths beside them.

    Attributes:
        charged: to the ledger for this answer.
        reused: the stored answer that it was made from, at no cost; None where noise was drawn.
        accuracy: what the half-widths are made of; None where all is public.
    """

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: list[tuple[object, ...]]
    intervals: list[tuple[float | None, ...]]
    charged: Loss = NOTHING
    reused: Reused | None = None
    accuracy: Accuracy | None = None


def post_process(query: ReleasedQuery, released: list[NoisyRelease], scratch: Workspace) -> Rows:
    """Do what the query does with its releases, and find each number's half-width."""
    answer = chosen(query, released)
    if answer is None:
        given = [given_table(query, number, noisy) for number, noisy in enumerate(released)]
        answer = scratch.run(query.post_sql, given=given)
    shown = len(query.names)
    rows = [row[:shown] for row in answer.rows]
    known = accuracy(query, released, answer.rows, scratch)
    return Rows(query.names, answer.types[:shown], rows, half_widths(known), accuracy=known)


def half_widths(known: Accuracy) -> list[tuple[float | None, ...]]:
    """The 95 % half-width of each number of an answer."""
    columns = [known.widths(i, CONFIDENCE) for i in range(len(known.noisy))]
    return list(zip(*columns, strict=True))


def intervals(
    query: ReleasedQuery, released: NoisyRelease, rows: list[tuple[object, ...]]
) -> list[tuple[float | None, ...]]:
    """The same, of the rows of the traced plan with its extra columns."""
    return half_widths(accuracy(query, [released], rows))
