"""Policies as something to read: what is odd about one, and a picture of it."""

from dpsql.report.policies.check import Check, Remarked
from dpsql.report.policies.policy_document import PolicyPicture, ShownColumn, ShownTable

__all__ = ["Check", "PolicyPicture", "Remarked", "ShownColumn", "ShownTable"]
