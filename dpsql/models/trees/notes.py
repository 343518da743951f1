"""What is to be known of a tree, beside its numbers: functions of noisy and public ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dpsql.models.trees.growing import Branch

if TYPE_CHECKING:
    from dpsql.models.trees.asking import Plan
    from dpsql.models.trees.saying import Node


def of_tree(made: Plan, tree: Branch, nodes: Sequence[Node]) -> Iterator[str]:
    """See above."""
    eps = sum(float(how.eps) for how in made.hows)
    if nodes[0].hidden:
        yield (
            f"ε = {eps:.3g} is too small: noise hides even how many rows there are; `explain_fit` "
            "says for a size how large it is"
        )
        return
    found = tree.hidden
    if tree.split is None and found is not None:
        would = ""
        if found.gain > 0:  # what noise makes is in proportion to 1/ε²
            would = f"; the best is {found.split}, which about ε = {_up(eps, found.least / found.gain)} would tell"
        yield f"noise hides every split{would}"
        return
    leaves = list(tree.leaves())
    unsure = [leaf for leaf in leaves if leaf.hidden is not None]
    if unsure:
        yield (
            f"{len(unsure)} of {len(leaves)} leaves are left as they are, since noise hides whether "
            "a split of them is one"
        )
    lost = sum(node.hidden for node in nodes)
    if lost:
        yield (
            f"{lost} nodes have fewer rows than noise may make: they say what the node above says"
        )


def _up(eps: float, times: float) -> str:
    """About that, in two digits, and not less."""
    return f"{eps * times**0.5 * 1.05:.2g}"
