"""Models that are fitted to private rows, and whose parameters are noisy.

model = dpsql.models.LinearRegression("income", ["age", "married"])
fitted = db.fit("SELECT age, married, income FROM people", model, eps=1)
print(fitted)
"""

from dpsql.models.before import FitExplanation, FitStep, Statistic
from dpsql.models.clusters.fitted import Cluster, KMeansModel
from dpsql.models.clusters.scoring import ClusterScore
from dpsql.models.clusters.specification import KMeans
from dpsql.models.estimates import Estimate
from dpsql.models.linear.fitted import LinearModel, LinearModels
from dpsql.models.linear.scoring import Score
from dpsql.models.linear.specification import LinearRegression

__all__ = [
    "Cluster",
    "ClusterScore",
    "Estimate",
    "FitExplanation",
    "FitStep",
    "KMeans",
    "KMeansModel",
    "LinearModel",
    "LinearModels",
    "LinearRegression",
    "Score",
    "Statistic",
]
