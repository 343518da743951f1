"""GROUP BY a, ROLLUP (b, c) -> the sets of keys that it means.

ROLLUP (b, c)          (b, c), (b), ()
CUBE (b, c)            (b, c), (b), (c), ()
GROUPING SETS (…)      those, each of which may be a ROLLUP or a CUBE
a, ROLLUP (b, c)       (a, b, c), (a, b), (a): the product, joined
"""

from __future__ import annotations

from itertools import combinations, product

from sqlglot import exp

from dpsql.sql.parse import only, reject

MAX_SETS = 64

Set = list[exp.Expr]


def grouping_sets(group: exp.Group) -> list[Set]:
    """The grouping sets of a GROUP BY clause, in the order that SQL gives them.

    Raises:
        Rejected: DP103 where there are too many.
    """
    only(group, "expressions", "rollup", "cube", "grouping_sets")
    parts = list(group.expressions)
    for key in ("rollup", "cube", "grouping_sets"):
        found = group.args.get(key)
        parts += found if isinstance(found, list) else []
    choices = [_choices(part) for part in parts]
    size = 1
    for choice in choices:
        size *= len(choice)
        if size > MAX_SETS:
            raise reject("DP103", f"more than {MAX_SETS} grouping sets", group)
    return [[node for one in combo for node in one] for combo in product(*choices)]


def _choices(node: exp.Expr) -> list[Set]:
    if isinstance(node, exp.Rollup):
        keys = [_set(e) for e in node.expressions]
        return [_flat(keys[:n]) for n in range(len(keys), -1, -1)]
    if isinstance(node, exp.Cube):
        keys = [_set(e) for e in node.expressions]
        if len(keys) > 6:
            raise reject("DP103", f"more than {MAX_SETS} grouping sets", node)
        sizes = range(len(keys), -1, -1)
        return [_flat(list(some)) for n in sizes for some in combinations(keys, n)]
    if isinstance(node, exp.GroupingSets):
        return [one for part in node.expressions for one in _choices(part)]
    return [_set(node)]


def _set(node: exp.Expr) -> Set:
    """(a, b), (a), a or ()."""
    if isinstance(node, exp.Tuple):
        return list(node.expressions)
    if isinstance(node, exp.Paren):
        return [node.this]
    return [node]


def _flat(keys: list[Set]) -> Set:
    return [node for one in keys for node in one]
