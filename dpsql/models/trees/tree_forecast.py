"""What a tree would cost, and how far off it would be, before a private row is read."""

from __future__ import annotations

from dpsql.core.calibrate.options import Ways
from dpsql.models.forecasts import FitExplanation, step
from dpsql.models.model_queries import Asked
from dpsql.models.noise_law import planned
from dpsql.models.querying import accepted, explained
from dpsql.models.spread import RUNS, half_width, seeded
from dpsql.models.trees.planning import Plan, plan
from dpsql.models.trees.specification import DecisionTree
from dpsql.models.wanted import How
from dpsql.report.explanation import Explanation


def explain_fit(
    db: Asked, sql: str, model: DecisionTree, how: How, size: float | None
) -> FitExplanation:
    """See `Database.explain_fit`."""
    made = plan(db, sql, model, how)
    level, last = made.level(made.root, 0), made.last(made.root)
    first = explained(db, made.relation, level, made.hows[0])
    second = explained(db, made.relation, last, made.hows[-1])
    keys = 1 if made.classes else 0
    steps = (
        step("a level", level, first, made.sums, keys + 2, model.depth),
        step("what leaves say", last, second, made.sums, keys + 1),
    )
    expected = {} if size is None else _expected(made, second, size)
    title = f"a decision tree of {model.target}"
    notes = () if size is None else (_hidden(made, size, expected),)
    return FitExplanation(model, title, steps, expected, notes, made.work)


def ways(db: Asked, sql: str, model: DecisionTree, how: How) -> Ways:
    """The queries of a fit, of a tree of which all leaves are split at each level: no other has
    more of them.
    """
    made = plan(db, sql, model, how)
    tree, found = made.root, []
    for number, own in enumerate(made.hows[:-1]):
        found.append(accepted(db, made.relation, made.level(tree, number), own))
        for leaf in list(tree.leaves()):
            leaf.halve(made.features)
    return [[*found, accepted(db, made.relation, made.last(tree), made.hows[-1])]]


def _expected(made: Plan, explained: Explanation, size: float) -> dict[str, float]:
    """The half-widths where all leaves have as many rows."""
    law = planned(explained, 2 if made.classes else 1)
    off = law.drawn(RUNS * (made.classes or 1), seeded(explained.sql, size)).reshape(RUNS, -1)
    many = 2**made.model.depth
    rows = size / many
    counted = off.sum(axis=1) if made.classes else off[:, 0]
    found = {f"rows of one of {many} leaves": half_width(counted)}
    if made.classes:
        found["share of a class there"] = half_width(off[:, 0] - counted / 2) / rows
    else:
        found["mean there"] = half_width(off[:, 1]) / rows
    return found


def _hidden(made: Plan, size: float, expected: dict[str, float]) -> str:
    rows, wide = size / 2**made.model.depth, next(iter(expected.values()))
    if rows > wide:
        return f"with {size:,.0f} rows a leaf has about {rows:,.0f}"
    eps = made.eps
    return (
        f"ε = {eps:.3g} is too small for so many leaves of {size:,.0f} rows: a smaller depth, or "
        f"about ε = {eps * wide / rows * 1.05:.2g}, would do"
    )
