"""From a compiled query to its explanation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import NoReturn

from dpsql.compile import Compiled, PublicQuery, ReleasedQuery
from dpsql.core.account.account import Account
from dpsql.core.account.loss import Loss
from dpsql.errors import NotCalibrated
from dpsql.execution.certify import certificate
from dpsql.execution.target import Target, smallest, widths
from dpsql.once import Once
from dpsql.report.explanation.answer_tree import tree
from dpsql.report.explanation.computed import computed, measurements
from dpsql.report.explanation.explanation import Explanation, Smallest
from dpsql.report.explanation.outlook import outlook
from dpsql.report.explanation.releases import releases_of
from dpsql.report.explanation.savings import savings
from dpsql.report.explanation.totals import totals
from dpsql.report.figures import QueryCost, float_up

Again = Callable[[Fraction], Compiled]
"""A query at another ε."""


def explanation(
    compiled: Compiled,
    sql: Callable[[], tuple[str, ...]],
    again: Again | None = None,
) -> Explanation:
    """The public view of a compiled query.

    Args:
        compiled: what was proven.
        sql: the statements that the engine will run.
        again: the query at another ε, if that is known.
    """
    schema, query = compiled.schema, compiled.query
    released = isinstance(query, ReleasedQuery) and bool(query.releases)

    releases = () if isinstance(query, PublicQuery) else releases_of(query)
    return Explanation(
        kind="released" if released else "public",
        cost=QueryCost(compiled.cost),
        releases=releases,
        computed=() if isinstance(query, PublicQuery) else computed(query, releases),
        neighbours=schema.neighbours,
        unit=schema.unit,
        totals=totals(Counter(compiled.events), compiled.loss, schema.delta),
        saved=None if isinstance(query, PublicQuery) else savings(query, compiled.cost.eps),
        ledger=None,
        wanted=None,
        _statements=sql,
        _smallest=_unknown,
        _tree=Once(tree, compiled, releases),
        _at=_unknown if again is None else partial(_other, again, sql),
        _columns=Once(_measured, query),
        _certificate=Once(certificate, compiled),
    )


def _unknown(_: object) -> NoReturn:
    raise NotCalibrated("only what `explain` gives knows the query at another ε")


def _other(again: Again, sql: Callable[[], tuple[str, ...]], eps: Fraction) -> Explanation:
    return explanation(again(eps), sql, again)


def _measured(query: PublicQuery | ReleasedQuery) -> Mapping[str, tuple[int, ...]]:
    return {} if isinstance(query, PublicQuery) else measurements(query)


def _least(again: Again, target: Target) -> Smallest:
    eps = smallest(again, target)
    return float_up(eps), widths(again(eps), target.confidence) if eps else {}


def beforehand(
    explained: Explanation,
    account: Account,
    spent: Loss,
    again: Again,
) -> Explanation:
    """The same for who has not run the query yet.

    Args:
        explained: the query at its ε.
        account: that would be charged.
        spent: of the account.
        again: the query at another ε, for what is wanted `within` an error.
    """
    public = explained.kind == "public"
    return replace(
        explained,
        ledger=None if public else outlook(account, spent, explained.totals.loss),
        _smallest=partial(_least, again),
        _at=partial(_other, again, explained._statements),
    )
