"""Models that are fitted to private rows, and whose parameters are noisy.

model = dpsql.models.LinearRegression("income", ["age", "married"])
fitted = db.fit("SELECT age, married, income FROM people", model, eps=1)
print(fitted)
"""

from dpsql.models.before import FitExplanation, FitStep, Statistic
from dpsql.models.estimates import Estimate
from dpsql.models.generalised.fitted import (
    LogisticModel,
    LogisticModels,
    PoissonModel,
    PoissonModels,
)
from dpsql.models.generalised.scoring import LogisticScore
from dpsql.models.generalised.specification import LogisticRegression, PoissonRegression
from dpsql.models.linear.fitted import LinearModel, LinearModels
from dpsql.models.linear.scoring import Score
from dpsql.models.linear.specification import LinearRegression

__all__ = [
    "Estimate",
    "FitExplanation",
    "FitStep",
    "LinearModel",
    "LinearModels",
    "LinearRegression",
    "LogisticModel",
    "LogisticModels",
    "LogisticRegression",
    "LogisticScore",
    "PoissonModel",
    "PoissonModels",
    "PoissonRegression",
    "Score",
    "Statistic",
]
