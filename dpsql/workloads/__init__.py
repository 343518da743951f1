"""What many queries cost together, before anything is read."""

from dpsql.workloads.estimate import Estimate

__all__ = ["Estimate"]
