"""Models that are fitted to private rows, and whose parameters are noisy.

model = dpsql.models.LinearRegression("income", ["age", "married"])
fitted = db.fit("SELECT age, married, income FROM people", model, eps=1)
print(fitted)
"""

from dpsql.models.before import FitExplanation, Statistic
from dpsql.models.fitted import Estimate, LinearModel, LinearModels
from dpsql.models.scoring import Score
from dpsql.models.specification import LinearRegression

__all__ = [
    "Estimate",
    "FitExplanation",
    "LinearModel",
    "LinearModels",
    "LinearRegression",
    "Score",
    "Statistic",
]
