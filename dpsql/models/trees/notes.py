"""What is to be known of a tree, beside its numbers: functions of noisy and public ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dpsql.models.linear.notes import USUAL_ROWS
from dpsql.models.trees.growing import Branch

if TYPE_CHECKING:
    from dpsql.models.trees.planning import Plan
    from dpsql.models.trees.saying import Node


def of_tree(made: Plan, tree: Branch, nodes: Sequence[Node]) -> Iterator[str]:
    """See above."""
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
