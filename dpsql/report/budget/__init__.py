"""What the owner sees of the account: how much is left, who spent it and on what."""

from dpsql.report.budget.balance import Budget, BudgetWindow
from dpsql.report.budget.caps import CapState
from dpsql.report.budget.line import LedgerLine

__all__ = ["Budget", "BudgetWindow", "CapState", "LedgerLine"]
