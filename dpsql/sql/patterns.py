"""How much work the regular expressions of a query are, before any of them is looked at.

The automata of one pattern (`functions.regex_states`) take time in proportion to the square of its
positions: milliseconds for what people write, a tenth of a second at the limit of 128.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from sqlglot import exp

from dpsql.errors import Diagnostic, Rejected
from dpsql.sql.functions.regex_states import MAX_POSITIONS

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
