"""What is known about a query before anything is read: what it releases, costs and leaves."""

from dpsql.explanation.explanation import Explanation, Release
from dpsql.explanation.figures import QueryCost

__all__ = ["Explanation", "QueryCost", "Release"]
