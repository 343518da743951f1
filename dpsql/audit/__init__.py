"""For owners and reviewers: what is measured without noise, and what an audit finds. All of it is
private; none of it is part of an answer, and nothing is charged."""

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
