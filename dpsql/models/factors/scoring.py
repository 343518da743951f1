"""How good factors are on private rows: each rating is predicted from the user's others."""

from __future__ import annotations

from dpsql.errors import InvalidArgument
from dpsql.models import querying
from dpsql.models.columns import supervised
from dpsql.models.factors import factor_queries
from dpsql.models.factors.factor_queries import FARTHEST
from dpsql.models.factors.fitted import FactorModel
from dpsql.models.factors.ratings import Ratings
from dpsql.models.linear.scoring import Score, scored
from dpsql.models.model_queries import Asked, inner
from dpsql.models.wanted import How


def score(db: Asked, fitted: FactorModel, sql: str, how: How) -> Score:
    """See `Database.score`."""
    relation = inner(sql)
    of = Ratings(relation, fitted.model, fitted._columns, fitted.items)
    text = factor_queries.score(of, fitted.biases, fitted.factors)
    if not querying.reads_public(db, relation, text, how):
        _check_bounds(db, relation, fitted)
    answer = querying.scored(db, relation, text, how)
    return scored(answer, of.half, FARTHEST * of.half)


def _check_bounds(db: Asked, relation: str, fitted: FactorModel) -> None:
    target = supervised(db, relation, fitted.model.rating, fitted.model).target
    own = fitted._columns.target
    if (target.centre, target.half) != (own.centre, own.half):
        raise InvalidArgument("the rating has other bounds than those that it was fitted with")
