"""VALUES of constants in FROM and in WITH, of other dialects: see `dialects`.

    JOIN (VALUES (1, 'a'), (2, 'b')) AS v(k, name) ON v.k = t.k

What the columns are called without names, and of what type a column is whose constants are of
several kinds, differs: it is read where columns are named and are of one kind each.
"""

from __future__ import annotations

from sqlglot import exp

from dpsql.front.dialects.words import refuse

_IN = ("postgres", "snowflake", "spark", "tsql")
"""MySQL writes VALUES ROW(1, 'a'), and BigQuery has none."""


def values(node: exp.Expr, dialect: str) -> exp.Expr:
    """The rows as they are."""
    rows = [row.expressions for row in node.expressions if isinstance(row, exp.Tuple)]
    if dialect not in _IN or len(rows) != len(node.expressions):
        raise refuse(node, dialect, "VALUES")
    other = next((c for row in rows for c in row if not isinstance(c, exp.Null | _ONE)), None)
    if other is not None:
        raise refuse(other, dialect, "VALUES of more than constants")
    names = _names(node)
    if {len(row) for row in rows} != {names}:
        raise refuse(node, dialect, "VALUES without names", "name all columns: AS v(a, b)")
    for cells in zip(*rows, strict=True):
        known = [cell for cell in cells if not isinstance(cell, exp.Null)]
        kinds = {_kind(cell) for cell in known}
        if len(kinds) != 1 or None in kinds:
            what = "a column of VALUES that is not of constants of one kind"
            raise refuse(
                known[0] if known else node,
                dialect,
                what,
                "write whole numbers, texts or dates alone",
            )
    return node


def _names(node: exp.Expr) -> int:
    """How many columns are named; of `WITH v(a, b) AS (VALUES …)`, there. What names a column by
    the name that it has by itself is not read: Spark's col1 is DuckDB's col0.
    """
    select = node.parent.parent if node.parent else None
    whole = isinstance(select, exp.Select) and all(e.is_star for e in select.expressions)
    query = select.parent if select is not None and whole else None
    for of in (node, query if isinstance(query, exp.CTE) else None):
        alias = None if of is None else of.args.get("alias")
        if isinstance(alias, exp.TableAlias) and alias.args.get("columns"):
            return len(alias.args["columns"])
    return 0


_ONE = exp.Literal | exp.Neg | exp.Paren | exp.Cast


def _kind(cell: exp.Expr) -> str | None:
    """Of what kind a constant is; None for what is none."""
    if isinstance(cell, exp.Paren):
        return _kind(cell.this)
    if isinstance(cell, exp.Neg):
        return "whole" if _kind(cell.this) == "whole" else None
    if isinstance(cell, exp.Cast) and isinstance(cell.this, exp.Literal) and cell.this.is_string:
        return "date" if cell.args["to"].this == exp.DType.DATE else None
    if not isinstance(cell, exp.Literal):
        return None
    if cell.is_string:
        return "text"
    return "whole" if str(cell.this).isdigit() else None
