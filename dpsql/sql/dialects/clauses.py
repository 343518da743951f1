"""Clauses of other dialects: see `dialects`."""

from __future__ import annotations

from sqlglot import exp

from dpsql.sql.dialects.words import Rule, constant, keep, refuse

SETS = (exp.Union, exp.Except, exp.Intersect)


def _fetch(node: exp.Expr, dialect: str) -> exp.Expr:
    """FETCH FIRST n ROWS ONLY is LIMIT n; of WITH TIES and PERCENT `_READ` knows nothing."""
    return _limit(exp.Limit(expression=node.args.get("count")), dialect)


def _limit(node: exp.Expr, dialect: str) -> exp.Expr:
    """TOP n is LIMIT n."""
    if not constant(node.expression, 0):
        raise refuse(node, dialect, "LIMIT or OFFSET that is no constant")
    return keep(node, "expression")


def _ordered(node: exp.Expr, dialect: str) -> exp.Expr:
    """sqlglot's parser writes down where NULL goes: NULL is the largest value in PostgreSQL and
    Snowflake, the smallest in the others, and last in DuckDB.
    """
    first = bool(node.args.get("nulls_first"))
    return exp.Ordered(this=node.this, desc=node.args.get("desc"), nulls_first=first)


def _join(node: exp.Expr, dialect: str) -> exp.Expr:
    side, kind = str(node.args.get("side") or ""), str(node.args.get("kind") or "")
    if side not in ("", "LEFT", "RIGHT", "FULL") or kind not in ("", "INNER", "OUTER", "CROSS"):
        raise refuse(node, dialect, " ".join(w for w in (side, kind, "JOIN") if w))
    return node


def _select(node: exp.Expr, dialect: str) -> exp.Expr:
    joins = node.args.get("joins") or []
    comma = next((j for j in joins if not (j.args.get("on") or j.args.get("using"))), None)
    if comma is not None and any(j.args.get("side") in ("RIGHT", "FULL") for j in joins):
        # Whether the comma binds more tightly than JOIN differs.
        raise refuse(comma, dialect, "a join without a condition beside a RIGHT or FULL JOIN")
    if any(j.args.get("using") for j in joins):
        star = next((e for e in node.expressions if isinstance(e, exp.Star)), None)
        if star is not None:  # USING's columns come first in most, and where they stand in DuckDB
            raise refuse(star, dialect, "* above USING", "name the columns")
    return node


def _set(node: exp.Expr, dialect: str) -> exp.Expr:
    """One after the other from the left in all of them; INTERSECT binds more tightly in some."""
    for part in (node.this, node.expression):
        if isinstance(part, SETS) and type(part) is not type(node):
            raise refuse(part, dialect, "set operations of several kinds", "write parentheses")
    return node


RULES: dict[type[exp.Expr], Rule] = {
    exp.Fetch: _fetch,
    exp.Limit: _limit,
    exp.Offset: _limit,
    exp.Ordered: _ordered,
    exp.Join: _join,
    exp.Select: _select,
    **dict.fromkeys(SETS, _set),
}
