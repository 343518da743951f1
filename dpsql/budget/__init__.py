"""What the owner sees of the account: how much is left, who spent it and on what."""

from dpsql.budget.caps import CapState
from dpsql.budget.line import Line
from dpsql.budget.state import Budget, Window

__all__ = ["Budget", "CapState", "Line", "Window"]
