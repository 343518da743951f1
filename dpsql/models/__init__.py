"""Models that are fitted to private rows, and whose parameters are noisy.

model = dpsql.models.LinearRegression("income", ["age", "married"])
fitted = db.fit("SELECT age, married, income FROM people", model, eps=1)
print(fitted)
"""

from dpsql.models.before import FitExplanation, FitStep, Statistic
from dpsql.models.estimates import Estimate
from dpsql.models.factors.fitted import FactorModel
from dpsql.models.factors.specification import MatrixFactorization
from dpsql.models.linear.fitted import LinearModel, LinearModels
from dpsql.models.linear.scoring import Score
from dpsql.models.linear.specification import LinearRegression

__all__ = [
    "Estimate",
    "FactorModel",
    "FitExplanation",
    "FitStep",
    "LinearModel",
    "LinearModels",
    "LinearRegression",
    "MatrixFactorization",
    "Score",
    "Statistic",
]
