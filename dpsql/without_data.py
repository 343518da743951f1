"""What queries would cost under a policy, with no data at all."""

from __future__ import annotations

from fractions import Fraction
from typing import Unpack

from dpsql.accounting.amount import parse_eps
from dpsql.accounting.loss import NOTHING
from dpsql.compile import Compiled, compile_query, engine_sql
from dpsql.declared import PolicyLike, account, load_policy
from dpsql.explanation import Explanation
from dpsql.explanation.explaining import beforehand, explanation
from dpsql.options import Amount, Wishes, options, usual_delta
from dpsql.policy import resolve
from dpsql.workloads import Estimate
from dpsql.workloads.estimate import estimate as estimated
from dpsql.workloads.workload import Workload, workload


def explain(
    sql: str,
    eps: Amount,
    policy: PolicyLike,
    delta: Amount = None,
    **wishes: Unpack[Wishes],
) -> Explanation:
    """What a query would release and cost under a policy, with no data at all.

    Raises:
        Rejected, InvalidBudget, PolicyError, UnknownDialect.
    """
    loaded = load_policy(policy)
    schema = resolve(loaded, None, None)

    def at(other: Fraction) -> Compiled:
        chosen, dialect = options(usual_delta(other, delta, schema), **wishes)
        return compile_query(sql, schema, other, dialect, chosen)

    compiled = at(parse_eps(eps))
    explained = explanation(compiled, lambda: engine_sql(compiled))
    return beforehand(explained, account(loaded, schema), NOTHING, at)


def estimate(
    queries: Workload,
    policy: PolicyLike,
    eps: Amount = 1,
    delta: Amount = None,
    **wishes: Unpack[Wishes],
) -> Estimate:
    """What many queries would cost together under a policy, with no data at all.

    Raises:
        InvalidBudget, PolicyError, UnknownDialect.
    """
    loaded = load_policy(policy)
    schema = resolve(loaded, None, None)

    def compiled(sql: str, exact: Fraction) -> Compiled:
        chosen, dialect = options(usual_delta(exact, delta, schema), **wishes)
        return compile_query(sql, schema, exact, dialect, chosen)

    parts = workload(queries, wishes.get("dialect", "duckdb"))
    return estimated(parts, parse_eps(eps), compiled, account(loaded, schema), NOTHING)
