"""The functions of SQL that are models: what they take, and what makes rows of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from dpsql.models.clusters.specification import KMeans
from dpsql.models.factors.specification import MatrixFactorization
from dpsql.models.generalised.specification import LogisticRegression, PoissonRegression
from dpsql.models.linear.specification import LinearRegression
from dpsql.models.tables import Table, centres, coefficients, factors, leaves
from dpsql.models.trees.specification import DecisionTree
from dpsql.models.wanted import Specification

__all__ = ["FUNCTIONS", "Function", "Table"]


@dataclass(frozen=True, slots=True)
class Function:
    """A function that is a model.

    Attributes:
        wanted: makes its specification.
        arguments: the names of what it takes, in order; `features` is a list.
        table: what was fitted, as rows.
        grouped: whether there is a model for each group.
    """

    wanted: Callable[..., Specification[Any]]
    arguments: tuple[str, ...]
    table: Callable[[Any], Table]
    grouped: bool = True

    @property
    def options(self) -> tuple[str, ...]:
        """What it takes by name."""
        named = (f.name for f in fields(self.wanted) if f.init)  # type: ignore[arg-type]
        return tuple(name for name in named if name not in {*self.arguments, "by"})


FACTORS = Function(MatrixFactorization, ("rating", "user", "item"), factors, grouped=False)

FUNCTIONS: Mapping[str, Function] = {
    "dp_decision_tree": Function(DecisionTree, ("target", "features"), leaves, grouped=False),
    "dp_kmeans": Function(KMeans, ("features",), centres, grouped=False),
    "dp_linear_regression": Function(LinearRegression, ("target", "features"), coefficients),
    "dp_logistic_regression": Function(LogisticRegression, ("target", "features"), coefficients),
    "dp_matrix_factorisation": FACTORS,
    "dp_matrix_factorization": FACTORS,
    "dp_poisson_regression": Function(PoissonRegression, ("target", "features"), coefficients),
}
"""By their names in SQL."""
