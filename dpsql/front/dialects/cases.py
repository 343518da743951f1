"""Names that differ in their case alone: two in PostgreSQL and Snowflake, and one in DuckDB. So are
tables in BigQuery and MySQL. The case of names is ignored in Redshift and Spark, and in T-SQL but
for unusual collations. They are refused where one of them could be taken for the other.

    FROM lines JOIN products AS "Products" ON …      read
    SELECT COUNT(*) AS "Orders" FROM orders          read
    SELECT "Status" … WHERE status = 'open'          refused

Tables, what rows are called in a query, and columns are three kinds of names: each stands where no
other one can, since `x.y` is never a part of a column here. A table without an alias is of two
kinds. What the outermost SELECT calls a column is seen in its own clauses alone. A name of another
case in them is a column, there and in DuckDB, which takes a column before an alias; but as the
whole of an ORDER BY key it is the alias in DuckDB.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sqlglot import exp

from dpsql.front.dialects.words import refuse
from dpsql.front.scope import fold

_UNQUOTED = {"postgres": str.lower, "snowflake": str.upper}
_TABLE, _ROWS, _COLUMN = "table", "rows", "column"


def check_case(tree: exp.Query, dialect: str) -> None:
    """Refuse a name beside the same one in another case, where that could mean the other.

    Raises:
        Rejected: DP104.
    """
    if dialect in ("bigquery", "mysql"):
        tables = [t.this for t in tree.find_all(exp.Table) if isinstance(t.this, exp.Identifier)]
        names = [(_TABLE, node, node.name) for node in tables]
    elif dialect in _UNQUOTED:
        exact = _exact(_UNQUOTED[dialect])
        shown = _only_shown(tree, exact)
        names = [
            (kind, node, exact(node))
            for node in tree.find_all(exp.Identifier)
            if id(node) not in shown
            for kind in _kinds(node)
        ]
    else:
        return
    seen: dict[tuple[str, str], str] = {}
    for kind, node, name in names:
        if seen.setdefault((kind, fold(name)), name) != name:
            what = f"{node.name} beside the same name in another case, which dpsql ignores"
            raise refuse(node, dialect, what, "give one of them another name")


def _exact(unquoted: Callable[[str], str]) -> Callable[[exp.Expr], str]:
    return lambda node: node.name if node.args.get("quoted") else unquoted(node.name)


def _kinds(node: exp.Expr) -> tuple[str, ...]:
    parent, key = node.parent, node.arg_key
    if isinstance(parent, exp.Table):
        return (_TABLE, _ROWS) if key == "this" and not parent.alias else (_TABLE,)
    if isinstance(parent, exp.TableAlias) and key == "this":
        return (_TABLE,) if isinstance(parent.parent, exp.CTE) else (_ROWS,)
    if isinstance(parent, exp.Column) and key != "this":
        return (_ROWS,) if key == "table" else (_TABLE,)
    return (_COLUMN,)


def _only_shown(tree: exp.Query, exact: Callable[[exp.Expr], str]) -> set[int]:
    """The names that the outermost SELECT gives to columns and reads, if at all, as the whole of an
    ORDER BY key; where no such key is the name in another case.
    """
    distinct = tree.args.get("distinct")
    stars = any(item.is_star for item in tree.expressions)
    if not isinstance(tree, exp.Select) or stars or (distinct and distinct.args.get("on")):
        return set()
    given = [item.args["alias"] for item in tree.expressions if isinstance(item, exp.Alias)]
    columns = [item.this for item in tree.expressions if isinstance(item, exp.Column)]
    outputs = [fold(node.name) for node in (*given, *columns)]
    keys = list(_keys(tree))
    found: set[int] = set()
    for node in given:
        name = fold(node.name)
        of_keys = [key for key in keys if fold(key.name) == name]
        read = [c.this for c in tree.find_all(exp.Column) if exact(c.this) == exact(node)]
        if (
            outputs.count(name) == 1
            and all(exact(key) == exact(node) for key in of_keys)
            and {id(part) for part in read} <= {id(key) for key in of_keys}
        ):
            found |= {id(node), *map(id, of_keys)}
    return found


def _keys(select: exp.Select) -> Iterator[exp.Expr]:
    """The names that are the whole of an ORDER BY key."""
    order = select.args.get("order")
    for key in order.expressions if order is not None else ():
        if isinstance(key.this, exp.Column) and not key.this.table:
            yield key.this.this
