"""The one logarithm that need not be exact: about where a number is among the thresholds of a clip.

Claim: any value at this place, NULL aside, gives cells of the same meaning. Why: it is cut to the
numbers that there are, from 0 to `last`, and the statement then compares with the thresholds at
that number and the next, and counts a unit as above them all where it is above both; a number that
is too high makes it a little heavier, no more (`core/enforce/clipped_sql.py`). So another engine's
library of logarithms will do here, and nowhere else.
"""

from __future__ import annotations

from dataclasses import replace

from dpsql.platform.engine.far.operators import Call, Expr
from dpsql.platform.engine.far.typed_arguments import number

ABOUT = "about log2"
"""What stands for log(2, x) there."""

_SHAPE = ("greatest", "least", "cast", "ceil", "*")


def about(expr: Call) -> Call:
    """GREATEST(LEAST(CAST(CEIL(c * LOG(2, x)) AS BIGINT), last), 0) with `ABOUT` in it; other calls
    as they are.
    """
    path: list[Call] = []
    node: Expr = expr
    for name in _SHAPE:
        if not isinstance(node, Call) or node.name != name:
            return expr
        if name in ("greatest", "least") and (len(node.args) != 2 or number(node.args[1]) is None):
            return expr
        path.append(node)
        node = node.args[-1] if name == "*" else node.args[0]
    if not isinstance(node, Call) or node.name != "log" or number(node.args[0]) != 2:
        return expr
    made: Expr = Call(ABOUT, (node.args[1],), node.type)
    for call in reversed(path):
        args = (*call.args[:-1], made) if call.name == "*" else (made, *call.args[1:])
        made = replace(call, args=args)
    assert isinstance(made, Call)
    return made
