"""What the nodes of a tree say, from the noisy cells of its leaves.

What a node above says is the sum of its leaves: that has less noise than what its level told, since
a leaf is counted once, and in a level each row is counted for each feature. A leaf with fewer rows
than noise may make says what the node above it says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpsql.models.columns import Labelled
from dpsql.models.estimates import Estimate
from dpsql.models.linear.notes import USUAL_ROWS
from dpsql.models.spread import half_width
from dpsql.models.trees.bins import Split
from dpsql.models.trees.growing import Branch
from dpsql.models.trees.planning import Plan
from dpsql.report.forms import Plain
from dpsql.types import Scalar

if TYPE_CHECKING:
    from dpsql.models.trees.planning import Plan


Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Node(Plain):
    """A leaf, or a question.

    Attributes:
        depth: how many questions come before.
        split: the question; None of a leaf.
        yes, no: the places of what follows, in `Tree.nodes`; None of a leaf.
        gain: of the split, in squares of the target's unit: how much it takes away of the sum of
            squares around the mean; of classes, of rows times the Gini impurity.
        rows: how many there are.
        counts: how many there are of each class; empty where the target is a number.
        value: the most frequent class, or the mean.
        shares: what is foretold of each class; empty where the target is a number.
        error: the 95 % half-width of the noise of the mean, or of the share of the class `value`;
            None where it is hidden.
        hidden: whether noise hides its rows, so that it says what the node above says.
    """

    depth: int
    split: Split | None
    yes: int | None
    no: int | None
    gain: float
    rows: Estimate
    counts: dict[Scalar, Estimate]
    value: Scalar | float
    shares: tuple[float, ...]
    error: float | None
    hidden: bool


def said(
    made: Plan, tree: Branch, cells: Array, noise: Array
) -> tuple[tuple[Node, ...], tuple[str, ...]]:
    """The nodes of a tree, each before those that follow from it; and what is to be known of them.

    Args:
        made: how it was asked for.
        tree: it.
        cells: of each leaf (first) its numbers (second).
        noise: draws (first) of what they may be off.
    """
    nodes: list[Node] = []
    _Saying(made, cells, noise, nodes).add(tree, iter(range(len(cells))), None)
    return tuple(nodes), tuple(of_tree(made, tree, nodes))


@dataclass(frozen=True, slots=True)
class _Saying:
    made: Plan
    cells: Array
    noise: Array
    nodes: list[Node]

    def add(self, branch: Branch, leaves: Iterator[int], above: Node | None) -> None:
        """A node, and those below it."""
        own = [next(leaves) for _ in branch.leaves()]
        first = len(self.nodes)
        node = self._node(branch, own, above)
        self.nodes.append(node)
        if branch.split is None:
            return
        places = iter(own)
        starts = []
        for side in branch.sides:
            starts.append(len(self.nodes))
            self.add(side, places, node)
        self.nodes[first] = replace(node, yes=starts[0], no=starts[1])

    def _node(self, branch: Branch, own: list[int], above: Node | None) -> Node:
        total, off = self.cells[own].sum(axis=0), self.noise[:, own].sum(axis=1)
        channels = self.made.channels
        rows, moved = float(total @ channels.rows), off @ channels.rows
        wide = half_width(moved)
        hidden = rows <= max(wide, 0.5)
        counts: dict[Scalar, Estimate] = {}
        if isinstance(self.made.columns, Labelled):
            each = zip(self.made.columns.classes, total, off.T, strict=True)
            counts = {c: Estimate(float(n), half_width(o)) for c, n, o in each}
        value, shares, error = self._value(total, off, rows, moved)
        if hidden and above is not None:
            value, shares = above.value, above.shares
        return Node(
            depth=branch.depth,
            split=branch.split,
            yes=None,
            no=None,
            gain=branch.gain,
            rows=Estimate(rows, wide),
            counts=counts,
            value=value,
            shares=shares,
            error=None if hidden else error,
            hidden=hidden,
        )

    def _value(
        self, total: Array, off: Array, rows: float, moved: Array
    ) -> tuple[Scalar | float, tuple[float, ...], float]:
        """What is said, the shares, and what that is off by, to first order."""
        columns, most = self.made.columns, max(rows, 0.5)
        if isinstance(columns, Labelled):
            up = np.maximum(total, 0)
            shares = up / up.sum() if up.sum() else np.full(len(up), 1 / len(up))
            place = int(np.argmax(shares))
            error = half_width((off[:, place] - shares[place] * moved) / most)
            return columns.classes[place], tuple(map(float, shares)), error
        half, centre = float(columns.target.half), float(columns.target.centre)
        mean = float(np.clip(total[1] / most, -half, half))
        return centre + mean, (), half_width((off[:, 1] - mean * moved) / most)


def of_tree(made: Plan, tree: Branch, nodes: Sequence[Node]) -> Iterator[str]:
    """What is to be known of a tree, beside its numbers: functions of noisy and public ones."""
    eps = made.eps
    if nodes[0].hidden:
        noise = nodes[0].rows.noise
        assert noise is not None
        would = f"{eps * noise / USUAL_ROWS * 2**made.model.depth * 1.05:.2g}"
        yield (
            f"ε = {eps:.3g} is too small: noise hides even how many rows there are; about ε = "
            f"{would} would show how many of {USUAL_ROWS:,} are in each leaf"
        )
        return
    found = tree.hidden
    if tree.split is None:
        would = ""
        if found is not None and found.gain > 0:  # what noise makes is in proportion to 1/ε²
            least = _up(eps, found.least / found.gain)
            would = f"; the best is {found.split}, which about ε = {least} would tell"
        yield f"no split is seen: noise hides it, or there is none{would}"
        return
    leaves = list(tree.leaves())
    unsure = sum(leaf.hidden is not None and leaf.hidden.gain > 0 for leaf in leaves)
    if unsure:
        yield f"noise hides whether and how to split leaves further: {unsure} of {len(leaves)}"
    lost = sum(node.hidden for node in nodes)
    if lost:
        yield f"noise hides the rows of nodes, which say what the node above says: {lost}"


def _up(eps: float, times: float) -> str:
    """About that, in two digits, and not less."""
    return f"{eps * times**0.5 * 1.05:.2g}"
