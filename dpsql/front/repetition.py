"""How much a query is to analyse, told from its syntax tree before anything else looks at it.

The engine's own parser writes `CASE x WHEN 1 … WHEN 2 …` as `CASE WHEN x = 1 … WHEN x = 2 …`, with
a copy of x for each branch, and its binder NULLIF(a, b) with two of a: nested, that doubles with
each level, and thirty levels fill any memory.

The automata of one pattern (`functions.regex_states`) take time in proportion to the square of its
positions: milliseconds for what people write, a tenth of a second at the limit of 128.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from sqlglot import exp

from dpsql.core.functions.regex_states import MAX_POSITIONS
from dpsql.errors import Diagnostic, Rejected

MAX_COPIES = 15_000
"""Nodes of the syntax tree that are copies."""

MAX_SQUARES = 250_000
"""Of the positions of all different patterns: fifteen of the largest, a thousand of sixteen."""

_NODES = (
    exp.RegexpLike,
    exp.RegexpILike,
    exp.RegexpFullMatch,
    exp.RegexpExtract,
    exp.RegexpReplace,
    exp.SimilarTo,
)
_COUNT = re.compile(r"[{,]([0-9]{1,4})")


def check_copies(nodes: Sequence[exp.Expr]) -> None:
    """Refuse a query that becomes too large where parts of it are copied.

    Args:
        nodes: of a tree, each after its parent.

    Raises:
        Rejected: DP103.
    """
    sizes: dict[int, int] = {}
    copies = 0
    for node in reversed(nodes):
        size = 1 + sizes.pop(id(node), 0)
        if copies > MAX_COPIES:
            message = "the query is too large with the copies that CASE x WHEN …, NULLIF(x, …) and "
            message += "x BETWEEN … make of x"
            raise Rejected(Diagnostic("DP103", message, None, "name x in a subquery"))
        above, times = node.parent, 1
        if node.arg_key == "this" and isinstance(above, exp.Case):
            times = max(1, len(above.args["ifs"]))
        elif node.arg_key == "this" and isinstance(above, exp.Nullif | exp.Between):
            times = 2
        copies += (times - 1) * (1 if isinstance(node, exp.Column) else size)
        sizes[id(above)] = sizes.get(id(above), 0) + times * size


def check_patterns(nodes: Iterable[exp.Expr]) -> None:
    """Refuse more regular expressions than can be looked at in a second or two.

    Args:
        nodes: of a query.

    Raises:
        Rejected: DP103.
    """
    found = {
        (node.__class__, str(node.args.get("flag")), _text(node.args.get("expression")))
        for node in nodes
        if isinstance(node, _NODES)
    }
    squares = sum(_positions(text) ** 2 for _, _, text in found)
    if squares > MAX_SQUARES:
        message = f"{len(found):,} different regular expressions are too many for their length"
        help = "use fewer or shorter ones, or LIKE"
        raise Rejected(Diagnostic("DP103", message, None, help))


def _text(pattern: exp.Expr | None) -> str | None:
    """A constant pattern; else None, which is taken for the largest."""
    return str(pattern.this) if isinstance(pattern, exp.Literal) and pattern.is_string else None


def _positions(pattern: str | None) -> int:
    """At most so many, with repetitions written out."""
    if pattern is None:
        return MAX_POSITIONS
    times = 1
    for count in _COUNT.findall(pattern):
        times = min(times * max(1, int(count)), MAX_POSITIONS)
    return min(len(pattern) * times, MAX_POSITIONS)
