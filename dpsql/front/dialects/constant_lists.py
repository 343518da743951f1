"""Members of a list of constants, of other dialects: see `dialects`.

    x IN UNNEST([1, 2])                           x IN (1, 2)
    x = ANY(ARRAY[1, 2])                          x IN (1, 2)
    x <> ALL(ARRAY[1, 2])                         NOT x IN (1, 2)

They are IN and NOT IN by the standard's own definition, also of NULL, and are made these before
anything else is read.
"""

from __future__ import annotations

from sqlglot import exp

from dpsql.front.dialects.words import place


def members(tree: exp.Query, dialect: str) -> None:
    """Write such tests as IN, in place."""
    for node in list(tree.find_all(exp.In, exp.EQ, exp.NEQ)):
        parts = _of_unnest(node) if isinstance(node, exp.In) else _of_array(node)
        if parts is None or dialect != ("bigquery" if isinstance(node, exp.In) else "postgres"):
            continue
        made: exp.Expr = exp.In(this=node.this, expressions=parts)
        node.replace(place(exp.Not(this=made) if isinstance(node, exp.NEQ) else made, node))


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
