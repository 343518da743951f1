"""What many queries cost together, before anything is read."""

from dpsql.report.workloads.pricing import Estimate

__all__ = ["Estimate"]
