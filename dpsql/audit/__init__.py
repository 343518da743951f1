"""For owners and reviewers: what is measured without noise, and whether a query keeps its claims.

What these functions return is private. They are not part of any query's answer and charge nothing.
"""

from __future__ import annotations

from dpsql.audit.checking import check, check_compiled
from dpsql.audit.estimate import Estimate, Histogram
from dpsql.audit.measured import ExactMeasure, Observed, exact, sensitivity
from dpsql.audit.report import Checked, Report

__all__ = [
    "Checked",
    "Estimate",
    "ExactMeasure",
    "Histogram",
    "Observed",
    "Report",
    "check",
    "check_compiled",
    "exact",
    "sensitivity",
]
