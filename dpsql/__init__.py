"""Plain SQL in, proven differential privacy out.

import dpsql
db = dpsql.connect("shop.duckdb", policy="shop.yaml")
print(db.explain("SELECT region, COUNT(*) FROM customers GROUP BY region", eps=0.5))
answer = db.run("SELECT region, COUNT(*) FROM customers GROUP BY region", eps=0.5)
"""

from dpsql.default import explain, run, use
from dpsql.errors import (
    BudgetExceeded,
    Diagnostic,
    DpsqlError,
    EngineError,
    InvalidBudget,
    NotCalibrated,
    PolicyError,
    Rejected,
    Span,
    UnknownDialect,
)
from dpsql.explanation import Explanation, QueryCost, Release
from dpsql.policy import Policy
from dpsql.result import Answer
from dpsql.session import Budget, Database, connect

__all__ = [
    "Answer",
    "Budget",
    "BudgetExceeded",
    "Database",
    "Diagnostic",
    "DpsqlError",
    "EngineError",
    "Explanation",
    "InvalidBudget",
    "NotCalibrated",
    "Policy",
    "PolicyError",
    "QueryCost",
    "Rejected",
    "Release",
    "Span",
    "UnknownDialect",
    "connect",
    "explain",
    "run",
    "use",
]
