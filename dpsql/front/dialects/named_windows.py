"""Windows that WINDOW names, of other dialects, written out where they are used: see `dialects`.

    SUM(x) OVER w … WINDOW w AS (ORDER BY k)              SUM(x) OVER (ORDER BY k)
    RANK() OVER (w ORDER BY x) … w AS (PARTITION BY k)    RANK() OVER (PARTITION BY k ORDER BY x)

The rules about windows then need not know of names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sqlglot import exp

from dpsql.front.dialects.words import copied, refuse
from dpsql.front.parse import reject
from dpsql.front.scope import fold

_PARTS = ("partition_by", "order", "spec")


def written_out(tree: exp.Query, dialect: str) -> None:
    """Write the windows out, in place.

    Raises:
        Rejected: DP202 for a name that is no window's, DP104 for one that cannot be refined so.
    """
    for select in list(tree.find_all(exp.Select)):
        named: dict[str, exp.Expr] = {}
        for window in select.args.get("windows") or []:
            if fold(window.name) in named:
                raise refuse(window, dialect, f"two windows {window.name}")
            _refine(window, named, dialect)
            named[fold(window.name)] = window
        select.set("windows", None)
        for window in list(_of(select)):
            _refine(window, named, dialect)


def _of(select: exp.Expr) -> Iterator[exp.Expr]:
    """The windows of a query, without those of the queries in it."""
    for part in select.iter_expressions():
        if not isinstance(part, exp.Query):
            if isinstance(part, exp.Window):
                yield part
            yield from _of(part)


def _refine(window: exp.Expr, named: Mapping[str, exp.Expr], dialect: str) -> None:
    """Give a window what the one has that it names, which must not have it twice."""
    alias = window.args.get("alias")
    if alias is None:
        return
    base = named.get(fold(alias.name))
    if base is None:
        raise reject("DP202", f"no window {alias.name}", window)
    own = [part for part in _PARTS if window.args.get(part)]
    of_base = [part for part in _PARTS if base.args.get(part)]
    if own and (own[0] == "partition_by" or "spec" in of_base or set(own) & set(of_base)):
        raise refuse(window, dialect, "a named window that is refined so", "write it out")
    window.set("alias", None)
    for part in of_base:
        value = base.args[part]
        several = isinstance(value, list)
        window.set(part, [copied(each) for each in value] if several else copied(value))
