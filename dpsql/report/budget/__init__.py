"""What the owner sees of the account: how much is left, who spent it and on what."""

from dpsql.report.budget.caps import CapState
from dpsql.report.budget.line import Line
from dpsql.report.budget.state import Budget, Window

__all__ = ["Budget", "CapState", "Line", "Window"]
