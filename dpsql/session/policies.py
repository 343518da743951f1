"""The policy that is meant, and what it says of the budget."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import timedelta
from fractions import Fraction

from dpsql.core.account.account import Account, Cap, Rate
from dpsql.core.account.amount import Cost
from dpsql.core.schema import Schema
from dpsql.platform.ledger.opening import URLS
from dpsql.platform.policy import Policy
from dpsql.platform.policy.data_identity import identity, rivals
from dpsql.platform.policy.files import named

GRACE = timedelta(minutes=5)
"""A query that has no answer so long after its deadline will have none."""

PolicyLike = Policy | Mapping[str, object] | str | os.PathLike[str]
"""A policy, its content as a mapping, its YAML text (of several lines), or its file."""


def load_policy(policy: PolicyLike) -> Policy:
    """The policy that is meant.

    Raises:
        PolicyError: it cannot be read, or is none.
    """
    if isinstance(policy, Policy):
        return policy
    if isinstance(policy, Mapping):
        return Policy.from_mapping(policy)
    if isinstance(policy, str) and "\n" in policy:
        return Policy.parse(policy)
    return Policy.load(named(policy, "the policy"))


def account(policy: Policy, schema: Schema, where: object = None) -> Account:
    """What the owner decided about the budget, and which data set it is for.

    Args:
        policy: what the owner declares.
        schema: the same with what the catalog says.
        where: the ledger. One on a server holds many data sets, and there is no file to tell them
            by: a table more would be another data set, with a budget of its own. So there the
            owner names it.

    Raises:
        PolicyError: a ledger on a server, and no name.
    """
    budget = policy.budget
    if isinstance(where, str) and where.startswith(URLS) and budget.account is None:
        message = "a ledger on a server holds many data sets: name this one, such as account: shop"
        raise policy.error(message, "budget")
    period = None if policy.time is None else policy.time.period
    caps = tuple(
        Cap(
            name,
            Cost(cap.eps, budget.delta if cap.delta is None else cap.delta),
            frozenset(cap.members),
        )
        for name, cap in budget.caps.items()
    )
    return Account(
        total=Cost(budget.eps, budget.delta),
        accountant=budget.accountant or "approx",
        identity=identity(schema, budget.account, period),
        caps=caps,
        window=budget.renews,
        rivals=rivals(schema, budget.account, period),
        min_eps=budget.min_eps or Fraction(0),
        rate=None if budget.rate is None else Rate(*budget.rate),
        failures=schema.limits.failures,
        longest=timedelta(seconds=schema.limits.seconds) + GRACE,
    )
