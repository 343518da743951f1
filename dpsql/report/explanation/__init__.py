"""What is known about a query before anything is read: what it releases, costs and leaves."""

from dpsql.report.explanation.explanation import Explanation
from dpsql.report.explanation.measurement import Release
from dpsql.report.figures import QueryCost

__all__ = ["Explanation", "QueryCost", "Release"]
