"""Policies as something to read: what is odd about one, and a picture of it."""

from dpsql.report.policies.check import Check, Remarked

__all__ = ["Check", "Remarked"]
