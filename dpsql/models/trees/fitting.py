"""To fit a tree: a query for each level, and one of the leaves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpsql.models.model_queries import Asked
from dpsql.models.noise_law import of_answer
from dpsql.models.querying import asked
from dpsql.models.spread import RUNS, seeded
from dpsql.models.trees.fitted import Tree
from dpsql.models.trees.planning import MOST_LEAVES, Plan, plan
from dpsql.models.trees.saying import said
from dpsql.models.trees.specification import DecisionTree
from dpsql.models.wanted import How
from dpsql.report.result import Answer

Array = NDArray[np.float64]


def fit(db: Asked, sql: str, model: DecisionTree, how: How) -> Tree:
    """See `Database.fit`."""
    made = plan(db, sql, model, how)
    tree, answers = made.root, list[Answer]()
    for number, own in enumerate(made.hows[:-1]):
        answer = asked(db, made.relation, made.level(tree, number), own)
        leaves = list(tree.leaves())
        cells = _cells(made, answer, (len(leaves), made.bins))
        noise = _noise(made, answer, (made.draws, made.bins), cells)
        for leaf, found in zip(leaves, cells, strict=True):
            leaf.look(found, noise, made.features, made.channels)
        answers.append(answer)
    answers.append(asked(db, made.relation, made.last(tree), made.hows[-1]))
    leaves = list(tree.leaves())
    cells = _cells(made, answers[-1], (len(leaves),))
    noise = _noise(made, answers[-1], (RUNS, len(leaves)), cells)
    nodes, notes = said(made, tree, cells, noise)
    return Tree(model, nodes, notes, tuple(answers), made.columns)


def _cells(made: Plan, answer: Answer, shape: tuple[int, ...]) -> Array:
    """The numbers of each cell: of a leaf, or of a leaf and a bin."""
    found = np.zeros((*shape, made.wide))
    for place, values in _places(made, answer):
        found[place] = values
    return found


def _places(made: Plan, answer: Answer) -> Iterator[tuple[tuple[int, ...], Any]]:
    """Of each row where it belongs; a row without a key has noise alone."""
    keys = len(answer.columns) - len(made.sums)
    for row in answer.rows:
        if all(key is not None for key in row[:keys]):
            values = [float(value or 0) for value in row[keys:]]
            leaf, *bins = map(int, row[:keys])
            yield (leaf % MOST_LEAVES, *bins), values[0] if made.classes else values


def _noise(made: Plan, answer: Answer, shape: tuple[int, int], told: Array) -> Array:
    """Draws (first) of the noise of the numbers (third) of so many cells (second)."""
    law = of_answer(answer, len(answer.columns) - len(made.sums))
    each = made.classes or 1
    drawn = law.drawn(shape[0] * shape[1] * each, seeded(told.tolist(), law.scales.tolist()))
    return drawn.reshape(*shape, made.wide)
