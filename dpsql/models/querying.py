"""To run a model's query, and to explain it: what is rejected is shown in the analyst's own."""

from __future__ import annotations

from dataclasses import replace

from dpsql.core.account.amount import MIN_EPS, parse_eps
from dpsql.core.calibrate.options import Question, Wishes
from dpsql.models.columns import is_public, released
from dpsql.models.model_queries import Asked, shown_in
from dpsql.models.wanted import How
from dpsql.report.explanation import Explanation
from dpsql.report.result import Answer


def asked(db: Asked, relation: str, sql: str, how: How, wishes: Wishes | None = None) -> Answer:
    """The answer.

    Args:
        db: asked.
        relation: the analyst's query, which is a part of `sql`.
        sql: the model's.
        how, wishes: it is asked so; the wishes are `how.wishes` where none are given.

    Raises:
        Rejected, InvalidBudget, BudgetExceeded, EngineError: see `Database.run`.
        InvalidArgument: it reads no private row.
    """
    own = how.wishes if wishes is None else wishes
    with shown_in(relation, sql):
        released(db.explain(sql, how.eps, how.delta, **own))
        return db.run(sql, how.eps, how.delta, fresh=how.fresh, **own)


def scored(db: Asked, relation: str, sql: str, how: How) -> Answer:
    """The same of a query that scores a model: of public rows, too, which are free and exact.

    Claim: that tells nothing of private rows. Why: the model is a constant of the text by then, and
    the database itself decides whether a text reads public tables alone.
    """
    if not reads_public(db, relation, sql, how):
        return asked(db, relation, sql, how)
    with shown_in(relation, sql):
        return db.run(sql, how.eps, how.delta, fresh=how.fresh, **how.wishes)


def reads_public(db: Asked, relation: str, sql: str, how: How) -> bool:
    """Whether it reads no private row; see `asked`."""
    with shown_in(relation, sql):
        return is_public(db.explain(sql, how.eps, how.delta, **how.wishes))


def explained(
    db: Asked, relation: str, sql: str, how: How, wishes: Wishes | None = None
) -> Explanation:
    """Why it is private and what it costs; see `asked`.

    Raises:
        Rejected, InvalidBudget, EngineError: see `Database.explain`.
        InvalidArgument: it reads no private row.
    """
    own = how.wishes if wishes is None else wishes
    with shown_in(relation, sql):
        found = db.explain(sql, how.eps, how.delta, **own)
        released(found)
    return found


def accepted(
    db: Asked, relation: str, sql: str, how: How, wishes: Wishes | None = None, *, room: int = 1
) -> Question:
    """A query that may follow others, once it is accepted, also with noise so many times as wide;
    see `explained`.
    """
    eps = max(parse_eps(how.eps) / room, MIN_EPS)
    explained(db, relation, sql, how if room == 1 else replace(how, eps=eps), wishes)
    return how.question(sql, wishes)
