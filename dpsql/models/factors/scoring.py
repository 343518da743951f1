"""How good factors are on private rows: each rating is predicted from the user's others."""

from __future__ import annotations

from dpsql.errors import InvalidArgument
from dpsql.models.columns import supervised
from dpsql.models.factors import factor_queries
from dpsql.models.factors.factor_queries import FARTHEST
from dpsql.models.factors.fitted import FactorModel
from dpsql.models.factors.ratings import Ratings
from dpsql.models.linear.scoring import Score, scored
from dpsql.models.model_queries import Asked, inner
from dpsql.models.querying import asked
from dpsql.models.wanted import How


def score(db: Asked, fitted: FactorModel, sql: str, how: How) -> Score:
    """See `Database.score`."""
    relation = inner(sql)
    columns = supervised(db, relation, fitted.model.rating, fitted.model)
    own = fitted._columns.target
    if (columns.target.centre, columns.target.half) != (own.centre, own.half):
        raise InvalidArgument("the rating has other bounds than those that it was fitted with")
    of = Ratings(relation, fitted.model, fitted._columns, fitted.items)
    answer = asked(db, relation, factor_queries.score(of, fitted.biases, fitted.factors), how)
    return scored(answer, of.half, FARTHEST * of.half)
