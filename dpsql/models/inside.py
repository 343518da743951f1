"""Models inside of queries: dp_predict('name', …) in a text is written out as the model's SQL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from dpsql.errors import InvalidArgument
from dpsql.front.predictions import Foretold, expanded
from dpsql.models.wanted import Specification


class Predicts(Protocol):
    """A fitted model of any kind but factors, of which a user's ratings are needed."""

    @property
    def model(self) -> Specification[object]:
        """What was wanted."""

    def to_sql(self) -> str:
        """What it says of a row."""


def with_models(sql: str, models: Mapping[str, Predicts]) -> str:
    """A query with what models say of its rows, as one that any way of asking takes.

    `dp_predict('pay', p.age, p.woman)` is what the model `pay` says of a row with these features,
    in their order, with the columns of `by` after them; `dp_predict('pay')` takes the columns that
    are called as in the query that it was fitted to. In place of it stands `to_sql()`: its bounds
    follow from those of what is in it, and all is proven as of any query.

    Args:
        sql: one query, in DuckDB's SQL.
        models: what `fit` gave, by the names that stand in the query; case matters not.

    Returns:
        The query, for `run`, `explain` and all else.

    Raises:
        Rejected: DP205, a model that is not given, or another number of arguments.
        InvalidArgument: no text, or no model that can stand in a query.
    """
    if not isinstance(sql, str):
        raise InvalidArgument(f"a query is a text, not a {type(sql).__name__}")
    given: dict[str, Foretold] = {}
    for name, model in models.items():
        wanted = getattr(model, "model", None)
        if not isinstance(wanted, Specification) or not wanted.features:
            raise InvalidArgument(f"{name} is no model that says something of a row by itself")
        given[name] = Foretold(model.to_sql(), (*wanted.features, *wanted.by))
    return expanded(sql, given)
