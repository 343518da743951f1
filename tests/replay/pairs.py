"""Neighbouring databases for a query, and what its run shows of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from random import Random

from dpsql.audit.databases import Maker
from dpsql.report.result import Answer
from dpsql.session.database import Database as Session
from tests.replay.tape import Tape, recorded
from tests.support.answers import home
from tests.support.databases import Database
from tests.support.grammar import EPS, Case
from tests.support.neighbours import worlds
from tests.support.policies import load
from tests.support.unwatched import unwatched


def pairs(policy: str, sql: str, seed: int = 1) -> Iterator[tuple[Database, Database]]:
    """Neighbours that differ as much as any of a drawn database."""
    loaded, maker = load(policy), Maker(load(policy).schema, sql, Random(seed))
    while True:
        drawn = {low: tuple(rows) for low, rows in maker.draw().tables.items()}
        every, known = worlds(drawn, loaded)
        if known:
            a, b = max(known, key=lambda pair: _apart(every[pair[0]], every[pair[1]]))
            yield every[a], every[b]


def _apart(one: Database, other: Database) -> int:
    """How many rows are in one of the two alone."""
    return sum(len(set(one[low]) ^ set(other[low])) for low in one)


def shown(answer: Answer) -> tuple[object, ...]:
    """Everything that an answer says."""
    made = answer.accuracy and [getattr(answer.accuracy, f.name) for f in fields(answer.accuracy)]
    told = (answer.columns, answer.types, answer.rows, answer.intervals, made)
    return (*told, answer.cost, answer.reused, answer.explanation.to_dict())


def tapes(case: Case, one: Database, other: Database, **wishes: object) -> tuple[Tape, Tape]:
    """The run of a case on a database; and on its neighbour, where the same is released."""

    def ask(session: Session) -> object:
        # With a key of the request, so that what is stored of the answer is written down as well.
        found = session.run(case.query, EPS, idempotency_key="again", **wishes)  # type: ignore[arg-type]
        return shown(found)

    held = home(case.policy)
    with unwatched():
        held.session.explain(case.query, EPS, **wishes)  # which counts public groups, once
        held.fill(one)
        first = recorded(held.session, ask)
        held.fill(other)
        return first, recorded(held.session, ask, first)
