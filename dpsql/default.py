"""The default database of `dpsql.run` and `dpsql.explain`, so that one line answers a query.

In this order: the database given to `dpsql.use`; DPSQL_DATABASE with DPSQL_POLICY; the file
./dpsql.yaml, which names both; the embedded demo. Which one it is, is said once on stderr.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Unpack

import yaml

from dpsql.core.calibrate.options import Amount, Wishes
from dpsql.errors import PolicyError
from dpsql.execution.boundary import typed
from dpsql.platform.engine.urls import is_served, is_server, shown
from dpsql.report.explanation import Explanation
from dpsql.report.result import Answer, Batch
from dpsql.report.workloads import Estimate
from dpsql.report.workloads.workload import Workload
from dpsql.session import costs as without_data
from dpsql.session.connect import connect
from dpsql.session.database import Database
from dpsql.session.policies import PolicyLike

_current: Database | None = None


def use(database: Database | None) -> None:
    """Make `database` the default of `dpsql.run` and `dpsql.explain`; None forgets it."""
    global _current
    _current = database


@typed
def run(
    sql: str,
    eps: Amount,
    delta: Amount = None,
    *,
    fresh: bool = False,
    idempotency_key: str | None = None,
    timeout: float | None = None,
    **wishes: Unpack[Wishes],
) -> Answer:
    """Answer a query on the default database; see `Database.run`."""
    asked = current()
    return asked.run(
        sql,
        eps,
        delta,
        fresh=fresh,
        idempotency_key=idempotency_key,
        timeout=timeout,
        **wishes,
    )


@typed
def run_batch(
    queries: Workload,
    eps: Amount = None,
    delta: Amount = None,
    *,
    fresh: bool = False,
    idempotency_key: str | None = None,
    timeout: float | None = None,
    **wishes: Unpack[Wishes],
) -> Batch:
    """Answer queries together on the default database; see `Database.run_batch`."""
    asked = current()
    return asked.run_batch(
        queries,
        eps,
        delta,
        fresh=fresh,
        idempotency_key=idempotency_key,
        timeout=timeout,
        **wishes,
    )


@typed
def explain(
    sql: str,
    eps: Amount = 1,
    delta: Amount = None,
    *,
    policy: PolicyLike | None = None,
    **wishes: Unpack[Wishes],
) -> Explanation:
    """What a query would release and cost: on the default database, or under `policy` alone."""
    if policy is not None:
        return without_data.explain(sql, eps, policy, delta, **wishes)
    return current().explain(sql, eps, delta, **wishes)


@typed
def estimate(
    queries: Workload,
    policy: PolicyLike | None = None,
    *,
    eps: Amount = 1,
    delta: Amount = None,
    size: Mapping[str, float] | float | None = None,
    **wishes: Unpack[Wishes],
) -> Estimate:
    """What many queries would cost together: under `policy` alone, or on the default database.

    See `Database.estimate`.
    """
    if policy is not None:
        return without_data.estimate(queries, policy, eps, delta, size=size, **wishes)
    return current().estimate(queries, eps, delta, size=size, **wishes)


@typed
def current() -> Database:
    """The default database, opened at first use.

    Raises:
        PolicyError: what the environment or ./dpsql.yaml names cannot be opened.
    """
    global _current
    if _current is None:
        _current, which = find()
        print(f"dpsql: using {which}", file=sys.stderr)
    return _current


def find() -> tuple[Database, str]:
    """The database that the surroundings name, and which one it is."""
    found = named()
    if found is not None:
        data, policy, which = found
        return connect(data, policy), which
    from dpsql import demo

    return demo.database(), "the embedded demo"


def named() -> tuple[str, str | None, str] | None:
    """The data and the policy that the surroundings name, and which they are; None for the demo.
    A server has its policy itself.

    Raises:
        PolicyError: only one of the two is named, or ./dpsql.yaml cannot be read.
    """
    data, policy = os.environ.get("DPSQL_DATABASE"), os.environ.get("DPSQL_POLICY")
    if is_served(data) and not policy:
        return str(data), None, f"{shown(str(data))} (from DPSQL_DATABASE)"
    if data or policy:
        if not data or not policy:
            raise PolicyError("set both DPSQL_DATABASE and DPSQL_POLICY, or neither")
        return data, policy, f"{shown(data)} (from DPSQL_DATABASE)"
    local = Path("dpsql.yaml")
    if not local.exists():
        return None
    data, policy = _named(local)
    return data, policy, f"{shown(data)} (from dpsql.yaml)"


def on_a_server() -> bool:
    """Whether the default database is a dpsql server's."""
    found = named()
    return found is not None and found[1] is None


def _named(file: Path) -> tuple[str, str]:
    """The `database` and the `policy` that a dpsql.yaml names, relative to itself."""
    try:
        content = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        content = None
    wanted = {"database", "policy"}
    if (
        not isinstance(content, dict)
        or set(content) != wanted
        or not all(isinstance(v, str) for v in content.values())
    ):
        raise PolicyError("needs the two keys database and policy, each a path", file=str(file))
    folder = file.resolve().parent
    data = content["database"]
    return data if is_server(data) else str(folder / data), str(folder / content["policy"])
