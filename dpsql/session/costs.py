"""What queries would cost under a policy, with no data at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Unpack

from dpsql.compile import Compiled, compile_query, engine_sql
from dpsql.core.account.amount import parse_eps
from dpsql.core.account.loss import NOTHING
from dpsql.core.calibrate.options import Amount, Wishes, options, usual_delta
from dpsql.core.schema import Schema
from dpsql.execution.boundary import typed
from dpsql.front.clock import instant
from dpsql.once import Once
from dpsql.platform.policy import resolve
from dpsql.report.explanation import Explanation
from dpsql.report.explanation.explanation import beforehand, explanation
from dpsql.report.workloads import Estimate
from dpsql.report.workloads.pricing import estimate as estimated
from dpsql.report.workloads.workload import Workload, workload
from dpsql.session.policies import PolicyLike, account, load_policy


@typed
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
    at = partial(compiled_at, schema, sql, delta, wishes)
    compiled = at(parse_eps(eps))
    explained = explanation(compiled, Once(engine_sql, compiled))
    _ = explained.certificate  # what would not be run is not explained
    return beforehand(explained, account(loaded, schema), NOTHING, at)


@typed
def estimate(
    queries: Workload,
    policy: PolicyLike,
    eps: Amount = 1,
    delta: Amount = None,
    *,
    size: Mapping[str, float] | float | None = None,
    **wishes: Unpack[Wishes],
) -> Estimate:
    """What many queries would cost together under a policy, with no data at all.

    Raises:
        InvalidBudget, PolicyError, UnknownDialect.
    """
    loaded = load_policy(policy)
    schema = resolve(loaded, None, None)
    parts = workload(queries, wishes.get("dialect", "duckdb"))
    return estimated(
        parts,
        parse_eps(eps),
        lambda sql, exact: compiled_at(schema, sql, delta, wishes, exact),
        account(loaded, schema),
        NOTHING,
        size,
    )


def compiled_at(schema: Schema, sql: str, delta: Amount, wishes: Wishes, eps: Fraction) -> Compiled:
    """A query at an ε. Explanations keep a partial of it: so it is given no database.

    Raises:
        Rejected, InvalidBudget, UnknownDialect.
    """
    chosen, dialect = options(usual_delta(eps, delta, schema), **wishes)
    return compile_query(sql, schema, eps, dialect, replace(chosen, at=instant(sql)))
