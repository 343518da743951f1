"""From a compiled query to its explanation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache

from dpsql.accounting.account import Account
from dpsql.accounting.loss import Loss
from dpsql.compile import Compiled, PublicQuery, ReleasedQuery
from dpsql.errors import NotCalibrated
from dpsql.explanation.columns import measurements
from dpsql.explanation.explanation import Explanation
from dpsql.explanation.figures import QueryCost, float_up
from dpsql.explanation.measured import releases_of
from dpsql.explanation.savings import savings
from dpsql.explanation.standing import standing
from dpsql.explanation.totals import totals
from dpsql.explanation.tree import tree
from dpsql.target import Target, smallest


def explanation(
    compiled: Compiled,
    sql: Callable[[], tuple[str, ...]],
    again: Callable[[Fraction], Compiled] | None = None,
) -> Explanation:
    """The public view of a compiled query.

    Args:
        compiled: what was proven.
        sql: the statements that the engine will run.
        again: the query at another ε, if that is known.
    """
    schema, query = compiled.schema, compiled.query
    unit = schema.unit_table
    if schema.unit_column is not None:
        unit = f"{unit}.{schema.unit_column}"
    released = isinstance(query, ReleasedQuery) and bool(query.releases)

    def unknown(target: Target) -> float:
        raise NotCalibrated("only what `explain` gives knows the query at another ε")

    def other(eps: Fraction) -> Explanation:
        if again is None:
            raise NotCalibrated("only what `explain` gives knows the query at another ε")
        return explanation(again(eps), sql, again)

    releases = () if isinstance(query, PublicQuery) else releases_of(query)
    return Explanation(
        kind="released" if released else "public",
        cost=QueryCost(compiled.cost),
        releases=releases,
        neighbours=schema.neighbours,
        unit=unit,
        totals=totals(Counter(compiled.events), compiled.loss, schema.delta),
        saved=None if isinstance(query, PublicQuery) else savings(query, compiled.cost.eps),
        ledger=None,
        wanted=None,
        _statements=sql,
        _smallest=unknown,
        _tree=cache(lambda: tree(compiled, releases)),
        _at=other,
        _columns=cache(lambda: {} if isinstance(query, PublicQuery) else measurements(query)),
    )


def beforehand(
    explained: Explanation,
    account: Account,
    spent: Loss,
    again: Callable[[Fraction], Compiled],
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
        ledger=None if public else standing(account, spent, explained.totals.loss),
        _smallest=lambda target: float_up(smallest(again, target)),
        _at=lambda eps: explanation(again(eps), explained._statements, again),
    )
