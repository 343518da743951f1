"""Models that are fitted to private rows, and whose parameters are noisy.

model = dpsql.models.LinearRegression("income", ["age", "married"])
fitted = db.fit("SELECT age, married, income FROM people", model, eps=1)
print(fitted)
"""

from dpsql.models.clusters.fitted import Cluster, KMeansModel
from dpsql.models.clusters.scoring import ClusterScore
from dpsql.models.clusters.specification import KMeans
from dpsql.models.estimates import Estimate
from dpsql.models.factors.fitted import FactorModel
from dpsql.models.factors.specification import MatrixFactorization
from dpsql.models.forecasts import FitExplanation, FitStep, Statistic
from dpsql.models.generalised.fitted import (
    LogisticModel,
    LogisticModels,
    PoissonModel,
    PoissonModels,
)
from dpsql.models.generalised.scoring import LogisticScore
from dpsql.models.generalised.specification import LogisticRegression, PoissonRegression
from dpsql.models.inside import with_models
from dpsql.models.linear.fitted import LinearModel, LinearModels
from dpsql.models.linear.scoring import Score
from dpsql.models.linear.specification import LinearRegression
from dpsql.models.trees.bins import Split
from dpsql.models.trees.fitted import Tree
from dpsql.models.trees.saying import Node
from dpsql.models.trees.scoring import Confusion
from dpsql.models.trees.specification import DecisionTree

__all__ = [
    "Cluster",
    "ClusterScore",
    "Confusion",
    "DecisionTree",
    "Estimate",
    "FactorModel",
    "FitExplanation",
    "FitStep",
    "KMeans",
    "KMeansModel",
    "LinearModel",
    "LinearModels",
    "LinearRegression",
    "LogisticModel",
    "LogisticModels",
    "LogisticRegression",
    "LogisticScore",
    "MatrixFactorization",
    "Node",
    "PoissonModel",
    "PoissonModels",
    "PoissonRegression",
    "Score",
    "Split",
    "Statistic",
    "Tree",
    "with_models",
]
