"""Members of a list of constants, and rows of values, of other dialects: see `dialects`.

    x IN UNNEST([1, 2])                           x IN (1, 2)
    x = ANY(ARRAY[1, 2])                          x IN (1, 2)
    x <> ALL(ARRAY[1, 2])                         NOT x IN (1, 2)
    UNNEST(GENERATE_ARRAY(1, 7, 3))               UNNEST([1, 4, 7])
    t LIKE ANY ('a%', 'b%')                       (t LIKE 'a%' OR t LIKE 'b%')
    (a, b) IN ((1, 2), (3, 4))                    (a = 1 AND b = 2) OR (a = 3 AND b = 4)

They are so by the standard's own definition, also of NULL, and are made these before anything else
is read. To DuckDB a row with a NULL in it equals another one.
"""

from __future__ import annotations

from sqlglot import exp

from dpsql.front.dialects.generated_lists import elements
from dpsql.front.dialects.words import place


def members(tree: exp.Query, dialect: str) -> None:
    """Write such tests as IN, in place."""
    if dialect == "bigquery":
        for unnest in list(tree.find_all(exp.Unnest)):
            [series, *_] = unnest.expressions
            if listed := elements(series):
                series.replace(place(exp.Array(expressions=listed), series))
    for like in list(tree.find_all(exp.Like, exp.ILike)):
        if dialect in _PATTERNS and (several := _of_patterns(like)) is not None:
            like.replace(place(several, like))
    for node in list(tree.find_all(exp.In, exp.EQ, exp.NEQ)):
        if dialect in _ROWS and (rows := _of_rows(node)) is not None:
            node.replace(place(rows, node))
            continue
        parts = _of_unnest(node) if isinstance(node, exp.In) else _of_array(node)
        if parts is None or dialect != ("bigquery" if isinstance(node, exp.In) else "postgres"):
            continue
        made: exp.Expr = exp.In(this=node.this, expressions=parts)
        node.replace(place(exp.Not(this=made) if isinstance(node, exp.NEQ) else made, node))


_ROWS = ("mysql", "postgres")
_PATTERNS = ("bigquery", "postgres", "snowflake", "spark")


def _of_patterns(node: exp.Expr) -> exp.Expr | None:
    """LIKE any or all of several patterns. NOT LIKE ANY is one thing here and another there."""
    several = node.args.get("expression")
    if not isinstance(several, exp.Any | exp.All) or node.args.get("negate"):
        return None
    listed = several.this.unnest()
    if not isinstance(listed, exp.Tuple | exp.Array) or not listed.expressions:
        return None
    if isinstance(node.parent, exp.Not):
        return None
    parts = [type(node)(this=node.this.copy(), expression=p) for p in listed.expressions]
    joined = exp.or_ if isinstance(several, exp.Any) else exp.and_
    return exp.Paren(this=joined(*parts, copy=False))


def _of_rows(node: exp.Expr) -> exp.Expr | None:
    """An equality of rows, or membership in a list of them, by their parts."""
    others = node.expressions if isinstance(node, exp.In) else [node.args.get("expression")]
    rows = [row.unnest() for row in (node.this, *others) if isinstance(row, exp.Expr)]
    if len(rows) < 2 or not all(isinstance(row, exp.Tuple) for row in rows):
        return None
    left, *right = (row.expressions for row in rows)
    if any(len(row) != len(left) for row in right):
        return None
    found = exp.or_(*(exp.and_(*map(_equal, left, row)) for row in right), copy=False)
    made = exp.Paren(this=found)
    return exp.Not(this=made) if isinstance(node, exp.NEQ) else made


def _equal(a: exp.Expr, b: exp.Expr) -> exp.Expr:
    return exp.EQ(this=a.copy(), expression=b.copy())


def _of_unnest(node: exp.In) -> list[exp.Expr] | None:
    unnest = node.args.get("unnest")
    if not isinstance(unnest, exp.Unnest) or len(unnest.expressions) != 1:
        return None
    return _parts(unnest.expressions[0])


def _of_array(node: exp.Expr) -> list[exp.Expr] | None:
    """Of ANY and SOME, which one element is to be equal to, or ALL, from which all are to differ;
    the parser knows ANY alone.
    """
    several = node.args.get("expression")
    if isinstance(several, exp.Any) and isinstance(node, exp.EQ):
        return _parts(several.this.unnest())
    if not isinstance(several, exp.Anonymous) or len(several.expressions) != 1:
        return None
    if several.name.upper() != ("SOME" if isinstance(node, exp.EQ) else "ALL"):
        return None
    return _parts(several.expressions[0])


def _parts(listed: exp.Expr) -> list[exp.Expr] | None:
    return listed.expressions or None if isinstance(listed, exp.Array) else None
