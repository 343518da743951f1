"""To fit clusters: the course of queries, each asked with its share of ε."""

from __future__ import annotations

import math

from dpsql.models.clusters.course import Heard, course
from dpsql.models.clusters.fitted import Cluster, KMeansModel
from dpsql.models.clusters.moving import Moved
from dpsql.models.clusters.notes import notes
from dpsql.models.clusters.specification import KMeans
from dpsql.models.columns import Columns, columns_of
from dpsql.models.estimates import Estimate
from dpsql.models.model_queries import Asked, inner
from dpsql.models.noise_law import of_answer
from dpsql.models.querying import asked
from dpsql.models.spread import RUNS, seeded
from dpsql.models.wanted import How
from dpsql.report.result import Answer


def fit(db: Asked, sql: str, model: KMeans, how: How) -> KMeansModel:
    """See `Database.fit`."""
    relation = inner(sql)
    columns = columns_of(db, relation, model)
    every = course(relation, columns, model, how)
    answers: list[Answer] = []
    query = next(every)
    while True:
        answer = asked(db, relation, query.sql, query.how, query.wishes)
        answers.append(answer)
        law = of_answer(answer, query.keys)
        noise = law.drawn(RUNS, seeded(query.sql, law.scales.tolist()))
        try:
            query = every.send(Heard(answer.rows, noise, law.deviation(0) / math.sqrt(2)))
        except StopIteration as end:
            return _fitted(model, columns, how, end.value, tuple(answers))


def _fitted(
    model: KMeans, columns: Columns, how: How, found: Moved, answers: tuple[Answer, ...]
) -> KMeansModel:
    made = []
    for number, centre in enumerate(found.centres):
        places: dict[str, Estimate] = {}
        for term, z, off in zip(columns.terms, centre, found.noise[number], strict=True):
            noise = None if number in found.hidden else float(off * float(term.half))
            places[term.name] = Estimate(float(term.centre) + float(term.half) * float(z), noise)
        size = Estimate(float(found.counts[number]), found.counts_noise)
        made.append(Cluster(number, places, size))
    return KMeansModel(
        model=model,
        clusters=tuple(made),
        inertia=Estimate(found.inertia, found.inertia_noise)
        if found.inertia > found.inertia_noise
        else None,
        notes=tuple(notes(found, how)),
        answers=answers,
        _columns=columns,
        _centres=found.centres,
        _furthest=found.furthest,
    )
