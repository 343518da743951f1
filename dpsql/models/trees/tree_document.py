"""A tree as a document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dpsql.models.documents import shown
from dpsql.report.document import ColumnHead, Document, Listing, Said
from dpsql.report.figures import marked

if TYPE_CHECKING:
    from dpsql.models.trees.fitted import Tree
    from dpsql.models.trees.saying import Node
    from dpsql.models.trees.scoring import Confusion


def tree(found: Tree) -> Document:
    """A tree, drawn as lines."""
    notes = [Said(note, aside=True) for note in found.notes]
    what = "its share" if found.classes else "the mean"
    last = Said(f"({found.model.target}, {found.cost}; ± is the noise of {what}, 95 %)")
    weight = [f"{name} {part:.0%}" for name, part in found.importance.items()]
    parts = [Said(f"importance: {', '.join(weight)}")] if weight else []
    return Document(
        f"A decision tree of {found.model.target}",
        (*_lines(found, 0, ""), *parts, *notes, last),
    )


def _lines(found: Tree, place: int, before: str) -> Iterator[Said]:
    """A node and those below it, indented."""
    node = found.nodes[place]
    if node.split is None or node.yes is None or node.no is None:
        yield Said(f"{before}{_leaf(node)}", node.depth)
        return
    if not node.depth:
        yield Said(f"all {shown(node.rows)} rows")
    for answer, side in ((f"{node.split}", node.yes), (f"not {node.split}", node.no)):
        after = found.nodes[side]
        if after.split is None:
            yield Said(f"{answer}: {_leaf(after)}", node.depth + 1)
        else:
            yield Said(f"{answer}: {shown(after.rows)} rows", node.depth + 1)
            yield from _lines(found, side, "")


def _leaf(node: Node) -> str:
    rows = f"of {shown(node.rows)} rows"
    value = max(node.shares) if node.shares else float(node.value)  # type: ignore[arg-type]
    number = "".join(marked(value, node.error, True))
    said = f"{node.value} {number}" if node.shares else number
    return f"{said} {rows}{' (as above)' if node.hidden else ''}"


def confusion(found: Confusion) -> Document:
    """How good a tree is at classes."""
    heads = [ColumnHead(f"said {value}", number=True) for value in found.classes]
    rows = [
        (f"is {actual}", *(shown(found.counts[actual, said]) for said in found.classes))
        for actual in found.classes
    ]
    right = "lost in noise" if found.accuracy is None else shown(found.accuracy)
    told = Said(f"rows {shown(found.rows)}, accuracy {right} ({found.cost})")
    return Document("A score", (Listing((ColumnHead(""), *heads), tuple(rows)), told))
