"""The queries of a tree.

Claim: those of a level cost no more than their L1 of d, the number of features, however many leaves
and bins there are. Why: a row is in one leaf, and in one bin of each feature; it is read d times,
once for each, and dpsql counts that by itself.

A query for each feature, with a d-th of the ε, has the same Laplace noise; so have GROUPING SETS,
which Gaussian noise would suit better: of 12 features its half-width is a fifth less. But how much
noise an answer has is then not known where a stored one is given again, and splits depend on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from dpsql.core.account.amount import parse_eps
from dpsql.models.columns import Labelled, Supervised, targeted
from dpsql.models.literals import cases, quoted
from dpsql.models.model_queries import Asked, inner
from dpsql.models.trees.bins import Binned, binned
from dpsql.models.trees.growing import Branch
from dpsql.models.trees.specification import MOST_DEPTH, DecisionTree
from dpsql.models.trees.splits import Channels
from dpsql.models.wanted import How

Array = NDArray[np.float64]

LEAVES = 0.25
"""The part of ε for what the leaves say; the rest is for the levels, in equal parts."""

MOST_LEAVES = 2**MOST_DEPTH

DRAWS, FEWEST, MOST = 1000, 100, 2_000_000
"""Of the noise of a level: what splits would gain of it. Fewer where these are too many numbers."""

LOOK = 20_000_000
"""A look at a leaf takes as long as so many products of numbers, beside those that it makes."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a tree is asked for.

    Attributes:
        model: what is wanted.
        columns: what is public of the relation.
        features: the same, in bins.
        relation: the analyst's query.
        hows: how each level is asked for, and last the leaves.
    """

    model: DecisionTree
    columns: Supervised | Labelled
    features: tuple[Binned, ...]
    relation: str
    hows: tuple[How, ...]

    @property
    def eps(self) -> float:
        """Of all queries together."""
        return float(sum(parse_eps(how.eps) for how in self.hows))

    @property
    def classes(self) -> int:
        """How many; 0 where the target is a number."""
        return len(self.columns.classes) if isinstance(self.columns, Labelled) else 0

    @property
    def bins(self) -> int:
        """How many, of all features together."""
        return sum(one.size for one in self.features)

    @property
    def wide(self) -> int:
        """How many numbers there are of a cell: its classes, or its rows and their sum."""
        return self.classes or 2

    @property
    def draws(self) -> int:
        """Of the noise of a level."""
        return min(DRAWS, max(FEWEST, MOST // (self.bins * self.wide)))

    @property
    def work(self) -> int:
        """About how many products the splits of all leaves are made of, if all are split."""
        looks = (1 << self.model.depth) - 1
        return looks * (LOOK + self.draws * self.wide * self.bins**2)

    @property
    def sums(self) -> tuple[str, ...]:
        """The names of the columns that are counted or summed."""
        return ("n",) if self.classes else ("n", "y")

    @property
    def channels(self) -> Channels:
        """What they are."""
        if self.classes:
            return Channels(np.ones(self.wide), np.eye(self.wide))
        return Channels(np.array([1.0, 0.0]), np.array([[0.0, 1.0]]))

    @property
    def root(self) -> Branch:
        """A tree of one leaf."""
        return Branch(frozenset(range(self.bins)))

    def level(self, tree: Branch, number: int) -> str:
        """The query of a level: cells of each leaf so far.

        Leaves have other numbers in each level: where nothing was split, the next level is another
        query, and not one that was answered before.
        """
        places = ", ".join(f"({place})" for place in range(len(self.features)))
        bins = [f"b{place}" for place in range(len(self.features))]
        each = " ".join(f"WHEN {place} THEN {name}" for place, name in enumerate(bins))
        made = [f"{one.sql} AS {name}" for one, name in zip(self.features, bins, strict=True)]
        rows = f"{self._rows(tree, number, made)} AS r CROSS JOIN (VALUES {places}) AS v(f)"
        return self._counted(f"(SELECT leaf, CASE f {each} END AS bin, y FROM {rows})", "leaf, bin")

    def last(self, tree: Branch) -> str:
        """The query of the leaves: what they say."""
        return self._counted(self._rows(tree, self.model.depth, []), "leaf")

    def _counted(self, rows: str, keys: str) -> str:
        keys = f"{keys}, y" if self.classes else keys
        sums = "COUNT(*) AS n" if self.classes else "COUNT(*) AS n, SUM(y) AS y"
        return f"SELECT {keys}, {sums}\nFROM {rows} AS cells\nGROUP BY {keys}"

    def _rows(self, tree: Branch, number: int, more: Sequence[str]) -> str:
        leaves = map(str, count(number * MOST_LEAVES))
        shown = [f"{tree.sql(leaves)} AS leaf", *more, f"{self._target} AS y"]
        return (
            f"(SELECT {', '.join(shown)}\nFROM (\n{self.relation}\n) AS r\n"
            f"WHERE {' AND '.join(self.columns.conditions)})"
        )

    @property
    def _target(self) -> str:
        if not isinstance(self.columns, Labelled):
            return self.columns.target.centred
        numbers = [(value, str(i)) for i, value in enumerate(self.columns.classes)]
        return cases(quoted(self.columns.label), numbers)


def plan(db: Asked, sql: str, model: DecisionTree, how: How) -> Plan:
    """The queries for a tree. No private row is read.

    Raises:
        Rejected, InvalidArgument, InvalidBudget: see `columns_of` and `How.shared`.
    """
    relation = inner(sql)
    columns = targeted(db, relation, model.target, model, model.classes)
    shares = [*[(1 - LEAVES) / model.depth] * model.depth, LEAVES]
    return Plan(model, columns, binned(columns, model.bins), relation, how.shared(shares))
