"""What holds of the rows of a leaf: the questions on the way to it, as SQL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dpsql.models.trees.bins import Split

if TYPE_CHECKING:
    from dpsql.models.trees.saying import Node

Answers = tuple[tuple[Split, bool], ...]


def ways(nodes: Sequence[Node], place: int = 0, above: Answers = ()) -> Iterator[Answers]:
    """To each leaf below a node, in order: what is asked, and answered.

    Args:
        nodes: of the tree.
        place: of the node.
        above: what was asked before.
    """
    node = nodes[place]
    if node.split is None or node.yes is None or node.no is None:
        yield above
        return
    yield from ways(nodes, node.yes, (*above, (node.split, True)))
    yield from ways(nodes, node.no, (*above, (node.split, False)))


def condition(way: Answers) -> str:
    """What holds of the rows of a leaf.

    What others imply is left out: of bounds the last one is the tightest, since nothing is asked
    whose answer is known; and what is equal to a value is not another one.
    """
    found: dict[tuple[object, ...], str] = {}
    equal = {split.column for split, yes in way if yes and split.below is None}
    for split, yes in way:
        if split.below is not None:
            found[split.column, yes] = split.sql if yes else split.otherwise
        elif yes:
            found[split.column, split.value] = split.sql
        elif split.column not in equal:
            found[split.column, split.value] = split.otherwise
    return " AND ".join(found.values()) or "TRUE"
