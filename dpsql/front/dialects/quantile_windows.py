"""Quantiles as window functions, which some dialects have instead of aggregates.

    SELECT DISTINCT g, PERCENTILE_CONT(x, 0.5) OVER (PARTITION BY g) FROM t
    SELECT             PERCENTILE_CONT(x, 0.5) OVER () FROM t LIMIT 1

are the medians of groups, and that of all rows, as GROUP BY g has them; so is what is computed of
them and of g alone. Of no rows at all there is no row there, and NULL here.
"""

from __future__ import annotations

from sqlglot import exp

from dpsql.front.dialects.words import copied, place

OF_WINDOW = "of a window"
"""The mark of an aggregate that was a window: it is none by itself in BigQuery and T-SQL."""

_QUANTILES = (exp.PercentileCont, exp.PercentileDisc, exp.Median)


def grouped(tree: exp.Query) -> None:
    """Make aggregates of such windows, wherever a query has nothing else."""
    for select in tree.find_all(exp.Select):
        items = [item.unalias() for item in select.expressions]
        windows = [window for item in items for window in _windows(item)]
        keys = [item for item in items if not _windows(item)]
        partition = windows[0].args.get("partition_by") or [] if windows else []
        alike = all((w.args.get("partition_by") or []) == partition for w in windows)
        if not windows or not alike or set(keys) != set(partition) or not _once(select, partition):
            continue
        if not all(_of_group(item, partition) for item in items):
            continue
        for window in windows:
            window.this.meta[OF_WINDOW] = True
            window.replace(place(window.this, window))
        select.set("distinct", None)
        if partition:
            select.set("group", exp.Group(expressions=[copied(key) for key in partition]))
        else:
            select.set("limit", None)


def _windows(item: exp.Expr) -> list[exp.Expr]:
    """The quantiles in an item of a SELECT list."""
    if isinstance(item, exp.Query):
        return []
    if is_quantile(item):
        return [item]
    return [window for part in item.iter_expressions() for window in _windows(part)]


def _of_group(item: exp.Expr, partition: list[exp.Expr]) -> bool:
    """Whether it is made of quantiles, keys and constants alone, and so one value for a group."""
    if is_quantile(item) or item in partition:
        return True
    if isinstance(item, exp.Column | exp.AggFunc | exp.Window | exp.Query):
        return False
    return all(_of_group(part, partition) for part in item.iter_expressions())


def is_quantile(node: exp.Expr) -> bool:
    """Whether it is such a window."""
    if not isinstance(node, exp.Window):
        return False
    function = node.this.this if isinstance(node.this, exp.WithinGroup) else node.this
    parts = {key for key, value in node.args.items() if value not in (None, [], False)}
    return isinstance(function, _QUANTILES) and parts <= {"this", "partition_by", "over"}


def _once(select: exp.Select, partition: list[exp.Expr]) -> bool:
    """Whether each group is one row."""
    args = select.args
    if any(args.get(clause) for clause in ("group", "having", "qualify")):
        return False
    distinct, limit = args.get("distinct"), args.get("limit")
    if distinct is not None:
        return not distinct.args.get("on") and (bool(partition) or limit is None)
    one = isinstance(limit, exp.Limit) and limit.expression == exp.Literal.number(1)
    return not partition and one and not args.get("offset")
