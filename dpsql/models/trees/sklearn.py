"""A tree as one of scikit-learn, which compares terms with numbers alone: x ≤ t.

A question for the first value of a text, which has no term, is asked as one after the other for all
other values: it is that where none of them is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dpsql.models.trees.bins import Split

if TYPE_CHECKING:
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    from dpsql.models.trees.fitted import Tree

LEAF, NOTHING = -1, -2
"""As scikit-learn marks what a leaf has not."""


def converted(tree: Tree) -> DecisionTreeClassifier | DecisionTreeRegressor:
    """See `Tree.to_sklearn`."""
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
    from sklearn.tree._tree import Tree as OfSklearn

    made = _Made(tree)
    made.add(0)
    terms = [term.name for term in tree._columns.terms]
    classes = len(tree.classes)
    inner = OfSklearn(len(terms), np.array([classes or 1], dtype=np.intp), 1)
    state = inner.__getstate__()
    nodes = np.zeros(len(made.rows), dtype=state["nodes"].dtype)
    for place, row in enumerate(made.rows):
        for name, value in row.items():
            nodes[place][name] = value
    values = np.array(made.values).reshape(len(nodes), 1, classes or 1)
    state.update(max_depth=made.depth, node_count=len(nodes), nodes=nodes, values=values)
    inner.__setstate__(state)
    found = DecisionTreeClassifier() if classes else DecisionTreeRegressor()
    found.tree_, found.n_features_in_, found.n_outputs_ = inner, len(terms), 1
    found.max_features_ = len(terms)
    found.feature_names_in_ = np.array(terms, dtype=object)
    if classes:
        found.classes_, found.n_classes_ = np.array(tree.classes), classes
    return found


class _Made:
    """The nodes so far."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.terms = {t.name: i for i, t in enumerate(tree._columns.terms)}
        self.rows: list[dict[str, Any]] = []
        self.values: list[Any] = []
        self.depth = 0

    def add(self, place: int, depth: int = 0) -> int:
        """A node and those below it; the place of it."""
        node = self.tree.nodes[place]
        if node.split is None or node.yes is None or node.no is None:
            return self._row(place, depth)
        asked = self._asked(node.split)
        if asked is not None:
            low, high = (node.yes, node.no) if asked[2] else (node.no, node.yes)
            return self._fork(place, depth, asked[:2], low, high)
        values = self.tree._columns.values[node.split.column][1:]
        terms = [t.name for t in self.tree._columns.by_column[node.split.column]]
        assert len(values) == len(terms)
        return self._none_of(place, depth, [self.terms[name] for name in terms])

    def _asked(self, split: Split) -> tuple[int, float, bool] | None:
        """The term, t, and whether x ≤ t is a yes; None where it has no term."""
        terms = self.tree._columns.by_column[split.column]
        if split.below is not None:
            (term,) = terms
            under = float(np.nextafter(float(split.below), -np.inf))
            at = under if term.grain is None else float(split.below - term.grain / 2)
            return self.terms[term.name], at, True
        values = self.tree._columns.values[split.column]
        place = values.index(split.value)
        return (self.terms[terms[place - 1].name], 0.5, False) if place else None

    def _fork(self, place: int, depth: int, asked: tuple[int, float], low: int, high: int) -> int:
        here = self._row(place, depth)
        self.rows[here] |= {"feature": asked[0], "threshold": asked[1]}
        self.rows[here]["left_child"] = self.add(low, depth + 1)
        self.rows[here]["right_child"] = self.add(high, depth + 1)
        return here

    def _none_of(self, place: int, depth: int, terms: list[int]) -> int:
        """Where a text has its first value: none of its terms is 1."""
        node = self.tree.nodes[place]
        assert node.yes is not None and node.no is not None
        if not terms:
            return self.add(node.yes, depth)
        here = self._row(place, depth)
        self.rows[here] |= {"feature": terms[0], "threshold": 0.5}
        self.rows[here]["left_child"] = self._none_of(place, depth + 1, terms[1:])
        self.rows[here]["right_child"] = self.add(node.no, depth + 1)
        return here

    def _row(self, place: int, depth: int) -> int:
        node = self.tree.nodes[place]
        self.depth = max(self.depth, depth)
        many = max(round(node.rows.value), 1)
        row = {"left_child": LEAF, "right_child": LEAF, "feature": NOTHING, "threshold": NOTHING}
        self.rows.append({**row, "n_node_samples": many, "weighted_n_node_samples": many})
        self.values.append(node.shares or [node.value])
        return len(self.rows) - 1
