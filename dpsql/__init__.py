"""Plain SQL in, proven differential privacy out.

import dpsql
db = dpsql.connect("shop.duckdb", policy="shop.yaml")
print(db.explain("SELECT region, COUNT(*) FROM customers GROUP BY region", eps=0.5))
answer = db.run("SELECT region, COUNT(*) FROM customers GROUP BY region", eps=0.5)
"""

import typing

from dpsql.default import estimate, explain, run, run_batch, use
from dpsql.errors import (
    AccessDenied,
    AnalystLocked,
    BudgetExceeded,
    Diagnostic,
    DpsqlError,
    EngineError,
    InternalError,
    InvalidArgument,
    InvalidBudget,
    LedgerTampered,
    LimitExceeded,
    NotCalibrated,
    PolicyError,
    RateExceeded,
    Rejected,
    RequestExists,
    Span,
    UnknownDialect,
)
from dpsql.platform.policy import Policy
from dpsql.report.budget import Budget
from dpsql.report.explanation import Explanation, Release
from dpsql.report.figures import QueryCost
from dpsql.report.policies import Check
from dpsql.report.result import Answer, Batch
from dpsql.report.workloads import Estimate
from dpsql.session.connect import connect
from dpsql.session.database import Database
from dpsql.session.for_owners import check, verify
from dpsql.session.prepare import prepare

__all__ = [
    "AccessDenied",
    "AnalystLocked",
    "Answer",
    "Batch",
    "Budget",
    "BudgetExceeded",
    "Check",
    "Database",
    "Diagnostic",
    "DpsqlError",
    "EngineError",
    "Estimate",
    "Explanation",
    "InternalError",
    "InvalidArgument",
    "InvalidBudget",
    "LedgerTampered",
    "LimitExceeded",
    "NotCalibrated",
    "Policy",
    "PolicyError",
    "QueryCost",
    "RateExceeded",
    "Rejected",
    "Release",
    "RequestExists",
    "Span",
    "UnknownDialect",
    "check",
    "connect",
    "estimate",
    "explain",
    "prepare",
    "run",
    "run_batch",
    "use",
    "verify",
]


def __getattr__(name: str) -> typing.Any:
    """`dpsql.audit` and `dpsql.models`, which are imported when they are first named: the one is
    for the owner alone, and not everybody fits a model.
    """
    if name not in ("audit", "models"):
        raise AttributeError(f"module 'dpsql' has no attribute {name!r}")
    from importlib import import_module

    return import_module(f"dpsql.{name}")


def load_ipython_extension(shell: object) -> None:
    """What `%load_ext dpsql` calls: adds the magics `%dpsql` and `%%dpsql`."""
    from dpsql.notebook.magics import load

    load(shell)


def unload_ipython_extension(shell: object) -> None:
    """What `%unload_ext dpsql` calls: takes the magics away."""
    from dpsql.notebook.magics import unload

    unload(shell)
